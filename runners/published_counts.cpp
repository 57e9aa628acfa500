#include "runners/published_counts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"

namespace assay::runners {
namespace {

constexpr std::string_view allowed = "0123456789 \t\r\n,/";

[[noreturn]] void refuse(const std::string& source, const std::string& wrong) {
    throw Error(fmt::format("--against: {} in {}: expected right answers a seed, '/', and the number of questions, as in \"190 185 182 / 198\"", wrong, source));
}

std::vector<std::int64_t> numbers(std::string_view text, const std::string& source) {
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] < '0' || text[i] > '9') {
            ++i;
            continue;
        }
        std::int64_t number = 0;
        const auto result = std::from_chars(text.data() + i, text.data() + text.size(), number);
        if (result.ec != std::errc()) refuse(source, "a number is too large");
        out.push_back(number);
        i = static_cast<std::size_t>(result.ptr - text.data());
    }
    return out;
}

PublishedCounts parsed(std::string_view text, const std::string& source) {
    if (text.find_first_not_of(allowed) != std::string_view::npos) refuse(source, "something is no number");
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) refuse(source, "there is no '/'");
    if (text.find('/', slash + 1) != std::string_view::npos) refuse(source, "there is more than one '/'");
    PublishedCounts out;
    out.source = source;
    out.correct = numbers(text.substr(0, slash), source);
    const std::vector<std::int64_t> questions = numbers(text.substr(slash + 1), source);
    if (out.correct.empty()) refuse(source, "there are no right answers");
    if (questions.size() != 1 || questions[0] < 1) refuse(source, "the number of questions is missing, or not one number");
    out.questions = questions[0];
    for (const std::int64_t count : out.correct) {
        if (count > out.questions) refuse(source, fmt::format("{} is more than {} questions", count, out.questions));
    }
    return out;
}

}  // namespace

PublishedCounts read_published_counts(const std::string& given) {
    if (given.empty()) refuse("the command line", "nothing");
    if (given.find_first_not_of(allowed) == std::string::npos) return parsed(given, "the command line");
    // What is meant as counts and is not (percent, words) reads as the name of a file that is not there.
    std::error_code error;
    if (!std::filesystem::exists(given, error)) {
        throw Error(fmt::format("--against: '{}' is neither right answers a seed, as in \"190 185 182 / 198\", nor a file that is there", given));
    }
    return parsed(files::read_file(given), given);
}

}  // namespace assay::runners
