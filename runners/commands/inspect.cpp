// assay inspect: what a checkpoint holds, without reading its tensors.
#include <cstdio>
#include <filesystem>
#include <optional>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/inventory.hpp"
#include "datasets/checkpoints/tensor_detail.hpp"
#include "harness/error.hpp"
#include "harness/parallel/workers.hpp"
#include "reports/checkpoints/inspect_report.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/drivers/rebuild_digests.hpp"
#include "runners/drivers/walk_monitor.hpp"
#include "runners/terminal.hpp"

namespace assay::runners {
namespace {

// A header that cannot be read or is missing hides tensors: the answer is then not the whole one.
bool readable(const checkpoints::Checkpoint& checkpoint) {
    for (const checkpoints::Shard& shard : checkpoint.shards) {
        if (!shard.present || shard.fault_count > 0) return false;
    }
    return true;
}

class InspectCommand : public Command {
public:
    [[nodiscard]] std::string name() const override { return "inspect"; }
    [[nodiscard]] std::string summary() const override { return "list what a checkpoint holds"; }
    [[nodiscard]] std::string example() const override {
        return "assay inspect /models/Kimi-K3\n"
               "  assay inspect /models/Kimi-K3 --tensor language_model.model.layers.1.block_sparse_moe.experts.0.w1";
    }

    void declare(Flags& flags) override {
        flags.option("CKPT", path_, "a folder of .safetensors files, its index, or one file");
        flags.option("--tensor", tensor_,
                     "look closely at one tensor or quantized weight: places, scales, first values");
        flags.flag("--digests", digests_,
                   "read every byte: sha256 of each file and tensor, one JSON object a line, as assay audit "
                   "--source-digests reads them");
        flags.option("--format", format_, "text or json", {"text", "json"});
    }

    int run() override {
        if (path_.empty()) throw Error("expected a checkpoint: a folder of .safetensors files, its index, or one file");
        refuse_passed_over("--digests reads the whole checkpoint", {{digests_ && tensor_, "--tensor"}});
        const checkpoints::Checkpoint checkpoint = checkpoints::open_checkpoint(path_);
        if (digests_) return print_digests(checkpoint);
        const checkpoints::Recognition recognition = checkpoints::recognise(checkpoint.tensors);
        if (tensor_) return show_tensor(checkpoint, recognition);
        const checkpoints::Inventory inventory = checkpoints::take_inventory(checkpoint, recognition);
        const reports::InspectReport report{checkpoint, recognition, inventory};
        print(stdout,
              format_ == "json" ? reports::inspect_json(report) : reports::inspect_text(report, look_of(stdout)));
        return readable(checkpoint) ? exit_clean : exit_no;
    }

private:
    int show_tensor(const checkpoints::Checkpoint& checkpoint, const checkpoints::Recognition& recognition) {
        const checkpoints::TensorDetail detail = checkpoints::look_closely(checkpoint, recognition, *tensor_);
        print(stdout, format_ == "json" ? reports::tensor_json(detail) : reports::tensor_text(detail, look_of(stdout)));
        return detail.faults.empty() ? exit_clean : exit_no;
    }

    static int print_digests(const checkpoints::Checkpoint& checkpoint) {
        WalkProgress progress;
        Cancel cancel;
        std::optional<checkpoints::DigestList> list;
        {
            const WalkMonitor monitor(progress, cancel, false);
            list = digest_checkpoint(checkpoint, {parallel::available_threads(), &cancel, &progress});
        }
        if (!list) return exit_interrupted;
        list->checkpoint = std::filesystem::weakly_canonical(checkpoint.folder).filename().string();
        print(stdout, checkpoints::digests_text(*list));
        return exit_clean;
    }

    std::string path_;
    std::optional<std::string> tensor_;
    bool digests_ = false;
    std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Command> inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace assay::runners
