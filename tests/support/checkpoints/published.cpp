#include "tests/support/checkpoints/published.hpp"

#include <cstdlib>
#include <filesystem>

namespace assay::support {

std::string published_kimi_k3(const std::string& name) {
    namespace fs = std::filesystem;
    const char* const folder = std::getenv("ASSAY_KIMI_K3");
    const fs::path path =
        (folder != nullptr && *folder != '\0' ? fs::path(folder)
                                              : fs::path(ASSAY_SOURCE) / ".." / "shared" / "data" / "kimi-k3") /
        name;
    std::error_code trouble;
    return fs::exists(path, trouble) ? path.string() : std::string{};
}

}  // namespace assay::support
