// Private to this folder: what several readers say alike is one finding that names them all.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

class ReaderClaims {
public:
    ReaderClaims(std::string rule, std::string where, std::vector<Finding>& findings)
        : rule_(std::move(rule)), where_(std::move(where)), findings_(findings) {}

    // The gravest severity of those that say the same is kept.
    void add(readers::ReaderId reader, Severity severity, std::string name, std::string message,
             std::string consequence);
    // One finding for each claim, in the order in which each was first made: "read by vLLM and SGLang: ..".
    void finish();

    // A set of modules that share a reason: one claim for all whose names differ in numbers alone.
    // `what` follows the count: "quantized, and excluded by 'x'".
    void add_folded(readers::ReaderId reader, Severity severity, const std::vector<std::string_view>& names,
                    const std::string& what, const std::string& consequence);

private:
    struct Claim {
        Severity severity{};
        std::vector<readers::ReaderId> readers;
        std::string name;
        std::string message;
        std::string consequence;
    };
    std::string rule_;
    std::string where_;
    std::vector<Finding>& findings_;
    std::vector<Claim> claims_;
    std::map<std::string, std::size_t> places_;
};

}  // namespace assay::rules
