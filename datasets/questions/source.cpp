#include "datasets/questions/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "datasets/questions/hub_cache.hpp"
#include "datasets/questions/sample/sample.hpp"
#include "harness/error.hpp"
#include "harness/files/read_file.hpp"

namespace assay::questions {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;
constexpr std::string_view gpqa_prefix = "gpqa:";
constexpr std::array<std::string_view, 3> gpqa_subsets{"diamond", "main", "extended"};

}  // namespace

Source find_source(const std::string& given) {
    if (given == "sample") return {given, given, std::string(sample_csv())};
    if (given.starts_with(gpqa_prefix)) {
        const std::string subset = given.substr(gpqa_prefix.size());
        if (std::find(gpqa_subsets.begin(), gpqa_subsets.end(), subset) == gpqa_subsets.end()) {
            throw Error(fmt::format("no question set is called '{}'; expected gpqa:diamond, gpqa:main, gpqa:extended, sample, or the path of a file", given));
        }
        const std::string path = gpqa_in_hub_cache(subset);
        return {given, path, files::read_file(path, largest_file)};
    }
    return {std::filesystem::path(given).filename().string(), given, files::read_file(given, largest_file)};
}

}  // namespace assay::questions
