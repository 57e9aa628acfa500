#include "runners/drivers/server_pages.hpp"

#include <gtest/gtest.h>

namespace assay::runners {
namespace {

std::string facts_of(const std::string& path, const std::string& body) {
    ServerPages pages;
    read_server_page(path, body, pages);
    std::string text;
    for (const auto& [name, value] : pages.facts) text += name + "=" + value + ";";
    if (pages.context) text += "context " + std::to_string(*pages.context);
    return text;
}

TEST(ServerPages, ReadsOnlyListedFieldsOfServerInfo) {
    const std::string text = facts_of("/server_info", R"({"api_key":"sk-1","admin_api_key":"x","ssl_keyfile_password":"y","version":"0.5",
        "context_length":4096,"quantization":null,"model_path":"m","enable_deterministic_inference":true,"log_requests":{"a":1}})");
    EXPECT_EQ(text, "server_info.version=0.5;server_info.model_path=m;server_info.context_length=4096;"
                    "server_info.enable_deterministic_inference=true;context 4096");
}

TEST(ServerPages, LeavesOutLongTextsAndWholeObjects) {
    EXPECT_EQ(facts_of("/server_info", R"({"version":")" + std::string(201, 'v') + R"(","model_path":{"a":1},"context_length":-5})"),
              "server_info.context_length=-5;");
}

TEST(ServerPages, ReadsVersionPropsAndMetricNames) {
    EXPECT_EQ(facts_of("/version", R"({"version":"0.11.0"})"), "version=0.11.0;");
    EXPECT_EQ(facts_of("/props", R"({"default_generation_settings":{"n_ctx":8192},"total_slots":4,"model_path":"/secret"})"),
              "props.total_slots=4;props.n_ctx=8192;context 8192");
    EXPECT_EQ(facts_of("/metrics", "# HELP vllm:num_requests_running x\nvllm:num_requests_running{m=\"a\"} 3.0\nvllm:num_requests_waiting_total 1\n"),
              "metrics=vllm:num_requests_running;");
}

TEST(ServerPages, PassesOverWhatIsNoSuchPage) {
    for (const char* body : {"", "<html></html>", "[1]", "null", "{\"version\":7.5e999}", "{}"}) {
        EXPECT_EQ(facts_of("/server_info", body), "") << body;
        EXPECT_EQ(facts_of("/props", body), "") << body;
    }
}

}  // namespace
}  // namespace assay::runners
