// The readers of a quantization config, emulated as they are: which modules each would build quantized.
//
//     const auto facts = module_facts(checkpoint, recognition);
//     for (const ReaderView& view : views_of(config, model, facts)) {
//         if (!view.refusal.empty() || !disagreements(view, facts).empty()) ..  // it would not load what is stored
//     }
//
// | dialect            | readers                                | list that is read                          |
// |--------------------|----------------------------------------|--------------------------------------------|
// | compressed-tensors | compressed-tensors, vLLM, SGLang       | ignore, targets                            |
// | the same, MXFP4 of Kimi-K3 | compressed-tensors; vLLM and SGLang take the routed experts and no list     |
// | modelopt, hybrid   | ModelOpt, vLLM, SGLang                 | flat: ignore; hf_quant_config.json: exclude_modules |
// | modelopt mixed     | ModelOpt, vLLM, SGLang                 | quantized_layers, and the same              |
// | mxfp4              | vLLM, SGLang                           | none: the routed experts                    |
// | fp8, quark, unknown| none here                              |                                            |
//
// Sources: compressed-tensors 0.12 (utils/match.py); vLLM model_executor/layers/quantization (modelopt.py,
// compressed_tensors, utils/quant_utils.py) and models/kimi_k3, 2026-08; SGLang srt/layers/quantization
// (modelopt_quant.py, compressed_tensors, utils.py) and srt/models/kimi_k3.py, 2026-08; Model Optimizer 0.4x.
// What is known of Kimi-K3 alone is used where the config names that model; other models are read with the names of
// their tensors and the fusions that all families share (qkv_proj, gate_up_proj, experts).
#pragma once

#include <span>
#include <vector>

#include "datasets/checkpoints/quantization_config.hpp"
#include "datasets/readers/module_fact.hpp"
#include "datasets/readers/reader_view.hpp"

namespace assay::readers {

// One view a reader, in the order of the table. Pure: the same arguments give the same views. `facts` by name, as
// module_facts() gives them. Time is near linear in facts and entries.
[[nodiscard]] std::vector<ReaderView> views_of(const checkpoints::QuantizationConfig& config,
                                               const checkpoints::ModelConfig& model,
                                               std::span<const ModuleFact> facts);

}  // namespace assay::readers
