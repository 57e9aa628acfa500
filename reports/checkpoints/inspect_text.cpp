#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "datasets/checkpoints/layout.hpp"
#include "reports/checkpoints/inspect_report.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

using namespace checkpoints;

constexpr int indent = 10;

std::string number(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }

std::string line(const char* label, const std::string& words, const Look& look) {
    return wrapped(fmt::format("{:<{}}", label, indent), words, look.width, indent);
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

std::string config_words(const QuantizationConfig& config) {
    std::vector<std::string> parts{fmt::format("{}: {}", config.where, to_string(config.dialect))};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) parts.push_back(fmt::format("{} {}", name, visible(value)));
    };
    add("quant_method", config.quant_method);
    add("format", config.format);
    add("quant_algo", config.quant_algo);
    add("moe_quant_algo", config.moe_quant_algo);
    for (const ConfigGroup& group : config.groups) {
        std::string bits = group.num_bits ? fmt::format(" {} bits", *group.num_bits) : "";
        if (group.group_size) bits += fmt::format(" in groups of {}", *group.group_size);
        parts.push_back(fmt::format("{}{} of {}", visible(group.name), bits, visible(joined(group.targets))));
    }
    if (config.has_ignore) parts.push_back(counted(static_cast<std::int64_t>(config.ignore.size()), "ignore pattern"));
    if (config.has_exclude_modules) {
        parts.push_back(counted(static_cast<std::int64_t>(config.exclude_modules.size()), "excluded module"));
    }
    if (!config.layers.empty())
        parts.push_back(counted(static_cast<std::int64_t>(config.layers.size()), "quantized layer"));
    for (const std::string& fault : config.faults) parts.push_back(visible(fault));
    return joined(parts);
}

std::string index_words(const Checkpoint& checkpoint, const Inventory& inventory) {
    const Index& index = *checkpoint.index;
    std::string words = fmt::format("{}: {} in {}", visible(index.file),
                                    counted(static_cast<std::int64_t>(index.entries.size()), "tensor"),
                                    counted(static_cast<std::int64_t>(index.files.size()), "file"));
    if (!index.total_size) return words + ", no total_size";
    words += ", total_size " + number(*index.total_size);
    return words + (*index.total_size == inventory.bytes
                        ? ", as the tensors have"
                        : fmt::format(", but the tensors have {}", number(inventory.bytes)));
}

// The folder, or the one file that was given.
std::string place_of(const Checkpoint& checkpoint) {
    const bool alone = !checkpoint.index && checkpoint.shards.size() == 1;
    return alone ? fmt::format("{}/{}", checkpoint.folder, checkpoint.shards[0].file) : checkpoint.folder;
}

std::string summary(const InspectReport& report, const Look& look) {
    const Inventory& inventory = report.inventory;
    std::string out = wrapped(visible(place_of(report.checkpoint)),
                              fmt::format("   {} in {}, {} bytes of tensors, {} on disk",
                                          counted(static_cast<std::int64_t>(inventory.tensors), "tensor"),
                                          counted(static_cast<std::int64_t>(report.checkpoint.shards.size()), "file"),
                                          number(inventory.bytes), number(inventory.file_bytes)),
                              look.width, 4);
    if (!report.recognition.modules.empty()) {
        out += line("quantized",
                    fmt::format("{}, {} in FP4",
                                counted(static_cast<std::int64_t>(report.recognition.modules.size()), "weight"),
                                counted(static_cast<std::int64_t>(inventory.blocks), "block")),
                    look);
    }
    if (report.checkpoint.index) out += line("index", index_words(report.checkpoint, inventory), look);
    for (const QuantizationConfig& config : report.checkpoint.configs)
        out += line("config", config_words(config), look);
    if (report.checkpoint.configs.empty()) out += line("config", "no quantization config", look);
    for (const std::string& trouble : report.checkpoint.config_troubles) out += line("config", visible(trouble), look);
    return out;
}

// One line a file and kind of trouble, and no more than a few files of one kind: a checkpoint that was never fetched
// has a hundred alike.
std::string faults(const InspectReport& report, const Look& look) {
    constexpr std::size_t most_files = 5;
    std::string out;
    std::map<std::string, std::size_t> files;
    const auto say = [&](const char* label, const std::string& kind, const std::string& words) {
        if (++files[kind] <= most_files) out += line(label, words, look);
    };
    for (const Shard& shard : report.checkpoint.shards) {
        if (!shard.present) say("missing", "missing", visible(shard.file + ": " + shard.trouble));
        if (!shard.indexed)
            say("unnamed", "not in the index", visible(shard.file) + " is not in the index; its tensors are not counted");
        for (const HeaderFault& fault : shard.faults) {
            const std::string kind(to_string(fault.kind));
            say("fault", kind, fmt::format("{}: {}: {}", visible(shard.file), kind, visible(fault.message)));
        }
        if (shard.fault_count > shard.faults.size())
            say("fault", "more", fmt::format("{}: {} more", visible(shard.file), shard.fault_count - shard.faults.size()));
    }
    for (const auto& [kind, count] : files) {
        if (count > most_files) out += line("and", fmt::format("{} more: {}", number(count - most_files), kind), look);
    }
    constexpr std::size_t most = 20;
    const auto& broken = report.recognition.broken;
    for (std::size_t i = 0; i < std::min(most, broken.size()); ++i) {
        std::vector<std::string> parts;
        for (const PartFault& fault : broken[i].faults)
            parts.push_back(fmt::format("{} {}", fault.tensor, fault.message));
        out += line(
            "broken",
            visible(fmt::format("{} ({}): {}", broken[i].name, layout_of(broken[i].layout).name, joined(parts))), look);
    }
    if (broken.size() > most) out += line("broken", number(broken.size() - most) + " more", look);
    return out;
}

// A row of either table: its name, what follows it, and the columns of numbers.
std::vector<std::string> cells(const InventoryRow& row) {
    std::vector<std::string> all{row.pattern};
    if (row.layout) {
        const Layout& layout = layout_of(*row.layout);
        all.push_back(fmt::format("{}{}", layout.name, row.input_scales ? " + input scale" : ""));
    }
    for (std::string cell :
         {std::string(to_string(row.dtype)), shape_text(row.shape), number(row.count), number(row.bytes)})
        all.push_back(std::move(cell));
    return all;
}

std::size_t widest(const std::vector<InventoryRow>& rows) {
    std::size_t widest = 0;
    for (const InventoryRow& row : rows) {
        std::size_t width = 0;
        for (const std::string& cell : cells(row)) width += cell.size() + 2;
        widest = std::max(widest, width);
    }
    return widest;
}

// In a window too narrow for a table, a name cut short would tell nothing: its end is what tells it from the next.
std::string list(const char* header, const std::vector<InventoryRow>& rows, const Look& look) {
    std::string out = tinted(header, Tint::dim, look) + "\n";
    for (const InventoryRow& row : rows) {
        const std::string layout = row.layout ? cells(row)[1] + ", " : "";
        out += visible(row.pattern) + "\n" +
               wrapped("    ",
                       fmt::format("{}{} {}, {}, {} bytes", layout, to_string(row.dtype), shape_text(row.shape),
                                   counted(static_cast<std::int64_t>(row.count), row.layout ? "weight" : "tensor"),
                                   number(row.bytes)),
                       look.width, 4);
    }
    return out;
}

std::string rows_text(const char* header, const std::vector<InventoryRow>& rows, const Look& look) {
    if (rows.empty()) return {};
    // One hostile name must not fill every row of a table with spaces.
    const std::size_t most = look.width > 0 ? static_cast<std::size_t>(look.width) : 1000;
    if (widest(rows) > most) return list(header, rows, look);
    Table table;
    table.column(header, Align::left);
    if (rows[0].layout) table.column("layout", Align::left);
    table.column("dtype", Align::left).column("shape", Align::left).column("count").column("bytes");
    for (const InventoryRow& row : rows) table.row(cells(row));
    return table.text(look);
}

}  // namespace

std::string inspect_text(const InspectReport& report, const Look& look) {
    std::string out = summary(report, look) + faults(report, look);
    for (const std::string& table : {rows_text("quantized weights", report.inventory.modules, look),
                                     rows_text("other tensors", report.inventory.plain, look)}) {
        if (!table.empty()) out += "\n" + table;
    }
    return out;
}

std::string tensor_text(const TensorDetail& detail, const Look& look) {
    std::string out;
    for (std::size_t i = 0; i < detail.tensors.size(); ++i) {
        const Tensor& tensor = detail.tensors[i];
        out += wrapped(visible(tensor.name),
                       fmt::format("   {} {}, {} bytes at {} of {}", to_string(tensor.dtype), shape_text(tensor.shape),
                                   number(tensor.bytes()), number(tensor.begin), visible(detail.shards[i])),
                       look.width, 4);
    }
    if (detail.module) {
        const Module& module = *detail.module;
        const std::string banks = module.banks > 1 ? fmt::format("{} banks of ", module.banks) : "";
        out += line("weight",
                    fmt::format("{}, {}{} rows of {} values", layout_of(module.layout).name, banks, number(module.rows),
                                number(module.columns)),
                    look);
    }
    if (!detail.global_scales.empty())
        out += line("global", fmt::format("{}", fmt::join(detail.global_scales, " ")), look);
    if (!detail.first_values.empty())
        out += line("values",
                    fmt::format("{}{}", fmt::join(detail.first_values, " "),
                                detail.first_values.size() == TensorDetail::most_values ? " .." : ""),
                    look);
    for (const std::string& fault : detail.faults) out += line("fault", visible(fault), look);
    if (detail.scale_codes) {
        std::uint64_t total = 0;
        for (const std::uint64_t count : *detail.scale_codes) total += count;
        Table table;
        table.column("scale code").column("blocks").column("share");
        for (std::size_t code = 0; code < 256; ++code) {
            const std::uint64_t count = (*detail.scale_codes)[code];
            if (count != 0)
                table.row({fmt::format("{} (0x{:02x})", code, code), number(count),
                           share(static_cast<std::int64_t>(count), static_cast<std::int64_t>(total))});
        }
        out += "\n" + table.text(look);
    }
    return out;
}

}  // namespace assay::reports
