// The checks, one function each. Private to this folder.
#pragma once

#include <utility>

#include "scorers/preflight/check.hpp"

namespace assay::preflight {

// A check without its name and whether it is needed, which the table of check.cpp adds.
struct Finding {
    Verdict verdict = Verdict::could_not_tell;
    std::string found;
    std::string advice;
};
[[nodiscard]] inline Finding verified(std::string found) { return {Verdict::verified, std::move(found), {}}; }
[[nodiscard]] inline Finding refuted(std::string found, std::string advice) { return {Verdict::refuted, std::move(found), std::move(advice)}; }
[[nodiscard]] inline Finding untold(std::string found, std::string advice) { return {Verdict::could_not_tell, std::move(found), std::move(advice)}; }
inline constexpr const char* see_others = "see the other checks";

[[nodiscard]] Finding reachable(const Evidence& evidence);
[[nodiscard]] Finding model_listed(const Evidence& evidence);
[[nodiscard]] Finding context(const Evidence& evidence);
[[nodiscard]] Finding budget_field(const Evidence& evidence);
[[nodiscard]] Finding stream_end(const Evidence& evidence);
[[nodiscard]] Finding usage(const Evidence& evidence);
[[nodiscard]] Finding reasoning(const Evidence& evidence);
[[nodiscard]] Finding effort(const Evidence& evidence);
[[nodiscard]] Finding seed(const Evidence& evidence);
[[nodiscard]] Finding sum(const Evidence& evidence);
[[nodiscard]] Finding server_facts(const Evidence& evidence);

// A probe that is judged, or nothing.
[[nodiscard]] const chat::Reply* judged(const std::optional<Probe>& probe);
// Why a probe says nothing: not asked, refused, cut off, or how it failed.
[[nodiscard]] std::string why_silent(const std::optional<Probe>& probe);
// The listed entry of the run's model, or nothing.
[[nodiscard]] const ListedModel* entry_of(const Evidence& evidence);

}  // namespace assay::preflight
