#include "scorers/statistics/letter_flips.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "scorers/statistics/choose.hpp"
#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/lattice.hpp"

namespace assay::statistics {
namespace {

struct Split {
    std::int64_t a = 0;
    std::int64_t b = 0;
};

std::vector<Split> letters_of(const SeedTable& a, const SeedTable& b, std::size_t row) {
    const std::string none;  // no extractor gives an empty answer
    std::map<std::string, Split> splits;
    for (const Cell& cell : row_of(a, row)) ++splits[cell.prediction.value_or(none)].a;
    for (const Cell& cell : row_of(b, row)) ++splits[cell.prediction.value_or(none)].b;
    std::vector<Split> letters;
    for (const auto& [letter, split] : splits) letters.push_back(split);
    return letters;
}

// The distribution of the sum over letters of a_l (T_l - a_l), k of the 2k answers falling to the first run.
Lattice agreements(const std::vector<std::int64_t>& totals, std::int64_t k) {
    const auto size = static_cast<std::size_t>(k) + 1;
    std::vector<std::vector<double>> ways(size, std::vector<double>(static_cast<std::size_t>(k * k) + 1, 0.0));  // [drawn][sum]
    ways[0][0] = 1;
    for (const std::int64_t total : totals) {
        std::vector<std::vector<double>> next(size, std::vector<double>(ways[0].size(), 0.0));
        for (std::int64_t first = 0; first <= std::min(total, k); ++first) {
            const double weight = choose(total, first);
            const auto sum = static_cast<std::size_t>(first * (total - first));
            for (std::size_t drawn = 0; drawn + static_cast<std::size_t>(first) < size; ++drawn) {
                const std::vector<double>& from = ways[drawn];
                std::vector<double>& to = next[drawn + static_cast<std::size_t>(first)];
                for (std::size_t s = 0; s + sum < from.size(); ++s) to[s + sum] += weight * from[s];
            }
        }
        ways = std::move(next);
    }
    std::vector<double>& all = ways.back();
    std::size_t low = 0;
    while (all[low] == 0) ++low;
    std::size_t high = all.size();
    while (all[high - 1] == 0) --high;
    Lattice out;
    out.lowest = static_cast<std::int64_t>(low);
    out.p.assign(all.begin() + static_cast<std::ptrdiff_t>(low), all.begin() + static_cast<std::ptrdiff_t>(high));
    for (double& p : out.p) p /= choose(2 * k, k);
    return out;
}

double p_of(const std::vector<std::vector<Split>>& questions, std::int64_t k) {
    std::map<std::vector<std::int64_t>, Lattice> known;
    Lattice sums;
    std::int64_t observed = 0;
    for (const auto& letters : questions) {
        std::vector<std::int64_t> totals;
        for (const Split& split : letters) {
            observed += split.a * split.b;
            totals.push_back(split.a + split.b);
        }
        if (totals.size() == 1) {
            sums.lowest += k * k;
            continue;
        }
        std::sort(totals.begin(), totals.end(), std::greater<>());
        const auto found = known.find(totals);
        sums = sum_of(found != known.end() ? found->second : known.emplace(totals, agreements(totals, k)).first->second, sums);
    }
    return std::min(1.0, sums.below(observed + 1));
}

}  // namespace

std::optional<LetterFlips> letter_flips(const SeedTable& a, const SeedTable& b, std::span<const std::size_t> rows) {
    const auto seeds_a = static_cast<std::int64_t>(a.columns());
    const auto seeds_b = static_cast<std::int64_t>(b.columns());
    if (seeds_a < 2 || seeds_b < 2 || rows.empty()) return std::nullopt;
    std::vector<std::vector<Split>> questions;
    std::int64_t cross = 0;  // pairs of answers that agree
    std::int64_t self_a = 0;
    std::int64_t self_b = 0;
    for (const std::size_t row : rows) {
        for (const Split& split : questions.emplace_back(letters_of(a, b, row))) {
            cross += split.a * split.b;
            self_a += split.a * (split.a - 1);
            self_b += split.b * (split.b - 1);
        }
    }
    const auto differing = [&](std::int64_t agree, std::int64_t pairs) {
        const std::int64_t all = pairs * std::ssize(rows);
        return static_cast<double>(all - agree) / static_cast<double>(all);
    };
    LetterFlips out;
    out.flips.cross = differing(cross, seeds_a * seeds_b);
    out.flips.self_a = differing(self_a, seeds_a * (seeds_a - 1));
    out.flips.self_b = differing(self_b, seeds_b * (seeds_b - 1));
    out.flips.excess = out.flips.cross - (out.flips.self_a + out.flips.self_b) / 2;
    if (seeds_a == seeds_b && a.columns() <= most_seeds_of_letter_test) out.p = p_of(questions, seeds_a);
    return out;
}

}  // namespace assay::statistics
