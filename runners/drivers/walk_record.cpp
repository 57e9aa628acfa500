#include "runners/drivers/walk_record.hpp"

#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::runners {
namespace {

using Json = nlohmann::ordered_json;
using bit_exact::BlockDifference;
using bit_exact::BlockTally;

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
double real(const Json& json) { return std::bit_cast<double>(json.get<std::uint64_t>()); }

Json tally_json(const BlockTally& t) {
    Json json{{"blocks", t.blocks},
              {"exact", t.exact},
              {"payload_equal", t.payload_equal},
              {"served_fp32", t.served_fp32},
              {"served_bf16", t.served_bf16}};
    // A weight that is exact throughout has nothing more to say.
    if (t.exact == t.blocks && t.payload_equal == t.blocks) return json;
    Json classes = Json::object();
    for (std::size_t i = 0; i < bit_exact::difference_count; ++i) {
        const auto name = to_string(static_cast<bit_exact::Difference>(i));
        if (t.differences[i] != 0) classes[std::string(name)] = t.differences[i];
    }
    json["classes"] = std::move(classes);
    json["max_abs_err_bits"] = bits(t.max_abs_err);
    json["errors"] = t.errors;
    if (t.scale_factor) json["factor_bits"] = bits(*t.scale_factor);
    json["mixed_factors"] = t.mixed_factors;
    return json;
}

BlockTally tally_from(const Json& json) {
    BlockTally t;
    t.blocks = json.at("blocks");
    t.exact = json.at("exact");
    t.payload_equal = json.at("payload_equal");
    t.served_fp32 = json.at("served_fp32");
    t.served_bf16 = json.at("served_bf16");
    if (!json.contains("classes")) return t;
    for (std::size_t i = 0; i < bit_exact::difference_count; ++i)
        t.differences[i] =
            json["classes"].value(std::string(to_string(static_cast<bit_exact::Difference>(i))), std::uint64_t{0});
    t.max_abs_err = real(json.at("max_abs_err_bits"));
    t.errors = json.at("errors").get<std::array<std::uint64_t, bit_exact::error_bins>>();
    if (json.contains("factor_bits")) t.scale_factor = real(json["factor_bits"]);
    t.mixed_factors = json.at("mixed_factors");
    return t;
}

Json difference_json(const BlockDifference& d) {
    return {static_cast<unsigned>(d.kind), d.row,          d.block,        d.element,           d.source_code,
            d.target_code,                 d.source_scale, d.target_scale, bits(d.source_value), bits(d.target_value)};
}

BlockDifference difference_from(const Json& json) {
    const auto kind = json.at(0).get<unsigned>();
    if (kind >= bit_exact::difference_count) throw std::runtime_error("no such class");
    return {static_cast<bit_exact::Difference>(kind), json.at(1), json.at(2), json.at(3), json.at(4), json.at(5),
            json.at(6), json.at(7), real(json.at(8)), real(json.at(9))};
}

Json digests_json(const TensorDigests& digests) {
    Json json = Json::array();
    for (const auto& [tensor, digest] : digests) json.push_back({tensor, checkpoints::to_hex(digest)});
    return json;
}

TensorDigests digests_from(const Json& json) {
    TensorDigests digests;
    for (const Json& one : json) {
        const auto& hex = one.at(1).get_ref<const std::string&>();
        checkpoints::Digest digest{};
        if (hex.size() != 2 * digest.size()) throw std::runtime_error("no digest");
        for (std::size_t i = 0; i < digest.size(); ++i)
            digest[i] = static_cast<unsigned char>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
        digests.emplace_back(one.at(0).get<std::uint32_t>(), digest);
    }
    return digests;
}

Json survey_json(const rules::ScaleSurvey& s) {
    return {{"whole", s.whole}, {"scales", s.scales}, {"counts", s.counts}, {"rows", s.first_row}, {"blocks", s.first_block}};
}

rules::ScaleSurvey survey_from(const Json& json) {
    using Counts = std::array<std::uint64_t, rules::oddity_count>;
    rules::ScaleSurvey s;
    s.whole = json.at("whole");
    s.scales = json.at("scales");
    s.counts = json.at("counts").get<Counts>();
    s.first_row = json.at("rows").get<Counts>();
    s.first_block = json.at("blocks").get<Counts>();
    return s;
}

}  // namespace

std::string record_of(std::size_t unit, const std::string& name, const UnitResult& result,
                      const std::vector<BlockDifference>& shown, std::uint64_t written) {
    Json json{{"unit", unit}, {"name", name}, {"bytes", result.bytes_read}};
    if (written != 0) json["written"] = written;
    if (result.unreadable) {
        json["unreadable"] = {result.unreadable->tensor, result.unreadable->shard, result.unreadable->fault};
    } else {
        if (result.tally.blocks != 0) json["tally"] = tally_json(result.tally);
        for (const BlockDifference& one : shown) json["shown"].push_back(difference_json(one));
        if (result.tensor_difference)
            json["differs"] = {result.tensor_difference->first_byte, result.tensor_difference->bytes};
        json["source"] = digests_json(result.source_digests);
        json["target"] = digests_json(result.target_digests);
        if (result.survey) json["survey"] = survey_json(*result.survey);
        for (const auto& [tensor, values] : result.scalars) {
            std::vector<std::uint32_t> words;
            for (const float value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
            json["scalars"].push_back({tensor, std::move(words)});
        }
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SavedUnit unit_from(std::string_view line, std::size_t unit) {
    const Json json = Json::parse(line);
    if (json.at("unit").get<std::size_t>() != unit) throw std::runtime_error("another unit");
    SavedUnit saved;
    saved.written = json.value("written", std::uint64_t{0});
    UnitResult& result = saved.result;
    result.bytes_read = json.at("bytes");
    if (json.contains("unreadable")) {
        const Json& fault = json["unreadable"];
        result.unreadable = bit_exact::Unreadable{fault.at(0), fault.at(1), fault.at(2)};
        return saved;
    }
    if (json.contains("tally")) result.tally = tally_from(json["tally"]);
    if (json.contains("shown")) {
        std::vector<BlockDifference> shown;
        for (const Json& one : json["shown"]) shown.push_back(difference_from(one));
        result.differences.add(shown);
    }
    if (json.contains("differs"))
        result.tensor_difference =
            bit_exact::TensorDifference{json.at("name"), json["differs"].at(0), json["differs"].at(1)};
    result.source_digests = digests_from(json.at("source"));
    result.target_digests = digests_from(json.at("target"));
    if (json.contains("survey")) result.survey = survey_from(json["survey"]);
    if (json.contains("scalars")) {
        for (const Json& one : json["scalars"]) {
            std::vector<float> values;
            for (const Json& word : one.at(1)) values.push_back(std::bit_cast<float>(word.get<std::uint32_t>()));
            result.scalars.emplace_back(one.at(0).get<std::uint32_t>(), std::move(values));
        }
    }
    return saved;
}

}  // namespace assay::runners
