#include "reports/junit/score_junit.hpp"

#include <fmt/format.h>

#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

std::string score_words(const statistics::Summary& summary) {
    const statistics::Counts& total = summary.total;
    const auto score = total.score();
    if (!score) return "no attempt has a score";
    return fmt::format("pass@1 {} %, {} of {} scored attempts right", percent(*score), total.correct, total.scored);
}

TestCase scored(const statistics::Summary& summary) {
    const statistics::Counts& total = summary.total;
    const std::int64_t without = total.unscored + total.missing;
    TestCase one{"every attempt has a score", CaseEnd::passed, score_words(summary), {}};
    if (without == 0 && total.attempts > 0) return one;
    const auto all = static_cast<double>(total.attempts);
    one.end = CaseEnd::undecided;
    one.detail = {one.message};
    one.message = fmt::format("{} of {} attempts have none", without, total.attempts);
    if (total.attempts > 0) {
        one.message += fmt::format(": pass@1 lies between {} and {} %", percent(static_cast<double>(total.correct) / all),
                                   percent(static_cast<double>(total.correct + without) / all));
    }
    return one;
}

}  // namespace

std::string score_junit(const RunHeader& header, const statistics::Summary& summary, const std::optional<ScoreLimit>& limit) {
    TestSuite suite{"assay score", header.run, header.plan.simulated, {}, {scored(summary)}};
    const auto property = [&](const char* name, const std::string& value) {
        if (!value.empty()) suite.properties.emplace_back(name, value);
    };
    property("model", header.plan.model);
    property("dataset", header.plan.dataset_name);
    property("protocol", header.plan.protocol);
    property("extractor", header.extractor);
    property("plan", header.plan_hash);
    if (limit) suite.cases.push_back({fmt::format("pass@1 is at least {} %", limit->fail_under), limit->end, score_words(summary), {}});
    for (const std::string& note : header.notes) suite.cases.front().detail.push_back("note: " + note);
    return junit({suite});
}

}  // namespace assay::reports
