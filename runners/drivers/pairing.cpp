#include "runners/drivers/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scorers/statistics/columns.hpp"

namespace assay::runners {
namespace {

using questions::Question;

// NeMo-Skills' rows hold no choices of their own: only the text of question and choices together.
bool knows_choices(const Question& question) {
    return std::any_of(question.choices.begin(), question.choices.end(), [](const std::string& choice) { return !choice.empty(); });
}

enum class Same : unsigned char { yes, other_order, other_question };

Same compared(const Question& a, const Question& b) {
    const bool both_texts = !a.text.empty() && !b.text.empty();
    if (both_texts && a.text != b.text) return Same::other_question;
    if (!both_texts && !a.problem.empty() && !b.problem.empty() && a.problem != b.problem) return Same::other_question;
    if (a.correct != b.correct) return Same::other_order;
    return knows_choices(a) && knows_choices(b) && a.choices != b.choices ? Same::other_order : Same::yes;
}

// Same words, whichever of them both runs have.
std::string identity_of(const Question& question, bool by_text) { return by_text ? question.text : question.problem; }

std::vector<std::pair<std::size_t, std::size_t>> matched(const std::vector<Question>& a, const std::vector<Question>& b) {
    const auto has_text = [](const Question& question) { return !question.text.empty(); };
    const bool by_text = std::all_of(a.begin(), a.end(), has_text) && std::all_of(b.begin(), b.end(), has_text);
    std::multimap<std::string, std::size_t> rows_of_b;
    for (std::size_t row = 0; row < b.size(); ++row) rows_of_b.emplace(identity_of(b[row], by_text), row);
    std::vector<std::pair<std::size_t, std::size_t>> rows;
    for (std::size_t row = 0; row < a.size(); ++row) {
        const std::string identity = identity_of(a[row], by_text);
        const auto found = identity.empty() ? rows_of_b.end() : rows_of_b.find(identity);
        if (found == rows_of_b.end()) continue;
        rows.emplace_back(row, found->second);
        rows_of_b.erase(found);
    }
    return rows;
}

void add_question_differences(Pairing& out, const std::vector<Question>& a, const std::vector<Question>& b) {
    if (a.size() != b.size()) out.differences.push_back(fmt::format("questions: A asks {}, B asks {}", a.size(), b.size()));
    std::size_t other_questions = 0;
    std::size_t other_orders = 0;
    const std::size_t common = std::min(a.size(), b.size());
    bool unread = false;
    for (std::size_t row = 0; row < common; ++row) {
        const Same same = compared(a[row], b[row]);
        other_questions += same == Same::other_question ? 1 : 0;
        other_orders += same == Same::other_order ? 1 : 0;
        unread = unread || ((a[row].text.empty() || b[row].text.empty()) && (a[row].problem.empty() || b[row].problem.empty()));
    }
    if (other_questions > 0) out.differences.push_back(fmt::format("questions: {} of the first {} rows hold another question, or ask it in other words or "
                                                                   "with its choices in another order", other_questions, common));
    if (other_orders > 0) out.differences.push_back(fmt::format("choice order: {} of the first {} rows have their choices or the right letter elsewhere",
                                                                other_orders, common));
    out.same_order = other_orders == 0 && other_questions == 0;
    if (unread) out.notes.emplace_back("one of the runs does not hold the texts of its questions: only their right letters were compared");
    out.same_questions = a.size() == b.size() && other_questions == 0;
}

// Results files hold no plan: what they were asked with is the user's to know.
void add_unknown(Pairing& out, const runs::Plan& a, const runs::Plan& b) {
    const bool unknown_a = a.prompts_sha256.empty();
    const bool unknown_b = b.prompts_sha256.empty();
    if (!unknown_a && !unknown_b) return;
    out.notes.push_back(fmt::format("{} NeMo-Skills results, whose files do not say in what words, with what sampling and with what budget they were asked: "
                                    "these could not be compared",
                                    unknown_a && unknown_b ? "both are" : unknown_a ? "A is of" : "B is of"));
}

void add_plan_differences(Pairing& out, const runs::Plan& a, const runs::Plan& b) {
    if (!a.protocol.empty() && !b.protocol.empty() && a.protocol != b.protocol) {
        out.differences.push_back(fmt::format("prompt: A asks as protocol '{}' does, B as '{}'", a.protocol, b.protocol));
    }
    const bool hashed = !a.prompts_sha256.empty() && !b.prompts_sha256.empty();
    if (hashed && a.prompts_sha256 != b.prompts_sha256 && out.differences.empty()) {
        out.differences.emplace_back("prompt: the texts sent differ (the plans have different prompts_sha256)");
    }
    const auto differs = [&](const char* name, const auto& x, const auto& y) {
        if (x && y && *x != *y) out.notes.push_back(fmt::format("{}: A {}, B {}", name, *x, *y));
    };
    differs("temperature", a.sampling.temperature, b.sampling.temperature);
    differs("top_p", a.sampling.top_p, b.sampling.top_p);
    differs("reasoning effort", a.sampling.reasoning_effort, b.sampling.reasoning_effort);
    differs("budget in tokens", a.budget, b.budget);
}

}  // namespace

Pairing pair_questions(const RejudgedRun& a, const RejudgedRun& b) {
    Pairing out;
    add_question_differences(out, a.set.questions, b.set.questions);
    add_plan_differences(out, a.header.plan, b.header.plan);
    add_unknown(out, a.header.plan, b.header.plan);
    if (a.extractors.front() != b.extractors.front()) {
        out.differences.push_back(fmt::format("extractor: A is read by {}, B by {}; --extractor NAME reads both alike", a.extractors.front()->name,
                                              b.extractors.front()->name));
    }
    if (out.same_questions) {
        for (std::size_t row = 0; row < a.set.questions.size(); ++row) out.rows.emplace_back(row, row);
    } else {
        out.rows = matched(a.set.questions, b.set.questions);
    }
    return out;
}

statistics::SeedTable rows_of(const statistics::SeedTable& table, const std::vector<std::size_t>& rows) {
    statistics::SeedTable out;
    out.seeds = table.seeds;
    for (const std::size_t row : rows) {
        out.questions.push_back(table.questions[row]);
        out.domains.push_back(table.domains[row]);
        out.subdomains.push_back(table.subdomains[row]);
        for (std::size_t column = 0; column < table.columns(); ++column) out.cells.push_back(table.cell(row, column));
    }
    return out;
}

statistics::SeedTable without_seed(const statistics::SeedTable& table, int seed) {
    statistics::SeedTable out = table;
    out.seeds.clear();
    out.cells.clear();
    const std::vector<std::size_t> columns = statistics::columns_without(table, seed);
    for (const std::size_t column : columns) out.seeds.push_back(table.seeds[column]);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const std::size_t column : columns) out.cells.push_back(table.cell(row, column));
    }
    return out;
}

}  // namespace assay::runners
