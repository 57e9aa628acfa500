// assay score: drive an endpoint over a question set, judge the replies, report.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "datasets/questions/kept_set.hpp"
#include "datasets/runs/run_writer.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/simulated/in_process_endpoint.hpp"
#include "reports/score/score_report.hpp"
#include "reports/terminal/visible.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/early_stop.hpp"
#include "runners/commands/pacing_options.hpp"
#include "runners/commands/request_plan.hpp"
#include "runners/commands/score_options.hpp"
#include "runners/commands/transport_options.hpp"
#include "runners/drivers/asking.hpp"
#include "runners/drivers/derived_files.hpp"
#include "runners/drivers/discovery.hpp"
#include "runners/drivers/drive.hpp"
#include "runners/drivers/dry_run.hpp"
#include "runners/drivers/judged_run.hpp"
#include "runners/drivers/judging.hpp"
#include "runners/drivers/misfit.hpp"
#include "runners/drivers/preflight.hpp"
#include "runners/drivers/score_so_far.hpp"
#include "runners/drivers/server_pages.hpp"
#include "runners/drivers/verdict_code.hpp"
#include "runners/simulated/embedded_endpoint.hpp"
#include "runners/simulated/parameters.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"
#include "scorers/preflight/check.hpp"

namespace assay::runners {
namespace {

constexpr std::chrono::seconds preflight_limit{60};  // of the one completion that is asked before the run

class ScoreCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "score"; }
    [[nodiscard]] std::string summary() const override { return "drive an endpoint over a question set, judge, report"; }
    [[nodiscard]] std::string example() const override {
        return "assay score --base-url http://localhost:30000/v1 --dataset gpqa_diamond.csv \\\n"
               "    --seeds 16 --greedy-seed 0 --temperature 0.6 --top-p 0.95 \\\n"
               "    --max-tokens 65536 --out runs/kimi\n"
               "  assay score --base-url simulated: --dataset sample --seeds 4 --out runs/first";
    }
    void declare(Flags& flags) override { runners::declare(options_, flags); }
    int run() override;

private:
    void load();
    void prepare_endpoint();
    void start_simulated();
    void note_transport();
    void find_servers();
    void check_endpoint(const chat::Endpoint& endpoint) const;
    [[nodiscard]] std::vector<Server> servers() const;
    [[nodiscard]] std::vector<runs::AttemptKey> order() const;
    [[nodiscard]] runs::RunInfo run_info() const;
    DriveEnd ask(loop::BlockedSignals& signals);
    int conclude(const DriveEnd& end);
    void note(const std::string& line) const { print(stderr, "assay: " + reports::visible(line) + "\n"); }

    ScoreOptions options_;
    questions::Protocol protocol_;
    const multichoice::Extractor* extractor_ = nullptr;
    questions::QuestionSet whole_set_;
    questions::QuestionSet set_;  // whole_set_ up to --limit
    std::vector<std::unique_ptr<simulated::InProcessEndpoint>> simulated_;
    std::vector<chat::Endpoint> endpoints_;
    std::optional<runs::AuditedCheckpoint> checkpoint_;
    std::vector<std::pair<std::string, std::string>> facts_;
    std::vector<std::pair<std::string, std::string>> transport_;
    std::int64_t most_in_flight_ = 0;  // to one server, where the number is found
    runs::Plan plan_;
    std::optional<EarlyStop> early_;
    std::vector<std::string> said_;  // where values came from, beside the plan
};

void ScoreCommand::load() {
    complete_and_check(options_);
    early_.emplace(options_);
    said_ = options_.from_environment;
    protocol_ = chosen(options_.protocol);
    extractor_ = &multichoice::extractor_named(options_.extractor ? std::string_view(*options_.extractor) : protocol_.extractor);
    if (const auto misfit = misfit_note(protocol_, *extractor_)) said_.push_back(*misfit);
    whole_set_ = questions::load_questions(options_.dataset, protocol_, {options_.allow_ambiguous});
    set_ = whole_set_;
    if (options_.limit) questions::keep_first(set_, *options_.limit);
    if (options_.checkpoint) checkpoint_ = runs::read_checkpoint_report(*options_.checkpoint);
    if (checkpoint_) said_.push_back(fmt::format("weights with fingerprint {}, by {}", checkpoint_->fingerprint, checkpoint_->report));
}

void ScoreCommand::start_simulated() {
    const std::string model = options_.model.value_or("simulated");
    std::string answers;
    for (const auto& url : options_.base_urls) {
        const auto parameters = simulated_parameters_of(url);
        if (!parameters) throw Error(fmt::format("--base-url {} cannot stand beside a simulated one: answers of the two must not be mixed", url));
        const SimulatedParameters simulated = parse_simulated(*parameters);
        if (answers.empty()) answers = simulated_answers_text(simulated);
        if (answers != simulated_answers_text(simulated)) {
            throw Error(fmt::format("--base-url {} gives other answers than the one before it ({}): give both the same", url, answers));
        }
        if (!options_.dry_run) simulated_.push_back(embedded_endpoint(simulated, model, whole_set_, protocol_));
        endpoints_.emplace_back();
        endpoints_.back().base_url = options_.dry_run ? url : simulated_.back()->base_url();
        endpoints_.back().headers = options_.headers;
        set_transport(options_, endpoints_.back());
    }
    plan_ = plan_of(options_, whole_set_, model, answers);
    transport_ = transport_facts(options_, endpoints_.front());
}

// How the requests travel, where that must be said; the flags hold for all endpoints.
void ScoreCommand::note_transport() {
    for (const auto& endpoint : endpoints_) {
        for (auto& fact : transport_facts(options_, endpoint)) {
            if (std::find(transport_.begin(), transport_.end(), fact) == transport_.end()) transport_.push_back(std::move(fact));
        }
    }
    for (const auto& [name, value] : transport_) said_.push_back(fmt::format("{} {}", name, value));
}

void ScoreCommand::prepare_endpoint() {
    if (simulated_parameters_of(options_.base_urls.front())) return start_simulated();
    for (const auto& url : options_.base_urls) {
        if (simulated_parameters_of(url)) throw Error("--base-url simulated: cannot stand beside a real one: answers of the two must not be mixed");
        std::vector<std::string> said;
        endpoints_.push_back(endpoint_of(options_, url, said));
        if (endpoints_.size() == 1) said_.insert(said_.end(), said.begin(), said.end());
    }
    note_transport();
    if (options_.dry_run) {
        if (!options_.model) throw Error("a dry run sends nothing, so the server cannot be asked for its model: give --model");
        plan_ = plan_of(options_, whole_set_, *options_.model, {});
        return;
    }
    find_servers();
}

void ScoreCommand::find_servers() {
    std::string model;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) {
        const Discovery discovery = discover(endpoints_[i], limits_of(options_));
        if (i == 0) model = chosen_model(options_.model, discovery);
        auto facts = server_facts(discovery, model);
        if (checkpoint_) {
            for (auto& fact : ask_server_pages(endpoints_[i], limits_of(options_)).facts) facts.push_back(std::move(fact));
        }
        for (auto& [name, value] : facts) {
            facts_.emplace_back(endpoints_.size() == 1 ? name : fmt::format("{}. {}", i + 1, name), std::move(value));
        }
    }
    plan_ = plan_of(options_, whole_set_, model, {});
    if (options_.skip_preflight) return;
    for (const auto& endpoint : endpoints_) check_endpoint(endpoint);
}

// Ends where a run could not succeed, in a few seconds instead of after hours.
void ScoreCommand::check_endpoint(const chat::Endpoint& endpoint) const {
    const Asking asking(whole_set_, protocol_, plan_);
    const PreflightJob job{endpoint, limits_of(options_), preflight_limit, longest_of(asking.requests(static_cast<int>(options_.first_seed)))};
    for (const auto& check : preflight::judge_before_run(probe_before_run(job))) {
        const std::string where = endpoints_.size() == 1 ? "" : " of " + endpoint.base_url;
        const std::string found = fmt::format("preflight{}, {} {}: {}; {}", where, check.name, to_string(check.verdict), check.found, check.advice);
        if (check.verdict == preflight::Verdict::refuted) throw Error(found + "; --skip-preflight starts all the same");
        if (check.verdict == preflight::Verdict::could_not_tell && !options_.quiet) note(found);
    }
}

std::vector<runs::AttemptKey> ScoreCommand::order() const {
    std::vector<int> numbers;
    for (const auto& question : set_.questions) numbers.push_back(question.number);
    return early_->order(seed_numbers(options_), numbers);
}

runs::RunInfo ScoreCommand::run_info() const {
    const chat::Limits limits = limits_of(options_);
    runs::RunInfo info;
    info.tool_version = version;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) info.endpoints.push_back(simulated_.empty() ? endpoints_[i].base_url : options_.base_urls[i]);
    info.server = facts_;
    info.checkpoint = checkpoint_;
    info.transport = transport_;
    info.first_seed = static_cast<int>(options_.first_seed);
    info.seeds = static_cast<int>(options_.seeds);
    info.rows = static_cast<int>(set_.questions.size());
    note_pacing(options_, most_in_flight_, info);
    info.max_retries = static_cast<int>(options_.max_retries);
    info.connect_ms = limits.connect.count();
    info.first_byte_ms = limits.first_byte.count();
    info.silence_ms = limits.silence.count();
    return info;
}

std::vector<Server> ScoreCommand::servers() const {
    std::vector<Server> servers;
    for (const auto& endpoint : endpoints_) servers.push_back({endpoint, identity_before_run(endpoint, limits_of(options_), plan_.model)});
    return servers;
}

DriveEnd ScoreCommand::ask(loop::BlockedSignals& signals) {
    const std::vector<runs::AttemptKey> keys = order();
    Progress progress;
    progress.attempts = static_cast<std::int64_t>(keys.size());
    ScoreSoFar so_far(keys, progress);
    StopRequest stop;

    const auto judge = [&](const runs::Attempt& attempt) {
        if (!chat::is_scored(attempt.reply.outcome) || attempt.key.question >= static_cast<int>(set_.questions.size())) return;
        const statistics::Cell cell = judged_cell(attempt, set_.questions[static_cast<std::size_t>(attempt.key.question)], *extractor_);
        so_far.judged(attempt.key, cell.correct);
        early_->judged(attempt.key, cell);
    };
    runs::RunWriter writer(options_.out, plan_, run_info(),
                           {judge, judge, [&](const journal::Failure& failure) { stop.raise(failure.message); }});
    for (const auto& line : writer.notes()) note(line);
    for (const auto& line : early_->open(writer, seed_numbers(options_))) note(line);
    files::replace_file(kept_questions_path(options_.out), questions::kept_set(whole_set_));

    Drive job;
    job.servers = servers();
    job.lanes.limits = limits_of(options_);
    job.lanes.model = plan_.model;
    set_pacing(options_, most_in_flight_, job);
    job.settings.retry.tries = static_cast<int>(options_.max_retries) + 1;
    for (const auto& key : keys) {
        if (!early_->wants(key)) continue;
        const auto standing = writer.standings().find(key);
        if (standing == writer.standings().end()) job.work.push_back({key, 0});
        else if (!standing->second.final) job.work.push_back({key, standing->second.tries});
    }
    progress.done_before = progress.attempts - static_cast<std::int64_t>(job.work.size());
    progress.done = progress.done_before.load();
    const Asking asking(whole_set_, protocol_, plan_);
    job.body = [&](const runs::AttemptKey& key) { return asking.body(key); };
    job.enough = [&] { return early_->look(writer); };
    job.given_up = [&](const runs::AttemptKey& key) { so_far.given_up(key); };
    job.foreign_cpu_seconds = [this] {
        double seconds = 0;
        for (const auto& server : simulated_) seconds += server->cpu_seconds();
        return seconds;
    };

    const bool terminal = is_terminal(stderr);
    reports::ProgressLine line(progress, stderr, terminal, [] { return look_of(stderr).width; });
    const bool nothing_to_do = job.work.empty();
    const DriveEnd end = drive(std::move(job), writer, progress, signals, stop, options_.quiet || nothing_to_do ? nullptr : &line);
    early_->look(writer);  // the last replies were judged after the last look
    if (!writer.close()) {
        const auto why = stop.take();
        throw Error(why.value_or(end.stopped.value_or("the journal could not be written to its end")));
    }
    return end;
}

int ScoreCommand::conclude(const DriveEnd& end) {
    if (end.interrupted) {
        note(fmt::format("interrupted; every reply received is in {}: the same command continues there", options_.out));
        return exit_interrupted;
    }
    if (end.stopped) throw Error(*end.stopped);
    const JudgedRun judged = judge_run(options_.out, options_.extractor);
    write_derived_files(options_.out, judged);
    if (options_.format == "json") print(stdout, reports::score_json(judged.header, judged.summary));
    else if (!options_.quiet) print(stdout, reports::score_text(judged.header, judged.summary, look_of(stdout)));
    const int code = code_of_score(judged.summary, options_.fail_under);
    return code == exit_clean ? early_->code().value_or(exit_clean) : code;
}

int ScoreCommand::run() {
    load();
    most_in_flight_ = most_in_flight(options_);
    loop::BlockedSignals signals;  // before the first thread starts
    prepare_endpoint();
    if (options_.dry_run) {
        const Asking asking(whole_set_, protocol_, plan_);
        const DryRun dry{plan_, options_.base_urls, seed_numbers(options_), static_cast<int>(set_.questions.size()),
                         std::string(extractor_->name), pacing_text(options_), said_, asking.body(order().front())};
        print(stdout, options_.format == "json" ? dry_run_json(dry) : dry_run_text(dry));
        return exit_clean;
    }
    if (!options_.quiet) {
        for (const auto& line : whole_set_.notes) note(line);
        for (const auto& line : said_) note(line);
    }
    early_->prepare(options_, plan_, set_);
    return conclude(ask(signals));
}

}  // namespace

std::unique_ptr<Command> score_command() {
    return std::make_unique<ScoreCommand>();
}

}  // namespace assay::runners
