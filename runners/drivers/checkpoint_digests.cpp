#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "datasets/checkpoints/fingerprint.hpp"
#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "harness/parallel/workers.hpp"
#include "runners/drivers/rebuild_digests.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

constexpr std::uint64_t window_bytes = std::uint64_t{1} << 20;

struct Hashes {
    std::vector<std::string> sha256;  // by tensor; each is written by one worker
    std::vector<Digest> digests;
    std::vector<std::string> files;  // by shard
};

void require_whole(const Shard& shard) {
    if (!shard.present) throw Error(fmt::format("{} is not there: {}", shard.file, shard.trouble));
    if (shard.fault_count > 0)
        throw Error(fmt::format("{} breaks the rules of safetensors ({}): its tensors cannot be told apart for sure",
                                shard.file, shard.faults[0].message));
}

// One file from its first byte to its last, tensors on the way. A header without faults has no holes and no overlaps.
class FileHasher {
public:
    FileHasher(const Shard& shard, const DigestOptions& options) : shard_(shard), options_(options) {}

    void add(std::uint64_t begin, std::uint64_t end, files::Sha256* sha256, ByteDigest* digest) {
        for (std::uint64_t at = begin; at < end; at += window_bytes) {
            const std::uint64_t length = std::min(window_bytes, end - at);
            const files::View view = shard_.reader->view(at, static_cast<std::size_t>(length), buffer_);
            if (!view.whole()) throw Error(fmt::format("cannot read {}: {}", shard_.file, view.fault));
            file_.add(view.bytes);
            if (sha256 != nullptr) sha256->add(view.bytes);
            if (digest != nullptr) digest->add(view.bytes);
            if (options_.progress != nullptr)
                options_.progress->bytes_done.fetch_add(length, std::memory_order_relaxed);
        }
    }
    std::string hex() { return file_.hex(); }

private:
    const Shard& shard_;
    const DigestOptions& options_;
    files::Sha256 file_;
    files::Buffer buffer_;
};

void hash_shard(const Checkpoint& checkpoint, std::uint32_t number, std::vector<std::uint32_t> tensors,
                const DigestOptions& options, Hashes& hashes) {
    const Shard& shard = checkpoint.shards[number];
    FileHasher file(shard, options);
    std::sort(tensors.begin(), tensors.end(), [&](std::uint32_t a, std::uint32_t b) {
        return checkpoint.tensors[a].begin < checkpoint.tensors[b].begin;
    });
    file.add(0, shard.header_bytes, nullptr, nullptr);
    std::uint64_t at = shard.header_bytes;
    for (const std::uint32_t index : tensors) {
        if (options.cancel != nullptr && options.cancel->raised()) return;
        const Tensor& tensor = checkpoint.tensors[index];
        files::Sha256 sha256;
        ByteDigest digest;
        file.add(at, tensor.begin, nullptr, nullptr);  // of a tensor that another file's hides
        file.add(tensor.begin, tensor.end, &sha256, &digest);
        at = tensor.end;
        hashes.sha256[index] = sha256.hex();
        hashes.digests[index] = digest.value();
    }
    file.add(at, shard.bytes, nullptr, nullptr);
    hashes.files[number] = file.hex();
}

}  // namespace

std::optional<DigestList> digest_checkpoint(const Checkpoint& checkpoint, const DigestOptions& options) {
    std::vector<std::vector<std::uint32_t>> tensors(checkpoint.shards.size());
    for (std::uint32_t i = 0; i < checkpoint.tensors.size(); ++i) tensors[checkpoint.tensors[i].shard].push_back(i);
    std::uint64_t total = 0;
    for (const Shard& shard : checkpoint.shards) {
        if (shard.indexed) require_whole(shard);
        total += shard.indexed ? shard.bytes : 0;
    }
    if (options.progress != nullptr) options.progress->bytes_total = total;
    Hashes hashes{std::vector<std::string>(checkpoint.tensors.size()), std::vector<Digest>(checkpoint.tensors.size()),
                  std::vector<std::string>(checkpoint.shards.size())};
    std::atomic<std::uint32_t> next{0};
    parallel::run_workers(std::max(1U, options.threads), [&](unsigned) {
        for (std::uint32_t i = next++; i < checkpoint.shards.size(); i = next++) {
            if (checkpoint.shards[i].indexed) hash_shard(checkpoint, i, tensors[i], options, hashes);
        }
    });
    if (options.cancel != nullptr && options.cancel->raised()) return std::nullopt;
    DigestList list;
    list.fingerprint = to_hex(fingerprint(checkpoint.tensors, hashes.digests));
    for (std::size_t i = 0; i < checkpoint.shards.size(); ++i) {
        if (checkpoint.shards[i].indexed)
            list.files.push_back({checkpoint.shards[i].file, checkpoint.shards[i].bytes, std::move(hashes.files[i])});
    }
    for (std::size_t i = 0; i < checkpoint.tensors.size(); ++i) {
        const Tensor& tensor = checkpoint.tensors[i];
        list.tensors.push_back({tensor.name, tensor.dtype, tensor.shape, std::move(hashes.sha256[i])});
    }
    return list;
}

}  // namespace assay::runners
