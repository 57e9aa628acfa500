// assay audit: is this checkpoint well formed, and does it hold the values of its source?
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/error.hpp"
#include "harness/parallel/workers.hpp"
#include "reports/checkpoints/audit_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/rebuild_flags.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/drivers/differences_file.hpp"
#include "runners/drivers/walk_monitor.hpp"
#include "runners/drivers/walk_scalars.hpp"
#include "runners/spelling.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"
#include "scorers/rules/pair_findings.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::runners {
namespace {

using rules::Severity;

std::string layouts_of(const checkpoints::Opened& opened) {
    std::set<checkpoints::LayoutId> ids;
    for (const checkpoints::Module& module : opened.recognition.modules) ids.insert(module.layout);
    std::string names;
    for (const checkpoints::LayoutId id : ids) {
        if (!names.empty()) names += " + ";
        names += checkpoints::layout_of(id).name;
    }
    return names;
}

std::uint64_t fp4_blocks(const checkpoints::Opened& opened) {
    std::uint64_t blocks = 0;
    for (const checkpoints::Module& module : opened.recognition.modules) {
        const checkpoints::Layout& layout = checkpoints::layout_of(module.layout);
        if (layout.fp4() && !layout.declined) blocks += module.elements() / layout.block_columns;
    }
    return blocks;
}

class AuditCommand : public Command {
public:
    [[nodiscard]] std::string name() const override { return "audit"; }
    [[nodiscard]] std::string summary() const override {
        return "check a checkpoint alone, or against its source block by block";
    }
    [[nodiscard]] std::string example() const override {
        return "assay audit /models/Kimi-K3-NVFP4\n"
               "  assay audit /models/Kimi-K3-NVFP4 --source /models/Kimi-K3\n"
               "  assay audit /models/Kimi-K3-NVFP4 --source-digests Kimi-K3.sha256\n"
               "  assay audit ./target --source ./source --differences differences.jsonl --format json";
    }

    void declare(Flags& flags) override {
        flags.option("CKPT", path_, "the checkpoint to audit: a folder of .safetensors files, its index, or one file");
        flags.option("--source", source_, "the checkpoint it was made from; every block is compared with it");
        flags.option("--differences", differences_,
                     "write every block that differs to this file, one JSON object a line");
        flags.option("--sample", sample_, "read a random part only, such as 1%; the exit code is then 3 at best");
        flags.option("--sample-seed", sample_seed_, "which part --sample draws");
        rebuild_.declare(flags);
        flags.option("--resume", resume_,
                     "keep what is finished in this file, and go on from it where it is there");
        flags.option("--show", show_, "how many blocks that differ are printed");
        flags.option("--rules", only_, "ask only these rules (an id, or the part before its dot); repeatable");
        flags.option("--ignore", ignored_, "leave these rules out; repeatable");
        flags.flag("--list-rules", list_rules_, "print the rules with their ids and severities");
        flags.flag("--strict-bytes", strict_bytes_,
                   "equal values in other bytes (a lost negative zero) are no success either");
        flags.option("--fail-on", fail_on_, "the least severity of a finding that makes the exit code 1",
                     {"error", "warning", "note"});
        flags.option("--io", io_,
                     "how bytes are read: auto maps what is in memory, reads the rest past the page cache, and uses plain "
                     "reads on network file systems",
                     {"auto", "map", "direct", "read"});
        flags.option("--threads", threads_,
                     "threads that compute; as many as there are processors unless given, and four times as many where "
                     "they wait for a disk");
        flags.option("--format", format_, "text, json, or markdown: a short table for a model card",
                     {"text", "json", "markdown"});
        flags.flag("--quiet", quiet_, "no progress on standard error");
    }

    int run() override {
        if (list_rules_) return print_rules();
        if (path_.empty()) throw Error("expected a checkpoint: a folder of .safetensors files, its index, or one file");
        if (show_ < 0) throw Error("--show must not be negative");
        if (threads_ && (*threads_ < 1 || *threads_ > 1024)) throw Error("--threads must be from 1 to 1024");
        if (differences_ && !source_) throw Error("--differences needs --source: the checkpoint to compare with");
        if (resume_ && !source_) throw Error("--resume needs --source: an audit of a checkpoint alone is short");
        if (sample_ && !source_) throw Error("--sample needs --source: the checkpoint to compare with");
        if (sample_seed_ < 0) throw Error("--sample-seed must not be negative");
        (void)sample();
        rebuild_.check();
        const std::vector<rules::Rule> chosen = chosen_rules();
        const checkpoints::Opened target = checkpoints::open_and_recognise(path_);
        reports::AuditReport report;
        report.target = target.checkpoint.folder;
        report.target_layouts = layouts_of(target);
        if (source_) {
            judge_pair(target, chosen, report);
        } else if (!judge_alone(target, chosen, report)) {
            print(stderr, "assay audit: interrupted before all block scales were read; nothing was decided\n");
            return exit_interrupted;
        }
        if (rebuild_.asked()) rebuild_.run(target, worker_count(), quiet_, report);
        print(stdout, shown(report));
        return exit_code(report);
    }

private:
    [[nodiscard]] std::string shown(const reports::AuditReport& report) const {
        if (format_ == "json") return reports::audit_json(report);
        if (format_ == "markdown") return reports::audit_markdown(report);
        return reports::audit_text(report, look_of(stdout));
    }

    static int print_rules() {
        for (const rules::Rule& rule : rules::all_rules())
            print(stdout, fmt::format("{:<24} {:<8} {}\n", rule.id, to_string(rule.severity), rule.summary));
        return exit_clean;
    }

    // Whether `wanted` is the rule's id or the family it belongs to.
    static bool is_meant(const rules::Rule& rule, const std::string& wanted) {
        return rule.id == wanted || rule.id.substr(0, rule.id.find('.')) == wanted;
    }

    std::vector<rules::Rule> chosen_rules() const {
        const std::span<const rules::Rule> all = rules::all_rules();
        for (const auto* list : {&only_, &ignored_}) {
            for (const std::string& wanted : *list) {
                if (std::any_of(all.begin(), all.end(),
                                [&](const rules::Rule& rule) { return is_meant(rule, wanted); }))
                    continue;
                std::vector<std::string> ids;
                for (const rules::Rule& rule : all) ids.emplace_back(rule.id);
                const std::string near = nearest_name(wanted, ids);
                throw Error(fmt::format("no rule {}{}; --list-rules prints them", wanted,
                                        near.empty() ? "" : ": did you mean " + near + "?"));
            }
        }
        const auto in = [](const std::vector<std::string>& list, const rules::Rule& rule) {
            return std::any_of(list.begin(), list.end(),
                               [&](const std::string& wanted) { return is_meant(rule, wanted); });
        };
        std::vector<rules::Rule> chosen;
        for (const rules::Rule& rule : all) {
            if ((only_.empty() || in(only_, rule)) && !in(ignored_, rule)) chosen.push_back(rule);
        }
        return chosen;
    }

    // False where it was interrupted.
    bool judge_alone(const checkpoints::Opened& target, const std::vector<rules::Rule>& chosen,
                     reports::AuditReport& report) {
        rules::ScalarFacts scalars = read_scalars(target);
        const bool asks_scales = std::any_of(chosen.begin(), chosen.end(), [](const rules::Rule& rule) {
            return rule.id.substr(0, rule.id.find('.')) == "block_scale";
        });
        Cancel cancel;
        if (asks_scales) {
            WalkProgress progress;
            const WalkMonitor monitor(progress, cancel, quiet_);
            survey_scales(target, worker_count(), &cancel, scalars, &progress);
        }
        ask(chosen, target, scalars, report);
        return !cancel.raised();
    }

    void ask(const std::vector<rules::Rule>& chosen, const checkpoints::Opened& target,
             const rules::ScalarFacts& scalars, reports::AuditReport& report) {
        for (const std::string& fault : scalars.unreadable) {
            report.findings.push_back(
                {"read.scalar", Severity::error, {}, {}, {}, {}, fault, "the rules that need it were not asked"});
            ++unreadable_;
        }
        rules::ask(chosen, target, scalars, report.findings);
    }

    void judge_pair(const checkpoints::Opened& target, const std::vector<rules::Rule>& chosen,
                    reports::AuditReport& report) {
        const checkpoints::Opened source = checkpoints::open_and_recognise(*source_);
        const checkpoints::Pairing pairing = checkpoints::pair_up(source, target);
        report.source = source.checkpoint.folder;
        report.source_layouts = layouts_of(source);
        report.source_blocks = fp4_blocks(source);
        rules::ScalarFacts scalars;
        report.pair = compare(source, target, pairing, scalars);
        ask(chosen, target, scalars, report);
        unreadable_ += report.pair->unreadable.size();
        for (rules::Finding& finding : rules::pair_findings(source, target, pairing, *report.pair))
            report.findings.push_back(std::move(finding));
    }

    [[nodiscard]] std::optional<Sample> sample() const {
        if (!sample_) return std::nullopt;
        return Sample{share_from(*sample_), static_cast<std::uint64_t>(sample_seed_)};
    }

    [[nodiscard]] files::Io io() const {
        if (io_ == "map") return files::Io::map;
        if (io_ == "direct") return files::Io::direct;
        return io_ == "read" ? files::Io::read : files::Io::automatic;
    }

    [[nodiscard]] unsigned worker_count() const {
        return threads_ ? static_cast<unsigned>(*threads_) : parallel::available_threads();
    }

    bit_exact::PairAudit compare(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                 const checkpoints::Pairing& pairing, rules::ScalarFacts& scalars) {
        WalkProgress progress;
        Cancel cancel;
        WalkOptions options;
        options.threads = worker_count();
        options.most_differences = static_cast<std::size_t>(show_);
        options.cancel = &cancel;
        options.progress = &progress;
        options.target_facts = &scalars;
        options.sample = sample();
        options.io = io();
        std::optional<DifferencesFile> file;
        options.state.path = resume_.value_or("");
        options.state.version = version;
        if (differences_) {
            file.emplace(*differences_);
            options.on_difference = [&](const bit_exact::LocatedDifference& one) {
                file->add(reports::difference_line(one));
            };
            options.state.differences = *differences_;
            options.state.differences_bytes = [&] { return file->flushed(); };
            options.state.keep_differences = [&](std::uint64_t bytes) { file->keep(bytes); };
        }
        const WalkMonitor monitor(progress, cancel, quiet_);
        bit_exact::PairAudit audit = walk_blocks(source, target, pairing, options);
        if (file) file->finish();
        return audit;
    }

    [[nodiscard]] int exit_code(const reports::AuditReport& report) const {
        if (report.pair && report.pair->cancelled) return exit_interrupted;
        if (report.rebuilt && report.rebuilt->digests.cancelled) return exit_interrupted;
        std::uint64_t failing = report.count(Severity::error);
        if (fail_on_ != "error") failing += report.count(Severity::warning);
        if (fail_on_ == "note") failing += report.count(Severity::note);
        // What could not be read decides nothing by itself; what was read and differs does.
        if (failing > unreadable_) return exit_no;
        if (report.pair) {
            const bit_exact::BlockTally& blocks = report.pair->blocks;
            if (blocks.exact < blocks.blocks || (strict_bytes_ && blocks.payload_equal < blocks.blocks)) return exit_no;
        }
        if (report.rebuilt && !report.rebuilt->digests.refused.empty()) return exit_undecided;
        return unreadable_ == 0 && !sample_ ? exit_clean : exit_undecided;
    }

    std::string path_;
    RebuildFlags rebuild_;
    std::optional<std::string> source_;
    std::optional<std::string> differences_;
    std::optional<std::string> sample_;
    std::int64_t sample_seed_ = 0;
    std::optional<std::string> resume_;
    std::int64_t show_ = 20;
    std::vector<std::string> only_;
    std::vector<std::string> ignored_;
    bool list_rules_ = false;
    bool strict_bytes_ = false;
    std::string fail_on_ = "error";
    std::string io_ = "auto";
    std::optional<std::int64_t> threads_;
    std::string format_ = "text";
    bool quiet_ = false;
    std::uint64_t unreadable_ = 0;  // reads that failed, each with a finding
};

}  // namespace

std::unique_ptr<Command> audit_command() { return std::make_unique<AuditCommand>(); }

}  // namespace assay::runners
