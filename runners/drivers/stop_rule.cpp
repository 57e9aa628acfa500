#include "runners/drivers/stop_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "datasets/questions/protocol.hpp"
#include "harness/error.hpp"
#include "runners/drivers/pairing.hpp"

namespace assay::runners {
namespace {

constexpr std::string_view precision = "this-test<=";
constexpr std::string_view gate_decided = "gate-decided";

std::optional<double> points(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value > 0 && value < 100 ? std::optional(value) : std::nullopt;
}

// Attempts of the reference without a score may be right or wrong: they hold the gate open whatever is asked of this run.
void check_scored(const StopRule& rule, const statistics::SeedTable& reference) {
    const auto without = std::count_if(reference.cells.begin(), reference.cells.end(), [](const statistics::Cell& cell) { return !cell.scored(); });
    const auto all = static_cast<double>(std::max<std::size_t>(1, reference.cells.size()));
    if (reference.columns() > 0 && static_cast<double>(without) / all < *rule.margin) return;
    throw Error(fmt::format("--reference {}: {} of its {} attempts have no score, as large a share as the margin of {:g} points, so that a run just as good "
                            "could not pass: continue that run first",
                            rule.reference, without, reference.cells.size(), 100 * *rule.margin));
}

StopRule gate_rule(const std::optional<double>& gate, const std::optional<std::string>& reference) {
    if (!gate || !reference) {
        throw Error("--stop-when gate-decided needs --gate POINTS and --reference RUN: the margin, and the run that this one is to match");
    }
    if (!(*gate > 0 && *gate < 100)) throw Error(fmt::format("--gate must lie above 0 and below 100 points, and is {}", *gate));
    StopRule rule;
    rule.margin = *gate / 100;
    rule.reference = *reference;
    rule.text = fmt::format("{}, margin {}, reference {}", gate_decided, *gate, *reference);
    return rule;
}

}  // namespace

std::optional<StopRule> parse_stop_rule(const std::optional<std::string>& stop_when, const std::optional<double>& gate,
                                        const std::optional<std::string>& reference) {
    if (stop_when == gate_decided) return gate_rule(gate, reference);
    if (gate || reference) {
        throw Error("--gate and --reference belong to --stop-when gate-decided; two finished runs are compared with: assay compare A B --gate POINTS");
    }
    if (!stop_when) return std::nullopt;
    const std::string_view text = *stop_when;
    const auto half = text.starts_with(precision) ? points(text.substr(precision.size())) : std::nullopt;
    if (!half) {
        throw Error(fmt::format("--stop-when takes 'this-test<=POINTS', such as 'this-test<=0.7' (quoted), or gate-decided, and is '{}'", text));
    }
    StopRule rule;
    rule.half_width = *half / 100;
    rule.text = fmt::format("{}{}", precision, *half);
    return rule;
}

std::optional<statistics::SeedTable> reference_table(const StopRule& rule, const runs::Plan& plan, const questions::QuestionSet& set,
                                                     const std::optional<std::string>& extractor) {
    if (!rule.margin) return std::nullopt;
    const auto named = [&](const multichoice::Extractor& usual) { return extractor ? &multichoice::extractor_named(*extractor) : &usual; };
    RejudgedRun reference = rejudge_run(rule.reference, {named(usual_extractor(rule.reference))});
    RejudgedRun run;
    run.header.plan = plan;
    run.set = set;
    run.extractors = {named(multichoice::extractor_named(questions::protocol_named(plan.protocol).extractor))};
    const Pairing pairing = pair_questions(reference, run);
    if (!pairing.differences.empty() || !pairing.same_questions) {
        throw Error(fmt::format("--reference {} cannot be the reference of this run: {}", rule.reference, fmt::join(pairing.differences, "; ")));
    }
    check_scored(rule, reference.tables.front());
    return std::move(reference.tables.front());
}

}  // namespace assay::runners
