// assay compare: two runs; a run against published counts; the greedy seed of a run against its sampled ones.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "harness/error.hpp"
#include "reports/compare/compare_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/drivers/checkpoint_notes.hpp"
#include "runners/drivers/judged_run.hpp"
#include "runners/drivers/pairing.hpp"
#include "runners/published_counts.hpp"
#include "runners/terminal.hpp"
#include "scorers/statistics/columns.hpp"

namespace assay::runners {
namespace {

ExitCode code_of(const std::optional<statistics::Gate>& gate, bool all_scored) {
    if (!gate) return all_scored ? exit_clean : exit_undecided;
    if (gate->verdict == statistics::GateVerdict::pass) return exit_clean;
    return gate->verdict == statistics::GateVerdict::fail ? exit_no : exit_undecided;
}

class CompareCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "compare"; }
    [[nodiscard]] std::string summary() const override { return "two runs; a run and published counts; the greedy seed and the sampled ones"; }
    [[nodiscard]] std::string example() const override {
        return "assay compare runs/reference runs/quantized --gate 2.0\n"
               "  assay compare runs/kimi --greedy\n"
               "  assay compare runs/kimi --against \\\n"
               "    \"190 185 182 181 184 185 180 186 183 181 186 183 184 186 185 184 / 198\"";
    }

    void declare(Flags& flags) override {
        flags.option("RUN", runs_, "one folder or two, of runs or of NeMo-Skills results: A, the reference, and B");
        flags.option("--gate", gate_, "a margin in points, as in --gate 2.0: may B take A's place? Ends 0 PASS, 1 FAIL, 3 INCONCLUSIVE");
        flags.flag("--anyway", anyway_, "compare runs whose questions, choice order, prompt or extractor differ; the differences are listed");
        flags.flag("--greedy", greedy_, "one run: its greedy seed against its sampled ones");
        flags.option("--greedy-seed", greedy_seed_, "number of the greedy seed, where the run does not say");
        flags.flag("--without-greedy", without_greedy_, "two runs, or published counts: leave the greedy seeds out");
        flags.option("--against", against_, "one run: published right answers a seed, \"190 185 ... / 198\", or a file with them; this test only");
        flags.option("--extractor", extractor_, "read the letters of all runs with this extractor (default: the protocol's own)");
        flags.option("--format", format_, "text, json, or junit: the gate as a test case", {"text", "json", "junit"});
    }

    int run() override {
        if (gate_ && !(*gate_ > 0 && *gate_ < 100)) throw Error(fmt::format("--gate must lie above 0 and below 100 points, and is {}", *gate_));
        if (greedy_ && (against_ || gate_ || without_greedy_)) throw Error("--greedy takes neither --against, --gate nor --without-greedy: give it alone");
        refuse_passed_over("only two runs differ in how they were asked", {{(greedy_ || against_) && anyway_, "--anyway"}});
        if (format_ == "junit" && !gate_) throw Error("--format junit shows a gate: give --gate, or another --format");
        const std::size_t expected = greedy_ || against_ ? 1 : 2;
        if (runs_.size() != expected) {
            throw Error(fmt::format("expected {} and found {}: assay compare A B, assay compare RUN --greedy, or assay compare RUN --against COUNTS",
                                    expected == 1 ? "the folder of one run" : "the folders of two runs", runs_.size()));
        }
        if (greedy_) return compare_greedy();
        return against_ ? compare_published() : compare_two();
    }

private:
    [[nodiscard]] bool json() const { return format_ == "json"; }
    [[nodiscard]] std::optional<double> margin() const { return gate_ ? std::optional(*gate_ / 100) : std::nullopt; }
    [[nodiscard]] RejudgedRun read(const std::string& path) const {
        RejudgedRun run = rejudge_run(path, {extractor_ ? &multichoice::extractor_named(*extractor_) : &usual_extractor(path)});
        set_greedy(run);
        const auto& stopping = run.header.stopping;
        if (stopping && stopping->decision == "stop" && stopping->seeds < stopping->seeds_asked) {
            run.header.notes.push_back(fmt::format("{}: stopped after {} of {} seeds by --stop-when {}; {} replies of other seeds are in no figure", path,
                                                   stopping->seeds, stopping->seeds_asked, stopping->rule, stopping->replies_outside));
        }
        return run;
    }

    // A run knows its own greedy seed; --greedy-seed is for those that do not, and must name one of their seeds.
    void set_greedy(RejudgedRun& run) const {
        if (!greedy_seed_) return;
        auto& known = run.header.plan.sampling.greedy_seed;
        if (known && *known != *greedy_seed_) {
            throw Error(fmt::format("{} was asked with seed {} greedy, and --greedy-seed is {}: leave it out", run.header.run, *known, *greedy_seed_));
        }
        known = static_cast<int>(*greedy_seed_);
        if (!statistics::column_of(run.tables.front(), *known)) throw Error(fmt::format("{} has no seed {}: --greedy-seed names one of its seeds", run.header.run, *known));
    }

    // Notes of a run, told from the other's where the two have theirs.
    static void add_notes(std::vector<std::string>& notes, const char* side, const RejudgedRun& run) {
        for (const std::string& note : run.header.notes) notes.push_back(note.starts_with(run.header.run) ? note : fmt::format("{}: {}", side, note));
    }

    // The table, without the greedy seed where that was asked for; says what becomes of it.
    [[nodiscard]] statistics::SeedTable sampled(const RejudgedRun& run, std::vector<std::string>& notes) const {
        const statistics::SeedTable& table = run.tables.front();
        const auto& greedy = run.header.plan.sampling.greedy_seed;
        if (!greedy || table.columns() < 2 || !statistics::column_of(table, *greedy)) {
            if (without_greedy_) notes.push_back(fmt::format("{}: no seed is known to be greedy, so that none is left out", run.header.run));
            return table;
        }
        notes.push_back(fmt::format("{}: seed {} is greedy and {}", run.header.run, *greedy,
                                    without_greedy_ ? "left out" : "counted as if it were sampled; --without-greedy leaves it out"));
        return without_greedy_ ? without_seed(table, *greedy) : table;
    }

    int compare_two();
    int compare_greedy();
    int compare_published();

    std::vector<std::string> runs_;
    std::optional<double> gate_;
    bool anyway_ = false;
    bool greedy_ = false;
    std::optional<std::int64_t> greedy_seed_;
    bool without_greedy_ = false;
    std::optional<std::string> against_;
    std::optional<std::string> extractor_;
    std::string format_ = "text";
};

int CompareCommand::compare_two() {
    const RejudgedRun a = read(runs_[0]);
    const RejudgedRun b = read(runs_[1]);
    Pairing pairing = pair_questions(a, b);
    if (!pairing.differences.empty() && !anyway_) {
        throw Error(fmt::format("the runs cannot be compared: {} (--anyway compares them nevertheless)", fmt::join(pairing.differences, "; ")));
    }
    if (gate_ && !pairing.same_questions) throw Error(fmt::format("a gate needs the same questions in both runs: {}", fmt::join(pairing.differences, "; ")));

    std::vector<std::string> notes;
    const bool same_folder = std::filesystem::equivalent(runs_[0], runs_[1]);
    if (same_folder) notes.emplace_back("A and B are the same folder: a run does not differ from itself");
    add_notes(notes, same_folder ? "A and B" : "A", a);
    if (!same_folder) add_notes(notes, "B", b);
    notes.insert(notes.end(), pairing.notes.begin(), pairing.notes.end());
    if (std::string weights = weights_note(a.header.checkpoint, b.header.checkpoint); !weights.empty()) notes.push_back(std::move(weights));
    const std::size_t only_a = a.set.questions.size() - pairing.rows.size();
    const std::size_t only_b = b.set.questions.size() - pairing.rows.size();
    if (only_a + only_b > 0) pairing.differences.push_back(fmt::format("left out: {} questions that only A holds, {} that only B holds", only_a, only_b));

    std::vector<std::size_t> rows_a;
    std::vector<std::size_t> rows_b;
    std::vector<std::string> record_ids;
    for (const auto& [row_a, row_b] : pairing.rows) {
        rows_a.push_back(row_a);
        rows_b.push_back(row_b);
        record_ids.push_back(a.set.questions[row_a].record_id);
    }
    const statistics::SeedTable table_a = rows_of(sampled(a, notes), rows_a);
    const statistics::SeedTable table_b = rows_of(sampled(b, notes), rows_b);
    auto comparison = statistics::compare_runs(table_a, table_b);
    if (!comparison) {
        throw Error("fewer than two questions have all their attempts scored in both runs: continue the runs, or compare others");
    }
    if (!pairing.same_order && comparison->letters) {
        comparison->letters.reset();
        notes.emplace_back("letters are not compared, since choices stand elsewhere: only right and wrong are");
    }
    std::optional<statistics::Gate> gate;
    if (margin()) gate = statistics::gate_with_unscored(table_a, table_b, *margin());
    const reports::ComparisonReport report{a.header, b.header, table_a, table_b, *comparison, gate, record_ids, pairing.differences, notes};
    print(stdout, format_ == "junit" ? reports::gate_junit(report) : json() ? reports::comparison_json(report) : reports::comparison_text(report, look_of(stdout)));
    return code_of(gate, comparison->left_out.empty());
}

int CompareCommand::compare_greedy() {
    const RejudgedRun run = read(runs_[0]);
    const auto& seed = run.header.plan.sampling.greedy_seed;
    if (!seed) throw Error(fmt::format("{} does not say which seed is greedy: give --greedy-seed N", runs_[0]));
    const statistics::SeedTable& table = run.tables.front();
    if (!statistics::column_of(table, *seed)) throw Error(fmt::format("{} has no seed {}", runs_[0], *seed));
    if (table.columns() < 3) throw Error(fmt::format("{} has fewer than two sampled seeds beside the greedy one: run more seeds", runs_[0]));
    const auto greedy = statistics::greedy_seed(table, *seed);
    if (!greedy) throw Error(fmt::format("{} has attempts without a score: continue the run with `assay score --out {}` first", runs_[0], runs_[0]));
    const reports::GreedyReport report{run.header, *greedy, static_cast<std::int64_t>(table.rows()), run.header.notes};
    print(stdout, json() ? reports::greedy_json(report) : reports::greedy_text(report, look_of(stdout)));
    return exit_clean;
}

int CompareCommand::compare_published() {
    const PublishedCounts published = read_published_counts(*against_);
    const RejudgedRun run = read(runs_[0]);
    std::vector<std::string> notes = run.header.notes;
    const statistics::SeedTable table = sampled(run, notes);
    if (static_cast<std::int64_t>(table.rows()) != published.questions) {
        throw Error(fmt::format("{} holds {} questions and the published counts are of {}: only runs of the whole test can be compared", runs_[0],
                                table.rows(), published.questions));
    }
    if (!statistics::every_cell_scored(table)) {
        throw Error(fmt::format("{} has attempts without a score: continue the run with `assay score --out {}` first", runs_[0], runs_[0]));
    }
    std::vector<std::int64_t> counts;
    for (std::size_t column = 0; column < table.columns(); ++column) {
        const std::vector<std::size_t> one{column};
        counts.push_back(statistics::correct_by_seed_of(table, one).front());
    }
    const auto comparison = statistics::compare_with_published(counts, published.correct, published.questions);
    std::optional<statistics::Gate> gate;
    if (margin()) {
        gate = statistics::gate_published(comparison, std::ssize(counts), std::ssize(published.correct), *margin());
    }
    const reports::PublishedReport report{run.header, table.seeds, counts, published.correct, published.questions, published.source, comparison, gate, notes};
    print(stdout, format_ == "junit" ? reports::gate_junit(report) : json() ? reports::published_json(report) : reports::published_text(report, look_of(stdout)));
    return code_of(gate, true);
}

}  // namespace

std::unique_ptr<Command> compare_command() {
    return std::make_unique<CompareCommand>();
}

}  // namespace assay::runners
