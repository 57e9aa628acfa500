#include "datasets/cast/plan_identity.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace assay::cast {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "assay.cast_plan/1";

const char* activations_of(const CastOptions& options) { return options.input_scales ? "w4a4" : "w4a16"; }
const char* algorithm_of(const CastOptions& options) { return options.w4a16_name ? "W4A16_NVFP4" : "NVFP4"; }

template <typename Enum>
Enum named(const std::string& name, int count) {
    for (int i = 0; i < count; ++i) {
        if (name == to_string(static_cast<Enum>(i))) return static_cast<Enum>(i);
    }
    throw std::invalid_argument(name);
}

}  // namespace

std::string to_json(const PlanIdentity& identity) {
    Json shards = Json::array();
    for (const PlanIdentity::Shard& shard : identity.shards)
        shards.push_back({{"file", shard.file},
                          {"bytes", shard.identity.bytes},
                          {"modified_ns", shard.identity.modified_ns}});
    const Json json{{"format", format_name},
                    {"direction", identity.reverse ? "reverse" : "forward"},
                    {"dialect", to_string(identity.options.dialect)},
                    {"scale_sharing", to_string(identity.options.sharing)},
                    {"activations", activations_of(identity.options)},
                    {"quant_algo", algorithm_of(identity.options)},
                    {"shards", shards}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

PlanIdentity parse_plan_identity(std::string_view text, const std::string& where) {
    try {
        const Json json = Json::parse(text.begin(), text.end());
        if (json.at("format") != format_name) throw std::invalid_argument("format " + json.at("format").dump());
        PlanIdentity identity;
        identity.reverse = json.at("direction") == "reverse";
        identity.options.dialect = named<Dialect>(json.at("dialect"), 3);
        identity.options.sharing = named<Sharing>(json.at("scale_sharing"), 3);
        identity.options.input_scales = json.at("activations") == "w4a4";
        identity.options.w4a16_name = json.at("quant_algo") == "W4A16_NVFP4";
        for (const Json& shard : json.at("shards"))
            identity.shards.push_back({shard.at("file"), {shard.at("bytes"), shard.at("modified_ns"), 0}});
        return identity;
    } catch (const std::exception& error) {
        throw Error(fmt::format("{} is no plan of a cast that can be read here: {}", where, error.what()));
    }
}

std::string first_difference(const PlanIdentity& before, const PlanIdentity& now) {
    const auto flag = [](const char* name, std::string_view was, std::string_view is) {
        return was == is ? std::string() : fmt::format("{} was {} and is {}", name, was, is);
    };
    if (before.reverse != now.reverse)
        return before.reverse ? "it was begun with --reverse" : "it was begun without --reverse";
    const CastOptions& a = before.options;
    const CastOptions& b = now.options;
    for (const std::string& difference :
         {flag("--dialect", to_string(a.dialect), to_string(b.dialect)),
          flag("--scale-sharing", to_string(a.sharing), to_string(b.sharing)),
          flag("--activations", activations_of(a), activations_of(b)),
          flag("--quant-algo", algorithm_of(a), algorithm_of(b))}) {
        if (!difference.empty()) return difference;
    }
    if (before.shards.size() != now.shards.size())
        return fmt::format("the source had {} shards and has {}", before.shards.size(), now.shards.size());
    for (std::size_t i = 0; i < now.shards.size(); ++i) {
        const auto& was = before.shards[i];
        const auto& is = now.shards[i];
        if (was.file != is.file) return fmt::format("the source had {} where it has {}", was.file, is.file);
        if (was.identity.bytes != is.identity.bytes)
            return fmt::format("{} of the source had {} bytes and has {}", is.file, was.identity.bytes,
                               is.identity.bytes);
        if (was.identity != is.identity) return fmt::format("{} of the source was written to since", is.file);
    }
    return {};
}

}  // namespace assay::cast
