// What several extractors make of the same saved replies.
//
// Tables hold the same attempts, one table an extractor, in the order asked for; the first is the one that the others are
// compared with. Same inputs, same bytes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/score/run_header.hpp"
#include "reports/terminal/style.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::reports {

struct RescoreReport {
    const RunHeader& header;
    std::vector<std::string> extractors;
    std::span<const statistics::SeedTable> tables;
    std::vector<char> correct_letters;    // by row
    std::vector<std::string> record_ids;  // by row; empty where unknown
    bool graded_reasoning = false;        // --grade-reasoning
};

// For people: the score by extractor, of three or more on how many attempts each two of them differ, then every attempt on which
// they disagree, by question and seed, with what each read
// ("-": nothing) and the right letter. Wrapped to look.width; ends with LF.
[[nodiscard]] std::string rescore_text(const RescoreReport& report, const Look& look);

// One object, "format": "assay.rescore/1", ASCII, ended by LF:
//   run, source, protocol (null: unknown), questions, seeds [numbers], graded_reasoning
//   extractors     [{name, pass_at_1, counts {attempts, scored, correct, no_answer, unscored, missing},
//                    against_first {differ, gained, lost}}]   gained: right here and not by the first
//   differing      [[n]]: on how many scored attempts row's and column's extractor differ
//   disagreements  [{question, record_id, seed, correct_letter, state, letters {extractor: text or null}}]
//   notes
[[nodiscard]] std::string rescore_json(const RescoreReport& report);

// A line for every attempt and extractor, by seed, question and extractor:
//   {"question":0,"seed":3,"extractor":"nemo-v3","letter":"B","correct":true}
// letter is null where nothing was read. An attempt given up without a reply to judge has "correct":null and its reason as
// "unscored"; one that was never tried has no line.
[[nodiscard]] std::string rescore_lines(const RescoreReport& report);

}  // namespace assay::reports
