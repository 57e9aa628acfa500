// assay audit: is this checkpoint well formed, and does it hold the values of its source?
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/error.hpp"
#include "reports/checkpoints/audit_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/commands/rebuild_flags.hpp"
#include "runners/commands/rule_choice.hpp"
#include "runners/commands/walk_flags.hpp"
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

// Tensors outside FP4 weights that the target should hold as they are.
std::uint64_t tensors_to_carry(const checkpoints::Opened& source, const checkpoints::Pairing& pairing) {
    std::vector<bool> fp4(source.checkpoint.tensors.size(), false);
    for (const checkpoints::Module& module : source.recognition.modules) {
        const checkpoints::Layout& layout = checkpoints::layout_of(module.layout);
        if (!layout.fp4() || layout.declined) continue;
        fp4[module.payload] = fp4[module.scale] = true;
        if (module.global) fp4[*module.global] = true;
        if (module.input_scale) fp4[*module.input_scale] = true;
    }
    std::uint64_t count = pairing.tensors.size();
    for (const std::uint32_t missing : pairing.missing) count += fp4[missing] ? 0 : 1;
    for (const checkpoints::Mismatch& one : pairing.mismatches) {
        const checkpoints::Tensor* const tensor = source.checkpoint.find(one.name);
        if (tensor != nullptr && !fp4[static_cast<std::size_t>(tensor - source.checkpoint.tensors.data())]) ++count;
    }
    return count;
}

class AuditCommand : public Command {
public:
    explicit AuditCommand(std::shared_ptr<ranks::Ranks> ranks) : walk_(std::move(ranks)) {}
    [[nodiscard]] std::string name() const override { return "audit"; }
    [[nodiscard]] std::string summary() const override {
        return "check a checkpoint alone, or against its source block by block";
    }
    [[nodiscard]] std::string example() const override {
        return "assay audit /models/Kimi-K3-NVFP4\n"
               "  assay audit /models/Kimi-K3-NVFP4 --source /models/Kimi-K3\n"
               "  assay audit /models/Kimi-K3-NVFP4 --source-digests Kimi-K3.sha256\n"
               "  assay audit ./target --source ./source --differences differences.jsonl";
    }

    void declare(Flags& flags) override {
        flags.option("CKPT", path_, "the checkpoint to audit: a folder of .safetensors files, its index, or one file");
        flags.option("--source", source_, "the checkpoint it was made from; every block is compared with it");
        walk_.declare(flags);
        flags.flag("--fingerprint", fingerprint_,
                   "read every byte of a checkpoint alone for its fingerprint, which names its contents whatever its files");
        rebuild_.declare(flags);
        flags.option("--rules", only_, "ask only these rules: ids or the parts before their dots, with commas between; repeatable");
        flags.option("--ignore", ignored_, "leave these rules out, named in the same way (block_scale: read no block scales)");
        flags.flag("--list-rules", list_rules_, "print the rules with their ids and severities; with --rules and --ignore, those that are left");
        flags.flag("--strict-bytes", strict_bytes_,
                   "equal values in other bytes (a lost negative zero) are no success either");
        flags.option("--fail-on", fail_on_, "the least severity of a finding that makes the exit code 1",
                     {"error", "warning", "note"});
        flags.option("--format", format_, "text, json, markdown: a short table for a model card, or junit: a test case a rule",
                     {"text", "json", "markdown", "junit"});
        flags.flag("--quiet", quiet_, "no progress on standard error");
    }

    int run() override {
        if (list_rules_) return list_rules();
        if (path_.empty()) throw Error("expected a checkpoint: a folder of .safetensors files, its index, or one file");
        if (fingerprint_ && source_) throw Error("--fingerprint is for a checkpoint alone: with --source it comes out in any case");
        refuse_passed_over("bytes are compared with those of a --source", {{!source_ && strict_bytes_, "--strict-bytes"}});
        walk_.check(source_.has_value(), fingerprint_);
        rebuild_.check();
        if (rebuild_.asked() && walk_.shared())
            throw Error("the source's digests are rebuilt by one process: assay audit --reconstruct-source-digests");
        const std::vector<rules::Rule> chosen = chosen_rules(only_, ignored_);
        const checkpoints::Opened target = checkpoints::open_and_recognise(path_);
        require_all_shards(target);
        reports::AuditReport report;
        report.target = std::filesystem::path(path_).extension() == ".safetensors" ? path_ : target.checkpoint.folder;
        report.target_layouts = layouts_of(target);
        if (source_) {
            judge_pair(target, chosen, report);
        } else {
            judge_alone(target, chosen, report);
        }
        if (!walk_.reports()) return interrupted_ ? exit_interrupted : exit_clean;
        if (interrupted_ && !report.pair) {
            print(stderr, fmt::format("{} audit: interrupted before all {} were read; nothing was decided\n", walk_.program(),
                                      fingerprint_ ? "bytes" : "block scales"));
            return exit_interrupted;
        }
        if (rebuild_.asked()) rebuild_.run(target, walk_.threads(), quiet_, report);
        print(stdout, format_ == "junit" ? reports::audit_junit(report, terms(chosen, target)) : shown(report));
        const int code = exit_code(report);
        // Nothing was found in nothing.
        return code == exit_clean && target.checkpoint.tensors.empty() ? exit_undecided : code;
    }

private:
    [[nodiscard]] int list_rules() const {
        constexpr std::string_view why = "--list-rules looks at no checkpoint";
        refuse_passed_over(why, {{!path_.empty(), "CKPT"},
                                 {source_.has_value(), "--source"},
                                 {fingerprint_, "--fingerprint"},
                                 {strict_bytes_, "--strict-bytes"},
                                 {fail_on_ != "error", "--fail-on"}});
        walk_.refuse(why);
        rebuild_.refuse(why);
        if (format_ != "text" && format_ != "json") throw Error("--list-rules prints text or json: give another --format");
        print(stdout, rule_list(chosen_rules(only_, ignored_), format_ == "json", look_of(stdout).width));
        return exit_clean;
    }

    // What is in a file that this process may not open is no fault of the checkpoint.
    static void require_all_shards(const checkpoints::Opened& opened) {
        for (const checkpoints::Shard& shard : opened.checkpoint.shards) {
            if (shard.withheld && shard.indexed)
                throw Error(shard.trouble + "; an audit has to read every shard, and nothing was decided: mend that, and start again");
        }
    }

    [[nodiscard]] reports::AuditTerms terms(const std::vector<rules::Rule>& chosen, const checkpoints::Opened& target) const {
        reports::AuditTerms terms;
        for (const rules::Rule& rule : chosen) terms.rules.emplace_back(rule.id);
        terms.fail_on = fail_on_ == "note" ? Severity::note : fail_on_ == "warning" ? Severity::warning : Severity::error;
        terms.strict_bytes = strict_bytes_;
        terms.holds_tensors = !target.checkpoint.tensors.empty();
        return terms;
    }

    [[nodiscard]] std::string shown(const reports::AuditReport& report) const {
        if (format_ == "json") return reports::audit_json(report);
        if (format_ == "markdown") return reports::audit_markdown(report);
        return reports::audit_text(report, look_of(stdout));
    }

    void judge_alone(const checkpoints::Opened& target, const std::vector<rules::Rule>& chosen,
                     reports::AuditReport& report) {
        const RuleNeeds needs = needs_of(chosen);
        rules::ScalarFacts facts;
        if (fingerprint_) {
            read_all(target, facts, report);
        } else {
            report.fingerprint_not_asked = true;
            facts = needs.scalars ? read_scalars(target) : ScalarRoles(target).empty_facts();
            if (needs.block_scales) survey(target, facts);
        }
        if (walk_.reports() && !interrupted_) ask(chosen, target, facts, report);
    }

    void survey(const checkpoints::Opened& target, rules::ScalarFacts& facts) {
        Cancel cancel;
        WalkProgress progress;
        {
            const WalkMonitor monitor(progress, cancel, quiet_);
            survey_scales(target, walk_.threads(), &cancel, facts, &progress);
        }
        interrupted_ = cancel.raised();
    }

    // The walk of a pair whose source is empty: every byte once, for the fingerprint and the rules together.
    void read_all(const checkpoints::Opened& target, rules::ScalarFacts& facts, reports::AuditReport& report) {
        const checkpoints::Opened nothing;
        const bit_exact::PairAudit read = walk_.run(nothing, target, checkpoints::pair_up(nothing, target), quiet_, facts);
        interrupted_ = read.cancelled;
        for (const bit_exact::Unreadable& one : read.unreadable)
            facts.unreadable.push_back(fmt::format("{} in {}: {}", one.tensor, one.shard, one.fault));
        if (read.target_fingerprint) report.fingerprint = checkpoints::to_hex(*read.target_fingerprint);
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
        require_all_shards(source);
        const checkpoints::Pairing pairing = checkpoints::pair_up(source, target);
        report.source = source.checkpoint.folder;
        report.source_layouts = layouts_of(source);
        report.source_blocks = fp4_blocks(source);
        report.source_tensors = tensors_to_carry(source, pairing);
        rules::ScalarFacts scalars;
        report.pair = walk_.run(source, target, pairing, quiet_, scalars);
        interrupted_ = report.pair->cancelled;
        if (!walk_.reports()) return;
        ask(chosen, target, scalars, report);
        unreadable_ += report.pair->unreadable.size();
        for (rules::Finding& finding : rules::pair_findings(source, target, pairing, *report.pair))
            report.findings.push_back(std::move(finding));
    }

    [[nodiscard]] int exit_code(const reports::AuditReport& report) const {
        if (interrupted_) return exit_interrupted;
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
        return unreadable_ == 0 && !walk_.sample() ? exit_clean : exit_undecided;
    }

    std::string path_;
    WalkFlags walk_;
    RebuildFlags rebuild_;
    std::optional<std::string> source_;
    std::vector<std::string> only_;
    std::vector<std::string> ignored_;
    bool fingerprint_ = false;
    bool list_rules_ = false;
    bool strict_bytes_ = false;
    std::string fail_on_ = "error";
    std::string format_ = "text";
    bool quiet_ = false;
    std::uint64_t unreadable_ = 0;  // reads that failed, each with a finding
    bool interrupted_ = false;
};

}  // namespace

std::unique_ptr<Command> audit_command(std::shared_ptr<ranks::Ranks> ranks) {
    return std::make_unique<AuditCommand>(std::move(ranks));
}

}  // namespace assay::runners
