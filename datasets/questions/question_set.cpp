#include "datasets/questions/question_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "datasets/questions/ambiguity.hpp"
#include "datasets/questions/clean_up.hpp"
#include "datasets/questions/file_kind.hpp"
#include "datasets/questions/gpqa_file.hpp"
#include "datasets/questions/prepared_file.hpp"
#include "datasets/questions/source.hpp"
#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "harness/files/python_json.hpp"

namespace assay::questions {
namespace {

Question prepare(Record record, const Protocol& protocol, const std::vector<int>& order) {
    Question question;
    question.number = record.row;
    for (std::size_t position = 0; position < order.size(); ++position) {
        const int which = order[position];
        if (which == 0) question.correct = static_cast<int>(position);
        question.choices.push_back(protocol.prompt.choice(which == 0 ? record.correct : record.incorrect[static_cast<std::size_t>(which) - 1]));
    }
    question.problem = problem_text(record.question, question.choices);
    question.text = std::move(record.question);
    question.explanation = clean_text(record.explanation);
    question.difficulty = clean_difficulty(record.difficulty);
    question.domain = record.domain.value_or("");
    question.subdomain = record.subdomain.value_or("");
    question.record_id = record.record_id.value_or("");
    return question;
}

// Fills questions and notes, and gives the line on which each question begins.
std::vector<int> read_gpqa(QuestionSet& set, std::string_view text, const std::string& place, const Protocol& protocol) {
    GpqaFile file = read_gpqa_file(text, place);
    const ChoiceOrder order = protocol.order.start();
    std::vector<int> lines;
    for (Record& record : file.records) {
        lines.push_back(record.line);
        const std::vector<int> shown = order(record);
        set.questions.push_back(prepare(std::move(record), protocol, shown));
    }
    set.notes = std::move(file.notes);
    return lines;
}

std::vector<int> read_prepared(QuestionSet& set, std::string_view text, const std::string& place) {
    PreparedFile file = read_prepared_file(text, place);
    set.prepared = true;
    set.questions = std::move(file.questions);
    set.prepared_lines = std::move(file.lines);
    set.notes.emplace_back("a prepared file: texts and choice order are the file's own");
    return std::move(file.line_numbers);
}

void check_choices(const Protocol& protocol, const QuestionSet& set, const std::string& place) {
    if (!protocol.prompt.only_four) return;
    for (const Question& question : set.questions) {
        if (question.choices.size() == 4) continue;
        throw Error(fmt::format("{}: row {} has {} choices, and the prompt of {} is worded for four: give --prompt nemo, inspect or evalscope", place,
                                question.number + 1, question.choices.size(), protocol.prompt.name));
    }
}

std::string letters_of(const std::vector<Question>& questions) {
    std::string letters;
    for (const Question& question : questions) letters += correct_letter(question);
    return letters;
}

}  // namespace

QuestionSet load_questions(const std::string& given, const Protocol& protocol, const LoadOptions& options) {
    const Source source = find_source(given);
    const TextFile file = text_of_file(source.bytes, source.place);
    QuestionSet set;
    set.name = source.name;
    set.protocol = protocol.name;
    const std::vector<int> lines = file.kind == FileKind::csv ? read_gpqa(set, file.text, source.place, protocol)
                                                              : read_prepared(set, file.text, source.place);
    check_choices(protocol, set, source.place);
    const std::vector<std::string> notes = check_ambiguity({source.place, set.questions, lines, set.prepared, options.allow_ambiguous});
    set.notes.insert(set.notes.end(), notes.begin(), notes.end());
    set.rows = static_cast<int>(set.questions.size());
    for (const Question& question : set.questions) set.most_choices = std::max(set.most_choices, static_cast<int>(question.choices.size()));
    set.file_sha256 = files::sha256_hex(source.bytes);
    set.letters_sha256 = files::sha256_hex(letters_of(set.questions));
    set.prompts_sha256 = prompts_sha256(set, render_prompts(set, protocol));
    return set;
}

void keep_first(QuestionSet& set, std::int64_t count) {
    assert(count >= 1);
    if (count >= static_cast<std::int64_t>(set.questions.size())) return;
    set.questions.resize(static_cast<std::size_t>(count));
    if (set.prepared) set.prepared_lines.resize(static_cast<std::size_t>(count));
}

std::vector<std::vector<chat::Message>> render_prompts(const QuestionSet& set, const Protocol& protocol) {
    std::vector<std::vector<chat::Message>> prompts;
    for (const Question& question : set.questions) prompts.push_back(protocol.prompt.ask(question, set.most_choices));
    return prompts;
}

std::string prompts_sha256(const QuestionSet& set, const std::vector<std::vector<chat::Message>>& prompts) {
    assert(prompts.size() == set.questions.size());
    std::string bytes;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        bytes += fmt::format(R"({{"correct": "{}", "messages": [)", correct_letter(set.questions[i]));
        for (std::size_t j = 0; j < prompts[i].size(); ++j) {
            const chat::Message& message = prompts[i][j];
            if (j > 0) bytes += ", ";
            bytes += fmt::format(R"({{"role": {}, "content": {}}})", files::python_json_string(message.role), files::python_json_string(message.content));
        }
        bytes += "]}\n";
    }
    return files::sha256_hex(bytes);
}

}  // namespace assay::questions
