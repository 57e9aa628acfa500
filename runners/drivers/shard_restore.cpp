#include "runners/drivers/shard_restore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "datasets/checkpoints/closed_form.hpp"
#include "datasets/checkpoints/closed_form_inverse.hpp"
#include "harness/error.hpp"
#include "harness/files/placed_file.hpp"
#include "harness/parallel/workers.hpp"
#include "runners/drivers/tensor_bytes.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;
using cast::ChangedBlock;
using cast::Undoing;

constexpr std::uint64_t blocks_at_once = std::uint64_t{1} << 18;
constexpr std::uint64_t copied_at_once = std::uint64_t{4} << 20;
constexpr auto ordinary = std::byte{0x38};  // 2^0 in E4M3: undone under any m, where a record has the code

class Restorer {
public:
    Restorer(const Opened& cast, const cast::ReversePlan& plan, files::PlacedFile& file, WalkProgress* progress)
        : cast_(cast), plan_(plan), file_(file), progress_(progress) {}

    void restore(const cast::UndoneTensor& one) {
        ByteDigest digest;
        switch (one.undoing) {
            case Undoing::copy: copy(one, digest); break;
            case Undoing::payload: payload(one, digest); break;
            case Undoing::scale: scale(one, digest); break;
        }
        if (one.digest && digest.value() != *one.digest)
            throw Error(fmt::format("{} does not come out as it was in the source: the cast was changed since, or its "
                                    "record (assay-cast.json) was",
                                    one.tensor.name));
    }

private:
    // Changed blocks of a weight in [first, first + count).
    [[nodiscard]] std::span<const ChangedBlock> changed(const Module& module, std::uint64_t first,
                                                        std::uint64_t count) const {
        const auto found = plan_.changed.find(module.name);
        if (found == plan_.changed.end()) return {};
        const auto before = [](const ChangedBlock& block, std::uint64_t at) { return block.block < at; };
        const auto begin = std::lower_bound(found->second.begin(), found->second.end(), first, before);
        const auto end = std::lower_bound(begin, found->second.end(), first + count, before);
        return std::span(found->second).subspan(static_cast<std::size_t>(begin - found->second.begin()),
                                                static_cast<std::size_t>(end - begin));
    }

    void put(const cast::UndoneTensor& one, std::uint64_t at, std::span<const std::byte> bytes, ByteDigest& digest) {
        file_.write(one.tensor.begin + at, bytes);
        digest.add(bytes);
        if (progress_ != nullptr) progress_->bytes_done.fetch_add(bytes.size(), std::memory_order_relaxed);
    }

    void copy(const cast::UndoneTensor& one, ByteDigest& digest) {
        const Tensor& from = cast_.checkpoint.tensors[one.origin];
        for (std::uint64_t at = 0; at < from.bytes(); at += copied_at_once)
            put(one, at,
                tensor_bytes(cast_.checkpoint, from, at, std::min(copied_at_once, from.bytes() - at), buffer_), digest);
    }

    void payload(const cast::UndoneTensor& one, ByteDigest& digest) {
        const Module& module = cast_.recognition.modules[one.origin];
        const Tensor& from = cast_.checkpoint.tensors[module.payload];
        for_each_window(module, [&](std::uint64_t first, std::uint64_t count) {
            const auto bytes = tensor_bytes(cast_.checkpoint, from, first * 16, count * 16, buffer_);
            const auto blocks = changed(module, first, count);
            if (blocks.empty()) return put(one, first * 16, bytes, digest);
            patched_.assign(bytes.begin(), bytes.end());
            for (const ChangedBlock& block : blocks) {
                if (block.fate != BlockFate::zeros)
                    std::copy(block.packed.begin(), block.packed.end(),
                              patched_.begin() + static_cast<std::ptrdiff_t>((block.block - first) * 16));
            }
            put(one, first * 16, patched_, digest);
        });
    }

    void scale(const cast::UndoneTensor& one, ByteDigest& digest) {
        const Module& module = cast_.recognition.modules[one.origin];
        const Tensor& from = cast_.checkpoint.tensors[module.scale];
        const std::vector<int> exponents = global_exponents(module);
        const std::uint64_t in_bank = module.rows * module.columns / 32;
        for_each_window(module, [&](std::uint64_t first, std::uint64_t count) {
            const auto bytes = tensor_bytes(cast_.checkpoint, from, first * 2, count * 2, buffer_);
            patched_.assign(bytes.begin(), bytes.end());
            const auto blocks = changed(module, first, count);
            for (const ChangedBlock& block : blocks) {
                const std::uint64_t at = (block.block - first) * 2;
                patched_[at] = patched_[at + 1] = ordinary;
            }
            codes_.resize(count);
            for (std::uint64_t at = 0; at < count;) {
                const std::uint64_t bank = (first + at) / in_bank;
                const std::uint64_t many = std::min(count - at, (bank + 1) * in_bank - (first + at));
                undo(module, exponents[exponents.size() == 1 ? 0 : bank], first + at,
                     std::span(patched_).subspan(2 * at, 2 * many), std::span(codes_).subspan(at, many));
                at += many;
            }
            for (const ChangedBlock& block : blocks) codes_[block.block - first] = static_cast<std::byte>(block.code);
            put(one, first, codes_, digest);
        });
    }

    void undo(const Module& module, int exponent, std::uint64_t first, std::span<const std::byte> e4m3,
              std::span<std::byte> codes) const {
        const auto refuse = [&](std::uint64_t block, std::string_view what) {
            const std::uint64_t in_row = module.columns / 32;
            throw Error(fmt::format("{} row {} block {} has {}: it cannot be undone without {}", module.name,
                                    block / in_row, block % in_row, what,
                                    plan_.recorded ? "a record of it, which assay-cast.json lacks" : "assay-cast.json"));
        };
        if (const auto fault = undo_closed_form(exponent, e4m3, codes))
            refuse(first + fault->block, to_string(fault->reason));
        if (plan_.recorded) return;
        const auto smallest = std::find(e4m3.begin(), e4m3.end(), std::byte{0x01});
        if (smallest != e4m3.end())
            refuse(first + static_cast<std::uint64_t>(smallest - e4m3.begin()) / 2,
                   "the smallest scale, under which elements may have been moved");
    }

    [[nodiscard]] std::vector<int> global_exponents(const Module& module) {
        const Tensor& global = cast_.checkpoint.tensors[*module.global];
        const auto bytes = tensor_bytes(cast_.checkpoint, global, 0, global.bytes(), buffer_);
        std::vector<int> exponents;
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
            float value = 0;
            std::memcpy(&value, bytes.data() + at, sizeof value);
            const auto exponent = global_exponent(layout_of(module.layout).global_scale, value);
            if (!exponent)
                throw Error(fmt::format("{} is {}, no positive power of two: it was not made by assay cast", global.name,
                                        value));
            exponents.push_back(*exponent);
        }
        return exponents;
    }

    template <typename Each>
    static void for_each_window(const Module& module, Each each) {
        const std::uint64_t blocks = module.elements() / 32;
        for (std::uint64_t first = 0; first < blocks; first += blocks_at_once)
            each(first, std::min(blocks_at_once, blocks - first));
    }

    const Opened& cast_;
    const cast::ReversePlan& plan_;
    files::PlacedFile& file_;
    WalkProgress* progress_;
    files::Buffer buffer_;
    std::vector<std::byte> patched_;
    std::vector<std::byte> codes_;
};

}  // namespace

bool restore_shard(const Opened& cast, const cast::ReversePlan& plan, const cast::UndoneShard& shard,
                   const std::string& folder, const RewriteOptions& options) {
    files::PlacedFile file(folder + "/" + shard.file, shard.bytes, files::PlacedFile::Space::reserve);
    file.write(0, std::as_bytes(std::span(shard.header)));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> cancelled{false};
    const auto& shards = cast.checkpoint.shards;  // a shard goes back to one of its own name
    const auto from = std::find_if(shards.begin(), shards.end(), [&](const Shard& one) { return one.file == shard.file; });
    const unsigned workers = from != shards.end() && from->reader != nullptr ? workers_for(*from, options.threads) : std::max(1U, options.threads);
    parallel::run_workers(workers, [&](unsigned) {
        Restorer restorer(cast, plan, file, options.progress);
        for (std::size_t at = next++; at < shard.tensors.size(); at = next++) {
            if (options.cancel != nullptr && options.cancel->raised()) cancelled = true;
            if (cancelled) return;
            restorer.restore(shard.tensors[at]);
        }
    });
    if (cancelled) return false;
    file.commit();
    return true;
}

}  // namespace assay::runners
