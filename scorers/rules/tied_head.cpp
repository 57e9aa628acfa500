#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_tied_head(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace checkpoints;
    const Checkpoint& checkpoint = input.opened.checkpoint;
    if (!checkpoint.model.tie_word_embeddings) return;
    const auto is_part = [](const std::string& name, std::string_view module) {
        const auto at = name.find(module);
        return at != std::string::npos && (at == 0 || name[at - 1] == '.');
    };
    const Tensor* head = nullptr;
    bool embeddings = false;
    for (const Tensor& tensor : checkpoint.tensors) {
        if (head == nullptr && is_part(tensor.name, "lm_head.")) head = &tensor;
        embeddings = embeddings || is_part(tensor.name, "embed_tokens.");
    }
    const auto say = [&](Severity severity, const Tensor* tensor, std::string message, std::string consequence) {
        findings.push_back({"model.tied_head",
                            severity,
                            tensor == nullptr ? std::string("config.json") : checkpoint.shards[tensor->shard].file,
                            tensor == nullptr ? std::string{} : tensor->name,
                            {},
                            {},
                            std::move(message),
                            std::move(consequence)});
    };
    if (*checkpoint.model.tie_word_embeddings && head != nullptr)
        say(Severity::warning, head, "tie_word_embeddings is true, and the checkpoint has an lm_head of its own",
            "vLLM and SGLang skip it and compute logits with the embeddings: right only where the two are equal");
    if (!*checkpoint.model.tie_word_embeddings && head == nullptr && embeddings)
        say(Severity::error, nullptr, "tie_word_embeddings is false, and no tensor is an lm_head",
            "the server has no weights for the logits: it fails, or leaves them at random");
}

}  // namespace assay::rules
