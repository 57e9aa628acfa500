#include "harness/simulated/sending.hpp"

#include <algorithm>

namespace assay::simulated {

std::size_t next_write(const Sending& sending, std::string_view bytes) noexcept {
    const auto behind = [bytes](auto last) {
        const auto found = std::find_if(bytes.begin(), bytes.end(), last);
        return found == bytes.end() ? bytes.size() : static_cast<std::size_t>(found - bytes.begin()) + 1;
    };
    switch (sending.split) {
        case Split::none: break;
        case Split::bytes: return std::min(bytes.size(), std::max<std::size_t>(sending.split_bytes, 1));
        case Split::characters: return behind([](char c) { return static_cast<unsigned char>(c) >= 0xc0U; });
        case Split::cr: return behind([](char c) { return c == '\r'; });
    }
    return bytes.size();
}

}  // namespace assay::simulated
