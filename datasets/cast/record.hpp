// What a cast leaves written down: assay-cast.json, and the record of each shard that it is put together from.
//
//     {"format": "assay.cast/1", "plan": {..}, "totals": {..}, "shards": [ {..}, .. ]}
//
// Together with the result it holds everything about the source: headers byte for byte, and of each block whose bytes or
// scale could not be kept, the original ones.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/closed_form.hpp"
#include "datasets/checkpoints/fingerprint.hpp"

namespace assay::cast {

// What tells that a file is still the one that was seen.
struct FileIdentity {
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;        // since 1970
    std::int64_t status_changed_ns = 0;  // when bytes, name or rights last did; 0: not on record

    // The time of the status is no part of it: rights and links change it as well as bytes.
    friend bool operator==(const FileIdentity& a, const FileIdentity& b) noexcept {
        return a.bytes == b.bytes && a.modified_ns == b.modified_ns;
    }
    // Nothing at all has happened to the file: what is equal alone may be another that was given the same time.
    [[nodiscard]] bool untouched_since(const FileIdentity& before) const noexcept {
        return *this == before && (before.status_changed_ns == 0 || status_changed_ns == before.status_changed_ns);
    }
};

// A block that is not under its own scale any more.
struct ChangedBlock {
    std::uint32_t weight = 0;  // into ShardRecord::weights
    std::uint64_t block = 0;   // 32 wide, counted over all rows of the weight
    std::uint8_t code = 0;     // the original E8M0 code
    checkpoints::BlockFate fate{};
    std::array<std::byte, 16> packed{};  // the original elements; zeros where fate is `zeros`, which keeps the bytes
};

struct ShardCounts {
    std::uint64_t weights = 0;  // cast, by where the payload lies
    std::uint64_t blocks = 0;   // 32 wide
    std::uint64_t zeros = 0;    // all-zero blocks whose scale did not fit
    std::uint64_t rescued = 0;
    std::uint64_t rounded = 0;
    std::uint64_t nan = 0;
    std::map<int, std::uint64_t> exponents;  // m -> weights, by where the scale lies

    void add(const ShardCounts& other);
};

// What comparing the written bytes with the source came to.
struct Verified {
    std::uint64_t blocks = 0;  // of the source
    std::uint64_t exact = 0;
    std::uint64_t payload_equal = 0;
    double max_abs_err = 0;
    std::uint64_t weights = 0;
    std::uint64_t tensors = 0;  // copied ones
    std::uint64_t tensors_identical = 0;

    void add(const Verified& other);
};

struct ShardRecord {
    std::string file;
    FileIdentity source;
    FileIdentity target;
    std::string source_sha256;  // empty unless asked for
    std::string target_sha256;
    std::optional<Verified> verified;  // set where the written bytes were compared
    std::string source_header;  // length and JSON, as they stand in the file
    ShardCounts counts;
    std::vector<std::string> weights;     // that have changed blocks
    std::vector<ChangedBlock> changed;    // by weight and block
    // XXH3-128 of each tensor's bytes, in the order of the header.
    std::vector<checkpoints::Digest> source_digests;
    std::vector<checkpoints::Digest> target_digests;
};

// One JSON object, without a line end; `parse_record` gives it back and throws assay::Error, naming `where`, on anything else.
[[nodiscard]] std::string to_json(const ShardRecord& record);
[[nodiscard]] ShardRecord parse_record(std::string_view json, const std::string& where);

}  // namespace assay::cast
