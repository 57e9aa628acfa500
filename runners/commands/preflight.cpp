// assay preflight: can this endpoint be scored?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "harness/error.hpp"
#include "reports/preflight/preflight_report.hpp"
#include "reports/terminal/visible.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/request_plan.hpp"
#include "runners/commands/score_options.hpp"
#include "runners/drivers/asking.hpp"
#include "runners/drivers/discovery.hpp"
#include "runners/drivers/preflight.hpp"
#include "runners/simulated/embedded_endpoint.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"

namespace assay::runners {
namespace {

ExitCode code_of(preflight::Verdict verdict) {
    switch (verdict) {
        case preflight::Verdict::verified: return exit_clean;
        case preflight::Verdict::refuted: return exit_no;
        case preflight::Verdict::could_not_tell: break;
    }
    return exit_undecided;
}

class PreflightCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "preflight"; }
    [[nodiscard]] std::string summary() const override { return "can this endpoint be scored?"; }
    [[nodiscard]] std::string example() const override {
        return "assay preflight --base-url http://localhost:30000/v1 --model kimi-k3 \\\n"
               "    --max-tokens 65536 --dataset gpqa_diamond.csv";
    }

    void declare(Flags& flags) override {
        declare_questions(options_, flags);
        declare_sampling(options_, flags);
        declare_transport(options_, flags);
        flags.option("--probe-timeout", probe_timeout_s_, "seconds for one reply; one that takes longer is cut off");
        flags.group("Output");
        flags.option("--accept", accepted_, "a check that does not count for the exit code; may be given several times");
        flags.option("--format", format_, "report on stdout: text, json, or junit: a test case a check", {"text", "json", "junit"});
    }

    int run() override {
        check_flags();
        protocol_ = chosen(options_.protocol);
        set_ = questions::load_questions(options_.dataset, protocol_, {options_.allow_ambiguous});
        reports::PreflightReport report;
        report.tool_version = version;
        report.dataset = set_.name;
        report.protocol = set_.protocol;
        report.budget = options_.max_tokens;
        report.budget_field = options_.budget_field;
        report.accepted = accepted_;
        for (const auto& url : options_.base_urls) report.endpoints.push_back(checked(url));
        report.model = options_.model.value_or("");
        print(stdout, shown(report));
        return code_of(reports::conclusion(report));
    }

private:
    [[nodiscard]] std::string shown(const reports::PreflightReport& report) const {
        if (format_ == "json") return reports::preflight_json(report);
        if (format_ == "junit") return reports::preflight_junit(report);
        return reports::preflight_text(report, look_of(stdout));
    }

    void check_flags() {
        complete_and_check_request(options_);
        if (!(probe_timeout_s_ > 0 && probe_timeout_s_ <= 1e6)) throw Error(fmt::format("--probe-timeout must be a number of seconds above 0, and is {}", probe_timeout_s_));
        const auto& names = preflight::check_names();
        for (const auto& name : accepted_) {
            if (std::find(names.begin(), names.end(), name) == names.end()) throw Error(fmt::format("--accept {} is no check; there are: {}", name, fmt::join(names, ", ")));
        }
    }

    reports::CheckedEndpoint checked(const std::string& url) {
        const auto parameters = simulated_parameters_of(url);
        if (parameters) return checked_simulated(url, parse_simulated(*parameters));
        std::vector<std::string> said = options_.from_environment;
        const chat::Endpoint endpoint = endpoint_of(options_, url, said);
        for (const auto& line : said) print(stderr, "assay: " + reports::visible(line) + "\n");
        if (!options_.model) options_.model = chosen_model(options_.model, discover(endpoint, limits_of(options_)));
        return probed(endpoint, endpoint.base_url, {});
    }

    reports::CheckedEndpoint checked_simulated(const std::string& url, const SimulatedParameters& parameters) {
        if (!options_.model) options_.model = "simulated";
        const auto server = embedded_endpoint(parameters, *options_.model, set_, protocol_);
        chat::Endpoint endpoint;
        endpoint.base_url = server->base_url();
        return probed(endpoint, url, simulated_text(parameters));
    }

    [[nodiscard]] reports::CheckedEndpoint probed(const chat::Endpoint& endpoint, const std::string& shown, const std::string& simulated) const {
        questions::QuestionSet asked = set_;
        if (options_.limit) questions::keep_first(asked, *options_.limit);
        const Asking asking(asked, protocol_, plan_of(options_, set_, *options_.model, {}));
        const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(probe_timeout_s_ * 1e3));
        const preflight::Evidence evidence = probe_all({endpoint, limits_of(options_), limit, longest_of(asking.requests(0))});
        return {shown, simulated, preflight::judge(evidence), evidence.facts};
    }

    ScoreOptions options_;
    double probe_timeout_s_ = 120;
    std::vector<std::string> accepted_;
    std::string format_ = "text";
    questions::Protocol protocol_;
    questions::QuestionSet set_;
};

}  // namespace

std::unique_ptr<Command> preflight_command() {
    return std::make_unique<PreflightCommand>();
}

}  // namespace assay::runners
