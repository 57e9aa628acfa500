#define PCRE2_CODE_UNIT_WIDTH 8
#include "scorers/multichoice/pattern.hpp"

#include <pcre2.h>

#include <cassert>
#include <new>
#include <stdexcept>
#include <utility>

namespace assay::multichoice {
namespace {

struct Free {
    void operator()(pcre2_code* p) const noexcept { pcre2_code_free(p); }
    void operator()(pcre2_match_data* p) const noexcept { pcre2_match_data_free(p); }
    void operator()(pcre2_compile_context* p) const noexcept { pcre2_compile_context_free(p); }
    void operator()(pcre2_match_context* p) const noexcept { pcre2_match_context_free(p); }
    void operator()(pcre2_jit_stack* p) const noexcept { pcre2_jit_stack_free(p); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

template <class T>
Owned<T> owned(T* p) {
    if (p == nullptr) throw std::bad_alloc();
    return Owned<T>(p);
}

constexpr std::uint32_t kMostGroups = 16;

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

// Every limit lifted: a search ends with an answer, however long the text.
Owned<pcre2_match_context> unlimited() {
    auto context = owned(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(context.get(), UINT32_MAX);
    pcre2_set_depth_limit(context.get(), UINT32_MAX);
    pcre2_set_heap_limit(context.get(), UINT32_MAX);
    return context;
}

// One a thread, as wide as any pattern here needs: making one anew costs more than most searches.
pcre2_match_data* match_data() {
    thread_local const auto data = owned(pcre2_match_data_create(kMostGroups, nullptr));
    return data.get();
}

std::uint32_t groups_of(const pcre2_code* code) {
    std::uint32_t captures = 0;
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &captures);
    return captures + 1;
}

}  // namespace

struct Pattern::Code {
    Owned<pcre2_code> compiled;
    std::uint32_t groups = 0;
    Owned<pcre2_match_context> context = unlimited();  // only read by searches

    std::optional<Match> run(Utf8View text, std::size_t from, std::uint32_t options) const;
};

std::optional<Match> Pattern::Code::run(Utf8View text, std::size_t from, std::uint32_t options) const {
    pcre2_match_data* const data = match_data();
    const auto match = [&](std::uint32_t more) {
        return pcre2_match(compiled.get(), units(text.bytes()), text.size(), from,
                           options | more | PCRE2_NO_UTF_CHECK, data, context.get());
    };
    int result = match(0);
    // The JIT's stack is the machine's own 32 KiB; the interpreter's is the heap.
    if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = match(PCRE2_NO_JIT);
    if (result == PCRE2_ERROR_NOMEMORY) throw std::bad_alloc();
    if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
    if (result < 0) throw std::logic_error("pcre2_match failed with " + std::to_string(result));

    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data);
    Match found{ends[0], ends[1], {}};
    found.groups.resize(groups);
    for (std::uint32_t i = 0; i < groups; ++i) {
        if (ends[2 * i] == PCRE2_UNSET) continue;
        found.groups[i] = text.substr(ends[2 * i], ends[2 * i + 1] - ends[2 * i]);
    }
    return found;
}

Pattern::Pattern(std::string_view python, PatternFlags flags) : code_(std::make_unique<Code>()) {
    if (python.starts_with("(?i)")) {
        python.remove_prefix(4);
        flags.ignore_case = true;
    }
    const std::string translated = pcre2_from_python(python, flags);
    std::uint32_t options = PCRE2_UTF | PCRE2_UCP;
    if (flags.ignore_case) options |= PCRE2_CASELESS;
    if (flags.dot_all) options |= PCRE2_DOTALL;
    if (flags.multi_line) options |= PCRE2_MULTILINE | PCRE2_ALT_CIRCUMFLEX;
    const auto context = owned(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    PCRE2_SIZE offset = 0;
    code_->compiled.reset(pcre2_compile(units(translated), translated.size(), options, &error, &offset, context.get()));
    if (!code_->compiled) throw std::logic_error("pattern does not compile: " + translated);
    code_->groups = groups_of(code_->compiled.get());
    if (code_->groups > kMostGroups) throw std::logic_error("pattern with too many groups: " + translated);
    // Where the JIT is not to be had (a hardened kernel, an unknown processor) the interpreter does the same, slower.
    (void)pcre2_jit_compile(code_->compiled.get(), PCRE2_JIT_COMPLETE);
}

Pattern::~Pattern() = default;

std::optional<Match> Pattern::first(Utf8View text, std::size_t from) const {
    assert(from <= text.size());
    return code_->run(text, from, 0);
}

std::optional<Match> Pattern::at(Utf8View text, std::size_t at) const {
    assert(at <= text.size());
    return code_->run(text, at, PCRE2_ANCHORED);
}

namespace {

// Calls `visit` with each match; Python's rule for empty ones: never a second empty match at the same place.
template <class Next, class Visit>
void walk(Utf8View text, const Next& next, const Visit& visit) {
    std::size_t from = 0;
    bool after_empty = false;
    while (from <= text.size()) {
        auto match = next(from, after_empty);
        if (!match) return;
        from = match->end;
        after_empty = match->begin == match->end;
        visit(std::move(*match));
    }
}

}  // namespace

std::vector<Match> Pattern::all(Utf8View text) const {
    std::vector<Match> found;
    walk(
        text,
        [&](std::size_t from, bool after_empty) { return code_->run(text, from, after_empty ? PCRE2_NOTEMPTY_ATSTART : 0); },
        [&](Match&& match) { found.push_back(std::move(match)); });
    return found;
}

std::optional<Match> Pattern::last(Utf8View text) const {
    std::optional<Match> found;
    walk(
        text,
        [&](std::size_t from, bool after_empty) { return code_->run(text, from, after_empty ? PCRE2_NOTEMPTY_ATSTART : 0); },
        [&](Match&& match) { found = std::move(match); });
    return found;
}

std::string Pattern::replaced(Utf8View text, std::string_view replacement) const {
    std::string out(text.size() + text.size() / 2 + 16, '\0');
    while (true) {
        PCRE2_SIZE length = out.size();
        const int result = pcre2_substitute(
            code_->compiled.get(), units(text.bytes()), text.size(), 0,
            PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH | PCRE2_NO_UTF_CHECK, nullptr,
            code_->context.get(), units(replacement), replacement.size(), reinterpret_cast<PCRE2_UCHAR*>(out.data()), &length);
        if (result >= 0) {
            out.resize(length);
            return out;
        }
        if (result != PCRE2_ERROR_NOMEMORY) throw std::logic_error("pcre2_substitute failed with " + std::to_string(result));
        out.resize(length);  // what it says it needs
    }
}

}  // namespace assay::multichoice
