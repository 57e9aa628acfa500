// QuestionSet: a question file, prepared to be asked under a protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/questions/protocol.hpp"
#include "datasets/questions/question.hpp"
#include "harness/chat/request.hpp"

namespace assay::questions {

struct QuestionSet {
    std::string name;         // "sample", "gpqa:diamond", or the file's name without its folders
    std::string protocol;     // its name
    bool prepared = false;    // read from NeMo-Skills' prepared JSON lines: the choice order is the file's
    int rows = 0;             // of the whole file, whatever keep_first left
    int most_choices = 0;     // of any question of the whole file
    std::string file_sha256;  // of the file's bytes; this and the next two are lower-case hex and always of the whole file
    std::string letters_sha256;  // of the correct letters in file order, as one string without separators
    std::string prompts_sha256;  // of what is asked, see prompts_sha256() below
    std::vector<Question> questions;          // in file order; Question::number is the index in the whole file
    std::vector<std::string> prepared_lines;  // of a prepared file, its rows as they stand; else empty
    std::vector<std::string> notes;           // what a user should know of the file, one line each, no text of a question
};

struct LoadOptions {
    bool allow_ambiguous = false;  // --allow-ambiguous: notes instead of refusals in check_ambiguity() (ambiguity.hpp)
};

// Reads `given` (see source.hpp), tells its format by its content, cleans, orders and checks. All of the file is held in memory.
// Throws assay::Error for what cannot be read (see source.hpp, file_kind.hpp, gpqa_file.hpp, prepared_file.hpp) or is refused.
[[nodiscard]] QuestionSet load_questions(const std::string& given, const Protocol& protocol, const LoadOptions& options = {});

// Leaves the first `count` questions (count >= 1); more than there are leaves all. Hashes and `rows` stay.
void keep_first(QuestionSet& set, std::int64_t count);

// The conversation that asks each question, in the order of set.questions.
[[nodiscard]] std::vector<std::vector<chat::Message>> render_prompts(const QuestionSet& set, const Protocol& protocol);

// sha256 over one line for each question, in order: the bytes of Python's
//   json.dumps({"correct": "B", "messages": [{"role": "user", "content": "..."}]}) + "\n"
// with Python's default separators and ASCII escapes. `prompts` is what render_prompts gave.
[[nodiscard]] std::string prompts_sha256(const QuestionSet& set, const std::vector<std::vector<chat::Message>>& prompts);

}  // namespace assay::questions
