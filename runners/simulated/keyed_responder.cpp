#include "runners/simulated/keyed_responder.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_map>

#include "harness/error.hpp"
#include "runners/simulated/difficulty.hpp"

namespace assay::runners {

using simulated::ChatCall;
using simulated::mix;
using simulated::Script;
using simulated::Text;
using simulated::unit;

namespace {

enum Purpose : std::uint64_t { purpose_order, purpose_right, purpose_wrong, purpose_angle, purpose_radius, purpose_reasoning, purpose_content, purpose_greedy, purpose_no_seed, purpose_seed };

std::uint64_t hash_of(const std::string& text) {
    return XXH3_64bits(text.data(), text.size());
}

// One number for all that a reply to (question, seed) depends on.
std::uint64_t draw_of(const ChatCall& call) {
    const std::uint64_t question = hash_of(call.question());
    if (call.temperature && *call.temperature == 0) return mix(question, purpose_greedy);
    if (!call.seed) return mix(question, purpose_no_seed);
    return mix(mix(question, purpose_seed), static_cast<std::uint64_t>(*call.seed));
}

double normal(std::uint64_t draw) {
    const double radius = std::sqrt(-2 * std::log(1 - unit(mix(draw, purpose_radius))));
    return radius * std::cos(2 * std::numbers::pi * unit(mix(draw, purpose_angle)));
}

char letter(std::uint64_t index) {
    return static_cast<char>('A' + index);
}

}  // namespace

struct KeyedResponder::Key {
    int choices = 0;
    int correct = 0;
    double probability = 0;
};

struct KeyedResponder::Keys {
    std::unordered_map<std::string, Key> by_prompt;
};

KeyedResponder::KeyedResponder(const std::vector<KeyedPrompt>& prompts, const SimulatedParameters& parameters)
    : parameters_(parameters), keys_(std::make_unique<Keys>()) {
    // Which question is hard depends on its text, not on its place in the file.
    std::vector<std::size_t> order(prompts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) { return std::pair(mix(hash_of(prompts[i].prompt), purpose_order), i); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    const std::vector<double> spread = spread_of_difficulty(prompts.size(), parameters_.accuracy, parameters_.icc);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const KeyedPrompt& prompt = prompts[order[i]];
        if (prompt.choices < 1 || prompt.choices > 26 || prompt.correct < 0 || prompt.correct >= prompt.choices)
            throw Error(fmt::format("simulated endpoint: question {} has {} choices and choice {} as the right one", prompt.question, prompt.choices, prompt.correct));
        keys_->by_prompt[prompt.prompt] = {prompt.choices, prompt.correct, spread[i]};
    }
}

KeyedResponder::~KeyedResponder() = default;

double KeyedResponder::probability(const std::string& prompt) const {
    const auto found = keys_->by_prompt.find(prompt);
    if (found == keys_->by_prompt.end()) throw Error("simulated endpoint: this prompt is not in the question set");
    return found->second.probability;
}

std::string KeyedResponder::final_words(const std::string& prompt, std::uint64_t draw) const {
    const auto found = keys_->by_prompt.find(prompt);
    if (found == keys_->by_prompt.end()) {
        if (std::string sum = computed_sum(prompt); !sum.empty()) return "\n\n" + sum;
        return fmt::format("\n\nAnswer: {}", letter(mix(draw, purpose_wrong) % 4));
    }
    const Key& key = found->second;
    auto chosen = static_cast<std::uint64_t>(key.correct);
    if (unit(mix(draw, purpose_right)) >= key.probability && key.choices > 1) {
        chosen = mix(draw, purpose_wrong) % static_cast<std::uint64_t>(key.choices - 1);
        if (chosen >= static_cast<std::uint64_t>(key.correct)) ++chosen;
    }
    return fmt::format("\n\nAnswer: {}", letter(chosen));
}

Script KeyedResponder::answer(const ChatCall& call) const {
    const std::uint64_t draw = draw_of(call);
    Script script;
    if (call.reasoning_effort != "none" && parameters_.think_median > 0) {
        const double tokens = parameters_.think_median * std::exp(parameters_.think_sigma * normal(draw));
        script.reasoning = Text(mix(draw, purpose_reasoning), static_cast<std::int64_t>(std::clamp(std::round(tokens), 1.0, 1e8)));
    }
    script.content = Text(mix(draw, purpose_content), parameters_.answer_tokens, final_words(call.question(), draw));
    script.first_token = std::chrono::nanoseconds(static_cast<std::int64_t>(parameters_.first_token_ms * 1e6));
    script.tokens_per_second = parameters_.rate;
    return script;
}

}  // namespace assay::runners
