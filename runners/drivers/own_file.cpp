#include "runners/drivers/own_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "harness/error.hpp"

namespace assay::runners {

void require_own_file(const std::string& path, std::string_view flag, std::string_view what, std::string_view beginning) {
    std::error_code trouble;
    if (!std::filesystem::is_regular_file(path, trouble)) return;
    std::string found(beginning.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(found.data(), static_cast<std::streamsize>(found.size()));
    if (file.gcount() == 0 || found == beginning) return;
    throw Error(fmt::format("{} ({}) is there and holds something else than {}; name another file, or move it", path, flag, what));
}

}  // namespace assay::runners
