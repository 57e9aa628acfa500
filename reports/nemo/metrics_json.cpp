#include <string_view>

#include "harness/files/python_json.hpp"
#include "reports/nemo/nemo_metrics.hpp"

namespace assay::reports {
namespace {

// An object as json.dump(indent=2) lays it out: a key a line, "{}" where there is none.
class Object {
public:
    explicit Object(int depth) : depth_(depth) {}

    void add(std::string_view key, std::string_view value) {
        text_ += text_.empty() ? "{\n" : ",\n";
        text_.append(indent(depth_ + 1), ' ');
        text_ += files::python_json_string(key);
        text_ += ": ";
        text_ += value;
    }

    [[nodiscard]] std::string text() const {
        return text_.empty() ? "{}" : text_ + "\n" + std::string(indent(depth_), ' ') + "}";
    }

private:
    static std::size_t indent(int depth) { return static_cast<std::size_t>(2 * depth); }

    int depth_;
    std::string text_;
};

std::string statistics_text(const NemoStatistics& statistics) {
    Object out(3);
    out.add("avg", files::python_json_float(statistics.avg));
    out.add("std_dev_across_runs", files::python_json_float(statistics.std_dev_across_runs));
    out.add("avg_sample_std_dev", files::python_json_float(statistics.avg_sample_std_dev));
    out.add("std_err_across_runs", files::python_json_float(statistics.std_err_across_runs));
    return out.text();
}

std::string mode_text(const NemoMode& mode) {
    Object out(2);
    out.add("num_entries", std::to_string(mode.entries));
    if (mode.avg_tokens) out.add("avg_tokens", std::to_string(*mode.avg_tokens));
    if (mode.gen_seconds) out.add("gen_seconds", std::to_string(*mode.gen_seconds));
    out.add("symbolic_correct", files::python_json_float(mode.symbolic_correct));
    out.add("no_answer", files::python_json_float(mode.no_answer));
    for (const auto& [name, statistics] : mode.statistics) out.add(name + "_statistics", statistics_text(statistics));
    return out.text();
}

}  // namespace

std::string nemo_metrics_json(const std::vector<NemoGroup>& groups) {
    Object out(0);
    for (const NemoGroup& group : groups) {
        Object modes(1);
        for (const NemoMode& mode : group.modes) modes.add(mode.name, mode_text(mode));
        out.add(group.name, modes.text());
    }
    return out.text();
}

}  // namespace assay::reports
