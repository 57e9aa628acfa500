#include "runners/drivers/cast_kept.hpp"

#include <algorithm>
#include <filesystem>

#include "datasets/checkpoints/fingerprint.hpp"
#include "harness/files/byte_reader.hpp"
#include "runners/drivers/shard_rewrite.hpp"

namespace assay::runners {

using namespace checkpoints;
namespace fs = std::filesystem;

bool is_kept(const cast::CastPlan& plan, std::uint32_t shard, const std::string& path, const cast::ShardRecord& record) {
    if (!fs::exists(path)) return false;
    const cast::FileIdentity now = identify(path);
    if (now.bytes != record.target.bytes) return false;
    if (now == record.target) return true;
    // Copied or touched since: its bytes decide.
    const cast::ShardPlan planned = plan.shard(shard);
    const auto reader = files::open_for_reading(path);
    files::Buffer buffer;
    const files::View head = reader->view(0, planned.header.size(), buffer);
    if (!head.whole() || std::string_view(reinterpret_cast<const char*>(head.bytes.data()), head.bytes.size()) != planned.header)
        return false;
    for (std::size_t i = 0; i < planned.tensors.size(); ++i) {
        const Tensor& tensor = planned.tensors[i].tensor;
        ByteDigest digest;
        constexpr std::uint64_t piece = std::uint64_t{4} << 20;
        for (std::uint64_t at = tensor.begin; at < tensor.end; at += piece) {
            const files::View view =
                reader->view(at, static_cast<std::size_t>(std::min(piece, tensor.end - at)), buffer);
            if (!view.whole()) return false;
            digest.add(view.bytes);
        }
        if (digest.value() != record.target_digests[i]) return false;
    }
    return true;
}

}  // namespace assay::runners
