// assay report: a run read again and printed.
#include <fmt/format.h>

#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "reports/csv/attempts_csv.hpp"
#include "reports/html/score_html.hpp"
#include "reports/junit/score_junit.hpp"
#include "reports/markdown/score_markdown.hpp"
#include "reports/nemo/nemo_metrics.hpp"
#include "reports/score/budget_report.hpp"
#include "reports/score/score_report.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/drivers/judged_run.hpp"
#include "runners/drivers/nemo_results.hpp"
#include "runners/drivers/verdict_code.hpp"
#include "runners/terminal.hpp"

namespace assay::runners {
namespace {

class ReportCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "report"; }
    [[nodiscard]] std::string summary() const override { return "print or export a run"; }
    [[nodiscard]] std::string example() const override { return "assay report runs/kimi --format html --write report.html\n"
               "  assay report runs/kimi --budget-advice --truncated-at-most 0.5"; }

    void declare(Flags& flags) override {
        flags.option("RUN", run_, "folder of a run, or of NeMo-Skills results");
        flags.option("--format", format_, "text, json, markdown, html, csv: a line an attempt, junit: --fail-under as a test case, or nemo: the table that NeMo-Skills prints",
                     {"text", "json", "markdown", "html", "csv", "junit", "nemo"});
        flags.option("--write", write_, "write the report to this file instead of printing it");
        flags.option("--extractor", extractor_, "read letters with another extractor than the protocol's");
        flags.flag("--grade-reasoning", grading_.reasoning, "read the end of the reasoning of replies whose answer is empty");
        flags.option("--fail-under", fail_under_, "end 1 where pass@1 is below this many percent");
        flags.flag("--budget-advice", budget_advice_, "what smaller budgets would have cut, instead of the report (text or json)");
        flags.option("--truncated-at-most", truncated_at_most_, "with --budget-advice: the share of cut replies wished for, in percent (default: 1)");
        flags.flag("--subdomains", detail_.subdomains, "a line for each subdomain too");
        flags.flag("--questions", detail_.questions, "numbers of the questions never solved and unstable too");
    }

    int run() override {
        if (run_.empty()) throw Error("expected the folder of a run: assay report RUN");
        check();
        const JudgedRun judged = judge_run(run_, extractor_, grading_);
        const std::string text = rendered(judged);
        if (write_) files::replace_file(*write_, text);
        else print(stdout, text);
        return code_of_score(judged.summary, fail_under_);
    }

private:
    void check() const {
        if (truncated_at_most_ && !budget_advice_) throw Error("--truncated-at-most belongs to --budget-advice: give both");
        if (!(wished() > 0 && wished() < 100)) throw Error(fmt::format("--truncated-at-most must lie above 0 and below 100 percent, and is {}", wished()));
        if (format_ == "nemo" && (extractor_ || grading_.reasoning)) {
            throw Error("--format nemo prints the verdicts on record: leave out --extractor and --grade-reasoning, or give another --format");
        }
        const bool lengthened = !budget_advice_ && (format_ == "text" || format_ == "markdown");
        refuse_passed_over("only the report as text or markdown is made longer by more lines",
                           {{!lengthened && detail_.subdomains, "--subdomains"}, {!lengthened && detail_.questions, "--questions"}});
        if (budget_advice_ && format_ != "text" && format_ != "json") throw Error("--budget-advice is printed as text or json: give another --format");
    }

    [[nodiscard]] double wished() const { return truncated_at_most_.value_or(1); }

    [[nodiscard]] std::string advice(const JudgedRun& judged) const {
        const auto advice = statistics::budget_advice(judged.table, wished() / 100);
        if (format_ == "json") return reports::budget_json(judged.header, advice);
        return reports::budget_text(judged.header, advice, write_ ? reports::Look{} : look_of(stdout));
    }

    [[nodiscard]] std::string rendered(const JudgedRun& judged) const {
        if (budget_advice_) return advice(judged);
        if (format_ == "json") return reports::score_json(judged.header, judged.summary);
        if (format_ == "markdown") return reports::score_markdown(judged.header, judged.summary, detail_);
        if (format_ == "html") return reports::score_html(judged.header, judged.summary, judged.table, record_ids(judged.set));
        if (format_ == "csv") return reports::attempts_csv(judged.header, judged.table, asked(judged.set));
        if (format_ == "junit") return reports::score_junit(judged.header, judged.summary, limit(judged));
        if (format_ == "nemo") return nemo_table(judged);
        return reports::score_text(judged.header, judged.summary, write_ ? reports::Look{} : look_of(stdout), detail_);
    }

    [[nodiscard]] static std::vector<std::string> record_ids(const questions::QuestionSet& set) {
        std::vector<std::string> ids;
        for (const auto& question : set.questions) ids.push_back(question.record_id);
        return ids;
    }

    [[nodiscard]] std::optional<reports::ScoreLimit> limit(const JudgedRun& judged) const {
        if (!fail_under_) return std::nullopt;
        switch (limit_end(judged.summary, *fail_under_)) {
            case LimitEnd::reached: return reports::ScoreLimit{*fail_under_, reports::CaseEnd::passed};
            case LimitEnd::missed: return reports::ScoreLimit{*fail_under_, reports::CaseEnd::failed};
            case LimitEnd::open: break;
        }
        return reports::ScoreLimit{*fail_under_, reports::CaseEnd::undecided};
    }

    [[nodiscard]] static std::vector<reports::AskedQuestion> asked(const questions::QuestionSet& set) {
        std::vector<reports::AskedQuestion> asked;
        for (const auto& question : set.questions) asked.push_back({question.record_id, questions::correct_letter(question)});
        return asked;
    }

    // From the results files, which a run has once it was reported.
    [[nodiscard]] std::string nemo_table(const JudgedRun& judged) const {
        const std::int64_t without = judged.summary.total.unscored + judged.summary.total.missing;
        if (without > 0) print(stderr, fmt::format("assay: no answers and wrong in NeMo-Skills' table: {} without a score\n", reports::counted(without, "attempt")));
        if (judged.header.source == nemo_source && judged.header.extractor != on_record) {
            print(stderr, "assay: rows that their harness did not judge are no answers in NeMo-Skills' table; without --format nemo they are read and scored\n");
        }
        return reports::visible_lines(reports::nemo_metrics_table(
            reports::nemo_aggregate(nemo_benchmark(judged.header.plan.dataset_name), read_nemo_runs(run_))));
    }

    std::string run_;
    std::optional<std::string> write_;
    std::string format_ = "text";
    std::optional<std::string> extractor_;
    Grading grading_;
    std::optional<double> fail_under_;
    bool budget_advice_ = false;
    std::optional<double> truncated_at_most_;
    reports::Detail detail_;
};

}  // namespace

std::unique_ptr<Command> report_command() {
    return std::make_unique<ReportCommand>();
}

}  // namespace assay::runners
