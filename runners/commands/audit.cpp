// assay audit: is this checkpoint well formed, and does it hold the values of its source?
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/error.hpp"
#include "harness/parallel/workers.hpp"
#include "reports/checkpoints/audit_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/rule_choice.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/drivers/walk_monitor.hpp"
#include "runners/drivers/walk_scalars.hpp"
#include "runners/terminal.hpp"
#include "scorers/rules/pair_findings.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::runners {
namespace {

using rules::Severity;

std::string layouts_of(const checkpoints::Opened& opened) {
    if (opened.checkpoint.tensors.empty()) return "no tensor that could be read";
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

// Where --differences goes: every difference as it is merged, and an error if the disk does not take it.
class DifferencesFile {
public:
    explicit DifferencesFile(const std::string& path) : path_(path), file_(path, std::ios::binary) {
        if (!file_) throw Error("cannot write " + path + " (--differences)");
    }
    void add(const bit_exact::LocatedDifference& difference) { file_ << reports::difference_line(difference); }
    void finish() {
        if (!file_.flush()) throw Error(path_ + " (--differences) could not be written in full");
    }

private:
    std::string path_;
    std::ofstream file_;
};

class AuditCommand : public Command {
public:
    [[nodiscard]] std::string name() const override { return "audit"; }
    [[nodiscard]] std::string summary() const override {
        return "check a checkpoint alone, or against its source block by block";
    }
    [[nodiscard]] std::string example() const override {
        return "assay audit /models/Kimi-K3-NVFP4\n"
               "  assay audit /models/Kimi-K3-NVFP4 --source /models/Kimi-K3\n"
               "  assay audit ./target --source ./source --differences differences.jsonl --format json";
    }

    void declare(Flags& flags) override {
        flags.option("CKPT", path_, "the checkpoint to audit: a folder of .safetensors files, its index, or one file");
        flags.option("--source", source_, "the checkpoint it was made from; every block is compared with it");
        flags.option("--differences", differences_,
                     "write every block that differs to this file, one JSON object a line");
        flags.option("--show", show_, "how many blocks that differ are printed");
        flags.option("--rules", only_, "ask only these rules: ids or the parts before their dots, with commas between; repeatable");
        flags.option("--ignore", ignored_, "leave these rules out, named in the same way (block_scale: read no block scales)");
        flags.flag("--list-rules", list_rules_, "print the rules with their ids and severities");
        flags.flag("--strict-bytes", strict_bytes_,
                   "equal values in other bytes (a lost negative zero) are no success either");
        flags.option("--fail-on", fail_on_, "the least severity of a finding that makes the exit code 1",
                     {"error", "warning", "note"});
        flags.option("--threads", threads_, "worker threads; as many as there are processors unless given");
        flags.option("--format", format_, "text or json", {"text", "json"});
        flags.flag("--quiet", quiet_, "no progress on standard error");
    }

    int run() override {
        if (list_rules_) {
            print(stdout, rule_list(format_ == "json"));
            return exit_clean;
        }
        if (path_.empty()) throw Error("expected a checkpoint: a folder of .safetensors files, its index, or one file");
        if (show_ < 0) throw Error("--show must not be negative");
        if (threads_ && (*threads_ < 1 || *threads_ > 1024)) throw Error("--threads must be from 1 to 1024");
        if (differences_ && !source_) throw Error("--differences needs --source: the checkpoint to compare with");
        const std::vector<rules::Rule> chosen = chosen_rules(only_, ignored_);
        const checkpoints::Opened target = checkpoints::open_and_recognise(path_);
        reports::AuditReport report;
        report.target = target.checkpoint.folder;
        report.target_layouts = layouts_of(target);
        judge_alone(target, chosen, report);
        if (source_) judge_pair(target, report);
        print(stdout, format_ == "json" ? reports::audit_json(report) : reports::audit_text(report, look_of(stdout)));
        return exit_code(report);
    }

private:
    void judge_alone(const checkpoints::Opened& target, const std::vector<rules::Rule>& chosen,
                     reports::AuditReport& report) {
        rules::ScalarFacts scalars = read_scalars(target);
        const bool asks_scales = std::any_of(chosen.begin(), chosen.end(), [](const rules::Rule& rule) {
            return rule.id.substr(0, rule.id.find('.')) == "block_scale";
        });
        if (asks_scales) survey_scales(target, worker_count(), nullptr, scalars);
        for (const std::string& fault : scalars.unreadable) {
            report.findings.push_back(
                {"read.scalar", Severity::error, {}, {}, {}, {}, fault, "the rules that need it were not asked"});
            ++unreadable_;
        }
        rules::ask(chosen, target, scalars, report.findings);
    }

    void judge_pair(const checkpoints::Opened& target, reports::AuditReport& report) {
        const checkpoints::Opened source = checkpoints::open_and_recognise(*source_);
        const checkpoints::Pairing pairing = checkpoints::pair_up(source, target);
        report.source = source.checkpoint.folder;
        report.source_layouts = layouts_of(source);
        report.source_blocks = fp4_blocks(source);
        report.pair = compare(source, target, pairing);
        unreadable_ += report.pair->unreadable.size();
        for (rules::Finding& finding : rules::pair_findings(source, target, pairing, *report.pair))
            report.findings.push_back(std::move(finding));
    }

    [[nodiscard]] unsigned worker_count() const {
        return threads_ ? static_cast<unsigned>(*threads_) : parallel::available_threads();
    }

    bit_exact::PairAudit compare(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                 const checkpoints::Pairing& pairing) {
        WalkProgress progress;
        Cancel cancel;
        WalkOptions options;
        options.threads = worker_count();
        options.most_differences = static_cast<std::size_t>(show_);
        options.cancel = &cancel;
        options.progress = &progress;
        std::optional<DifferencesFile> file;
        if (differences_) {
            file.emplace(*differences_);
            options.on_difference = [&](const bit_exact::LocatedDifference& one) { file->add(one); };
        }
        const WalkMonitor monitor(progress, cancel, quiet_);
        bit_exact::PairAudit audit = walk_blocks(source, target, pairing, options);
        if (file) file->finish();
        return audit;
    }

    [[nodiscard]] int exit_code(const reports::AuditReport& report) const {
        if (report.pair && report.pair->cancelled) return exit_interrupted;
        std::uint64_t failing = report.count(Severity::error);
        if (fail_on_ != "error") failing += report.count(Severity::warning);
        if (fail_on_ == "note") failing += report.count(Severity::note);
        // What could not be read decides nothing by itself; what was read and differs does.
        if (failing > unreadable_) return exit_no;
        if (report.pair) {
            const bit_exact::BlockTally& blocks = report.pair->blocks;
            if (blocks.exact < blocks.blocks || (strict_bytes_ && blocks.payload_equal < blocks.blocks)) return exit_no;
        }
        return unreadable_ == 0 ? exit_clean : exit_undecided;
    }

    std::string path_;
    std::optional<std::string> source_;
    std::optional<std::string> differences_;
    std::int64_t show_ = 20;
    std::vector<std::string> only_;
    std::vector<std::string> ignored_;
    bool list_rules_ = false;
    bool strict_bytes_ = false;
    std::string fail_on_ = "error";
    std::optional<std::int64_t> threads_;
    std::string format_ = "text";
    bool quiet_ = false;
    std::uint64_t unreadable_ = 0;  // reads that failed, each with a finding
};

}  // namespace

std::unique_ptr<Command> audit_command() { return std::make_unique<AuditCommand>(); }

}  // namespace assay::runners
