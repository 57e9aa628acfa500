#include "runners/drivers/walk_scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "harness/parallel/workers.hpp"
#include "runners/drivers/walk_plan.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

// A vector of scales or heads, not a weight that happens to have the name; the walk reads it in one window.
constexpr std::uint64_t largest_vector = std::uint64_t{1} << 18;

// Surveys one weight at a time, in buffers of its own.
class ScaleReader {
public:
    ScaleReader(const Opened& opened, const Cancel* cancel, WalkProgress* progress)
        : opened_(opened), cancel_(cancel), progress_(progress) {}

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
            if (progress_ != nullptr) progress_->bytes_done.fetch_add(scales.bytes.size(), std::memory_order_relaxed);
            if (cancel_ != nullptr && cancel_->raised()) return {};
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
    const Cancel* cancel_;
    WalkProgress* progress_;
    std::array<files::Buffer, 2> buffers_;
};

}  // namespace

std::vector<float> floats_of(std::span<const std::byte> bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

ScalarRoles::ScalarRoles(const Opened& opened)
    : roles_(opened.checkpoint.tensors.size()), modules_(opened.recognition.modules.size()) {
    const auto& tensors = opened.checkpoint.tensors;
    for (std::uint32_t i = 0; i < modules_; ++i) {
        const Module& module = opened.recognition.modules[i];
        if (module.global) roles_[*module.global] = {Kind::global, i};
        if (module.input_scale) roles_[*module.input_scale] = {Kind::input_scale, i};
    }
    for (const std::uint32_t i : opened.recognition.plain) {
        if (tensors[i].name.ends_with(".A_log") && tensors[i].dtype == Dtype::F32) roles_[i] = {Kind::a_log, 0};
    }
    for (std::uint32_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].bytes() > largest_vector) roles_[i] = {};
    }
}

rules::ScalarFacts ScalarRoles::empty_facts() const {
    rules::ScalarFacts facts;
    facts.global.resize(modules_);
    facts.input_scale.resize(modules_);
    facts.surveys.resize(modules_);
    return facts;
}

void ScalarRoles::put(std::uint32_t tensor, std::vector<float> values, rules::ScalarFacts& facts) const {
    const Role& role = roles_[tensor];
    switch (role.kind) {
        case Kind::none: break;
        case Kind::global: facts.global[role.module] = std::move(values); break;
        case Kind::input_scale: facts.input_scale[role.module] = std::move(values); break;
        case Kind::a_log: {
            const auto place = std::lower_bound(facts.a_log.begin(), facts.a_log.end(), tensor,
                                                [](const auto& head, std::uint32_t one) { return head.tensor < one; });
            facts.a_log.insert(place, {tensor, std::move(values)});
            break;
        }
    }
}

rules::ScalarFacts read_scalars(const Opened& opened) {
    const ScalarRoles roles(opened);
    rules::ScalarFacts facts = roles.empty_facts();
    files::Buffer buffer;
    const auto& tensors = opened.checkpoint.tensors;
    for (std::uint32_t i = 0; i < tensors.size(); ++i) {
        if (!roles.wanted(i)) continue;
        const Shard& shard = opened.checkpoint.shards[tensors[i].shard];
        const auto view = shard.reader->view(tensors[i].begin, static_cast<std::size_t>(tensors[i].bytes()), buffer);
        if (view.whole()) {
            roles.put(i, floats_of(view.bytes), facts);
        } else {
            facts.unreadable.push_back(fmt::format("{} in {}: {}", tensors[i].name, shard.file, view.fault));
        }
    }
    return facts;
}

void survey_scales_of(const Opened& opened, std::span<const std::uint32_t> modules, unsigned threads,
                      const Cancel* cancel, rules::ScalarFacts& facts, WalkProgress* progress) {
    std::vector<std::string> faults(modules.size());
    std::atomic<std::size_t> next{0};
    parallel::run_workers(std::max(1U, threads), [&](unsigned) {
        ScaleReader reader(opened, cancel, progress);
        for (std::size_t i = next++; i < modules.size(); i = next++) {
            if (cancel != nullptr && cancel->raised()) return;
            faults[i] = reader.read(opened.recognition.modules[modules[i]], facts.surveys[modules[i]]);
        }
    });
    for (std::string& fault : faults) {
        if (!fault.empty()) facts.unreadable.push_back(std::move(fault));
    }
}

void survey_scales(const Opened& opened, unsigned threads, const Cancel* cancel, rules::ScalarFacts& facts,
                   WalkProgress* progress) {
    std::vector<std::uint32_t> chosen;
    std::uint64_t bytes = 0;
    const auto& modules = opened.recognition.modules;
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (!is_decoded(modules[i])) continue;
        chosen.push_back(i);
        bytes += opened.checkpoint.tensors[modules[i].scale].bytes();
    }
    if (progress != nullptr) progress->bytes_total = bytes;
    survey_scales_of(opened, chosen, threads, cancel, facts, progress);
}

}  // namespace assay::runners
