#include <nlohmann/json.hpp>

#include "reports/questions/question_counts.hpp"
#include "reports/questions/questions_report.hpp"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

Json letters(const questions::QuestionSet& set) {
    Json object = Json::object();
    const std::vector<int> counts = count_letters(set.questions, set.most_choices);
    for (std::size_t i = 0; i < counts.size(); ++i) object[std::string(1, questions::letter_of(static_cast<int>(i)))] = counts[i];
    return object;
}

Json domains(const questions::QuestionSet& set) {
    Json list = Json::array();
    for (const DomainCount& entry : count_domains(set.questions)) {
        Json subdomains = Json::array();
        for (const NamedCount& subdomain : entry.subdomains) subdomains.push_back({{"name", subdomain.name}, {"questions", subdomain.count}});
        list.push_back({{"name", entry.domain.name}, {"questions", entry.domain.count}, {"subdomains", subdomains}});
    }
    return list;
}

Json questions_of(const questions::QuestionSet& set) {
    Json list = Json::array();
    for (const questions::Question& question : set.questions) {
        list.push_back({{"number", question.number}, {"record_id", question.record_id}, {"domain", question.domain}, {"subdomain", question.subdomain},
                        {"correct", std::string(1, questions::correct_letter(question))}, {"problem", question.problem}});
    }
    return list;
}

}  // namespace

std::string questions_json(const QuestionsReport& report) {
    const questions::QuestionSet& set = report.set;
    Json object{{"format", "assay.questions-report/1"},
                {"name", set.name},
                {"prepared", set.prepared},
                {"rows", set.rows},
                {"questions", set.questions.size()},
                {"protocol", report.protocol.name},
                {"extractor", report.protocol.extractor},
                {"sha256", {{"file", set.file_sha256}, {"letters", set.letters_sha256}, {"prompts", set.prompts_sha256}}},
                {"letters", letters(set)},
                {"domains", domains(set)},
                {"notes", set.notes}};
    if (report.include_questions) object["texts"] = questions_of(set);
    // A file's name may be any bytes; everything else here is valid UTF-8.
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
