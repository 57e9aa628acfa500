#include "scorers/rules/pair_findings.hpp"

#include <fmt/format.h>

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
