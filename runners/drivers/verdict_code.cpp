#include "runners/drivers/verdict_code.hpp"

namespace assay::runners {
namespace {

// correct / attempts < percent / 100, without rounding the quotient: 90 of 100 is not under 90.
bool under(std::int64_t correct, std::int64_t attempts, double percent) {
    return static_cast<double>(correct) * 100.0 < percent * static_cast<double>(attempts);
}

}  // namespace

LimitEnd limit_end(const statistics::Summary& summary, double fail_under) {
    const statistics::Counts& total = summary.total;
    if (under(total.correct + total.unscored + total.missing, total.attempts, fail_under)) return LimitEnd::missed;
    return total.attempts == 0 || under(total.correct, total.attempts, fail_under) ? LimitEnd::open : LimitEnd::reached;
}

ExitCode code_of_score(const statistics::Summary& summary, const std::optional<double>& fail_under) {
    const statistics::Counts& total = summary.total;
    const std::int64_t undecided = total.unscored + total.missing;
    if (fail_under && limit_end(summary, *fail_under) == LimitEnd::missed) return exit_no;
    return undecided > 0 || total.attempts == 0 ? exit_undecided : exit_clean;
}

}  // namespace assay::runners
