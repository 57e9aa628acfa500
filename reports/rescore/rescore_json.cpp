#include <nlohmann/json.hpp>

#include "reports/rescore/readings.hpp"
#include "reports/rescore/rescore_report.hpp"
#include "scorers/statistics/disagreements.hpp"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json extractors(const RescoreReport& report) {
    Json out = Json::array();
    for (std::size_t i = 0; i < report.tables.size(); ++i) {
        const statistics::Counts c = counts_of(report.tables[i]);
        const Against other = against(report.tables[i], report.tables[0]);
        out.push_back({{"name", report.extractors[i]},
                       {"pass_at_1", c.score() ? Json(*c.score()) : Json(nullptr)},
                       {"counts",
                        {{"attempts", c.attempts},
                         {"scored", c.scored},
                         {"correct", c.correct},
                         {"no_answer", c.no_answer},
                         {"unscored", c.unscored},
                         {"missing", c.missing}}},
                       {"against_first", {{"differ", other.differ}, {"gained", other.gained}, {"lost", other.lost}}}});
    }
    return out;
}

Json differing(const RescoreReport& report) {
    Json out = Json::array();
    for (const statistics::SeedTable& row : report.tables) {
        Json line = Json::array();
        for (const statistics::SeedTable& column : report.tables) line.push_back(against(row, column).differ);
        out.push_back(std::move(line));
    }
    return out;
}

Json disagreements(const RescoreReport& report) {
    Json out = Json::array();
    const statistics::SeedTable& first = report.tables[0];
    for (const std::size_t cell : statistics::disagreements(report.tables)) {
        const std::size_t row = cell / first.columns();
        Json letters = Json::object();
        for (std::size_t i = 0; i < report.tables.size(); ++i) {
            const auto& read = report.tables[i].cells[cell].prediction;
            letters[report.extractors[i]] = read ? Json(*read) : Json(nullptr);
        }
        out.push_back({{"question", first.questions[row]},
                       {"record_id", text_or_null(report.record_ids[row])},
                       {"seed", first.seeds[cell % first.columns()]},
                       {"correct_letter", std::string(1, report.correct_letters[row])},
                       {"state", to_string(first.cells[cell].state)},
                       {"letters", letters}});
    }
    return out;
}

}  // namespace

std::string rescore_json(const RescoreReport& report) {
    const Json out = {{"format", "assay.rescore/1"},
                      {"tool_version", text_or_null(report.header.tool_version)},
                      {"simulated", text_or_null(report.header.plan.simulated)},
                      {"run", report.header.run},
                      {"source", report.header.source},
                      {"protocol", text_or_null(report.header.plan.protocol)},
                      {"questions", report.tables[0].rows()},
                      {"seeds", report.tables[0].seeds},
                      {"graded_reasoning", report.graded_reasoning},
                      {"extractors", extractors(report)},
                      {"differing", differing(report)},
                      {"disagreements", disagreements(report)},
                      {"notes", report.header.notes}};
    return out.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
