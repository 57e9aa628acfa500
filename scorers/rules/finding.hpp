// Finding: one thing about a checkpoint that its user should know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::rules {

enum class Severity : std::uint8_t {
    note,     // worth knowing
    warning,  // whether it hurts depends on the server
    error,    // a server computes something else, or cannot load it
};

[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

struct Finding {
    std::string rule;  // its id: "header.trailing_bytes"
    Severity severity{};
    std::string shard;   // file; empty where it concerns none
    std::string tensor;  // or weight; empty where it concerns none
    std::optional<std::uint64_t> row;
    std::optional<std::uint64_t> block;
    std::string message;      // what was found and what was expected, with both values
    std::string consequence;  // what a server would do with it
};

}  // namespace assay::rules
