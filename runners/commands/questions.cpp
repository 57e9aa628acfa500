// assay questions: what a question set holds, whether it can be used, and what NeMo-Skills would make of it.
#include <fmt/format.h>

#include <cstdio>

#include "datasets/questions/prepared_file.hpp"
#include "datasets/questions/question_set.hpp"
#include "harness/error.hpp"
#include "reports/questions/protocols.hpp"
#include "reports/questions/questions_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/commands/protocol_options.hpp"
#include "runners/terminal.hpp"

namespace assay::runners {
namespace {

void print_prepared_file(const questions::QuestionSet& set) {
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
        print(stdout, (set.prepared ? set.prepared_lines[i] : questions::prepared_row(set.questions[i])) + "\n");
    }
}

class QuestionsCommand : public Command {
public:
    [[nodiscard]] std::string name() const override { return "questions"; }
    [[nodiscard]] std::string summary() const override { return "list, check, hash or export a question set"; }
    [[nodiscard]] std::string example() const override {
        return "assay questions gpqa_diamond.csv\n"
               "  assay questions --protocols\n"
               "  assay questions gpqa_diamond.csv --format nemo > diamond.jsonl";
    }

    void declare(Flags& flags) override {
        flags.option("SET", given_, "a question file (GPQA's CSV, or NeMo-Skills' prepared JSON lines), or one of the names sample, gpqa:diamond, "
                                    "gpqa:main, gpqa:extended");
        runners::declare(protocol_, flags);
        flags.flag("--protocols", list_protocols_, "list the protocols, and the harnesses that have none, with the reason (text or json)");
        flags.option("--format", format_, "text, json, or nemo: the file that NeMo-Skills would prepare, byte for byte", {"text", "json", "nemo"});
        flags.option("--limit", limit_, "only the first N questions; hashes stay those of the whole file");
        flags.flag("--allow-ambiguous", allow_ambiguous_, "accept questions with a wrong choice equal to the correct one, and prepared files with all "
                                                          "correct choices at one letter");
        flags.flag("--include-questions", include_questions_, "print the texts of the questions too (text and json)");
    }

    int run() override {
        if (list_protocols_) {
            refuse_passed_over("--protocols looks at no question set",
                               {{protocol_.protocol != ProtocolOptions().protocol, "--protocol"},
                                {protocol_.prompt.has_value(), "--prompt"},
                                {protocol_.choice_order.has_value(), "--choice-order"},
                                {limit_.has_value(), "--limit"},
                                {allow_ambiguous_, "--allow-ambiguous"},
                                {include_questions_, "--include-questions"}});
            if (!given_.empty() || format_ == "nemo") throw Error("--protocols lists protocols and takes neither a question set nor --format nemo");
            print(stdout, format_ == "json" ? reports::protocols_json() : reports::protocols_text(look_of(stdout)));
            return exit_clean;
        }
        if (given_.empty()) throw Error("expected a question set: the path of a file, or sample, gpqa:diamond, gpqa:main, gpqa:extended");
        if (limit_ && *limit_ < 1) throw Error("--limit must be at least 1");
        const questions::Protocol protocol = chosen(protocol_);
        questions::QuestionSet set = questions::load_questions(given_, protocol, {allow_ambiguous_});
        if (limit_) questions::keep_first(set, *limit_);
        if (format_ == "nemo" && !set.prepared && !questions::prepares_as_nemo(protocol)) {
            throw Error(fmt::format("--format nemo is the file that NeMo-Skills prepares, and protocol {} cleans or orders the choices otherwise: "
                                    "give --protocol nemo", protocol.name));
        }
        refuse_passed_over("--format nemo is NeMo-Skills' file, texts and all", {{format_ == "nemo" && include_questions_, "--include-questions"}});
        const reports::QuestionsReport report{set, protocol, include_questions_};
        if (format_ == "nemo") print_prepared_file(set);
        else print(stdout, format_ == "json" ? reports::questions_json(report) : reports::questions_text(report, look_of(stdout)));
        return exit_clean;
    }

private:
    std::string given_;
    ProtocolOptions protocol_;
    bool list_protocols_ = false;
    std::string format_ = "text";
    std::optional<std::int64_t> limit_;
    bool allow_ambiguous_ = false;
    bool include_questions_ = false;
};

}  // namespace

std::unique_ptr<Command> questions_command() { return std::make_unique<QuestionsCommand>(); }

}  // namespace assay::runners
