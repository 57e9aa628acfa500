// Prompt: how a harness puts a question into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/answer_form.hpp"
#include "datasets/questions/question.hpp"
#include "datasets/questions/record.hpp"
#include "harness/chat/request.hpp"

namespace assay::questions {

struct Prompt {
    std::string_view name;                     // of the harness
    std::string (*choice)(const Cell& text);   // what it does to a choice before it asks it; not used for a prepared file
    // The conversation that asks the question. `most_choices`: of any question of the file, 2 or more.
    std::vector<chat::Message> (*ask)(const Question& question, int most_choices);
    AnswerForm form;                           // what it tells the model to end with
    bool only_four = false;                    // it is worded for four choices, no more and no fewer
};

// What a prompt of that form does: "asks for a last line 'Answer: B'".
[[nodiscard]] std::string_view words_of(AnswerForm form) noexcept;

// Each asks in one user message, without a system message. Where a harness puts texts into its template by Python's
// str.format, braces in a text stay; OpenCompass replaces one name after the other in what has come of it so far, so that
// "{A}" in a question becomes the first choice, and so does this.
[[nodiscard]] const Prompt& nemo_prompt();          // eval/aai/mcq-4choices, or mcq-10choices for files with more than four
[[nodiscard]] const Prompt& nemo_boxed_prompt();    // eval/aai/mcq-4choices-boxed, mcq-10choices-boxed
[[nodiscard]] const Prompt& simple_evals_prompt();  // common.py, QUERY_TEMPLATE_MULTICHOICE
[[nodiscard]] const Prompt& gpt_oss_prompt();       // gpt_oss/evals/gpqa_eval.py
[[nodiscard]] const Prompt& lm_eval_prompt();       // tasks/gpqa/cot_zeroshot
[[nodiscard]] const Prompt& inspect_prompt();       // multiple_choice(cot=True) of inspect_ai
[[nodiscard]] const Prompt& evalscope_prompt();     // utils/multi_choices.py, SINGLE_ANSWER_TEMPLATE_COT
[[nodiscard]] const Prompt& opencompass_prompt();   // gpqa_openai_simple_evals_gen_5aeece, the present gpqa_gen

}  // namespace assay::questions
