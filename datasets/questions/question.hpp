// Question: one multiple-choice item, its choices in the order in which they are asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::questions {

struct Question {
    int number = 0;                    // 0-based row in the file it came from; the identity of the question in a run
    std::string record_id;             // the file's own id; empty where it has none
    std::string text;                  // the question alone, as in the file
    std::vector<std::string> choices;  // cleaned, in the order asked: letter 'A' + index
    int correct = 0;                   // index into choices, followed through the shuffle and never looked up by text
    std::string problem;               // question and choices as one text, in NeMo-Skills' form; of a prepared file, its own
    std::string explanation;           // cleaned
    std::string domain;                // "High-level domain"; empty where the file has none
    std::string subdomain;             // NeMo-Skills' subset_for_metrics; empty where none
    std::optional<std::string> difficulty;  // the writer's estimate up to its first parenthesis
};

// The letter of a choice: 0 -> 'A'. Range 0..25.
[[nodiscard]] constexpr char letter_of(int choice) noexcept { return static_cast<char>('A' + choice); }

[[nodiscard]] constexpr char correct_letter(const Question& question) noexcept {
    return letter_of(question.correct);
}

}  // namespace assay::questions
