// `assay score` when its server goes away and comes back, the same or as another.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "tests/support/program.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::runners {
namespace {

using tests::Close;
using tests::Script;

std::string json_response(const std::string& body) {
    return tests::response_head("200 OK", {"content-type: application/json", "content-length: " + std::to_string(body.size())}) + body;
}

std::string models(const std::string& id, int length) {
    return json_response(R"({"object":"list","data":[{"id":")" + id + R"(","max_model_len":)" + std::to_string(length) + "}]}");
}

constexpr const char* reply = R"({"choices":[{"index":0,"message":{"content":"Answer: A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}})";

// Resets its second chat completion; from then on it is `after`.
struct Returning {
    std::string after;
    std::atomic<int> completions{0};

    Script answer(const std::string& request) {
        if (request.empty()) return {};  // asked before it was read
        if (request.starts_with("GET /v1/models")) return {{{completions < 2 ? models("m", 4096) : after}}};
        if (request.starts_with("GET")) return {{{tests::response_head("404 Not Found", {"content-length: 0"})}}};
        if (++completions == 2) return {{}, Close::rst};
        return {{{json_response(reply)}}};
    }
};

support::Run score(Returning& server, const std::string& out) {
    const tests::ScriptedServer listening([&](int, const std::string& request) { return server.answer(request); });
    return support::run({"score", "--base-url", listening.base_url(), "--model", "m", "--dataset", "sample", "--limit", "6", "--seeds", "1",
                         "--concurrency", "1", "--skip-preflight", "--quiet", "--out", out});
}

TEST(Outage, AServerThatComesBackTheSameIsAskedOn) {
    const support::TemporaryFolder folder;
    Returning server{models("m", 4096)};
    const support::Run run = score(server, folder.path("run"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(server.completions, 7);
}

TEST(Outage, AServerThatComesBackAsAnotherEndsTheRunWithOneLine) {
    for (const auto& [after, words] : {std::pair(models("n", 4096), "it no longer lists the model, but n"),
                                       std::pair(models("m", 8192), "its max_model_len was 4096 and is 8192")}) {
        const support::TemporaryFolder folder;
        Returning server{after};
        const support::Run run = score(server, folder.path("run"));
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_NE(run.err.find("came back as another: " + std::string(words)), std::string::npos) << run.err;
        EXPECT_EQ(server.completions, 2);
    }
}

TEST(Outage, AServerThatHidesWhatItIsIsAskedOn) {
    const support::TemporaryFolder folder;
    Returning server{tests::response_head("404 Not Found", {"content-length: 0"})};
    EXPECT_EQ(score(server, folder.path("run")).exit_code, 0);
}

}  // namespace
}  // namespace assay::runners
