// Protocol: what belongs together when a question is asked and its answer read, as one harness does it.
//
// Scores of two protocols are not comparable: each has its own clean-up, choice order, prompt and letter extractor.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/choice_order.hpp"
#include "datasets/questions/prompt.hpp"

namespace assay::questions {

struct Protocol {
    std::string name;            // "nemo"; with another's parts "nemo+prompt:gpt-oss", "nemo+order:inspect", or both in this order
    std::string_view about;      // one line for people: whose, of when, and what is not as there
    Prompt prompt;
    NamedOrder order;            // not used for a prepared file
    std::string_view extractor;  // name of the letter extractor
};

// All rows of the table, the default first. Taken from: NVIDIA/NeMo-Skills 0b012df8, openai/simple-evals ee3b0318, openai/gpt-oss
// 7b583341, EleutherAI/lm-evaluation-harness 0.4.13, UKGovernmentBEIS/inspect_evals 0.26.0 with inspect_ai 0.3.285,
// modelscope/evalscope fde259d2, open-compass/opencompass a5acc4bb.
[[nodiscard]] const std::vector<Protocol>& protocols();

// A harness that has no row, and the reason.
struct LeftOut {
    std::string_view name;
    std::string_view why;
};
[[nodiscard]] const std::vector<LeftOut>& protocols_left_out();

// By name as in Protocol::name. Throws assay::Error, naming those there are, where a protocol or part is not known.
[[nodiscard]] Protocol protocol_named(std::string_view name);

// `base` with the prompt and the choice order of other protocols, where given by the protocols' names; its extractor stays.
// Throws assay::Error where a name is not known.
[[nodiscard]] Protocol with_parts(Protocol base, const std::optional<std::string>& prompt, const std::optional<std::string>& order);

// Texts and choice order are those of the file that NeMo-Skills prepares.
[[nodiscard]] bool prepares_as_nemo(const Protocol& protocol);

}  // namespace assay::questions
