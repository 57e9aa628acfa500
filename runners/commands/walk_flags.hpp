// The part of `assay audit` that reads tensors whole: its flags, and the walk, by one process or shared by many ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/ranks/ranks.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/flags.hpp"

namespace assay::runners {

class WalkFlags {
public:
    // Of assay-mpi; none: of assay, one process.
    explicit WalkFlags(std::shared_ptr<ranks::Ranks> ranks) : ranks_(std::move(ranks)) {}

    void declare(Flags& flags);
    // Throws assay::Error for flags that do not fit each other. `whole`: all bytes are read though there is no source.
    void check(bool source, bool whole) const;

    // Throws assay::Error where any of them was given: `why` says what passes them over.
    void refuse(std::string_view why) const;

    // Whether there is more than one rank.
    [[nodiscard]] bool shared() const { return ranks_ != nullptr && ranks_->size() > 1; }
    // Whether this process is the one that judges and prints.
    [[nodiscard]] bool reports() const { return ranks_ == nullptr || ranks_->rank() == 0; }
    [[nodiscard]] const char* program() const { return ranks_ == nullptr ? "assay" : "assay-mpi"; }
    [[nodiscard]] unsigned threads() const;
    [[nodiscard]] std::optional<Sample> sample() const;

    // With more than one rank collective, and whole only where reports().
    [[nodiscard]] bit_exact::PairAudit run(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                           const checkpoints::Pairing& pairing, bool quiet, rules::ScalarFacts& facts) const;

private:
    [[nodiscard]] files::Io io() const;
    [[nodiscard]] bit_exact::PairAudit run_alone(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                                 const checkpoints::Pairing& pairing, WalkOptions options) const;
    [[nodiscard]] bit_exact::PairAudit run_shared(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                                  const checkpoints::Pairing& pairing, WalkOptions options) const;

    std::shared_ptr<ranks::Ranks> ranks_;
    std::optional<std::string> differences_;
    std::optional<std::string> sample_;
    std::optional<std::int64_t> sample_seed_;
    std::optional<std::string> resume_;
    std::optional<std::int64_t> show_;
    std::string io_ = "auto";
    std::optional<std::int64_t> threads_;
};

}  // namespace assay::runners
