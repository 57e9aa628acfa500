#include "datasets/questions/ambiguity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/questions/row_list.hpp"
#include "datasets/questions/unicode.hpp"
#include "harness/error.hpp"

namespace assay::questions {
namespace {

constexpr double impossible_by_chance = 1e-9;

// A letter whose choice is the same text as the correct one; 0 where there is none.
char twin_of_correct(const Question& question) {
    for (int i = 0; i < static_cast<int>(question.choices.size()); ++i) {
        if (i != question.correct && question.choices[i] == question.choices[question.correct]) return letter_of(i);
    }
    return 0;
}

bool has_equal_wrong_choices(const Question& question) {
    for (int i = 0; i < static_cast<int>(question.choices.size()); ++i) {
        for (int j = 0; j < i; ++j) {
            if (i != question.correct && j != question.correct && question.choices[i] == question.choices[j]) return true;
        }
    }
    return false;
}

bool has_blank_choice(const Question& question) {
    return std::any_of(question.choices.begin(), question.choices.end(), [](const std::string& choice) { return python_strip(choice).empty(); });
}

bool all_at_one_letter(const std::vector<Question>& questions) {
    return std::all_of(questions.begin(), questions.end(), [&](const Question& q) { return q.correct == questions.front().correct; });
}

void check_one_letter(const AmbiguityCheck& check, std::vector<std::string>& notes) {
    if (!check.order_of_file || check.questions.empty() || !all_at_one_letter(check.questions)) return;
    if (chance_of_one_letter(check.questions) >= impossible_by_chance) return;
    const std::string what = fmt::format("all {} correct choices are at letter {}, which no shuffle gives", check.questions.size(),
                                         correct_letter(check.questions.front()));
    if (!check.allow_ambiguous) {
        throw Error(fmt::format("{}: {}; prepare the file again with shuffled choices, or pass --allow-ambiguous", check.place, what));
    }
    notes.push_back(what);
}

}  // namespace

double chance_of_one_letter(const std::vector<Question>& questions) {
    if (questions.empty()) return 1.0;
    double product = 1.0;
    std::size_t fewest = questions.front().choices.size();
    for (const Question& question : questions) {
        product /= static_cast<double>(question.choices.size());
        fewest = std::min(fewest, question.choices.size());
    }
    return static_cast<double>(fewest) * product;
}

std::vector<std::string> check_ambiguity(const AmbiguityCheck& check) {
    RowList twins;
    RowList equal_wrong;
    RowList blank;
    std::string first_twin;
    for (std::size_t i = 0; i < check.questions.size(); ++i) {
        const Question& question = check.questions[i];
        const int line = check.lines[i];
        if (const char letter = twin_of_correct(question)) {
            if (twins.empty()) {
                first_twin = fmt::format("{}: wrong choice {} is the same text as the correct choice {}", row_place(question.number, line), letter,
                                         correct_letter(question));
            }
            twins.add(question.number, line);
        }
        if (has_equal_wrong_choices(question)) equal_wrong.add(question.number, line);
        if (has_blank_choice(question)) blank.add(question.number, line);
    }
    if (!twins.empty() && !check.allow_ambiguous) {
        const std::string others = twins.size() == 1 ? "" : fmt::format("; {} such rows in all", twins.size());
        throw Error(fmt::format("{}: {}, so no letter can be judged{}; correct the file, or pass --allow-ambiguous", check.place, first_twin, others));
    }
    std::vector<std::string> notes;
    if (!twins.empty()) notes.push_back(fmt::format("a wrong choice is the same text as the correct one, which alone counts as right: {}", twins.text()));
    if (!equal_wrong.empty()) notes.push_back(fmt::format("two wrong choices are the same text, which leaves the score as it is: {}", equal_wrong.text()));
    if (!blank.empty()) notes.push_back(fmt::format("a choice is blank: {}", blank.text()));
    check_one_letter(check, notes);
    return notes;
}

}  // namespace assay::questions
