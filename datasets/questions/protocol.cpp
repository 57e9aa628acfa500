#include "datasets/questions/protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/questions/clean_up.hpp"
#include "harness/error.hpp"

namespace assay::questions {
namespace {

constexpr std::string_view prompt_mark = "+prompt:";
constexpr std::string_view order_mark = "+order:";

constexpr NamedOrder nemo_order{"nemo", [] { return shuffled_from_one_seed(42); }};
constexpr NamedOrder simple_evals_order{"simple-evals", [] { return sampled_from_one_seed(0); }};
constexpr NamedOrder lm_eval_order{"lm-eval", [] { return shuffled_from_one_seed(0); }};
constexpr NamedOrder inspect_order{"inspect", [] { return shuffled_correct_first(42); }};
constexpr NamedOrder evalscope_order{"evalscope", shuffled_from_question};
constexpr NamedOrder opencompass_order{"opencompass", turned_by_row};

const Protocol& row_named(std::string_view name, std::string_view flag) {
    std::vector<std::string_view> names;
    for (const Protocol& protocol : protocols()) {
        if (protocol.name == name) return protocol;
        names.push_back(protocol.name);
    }
    std::string why;
    for (const LeftOut& left_out : protocols_left_out()) {
        if (left_out.name == name) why = fmt::format(" ({})", left_out.why);
    }
    throw Error(fmt::format("no protocol is called '{}'{}; expected {} {}", name, why, flag, fmt::join(names, ", ")));
}

// What stands behind `mark` in `name`, which loses it; nothing where it is not there.
std::optional<std::string> cut_off(std::string_view& name, std::string_view mark) {
    const std::size_t at = name.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    std::string part(name.substr(at + mark.size()));
    name = name.substr(0, at);
    return part;
}

}  // namespace

const std::vector<Protocol>& protocols() {
    static const std::vector<Protocol> table{
        {"nemo", "NeMo-Skills as of November 2025", nemo_prompt(), nemo_order, "nemo-v3"},
        {"nemo-boxed", "NeMo-Skills as of November 2025 with its mcq-4choices-boxed prompt", nemo_boxed_prompt(), nemo_order, "nemo-v3"},
        {"simple-evals", "OpenAI simple-evals; every seed has the choice order of its first repeat", simple_evals_prompt(), simple_evals_order,
         "simple-evals"},
        {"gpt-oss", "OpenAI gpt-oss evals; every seed has the choice order of its first repeat", gpt_oss_prompt(), simple_evals_order, "gpt-oss"},
        {"lm-eval", "lm-evaluation-harness 0.4.13, gpqa_*_cot_zeroshot as the only task of a run with its default seed, flexible-extract",
         lm_eval_prompt(), lm_eval_order, "lm-eval-flexible"},
        {"inspect", "inspect_evals 0.26.0, gpqa_diamond with its default seed 42", inspect_prompt(), inspect_order, "inspect"},
        {"evalscope", "evalscope as of August 2026, gpqa_diamond, 0-shot", evalscope_prompt(), evalscope_order, "evalscope"},
        {"opencompass", "OpenCompass as of August 2026, gpqa_gen", opencompass_prompt(), opencompass_order, "opencompass"},
    };
    return table;
}

const std::vector<LeftOut>& protocols_left_out() {
    static const std::vector<LeftOut> table{
        {"artificial-analysis", "how it orders the choices of an attempt is not published; --protocol nemo asks in its words, --extractor aa-cascade reads as it does"},
        {"lighteval", "it places the correct choice by Python's global generator, whose state depends on what ran before"},
    };
    return table;
}

Protocol protocol_named(std::string_view name) {
    const auto order = cut_off(name, order_mark);
    const auto prompt = cut_off(name, prompt_mark);
    return with_parts(row_named(name, "--protocol"), prompt, order);
}

Protocol with_parts(Protocol base, const std::optional<std::string>& prompt, const std::optional<std::string>& order) {
    const std::size_t own_name = base.name.size();
    if (prompt) {
        const Prompt& other = row_named(*prompt, "--prompt").prompt;
        if (other.name != base.prompt.name) base.name.append(prompt_mark).append(other.name);
        base.prompt = other;
    }
    if (order) {
        const NamedOrder& other = row_named(*order, "--choice-order").order;
        if (other.name != base.order.name) base.name.append(order_mark).append(other.name);
        base.order = other;
    }
    if (base.name.size() > own_name) base.about = "parts of more than one harness";
    return base;
}

bool prepares_as_nemo(const Protocol& protocol) {
    return protocol.prompt.choice == &clean_text && protocol.order.name == nemo_order.name;
}

}  // namespace assay::questions
