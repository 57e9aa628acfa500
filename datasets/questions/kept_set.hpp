// A question set as a run keeps it beside its journal (RUN/questions.jsonl), so that the run can be judged and
// exported anywhere, without the file that it was made from. Format assay.questions/1.
//
//   {"format":"assay.questions/1","name":..,"protocol":..,"prepared":..,"rows":..,"most_choices":..,"file_sha256":..,
//    "letters_sha256":..,"prompts_sha256":..}
//   {"number":0,"record_id":..,"text":..,"choices":[..],"correct":2,"problem":..,"explanation":..,"domain":..,
//    "subdomain":..,"difficulty":..}            one line a question; of a prepared file also "prepared_line", its row
#pragma once

#include <string>

#include "datasets/questions/question_set.hpp"

namespace assay::questions {

// The bytes of the file; `set` holds the whole file, not a limit of it.
[[nodiscard]] std::string kept_set(const QuestionSet& set);

// Reads what kept_set() wrote. Throws assay::Error, with path and line, where the file is missing, damaged, of a
// newer format, or where its letters do not have the digest that it states.
[[nodiscard]] QuestionSet read_kept_set(const std::string& path);

}  // namespace assay::questions
