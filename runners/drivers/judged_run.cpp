#include "runners/drivers/judged_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/questions/kept_set.hpp"
#include "datasets/questions/protocol.hpp"
#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_reader.hpp"
#include "harness/error.hpp"
#include "runners/drivers/judging.hpp"
#include "runners/drivers/nemo_results.hpp"
#include "runners/drivers/run_notes.hpp"

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

}  // namespace

std::string kept_questions_path(const std::string& run) {
    return run + "/questions.jsonl";
}

JudgedRun judge_run(const std::string& path, const std::optional<std::string>& extractor) {
    if (runs::kind_of_folder(path) == runs::FolderKind::nemo_results) return judge_nemo_results(path, extractor);
    runs::RunReader reader(path);
    const runs::RunContents& contents = reader.contents();
    JudgedRun judged;
    judged.set = questions::read_kept_set(kept_questions_path(path));
    check_same_questions(contents.plan, judged.set, kept_questions_path(path));
    if (contents.rows > 0) questions::keep_first(judged.set, contents.rows);

    const auto& protocol = questions::protocol_named(contents.plan.protocol);
    const auto& judge = multichoice::extractor_named(extractor ? std::string_view(*extractor) : protocol.extractor);
    judged.table = judged_table(reader, judged.set, contents.seeds, judge);
    judged.summary = statistics::summarize(judged.table);

    reports::RunHeader& header = judged.header;
    header.tool_version = contents.info.tool_version;
    header.run = path;
    header.source = "journal";
    header.plan = contents.plan;
    header.plan_hash = contents.plan_hash;
    header.extractor = judge.name;
    header.endpoint = endpoint_text(contents.info);
    header.effort = effort_of(contents);
    header.notes = contents.notes;
    for (auto& note : run_notes(contents)) header.notes.push_back(std::move(note));
    return judged;
}

}  // namespace assay::runners
