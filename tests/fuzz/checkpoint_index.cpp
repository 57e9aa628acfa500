#include <algorithm>

#include "datasets/checkpoints/index.hpp"
#include "harness/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace assay::fuzz {

void checkpoint_index(Input input) {
    checkpoints::Index index;
    try {
        index = checkpoints::parse_index(text_of(input), "index.json");
    } catch (const Error& error) {
        promise(std::string_view(error.what()).find("index.json") != std::string_view::npos);
        return;
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.tensor < b.tensor; };
    promise(std::is_sorted(index.entries.begin(), index.entries.end(), by_name));
    for (const checkpoints::IndexEntry& entry : index.entries) {
        promise(entry.file < index.files.size());
        promise(find_entry(index, entry.tensor) == &entry);
    }
}

}  // namespace assay::fuzz
