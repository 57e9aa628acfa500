// How far the seeds of a run agree, and whether they behave like independent samples of one system.
//
// Of the sampled seeds only: a greedy one is no sample. Full tables of two sampled seeds or more, else absent; a truncated or
// empty cell without the right letter is wrong like any other. Copies are looked for among all replies that have a text.
#pragma once

#include <cstdint>
#include <optional>

#include "scorers/statistics/agreement.hpp"
#include "scorers/statistics/beta_binomial.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics {

struct CopiedSeeds {
    int first = 0;  // seed numbers
    int second = 0;
    std::int64_t same = 0;  // questions to which both gave the same reply, word for word
    std::int64_t of = 0;    // questions to which both gave a text
};

struct SeedAgreement {
    int sampled_seeds = 0;
    std::optional<Agreement> agreement;      // ICC, flip rate, kappa
    std::optional<CochranQ> cochran;         // p small: a whole run differs
    std::optional<double> p_as_alike;        // P(Q at most as large): small: the seeds are more alike than samples can be
    std::optional<BetaBinomial> difficulty;  // of the questions; absent where no question is unstable
    std::int64_t copies = 0;                 // replies equal, word for word, to that of an earlier seed to the same question
    std::int64_t texts = 0;                  // replies with a text
    std::optional<CopiedSeeds> most_alike;   // the pair with the most equal replies; absent where no two are equal
};

[[nodiscard]] SeedAgreement seed_agreement(const SeedTable& table, const std::optional<int>& greedy_seed);

}  // namespace assay::statistics
