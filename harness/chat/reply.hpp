// Reply: all that came back from one try at a chat completion.
//
// A plain value, filled by the reply assembler on the loop thread and moved from there on; no owner but
// its holder. Text is valid UTF-8: ill-formed bytes and lone surrogates have become U+FFFD and are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/chat/outcome.hpp"

namespace assay::chat {

// Tokens as the server counted them. Absent is unknown, which is not 0; never estimated from chunks.
struct Usage {
    std::optional<std::int64_t> prompt_tokens;
    std::optional<std::int64_t> completion_tokens;  // reasoning included
    std::optional<std::int64_t> reasoning_tokens;
};

// Instants of one try in milliseconds after it was handed to the client; absent where it never came to that.
struct Times {
    std::optional<double> sent_ms;         // handed to the transport: what precedes it is our own queue
    std::optional<double> connected_ms;
    std::optional<double> first_byte_ms;   // of the response, comments included
    std::optional<double> first_token_ms;  // first delta with text
    std::optional<double> end_ms;
    std::optional<double> last_byte_ms{};  // of the response, comments included
};

struct Reply {
    Outcome outcome = Outcome::dropped;
    std::string finish_reason;  // as sent, case kept; empty where none came
    long http_status = 0;       // 0: no response line
    int curl_code = 0;          // CURLcode of the transfer; 0 is no proof of a whole reply
    std::string error;          // the server's or the transport's own words, at most 2 KiB, keys scrubbed; else empty
    std::optional<double> retry_after_s;  // as the server asked, before clamping

    std::string reasoning;        // thinking, whichever field or tag carried it
    std::string content;          // the visible answer
    std::string reasoning_field;  // "reasoning_content", "reasoning", "reasoning_details", "<think>" or empty
    std::string model;            // as echoed; no proof of what is loaded
    Usage usage;
    Times times;

    std::int64_t body_bytes = 0;  // of the response body, as received
    std::int64_t events = 0;      // server-sent events with data
    std::int64_t repaired = 0;    // ill-formed UTF-8 sequences and lone surrogates replaced by U+FFFD
    std::int64_t ignored_chunks = 0;  // events that say nothing: null, {}, pings and other data without choices, error or usage
    bool done_marker = false;     // "[DONE]" was seen
    bool missing_done = false;    // a stream with a finish_reason, and no "[DONE]" behind it
    bool unterminated_event = false;     // the last event lacked its blank line, and was whole all the same
    bool accepted_without_finish = false;  // scored on the word of "[DONE]" alone, as was asked for
    bool new_connection = true;   // false: sent on a reused connection
};

}  // namespace assay::chat
