// What a question set holds, for people and for programs: counts, hashes, notes.
#pragma once

#include <string>

#include "datasets/questions/question_set.hpp"
#include "reports/terminal/style.hpp"

namespace assay::reports {

struct QuestionsReport {
    const questions::QuestionSet& set;      // the questions to count, which --limit may have cut; hashes are of the whole file
    const questions::Protocol& protocol;    // the one it was loaded under
    bool include_questions = false;         // with the text and the correct letter of each question
};

// Lines for a terminal or a file, each ended by LF and, but for hashes and the questions' own, fitted to its width; text
// from outside is made visible.
[[nodiscard]] std::string questions_text(const QuestionsReport& report, const Look& look);

// One JSON object of format "assay.questions-report/1" with the same numbers, ended by LF.
[[nodiscard]] std::string questions_json(const QuestionsReport& report);

}  // namespace assay::reports
