// ConfigFile: flags that stand in a TOML file.
//
// Keys are flag names without the dashes: `model = "kimi"`, `seeds = 16`, `base-url = ["http://a/v1", "http://b/v1"]`.
// Top-level keys go to whichever command is run; keys under a table with a command's name (`[score]`) only to
// that command, and win over top-level ones. A table as a value becomes its JSON text (`extra-body = { top_k = 20 }`).
#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay::runners {

struct ConfigEntry {
    std::vector<std::string> values;  // as they would stand on the command line
    bool is_switch = false;           // a boolean: values holds "true" or "false"
    int line = 0;
};

// Entries for `command`, by flag name without dashes. Tables named in `commands` that are not `command` are left alone.
// Throws assay::Error with file, line and column for what is no TOML or has a type no flag takes.
[[nodiscard]] std::map<std::string, ConfigEntry> read_config_file(const std::string& path, const std::string& command,
                                                                  const std::vector<std::string>& commands);

}  // namespace assay::runners
