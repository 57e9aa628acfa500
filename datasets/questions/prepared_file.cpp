#include "datasets/questions/prepared_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "datasets/questions/clean_up.hpp"
#include "datasets/questions/row_list.hpp"
#include "harness/error.hpp"
#include "harness/files/python_json.hpp"

namespace assay::questions {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_choices = 10;

class RowReader {
public:
    RowReader(std::string where, std::string_view line) : where_(std::move(where)) {
        try {
            row_ = Json::parse(line);
        } catch (const Json::parse_error& error) {
            // The parser's own words quote the line, and texts of questions stay out of messages.
            fail(fmt::format("not valid JSON at byte {} of the line; expected one JSON object a line", error.byte));
        } catch (const Json::exception&) {
            fail("holds a number that is out of range; expected one JSON object a line");
        }
        if (!row_.is_object()) fail(fmt::format("found a JSON {}, expected an object", row_.type_name()));
    }

    Question read(int number) const {
        Question question;
        question.number = number;
        question.problem = needed_string("problem");
        question.choices = choices();
        question.correct = correct(question.choices.size());
        question.text = question_part(question.problem, optional_string("options").value_or(""));
        question.explanation = optional_string("explanation").value_or("");
        question.subdomain = optional_string("subset_for_metrics").value_or("");
        question.difficulty = optional_string("difficulty");
        return question;
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw Error(where_ + ": " + what); }

    std::string needed_string(const char* key) const {
        if (!row_.contains(key)) fail(fmt::format("key \"{}\" is missing; expected a row of NeMo-Skills' prepared files", key));
        return string_at(key);
    }

    std::optional<std::string> optional_string(const char* key) const {
        if (!row_.contains(key) || row_.at(key).is_null()) return std::nullopt;
        return string_at(key);
    }

    std::string string_at(const std::string& key) const {
        const Json& value = row_.at(key);
        if (!value.is_string()) fail(fmt::format("key \"{}\" holds a JSON {}, expected a string", key, value.type_name()));
        return value.get<std::string>();
    }

    std::vector<std::string> choices() const {
        std::vector<std::string> found;
        for (const auto& [key, value] : row_.items()) {
            if (key.size() != 1 || key[0] < 'A' || key[0] > 'Z') continue;
            const char expected = letter_of(static_cast<int>(found.size()));
            if (found.size() == most_choices) fail(fmt::format("choice \"{}\" after \"J\"; expected at most ten choices, A to J", key));
            if (key[0] != expected) {
                fail(fmt::format("choice \"{}\" where \"{}\" was expected; the choices must be the letters A, B, .. in this order and without a gap",
                                 key, expected));
            }
            found.push_back(string_at(key));
        }
        if (found.size() < 2) fail(fmt::format("{}; expected at least the keys \"A\" and \"B\"", found.empty() ? "no choices" : "only one choice"));
        return found;
    }

    int correct(std::size_t count) const {
        const std::string letter = needed_string("expected_answer");
        const char last = letter_of(static_cast<int>(count) - 1);
        if (letter.size() != 1 || letter[0] < 'A' || letter[0] > last) {
            fail(fmt::format("\"expected_answer\" is not the letter of one of the {} choices, A to {}", count, last));
        }
        return letter[0] - 'A';
    }

    static std::string question_part(std::string_view problem, std::string_view options) {
        if (options.empty() || !problem.ends_with(options)) return std::string(problem);
        problem.remove_suffix(options.size());
        while (problem.ends_with('\n')) problem.remove_suffix(1);
        return std::string(problem);
    }

    std::string where_;
    Json row_;
};

}  // namespace

PreparedFile read_prepared_file(std::string_view text, const std::string& file) {
    PreparedFile result;
    for (int line_number = 1; !text.empty(); ++line_number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
        const int number = static_cast<int>(result.questions.size());
        const RowReader reader(fmt::format("{}: {}", file, row_place(number, line_number)), line);
        result.questions.push_back(reader.read(number));
        result.lines.emplace_back(line);
        result.line_numbers.push_back(line_number);
    }
    if (result.questions.empty()) throw Error(file + ": no rows; expected one JSON object a line");
    return result;
}

std::string prepared_row(const Question& question) {
    const auto string_or_null = [](const std::optional<std::string>& text) { return text ? files::python_json_string(*text) : "null"; };
    std::string out = fmt::format(R"({{"expected_answer": "{}", "explanation": {}, "subset_for_metrics": {}, "difficulty": {}, "problem": {}, "options": {})",
                                  correct_letter(question), files::python_json_string(question.explanation),
                                  question.subdomain.empty() ? "null" : files::python_json_string(question.subdomain), string_or_null(question.difficulty),
                                  files::python_json_string(question.problem), files::python_json_string(options_text(question.choices)));
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        out += fmt::format(R"(, "{}": {})", letter_of(static_cast<int>(i)), files::python_json_string(question.choices[i]));
    }
    return out + "}";
}

}  // namespace assay::questions
