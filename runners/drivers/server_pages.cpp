#include "runners/drivers/server_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include <nlohmann/json.hpp>

namespace assay::runners {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds limit{5};
constexpr std::size_t most_text = 200;  // bytes of a value

struct Page {
    std::string_view path;
    std::string_view older_path;  // asked where the first is not there; may be empty
};
constexpr std::array<Page, 4> pages_asked{{{"/server_info", "/get_server_info"}, {"/version", ""}, {"/props", ""}, {"/metrics", ""}}};

// What may be read of /server_info: what decides which model is served and how.
constexpr std::string_view server_info_fields[] = {
    "version", "model_path", "served_model_name", "weight_version", "quantization", "kv_cache_dtype", "context_length",
    "max_total_num_tokens", "max_req_input_len", "max_running_requests", "max_queued_requests", "reasoning_parser",
    "tool_call_parser", "tp_size", "dp_size", "ep_size", "nnodes", "dcp_size", "moe_runner_backend", "attention_backend",
    "prefill_attention_backend", "decode_attention_backend", "mem_fraction_static", "mamba_full_memory_ratio",
    "speculative_algorithm", "enable_deterministic_inference", "random_seed", "dist_timeout", "watchdog_timeout",
    "disable_flashinfer_autotune", "trust_remote_code"};

// Those of /metrics that tell how busy a server is.
constexpr std::string_view metric_names[] = {
    "sglang:num_running_reqs", "sglang:num_queue_reqs", "sglang:token_usage", "sglang:gen_throughput",
    "vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:kv_cache_usage_perc", "vllm:num_preemptions_total",
    "llamacpp:requests_processing", "llamacpp:requests_deferred"};

std::optional<std::string> short_value(const Json& value) {
    if (value.is_number() || value.is_boolean()) return value.dump();
    if (!value.is_string()) return std::nullopt;
    const auto& text = value.get_ref<const std::string&>();
    if (text.empty() || text.size() > most_text) return std::nullopt;
    return text;
}

void add(const Json& object, std::string_view field, const std::string& name, ServerPages& pages) {
    const auto found = object.find(field);
    if (found == object.end()) return;
    if (auto value = short_value(*found)) pages.facts.emplace_back(name, std::move(*value));
}

std::optional<std::int64_t> positive(const Json& object, std::string_view field) {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_number_integer()) return std::nullopt;
    const auto value = found->get<std::int64_t>();
    return value > 0 ? std::optional(value) : std::nullopt;
}

void read_server_info(const Json& object, ServerPages& pages) {
    for (const std::string_view field : server_info_fields) add(object, field, fmt::format("server_info.{}", field), pages);
    if (const auto context = positive(object, "context_length")) pages.context = context;
}

void read_props(const Json& object, ServerPages& pages) {
    add(object, "build_info", "props.build_info", pages);
    add(object, "total_slots", "props.total_slots", pages);
    const auto settings = object.find("default_generation_settings");
    if (settings == object.end() || !settings->is_object()) return;
    add(*settings, "n_ctx", "props.n_ctx", pages);
    if (const auto context = positive(*settings, "n_ctx")) pages.context = context;  // of a slot: of one request
}

void read_metrics(const std::string& body, ServerPages& pages) {
    std::string present;
    for (const std::string_view name : metric_names) {
        std::istringstream lines(body);
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with(name) || (line.size() > name.size() && line[name.size()] != ' ' && line[name.size()] != '{')) continue;
            present += (present.empty() ? "" : ", ") + std::string(name);
            break;
        }
    }
    if (!present.empty()) pages.facts.emplace_back("metrics", present);
}

}  // namespace

void read_server_page(const std::string& path, const std::string& body, ServerPages& pages) {
    if (path == "/metrics") return read_metrics(body, pages);
    const Json object = Json::parse(body, nullptr, false);
    if (!object.is_object()) return;
    if (path == "/server_info") return read_server_info(object, pages);
    if (path == "/version") return add(object, "version", "version", pages);
    if (path == "/props") return read_props(object, pages);
}

std::string server_root(std::string base_url) {
    if (base_url.ends_with("/v1")) base_url.resize(base_url.size() - 3);
    return base_url;
}

ServerPages ask_server_pages(const chat::Endpoint& endpoint, const chat::Limits& limits) {
    ServerPages pages;
    const std::string root = server_root(chat::checked_base_url(endpoint.base_url));
    for (const Page& page : pages_asked) {
        for (const std::string_view path : {page.path, page.older_path}) {
            if (path.empty()) continue;
            loop::EventLoop loop;
            chat::Client client(loop, endpoint, limits);
            long status = 0;
            client.get(root + std::string(path), limit, [&](const chat::Client::Answer& answer) {
                status = answer.http_status;
                if (status == 200) read_server_page(std::string(page.path), answer.body, pages);
                loop.stop();
            });
            loop.run();
            if (status == 200) break;
        }
    }
    return pages;
}

}  // namespace assay::runners
