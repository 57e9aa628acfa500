#include "runners/drivers/cast_kept.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/fingerprint.hpp"
#include "harness/files/byte_reader.hpp"
#include "runners/drivers/shard_rewrite.hpp"

namespace assay::runners {

using namespace checkpoints;
namespace fs = std::filesystem;

namespace {

// Whether a file begins with `header` and holds tensors of these digests; tensor_at(i) says where. A shard takes seconds to
// minutes to read, and a cast has a hundred: each piece asks whether to go on.
template <class TensorAt>
std::optional<bool> holds(const std::string& path, std::string_view header, const std::vector<Digest>& digests, const Cancel* cancel,
                          const TensorAt& tensor_at) {
    constexpr std::uint64_t piece = std::uint64_t{4} << 20;
    const auto reader = files::open_for_reading(path);
    files::Buffer buffer;
    const files::View head = reader->view(0, header.size(), buffer);
    if (!head.whole() || std::string_view(reinterpret_cast<const char*>(head.bytes.data()), head.bytes.size()) != header)
        return false;
    for (std::size_t i = 0; i < digests.size(); ++i) {
        const Tensor& tensor = tensor_at(i);
        ByteDigest digest;
        for (std::uint64_t at = tensor.begin; at < tensor.end; at += piece) {
            if (cancel != nullptr && cancel->raised()) return std::nullopt;
            const files::View view =
                reader->view(at, static_cast<std::size_t>(std::min(piece, tensor.end - at)), buffer);
            if (!view.whole()) return false;
            digest.add(view.bytes);
        }
        if (digest.value() != digests[i]) return false;
    }
    return true;
}

}  // namespace

std::optional<bool> is_kept(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path, const cast::ShardRecord& record,
                            const Cancel* cancel) {
    if (!fs::exists(path)) return false;
    const cast::FileIdentity now = identify(path);
    if (now.bytes != record.target.bytes) return false;
    if (now.untouched_since(record.target)) return true;
    // Copied, touched or replaced since: its bytes decide.
    const cast::ShardPlan planned = plan.shard(shard);
    if (planned.tensors.size() != record.target_digests.size()) return false;
    return holds(path, planned.header, record.target_digests, cancel,
                 [&](std::size_t i) -> const Tensor& { return planned.tensors[i].tensor; });
}

std::optional<bool> is_source_of(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path, const cast::ShardRecord& record,
                                 const Cancel* cancel) {
    const cast::FileIdentity now = identify(path);
    if (now != record.source) return false;
    if (now.untouched_since(record.source)) return true;
    const std::span<const std::uint32_t> tensors = plan.tensors_of(shard);
    if (tensors.size() != record.source_digests.size()) return false;
    return holds(path, record.source_header, record.source_digests, cancel,
                 [&](std::size_t i) -> const Tensor& { return plan.source().checkpoint.tensors[tensors[i]]; });
}

}  // namespace assay::runners
