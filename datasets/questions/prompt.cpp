#include "datasets/questions/prompt.hpp"

#include <fmt/format.h>

#include <cassert>

#include "datasets/questions/clean_up.hpp"

namespace assay::questions {
namespace {

using Messages = std::vector<chat::Message>;

Messages user(std::string text) { return {{"user", std::move(text)}}; }

std::string nemo_letters(int most_choices) { return most_choices <= 4 ? "A/B/C/D" : "A/B/C/D/E/F/G/H/I/J"; }

Messages ask_nemo(const Question& question, int most_choices) {
    return user(fmt::format("Answer the following multiple choice question. The last line of your response should be in the following "
                            "format: 'Answer: {}' (e.g. 'Answer: A').\n\n{}",
                            nemo_letters(most_choices), question.problem));
}

Messages ask_nemo_boxed(const Question& question, int most_choices) {
    return user(fmt::format("Answer the following multiple choice question. The last line of your response should be in the following "
                            "format: 'Answer: \\boxed{{{}}}' (e.g. 'Answer: \\boxed{{A}}').\n\n{}",
                            nemo_letters(most_choices), question.problem));
}

Messages ask_simple_evals(const Question& question, int) {
    return user(fmt::format("Answer the following multiple choice question. The last line of your response should be of the following format: "
                            "'Answer: $LETTER' (without quotes) where LETTER is one of ABCD. Think step by step before answering.\n\n{}\n\n{}",
                            question.text, options_text(question.choices)));
}

// "(A) first\n(B) second\n..", without a newline at the end.
std::string options_in_parentheses(const Question& question) {
    std::string out;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        out += fmt::format("{}({}) {}", i == 0 ? "" : "\n", letter_of(static_cast<int>(i)), question.choices[i]);
    }
    return out;
}

Messages ask_gpt_oss(const Question& question, int) {
    return user(fmt::format("{}\n\n{}\n\nExpress your final answer as the corresponding option 'A', 'B', 'C', or 'D'.", question.text,
                            options_in_parentheses(question)));
}

Messages ask_lm_eval(const Question& question, int) {
    return user(fmt::format("What is the correct answer to this question:{}\nChoices:\n{}\nLet's think step by step: ", question.text,
                            options_in_parentheses(question)));
}

// "A,B,C,D"
std::string letters_with_commas(const Question& question) {
    std::string out;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        if (i > 0) out += ',';
        out += letter_of(static_cast<int>(i));
    }
    return out;
}

Messages ask_inspect(const Question& question, int) {
    return user(fmt::format("Answer the following multiple choice question. The last line of your response should be of the following format: "
                            "'ANSWER: $LETTER' (without quotes) where LETTER is one of {}. Think step by step before answering.\n\n{}\n\n{}",
                            letters_with_commas(question), with_plain_newlines(question.text), options_text(question.choices)));
}

Messages ask_evalscope(const Question& question, int) {
    return user(fmt::format("Answer the following multiple choice question. The last line of your response should be of the following format: "
                            "'ANSWER: [LETTER]' (without quotes) where [LETTER] is one of {}. Think step by step before answering.\n\n{}\n\n{}",
                            letters_with_commas(question), question.text, options_text(question.choices)));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

Messages ask_opencompass(const Question& question, int) {
    assert(question.choices.size() == 4);
    std::string text = "Answer the following multiple choice question. The last line of your response should be of the following format: "
                       "'ANSWER: $LETTER' (without quotes) where LETTER is one of ABCD. Think step by step before answering.\n\n{question}\n\n"
                       "A) {A}\nB) {B}\nC) {C}\nD) {D}";
    replace_all(text, "{question}", with_plain_newlines(question.text));
    replace_all(text, "{A}", question.choices[0]);
    replace_all(text, "{B}", question.choices[1]);
    replace_all(text, "{C}", question.choices[2]);
    replace_all(text, "{D}", question.choices[3]);
    replace_all(text, "{answer}", "");
    return user(std::move(text));
}

}  // namespace

std::string_view words_of(AnswerForm form) noexcept {
    switch (form) {
        case AnswerForm::answer_line: return "asks for a last line 'Answer: B'";
        case AnswerForm::boxed_line: return "asks for 'Answer: \\boxed{B}'";
        case AnswerForm::letter: return "asks for a letter in no stated form";
        case AnswerForm::free: break;
    }
    return "does not say how to end";
}

const Prompt& nemo_prompt() {
    static constexpr Prompt prompt{"nemo", clean_text, ask_nemo, AnswerForm::answer_line};
    return prompt;
}
const Prompt& nemo_boxed_prompt() {
    static constexpr Prompt prompt{"nemo-boxed", clean_text, ask_nemo_boxed, AnswerForm::boxed_line};
    return prompt;
}
const Prompt& simple_evals_prompt() {
    static constexpr Prompt prompt{"simple-evals", pandas_text, ask_simple_evals, AnswerForm::answer_line, true};
    return prompt;
}
const Prompt& gpt_oss_prompt() {
    static constexpr Prompt prompt{"gpt-oss", pandas_text, ask_gpt_oss, AnswerForm::letter, true};
    return prompt;
}
const Prompt& lm_eval_prompt() {
    static constexpr Prompt prompt{"lm-eval", clean_text, ask_lm_eval, AnswerForm::free, true};
    return prompt;
}
const Prompt& inspect_prompt() {
    static constexpr Prompt prompt{"inspect", written_text, ask_inspect, AnswerForm::answer_line};
    return prompt;
}
const Prompt& evalscope_prompt() {
    static constexpr Prompt prompt{"evalscope", stripped_text, ask_evalscope, AnswerForm::answer_line};
    return prompt;
}
const Prompt& opencompass_prompt() {
    static constexpr Prompt prompt{"opencompass", written_text, ask_opencompass, AnswerForm::answer_line, true};
    return prompt;
}

}  // namespace assay::questions
