#include <fmt/format.h>

#include <iterator>

#include "reports/questions/question_counts.hpp"
#include "reports/questions/questions_report.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

std::string head(const QuestionsReport& report, const Look& look) {
    const questions::QuestionSet& set = report.set;
    const auto shown = static_cast<std::int64_t>(set.questions.size());
    const std::string rows = shown == set.rows ? counted(shown, "question") : fmt::format("the first {} of {}", thousands(shown), counted(set.rows, "question"));
    return wrapped(visible(set.name), fmt::format("   {}   protocol {} ({}), extractor {}", rows, report.protocol.name, report.protocol.about, report.protocol.extractor),
                   look.width, 4);
}

std::string hashes(const questions::QuestionSet& set) {
    const char* scope = static_cast<int>(set.questions.size()) == set.rows ? "" : ", of the whole file";
    return fmt::format("\nsha256{}\n  file      {}\n  letters   {}\n  prompts   {}\n", scope, set.file_sha256, set.letters_sha256, set.prompts_sha256);
}

std::string letters(const questions::QuestionSet& set) {
    const std::vector<int> counts = count_letters(set.questions, set.most_choices);
    std::string out = "\ncorrect letters ";
    for (std::size_t i = 0; i < counts.size(); ++i) fmt::format_to(std::back_inserter(out), "  {} {}", questions::letter_of(static_cast<int>(i)), counts[i]);
    return out + "\n";
}

std::string domains(const questions::QuestionSet& set, const Look& look) {
    Table table;
    table.column("domain", Align::left).column("subdomain", Align::left).column("questions");
    for (const DomainCount& entry : count_domains(set.questions)) {
        table.row({entry.domain.name.empty() ? "(no domain)" : entry.domain.name, "", thousands(entry.domain.count)});
        for (const NamedCount& subdomain : entry.subdomains) {
            table.row({"", subdomain.name.empty() ? "(no subdomain)" : subdomain.name, thousands(subdomain.count)});
        }
    }
    return "\n" + table.text(look);
}

std::string notes(const questions::QuestionSet& set, const Look& look) {
    std::string out;
    for (const std::string& note : set.notes) out += wrapped("note: ", visible(note), look.width, 6);
    return out.empty() ? out : "\n" + out;
}

std::string questions(const questions::QuestionSet& set) {
    std::string out;
    for (const questions::Question& question : set.questions) {
        const std::string id = question.record_id.empty() ? "" : fmt::format(" ({})", visible(question.record_id));
        out += fmt::format("\nquestion {}{}   correct {}\n{}\n", question.number, id, questions::correct_letter(question), visible_lines(question.problem));
    }
    return out;
}

}  // namespace

std::string questions_text(const QuestionsReport& report, const Look& look) {
    return head(report, look) + hashes(report.set) + letters(report.set) + domains(report.set, look) + notes(report.set, look) +
           (report.include_questions ? questions(report.set) : "");
}

}  // namespace assay::reports
