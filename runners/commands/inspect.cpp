// assay inspect: what a checkpoint holds, without reading its tensors.
#include <cstdio>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/inventory.hpp"
#include "datasets/checkpoints/tensor_detail.hpp"
#include "harness/error.hpp"
#include "reports/checkpoints/inspect_report.hpp"
#include "runners/commands/command.hpp"
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
        flags.option("--format", format_, "text or json", {"text", "json"});
    }

    int run() override {
        if (path_.empty()) throw Error("expected a checkpoint: a folder of .safetensors files, its index, or one file");
        const checkpoints::Checkpoint checkpoint = checkpoints::open_checkpoint(path_);
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

    std::string path_;
    std::optional<std::string> tensor_;
    std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Command> inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace assay::runners
