#include "datasets/questions/kept_set.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "harness/files/read_file.hpp"

namespace assay::questions {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format = "assay.questions/1";

Json head_of(const QuestionSet& set) {
    return {{"format", format},
            {"name", set.name},
            {"protocol", set.protocol},
            {"prepared", set.prepared},
            {"rows", set.rows},
            {"most_choices", set.most_choices},
            {"file_sha256", set.file_sha256},
            {"letters_sha256", set.letters_sha256},
            {"prompts_sha256", set.prompts_sha256}};
}

Json row_of(const QuestionSet& set, std::size_t index) {
    const Question& question = set.questions[index];
    Json row{{"number", question.number},       {"record_id", question.record_id}, {"text", question.text},
             {"choices", question.choices},     {"correct", question.correct},     {"problem", question.problem},
             {"explanation", question.explanation}, {"domain", question.domain},   {"subdomain", question.subdomain},
             {"difficulty", nullptr}};
    if (question.difficulty) row["difficulty"] = *question.difficulty;
    if (set.prepared) row["prepared_line"] = set.prepared_lines[index];
    return row;
}

void read_head(const Json& head, QuestionSet& set) {
    const auto found = head.at("format").get<std::string>();
    if (found != format) throw Error(fmt::format("its format is '{}', and this version reads '{}'", found, format));
    head.at("name").get_to(set.name);
    head.at("protocol").get_to(set.protocol);
    head.at("prepared").get_to(set.prepared);
    head.at("rows").get_to(set.rows);
    head.at("most_choices").get_to(set.most_choices);
    head.at("file_sha256").get_to(set.file_sha256);
    head.at("letters_sha256").get_to(set.letters_sha256);
    head.at("prompts_sha256").get_to(set.prompts_sha256);
}

Question read_row(const Json& row) {
    Question question;
    row.at("number").get_to(question.number);
    row.at("record_id").get_to(question.record_id);
    row.at("text").get_to(question.text);
    row.at("choices").get_to(question.choices);
    row.at("correct").get_to(question.correct);
    row.at("problem").get_to(question.problem);
    row.at("explanation").get_to(question.explanation);
    row.at("domain").get_to(question.domain);
    row.at("subdomain").get_to(question.subdomain);
    if (!row.at("difficulty").is_null()) question.difficulty = row.at("difficulty").get<std::string>();
    if (question.correct < 0 || question.correct >= static_cast<int>(question.choices.size())) {
        throw Error(fmt::format("'correct' is {}, and there are {} choices", question.correct, question.choices.size()));
    }
    return question;
}

void check_whole(const QuestionSet& set) {
    if (static_cast<int>(set.questions.size()) != set.rows) {
        throw Error(fmt::format("it states {} questions and holds {}", set.rows, set.questions.size()));
    }
    std::string letters;
    for (const Question& question : set.questions) letters += correct_letter(question);
    if (files::sha256_hex(letters) != set.letters_sha256) throw Error("its correct letters do not have the sha256 that it states");
}

}  // namespace

std::string kept_set(const QuestionSet& set) {
    // Texts of a question file are checked to be UTF-8 when it is read.
    std::string text = head_of(set).dump() + "\n";
    for (std::size_t index = 0; index < set.questions.size(); ++index) text += row_of(set, index).dump() + "\n";
    return text;
}

QuestionSet read_kept_set(const std::string& path) {
    const std::string text = files::read_file(path);
    QuestionSet set;
    int line = 0;
    try {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const Json json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end));
            if (++line == 1) read_head(json, set);
            else {
                set.questions.push_back(read_row(json));
                if (set.prepared) set.prepared_lines.push_back(json.at("prepared_line").get<std::string>());
            }
            at = end + 1;
        }
        check_whole(set);
    } catch (const Json::exception&) {
        throw Error(fmt::format("{}, line {}: not a line of {}; the file was changed or cut, and the run cannot be judged without it", path, line, format));
    } catch (const Error& error) {
        throw Error(fmt::format("{}, line {}: {}", path, line, error.what()));
    }
    return set;
}

}  // namespace assay::questions
