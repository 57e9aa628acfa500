#include "runners/drivers/walk_scalars.hpp"

#include <fmt/format.h>

#include <cstring>

namespace assay::runners {
namespace {

using namespace checkpoints;

// A vector of scales or heads, not a weight that happens to have the name.
constexpr std::uint64_t largest_vector = std::uint64_t{1} << 20;

class Scalars {
public:
    explicit Scalars(const Opened& opened) : opened_(opened) {}

    rules::ScalarFacts read() {
        const auto& modules = opened_.recognition.modules;
        facts_.global.resize(modules.size());
        facts_.input_scale.resize(modules.size());
        for (std::size_t i = 0; i < modules.size(); ++i) {
            if (modules[i].global) facts_.global[i] = floats(*modules[i].global);
            if (modules[i].input_scale) facts_.input_scale[i] = floats(*modules[i].input_scale);
        }
        for (const std::uint32_t index : opened_.recognition.plain) {
            const Tensor& tensor = opened_.checkpoint.tensors[index];
            const bool is_a_log =
                tensor.name.ends_with(".A_log") && tensor.dtype == Dtype::F32 && tensor.bytes() <= largest_vector;
            if (is_a_log) facts_.a_log.push_back({index, floats(index)});
        }
        return std::move(facts_);
    }

private:
    std::vector<float> floats(std::uint32_t index) {
        const Tensor& tensor = opened_.checkpoint.tensors[index];
        const Shard& shard = opened_.checkpoint.shards[tensor.shard];
        std::vector<float> values;
        if (tensor.bytes() > largest_vector) return values;
        const files::View view = shard.reader->view(tensor.begin, static_cast<std::size_t>(tensor.bytes()), buffer_);
        if (!view.whole()) {
            facts_.unreadable.push_back(fmt::format("{} in {}: {}", tensor.name, shard.file, view.fault));
            return values;
        }
        values.resize(view.bytes.size() / sizeof(float));
        std::memcpy(values.data(), view.bytes.data(), values.size() * sizeof(float));
        return values;
    }

    const Opened& opened_;
    rules::ScalarFacts facts_;
    files::Buffer buffer_;
};

}  // namespace

rules::ScalarFacts read_scalars(const Opened& opened) { return Scalars(opened).read(); }

}  // namespace assay::runners
