#include "tests/endpoint/asked.hpp"

#include "datasets/runs/run_reader.hpp"
#include "datasets/runs/run_writer.hpp"
#include "runners/drivers/dispatch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::endpoint_tests {
namespace {

using std::chrono::milliseconds;

class SameForAll final : public simulated::Responder {
public:
    explicit SameForAll(simulated::Script script) : script_(std::move(script)) {}
    simulated::Script answer(const simulated::ChatCall&) const override { return script_; }

private:
    simulated::Script script_;
};

std::string body_of(std::int64_t budget) {
    chat::Request request;
    request.model = "simulated";
    request.messages.push_back({"user", "What is 6 times 7?"});
    request.budget = budget;
    return chat::request_body(request);
}

runners::DispatchSettings settings() {
    runners::DispatchSettings settings;
    settings.concurrency = 1;
    settings.retry.tries = most_tries;
    settings.retry.turned_away = most_turned_away;
    settings.retry.first_delay = milliseconds(1);
    settings.retry.longest_delay = milliseconds(5);
    settings.retry.longest_retry_after = milliseconds(20);
    return settings;
}

runners::LaneSettings lane_settings(const chat::Limits& limits) {
    runners::LaneSettings settings;
    settings.limits = limits;
    settings.model = "simulated";
    settings.gate = {.first_pause = milliseconds(1), .longest_pause = milliseconds(5), .ramp_step = milliseconds(1)};
    settings.longest_retry_after = milliseconds(20);
    return settings;
}

}  // namespace

simulated::Script quick_script() {
    simulated::Script script;
    script.reasoning = simulated::Text(1, 3);
    script.content = simulated::Text::of(plain_answer);
    script.tokens_per_second = 1e6;
    return script;
}

std::unique_ptr<simulated::InProcessEndpoint> serve(const std::vector<std::string>& behaviors, const std::string& wire,
                                                    const std::optional<simulated::Script>& script) {
    simulated::ServiceSettings settings;
    settings.wire = wire;
    for (const auto& text : behaviors) settings.behaviors.push_back(simulated::parse_behavior(text));
    return std::make_unique<simulated::InProcessEndpoint>(simulated::ListenAddress{}, settings,
                                                          std::make_unique<SameForAll>(script.value_or(quick_script())));
}

Asked ask(const std::string& base_url, chat::Limits limits, std::int64_t budget) {
    const support::TemporaryFolder folder;
    const runs::AttemptKey key{0, 17};
    Asked asked;
    {
        loop::EventLoop loop;
        chat::Endpoint endpoint;
        endpoint.base_url = base_url;
        runners::Lanes lanes(loop, {{endpoint, {}}}, lane_settings(limits));
        runs::RunWriter run(folder.path("run"), {}, {}, {});
        Progress progress;
        runners::Dispatch dispatch(loop, lanes, run, progress, settings(), {{key, 0}}, [&](const auto&) { return body_of(budget); }, [](const auto&) {});
        // From within the client's callback: let that return first.
        loop.post([&] { dispatch.start([&] { loop.post([&] { loop.stop(); }); }); });
        loop.run();
        asked.stopped = dispatch.halted();
        run.close();
    }
    runs::RunReader reader(folder.path("run"));
    asked.attempt = reader.attempt(key).value();
    asked.tries = static_cast<int>(reader.contents().totals.tries);
    return asked;
}

chat::Reply ask_once(const std::string& base_url, chat::Limits limits) {
    loop::EventLoop loop;
    chat::Endpoint endpoint;
    endpoint.base_url = base_url;
    chat::Client client(loop, endpoint, limits);
    chat::Reply reply;
    client.send(body_of(1000), true, [&](chat::Reply got) {
        reply = std::move(got);
        loop.stop();
    });
    loop.run();
    return reply;
}

chat::Limits impatient() {
    chat::Limits limits;
    limits.first_byte = milliseconds(250);
    limits.silence = milliseconds(250);
    limits.drain = milliseconds(50);
    return limits;
}

}  // namespace assay::endpoint_tests
