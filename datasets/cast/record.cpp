#include "datasets/cast/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "harness/error.hpp"

namespace assay::cast {
namespace {

using Json = nlohmann::ordered_json;
using checkpoints::BlockFate;
using checkpoints::Digest;

constexpr std::array<const char*, 4> fates{"zeros", "rescued", "rounded", "nan"};

std::string hex_of(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    for (const std::byte byte : bytes) {
        hex += digits[static_cast<unsigned>(byte) >> 4];
        hex += digits[static_cast<unsigned>(byte) & 15U];
    }
    return hex;
}

// Throws std::invalid_argument, which parse_record turns into an Error.
template <typename Bytes>
Bytes bytes_of(std::string_view hex) {
    Bytes bytes{};
    if (hex.size() != 2 * bytes.size()) throw std::invalid_argument("hexadecimal digits");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        for (const char digit : hex.substr(2 * i, 2)) {
            const auto at = std::string_view("0123456789abcdef").find(digit);
            if (at == std::string_view::npos) throw std::invalid_argument("hexadecimal digits");
            value = value << 4 | static_cast<unsigned>(at);
        }
        bytes[i] = static_cast<typename Bytes::value_type>(value);
    }
    return bytes;
}

std::string digests_text(const std::vector<Digest>& digests) {
    std::string hex;
    hex.reserve(32 * digests.size());
    for (const Digest& digest : digests) hex += checkpoints::to_hex(digest);
    return hex;
}

std::vector<Digest> digests_of(const std::string& hex) {
    if (hex.size() % 32 != 0) throw std::invalid_argument("digests");
    std::vector<Digest> digests;
    digests.reserve(hex.size() / 32);
    for (std::size_t at = 0; at < hex.size(); at += 32)
        digests.push_back(bytes_of<Digest>(std::string_view(hex).substr(at, 32)));
    return digests;
}

Json identity_json(const FileIdentity& file, const std::string& sha256) {
    Json json{{"bytes", file.bytes}, {"modified_ns", file.modified_ns}, {"status_changed_ns", file.status_changed_ns}};
    if (!sha256.empty()) json["sha256"] = sha256;
    return json;
}

FileIdentity identity_of(const Json& json, std::string& sha256) {
    sha256 = json.value("sha256", std::string());
    return {json.at("bytes").get<std::uint64_t>(), json.at("modified_ns").get<std::int64_t>(),
            json.value("status_changed_ns", std::int64_t{0})};
}

Json counts_json(const ShardCounts& counts) {
    Json exponents = Json::object();
    for (const auto& [m, weights] : counts.exponents) exponents[fmt::format("{}", m)] = weights;
    return {{"weights", counts.weights}, {"blocks", counts.blocks},   {"zeros", counts.zeros},
            {"rescued", counts.rescued}, {"rounded", counts.rounded}, {"nan", counts.nan},
            {"exponents", exponents}};
}

ShardCounts counts_of(const Json& json) {
    ShardCounts counts;
    counts.weights = json.at("weights");
    counts.blocks = json.at("blocks");
    counts.zeros = json.at("zeros");
    counts.rescued = json.at("rescued");
    counts.rounded = json.at("rounded");
    counts.nan = json.at("nan");
    for (const auto& [m, weights] : json.at("exponents").items()) counts.exponents[std::stoi(m)] = weights;
    return counts;
}

Json verified_json(const std::optional<Verified>& verified) {
    if (!verified) return nullptr;
    return {{"blocks", verified->blocks},           {"blocks_exact", verified->exact},
            {"payload_equal", verified->payload_equal}, {"max_abs_err", verified->max_abs_err},
            {"weights", verified->weights},         {"tensors", verified->tensors},
            {"tensors_identical", verified->tensors_identical}};
}

std::optional<Verified> verified_of(const Json& json) {
    if (json.is_null()) return std::nullopt;
    return Verified{json.at("blocks"),      json.at("blocks_exact"), json.at("payload_equal"),
                    json.at("max_abs_err"), json.at("weights"),      json.at("tensors"),
                    json.at("tensors_identical")};
}

// Runs of zero blocks under one code are one entry: [weight, first block, how many, code].
Json changed_json(const ShardRecord& record, Json& zeros) {
    Json blocks = Json::array();
    for (const ChangedBlock& one : record.changed) {
        if (one.fate != BlockFate::zeros) {
            blocks.push_back({one.weight, one.block, one.code, fates[static_cast<std::size_t>(one.fate)],
                              hex_of(one.packed)});
            continue;
        }
        if (!zeros.empty()) {
            Json& last = zeros.back();
            const std::uint64_t next = last[1].get<std::uint64_t>() + last[2].get<std::uint64_t>();
            if (last[0] == one.weight && next == one.block && last[3] == one.code) {
                last[2] = last[2].get<std::uint64_t>() + 1;
                continue;
            }
        }
        zeros.push_back({one.weight, one.block, 1U, one.code});
    }
    return blocks;
}

BlockFate fate_of(const std::string& name) {
    for (std::size_t i = 0; i < fates.size(); ++i) {
        if (name == fates[i]) return static_cast<BlockFate>(i);
    }
    throw std::invalid_argument("fate");
}

void read_changed(const Json& json, ShardRecord& record) {
    const auto weight = [&](const Json& number) {
        const auto index = number.get<std::uint32_t>();
        if (index >= record.weights.size()) throw std::invalid_argument("weight");
        return index;
    };
    for (const Json& run : json.at("zeros")) {
        const auto first = run.at(1).get<std::uint64_t>();
        for (std::uint64_t i = 0; i < run.at(2).get<std::uint64_t>(); ++i)
            record.changed.push_back({weight(run.at(0)), first + i, run.at(3).get<std::uint8_t>(), BlockFate::zeros, {}});
    }
    for (const Json& one : json.at("changed")) {
        record.changed.push_back({weight(one.at(0)), one.at(1).get<std::uint64_t>(), one.at(2).get<std::uint8_t>(),
                                  fate_of(one.at(3)),
                                  bytes_of<std::array<std::byte, 16>>(one.at(4).get<std::string>())});
    }
    std::sort(record.changed.begin(), record.changed.end(), [](const ChangedBlock& a, const ChangedBlock& b) {
        return a.weight != b.weight ? a.weight < b.weight : a.block < b.block;
    });
}

}  // namespace

void ShardCounts::add(const ShardCounts& other) {
    weights += other.weights;
    blocks += other.blocks;
    zeros += other.zeros;
    rescued += other.rescued;
    rounded += other.rounded;
    nan += other.nan;
    for (const auto& [m, count] : other.exponents) exponents[m] += count;
}

void Verified::add(const Verified& other) {
    blocks += other.blocks;
    exact += other.exact;
    payload_equal += other.payload_equal;
    max_abs_err = std::max(max_abs_err, other.max_abs_err);
    weights += other.weights;
    tensors += other.tensors;
    tensors_identical += other.tensors_identical;
}

std::string to_json(const ShardRecord& record) {
    Json zeros = Json::array();
    const Json changed = changed_json(record, zeros);
    const Json json{{"file", record.file},
                    {"source", identity_json(record.source, record.source_sha256)},
                    {"target", identity_json(record.target, record.target_sha256)},
                    {"verified", verified_json(record.verified)},
                    {"counts", counts_json(record.counts)},
                    {"weights", record.weights},
                    {"zeros", zeros},
                    {"changed", changed},
                    {"source_header", record.source_header.substr(std::min<std::size_t>(8, record.source_header.size()))},
                    {"source_digests", digests_text(record.source_digests)},
                    {"target_digests", digests_text(record.target_digests)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ShardRecord parse_record(std::string_view text, const std::string& where) {
    try {
        const Json json = Json::parse(text.begin(), text.end());
        ShardRecord record;
        record.file = json.at("file");
        record.source = identity_of(json.at("source"), record.source_sha256);
        record.target = identity_of(json.at("target"), record.target_sha256);
        record.verified = verified_of(json.at("verified"));
        record.counts = counts_of(json.at("counts"));
        record.weights = json.at("weights").get<std::vector<std::string>>();
        read_changed(json, record);
        const std::string header = json.at("source_header");
        for (unsigned i = 0; i < 8; ++i) record.source_header += static_cast<char>(header.size() >> (8 * i) & 255U);
        record.source_header += header;
        record.source_digests = digests_of(json.at("source_digests"));
        record.target_digests = digests_of(json.at("target_digests"));
        return record;
    } catch (const std::exception& error) {
        throw Error(fmt::format("{} is no record of a cast: {}", where, error.what()));
    }
}

}  // namespace assay::cast
