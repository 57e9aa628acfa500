// Several choices a request (`n`): interleaved, each whole, counted together.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "harness/simulated/wire.hpp"
#include "tests/unit/harness_simulated/fixed_responder.hpp"

namespace assay::simulated {
namespace {

using Json = nlohmann::json;

std::string asked_of(const std::string& wire, bool stream, const std::string& more) {
    ServiceSettings settings;
    settings.wire = wire;
    const auto endpoint = serve(quick_script(), settings);
    support::RawClient client(endpoint->port());
    client.send(chat_request(stream, more));
    const auto response = client.response();
    EXPECT_EQ(response.status, 200) << response.body;
    return response.body;
}

struct Choice {
    std::string content;
    std::vector<std::string> finish;
};

TEST(Choices, AreInterleavedAndEachIsWhole) {
    for (const std::string& wire : wire_names()) {
        std::map<int, Choice> choices;
        std::vector<int> order;
        Json usage;
        for (const std::string& payload : support::event_payloads(asked_of(wire, true, R"(,"n":4,"stream_options":{"include_usage":true})"))) {
            if (payload == "[DONE]") continue;
            const Json event = Json::parse(payload);
            if (event.contains("usage") && event["usage"].is_object()) usage = event["usage"];
            for (const Json& one : event["choices"]) {
                Choice& choice = choices[one["index"].get<int>()];
                order.push_back(one["index"].get<int>());
                if (one["delta"].contains("content") && one["delta"]["content"].is_string()) choice.content += one["delta"]["content"].get<std::string>();
                if (one["finish_reason"].is_string()) choice.finish.push_back(one["finish_reason"].get<std::string>());
            }
        }
        ASSERT_EQ(choices.size(), 4U) << wire;
        const std::string alone = Json::parse(asked_of(wire, false, ""))["choices"][0]["message"]["content"].get<std::string>();
        for (const auto& [index, choice] : choices) {
            EXPECT_EQ(choice.content, alone) << wire << index;
            EXPECT_EQ(choice.finish, std::vector<std::string>{"stop"}) << wire << index;
        }
        EXPECT_FALSE(std::is_sorted(order.begin(), order.end())) << wire << ": one behind the other";
        EXPECT_EQ(usage["completion_tokens"], 4 * (3 + 5)) << wire << ": of all choices together";
    }
}

TEST(Choices, AreAListInABodyThatIsNotStreamed) {
    for (const std::string& wire : wire_names()) {
        const Json reply = Json::parse(asked_of(wire, false, R"(,"n":3)"));
        ASSERT_EQ(reply["choices"].size(), 3U) << wire;
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(reply["choices"][static_cast<std::size_t>(i)]["index"], i) << wire;
            EXPECT_EQ(reply["choices"][static_cast<std::size_t>(i)]["message"], reply["choices"][0]["message"]) << wire;
        }
        EXPECT_EQ(reply["usage"]["completion_tokens"], 3 * (3 + 5)) << wire;
    }
}

}  // namespace
}  // namespace assay::simulated
