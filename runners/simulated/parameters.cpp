#include "runners/simulated/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "harness/error.hpp"
#include "harness/simulated/wire.hpp"
#include "runners/spelling.hpp"

namespace assay::runners {
namespace {

using P = SimulatedParameters;

template <class Number>
void read_number(const SimulatedParameter& row, std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw Error(fmt::format("simulated endpoint: {} takes a number, not '{}'", row.name, text));
}

void read(const SimulatedParameter& row, std::string_view text, P& parameters) {
    if (const auto* real = std::get_if<double P::*>(&row.member)) return read_number(row, text, parameters.*(*real));
    if (const auto* whole = std::get_if<std::int64_t P::*>(&row.member)) return read_number(row, text, parameters.*(*whole));
    parameters.*std::get<std::string P::*>(row.member) = text;
}

std::string print(const SimulatedParameter& row, const P& parameters) {
    return std::visit([&](const auto member) { return fmt::format("{}={}", row.name, parameters.*member); }, row.member);
}

// There are too many to list in an error.
std::string advice(std::string_view typed) {
    std::vector<std::string> names;
    for (const auto& row : simulated_parameters()) names.emplace_back(row.name);
    for (const auto& row : simulated::behavior_list()) names.emplace_back(row.name);
    const std::string nearest = nearest_name(std::string(typed), names);
    return nearest.empty() ? "`assay simulate --help` lists them" : fmt::format("did you mean '{}'?", nearest);
}

bool is_behavior(std::string_view name) {
    const auto& list = simulated::behavior_list();
    return std::any_of(list.begin(), list.end(), [name](const auto& row) { return row.name == name; });
}

void read_pair(std::string_view pair, P& parameters) {
    const std::size_t equals = pair.find('=');
    const std::string_view name = pair.substr(0, equals);
    if (is_behavior(name)) return add_behavior(parameters, pair);
    for (const auto& row : simulated_parameters()) {
        if (row.name != name) continue;
        if (equals == std::string_view::npos) throw Error(fmt::format("simulated endpoint: {} needs a value, as in {}", name, print(row, {})));
        return read(row, pair.substr(equals + 1), parameters);
    }
    throw Error(fmt::format("simulated endpoint: no parameter '{}': {}", name, advice(name)));
}

}  // namespace

const std::vector<SimulatedParameter>& simulated_parameters() {
    static const std::vector<SimulatedParameter> rows = {
        {"accuracy", &P::accuracy, 0, 1, true, "expected share of right answers, before truncation"},
        {"icc", &P::icc, 0, 1, true, "intra-class correlation: 0 all questions equally hard, 1 each always right or always wrong"},
        {"think-median", &P::think_median, 0, 1e6, true, "median of the tokens of thinking; 0 for none"},
        {"think-sigma", &P::think_sigma, 0, 5, true, "standard deviation of their logarithm"},
        {"answer-tokens", &P::answer_tokens, 0, 1e6, true, "tokens before the line with the letter"},
        {"first-token-ms", &P::first_token_ms, 0, 1e7, false, "milliseconds to the first token"},
        {"rate", &P::rate, 1e-3, 1e9, false, "tokens per second of one reply"},
        {"speed", &P::speed, 1e-6, 1e9, false, "divides both times above"},
        {"context", &P::context, 1, 1e9, true, "tokens of prompt and reply together"},
        {"wire", &P::wire, 0, 0, true, "whose form to speak: sglang, vllm, vllm-old, openrouter, openai or llama.cpp"},
    };
    return rows;
}

void add_behavior(P& parameters, std::string_view text) {
    const std::string_view name = text.substr(0, text.find('='));
    if (!is_behavior(name)) throw Error(fmt::format("simulated endpoint: no behavior '{}': {}", name, advice(name)));
    auto behavior = simulated::parse_behavior(text);
    std::erase_if(parameters.behaviors, [&](const auto& earlier) { return earlier.first == behavior.first; });
    parameters.behaviors.push_back(std::move(behavior));
}

void check_simulated(const P& parameters) {
    const auto check = [](const SimulatedParameter& row, double value) {
        if (!(value >= row.low && value <= row.high))
            throw Error(fmt::format("simulated endpoint: {} must lie from {} to {}, not {}", row.name, row.low, row.high, value));
    };
    for (const auto& row : simulated_parameters()) {
        if (const auto* real = std::get_if<double P::*>(&row.member)) check(row, parameters.*(*real));
        if (const auto* whole = std::get_if<std::int64_t P::*>(&row.member)) check(row, static_cast<double>(parameters.*(*whole)));
    }
    (void)simulated::make_wire(parameters.wire);
    (void)simulated::make_behaviors(parameters.behaviors);
}

P parse_simulated(std::string_view text) {
    P parameters;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        read_pair(text.substr(0, comma), parameters);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    check_simulated(parameters);
    return parameters;
}

std::string simulated_text(const P& parameters) {
    std::vector<std::string> parts;
    for (const auto& row : simulated_parameters()) parts.push_back(print(row, parameters));
    for (const auto& row : simulated::behavior_list())
        for (const auto& [name, value] : parameters.behaviors)
            if (name == row.name) parts.push_back(row.value.empty() ? name : name + "=" + value);
    return fmt::format("{}", fmt::join(parts, ","));
}

std::string simulated_answers_text(const P& parameters) {
    std::vector<std::string> parts;
    for (const auto& row : simulated_parameters())
        if (row.decides_answers) parts.push_back(print(row, parameters));
    return fmt::format("{}", fmt::join(parts, ","));
}

simulated::ServiceSettings service_settings(const P& parameters, const std::string& model) {
    simulated::ServiceSettings settings;
    settings.wire = parameters.wire;
    settings.model = model;
    settings.context = parameters.context;
    settings.speed = parameters.speed;
    settings.behaviors = parameters.behaviors;
    return settings;
}

}  // namespace assay::runners
