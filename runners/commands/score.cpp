// assay score: drive an endpoint over a question set, judge the replies, report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "datasets/questions/kept_set.hpp"
#include "datasets/runs/run_writer.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/http/descriptor_limit.hpp"
#include "harness/simulated/in_process_endpoint.hpp"
#include "reports/score/score_report.hpp"
#include "reports/terminal/visible.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/score_options.hpp"
#include "runners/drivers/asking.hpp"
#include "runners/drivers/derived_files.hpp"
#include "runners/drivers/discovery.hpp"
#include "runners/drivers/dispatch_order.hpp"
#include "runners/drivers/drive.hpp"
#include "runners/drivers/dry_run.hpp"
#include "runners/drivers/judged_run.hpp"
#include "runners/drivers/judging.hpp"
#include "runners/drivers/score_so_far.hpp"
#include "runners/drivers/verdict_code.hpp"
#include "runners/simulated/keyed_prompts.hpp"
#include "runners/simulated/parameters.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"

namespace assay::runners {
namespace {

constexpr std::string_view simulated_scheme = "simulated:";

chat::Limits limits_of(const ScoreOptions& options) {
    const auto ms = [](double seconds) { return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)); };
    chat::Limits limits;
    limits.connect = ms(options.connect_timeout_s);
    limits.first_byte = ms(options.first_byte_timeout_s);
    limits.silence = ms(options.idle_timeout_s);
    return limits;
}

void check_descriptors(std::int64_t concurrency) {
    const std::int64_t fits = http::transfers_that_fit(http::raise_descriptor_limit());
    if (concurrency > fits) {
        throw Error(fmt::format("--concurrency {} needs more open files than this process may have (room for {}): raise `ulimit -n` or lower it",
                                concurrency, fits));
    }
}

runs::Plan plan_of(const ScoreOptions& options, const questions::QuestionSet& set, const std::string& model, const std::string& simulated) {
    runs::Plan plan;
    plan.dataset_name = set.name;
    plan.dataset_rows = set.rows;
    plan.dataset_sha256 = set.file_sha256;
    plan.protocol = set.protocol;
    plan.prompts_sha256 = set.prompts_sha256;
    plan.model = model;
    plan.sampling.temperature = options.temperature;
    plan.sampling.top_p = options.top_p;
    if (options.greedy_seed) plan.sampling.greedy_seed = static_cast<int>(*options.greedy_seed);
    plan.sampling.reasoning_effort = options.reasoning_effort;
    plan.sampling.extra_body = canonical_object(options.extra_body, "--extra-body");
    plan.budget = options.max_tokens;
    plan.budget_field = options.budget_field;
    plan.simulated = simulated;
    return plan;
}

class ScoreCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "score"; }
    [[nodiscard]] std::string summary() const override { return "drive an endpoint over a question set, judge, report"; }
    [[nodiscard]] std::string example() const override {
        return "assay score --base-url http://localhost:30000/v1 --dataset gpqa_diamond.csv --seeds 16 --greedy-seed 0 \\\n"
               "    --temperature 0.6 --top-p 0.95 --max-tokens 65536 --out runs/kimi\n"
               "  assay score --base-url simulated: --dataset sample --seeds 4 --out runs/first";
    }
    void declare(Flags& flags) override { runners::declare(options_, flags); }
    int run() override;

private:
    void load();
    void prepare_endpoint();
    void start_simulated(const std::string& parameters);
    [[nodiscard]] std::vector<runs::AttemptKey> order() const;
    [[nodiscard]] runs::RunInfo run_info() const;
    DriveEnd ask(loop::BlockedSignals& signals);
    int conclude(const DriveEnd& end);
    void note(const std::string& line) const { print(stderr, "assay: " + reports::visible(line) + "\n"); }

    ScoreOptions options_;
    const questions::Protocol* protocol_ = nullptr;
    const multichoice::Extractor* extractor_ = nullptr;
    questions::QuestionSet whole_set_;
    questions::QuestionSet set_;  // whole_set_ up to --limit
    std::unique_ptr<simulated::InProcessEndpoint> simulated_;
    chat::Endpoint endpoint_;
    std::vector<std::pair<std::string, std::string>> facts_;
    runs::Plan plan_;
    std::vector<std::string> said_;  // where values came from, beside the plan
};

void ScoreCommand::load() {
    complete_and_check(options_);
    said_ = options_.from_environment;
    protocol_ = &questions::protocol_named(options_.protocol);
    extractor_ = &multichoice::extractor_named(options_.extractor ? std::string_view(*options_.extractor) : protocol_->extractor);
    whole_set_ = questions::load_questions(options_.dataset, *protocol_, {options_.allow_ambiguous});
    set_ = whole_set_;
    if (options_.limit) questions::keep_first(set_, *options_.limit);
}

void ScoreCommand::start_simulated(const std::string& parameters) {
    const SimulatedParameters simulated = parse_simulated(parameters);
    check_simulated(simulated);
    const std::string model = options_.model.value_or("simulated");
    plan_ = plan_of(options_, whole_set_, model, simulated_answers_text(simulated));
    if (options_.dry_run) {
        endpoint_.base_url = std::string(simulated_scheme) + parameters;
        return;
    }
    simulated_ = std::make_unique<simulated::InProcessEndpoint>(
        simulated::ListenAddress{}, service_settings(simulated, model),
        std::make_unique<KeyedResponder>(keyed_prompts(whole_set_, *protocol_), simulated));
    endpoint_.base_url = simulated_->base_url();
}

void ScoreCommand::prepare_endpoint() {
    const std::string& url = options_.base_urls.front();
    if (url.rfind(simulated_scheme, 0) == 0) return start_simulated(url.substr(simulated_scheme.size()));
    endpoint_.base_url = chat::checked_base_url(url);
    endpoint_.api_key = api_key(options_, said_);
    endpoint_.headers = options_.headers;
    if (options_.dry_run) {
        if (!options_.model) throw Error("a dry run sends nothing, so the server cannot be asked for its model: give --model");
        plan_ = plan_of(options_, whole_set_, *options_.model, {});
        return;
    }
    const Discovery discovery = discover(endpoint_, limits_of(options_));
    const std::string model = chosen_model(options_.model, discovery);
    facts_ = server_facts(discovery, model);
    plan_ = plan_of(options_, whole_set_, model, {});
}

std::vector<runs::AttemptKey> ScoreCommand::order() const {
    std::vector<int> numbers;
    for (const auto& question : set_.questions) numbers.push_back(question.number);
    return dispatch_order(seed_numbers(options_), numbers);
}

runs::RunInfo ScoreCommand::run_info() const {
    const chat::Limits limits = limits_of(options_);
    runs::RunInfo info;
    info.tool_version = version;
    info.endpoints = {simulated_ ? options_.base_urls.front() : endpoint_.base_url};
    info.server = facts_;
    info.first_seed = static_cast<int>(options_.first_seed);
    info.seeds = static_cast<int>(options_.seeds);
    info.rows = static_cast<int>(set_.questions.size());
    info.concurrency = static_cast<int>(options_.concurrency);
    info.max_retries = static_cast<int>(options_.max_retries);
    info.connect_ms = limits.connect.count();
    info.first_byte_ms = limits.first_byte.count();
    info.silence_ms = limits.silence.count();
    return info;
}

DriveEnd ScoreCommand::ask(loop::BlockedSignals& signals) {
    const std::vector<runs::AttemptKey> keys = order();
    Progress progress;
    progress.attempts = static_cast<std::int64_t>(keys.size());
    ScoreSoFar so_far(keys, progress);
    StopRequest stop;

    const auto judge = [&](const runs::Attempt& attempt) {
        if (!chat::is_scored(attempt.reply.outcome) || attempt.key.question >= static_cast<int>(set_.questions.size())) return;
        const auto cell = judged_cell(attempt, set_.questions[static_cast<std::size_t>(attempt.key.question)], *extractor_);
        so_far.judged(attempt.key, cell.correct);
    };
    runs::RunWriter writer(options_.out, plan_, run_info(),
                           {judge, judge, [&](const journal::Failure& failure) { stop.raise(failure.message); }});
    for (const auto& line : writer.notes()) note(line);
    files::replace_file(kept_questions_path(options_.out), questions::kept_set(whole_set_));

    Drive job;
    job.endpoint = endpoint_;
    job.limits = limits_of(options_);
    job.settings.concurrency = options_.concurrency;
    job.settings.retry.tries = static_cast<int>(options_.max_retries) + 1;
    for (const auto& key : keys) {
        const auto standing = writer.standings().find(key);
        if (standing == writer.standings().end()) job.work.push_back({key, 0});
        else if (!standing->second.final) job.work.push_back({key, standing->second.tries});
    }
    progress.done_before = progress.attempts - static_cast<std::int64_t>(job.work.size());
    progress.done = progress.done_before.load();
    const Asking asking(whole_set_, *protocol_, plan_);
    job.body = [&](const runs::AttemptKey& key) { return asking.body(key); };
    job.given_up = [](const runs::AttemptKey&) {};

    const bool terminal = is_terminal(stderr);
    reports::ProgressLine line(progress, stderr, terminal, [] { return look_of(stderr).width; });
    const bool nothing_to_do = job.work.empty();
    const DriveEnd end = drive(std::move(job), writer, progress, signals, stop, options_.quiet || nothing_to_do ? nullptr : &line);
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
    return code_of_score(judged.summary, options_.fail_under);
}

int ScoreCommand::run() {
    load();
    check_descriptors(options_.concurrency);
    loop::BlockedSignals signals;  // before the first thread starts
    prepare_endpoint();
    if (options_.dry_run) {
        const Asking asking(whole_set_, *protocol_, plan_);
        print(stdout, dry_run_text({plan_, endpoint_.base_url, seed_numbers(options_), static_cast<int>(set_.questions.size()), said_,
                                    asking.body(order().front())}));
        return exit_clean;
    }
    if (!options_.quiet) {
        for (const auto& line : whole_set_.notes) note(line);
        for (const auto& line : said_) note(line);
    }
    return conclude(ask(signals));
}

}  // namespace

std::unique_ptr<Command> score_command() {
    return std::make_unique<ScoreCommand>();
}

}  // namespace assay::runners
