#include "harness/pacing/stop_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::pacing {
namespace {

using chat::Outcome;
using chat::Reply;

// Codes of libcurl that only another setting changes.
constexpr int could_not_resolve = 6;
constexpr int certificate_not_trusted = 60;
constexpr int certificate_file_unusable = 77;

bool speaks_of_quota(std::string_view words) {
    std::string lower(words);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    constexpr std::array<std::string_view, 6> marks{"insufficient_quota", "exceeded_current_quota", "exceeded your current quota",
                                                    "insufficient balance", "insufficient_balance", "insufficient credits"};
    return std::any_of(marks.begin(), marks.end(), [&lower](std::string_view mark) { return lower.find(mark) != std::string::npos; });
}

std::string said(const Reply& reply) {
    return fmt::format("the server answered {}: {}", reply.http_status, reply.error);
}

std::string advice(const Reply& reply) {
    switch (reply.http_status) {
        case 401: return "check the key (OPENAI_API_KEY, --api-key-env or --api-key-file)";
        case 403: return "check what the key may do, and --model";
        case 404: return "check --model and the path of --base-url";
        case 405: return "check --base-url";
        default: break;
    }
    if (reply.http_status < 400) return "redirects are not followed: give the address it leads to as --base-url";
    return "check --max-tokens, --budget-field, --reasoning-effort, the sampling flags and --extra-body against what it says";
}

bool is_setting(long status) {
    return status == 403 || status == 404 || status == 405 || (status >= 300 && status < 400);
}

std::optional<std::string> at_once(const Reply& reply) {
    const bool money = reply.http_status == 402 || ((reply.http_status == 403 || reply.http_status == 429) && speaks_of_quota(reply.error));
    if (money) return said(reply) + "; its quota or credit is used up, and waiting does not help";
    if (reply.http_status == 401) return said(reply) + "; " + advice(reply);
    if (reply.http_status == 0 && (reply.curl_code == certificate_not_trusted || reply.curl_code == certificate_file_unusable)) {
        return fmt::format("the server's TLS certificate is not trusted: {}; give its authority with --cacert, or --insecure", reply.error);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> StopRule::unreachable(const Reply& reply, Time now) {
    const bool never_connected = reply.http_status == 0 && !reply.times.connected_ms;
    if (!never_connected) {
        unreachable_since_.reset();
        return std::nullopt;
    }
    if (!unreachable_since_) unreachable_since_ = now;
    const bool no_such_name = reply.curl_code == could_not_resolve;
    if (scored_ || (now - *unreachable_since_ < patience && !no_such_name)) return std::nullopt;
    return fmt::format("no connection to the endpoint: {}; check --base-url and that the server is up", reply.error);
}

std::optional<std::string> StopRule::add(const Reply& reply, Time now) {
    if (auto stop = at_once(reply)) return stop;
    if (auto stop = unreachable(reply, now)) return stop;
    if (chat::is_scored(reply.outcome)) {
        scored_ = true;
        in_a_row_ = 0;
        return std::nullopt;
    }
    if (reply.outcome != Outcome::refused) return std::nullopt;
    in_a_row_ = reply.http_status == last_refusal_ ? in_a_row_ + 1 : 1;
    last_refusal_ = reply.http_status;
    const bool setting = is_setting(reply.http_status);
    const bool stop = scored_ ? setting && in_a_row_ >= shared : setting || in_a_row_ >= shared;
    return stop ? std::optional(said(reply) + "; " + advice(reply)) : std::nullopt;
}

}  // namespace assay::pacing
