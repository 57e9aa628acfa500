// RequestParser: HTTP/1.1 requests from bytes that come in any pieces (RFC 9112), bounded.
//
// Bodies by Content-Length or chunked; keep-alive and pipelining: what follows one request stays for the next.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::simulated {

struct HttpRequest {
    std::string method;  // as sent: "POST"
    std::string path;    // the target without its query
    int minor = 1;       // HTTP/1.minor
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, values trimmed
    std::string body;
    bool keep_alive = true;

    // The first header of that (lower-case) name; empty where there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

struct RequestLimits {
    std::size_t head_bytes = 64U << 10;  // request line and headers
    std::size_t body_bytes = 16U << 20;
};

class RequestParser {
public:
    explicit RequestParser(RequestLimits limits = {}) : limits_(limits) {}

    enum class State : unsigned char {
        incomplete,  // feed more
        ready,       // take() it
        refused,     // no request; `status()` says what to answer before closing. Stays so
    };

    // Appends bytes and goes on as far as they reach; where a request is ready, the rest waits.
    State feed(std::string_view bytes);
    [[nodiscard]] State state() const noexcept { return state_; }

    // The request that is ready; then parses what had come behind it.
    [[nodiscard]] HttpRequest take();

    // 400, 413, 417, 431, 501 or 505, where refused.
    [[nodiscard]] int status() const noexcept { return status_; }

    // True once for a request that waits for "100 Continue" before it sends its body.
    [[nodiscard]] bool take_expectation() noexcept { return std::exchange(expects_, false); }

    // Bytes held that belong to requests not yet parsed.
    [[nodiscard]] std::size_t waiting() const noexcept { return buffer_.size() - at_; }

private:
    enum class Step : unsigned char { head, fixed_body, chunk_size, chunk_data, chunk_end, trailer };

    State advance();
    bool advance_once();  // false: needs more bytes, or the request ended or was refused
    bool parse_head(std::string_view head);
    bool parse_request_line(std::string_view line);
    bool parse_header(std::string_view line);
    bool choose_body();
    bool parse_chunk_size(std::string_view line);
    bool take_body(Step after);
    bool refuse(int status);
    void finish();
    // The next line without its LF or CRLF, or false where it is not whole yet. Refuses one beyond `limit`.
    bool next_line(std::string_view& line, std::size_t limit);
    [[nodiscard]] std::string_view rest() const noexcept { return std::string_view(buffer_).substr(at_); }

    RequestLimits limits_;
    std::string buffer_;
    std::size_t at_ = 0;       // start of what is not yet parsed
    std::size_t scanned_ = 0;  // of the rest: known to hold no line end (or no end of head)
    Step step_ = Step::head;
    State state_ = State::incomplete;
    int status_ = 0;
    bool expects_ = false;
    std::size_t remaining_ = 0;  // of the body or chunk
    std::size_t trailer_bytes_ = 0;
    HttpRequest request_;
};

}  // namespace assay::simulated
