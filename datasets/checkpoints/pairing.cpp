#include "datasets/checkpoints/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace assay::checkpoints {
namespace {

bool decodable(const Module& module) {
    const Layout& layout = layout_of(module.layout);
    return layout.fp4() && !layout.declined;
}

void claim(const Module& module, std::vector<bool>& claimed) {
    claimed[module.payload] = claimed[module.scale] = true;
    if (module.global) claimed[*module.global] = true;
    if (module.input_scale) claimed[*module.input_scale] = true;
}

std::string geometry(const Module& module) {
    return fmt::format("{} x {} rows of {}", module.banks, module.rows, module.columns);
}

class Pairer {
public:
    Pairer(const Opened& source, const Opened& target)
        : source_(source),
          target_(target),
          source_claimed_(source.checkpoint.tensors.size(), false),
          target_claimed_(target.checkpoint.tensors.size(), false) {}

    Pairing run() {
        pair_weights();
        pair_tensors();
        std::sort(pairing_.mismatches.begin(), pairing_.mismatches.end(),
                  [](const Mismatch& a, const Mismatch& b) { return a.name < b.name; });
        return std::move(pairing_);
    }

private:
    void pair_weights() {
        std::unordered_map<std::string_view, std::uint32_t> by_name;
        const auto& targets = target_.recognition.modules;
        for (std::uint32_t i = 0; i < targets.size(); ++i) {
            if (decodable(targets[i])) by_name.emplace(targets[i].name, i);
        }
        const auto& sources = source_.recognition.modules;
        for (std::uint32_t i = 0; i < sources.size(); ++i) {
            const auto found = decodable(sources[i]) ? by_name.find(sources[i].name) : by_name.end();
            if (found == by_name.end()) continue;
            const Module& a = sources[i];
            const Module& b = targets[found->second];
            claim(a, source_claimed_);
            claim(b, target_claimed_);
            if (a.banks == b.banks && a.rows == b.rows && a.columns == b.columns) {
                pairing_.weights.push_back({i, found->second});
            } else {
                const bool transposed = a.banks == b.banks && a.rows == b.columns && a.columns == b.rows;
                pairing_.mismatches.push_back(
                    {a.name, fmt::format("has {} in the source and {} in the target{}", geometry(a), geometry(b),
                                         transposed ? ": rows and columns are exchanged" : "")});
            }
        }
    }

    // Both sides are sorted by name: one merge finds pairs and what is alone.
    void pair_tensors() {
        const auto& a = source_.checkpoint.tensors;
        const auto& b = target_.checkpoint.tensors;
        std::uint32_t i = 0;
        std::uint32_t j = 0;
        while (i < a.size() || j < b.size()) {
            const int order = i == a.size() ? 1 : j == b.size() ? -1 : a[i].name.compare(b[j].name);
            if (order < 0) {
                if (!source_claimed_[i]) pairing_.missing.push_back(i);
                ++i;
            } else if (order > 0) {
                if (!target_claimed_[j]) pairing_.extra.push_back(j);
                ++j;
            } else {
                pair_names(i++, j++);
            }
        }
    }

    // One name, claimed by a pair of weights on both sides, on one, or on none.
    void pair_names(std::uint32_t i, std::uint32_t j) {
        const Tensor& a = source_.checkpoint.tensors[i];
        const Tensor& b = target_.checkpoint.tensors[j];
        if (source_claimed_[i] && target_claimed_[j]) return;
        if (source_claimed_[i]) {
            pairing_.extra.push_back(j);
        } else if (target_claimed_[j]) {
            pairing_.missing.push_back(i);
        } else if (a.dtype == b.dtype && a.shape == b.shape && a.bytes() == b.bytes()) {
            pairing_.tensors.push_back({i, j});
        } else {
            pairing_.mismatches.push_back(
                {a.name, fmt::format("is {} {} in the source and {} {} in the target", to_string(a.dtype),
                                     shape_text(a.shape), to_string(b.dtype), shape_text(b.shape))});
        }
    }

    const Opened& source_;
    const Opened& target_;
    std::vector<bool> source_claimed_;
    std::vector<bool> target_claimed_;
    Pairing pairing_;
};

}  // namespace

Opened open_and_recognise(const std::string& path) {
    Opened opened;
    opened.checkpoint = open_checkpoint(path);
    opened.recognition = recognise(opened.checkpoint.tensors);
    return opened;
}

Pairing pair_up(const Opened& source, const Opened& target) { return Pairer(source, target).run(); }

}  // namespace assay::checkpoints
