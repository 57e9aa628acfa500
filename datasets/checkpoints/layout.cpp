#include "datasets/checkpoints/layout.hpp"

namespace assay::checkpoints {
namespace {

constexpr std::array<Dtype, 2> one(Dtype dtype) { return {dtype, dtype}; }

constexpr std::array<Dtype, 2> e8m0_bytes{Dtype::U8, Dtype::F8_E8M0};
constexpr std::array<Dtype, 2> packed_bytes{Dtype::U8, Dtype::F4};
constexpr auto u8 = one(Dtype::U8);
constexpr auto e4m3 = one(Dtype::F8_E4M3);
constexpr auto f32 = one(Dtype::F32);

constexpr Part no_part{"", one(Dtype::U8)};

constexpr std::array<Layout, 10> table{{
    {.id = LayoutId::compressed_tensors_mxfp4,
     .name = "compressed-tensors MXFP4",
     .format = "MXFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e8m0,
     .payload = {".weight_packed", packed_bytes},
     .scale = {".weight_scale", e8m0_bytes},
     .global = no_part,
     .input_scale = {".input_global_scale", f32}},
    {.id = LayoutId::gpt_oss,
     .name = "gpt-oss MXFP4",
     .format = "MXFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e8m0,
     .banks = true,
     .grouped = true,
     .payload = {"_blocks", u8},
     .scale = {"_scales", u8},
     .global = no_part,
     .input_scale = no_part},
    {.id = LayoutId::gpt_oss_original,
     .name = "gpt-oss original MXFP4",
     .format = "MXFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e8m0,
     .banks = true,
     .grouped = true,
     .payload = {".blocks", u8},
     .scale = {".scales", u8},
     .global = no_part,
     .input_scale = no_part},
    {.id = LayoutId::deepseek_v4,
     .name = "DeepSeek-V4 MXFP4",
     .format = "MXFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e8m0,
     .payload = {".weight", one(Dtype::I8)},
     .scale = {".scale", one(Dtype::F8_E8M0)},
     .global = no_part,
     .input_scale = no_part},
    {.id = LayoutId::deepseek_v4_fp8,
     .name = "DeepSeek-V4 FP8",
     .format = "FP8 128x128",
     .element = Element::e4m3,
     .block_scale = BlockScale::e8m0,
     .block_rows = 128,
     .block_columns = 128,
     .payload = {".weight", e4m3},
     .scale = {".scale", one(Dtype::F8_E8M0)},
     .global = no_part,
     .input_scale = no_part},
    {.id = LayoutId::modelopt_nvfp4,
     .name = "ModelOpt NVFP4",
     .format = "NVFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e4m3,
     .global_scale = GlobalScale::multiplier,
     .block_columns = 16,
     .payload = {".weight", packed_bytes},
     .scale = {".weight_scale", e4m3},
     .global = {".weight_scale_2", f32},
     .input_scale = {".input_scale", f32}},
    {.id = LayoutId::modelopt_nvfp4_bank,
     .name = "ModelOpt NVFP4 bank",
     .format = "NVFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e4m3,
     .global_scale = GlobalScale::multiplier,
     .block_columns = 16,
     .banks = true,
     .payload = {"", packed_bytes},
     .scale = {"_weight_scale", e4m3},
     .global = {"_weight_scale_2", f32},
     .input_scale = {"_input_scale", f32}},
    {.id = LayoutId::compressed_tensors_nvfp4,
     .name = "compressed-tensors NVFP4",
     .format = "NVFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e4m3,
     .global_scale = GlobalScale::divisor,
     .block_columns = 16,
     .payload = {".weight_packed", packed_bytes},
     .scale = {".weight_scale", e4m3},
     .global = {".weight_global_scale", f32},
     .input_scale = {".input_global_scale", f32}},
    {.id = LayoutId::modelopt_fp8_block,
     .name = "ModelOpt FP8 block",
     .format = "FP8 128x128",
     .element = Element::e4m3,
     .block_scale = BlockScale::f32,
     .block_rows = 128,
     .block_columns = 128,
     .payload = {".weight", e4m3},
     .scale = {".weight_scale", f32},
     .global = no_part,
     .input_scale = no_part},
    {.id = LayoutId::quark_mxfp4,
     .name = "AMD Quark MXFP4",
     .format = "MXFP4",
     .element = Element::e2m1,
     .block_scale = BlockScale::e8m0,
     .declined = true,
     .payload = {".weight", u8},
     .scale = {".weight_scale", e8m0_bytes},
     .global = no_part,
     .input_scale = {".input_scale", f32}},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (static_cast<std::size_t>(table[i].id) != i) return false;
    }
    return true;
}
static_assert(in_order());

}  // namespace

std::span<const Layout> layouts() noexcept { return table; }

const Layout& layout_of(LayoutId id) noexcept { return table[static_cast<std::size_t>(id)]; }

}  // namespace assay::checkpoints
