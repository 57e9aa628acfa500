// Classifier: from what was seen of one try to its outcome. A pure function, and the only place that decides.
//
// An HTTP status of 200, "[DONE]" and a finish_reason are three signals, none of which implies success: servers write
// "[DONE]" after an error inside the stream, and a body that ends when the connection closes looks whole to the
// transport wherever it was cut. So a reply is complete by its finish_reason and the absence of errors alone.
#pragma once

#include <string_view>

#include "harness/chat/outcome.hpp"

namespace assay::chat {

struct Facts {
    long http_status = 0;      // 0: no response
    bool limit_passed = false;  // on connecting, the first byte, silence
    bool body_cut = false;      // the transport says that the body is not whole

    bool error_seen = false;    // an error object, string or event in a body of status 200
    bool malformed_seen = false;  // an event that is no JSON, a wrong choice, an event or body beyond its bound
    bool whole_body = false;    // one JSON document, not a stream
    bool body_is_completion = false;  // of a whole body: has choices, at least one
    bool any_bytes = false;
    bool foreign_bytes = false;  // a stream's lines that are neither fields nor comments, and no event
    bool done_accepted = false;  // "[DONE]" came, and is to be believed where no finish_reason did
    bool transient_words = false;  // an error body that speaks of overload or a timeout

    std::string_view finish_reason;  // as sent; empty: none
    bool has_content = false;        // more than white space
    bool has_reasoning = false;
};

// What a finish_reason means, whatever its case.
enum class Finish : unsigned char { none, stop, length, filtered, aborted };

// stop, tool_calls, function_call: stop. length, max_tokens, model_length, max_output_tokens: length.
// content_filter: filtered. abort, cancelled, error, network_error, insufficient_system_resource and whatever
// else is not empty: aborted.
[[nodiscard]] Finish finish_from(std::string_view finish_reason) noexcept;

// In this order: no response (timeout or dropped); the status (3xx and 4xx refused, but 408, 409, 425, 429, 460, 499, 5xx
// and 4xx with transient words server_error); an error in the body; malformed; then the finish_reason; and without
// one: complete where "[DONE]" is accepted and there is content; timeout where a limit passed, malformed where a whole body or a foreign one came, else dropped.
[[nodiscard]] Outcome classify(const Facts& facts) noexcept;

// True for statuses that another try may change.
[[nodiscard]] bool is_transient_status(long http_status) noexcept;

}  // namespace assay::chat
