// Python's regular expression syntax to PCRE2's, for the part of it that pattern.hpp names.
#include <cassert>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scorers/multichoice/pattern.hpp"

namespace assay::multichoice {
namespace {

// str.isspace() of CPython 3.10 to 3.13: 29 code points.
constexpr std::string_view kSpace =
    R"(\x09-\x0d\x1c-\x20\x85\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
// Written out because PCRE2 10.43 widened its own \w (and with it \b) by marks and connectors.
constexpr std::string_view kWord = R"(\p{L}\p{N}_)";
constexpr std::string_view kDigit = R"(\p{Nd})";
constexpr std::string_view kFoldsToI = R"(\x{130}\x{131})";

class Translator {
public:
    Translator(std::string_view python, PatternFlags flags) : in_(python), flags_(flags) {}

    std::string run() {
        while (at_ < in_.size()) one();
        return out_;
    }

private:
    [[noreturn]] void refuse(const char* what) const {
        throw std::logic_error(std::string("python pattern with ") + what + ": " + std::string(in_));
    }

    char take() {
        if (at_ == in_.size()) refuse("an unfinished escape or class");
        return in_[at_++];
    }

    void one() {
        const char c = take();
        if (c == '\\') return escape();
        if (c == '[') return character_class();
        if (c == '(' && in_.substr(at_).starts_with("?P<")) {
            out_ += "(?<";
            at_ += 3;
            return;
        }
        if ((c == 'i' || c == 'I') && flags_.ignore_case && !in_group_head()) {
            out_ += '[';
            out_ += c;
            out_ += kFoldsToI;
            out_ += ']';
            return;
        }
        out_ += c;
    }

    // Inside "(?<name>" a letter is a name, not a literal.
    bool in_group_head() const {
        const std::size_t open = out_.rfind("(?<");
        if (open == std::string::npos || open + 3 >= out_.size()) return false;
        const char next = out_[open + 3];
        return next != '=' && next != '!' && out_.find('>', open) == std::string::npos;
    }

    void set(std::string_view members, bool negated) {
        out_ += negated ? "[^" : "[";
        out_ += members;
        out_ += ']';
    }

    void escape() {
        const char c = take();
        switch (c) {
            case 's': return set(kSpace, false);
            case 'S': return set(kSpace, true);
            case 'w': return set(kWord, false);
            case 'W': return set(kWord, true);
            case 'd': return set(kDigit, false);
            case 'D': return set(kDigit, true);
            case 'b': out_ += R"((?:(?<=[\p{L}\p{N}_])(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(?=[\p{L}\p{N}_])))"; return;
            case 'B': refuse("\\B");
            case 'Z': out_ += "\\z"; return;
            default: literal_escape(c);
        }
    }

    void literal_escape(char c) {
        if (c == 'u') {
            out_ += "\\x{";
            for (int i = 0; i < 4; ++i) out_ += take();
            out_ += '}';
            return;
        }
        if (c == 'p' || c == 'x') {
            if (at_ == in_.size() || in_[at_] != '{') refuse("an escape without braces");
            out_ += '\\';
            out_ += c;
            while (out_.back() != '}') out_ += take();
            return;
        }
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter && c != 'n' && c != 't' && c != 'r' && c != 'f') refuse("an unknown escape");
        out_ += '\\';
        out_ += c;
    }

    void character_class() {
        out_ += '[';
        if (at_ < in_.size() && in_[at_] == '^') out_ += take();
        bool holds_i = false;
        bool first = true;
        char before = 0;  // literal before a possible '-'
        while (true) {
            const char c = take();
            if (c == ']' && !first) break;
            first = false;
            if (c == '\\') {
                before = 0;
                class_escape();
                continue;
            }
            if (c == '-' && before != 0 && at_ < in_.size() && in_[at_] != ']' && in_[at_] != '\\') {
                const char last = take();
                holds_i = holds_i || (before <= 'i' && last >= 'i') || (before <= 'I' && last >= 'I');
                out_ += '-';
                out_ += last;
                before = 0;
                continue;
            }
            holds_i = holds_i || c == 'i' || c == 'I';
            before = c;
            if (c == '[') out_ += '\\';  // PCRE2 would read [: and [. as POSIX
            out_ += c;
        }
        if (holds_i && flags_.ignore_case) out_ += kFoldsToI;
        out_ += ']';
    }

    void class_escape() {
        const char c = take();
        switch (c) {
            case 's': out_ += kSpace; return;
            case 'w': out_ += kWord; return;
            case 'd': out_ += kDigit; return;
            case 'S': case 'W': case 'D': refuse("a negated set inside a class");
            default: literal_escape(c);
        }
    }

    std::string_view in_;
    PatternFlags flags_;
    std::size_t at_ = 0;
    std::string out_;
};

}  // namespace

std::string pcre2_from_python(std::string_view python, PatternFlags flags) { return Translator(python, flags).run(); }

}  // namespace assay::multichoice
