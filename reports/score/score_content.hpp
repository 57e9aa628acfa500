// ScoreContent: what the report of a run says, before it is laid out as text, Markdown or HTML.
//
// Every text is visible() already; a renderer only adds the escapes of its own sink.
#pragma once

#include <string>
#include <vector>

#include "reports/score/run_header.hpp"
#include "reports/score/score_report.hpp"
#include "reports/terminal/fact.hpp"
#include "reports/terminal/table.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::reports {

struct ScoreContent {
    std::string simulated;                           // parameters of the simulated endpoint; empty: a real one
    std::string title;                               // the dataset's name, or the run's
    std::string coverage;                            // "198 questions x 16 seeds = 3,168 attempts, all scored"
    std::vector<std::vector<std::string>> identity;  // lines of pieces: plan and judge; sampling; where from
    std::vector<Fact> headline;                      // the score and its intervals, then agreement of the seeds
    std::vector<Fact> losses;                        // what was lost and what the run took
    std::string curve_words;                         // what the columns of `curve` are; empty where it has no rows
    Table curve;                                     // pass@k and its kin for some k below the number of seeds
    Table seeds;                                     // without rows where detail says so
    Table domains;
    Table subdomains;
    std::vector<std::string> notes;
};

[[nodiscard]] ScoreContent score_content(const RunHeader& header, const statistics::Summary& summary,
                                         const Detail& detail);

// The parts, each in a file of its own.
[[nodiscard]] std::vector<Fact> headline_facts(const RunHeader& header, const statistics::Summary& summary,
                                               bool with_numbers);
[[nodiscard]] std::vector<Fact> loss_facts(const RunHeader& header, const statistics::Summary& summary);
void add_stopping(std::vector<Fact>& out, const RunHeader& header);
void add_agreement(std::vector<Fact>& out, const statistics::SeedAgreement& agreement);
void add_own_work(std::vector<Fact>& out, const std::vector<runs::ClientWork>& sessions);
void add_truncation(std::vector<Fact>& out, const RunHeader& header, const statistics::Summary& summary);
[[nodiscard]] Table curve_table(const statistics::Summary& summary);  // without rows below three seeds
[[nodiscard]] std::string curve_table_words();
[[nodiscard]] Table seed_table(const statistics::Summary& summary);
[[nodiscard]] Table group_table(const std::string& title, const std::vector<statistics::GroupRow>& rows);

}  // namespace assay::reports
