#include "scorers/rules/reader_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/checkpoints/name_pattern.hpp"

namespace assay::rules {

void ReaderClaims::add(readers::ReaderId reader, Severity severity, std::string name, std::string message,
                       std::string consequence) {
    std::string key = name + '\n' + message + '\n' + consequence;
    const auto [place, added] = places_.emplace(std::move(key), claims_.size());
    if (added) claims_.push_back({severity, {}, std::move(name), std::move(message), std::move(consequence)});
    Claim& claim = claims_[place->second];
    claim.severity = std::max(claim.severity, severity);
    claim.readers.push_back(reader);
}

void ReaderClaims::add_folded(readers::ReaderId reader, Severity severity, const std::vector<std::string_view>& names,
                              const std::string& what, const std::string& consequence) {
    for (const checkpoints::NamePattern& pattern : checkpoints::fold_names(names))
        add(reader, severity, pattern.pattern,
            fmt::format("{} {} {}", pattern.count, pattern.count == 1 ? "module is" : "modules are", what),
            consequence);
}

void ReaderClaims::finish() {
    for (Claim& claim : claims_) {
        std::string readers;
        for (std::size_t i = 0; i < claim.readers.size(); ++i) {
            if (i > 0) readers += i + 1 == claim.readers.size() ? " and " : ", ";
            readers += to_string(claim.readers[i]);
        }
        findings_.push_back({rule_,
                             claim.severity,
                             where_,
                             std::move(claim.name),
                             {},
                             {},
                             fmt::format("read by {}: {}", readers, claim.message),
                             std::move(claim.consequence)});
    }
}

}  // namespace assay::rules
