#include "runners/drivers/rebuild_digests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "datasets/checkpoints/closed_form_inverse.hpp"
#include "datasets/checkpoints/fingerprint.hpp"
#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "harness/parallel/workers.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

constexpr std::uint64_t window_bytes = std::uint64_t{1} << 20;

struct HashedTensor {
    Tensor tensor;
    std::string sha256;
    Digest digest{};
};

struct HashedShard {
    std::vector<HashedTensor> tensors;  // what was rebuilt, in the order of the file
    std::vector<FileDigest> files;      // none where a tensor was not rebuilt
    std::vector<NotRebuilt> refused;
    std::uint64_t undone = 0;
};

// Rebuilds and hashes shards for one worker.
class ShardRebuilder {
public:
    ShardRebuilder(const Opened& cast, const DigestOptions& options, std::vector<Digest>& cast_digests)
        : cast_(cast), options_(options), cast_digests_(cast_digests) {}

    HashedShard rebuild(const RebuiltShard& plan) {
        HashedShard out;
        const bool with_metadata = !plan.header_with_metadata.empty();
        files_.clear();
        for (const std::string* header : {&plan.header, &plan.header_with_metadata}) {
            if (header->empty()) continue;
            files_.emplace_back().add(std::as_bytes(std::span(*header)));
        }
        for (const RebuiltTensor& one : plan.tensors) {
            if (cancelled()) return {};
            add(plan, one, out);
        }
        if (!out.refused.empty()) return out;
        out.files.push_back({plan.file, plan.header.size() + plan.data_bytes, files_[0].hex()});
        if (with_metadata)
            out.files.push_back({plan.file, plan.header_with_metadata.size() + plan.data_bytes, files_[1].hex()});
        return out;
    }

    // Tensors of the cast that the source has none for: their digests alone.
    void digest_dropped(std::uint32_t tensor, std::vector<NotRebuilt>& refused) {
        ByteDigest hash;
        if (read(tensor, refused, [&](std::span<const std::byte> bytes) { hash.add(bytes); }))
            cast_digests_[tensor] = hash.value();
    }

private:
    [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && options_.cancel->raised(); }

    void add(const RebuiltShard& plan, const RebuiltTensor& one, HashedShard& out) {
        files::Sha256 sha256;
        ByteDigest digest;
        const auto take = [&](std::span<const std::byte> bytes) {
            sha256.add(bytes);
            digest.add(bytes);
            for (files::Sha256& file : files_) file.add(bytes);
        };
        const std::size_t refused = out.refused.size();
        if (one.making == Remaking::copy) {
            if (!read(one.origin, out.refused, take)) return;
            cast_digests_[one.origin] = digest.value();
        } else {
            undo(plan, one.origin, out, take);
            if (out.refused.size() != refused) return;
            ++out.undone;
        }
        out.tensors.push_back({one.tensor, sha256.hex(), digest.value()});
    }

    // False where it could not be read, which `refused` then says.
    template <class Take>
    bool read(std::uint32_t index, std::vector<NotRebuilt>& refused, const Take& take) {
        const Tensor& tensor = cast_.checkpoint.tensors[index];
        for (std::uint64_t at = 0; at < tensor.bytes(); at += window_bytes) {
            const auto bytes = view(index, at, std::min(window_bytes, tensor.bytes() - at), refused);
            if (bytes.empty()) return false;
            take(bytes);
        }
        return true;
    }

    // Empty where it could not be read.
    std::span<const std::byte> view(std::uint32_t index, std::uint64_t offset, std::uint64_t length,
                                    std::vector<NotRebuilt>& refused) {
        const Tensor& tensor = cast_.checkpoint.tensors[index];
        const Shard& shard = cast_.checkpoint.shards[tensor.shard];
        const files::View view = shard.reader->view(tensor.begin + offset, static_cast<std::size_t>(length), buffer_);
        if (!view.whole()) {
            refused.push_back({tensor.name, shard.file, {}, {}, view.fault});
            return {};
        }
        if (options_.progress != nullptr) options_.progress->bytes_done.fetch_add(length, std::memory_order_relaxed);
        return view.bytes;
    }

    // Exponents of the global scales, one or one a bank; empty where one is no power of two or unreadable.
    std::vector<int> exponents(const Module& module, HashedShard& out) {
        const Tensor& tensor = cast_.checkpoint.tensors[*module.global];
        const std::string& shard = cast_.checkpoint.shards[tensor.shard].file;
        const auto bytes = view(*module.global, 0, tensor.bytes(), out.refused);
        std::vector<int> all;
        for (std::uint64_t i = 0; i < bytes.size() / sizeof(float); ++i) {
            float stored = 0;
            std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
            const auto m = global_exponent(layout_of(module.layout).global_scale, stored);
            if (!m) {
                out.refused.push_back({tensor.name, shard, {}, {}, fmt::format("{} is {}", stored, to_string(NotClosedForm::global_scale))});
                return {};
            }
            all.push_back(*m);
        }
        return all;
    }

    template <class Take>
    void undo(const RebuiltShard& plan, std::uint32_t index, HashedShard& out, const Take& take) {
        const Module& module = cast_.recognition.modules[index];
        const std::vector<int> m = exponents(module, out);
        if (m.empty()) return;
        const Tensor& scale = cast_.checkpoint.tensors[module.scale];
        ByteDigest stored;
        const std::uint64_t blocks = module.columns / 32;
        const std::uint64_t most_rows = std::max<std::uint64_t>(1, window_bytes / (2 * blocks));
        for (std::uint64_t row = 0; row < module.all_rows();) {
            const std::uint64_t bank = row / module.rows;
            const std::uint64_t rows = std::min(most_rows, (bank + 1) * module.rows - row);
            const auto codes = view(module.scale, row * 2 * blocks, rows * 2 * blocks, out.refused);
            if (codes.empty()) return;
            stored.add(codes);
            undone_.resize(rows * blocks);
            if (const auto fault = undo_closed_form(m[m.size() == 1 ? 0 : bank], codes, undone_)) {
                const std::byte left = codes[2 * fault->block];
                const std::byte right = codes[2 * fault->block + 1];
                out.refused.push_back({scale.name, plan.file, row + fault->block / blocks, fault->block % blocks,
                                       fmt::format("{:02x} {:02x}: {}", static_cast<unsigned>(left),
                                                   static_cast<unsigned>(right), to_string(fault->reason))});
                return;
            }
            take(std::span<const std::byte>(undone_));
            row += rows;
        }
        cast_digests_[module.scale] = stored.value();
    }

    const Opened& cast_;
    const DigestOptions& options_;
    std::vector<Digest>& cast_digests_;  // by tensor; each is written by one worker
    std::vector<files::Sha256> files_;
    std::vector<std::byte> undone_;
    files::Buffer buffer_;
};

std::vector<std::uint32_t> dropped_tensors(const Opened& cast, const std::vector<RebuiltShard>& shards) {
    std::vector<bool> used(cast.checkpoint.tensors.size(), false);
    for (const RebuiltShard& shard : shards) {
        for (const RebuiltTensor& one : shard.tensors)
            used[one.making == Remaking::copy ? one.origin : cast.recognition.modules[one.origin].scale] = true;
    }
    std::vector<std::uint32_t> dropped;
    for (std::uint32_t i = 0; i < used.size(); ++i) {
        if (!used[i]) dropped.push_back(i);
    }
    return dropped;
}

// Hashes of one list: by name, with their fingerprint.
std::string settle(std::vector<HashedTensor> hashed, std::vector<TensorDigest>& digests) {
    std::sort(hashed.begin(), hashed.end(),
              [](const HashedTensor& a, const HashedTensor& b) { return a.tensor.name < b.tensor.name; });
    std::vector<Tensor> tensors;
    std::vector<Digest> values;
    for (HashedTensor& one : hashed) {
        digests.push_back({one.tensor.name, one.tensor.dtype, one.tensor.shape, std::move(one.sha256)});
        values.push_back(one.digest);
        tensors.push_back(std::move(one.tensor));
    }
    return to_hex(fingerprint(tensors, values));
}

}  // namespace

RebuiltDigests digest_rebuilt_source(const Opened& cast, const std::vector<RebuiltShard>& shards,
                                     const DigestOptions& options) {
    if (options.progress != nullptr) {
        std::uint64_t total = 0;
        for (const Tensor& tensor : cast.checkpoint.tensors) total += tensor.bytes();
        options.progress->bytes_total = total;
    }
    std::vector<Digest> cast_digests(cast.checkpoint.tensors.size());
    std::vector<HashedShard> hashed(shards.size());
    std::atomic<std::size_t> next{0};
    parallel::run_workers(std::max(1U, options.threads), [&](unsigned) {
        ShardRebuilder rebuilder(cast, options, cast_digests);
        for (std::size_t i = next++; i < shards.size(); i = next++) {
            if (options.cancel != nullptr && options.cancel->raised()) return;
            hashed[i] = rebuilder.rebuild(shards[i]);
        }
    });
    RebuiltDigests result;
    ShardRebuilder rest(cast, options, cast_digests);
    for (const std::uint32_t tensor : dropped_tensors(cast, shards)) rest.digest_dropped(tensor, result.refused);
    result.cancelled = options.cancel != nullptr && options.cancel->raised();
    std::vector<HashedTensor> tensors;
    for (HashedShard& one : hashed) {
        std::move(one.tensors.begin(), one.tensors.end(), std::back_inserter(tensors));
        std::move(one.files.begin(), one.files.end(), std::back_inserter(result.list.files));
        result.files_rebuilt += one.refused.empty() ? 1 : 0;
        result.undone += one.undone;
        std::move(one.refused.begin(), one.refused.end(), std::back_inserter(result.refused));
    }
    result.files = shards.size();
    for (const RebuiltShard& shard : shards) {
        result.weights += static_cast<std::uint64_t>(
            std::count_if(shard.tensors.begin(), shard.tensors.end(),
                          [](const RebuiltTensor& one) { return one.making == Remaking::block_scale; }));
    }
    result.list.fingerprint = settle(std::move(tensors), result.list.tensors);
    if (result.cancelled || !result.refused.empty()) {
        result.list.fingerprint.clear();
    } else {
        result.cast_fingerprint = to_hex(fingerprint(cast.checkpoint.tensors, cast_digests));
    }
    return result;
}

}  // namespace assay::runners
