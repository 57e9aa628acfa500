// Flags: how a command declares what it takes, without knowing the parser underneath.
//
// Values bound here are filled when the command line was read, in this order of precedence: command line,
// then the TOML file given with --config (keys are flag names without the dashes), then the initial value.
// Every bound object must outlive the parse. Errors are assay::Error, naming the flag and the flag to use.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::runners {

class Flags {
public:
    struct Parser;
    explicit Flags(Parser& parser) : parser_(parser) {}

    // names: "--base-url" or "--concurrency,--max-connections"; a positional has a name without dashes: "RUN".
    // A vector takes the flag several times. `choices`, where not empty, are the only values accepted.
    void option(const std::string& names, std::string& value, const std::string& help, const std::vector<std::string>& choices = {});
    void option(const std::string& names, std::optional<std::string>& value, const std::string& help);
    void option(const std::string& names, std::vector<std::string>& value, const std::string& help);
    void option(const std::string& names, std::int64_t& value, const std::string& help);
    void option(const std::string& names, std::optional<std::int64_t>& value, const std::string& help);
    void option(const std::string& names, double& value, const std::string& help);
    void option(const std::string& names, std::optional<double>& value, const std::string& help);
    void flag(const std::string& names, bool& value, const std::string& help);

    // Flags declared from here on stand under this heading in --help.
    void group(const std::string& heading);

private:
    Parser& parser_;
};

}  // namespace assay::runners
