#include "runners/drivers/judged_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/questions/kept_set.hpp"
#include "datasets/questions/protocol.hpp"
#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_reader.hpp"
#include "harness/error.hpp"
#include "runners/drivers/checkpoint_notes.hpp"
#include "runners/drivers/judge_crew.hpp"
#include "runners/drivers/judged_tables.hpp"
#include "runners/drivers/misfit.hpp"
#include "runners/drivers/nemo_results.hpp"
#include "runners/drivers/run_notes.hpp"
#include "runners/drivers/stopping_of.hpp"
#include "scorers/statistics/disagreements.hpp"

namespace assay::runners {
namespace {

reports::Effort effort_of(const runs::RunContents& contents) {
    const runs::Totals& totals = contents.totals;
    reports::Effort effort;
    effort.tries = totals.tries + totals.interrupted;
    effort.retries = effort.tries - contents.attempts_tried;
    effort.attempts_retried = contents.attempts_retried;
    for (int i = 0; i < chat::outcome_count; ++i) {
        const auto outcome = static_cast<chat::Outcome>(i);
        const std::int64_t count = totals.by_outcome[static_cast<std::size_t>(i)];
        if (!chat::is_scored(outcome) && count > 0) effort.failed_tries.emplace_back(chat::to_string(outcome), count);
    }
    if (totals.interrupted > 0) effort.failed_tries.emplace_back("interrupted", totals.interrupted);
    effort.work = totals.work;
    effort.processes = static_cast<int>(totals.sessions.size());
    effort.first_unix_s = totals.first_unix_s;
    effort.last_unix_s = totals.last_unix_s;
    return effort;
}

std::string endpoint_text(const runs::RunInfo& info) {
    return fmt::format("{}", fmt::join(info.endpoints, ", "));
}

void check_same_questions(const runs::Plan& plan, const questions::QuestionSet& set, const std::string& path) {
    if (set.file_sha256 == plan.dataset_sha256 && set.prompts_sha256 == plan.prompts_sha256) return;
    throw Error(fmt::format("{} holds other questions than the run's plan names: it was exchanged, and the run cannot be judged with it", path));
}

const char* const grading_note = "replies that ended with reasoning and no answer were graded by the last 4,096 bytes of the reasoning "
                                 "(--grade-reasoning); without that they count as no answer";

constexpr std::string_view own_name = "assay";

const multichoice::Extractor* own_extractor() {
    for (const multichoice::Extractor& extractor : multichoice::extractors()) {
        if (extractor.name == own_name) return &extractor;
    }
    return nullptr;
}

RejudgedRun rejudge_journal(const std::string& path, const Extractors& extractors, const Grading& grading, const std::string& protocol) {
    const runs::RunDocument document = runs::read_run_document(path);
    if (!protocol.empty() && protocol != document.plan.protocol) {
        throw Error(fmt::format("{} was asked under protocol {}, not {}: leave --protocol out; --extractor reads its replies as another harness does", path,
                                document.plan.protocol, protocol));
    }
    RejudgedRun out;
    out.extractors = extractors;
    out.set = questions::read_kept_set(kept_questions_path(path));
    check_same_questions(document.plan, out.set, kept_questions_path(path));

    JudgeCrew crew(extractors, grading, judging_threads());
    const auto& asked = out.set.questions;  // numbers of a whole file are its rows
    runs::RunReader reader(path, [&](const runs::Attempt& attempt) {
        if (attempt.key.question < 0 || attempt.key.question >= static_cast<int>(asked.size())) return;
        crew.add(attempt, asked[static_cast<std::size_t>(attempt.key.question)]);
    });
    std::vector<JudgedAttempt> attempts = crew.finish();
    const runs::RunContents& contents = reader.contents();
    if (contents.rows > 0) questions::keep_first(out.set, contents.rows);
    out.tables = tables_of(out.set, contents.seeds, std::move(attempts), extractors.size());
    for (const auto& [key, outcome] : reader.unscored()) {
        for (statistics::SeedTable& table : out.tables) {
            if (statistics::Cell* cell = cell_at(table, key)) *cell = unscored_cell(outcome);
        }
    }
    reports::RunHeader& header = out.header;
    header.tool_version = contents.info.tool_version;
    header.run = path;
    header.source = "journal";
    header.plan = contents.plan;
    header.plan_hash = contents.plan_hash;
    header.extractor = extractors.front()->name;
    header.endpoint = endpoint_text(contents.info);
    header.effort = effort_of(contents);
    header.stopping = stopping_of(contents);
    header.checkpoint = checkpoint_of(contents);
    header.server = contents.info.server;
    header.loaded = runs::paths_served(header.server, header.plan.model);
    header.notes = contents.notes;
    for (auto& note : checkpoint_notes(contents)) header.notes.push_back(std::move(note));
    for (auto& note : run_notes(contents)) header.notes.push_back(std::move(note));
    return out;
}

void note_misfits(RejudgedRun& run) {
    if (run.header.plan.protocol.empty()) return;
    const questions::Protocol protocol = questions::protocol_named(run.header.plan.protocol);
    for (const multichoice::Extractor* extractor : run.extractors) {
        if (auto note = misfit_note(protocol, *extractor)) run.header.notes.push_back(std::move(*note));
    }
}

void note_disagreements(RejudgedRun& run) {
    const std::size_t count = statistics::disagreements(run.tables).size();
    if (count == 0) return;
    std::int64_t right = 0;
    for (const statistics::Cell& cell : run.tables[0].cells) right -= cell.correct ? 1 : 0;
    for (const statistics::Cell& cell : run.tables[1].cells) right += cell.correct ? 1 : 0;
    run.header.notes.push_back(fmt::format("{} and {} read {} {} differently ({:+} right by {}): assay rescore {} --extractor {},{} lists them",
                                           run.header.extractor, own_name, count, count == 1 ? "reply" : "replies", right, own_name, run.header.run,
                                           run.extractors[0]->name, own_name));
}

}  // namespace

std::string kept_questions_path(const std::string& run) {
    return run + "/questions.jsonl";
}

std::string usual_protocol(const std::string& path) {
    if (runs::kind_of_folder(path) == runs::FolderKind::nemo_results) return "nemo";
    return runs::read_run_document(path).plan.protocol;
}

const multichoice::Extractor& usual_extractor(const std::string& path, const std::string& protocol) {
    return multichoice::extractor_named(questions::protocol_named(protocol.empty() ? usual_protocol(path) : protocol).extractor);
}

RejudgedRun rejudge_run(const std::string& path, const Extractors& extractors, const Grading& grading, const std::string& protocol) {
    RejudgedRun judged;
    if (runs::kind_of_folder(path) == runs::FolderKind::nemo_results) {
        judged = rejudge_nemo_results(path, extractors, grading, Verdicts::read_again);
        judged.header.plan.protocol = protocol;
    } else {
        judged = rejudge_journal(path, extractors, grading, protocol);
    }
    note_misfits(judged);
    if (grading.reasoning) judged.header.notes.push_back(grading_note);
    return judged;
}

JudgedRun judge_run(const std::string& path, const std::optional<std::string>& extractor, const Grading& grading) {
    const multichoice::Extractor& judge = extractor ? multichoice::extractor_named(*extractor) : usual_extractor(path);
    Extractors readers{&judge};
    const multichoice::Extractor* second = extractor || judge.name == own_name ? nullptr : own_extractor();
    if (second != nullptr) readers.push_back(second);

    RejudgedRun read;
    if (runs::kind_of_folder(path) == runs::FolderKind::nemo_results && !extractor && !grading.reasoning) {
        read = rejudge_nemo_results(path, readers, grading, Verdicts::recorded);
    } else {
        read = rejudge_run(path, readers, grading);
    }
    JudgedRun judged;
    if (second != nullptr) note_disagreements(read);
    judged.header = std::move(read.header);
    judged.set = std::move(read.set);
    judged.table = std::move(read.tables.front());
    judged.summary = statistics::summarize(judged.table, {judged.header.plan.sampling.greedy_seed, judged.header.plan.budget});
    if (judged.header.stopping && judged.summary.seed_sd) add_coverage(*judged.header.stopping, *judged.summary.seed_sd);
    return judged;
}

}  // namespace assay::runners
