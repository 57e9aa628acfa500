// An answer in place of the reply: errors in the form of each server and of what stands before it.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "harness/simulated/behavior_rows.hpp"

namespace assay::simulated {
namespace {

enum Purpose : std::uint64_t { purpose_error = 1 };

// Bodies as servers and proxies write them.
constexpr std::string_view error_in_200 = R"({"error":{"message":"Upstream error, simulated","code":502,"metadata":{"raw":"worker died","provider_name":"x"}}})";
constexpr std::string_view page_in_200 = "<!DOCTYPE html><html><body><h1>Please log in</h1></body></html>";
constexpr std::string_view flat_400 = R"({"object":"error","message":"bad sampling, simulated","type":"BadRequestError","param":"top_p","code":400})";
constexpr std::string_view nested_400 = R"({"error":{"message":"bad sampling, simulated","type":"invalid_request_error","param":"top_p","code":"unsupported_value"}})";
constexpr std::string_view plain_400 = "bad sampling (simulated)";
constexpr std::string_view detail_422 = R"({"detail":[{"loc":["body","top_p"],"msg":"bad sampling, simulated","type":"value_error","input":"the whole prompt"}]})";
constexpr std::string_view key_401 = R"({"error":{"message":"Incorrect API key provided, simulated","type":"invalid_request_error","param":null,"code":"invalid_api_key"}})";
constexpr std::string_view model_404 = R"({"error":{"message":"The model `x` does not exist, simulated","type":"NotFoundError","param":"model","code":404}})";
constexpr std::string_view quota_429 = R"({"error":{"message":"You exceeded your current quota, simulated","type":"insufficient_quota","param":null,"code":"insufficient_quota"}})";
constexpr std::string_view bug_500 = R"({"object":"error","message":"Internal server error, simulated","type":"InternalServerError","param":null,"code":500})";
constexpr std::string_view loading_503 = R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})";
constexpr std::string_view gateway_504 = "<html><head><title>504 Gateway Time-out</title></head><body><h1>504 Gateway Time-out</h1></body></html>";
constexpr std::string_view json = "application/json";
constexpr std::string_view html = "text/html";
constexpr std::string_view plain = "text/plain; charset=utf-8";

Refusal refusal(int status, std::string_view type, std::string_view body) {
    Refusal made;
    made.fault.status = status;
    made.content_type = type;
    made.body = body;
    return made;
}

class Answer final : public Behavior {
public:
    Answer(int status, std::string_view type, std::string_view body) : refusal_(refusal(status, type, body)) {}
    std::optional<Refusal> admit(const Arrival&) const override { return refusal_; }

private:
    Refusal refusal_;
};

class GatewayTimeout final : public Behavior {
public:
    explicit GatewayTimeout(const std::string& value) : after_(parse_count("gateway-timeout-ms", value)) {}
    std::optional<Refusal> admit(const Arrival&) const override {
        Refusal late = refusal(504, html, gateway_504);
        late.after = after_;
        return late;
    }

private:
    std::chrono::milliseconds after_;
};

class Redirect final : public Behavior {
public:
    explicit Redirect(std::string value) : location_(std::move(value)) {
        if (location_.empty() || location_.find_first_of("\r\n") != std::string::npos) refuse_value("redirect", "a URL", location_);
    }
    std::optional<Refusal> admit(const Arrival&) const override {
        Refusal made = refusal(307, html, "<html><body>Temporary Redirect</body></html>");
        made.headers.push_back("Location: " + location_);
        return made;
    }

private:
    std::string location_;
};

// The date of HTTP (RFC 9110, 5.6.7) one second from now.
std::string next_second() {
    return fmt::format("{:%a, %d %b %Y %H:%M:%S GMT}", fmt::gmtime(std::time(nullptr) + 1));
}

class RetryAfter final : public Behavior {
public:
    explicit RetryAfter(std::string value) : value_(std::move(value)) {
        if (value_.find_first_of("\r\n") != std::string::npos) refuse_value("retry-after", "one line", value_);
    }
    std::optional<Refusal> admit(const Arrival&) const override {
        return Refusal{{429, "Too many requests (simulated by retry-after)", ""}, {"Retry-After: " + (value_ == "date" ? next_second() : value_)}};
    }

private:
    std::string value_;
};

class Storm final : public Behavior {
public:
    explicit Storm(const std::string& value) : requests_(parse_count("storm", value)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        if (arrival.number > requests_) return std::nullopt;
        return Refusal{{429, "Too many requests (simulated by storm)", ""}, {}, false};
    }

private:
    std::int64_t requests_;
};

class RateLimit final : public Behavior {
public:
    explicit RateLimit(const std::string& value) : limit_(parse_count("rate-limit", value)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        if (arrival.in_flight <= limit_) return std::nullopt;
        return Refusal{{429, fmt::format("More than {} requests at once (simulated by rate-limit)", limit_), ""}, {"Retry-After: 1"}, false};
    }

private:
    std::int64_t limit_;
};

class ErrorRate final : public Behavior {
public:
    explicit ErrorRate(const std::string& value) : share_(parse_share("error-rate", value)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        if (arrival.draw(purpose_error) >= share_) return std::nullopt;
        return Refusal{{500, "Internal server error (simulated by error-rate)", ""}, {}};
    }

private:
    double share_;
};

}  // namespace

BehaviorRows refusal_rows() {
    return {
        {{"rate-limit", "N", "status 429 with Retry-After: 1 above N replies in flight"}, from_value<RateLimit>},
        {{"error-rate", "P", "share of requests answered with status 500"}, from_value<ErrorRate>},
        {{"storm", "N", "the first N requests are answered 429, then all is well"}, from_value<Storm>},
        {{"retry-after", "TEXT", "status 429 with this Retry-After; 'date' is the date a second from now"}, from_value<RetryAfter>},
        {{"answer-200-error", "", "status 200 and an error object in JSON"}, fixed<Answer>(200, json, error_in_200)},
        {{"answer-200-html", "", "status 200 and a page in HTML"}, fixed<Answer>(200, html, page_in_200)},
        {{"answer-400-flat", "", "status 400, a flat error object (SGLang)"}, fixed<Answer>(400, json, flat_400)},
        {{"answer-400-nested", "", "status 400, a nested error object (OpenAI, vLLM)"}, fixed<Answer>(400, json, nested_400)},
        {{"answer-400-plain", "", "status 400, plain text"}, fixed<Answer>(400, plain, plain_400)},
        {{"answer-422-detail", "", "status 422, FastAPI's detail, which echoes the request"}, fixed<Answer>(422, json, detail_422)},
        {{"answer-401", "", "status 401: a wrong key"}, fixed<Answer>(401, json, key_401)},
        {{"answer-404", "", "status 404: no such model"}, fixed<Answer>(404, json, model_404)},
        {{"answer-429-quota", "", "status 429: the quota is used up"}, fixed<Answer>(429, json, quota_429)},
        {{"answer-500", "", "status 500: a bug"}, fixed<Answer>(500, json, bug_500)},
        {{"answer-503-loading", "", "status 503: the model is being loaded (llama.cpp)"}, fixed<Answer>(503, json, loading_503)},
        {{"answer-504-html", "", "status 504 and a proxy's page"}, fixed<Answer>(504, html, gateway_504)},
        {{"gateway-timeout-ms", "N", "the same after N milliseconds of silence"}, from_value<GatewayTimeout>},
        {{"redirect", "URL", "status 307 to this address"}, from_value<Redirect>},
    };
}

}  // namespace assay::simulated
