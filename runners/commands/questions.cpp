// assay questions: what a question set holds, whether it can be used, and what NeMo-Skills would make of it.
#include <cstdio>

#include "datasets/questions/prepared_file.hpp"
#include "datasets/questions/question_set.hpp"
#include "harness/error.hpp"
#include "reports/questions/questions_report.hpp"
#include "runners/commands/command.hpp"

namespace assay::runners {
namespace {

std::vector<std::string> protocol_names() {
    std::vector<std::string> names;
    for (const questions::Protocol& protocol : questions::protocols()) names.emplace_back(protocol.name);
    return names;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_prepared_file(const questions::QuestionSet& set) {
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
        print((set.prepared ? set.prepared_lines[i] : questions::prepared_row(set.questions[i])) + "\n");
    }
}

class QuestionsCommand : public Command {
public:
    [[nodiscard]] std::string name() const override { return "questions"; }
    [[nodiscard]] std::string summary() const override { return "list, check, hash or export a question set"; }
    [[nodiscard]] std::string example() const override {
        return "assay questions gpqa_diamond.csv\n"
               "  assay questions gpqa_diamond.csv --format nemo > diamond.jsonl";
    }

    void declare(Flags& flags) override {
        flags.option("SET", given_, "a question file (GPQA's CSV, or NeMo-Skills' prepared JSON lines), or one of the names sample, gpqa:diamond, "
                                    "gpqa:main, gpqa:extended");
        flags.option("--protocol", protocol_, "clean-up, choice order and prompt of this harness", protocol_names());
        flags.option("--format", format_, "text, json, or nemo: the file that NeMo-Skills would prepare, byte for byte", {"text", "json", "nemo"});
        flags.option("--limit", limit_, "only the first N questions; hashes stay those of the whole file");
        flags.flag("--allow-ambiguous", allow_ambiguous_, "accept questions with a wrong choice equal to the correct one, and prepared files with all "
                                                          "correct choices at one letter");
        flags.flag("--include-questions", include_questions_, "print the texts of the questions too (text and json)");
    }

    int run() override {
        if (given_.empty()) throw Error("expected a question set: the path of a file, or sample, gpqa:diamond, gpqa:main, gpqa:extended");
        if (limit_ && *limit_ < 1) throw Error("--limit must be at least 1");
        const questions::Protocol& protocol = questions::protocol_named(protocol_);
        questions::QuestionSet set = questions::load_questions(given_, protocol, {allow_ambiguous_});
        if (limit_) questions::keep_first(set, *limit_);
        const reports::QuestionsReport report{set, protocol, include_questions_};
        if (format_ == "nemo") print_prepared_file(set);
        else print(format_ == "json" ? reports::questions_json(report) : reports::questions_text(report));
        return exit_clean;
    }

private:
    std::string given_;
    std::string protocol_ = "nemo";
    std::string format_ = "text";
    std::optional<std::int64_t> limit_;
    bool allow_ambiguous_ = false;
    bool include_questions_ = false;
};

}  // namespace

std::unique_ptr<Command> questions_command() { return std::make_unique<QuestionsCommand>(); }

}  // namespace assay::runners
