#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

// Powers of two and the number of seeds; of the latter the headline says the most, but the rows belong together.
bool is_shown(int k, int seeds) { return k == seeds || (k >= 2 && (k & (k - 1)) == 0); }

}  // namespace

std::string curve_table_words() {
    return "had only k seeds been run, the mean over all ways to choose them: right in one or more (pass@k), in all (pass^k), in at least that "
           "share (G-Pass@k), by the most frequent answer (majority@k); last, the k seeds that come first, as NeMo-Skills counts majority@k";
}

Table curve_table(const statistics::Summary& s) {
    Table table;
    table.column("k").column("pass@k").column("pass^k").column("G-Pass@k 0.5").column("0.75").column("majority@k").column("first k");
    if (s.at_k.size() < 3) return table;
    for (const statistics::AtK& row : s.at_k) {
        if (!is_shown(row.k, s.seeds)) continue;
        const auto& any = row.expected_majority;
        table.row({fmt::format("{}", row.k), percent(row.pass_at_k), percent(row.pass_hat_k), percent(row.g_pass_half), percent(row.g_pass_three_quarters),
                   any ? percent(any->uniform) : "-", row.majority_at_k ? percent(*row.majority_at_k) : "-"});
    }
    return table;
}

}  // namespace assay::reports
