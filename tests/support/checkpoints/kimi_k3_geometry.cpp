#include "tests/support/checkpoints/kimi_k3_geometry.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/header.hpp"

namespace assay::support {
namespace {

using Shape = std::vector<std::uint64_t>;

class ShardTensors {
public:
    void add(std::string name, Shape shape, Dtype dtype = Dtype::BF16) {
        tensors.push_back({std::move(name), dtype, std::move(shape), {}});
    }
    std::vector<StoredTensor> tensors;
};

bool is_mla(unsigned layer) { return layer == 92 || layer % 4 == 3; }

void add_norms(ShardTensors& shard, const std::string& layer) {
    for (const char* name :
         {"input_layernorm", "post_attention_layernorm", "self_attention_res_norm", "mlp_res_norm"}) {
        shard.add(layer + name + ".weight", {7168});
    }
    for (const char* name : {"self_attention_res_proj", "mlp_res_proj"}) shard.add(layer + name + ".weight", {1, 7168});
}

void add_attention(ShardTensors& shard, const std::string& layer, bool mla) {
    const std::string base = layer + "self_attn.";
    shard.add(base + "g_proj.weight", {12288, 7168});
    shard.add(base + "o_proj.weight", {7168, 12288});
    if (mla) {
        shard.add(base + "q_a_proj.weight", {1536, 7168});
        shard.add(base + "q_a_layernorm.weight", {1536});
        shard.add(base + "q_b_proj.weight", {18432, 1536});
        shard.add(base + "kv_a_proj_with_mqa.weight", {576, 7168});
        shard.add(base + "kv_a_layernorm.weight", {512});
        shard.add(base + "kv_b_proj.weight", {24576, 512});
        return;
    }
    for (const char* name : {"q", "k", "v"}) {
        shard.add(base + name + "_proj.weight", {12288, 7168});
        shard.add(base + name + "_conv1d.weight", {12288, 1, 4}, Dtype::F32);
    }
    shard.add(base + "b_proj.weight", {96, 7168});
    shard.add(base + "f_a_proj.weight", {128, 7168});
    shard.add(base + "f_b_proj.weight", {12288, 128});
    shard.add(base + "A_log", {128}, Dtype::F32);
    shard.add(base + "dt_bias", {12288}, Dtype::F32);
    shard.add(base + "o_norm.weight", {128}, Dtype::F32);
}

void add_experts(ShardTensors& shard, const std::string& layer) {
    const std::string base = layer + "block_sparse_moe.";
    shard.add(base + "gate.weight", {896, 7168});
    shard.add(base + "gate.e_score_correction_bias", {896}, Dtype::F32);
    shard.add(base + "routed_expert_down_proj.weight", {3584, 7168});
    shard.add(base + "routed_expert_up_proj.weight", {7168, 3584});
    shard.add(base + "routed_expert_norm.weight", {3584});
    shard.add(base + "shared_experts.gate_proj.weight", {6144, 7168});
    shard.add(base + "shared_experts.up_proj.weight", {6144, 7168});
    shard.add(base + "shared_experts.down_proj.weight", {7168, 6144});
    for (unsigned expert = 0; expert < 896; ++expert) {
        for (const unsigned w : {1U, 2U, 3U}) {
            const std::string name = fmt::format("{}experts.{}.w{}.weight_", base, expert, w);
            const std::uint64_t rows = w == 2 ? 3584 : 3072;
            const std::uint64_t columns = w == 2 ? 3072 : 3584;
            shard.add(name + "packed", {rows, columns / 2}, Dtype::U8);
            shard.add(name + "scale", {rows, columns / 32}, Dtype::U8);
        }
    }
}

void add_layer(ShardTensors& shard, unsigned number) {
    const std::string layer = fmt::format("language_model.model.layers.{}.", number);
    add_norms(shard, layer);
    add_attention(shard, layer, is_mla(number));
    if (number > 0) return add_experts(shard, layer);
    shard.add(layer + "mlp.gate_proj.weight", {33792, 7168});
    shard.add(layer + "mlp.up_proj.weight", {33792, 7168});
    shard.add(layer + "mlp.down_proj.weight", {7168, 33792});
}

void add_ends(ShardTensors& shard) {
    shard.add("language_model.model.embed_tokens.weight", {163840, 7168});
    shard.add("language_model.lm_head.weight", {163840, 7168});
    shard.add("language_model.model.norm.weight", {7168});
    shard.add("language_model.model.output_attn_res_norm.weight", {7168});
    shard.add("language_model.model.output_attn_res_proj.weight", {1, 7168});
}

void add_vision(ShardTensors& shard) {
    shard.add("vision_tower.patch_embed.proj.weight", {1024, 3, 14, 14});
    shard.add("vision_tower.patch_embed.pos_emb.weight", {64, 64, 1024});
    shard.add("vision_tower.encoder.final_layernorm.weight", {1024});
    for (unsigned block = 0; block < 27; ++block) {
        const std::string base = fmt::format("vision_tower.encoder.blocks.{}.", block);
        shard.add(base + "norm0.weight", {1024});
        shard.add(base + "norm1.weight", {1024});
        shard.add(base + "wqkv.weight", {4608, 1024});
        shard.add(base + "wo.weight", {1024, 1536});
        shard.add(base + "mlp.fc0.weight", {4096, 1024});
        shard.add(base + "mlp.fc1.weight", {1024, 4096});
    }
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

std::string kimi_k3_shard_name(unsigned shard) {
    return fmt::format("model-{:05}-of-{:06}.safetensors", shard, kimi_k3_shards);
}

std::vector<StoredTensor> kimi_k3_shard(unsigned shard) {
    ShardTensors made;
    if (shard <= 93) add_layer(made, shard - 1);
    if (shard == 94) add_ends(made);
    if (shard == 95) {
        made.add("mm_projector.proj.0.weight", {4096, 4096});
        made.add("mm_projector.proj.2.weight", {7168, 4096});
        made.add("mm_projector.post_norm.weight", {7168});
    }
    if (shard == 96) add_vision(made);
    return made.tensors;
}

std::uint64_t write_kimi_k3_shard(const std::string& folder, unsigned shard) {
    std::vector<StoredTensor> tensors = kimi_k3_shard(shard);
    const std::filesystem::path path = std::filesystem::path(folder) / kimi_k3_shard_name(shard);
    const std::string head = file_with_header(header_json(tensors), 0);
    std::uint64_t data = 0;
    for (const StoredTensor& tensor : tensors) data += bytes_needed(tensor);
    write_text(path, head);
    std::filesystem::resize_file(path, head.size() + data);
    return data;
}

void fill_kimi_k3_experts(const std::string& folder, unsigned layer, unsigned experts, const std::string& rows) {
    const checkpoints::Checkpoint source = checkpoints::open_checkpoint(rows);
    const std::filesystem::path path = std::filesystem::path(folder) / kimi_k3_shard_name(layer + 1);
    const checkpoints::Header header = checkpoints::read_header(*files::open_for_reading(path.string()));
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string base = fmt::format("language_model.model.layers.{}.block_sparse_moe.experts.", layer);
    for (const checkpoints::Tensor& tensor : header.tensors) {
        if (!tensor.name.starts_with(base) || std::stoul(tensor.name.substr(base.size())) >= experts) continue;
        for (const checkpoints::Tensor& part : source.tensors) {
            if (part.name.ends_with("_packed") != tensor.name.ends_with("_packed")) continue;
            files::Buffer buffer;
            const auto bytes = source.shards[0].reader->view(part.begin, part.bytes(), buffer).bytes;
            file.seekp(static_cast<std::streamoff>(tensor.begin));
            for (std::uint64_t at = 0; at < tensor.bytes(); at += bytes.size())
                file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        }
    }
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

void write_kimi_k3_geometry(const std::string& folder, const std::string& config_json) {
    const std::filesystem::path root(folder);
    std::string map;
    std::uint64_t total = 0;
    for (unsigned shard = 1; shard <= kimi_k3_shards; ++shard) {
        const std::string name = kimi_k3_shard_name(shard);
        for (const StoredTensor& tensor : kimi_k3_shard(shard))
            map += fmt::format("{}    \"{}\": \"{}\"", map.empty() ? "" : ",\n", tensor.name, name);
        total += write_kimi_k3_shard(folder, shard);
    }
    write_text(
        root / "model.safetensors.index.json",
        fmt::format("{{\n  \"metadata\": {{\n    \"total_size\": {}\n  }},\n  \"weight_map\": {{\n{}\n  }}\n}}\n",
                    total, map));
    write_text(root / "config.json", config_json);
}

}  // namespace assay::support
