#include "scorers/rules/digest_findings.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace assay::rules {
namespace {

using namespace checkpoints;

constexpr const char* other_values = "the server computes with other values than the source has";

Finding about_file(Severity severity, const std::string& file, std::string message, std::string consequence) {
    return {"rebuild.file", severity, file, {}, {}, {}, std::move(message), std::move(consequence)};
}

Finding about_tensor(const std::string& tensor, std::string message, std::string consequence) {
    return {"rebuild.tensor", Severity::error, {}, tensor, {}, {}, std::move(message), std::move(consequence)};
}

class Comparing {
public:
    Comparing(const RebuiltDigests& rebuilt, const DigestList& given, DigestCounts& counts)
        : rebuilt_(rebuilt), given_(given), counts_(counts) {}

    std::vector<Finding> findings() {
        compare_tensors();
        compare_files();
        if (!given_.fingerprint.empty() && !rebuilt_.list.fingerprint.empty() &&
            given_.fingerprint != rebuilt_.list.fingerprint) {
            findings_.push_back({"rebuild.fingerprint",
                                 Severity::error,
                                 {},
                                 {},
                                 {},
                                 {},
                                 fmt::format("the rebuilt source has {}, the source {}", rebuilt_.list.fingerprint,
                                             given_.fingerprint),
                                 "some tensor is another"});
        }
        return std::move(findings_);
    }

private:
    void compare_tensors() {
        std::map<std::string_view, const TensorDigest*> made;
        for (const TensorDigest& one : rebuilt_.list.tensors) made.emplace(one.tensor, &one);
        for (const TensorDigest& wanted : given_.tensors) {
            ++counts_.tensors;
            const auto found = made.find(wanted.tensor);
            if (found == made.end()) {
                missing(wanted.tensor);
                continue;
            }
            const TensorDigest& one = *found->second;
            if (one.sha256 == wanted.sha256 && one.dtype == wanted.dtype && one.shape == wanted.shape) {
                ++counts_.tensors_same;
            } else if (one.sha256 == wanted.sha256) {
                findings_.push_back(about_tensor(wanted.tensor, "has the source's bytes under another dtype or shape",
                                                 "the two cannot be the same tensor"));
            } else {
                findings_.push_back(about_tensor(
                    wanted.tensor, fmt::format("its sha256 is {}, the source's {}", one.sha256, wanted.sha256),
                    other_values));
            }
            made.erase(found);
        }
        if (given_.tensors.empty()) return;
        for (const auto& [name, one] : made)
            findings_.push_back(
                about_tensor(one->tensor, "is not among the source's digests", "the source has no such tensor"));
    }

    // Nothing is said where it may be one of those that were not rebuilt, each of which has a finding of its own.
    void missing(const std::string& tensor) {
        if (rebuilt_.refused.empty())
            findings_.push_back(about_tensor(tensor, "of the source has no counterpart",
                                             "a server that needs it cannot load the checkpoint"));
    }

    void compare_files() {
        std::multimap<std::string_view, const FileDigest*> made;
        for (const FileDigest& one : rebuilt_.list.files) made.emplace(one.file, &one);
        const bool same_tensors = counts_.tensors > 0 && counts_.tensors_same == counts_.tensors;
        for (const FileDigest& wanted : given_.files) {
            if (!wanted.file.ends_with(".safetensors")) continue;
            ++counts_.files;
            const auto [first, last] = made.equal_range(wanted.file);
            std::string found;
            bool same = false;
            for (auto one = first; one != last; ++one) {
                same = same || one->second->sha256 == wanted.sha256;
                found += (found.empty() ? "" : " or, with __metadata__, ") + one->second->sha256;
            }
            counts_.files_same += same ? 1 : 0;
            if (same || (found.empty() && !rebuilt_.refused.empty())) continue;
            if (found.empty()) {
                findings_.push_back(about_file(same_tensors ? Severity::warning : Severity::error, wanted.file,
                                               "no shard of that name stands in the checkpoint",
                                               "its tensors were moved, or are gone"));
            } else {
                findings_.push_back(
                    about_file(same_tensors ? Severity::warning : Severity::error, wanted.file,
                               fmt::format("its sha256 would be {}; the source's is {}", found, wanted.sha256),
                               same_tensors ? "its tensors are the source's, its header or their order is not"
                                            : "a tensor of it has other bytes, or its header was written otherwise: digests "
                                              "of tensors would tell"));
            }
        }
    }

    const RebuiltDigests& rebuilt_;
    const DigestList& given_;
    DigestCounts& counts_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> rebuild_findings(const RebuiltDigests& rebuilt) {
    std::vector<Finding> findings;
    for (const NotRebuilt& one : rebuilt.refused)
        findings.push_back({"rebuild.refused", Severity::warning, one.shard, one.tensor, one.row, one.block, one.message,
                            "its source cannot be rebuilt, and digests prove nothing about it"});
    return findings;
}

std::vector<Finding> digest_findings(const RebuiltDigests& rebuilt, const DigestList& given, DigestCounts& counts) {
    counts = {};
    return Comparing(rebuilt, given, counts).findings();
}

}  // namespace assay::rules
