// assay rescore: saved replies judged again, by one extractor or several, without a call.
#include <fmt/format.h>

#include <algorithm>

#include "datasets/questions/protocol.hpp"
#include "harness/error.hpp"
#include "reports/rescore/rescore_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/drivers/judged_run.hpp"
#include "runners/terminal.hpp"

namespace assay::runners {
namespace {

std::vector<std::string> words_of(const std::vector<std::string>& lists) {
    std::vector<std::string> words;
    for (const std::string& list : lists) {
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            words.push_back(list.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return words;
}

// What is set beside the protocol's own extractor where nothing was asked for: these, so far as they read what its prompt asks for.
constexpr std::string_view usual_company[] = {"nemo-v4", "aa-cascade", "simple-evals", "assay"};

bool keeps_company(const multichoice::Extractor& extractor, const questions::Protocol& protocol) {
    const bool usual = std::find(std::begin(usual_company), std::end(usual_company), extractor.name) != std::end(usual_company);
    return usual && extractor.reads.fits(protocol.prompt.form);
}

Extractors chosen(const std::vector<std::string>& lists, const std::string& run, const std::string& protocol) {
    Extractors out;
    const auto add = [&](const multichoice::Extractor& extractor) {
        if (std::find(out.begin(), out.end(), &extractor) == out.end()) out.push_back(&extractor);
    };
    std::vector<std::string> names = words_of(lists);
    if (names.empty()) {
        add(usual_extractor(run, protocol));
        const questions::Protocol asked_under = questions::protocol_named(protocol.empty() ? usual_protocol(run) : protocol);
        for (const multichoice::Extractor& extractor : multichoice::extractors()) {
            if (keeps_company(extractor, asked_under)) add(extractor);
        }
    }
    for (const std::string& name : names) {
        if (name != "all") add(multichoice::extractor_named(name));
        else for (const multichoice::Extractor& extractor : multichoice::extractors()) add(extractor);
    }
    return out;
}

// Where attempts have no reply to judge, the scores are not the whole run's.
ExitCode code_of(const statistics::SeedTable& table) {
    const bool all = std::all_of(table.cells.begin(), table.cells.end(), [](const statistics::Cell& cell) { return cell.scored(); });
    return all && !table.cells.empty() ? exit_clean : exit_undecided;
}

class RescoreCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "rescore"; }
    [[nodiscard]] std::string summary() const override { return "judge saved answers again, by other extractors, without a call"; }
    [[nodiscard]] std::string example() const override {
        return "assay rescore runs/kimi --extractor nemo-v3,aa-cascade,simple-evals\n"
               "  assay rescore results/ --format jsonl > letters.jsonl";
    }

    void declare(Flags& flags) override {
        flags.option("RUN", run_, "folder of a run, or of NeMo-Skills results");
        flags.option("--extractor", extractors_, "names with commas between, or 'all'; the others are compared with the first "
                                                 "(default: the protocol's own, and those of nemo-v4, aa-cascade, simple-evals, assay that fit its prompt)");
        flags.option("--protocol", protocol_, "the protocol that NeMo-Skills results were asked under, where it is not nemo: their files do not say");
        flags.flag("--grade-reasoning", grading_.reasoning, "read the end of the reasoning of replies whose answer is empty");
        flags.option("--format", format_, "text, json, or jsonl: a line for each attempt and extractor", {"text", "json", "jsonl"});
    }

    int run() override {
        if (run_.empty()) throw Error("expected the folder of a run: assay rescore RUN");
        const std::string protocol = protocol_ ? questions::protocol_named(*protocol_).name : std::string();
        const RejudgedRun judged = rejudge_run(run_, chosen(extractors_, run_, protocol), grading_, protocol);
        const reports::RescoreReport report = report_of(judged);
        if (format_ == "json") print(stdout, reports::rescore_json(report));
        else if (format_ == "jsonl") print(stdout, reports::rescore_lines(report));
        else print(stdout, reports::rescore_text(report, look_of(stdout)));
        return code_of(judged.tables.front());
    }

private:
    [[nodiscard]] reports::RescoreReport report_of(const RejudgedRun& judged) const {
        reports::RescoreReport report{judged.header, {}, judged.tables, {}, {}, grading_.reasoning};
        for (const multichoice::Extractor* extractor : judged.extractors) report.extractors.emplace_back(extractor->name);
        for (const questions::Question& question : judged.set.questions) {
            report.correct_letters.push_back(questions::correct_letter(question));
            report.record_ids.push_back(question.record_id);
        }
        return report;
    }

    std::string run_;
    std::vector<std::string> extractors_;
    std::optional<std::string> protocol_;
    Grading grading_;
    std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Command> rescore_command() {
    return std::make_unique<RescoreCommand>();
}

}  // namespace assay::runners
