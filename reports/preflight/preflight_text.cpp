#include <fmt/format.h>

#include "reports/preflight/preflight_report.hpp"
#include "reports/terminal/fact.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

using preflight::Verdict;

Tint tint_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::verified: return Tint::green;
        case Verdict::refuted: return Tint::red;
        case Verdict::could_not_tell: break;
    }
    return Tint::yellow;
}

std::string check_text(const preflight::Check& check, const Look& look) {
    std::string words = visible(check.found);
    if (!check.advice.empty()) words += " - to do: " + visible(check.advice);
    return fact_text({std::string(check.name), std::string(to_string(check.verdict)), words, tint_of(check.verdict)}, look);
}

std::string facts_text(const CheckedEndpoint& endpoint, const Look& look) {
    std::string text;
    for (const auto& [name, value] : endpoint.facts) text += wrapped("  " + visible(name), "  " + visible(value), look.width, 4);
    return text.empty() ? text : "\nthe server says of itself\n" + text;
}

std::string endpoint_text(const CheckedEndpoint& endpoint, const Look& look) {
    std::string text = "\n" + wrapped("endpoint ", visible(endpoint.base_url), look.width, 4);
    if (!endpoint.simulated.empty()) text += wrapped("SIMULATED ", visible(endpoint.simulated), look.width, 4);
    for (const auto& check : endpoint.checks) text += check_text(check, look);
    return text + facts_text(endpoint, look);
}

std::string counts_of(const PreflightReport& report) {
    int counts[3] = {};
    for (const auto& endpoint : report.endpoints)
        for (const auto& check : endpoint.checks) ++counts[static_cast<int>(check.verdict)];
    return fmt::format("{} verified, {} refuted, {} could not tell", counts[0], counts[1], counts[2]);
}

std::string last_sentence(const PreflightReport& report) {
    const bool one = report.endpoints.size() == 1;
    const std::string what = one ? "this endpoint" : "these endpoints";
    switch (conclusion(report)) {
        case Verdict::verified: return what + " can be scored";
        case Verdict::refuted: return what + (one ? " does" : " do") + " not do what was asked";
        case Verdict::could_not_tell: break;
    }
    return "whether " + what + " can be scored could not be told";
}

}  // namespace

preflight::Verdict conclusion(const PreflightReport& report) {
    Verdict worst = Verdict::verified;
    for (const auto& endpoint : report.endpoints) {
        const Verdict one = preflight::conclusion(endpoint.checks, report.accepted);
        if (one == Verdict::refuted) return one;
        if (one == Verdict::could_not_tell) worst = one;
    }
    return worst;
}

std::string preflight_text(const PreflightReport& report, const Look& look) {
    const std::string protocol = report.protocol.empty() ? "" : "   protocol " + visible(report.protocol);
    std::string text = wrapped("preflight ", fmt::format("model {}   dataset {}{}   {} {}", visible(report.model), visible(report.dataset), protocol,
                                                         report.budget_field, thousands(report.budget)), look.width, 4);
    for (const auto& endpoint : report.endpoints) text += endpoint_text(endpoint, look);
    std::string end = last_sentence(report) + ": " + counts_of(report);
    if (!report.accepted.empty()) end += fmt::format("; not counted: {}", fmt::join(report.accepted, ", "));
    return text + "\n" + wrapped("", end, look.width, 4);
}

}  // namespace assay::reports
