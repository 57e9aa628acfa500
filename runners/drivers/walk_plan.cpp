#include "runners/drivers/walk_plan.hpp"

#include <algorithm>
#include <tuple>

namespace assay::runners {
namespace {

using namespace checkpoints;

class Planner {
public:
    Planner(const Opened& source, const Opened& target, const Pairing& pairing)
        : source_(source),
          target_(target),
          pairing_(pairing),
          source_done_(source.checkpoint.tensors.size(), false),
          target_done_(target.checkpoint.tensors.size(), false) {}

    WalkPlan run() {
        add_pairs();
        add_target_weights();
        add_lone_tensors();
        std::stable_sort(placed_.begin(), placed_.end(),
                         [](const auto& x, const auto& y) { return x.first < y.first; });
        plan_.units.reserve(placed_.size());
        for (const auto& [key, unit] : placed_) plan_.units.push_back(unit);
        return std::move(plan_);
    }

private:
    using Kind = WalkUnit::Kind;

    void place(int side, const Tensor& tensor, const WalkUnit& unit) {
        placed_.push_back({{side, tensor.shard, tensor.begin}, unit});
    }

    static std::uint64_t claim(const Opened& side, const Module& module, std::vector<bool>& done) {
        std::uint64_t bytes = 0;
        for (const std::uint32_t part : parts_of(module)) {
            done[part] = true;
            bytes += side.checkpoint.tensors[part].bytes();
        }
        return bytes;
    }

    void add_pairs() {
        surveyed_.assign(target_.recognition.modules.size(), false);
        const auto& tensors = source_.checkpoint.tensors;
        for (const IndexPair& pair : pairing_.weights) {
            const Module& from = source_.recognition.modules[pair.source];
            const Module& to = target_.recognition.modules[pair.target];
            const std::uint64_t bytes = claim(source_, from, source_done_) + claim(target_, to, target_done_);
            surveyed_[pair.target] = true;
            place(0, tensors[from.payload], {Kind::weights, pair.source, pair.target, bytes});
        }
        for (const IndexPair& pair : pairing_.tensors) {
            source_done_[pair.source] = target_done_[pair.target] = true;
            const Tensor& tensor = tensors[pair.source];
            place(0, tensor, {Kind::tensors, pair.source, pair.target, 2 * tensor.bytes()});
        }
    }

    void add_target_weights() {
        const auto& modules = target_.recognition.modules;
        for (std::uint32_t i = 0; i < modules.size(); ++i) {
            if (surveyed_[i] || !is_decoded(modules[i])) continue;
            const auto parts = parts_of(modules[i]);
            if (std::any_of(parts.begin(), parts.end(), [&](std::uint32_t part) { return target_done_[part]; })) {
                plan_.unsurveyed.push_back(i);
                continue;
            }
            const std::uint64_t bytes = claim(target_, modules[i], target_done_);
            place(1, target_.checkpoint.tensors[modules[i].payload], {Kind::target_weight, 0, i, bytes});
        }
    }

    void add_lone_tensors() {
        const auto& a = source_.checkpoint.tensors;
        const auto& b = target_.checkpoint.tensors;
        for (std::uint32_t i = 0; i < a.size(); ++i) {
            if (!source_done_[i]) place(0, a[i], {Kind::source_alone, i, 0, a[i].bytes()});
        }
        for (std::uint32_t i = 0; i < b.size(); ++i) {
            if (!target_done_[i]) place(1, b[i], {Kind::target_alone, 0, i, b[i].bytes()});
        }
    }

    const Opened& source_;
    const Opened& target_;
    const Pairing& pairing_;
    std::vector<bool> source_done_;
    std::vector<bool> target_done_;
    std::vector<bool> surveyed_;
    std::vector<std::pair<std::tuple<int, std::uint32_t, std::uint64_t>, WalkUnit>> placed_;
    WalkPlan plan_;
};

}  // namespace

std::uint64_t WalkPlan::bytes() const noexcept {
    std::uint64_t total = 0;
    for (const WalkUnit& unit : units) total += unit.bytes;
    return total;
}

std::vector<std::uint32_t> parts_of(const Module& module) {
    std::vector<std::uint32_t> parts{module.payload, module.scale};
    if (module.global) parts.push_back(*module.global);
    if (module.input_scale) parts.push_back(*module.input_scale);
    return parts;
}

bool is_decoded(const Module& module) {
    const Layout& layout = layout_of(module.layout);
    return layout.fp4() && !layout.declined;
}

WalkPlan plan_walk(const Opened& source, const Opened& target, const Pairing& pairing) {
    return Planner(source, target, pairing).run();
}

}  // namespace assay::runners
