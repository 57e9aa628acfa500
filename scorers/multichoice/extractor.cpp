#include "scorers/multichoice/extractor.hpp"

#include <array>

#include "harness/error.hpp"
#include "scorers/multichoice/extractors/all.hpp"

namespace assay::multichoice {
namespace {

constexpr std::array kTable{
    Extractor{"nemo-v3", "NVIDIA NeMo-Skills since 2025-10-30 (0b012df8): last box or final-answer phrase, else last Answer line",
              extract_nemo_v3},
};

}  // namespace

std::span<const Extractor> extractors() noexcept { return kTable; }

const Extractor& extractor_named(std::string_view name) {
    std::string known;
    for (const Extractor& extractor : kTable) {
        if (extractor.name == name) return extractor;
        if (!known.empty()) known += ", ";
        known += extractor.name;
    }
    throw Error("no extractor is called '" + std::string(name) + "'; choose one of: " + known);
}

}  // namespace assay::multichoice
