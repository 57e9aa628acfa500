// The readers of a quantization config are emulated: what each would build as quantized is held against the tensors.
#include <fmt/format.h>

#include <algorithm>

#include "datasets/checkpoints/name_pattern.hpp"
#include "scorers/rules/name_filter.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using namespace checkpoints;

struct Reader {
    std::string name;
    Matching matching{};
    std::vector<std::string> entries;
};

std::vector<Reader> readers_of(const QuantizationConfig& config) {
    using enum ConfigDialect;
    if (config.dialect == compressed_tensors)
        return {{"compressed-tensors", Matching::compressed_tensors, config.ignore}};
    if (config.dialect != modelopt && config.dialect != hybrid) return {};
    const bool hf = config.where == "hf_quant_config.json";
    const std::vector<std::string>& entries = hf ? config.exclude_modules : config.ignore;
    return {{"vLLM", Matching::vllm_modelopt, entries}, {"ModelOpt", Matching::modelopt, entries}};
}

// The name a reader asks by: the module's, without ".weight".
std::string_view module_name(const Tensor& tensor) {
    std::string_view name = tensor.name;
    name.remove_suffix(std::string_view(".weight").size());
    return name;
}

// Plain weights that readers build as linear layers: two axes, real numbers, and no table of embeddings.
bool is_plain_linear(const Tensor& tensor) {
    const bool real = tensor.dtype == Dtype::BF16 || tensor.dtype == Dtype::F16 || tensor.dtype == Dtype::F32;
    return real && tensor.shape.size() == 2 && tensor.name.ends_with(".weight") &&
           tensor.name.find("embed") == std::string::npos;
}

class Emulation {
public:
    Emulation(const Opened& opened, const QuantizationConfig& config, const Reader& reader,
              std::vector<Finding>& findings)
        : opened_(opened), config_(config), reader_(reader), findings_(findings) {
        for (const std::string& entry : reader.entries) filters_.emplace_back(entry, reader.matching);
        hits_.resize(filters_.size(), 0);
    }

    void run() {
        std::vector<std::string_view> hidden;
        std::vector<std::string_view> exposed;
        for (const Module& module : opened_.recognition.modules) {
            if (excluded(module.name)) hidden.push_back(module.name);
        }
        for (const std::uint32_t index : opened_.recognition.plain) {
            const Tensor& tensor = opened_.checkpoint.tensors[index];
            if (!tensor.name.ends_with(".weight")) continue;
            const bool out = excluded(module_name(tensor));
            if (is_plain_linear(tensor) && !out) exposed.push_back(module_name(tensor));
        }
        say(hidden, Severity::error, "quantized, and excluded by the config",
            "the reader builds a plain weight, and the packed one does not fit");
        say(exposed, Severity::warning, "plain, and excluded by no entry",
            "a reader that goes by the config alone builds a quantized weight and looks for scales that are not there");
        for (std::size_t i = 0; i < filters_.size(); ++i) {
            if (filters_[i].broken())
                add(Severity::error, {},
                    fmt::format("the entry '{}' is no regular expression that can be read", filters_[i].entry()),
                    "the reader fails on it");
            else if (hits_[i] == 0)
                add(Severity::note, {}, fmt::format("the entry '{}' matches no module", filters_[i].entry()), {});
        }
    }

private:
    bool excluded(std::string_view name) {
        bool out = false;
        for (std::size_t i = 0; i < filters_.size(); ++i) {
            if (!filters_[i].matches(name)) continue;
            ++hits_[i];
            out = true;
        }
        return out;
    }

    void say(const std::vector<std::string_view>& names, Severity severity, const char* what, const char* consequence) {
        for (const NamePattern& pattern : fold_names(names))
            add(severity, pattern.pattern,
                fmt::format("{} {} {}", pattern.count, pattern.count == 1 ? "module is" : "modules are", what),
                consequence);
    }

    void add(Severity severity, std::string name, const std::string& message, std::string consequence) {
        findings_.push_back({"config.readers",
                             severity,
                             config_.where,
                             std::move(name),
                             {},
                             {},
                             fmt::format("read by {}: {}", reader_.name, message),
                             std::move(consequence)});
    }

    const Opened& opened_;
    const QuantizationConfig& config_;
    const Reader& reader_;
    std::vector<Finding>& findings_;
    std::vector<NameFilter> filters_;
    std::vector<std::uint64_t> hits_;
};

}  // namespace

void check_config_readers(const RuleInput& input, std::vector<Finding>& findings) {
    for (const QuantizationConfig& config : input.opened.checkpoint.configs) {
        for (const Reader& reader : readers_of(config)) Emulation(input.opened, config, reader, findings).run();
    }
}

}  // namespace assay::rules
