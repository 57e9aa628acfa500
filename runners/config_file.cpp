#include "runners/config_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"

namespace assay::runners {
namespace {

std::string json_text(const toml::table& table) {
    std::ostringstream text;
    text << toml::json_formatter{table, toml::format_flags::none};
    return text.str();
}

// The text of one value as it would be typed after the flag.
std::string value_text(const toml::node& node, const std::string& path, const std::string& key) {
    if (const auto text = node.as_string()) return text->get();
    if (const auto number = node.as_integer()) return fmt::format("{}", number->get());
    if (const auto number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto truth = node.as_boolean()) return truth->get() ? "true" : "false";
    if (const auto table = node.as_table()) return json_text(*table);
    throw Error(fmt::format("{}, line {}: '{}' must be a text, a number, true, false, a table, or a list of these", path,
                            node.source().begin.line, key));
}

ConfigEntry entry_of(const toml::node& node, const std::string& path, const std::string& key) {
    ConfigEntry entry;
    entry.line = static_cast<int>(node.source().begin.line);
    entry.is_switch = node.is_boolean();
    if (const auto list = node.as_array()) {
        for (const auto& element : *list) entry.values.push_back(value_text(element, path, key));
    } else {
        entry.values.push_back(value_text(node, path, key));
    }
    return entry;
}

std::string text_of(const std::string& path) {
    try {
        return files::read_file(path);
    } catch (const Error& error) {
        throw Error(fmt::format("--config: {}", error.what()));
    }
}

toml::table parsed(const std::string& path) {
    const std::string text = text_of(path);
    try {
        return toml::parse(text, path);
    } catch (const toml::parse_error& error) {
        const auto where = error.source().begin;
        if (where.line == 0) throw Error(fmt::format("--config {}: {}", path, error.description()));
        throw Error(fmt::format("--config {}, line {}, column {}: {}", path, where.line, where.column, error.description()));
    }
}

}  // namespace

std::map<std::string, ConfigEntry> read_config_file(const std::string& path, const std::string& command,
                                                    const std::vector<std::string>& commands) {
    const toml::table file = parsed(path);
    std::map<std::string, ConfigEntry> entries;
    const toml::table* own = nullptr;
    for (const auto& [key, node] : file) {
        const std::string name(key.str());
        const bool names_a_command = std::find(commands.begin(), commands.end(), name) != commands.end();
        if (names_a_command && node.is_table()) {
            if (name == command) own = node.as_table();
            continue;
        }
        entries[name] = entry_of(node, path, name);
    }
    if (own != nullptr) {
        for (const auto& [key, node] : *own) entries[std::string(key.str())] = entry_of(node, path, std::string(key.str()));
    }
    return entries;
}

}  // namespace assay::runners
