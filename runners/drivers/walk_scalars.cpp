#include "runners/drivers/walk_scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "harness/parallel/workers.hpp"

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
        facts_.surveys.resize(modules.size());
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

// Surveys one weight at a time, in buffers of its own.
class ScaleReader {
public:
    explicit ScaleReader(const Opened& opened) : opened_(opened) {}

    // Returns what could not be read, or nothing.
    std::string read(const Module& module, rules::ScaleSurvey& survey) {
        const Layout& layout = layout_of(module.layout);
        const std::uint64_t in_row = module.columns / layout.block_columns;
        const std::uint64_t most_rows = std::max<std::uint64_t>(1, window_bytes / in_row);
        for (std::uint64_t row = 0; row < module.all_rows(); row += most_rows) {
            const std::uint64_t rows = std::min(most_rows, module.all_rows() - row);
            const auto scales = view(module.scale, row * in_row, rows * in_row, 0);
            if (!scales.whole()) return fault(module.scale, scales);
            const bool zeros = std::any_of(scales.bytes.begin(), scales.bytes.end(),
                                           [](std::byte code) { return (code & std::byte{0x7f}) == std::byte{0}; });
            files::View payload;
            if (zeros) payload = view(module.payload, row * module.columns / 2, rows * module.columns / 2, 1);
            if (!payload.whole()) return fault(module.payload, payload);
            survey.add(layout, row, module.columns, scales.bytes, payload.bytes);
        }
        survey.whole = true;
        return {};
    }

private:
    static constexpr std::uint64_t window_bytes = std::uint64_t{256}
                                                  << 10;  // of scales; the elements are 16 times as many

    files::View view(std::uint32_t index, std::uint64_t offset, std::uint64_t length, std::size_t buffer) {
        const Tensor& tensor = opened_.checkpoint.tensors[index];
        return opened_.checkpoint.shards[tensor.shard].reader->view(tensor.begin + offset,
                                                                    static_cast<std::size_t>(length), buffers_[buffer]);
    }
    std::string fault(std::uint32_t index, const files::View& failed) const {
        const Tensor& tensor = opened_.checkpoint.tensors[index];
        return fmt::format("{} in {}: {}", tensor.name, opened_.checkpoint.shards[tensor.shard].file, failed.fault);
    }

    const Opened& opened_;
    std::array<files::Buffer, 2> buffers_;
};

}  // namespace

rules::ScalarFacts read_scalars(const Opened& opened) { return Scalars(opened).read(); }

void survey_scales(const Opened& opened, unsigned threads, const Cancel* cancel, rules::ScalarFacts& facts) {
    const auto& modules = opened.recognition.modules;
    std::vector<std::string> faults(modules.size());
    std::atomic<std::size_t> next{0};
    parallel::run_workers(std::max(1U, threads), [&](unsigned) {
        ScaleReader reader(opened);
        for (std::size_t i = next++; i < modules.size(); i = next++) {
            if (cancel != nullptr && cancel->raised()) return;
            if (layout_of(modules[i].layout).fp4() && !layout_of(modules[i].layout).declined)
                faults[i] = reader.read(modules[i], facts.surveys[i]);
        }
    });
    for (std::string& fault : faults) {
        if (!fault.empty()) facts.unreadable.push_back(std::move(fault));
    }
}

}  // namespace assay::runners
