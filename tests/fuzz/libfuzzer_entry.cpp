// What libFuzzer calls. ASSAY_FUZZ_TARGET is the function.
#include <cstddef>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    assay::fuzz::ASSAY_FUZZ_TARGET({data, size});
    return 0;
}
