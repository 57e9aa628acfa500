// The one translation unit that knows CLI11 (its headers take seconds to compile).
#include "runners/flags.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

#include "harness/error.hpp"
#include "runners/command_line.hpp"
#include "runners/config_file.hpp"
#include "runners/help_text.hpp"
#include "runners/spelling.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"

namespace assay::runners {

struct Flags::Parser {
    CLI::App& app;
    std::string heading = "Options";

    template <class T>
    CLI::Option* add(const std::string& names, T& value, const std::string& help) {
        return app.add_option(names, value, help)->group(heading);
    }
};

void Flags::group(const std::string& heading) { parser_.heading = heading; }

void Flags::option(const std::string& names, std::string& value, const std::string& help, const std::vector<std::string>& choices) {
    CLI::Option* option = parser_.add(names, value, help);
    if (!choices.empty()) option->check(CLI::IsMember(choices));
    option->capture_default_str();
}
void Flags::option(const std::string& names, std::optional<std::string>& value, const std::string& help) {
    parser_.add(names, value, help);
}
void Flags::option(const std::string& names, std::vector<std::string>& value, const std::string& help) {
    CLI::Option* option = parser_.add(names, value, help);
    if (!option->get_positional()) option->allow_extra_args(false);
}
void Flags::option(const std::string& names, std::int64_t& value, const std::string& help) {
    parser_.add(names, value, help)->capture_default_str();
}
void Flags::option(const std::string& names, std::optional<std::int64_t>& value, const std::string& help) {
    parser_.add(names, value, help);
}
void Flags::option(const std::string& names, double& value, const std::string& help) {
    parser_.add(names, value, help)->capture_default_str();
}
void Flags::option(const std::string& names, std::optional<double>& value, const std::string& help) {
    parser_.add(names, value, help);
}
void Flags::flag(const std::string& names, bool& value, const std::string& help) {
    parser_.app.add_flag(names, value, help)->group(parser_.heading);
}

namespace {

constexpr int command_column = 16;  // where summaries of commands begin

class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter(int width, int column) : width_(width), column_(column) { column_width(static_cast<std::size_t>(column)); }
    std::string make_option_desc(const CLI::Option* option) const override {
        return fitted_description(CLI::Formatter::make_option_desc(option), width_, column_);
    }
    std::string make_subcommand(const CLI::App* command) const override {
        std::string out = fmt::format("  {:<{}}", command->get_name(), column_ - 2);
        for (const char one : fitted_description(command->get_description(), width_, column_)) {
            out += one;
            if (one == '\n') out.append(static_cast<std::size_t>(column_), ' ');
        }
        return out + "\n";
    }
    std::string make_footer(const CLI::App* app) const override {
        return fitted_footer(CLI::Formatter::make_footer(app), width_);
    }

private:
    int width_;
    int column_;
};

std::vector<std::string> flag_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

std::string first_unexpected(const CLI::App& app) {
    for (const auto& word : app.remaining()) {
        if (word != "--") return word;
    }
    return {};
}

[[noreturn]] void refuse_unexpected(const CLI::App& app, const std::string& word) {
    const bool looks_like_flag = word.rfind('-', 0) == 0;
    const std::string name = word.substr(0, word.find('='));
    const std::string nearest = looks_like_flag ? nearest_name(name, flag_names(app)) : std::string();
    const std::string hint = nearest.empty() ? fmt::format("`assay {} --help` lists the flags", app.get_name())
                                             : fmt::format("did you mean {}?", nearest);
    throw Error(fmt::format("{} '{}' is not known to `assay {}`: {}", looks_like_flag ? "flag" : "argument", word, app.get_name(), hint));
}

// CLI11 speaks of "--seeds: 'x' ..." in its own words; the house's messages start in lower case.
std::string in_house_words(std::string text, const CLI::App& app) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
    if (const auto missing = text.find(": 1 required "); missing != std::string::npos) {
        const std::string name = text.substr(0, missing);
        const CLI::Option* option = app.get_option_no_throw(name);
        return name + " needs a value" + (option != nullptr ? ": " + option->get_description() : "");
    }
    if (const auto conversion = text.find("Could not convert: "); conversion == 0) {
        text = "cannot read the value of " + text.substr(19);
    }
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && (text.size() < 2 || text[1] < 'A' || text[1] > 'Z')) {
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    }
    return text;
}

void apply_config(CLI::App& app, const std::string& path, const std::vector<std::string>& command_names) {
    for (const auto& [name, entry] : read_config_file(path, app.get_name(), command_names)) {
        CLI::Option* option = app.get_option_no_throw("--" + name);
        if (option == nullptr || name == "help" || name == "config") {
            const std::string nearest = nearest_name("--" + name, flag_names(app));
            throw Error(fmt::format("--config {}, line {}: '{}' is no flag of `assay {}`{}", path, entry.line, name, app.get_name(),
                                    nearest.empty() ? std::string() : fmt::format("; did you mean '{}'?", nearest.substr(2))));
        }
        if (option->count() > 0) continue;  // the command line wins
        if (entry.is_switch != (option->get_items_expected_max() == 0)) {
            throw Error(fmt::format("--config {}, line {}: '{}' takes {}", path, entry.line, name,
                                    entry.is_switch ? "a value, not true or false" : "true or false"));
        }
        try {
            for (const auto& value : entry.values) option->add_result(value);
            option->run_callback();
        } catch (const CLI::ParseError& error) {
            throw Error(fmt::format("--config {}, line {}: {}", path, entry.line, in_house_words(error.what(), app)));
        }
    }
}

}  // namespace

int run_command_line(int argc, const char* const* argv, std::vector<std::unique_ptr<Command>> commands,
                     const std::string& program) {
    CLI::App app("scores language model endpoints and audits quantized checkpoints", program);
    app.set_version_flag("--version", std::string("assay ") + version, "show the version and end");
    app.set_help_flag("-h,--help", "show this and end");
    app.require_subcommand(0, 1);
    app.allow_extras();
    app.footer("`assay COMMAND --help` shows a command's flags and an example. Lines are fitted to a terminal; into a pipe or a file they are "
               "whole and without colour, whatever COLUMNS says; NO_COLOR turns colour off.");

    const int width = look_of(stdout).width;
    app.formatter(std::make_shared<HelpFormatter>(width, command_column));
    const auto help_of_command = std::make_shared<HelpFormatter>(width, description_column(width));
    std::vector<std::string> command_names;
    std::vector<CLI::App*> subcommands;
    std::string config;
    for (const auto& command : commands) {
        CLI::App* sub = app.add_subcommand(command->name(), command->summary());
        sub->set_help_flag("-h,--help", "show this and end");
        sub->footer("Example:\n  " + command->example());
        sub->allow_extras();
        sub->formatter(help_of_command);
        Flags::Parser parser{*sub};
        Flags flags(parser);
        command->declare(flags);
        sub->add_option("--config", config, "TOML file with any of these flags")->group("Options");
        command_names.push_back(command->name());
        subcommands.push_back(sub);
    }

    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::CallForVersion& asked) {
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        const auto asked = app.get_subcommands();
        throw Error(in_house_words(error.what(), asked.empty() ? app : *asked.front()));
    }

    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!subcommands[i]->parsed()) continue;
        if (const auto word = first_unexpected(*subcommands[i]); !word.empty()) refuse_unexpected(*subcommands[i], word);
        if (!config.empty()) apply_config(*subcommands[i], config, command_names);
        return commands[i]->run();
    }
    if (const auto word = first_unexpected(app); !word.empty()) {
        const std::string nearest = nearest_name(word, command_names);
        throw Error(fmt::format("'{}' is no command of assay: {}", word,
                                nearest.empty() ? "`assay --help` lists them" : fmt::format("did you mean `assay {}`?", nearest)));
    }
    std::fputs(app.help().c_str(), stdout);
    return exit_clean;
}

}  // namespace assay::runners
