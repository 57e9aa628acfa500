// assay cast: an MXFP4 checkpoint becomes an NVFP4 one, no value changed.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "harness/error.hpp"
#include "harness/parallel/workers.hpp"
#include "reports/checkpoints/cast_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/one_task.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/drivers/cast_reverse.hpp"
#include "runners/drivers/cast_run.hpp"
#include "runners/drivers/walk_monitor.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"

namespace assay::runners {
namespace {

class CastCommand : public Command {
public:
    explicit CastCommand(std::shared_ptr<ranks::Ranks> ranks) : ranks_(std::move(ranks)) {}
    [[nodiscard]] std::string name() const override { return "cast"; }
    [[nodiscard]] std::string summary() const override {
        return "make an NVFP4 checkpoint from an MXFP4 one, bit for bit";
    }
    [[nodiscard]] std::string example() const override {
        return "assay cast /models/Kimi-K3 /models/Kimi-K3-NVFP4 --verify\n"
               "  assay cast /models/Kimi-K3 /models/Kimi-K3-NVFP4 --dry-run\n"
               "  assay cast /models/Kimi-K3-NVFP4 /models/Kimi-K3-again --reverse\n"
               "\n"
               "assay audit of a fresh cast has no errors and no warnings, and these notes:\n"
               "  config.weight_only       quant_algo NVFP4 without input scales (none with --quant-algo W4A16_NVFP4)\n"
               "  block_scale.closed_form  all scales are powers of two: the cast can be undone\n"
               "  block_scale.subnormal    scales below 2^-6, where the source spans more than 14 binades\n"
               "  config.format            with --dialect card: its format is a word of another dialect, which servers of ModelOpt ignore\n"
               "  scale.input_one          with --activations w4a4: every input scale is 1.0, which is no calibration";
    }

    void declare(Flags& flags) override {
        flags.option("SOURCE", source_, "the MXFP4 checkpoint; it is only read");
        flags.option("DEST", target_, "a folder that is empty or not there; one that a cast was stopped in is gone on with");
        flags.flag("--verify", verify_, "audit each shard against the source from its written bytes, and the whole at the end");
        flags.flag("--reverse", reverse_,
                   "SOURCE is a cast, and DEST becomes the MXFP4 checkpoint it was made from, bit for bit");
        flags.flag("--dry-run", dry_run_, "say what would be written, from headers alone");
        flags.option("--dialect", dialect_,
                     "names and configuration of the result: modelopt, compressed-tensors, or card (ModelOpt's tensors under "
                     "the configuration that published casts of Kimi-K3 carry)",
                     {"modelopt", "compressed-tensors", "card"});
        flags.option("--scale-sharing", sharing_,
                     "what shares a global scale: pair (w1 and w3 of an expert, since servers fuse them and use one scale for "
                     "both), tensor (each weight its own), bank (a weight of all experts of a layer)",
                     {"pair", "tensor", "bank"});
        flags.option("--activations", activations_,
                     "w4a16: weights alone; w4a4: with an input scale of 1.0 for every weight", {"w4a16", "w4a4"});
        flags.option("--quant-algo", algorithm_,
                     "the word for it in the configuration; with NVFP4 and no input scales, vLLM before the change in its "
                     "pull request 54427 multiplies by input scales that were never loaded",
                     {"NVFP4", "W4A16_NVFP4"});
        flags.flag("--allow-inexact", allow_inexact_,
                   "round blocks that no move of their elements keeps exact, and list them, instead of refusing");
        flags.flag("--fix-modeling", fix_modeling_,
                   "change the copied modeling_kimi_linear.py to build A_log with head_dim entries, as it is stored, where it "
                   "has the known form, and show the change");
        flags.flag("--digests", digests_, "record the SHA-256 of every shard, of source and result");
        flags.option("--threads", threads_, "worker threads; as many as there are processors unless given");
        flags.option("--format", format_, "text or json", {"text", "json"});
        flags.flag("--quiet", quiet_, "no progress on standard error");
    }

    int run() override {
        if (source_.empty() || target_.empty())
            throw Error("expected two folders: SOURCE, the MXFP4 checkpoint, and DEST, where the NVFP4 one is to be");
        if (threads_ && (*threads_ < 1 || *threads_ > 1024)) throw Error("--threads must be from 1 to 1024");
        if (reverse_ && shared()) throw Error("--reverse is done by one process: assay cast --reverse");
        if (!dry_run_ && !shared()) require_one_task(target_, reverse_ ? "" : "assay-mpi cast", ranks_ != nullptr);
        WalkProgress progress;
        Cancel cancel;
        CastRun run = described();
        run.rewrite.cancel = &cancel;
        run.rewrite.progress = &progress;
        if (reverse_) return go_back(run, progress, cancel);
        cast::CastSummary summary;
        if (dry_run_) {
            summary = plan_cast(run);
        } else {
            const WalkMonitor monitor(progress, cancel, quiet_ || !reports());
            summary = run_cast(run);
        }
        if (!reports()) return summary.cancelled ? exit_interrupted : exit_clean;
        show(format_ == "json" ? reports::cast_json(summary) : reports::cast_text(summary, dry_run_, look_of(stdout)),
             dry_run_ || summary.cancelled ? "" : finished(summary));
        if (summary.cancelled) return exit_interrupted;
        return summary.counts.rounded + summary.counts.nan + summary.errors == 0 ? exit_clean : exit_no;
    }

private:
    // Whether there is more than one rank, and whether this one is the one that prints.
    [[nodiscard]] bool shared() const { return ranks_ != nullptr && ranks_->size() > 1; }
    [[nodiscard]] bool reports() const { return ranks_ == nullptr || ranks_->rank() == 0; }

    [[nodiscard]] static std::string finished(const cast::CastSummary& summary) {
        return fmt::format("{} is finished and {}, and its assay-cast.json says what the report would have", summary.target,
                           !summary.verified ? "not verified" : summary.errors == 0 ? "verified" : "verified with errors found");
    }

    // `done` is what stands on disk whether or not anybody could read the report: hours of work must not look lost.
    static void show(const std::string& report, const std::string& done) {
        print(stdout, report);
        if (done.empty() || std::fflush(stdout) == 0) return;  // the program's end looks, too, and may only once
        throw Error(fmt::format("{}; only the report could not be written to standard output: {}", done, std::strerror(errno)));
    }

    int go_back(const CastRun& run, const WalkProgress& progress, Cancel& cancel) const {
        refuse_passed_over("--reverse restores what the record says and holds it against the digests there in any case",
                           {{dry_run_, "--dry-run"},
                            {verify_, "--verify"},
                            {digests_, "--digests"},
                            {fix_modeling_, "--fix-modeling"},
                            {allow_inexact_, "--allow-inexact"},
                            {dialect_ != "modelopt", "--dialect"},
                            {sharing_ != "pair", "--scale-sharing"},
                            {activations_ != "w4a16", "--activations"},
                            {algorithm_ != "NVFP4", "--quant-algo"}});
        cast::ReverseSummary summary;
        {
            const WalkMonitor monitor(progress, cancel, quiet_);
            summary = run_reverse(run.source, run.target, run.rewrite);
        }
        show(format_ == "json" ? reports::reverse_json(summary) : reports::reverse_text(summary, look_of(stdout)),
             summary.cancelled ? "" : summary.target + " is finished");
        return summary.cancelled ? exit_interrupted : exit_clean;
    }

    [[nodiscard]] CastRun described() const {
        CastRun run;
        run.source = source_;
        run.target = target_;
        run.options.dialect = dialect_ == "modelopt"             ? cast::Dialect::modelopt
                              : dialect_ == "compressed-tensors" ? cast::Dialect::compressed_tensors
                                                                 : cast::Dialect::card;
        run.options.sharing = sharing_ == "pair"     ? cast::Sharing::pair
                              : sharing_ == "tensor" ? cast::Sharing::tensor
                                                     : cast::Sharing::bank;
        run.options.input_scales = activations_ == "w4a4";
        run.options.w4a16_name = algorithm_ == "W4A16_NVFP4";
        run.rewrite.threads = threads_ ? static_cast<unsigned>(*threads_) : parallel::available_threads();
        run.rewrite.allow_inexact = allow_inexact_;
        run.verify = verify_;
        run.digests = digests_;
        run.fix_modeling = fix_modeling_;
        run.version = version;
        run.ranks = ranks_.get();
        return run;
    }

    std::shared_ptr<ranks::Ranks> ranks_;
    std::string source_;
    std::string target_;
    bool verify_ = false;
    bool dry_run_ = false;
    bool reverse_ = false;
    std::string dialect_ = "modelopt";
    std::string sharing_ = "pair";
    std::string activations_ = "w4a16";
    std::string algorithm_ = "NVFP4";
    bool allow_inexact_ = false;
    bool digests_ = false;
    bool fix_modeling_ = false;
    std::optional<std::int64_t> threads_;
    std::string format_ = "text";
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> cast_command(std::shared_ptr<ranks::Ranks> ranks) {
    return std::make_unique<CastCommand>(std::move(ranks));
}

}  // namespace assay::runners
