#include "runners/commands/early_stop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/error.hpp"
#include "runners/drivers/dispatch_order.hpp"
#include "scorers/statistics/gate.hpp"

namespace assay::runners {
namespace {

// A look counts seeds that answered every question of this command; rows that an earlier one asked beyond them would be holes.
void check_rows(const runs::Totals& before, std::size_t rows) {
    int most = 0;
    for (const runs::Session& session : before.sessions) most = std::max(most, session.info.rows);
    if (static_cast<std::size_t>(most) <= rows) return;
    throw Error(fmt::format("--stop-when looks at seeds that answered every question: this run asked {} questions before, and now {}; raise --limit",
                            most, rows));
}

}  // namespace

EarlyStop::EarlyStop(const ScoreOptions& options) : rule_(parse_stop_rule(options.stop_when, options.gate, options.reference)) {}

void EarlyStop::prepare(const ScoreOptions& options, const runs::Plan& plan, const questions::QuestionSet& set) {
    if (rule_) watch_ = std::make_unique<StopWatch>(*rule_, reference_table(*rule_, plan, set, options.extractor), set);
}

std::vector<runs::AttemptKey> EarlyStop::order(const std::vector<int>& seeds, const std::vector<int>& questions) const {
    return rule_ ? dispatch_order_by_seed(seeds, questions) : dispatch_order(seeds, questions);
}

void EarlyStop::judged(const runs::AttemptKey& key, const statistics::Cell& cell) {
    if (watch_) watch_->judged(key, cell);
}

std::vector<std::string> EarlyStop::open(runs::RunWriter& writer, const std::vector<int>& seeds) {
    const std::vector<runs::Look>& earlier = writer.totals_before().looks;
    if (!watch_) {
        const auto lifted = lifted_stop(earlier, seeds);
        if (!lifted) return {};
        writer.look(*lifted);
        return {fmt::format("this run was stopped after {} seeds by --stop-when {}; without that flag it goes on, and every seed counts", lifted->seeds.size(),
                            lifted->rule)};
    }
    check_rows(writer.totals_before(), watch_->rows());
    for (const runs::Look& look : watch_->open(earlier, seeds)) writer.look(look);
    look(writer);
    if (!watch_->stopped()) return {};
    return {fmt::format("this run is stopped after {} seeds by --stop-when {}: nothing more is asked; give another rule, or none, to go on",
                        watch_->stopped()->seeds.size(), rule_->text)};
}

bool EarlyStop::look(runs::RunWriter& writer) {
    if (!watch_) return false;
    for (const runs::Look& look : watch_->due()) writer.look(look);
    return watch_->stopped().has_value();
}

bool EarlyStop::wants(const runs::AttemptKey& key) const {
    if (!watch_ || !watch_->stopped()) return true;
    const std::vector<int>& seeds = watch_->stopped()->seeds;
    return std::binary_search(seeds.begin(), seeds.end(), key.seed);
}

std::optional<ExitCode> EarlyStop::code() const {
    if (!rule_ || !rule_->margin) return std::nullopt;
    if (!watch_ || !watch_->last()) return exit_undecided;
    const std::string& verdict = watch_->last()->verdict;
    if (verdict == statistics::to_string(statistics::GateVerdict::pass)) return exit_clean;
    return verdict == statistics::to_string(statistics::GateVerdict::fail) ? exit_no : exit_undecided;
}

}  // namespace assay::runners
