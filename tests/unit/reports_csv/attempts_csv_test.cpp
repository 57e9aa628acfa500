#include "reports/csv/attempts_csv.hpp"

#include <gtest/gtest.h>

#include "reports/csv/field.hpp"
#include "tests/unit/reports_score/example.hpp"

namespace assay::reports {
namespace {

using statistics::Cell;
using statistics::CellState;

TEST(CsvField, IsOneFieldWhateverItHolds) {
    EXPECT_EQ(csv_field("plain text"), "plain text");
    EXPECT_EQ(csv_field(""), "");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
    EXPECT_EQ(csv_field("a\nb\x1b[2J"), "a\\nb\\x1b[2J");
}

TEST(CsvField, IsNoFormula) {
    EXPECT_EQ(csv_field("=1+1"), "'=1+1");
    EXPECT_EQ(csv_field("+1"), "'+1");
    EXPECT_EQ(csv_field("-1"), "'-1");
    EXPECT_EQ(csv_field("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
    EXPECT_EQ(csv_field("a=1"), "a=1");
}

Cell cell(CellState state, std::optional<std::string> prediction, bool correct) {
    Cell one;
    one.state = state;
    one.prediction = std::move(prediction);
    one.correct = correct;
    return one;
}

TEST(AttemptsCsv, HasALineAnAttemptAndNothingForWhatIsUnknown) {
    RunHeader header = example_header();
    header.run = "runs/a,b";
    statistics::SeedTable table;
    table.seeds = {0, 3};
    table.questions = {0, 7};
    table.domains = {"Physics", ""};
    table.subdomains = {"=Optics", ""};
    table.cells = {cell(CellState::complete, "B", true), cell(CellState::truncated, {}, false), cell(CellState::unscored, {}, false),
                   cell(CellState::missing, {}, false)};
    table.cells[0].completion_tokens = 1200;
    table.cells[0].reasoning_tokens = 1000;
    table.cells[1].completion_tokens = 65536;
    table.cells[2].why = "dropped";
    EXPECT_EQ(attempts_csv(header, table, {{"rec1", 'B'}, {"", 'D'}}),
              "run,simulated,model,extractor,question,record_id,domain,subdomain,seed,greedy,state,outcome,answer,key,correct,completion_tokens,reasoning_tokens\n"
              "\"runs/a,b\",,moonshotai/Kimi-K3,nemo-v3,0,rec1,Physics,'=Optics,0,yes,complete,,B,B,yes,1200,1000\n"
              "\"runs/a,b\",,moonshotai/Kimi-K3,nemo-v3,0,rec1,Physics,'=Optics,3,no,truncated,,,B,no,65536,\n"
              "\"runs/a,b\",,moonshotai/Kimi-K3,nemo-v3,7,,,,0,yes,unscored,dropped,,D,,,\n"
              "\"runs/a,b\",,moonshotai/Kimi-K3,nemo-v3,7,,,,3,no,missing,,,D,,,\n");
}

TEST(AttemptsCsv, SaysOfEachLineThatItWasSimulated) {
    RunHeader header = example_header();
    header.plan.simulated = "accuracy=0.8";
    statistics::SeedTable table;
    table.seeds = {0};
    table.questions = {0};
    table.domains = table.subdomains = {""};
    table.cells = {cell(CellState::complete, "B", true)};
    EXPECT_NE(attempts_csv(header, table, {{"", 'B'}}).find("\nruns/k3-nvfp4,accuracy=0.8,"), std::string::npos);
}

}  // namespace
}  // namespace assay::reports
