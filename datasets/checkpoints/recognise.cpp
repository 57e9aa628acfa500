#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "datasets/checkpoints/module.hpp"
#include "datasets/checkpoints/module_shapes.hpp"

namespace assay::checkpoints {
namespace {

bool allowed(const Part& part, Dtype dtype) { return dtype == part.dtypes[0] || dtype == part.dtypes[1]; }

class Recogniser {
public:
    explicit Recogniser(std::span<const Tensor> tensors) : tensors_(tensors), taken_(tensors.size(), false) {
        by_name_.reserve(tensors.size());
        for (std::uint32_t i = 0; i < tensors.size(); ++i) by_name_.emplace(tensors[i].name, i);
    }

    Recognition run() {
        for (const std::string& base : bases()) take(base);
        const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
        std::sort(result_.modules.begin(), result_.modules.end(), by_name);
        std::sort(result_.broken.begin(), result_.broken.end(), by_name);
        for (std::uint32_t i = 0; i < tensors_.size(); ++i) {
            if (!taken_[i]) result_.plain.push_back(i);
        }
        return std::move(result_);
    }

private:
    const Tensor* find(const std::string& base, std::string_view suffix) {
        name_.assign(base).append(suffix);
        const auto found = by_name_.find(name_);
        return found == by_name_.end() || taken_[found->second] ? nullptr : &tensors_[found->second];
    }

    // Names of weights that have a part which only quantized weights have, longest suffix first so that
    // "x.weight_scale" is not read as a scale of "x.weight"'s namesake.
    std::vector<std::string> bases() const {
        std::vector<std::string> names;
        for (const Tensor& tensor : tensors_) {
            const std::string_view name = tensor.name;
            for (const Layout& layout : layouts()) {
                for (const Part& part : {layout.payload, layout.scale, layout.global, layout.input_scale}) {
                    if (!part.used() || !name.ends_with(part.suffix) || name.size() == part.suffix.size()) continue;
                    if (allowed(part, tensor.dtype) && telling(part, tensor))
                        names.emplace_back(name.substr(0, name.size() - part.suffix.size()));
                }
            }
        }
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        return names;
    }

    // A ".weight" of bytes is packed unless it is a table or a mask: rank 2 and more. F32 scalars called
    // input_scale stand beside FP8 weights too and prove nothing alone.
    static bool telling(const Part& part, const Tensor& tensor) {
        if (part.suffix == ".weight") return tensor.shape.size() >= 2;
        return !part.suffix.ends_with("input_scale");
    }

    FoundParts parts(const Layout& layout, const std::string& base) {
        FoundParts found;
        found.payload = find(base, layout.payload.suffix);
        found.scale = find(base, layout.scale.suffix);
        if (layout.global.used()) found.global = find(base, layout.global.suffix);
        if (layout.input_scale.used()) found.input_scale = find(base, layout.input_scale.suffix);
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

    void take(const std::string& base) {
        const Layout* best = nullptr;
        FoundParts best_found;
        int best_score = 4;  // one part of a right dtype and something beside it, or a packed weight alone
        for (const Layout& layout : layouts()) {
            const FoundParts found = parts(layout, base);
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
    std::vector<bool> taken_;
    std::unordered_map<std::string_view, std::uint32_t> by_name_;
    std::string name_;
    Recognition result_;
};

}  // namespace

Recognition recognise(std::span<const Tensor> tensors) { return Recogniser(tensors).run(); }

}  // namespace assay::checkpoints
