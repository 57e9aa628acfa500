#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <list>

#include "harness/error.hpp"
#include "harness/http/descriptor_limit.hpp"
#include "harness/loop/signals.hpp"
#include "harness/simulated/in_process_endpoint.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/protocol_options.hpp"
#include "runners/simulated/keyed_prompts.hpp"
#include "runners/simulated/parameters.hpp"

namespace assay::runners {
namespace {

bool has_a_flag(std::string_view behavior) {
    return behavior == "rate-limit" || behavior == "error-rate" || behavior == "latency-ms" || behavior == "drop-rate";
}

std::string behavior_help() {
    std::string help = "any of these, as NAME or NAME=VALUE; may be given several times:";
    for (const simulated::BehaviorHelp& row : simulated::behavior_list()) {
        const std::string name = row.value.empty() ? std::string(row.name) : fmt::format("{}={}", row.name, row.value);
        help += fmt::format("\n{}: {}", name, row.help);
    }
    return help;
}

class SimulateCommand final : public Command {
public:
    std::string name() const override { return "simulate"; }
    std::string summary() const override { return "serve an OpenAI-compatible endpoint that knows the answers"; }
    std::string example() const override { return "assay simulate --dataset sample --port 8000 --accuracy 0.8 --rate 100"; }

    void declare(Flags& flags) override {
        flags.option("--dataset", dataset_, "question set whose key it knows: sample, gpqa:diamond, or a file");
        runners::declare(protocol_, flags);
        flags.option("--model", model_, "name of the one model it serves");
        flags.option("--host", address_.host, "address to listen on; loopback unless given");
        flags.option("--port", port_, "port to listen on; 0 for any that is free");
        flags.option("--api-key-env", api_key_env_, "environment variable with the key that it asks for");
        flags.group("What it says, and how fast");
        for (const SimulatedParameter& row : simulated_parameters())
            std::visit([&](const auto member) { flags.option("--" + std::string(row.name), parameters_.*member, std::string(row.help)); }, row.member);
        flags.group("How it misbehaves");
        for (const simulated::BehaviorHelp& row : simulated::behavior_list()) {
            if (!has_a_flag(row.name)) continue;
            rates_.emplace_back(row.name, std::nullopt);
            flags.option("--" + std::string(row.name), rates_.back().second, std::string(row.help));
        }
        flags.option("--behavior", behaviors_, behavior_help());
    }

    int run() override {
        if (port_ < 0 || port_ > 65535) throw Error(fmt::format("--port must lie from 0 to 65535, not {}", port_));
        address_.port = static_cast<std::uint16_t>(port_);
        for (const auto& [name, value] : rates_)
            if (value) add_behavior(parameters_, name + "=" + *value);
        for (const std::string& behavior : behaviors_) add_behavior(parameters_, behavior);
        check_simulated(parameters_);
        simulated::ServiceSettings settings = service_settings(parameters_, model_);
        settings.api_key = key();

        const questions::Protocol protocol = chosen(protocol_);
        const questions::QuestionSet set = questions::load_questions(dataset_, protocol);
        http::raise_descriptor_limit();  // a stream is a descriptor
        loop::BlockedSignals signals;  // before the server's thread starts
        simulated::InProcessEndpoint endpoint(address_, std::move(settings), std::make_unique<KeyedResponder>(keyed_prompts(set, protocol), parameters_));
        std::puts(endpoint.base_url().c_str());
        if (std::fflush(stdout) != 0) throw Error("the base URL could not be written to standard output");
        while (!signals.wait_for(std::chrono::hours(1))) {}
        endpoint.stop();
        print(endpoint.counters());
        return exit_clean;
    }

private:
    [[nodiscard]] std::string key() const {
        if (!api_key_env_) return {};
        const char* value = std::getenv(api_key_env_->c_str());
        if (value == nullptr || *value == '\0') throw Error(fmt::format("--api-key-env names {}, which is not set", *api_key_env_));
        return value;
    }

    static void print(const simulated::Counters& counters) {
        fmt::print(stderr, "requests {}  completed {}  refused {}  cut {}  dropped by clients {}  in flight now {}, at most {}  connections {}  tokens {}\n",
                   counters.requests.load(), counters.completed.load(), counters.refused.load(), counters.cut.load(), counters.dropped.load(),
                   counters.in_flight.load(), counters.max_in_flight.load(), counters.connections.load(), counters.tokens.load());
    }

    std::string dataset_ = "sample";
    ProtocolOptions protocol_;
    std::string model_ = "simulated";
    simulated::ListenAddress address_;
    std::int64_t port_ = 0;
    std::optional<std::string> api_key_env_;
    SimulatedParameters parameters_;
    std::list<std::pair<std::string, std::optional<std::string>>> rates_;  // a list: flags are bound to its elements
    std::vector<std::string> behaviors_;
};

}  // namespace

std::unique_ptr<Command> simulate_command() {
    return std::make_unique<SimulateCommand>();
}

}  // namespace assay::runners
