// assay report: a run read again and printed.
#include <fmt/format.h>

#include "harness/error.hpp"
#include "reports/score/score_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/drivers/judged_run.hpp"
#include "runners/drivers/verdict_code.hpp"
#include "runners/terminal.hpp"

namespace assay::runners {
namespace {

class ReportCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "report"; }
    [[nodiscard]] std::string summary() const override { return "print or export a run"; }
    [[nodiscard]] std::string example() const override { return "assay report RUN --format json"; }

    void declare(Flags& flags) override {
        flags.option("RUN", run_, "folder of a run, or of NeMo-Skills results");
        flags.option("--format", format_, "how", {"text", "json"});
        flags.option("--extractor", extractor_, "read letters with another extractor than the protocol's");
        flags.option("--fail-under", fail_under_, "end 1 where pass@1 is below this many percent");
        flags.flag("--subdomains", detail_.subdomains, "a line for each subdomain too");
        flags.flag("--questions", detail_.questions, "numbers of the questions never solved and unstable too");
    }

    int run() override {
        if (run_.empty()) throw Error("expected the folder of a run: assay report RUN");
        const JudgedRun judged = judge_run(run_, extractor_);
        print(stdout, format_ == "json" ? reports::score_json(judged.header, judged.summary)
                                        : reports::score_text(judged.header, judged.summary, look_of(stdout), detail_));
        return code_of_score(judged.summary, fail_under_);
    }

private:
    std::string run_;
    std::string format_ = "text";
    std::optional<std::string> extractor_;
    std::optional<double> fail_under_;
    reports::Detail detail_;
};

}  // namespace

std::unique_ptr<Command> report_command() {
    return std::make_unique<ReportCommand>();
}

}  // namespace assay::runners
