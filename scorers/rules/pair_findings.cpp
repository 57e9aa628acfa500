#include "scorers/rules/pair_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace assay::rules {
namespace {

using namespace checkpoints;

std::string described(const Tensor& tensor) {
    return fmt::format("{} {}", to_string(tensor.dtype), shape_text(tensor.shape));
}

Finding about(const char* rule, Severity severity, const Checkpoint& checkpoint, const Tensor& tensor,
              std::string message, std::string consequence) {
    return {rule,
            severity,
            checkpoint.shards[tensor.shard].file,
            tensor.name,
            {},
            {},
            std::move(message),
            std::move(consequence)};
}

std::string text(const std::string& value) { return value.empty() ? "not given" : value; }
std::string text(const std::vector<std::string>& values) {
    return values.empty() ? "not given" : fmt::to_string(fmt::join(values, ", "));
}
std::string text(const std::optional<bool>& value) { return !value ? "not given" : *value ? "true" : "false"; }
std::string text(const std::optional<std::uint64_t>& value) { return value ? fmt::to_string(*value) : "not given"; }

// Fields that a conversion of weights has no business with.
void compare_models(const ModelConfig& source, const ModelConfig& target, std::vector<Finding>& findings) {
    if (!source.present || !target.present) return;
    const auto compare = [&](const char* field, const auto& of_source, const auto& of_target) {
        if (of_source == of_target) return;
        findings.push_back({"pair.config",
                            Severity::warning,
                            "config.json",
                            {},
                            {},
                            {},
                            fmt::format("{} is {} in the source and {} here", field, text(of_source), text(of_target)),
                            "the server builds another model, or fails to"});
    };
    compare("architectures", source.architectures, target.architectures);
    compare("model_type", source.model_type, target.model_type);
    compare("tie_word_embeddings", source.tie_word_embeddings, target.tie_word_embeddings);
    const auto compare_given = [&](const char* field, const auto& of_source, const auto& of_target) {
        if (of_source && of_target) compare(field, of_source, of_target);
    };
    compare_given("num_hidden_layers", source.layers, target.layers);
    compare_given("linear_attn_config.num_heads", source.linear_heads, target.linear_heads);
    compare_given("linear_attn_config.head_dim", source.linear_head_dim, target.linear_head_dim);
}

// By tensor: whether it belongs to an FP4 weight.
std::vector<bool> parts_of_fp4(const Opened& opened) {
    std::vector<bool> parts(opened.checkpoint.tensors.size(), false);
    for (const Module& module : opened.recognition.modules) {
        if (layout_of(module.layout).fp4()) parts[module.payload] = parts[module.scale] = true;
    }
    return parts;
}

}  // namespace

std::string_view to_string(Severity severity) noexcept {
    return severity == Severity::note ? "note" : severity == Severity::warning ? "warning" : "error";
}

std::vector<Finding> pair_findings(const Opened& source, const Opened& target, const Pairing& pairing,
                                   const bit_exact::PairAudit& audit) {
    std::vector<Finding> findings;
    std::set<std::uint32_t> named_in_source;
    std::set<std::uint32_t> named_in_target;
    const std::vector<bool> fp4 = parts_of_fp4(source);
    for (const bit_exact::Renamed& renamed : audit.renamed) {
        named_in_source.insert(renamed.source);
        named_in_target.insert(renamed.target);
        const Tensor& tensor = source.checkpoint.tensors[renamed.source];
        findings.push_back(about("pair.renamed", fp4[renamed.source] ? Severity::error : Severity::warning,
                                 source.checkpoint, tensor,
                                 fmt::format("the target holds the bytes of this {} as {}", described(tensor),
                                             target.checkpoint.tensors[renamed.target].name),
                                 fp4[renamed.source]
                                     ? "the weight was not compared block by block; a server that looks for the source's "
                                       "name cannot load it"
                                     : "a server finds it only where its loader maps the name"));
    }
    for (const std::uint32_t index : pairing.missing) {
        if (named_in_source.count(index) != 0) continue;
        const Tensor& tensor = source.checkpoint.tensors[index];
        findings.push_back(about("pair.missing", Severity::error, source.checkpoint, tensor,
                                 fmt::format("{} of the source has no counterpart", described(tensor)),
                                 "a server that needs it cannot load the checkpoint, or initialises it at random"));
    }
    for (const std::uint32_t index : pairing.extra) {
        if (named_in_target.count(index) != 0) continue;
        const Tensor& tensor = target.checkpoint.tensors[index];
        findings.push_back(about("pair.extra", Severity::warning, target.checkpoint, tensor,
                                 fmt::format("{} stands in the target alone", described(tensor)),
                                 "loaders ignore it or refuse it, depending on the server"));
    }
    compare_models(source.checkpoint.model, target.checkpoint.model, findings);
    for (const Mismatch& mismatch : pairing.mismatches) {
        findings.push_back({"pair.mismatch",
                            Severity::error,
                            {},
                            mismatch.name,
                            {},
                            {},
                            mismatch.message,
                            "the two cannot be compared"});
    }
    for (const bit_exact::TensorDifference& difference : audit.tensor_differences) {
        const Tensor* const tensor = target.checkpoint.find(difference.tensor);
        findings.push_back(about("pair.bytes", Severity::error, target.checkpoint, *tensor,
                                 fmt::format("{} of {} bytes differ from the source, the first at byte {}",
                                             difference.bytes, tensor->bytes(), difference.first_byte),
                                 "the server computes with other values"));
    }
    for (const bit_exact::Unreadable& unreadable : audit.unreadable) {
        findings.push_back({"pair.unreadable",
                            Severity::error,
                            unreadable.shard,
                            unreadable.tensor,
                            {},
                            {},
                            unreadable.fault,
                            "what it belongs to was not compared"});
    }
    return findings;
}

}  // namespace assay::rules
