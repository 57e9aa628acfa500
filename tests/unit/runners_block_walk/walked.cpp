#include "tests/unit/runners_block_walk/walked.hpp"

namespace assay::runners {

bit_exact::PairAudit walk(const support::CheckpointFolder& source, const support::CheckpointFolder& target, const WalkOptions& options) {
    const checkpoints::Opened a = checkpoints::open_and_recognise(source.path());
    const checkpoints::Opened b = checkpoints::open_and_recognise(target.path());
    return walk_blocks(a, b, checkpoints::pair_up(a, b), options);
}

std::vector<Cast> casts() {
    using enum support::Dialect;
    const auto kimi = support::kimi_k3_like();
    const auto deepseek = support::deepseek_v4_like();
    return {{kimi, compressed_tensors_mxfp4, modelopt_nvfp4},
            {kimi, compressed_tensors_mxfp4, compressed_tensors_nvfp4},
            {kimi, modelopt_nvfp4, compressed_tensors_nvfp4},
            {kimi, modelopt_nvfp4, compressed_tensors_mxfp4},
            {kimi, compressed_tensors_mxfp4, compressed_tensors_mxfp4},
            {support::gpt_oss_like(), gpt_oss, modelopt_nvfp4},
            {support::gpt_oss_like(true), gpt_oss_original, modelopt_nvfp4},
            {deepseek, deepseek_v4, modelopt_nvfp4},
            {deepseek, deepseek_v4, compressed_tensors_mxfp4}};
}

std::uint64_t blocks_of(const support::SmallModel& model, unsigned width) {
    std::uint64_t blocks = 0;
    for (const support::Weight& weight : model.weights) blocks += weight.nibbles.size() / width;
    return blocks;
}

}  // namespace assay::runners
