#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>

#include "datasets/checkpoints/module.hpp"
#include "datasets/checkpoints/module_shapes.hpp"

namespace assay::checkpoints {
namespace {

bool allowed(const Part& part, Dtype dtype) { return dtype == part.dtypes[0] || dtype == part.dtypes[1]; }

// The distinct suffixes of all layouts. No name ends in two of them.
std::vector<std::string_view> distinct_suffixes() {
    std::vector<std::string_view> suffixes;
    for (const Layout& layout : layouts()) {
        for (const Part* part : {&layout.payload, &layout.scale, &layout.global, &layout.input_scale}) {
            if (part->used() && std::find(suffixes.begin(), suffixes.end(), part->suffix) == suffixes.end()) {
                suffixes.push_back(part->suffix);
            }
        }
    }
    return suffixes;
}

class Recogniser {
public:
    explicit Recogniser(std::span<const Tensor> tensors)
        : tensors_(tensors), suffixes_(distinct_suffixes()), taken_(tensors.size(), false) {}

    Recognition run() {
        group();
        std::vector<std::string_view> bases;
        for (const auto& [base, parts] : groups_) {
            if (parts.telling) bases.push_back(base);
        }
        std::sort(bases.begin(), bases.end());
        for (const std::string_view base : bases) take(std::string(base), groups_.find(base)->second);
        const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
        std::sort(result_.modules.begin(), result_.modules.end(), by_name);
        std::sort(result_.broken.begin(), result_.broken.end(), by_name);
        for (std::uint32_t i = 0; i < tensors_.size(); ++i) {
            if (!taken_[i]) result_.plain.push_back(i);
        }
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t most_suffixes = 16;

    // Tensors whose names are one base and a suffix, by suffix.
    struct Group {
        Group() { parts.fill(none); }
        std::array<std::uint32_t, most_suffixes> parts;
        bool telling = false;  // has a part that only quantized weights have
    };

    void group() {
        assert(suffixes_.size() <= most_suffixes);
        groups_.reserve(tensors_.size() / 2);
        for (std::uint32_t i = 0; i < tensors_.size(); ++i) {
            const std::string_view name = tensors_[i].name;
            for (std::size_t s = 0; s < suffixes_.size(); ++s) {
                if (!name.ends_with(suffixes_[s]) || name.size() == suffixes_[s].size()) continue;
                Group& found = groups_[name.substr(0, name.size() - suffixes_[s].size())];
                found.parts[s] = i;
                found.telling = found.telling || telling(suffixes_[s], tensors_[i]);
            }
        }
        // A fused bank has its weight under the base's own name.
        for (std::uint32_t i = 0; i < tensors_.size(); ++i) {
            const auto place = groups_.find(tensors_[i].name);
            if (place != groups_.end()) own_name_.emplace(place->first, i);
        }
    }

    // A ".weight" of bytes is packed unless it is a table or a mask: rank 2 and more. F32 scalars called
    // input_scale stand beside FP8 weights too and prove nothing alone.
    static bool telling(std::string_view suffix, const Tensor& tensor) {
        if (suffix.ends_with("input_scale")) return false;
        if (suffix == ".weight" && tensor.shape.size() < 2) return false;
        for (const Layout& layout : layouts()) {
            for (const Part* part : {&layout.payload, &layout.scale, &layout.global}) {
                if (part->suffix == suffix && allowed(*part, tensor.dtype)) return true;
            }
        }
        return false;
    }

    const Tensor* find(std::string_view base, const Group& group, std::string_view suffix) const {
        std::uint32_t index = none;
        if (suffix.empty()) {
            const auto place = own_name_.find(base);
            if (place != own_name_.end()) index = place->second;
        } else {
            index = group.parts[static_cast<std::size_t>(std::find(suffixes_.begin(), suffixes_.end(), suffix) -
                                                         suffixes_.begin())];
        }
        return index == none || taken_[index] ? nullptr : &tensors_[index];
    }

    FoundParts parts(const Layout& layout, std::string_view base, const Group& group) const {
        FoundParts found;
        found.payload = find(base, group, layout.payload.suffix);
        found.scale = find(base, group, layout.scale.suffix);
        if (layout.global.used()) found.global = find(base, group, layout.global.suffix);
        if (layout.input_scale.used()) found.input_scale = find(base, group, layout.input_scale.suffix);
        return found;
    }

    // How well the tensors fit a layout: a part of the right dtype tells more than a name.
    static int score(const Layout& layout, const FoundParts& found) {
        const auto of = [](const Part& part, const Tensor* tensor) {
            return tensor == nullptr ? 0 : allowed(part, tensor->dtype) ? 4 : 1;
        };
        return of(layout.payload, found.payload) + of(layout.scale, found.scale) + of(layout.global, found.global) +
               (found.input_scale != nullptr ? 1 : 0);
    }

    void take(const std::string& base, const Group& group) {
        const Layout* best = nullptr;
        FoundParts best_found;
        int best_score = 4;  // one part of a right dtype and something beside it, or a packed weight alone
        for (const Layout& layout : layouts()) {
            const FoundParts found = parts(layout, base, group);
            const int points = score(layout, found);
            const bool packed_alone = best == nullptr && points == 4 && found.payload != nullptr && layout.fp4() &&
                                      found.payload->dtype != Dtype::I8;
            const bool scale_alone = best == nullptr && points == 4 && found.scale != nullptr && layout.fp4();
            if (points <= best_score && !packed_alone && !scale_alone) continue;
            best = &layout;
            best_found = found;
            best_score = points;
        }
        if (best != nullptr && !is_plain_fp8(*best, best_found)) settle(*best, best_found, base);
    }

    // FP8 with one scale a tensor or a row is no block format; its tensors stay plain.
    static bool is_plain_fp8(const Layout& layout, const FoundParts& found) {
        if (layout.fp4()) return false;
        if (found.payload == nullptr || found.scale == nullptr || found.payload->dtype != Dtype::F8_E4M3) return true;
        std::uint64_t wide = 0;
        for (const std::uint64_t extent : found.scale->shape) wide += extent > 1 ? 1 : 0;
        return found.scale->shape.size() < 4 && found.scale->dtype == Dtype::F32 && wide < 2;
    }

    void settle(const Layout& layout, const FoundParts& found, const std::string& base) {
        Module module;
        module.name = base;
        module.layout = layout.id;
        std::vector<PartFault> faults;
        const auto require = [&](const Part& part, const Tensor* tensor) {
            if (tensor == nullptr) {
                faults.push_back({PartFaultKind::missing, base + std::string(part.suffix), "is missing"});
            } else if (!allowed(part, tensor->dtype)) {
                faults.push_back({PartFaultKind::dtype, tensor->name,
                                  fmt::format("is {}; {} needs {}", to_string(tensor->dtype), layout.name,
                                              to_string(part.dtypes[0]))});
            }
        };
        require(layout.payload, found.payload);
        require(layout.scale, found.scale);
        if (layout.global.used()) require(layout.global, found.global);
        if (found.input_scale != nullptr) require(layout.input_scale, found.input_scale);
        if (found.payload != nullptr && found.scale != nullptr) {
            const auto shapes = check_shapes(layout, found, module);
            faults.insert(faults.end(), shapes.begin(), shapes.end());
        }
        std::vector<std::uint32_t> indexes;
        const auto take_part = [&](const Tensor* tensor) -> std::optional<std::uint32_t> {
            if (tensor == nullptr) return std::nullopt;
            const auto index = static_cast<std::uint32_t>(tensor - tensors_.data());
            taken_[index] = true;
            indexes.push_back(index);
            return index;
        };
        const auto payload = take_part(found.payload);
        const auto scale = take_part(found.scale);
        module.global = take_part(found.global);
        module.input_scale = take_part(found.input_scale);
        if (!faults.empty()) {
            result_.broken.push_back({base, layout.id, std::move(faults), std::move(indexes)});
            return;
        }
        module.payload = *payload;
        module.scale = *scale;
        result_.modules.push_back(std::move(module));
    }

    std::span<const Tensor> tensors_;
    std::vector<std::string_view> suffixes_;
    std::vector<bool> taken_;
    std::unordered_map<std::string_view, Group> groups_;
    std::unordered_map<std::string_view, std::uint32_t> own_name_;
    Recognition result_;
};

}  // namespace

Recognition recognise(std::span<const Tensor> tensors) { return Recogniser(tensors).run(); }

}  // namespace assay::checkpoints
