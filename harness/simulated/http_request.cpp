#include "harness/simulated/http_request.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace assay::simulated {
namespace {

constexpr std::size_t chunk_line_bytes = 4096;

bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.find(c) != std::string_view::npos;
    });
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || byte == 0x7f;
    });
}

bool parse_size(std::string_view text, int base, std::size_t& size) {
    if (text.empty()) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size, base);
    return error == std::errc() && end == text.data() + text.size();
}

// One of the comma-separated words of a header.
bool lists(std::string_view value, std::string_view word) {
    while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        if (lowered(trimmed(value.substr(0, comma))) == word) return true;
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return false;
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const noexcept {
    for (const auto& [key, value] : headers)
        if (key == name) return value;
    return {};
}

RequestParser::State RequestParser::feed(std::string_view bytes) {
    if (state_ == State::refused) return state_;
    buffer_.append(bytes);
    return state_ == State::ready ? state_ : advance();
}

HttpRequest RequestParser::take() {
    assert(state_ == State::ready);
    HttpRequest taken = std::exchange(request_, {});
    state_ = State::incomplete;
    advance();
    return taken;
}

RequestParser::State RequestParser::advance() {
    while (state_ == State::incomplete && advance_once()) {}
    // Give consumed bytes back once nothing waits, so that an idle or streaming connection holds none.
    if (at_ == buffer_.size()) {
        buffer_ = std::string();
        at_ = 0;
    } else if (at_ > 4096) {
        buffer_.erase(0, at_);
        at_ = 0;
    }
    return state_;
}

bool RequestParser::advance_once() {
    std::string_view line;
    switch (step_) {
        case Step::head: {
            while (scanned_ == 0 && (rest().starts_with("\r\n") || rest().starts_with('\n'))) at_ += rest().front() == '\r' ? 2 : 1;
            const std::string_view text = rest();
            for (std::size_t i = text.find('\n', scanned_); i != std::string_view::npos; i = text.find('\n', i + 1)) {
                if (i + 1 > limits_.head_bytes) return refuse(431);
                const std::string_view after = text.substr(i + 1);
                const std::size_t blank = after.starts_with("\r\n") ? 2 : after.starts_with('\n') ? 1 : 0;
                if (blank != 0) {
                    at_ += i + 1 + blank;
                    scanned_ = 0;
                    return parse_head(text.substr(0, i + 1));
                }
                if (after.empty() || after == "\r") {
                    scanned_ = i;
                    return false;
                }
            }
            if (text.size() > limits_.head_bytes) return refuse(431);
            scanned_ = text.size();
            return false;
        }
        case Step::fixed_body:
            if (!take_body(Step::head)) return false;
            finish();
            return false;
        case Step::chunk_size: return next_line(line, chunk_line_bytes) && parse_chunk_size(line);
        case Step::chunk_data: return take_body(Step::chunk_end);
        case Step::chunk_end:
            if (!next_line(line, 2)) return false;
            if (!line.empty()) return refuse(400);
            step_ = Step::chunk_size;
            return true;
        case Step::trailer:
            if (!next_line(line, limits_.head_bytes)) return false;
            trailer_bytes_ += line.size();
            if (trailer_bytes_ > limits_.head_bytes) return refuse(431);
            if (!line.empty()) return true;
            finish();
            return false;
    }
    return false;
}

bool RequestParser::parse_head(std::string_view head) {
    bool first = true;
    while (!head.empty()) {
        const std::size_t end = head.find('\n');
        std::string_view line = head.substr(0, end);
        head.remove_prefix(end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!(first ? parse_request_line(line) : parse_header(line))) return false;
        first = false;
    }
    return choose_body();
}

bool RequestParser::parse_request_line(std::string_view line) {
    const std::size_t one = line.find(' ');
    const std::size_t two = line.rfind(' ');
    if (one == std::string_view::npos || two == one) return refuse(400);
    const std::string_view method = line.substr(0, one);
    const std::string_view target = line.substr(one + 1, two - one - 1);
    const std::string_view version = line.substr(two + 1);
    if (!is_token(method) || target.empty() || target.find(' ') != std::string_view::npos || has_control(line)) return refuse(400);
    if (!version.starts_with("HTTP/")) return refuse(400);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return refuse(505);
    request_.method = method;
    request_.path = target.substr(0, target.find('?'));
    request_.minor = version.back() - '0';
    return true;
}

bool RequestParser::parse_header(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return refuse(400);
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!is_token(name) || has_control(value)) return refuse(400);
    request_.headers.emplace_back(lowered(name), value);
    return true;
}

bool RequestParser::choose_body() {
    const std::string_view connection = request_.header("connection");
    request_.keep_alive = request_.minor == 1 ? !lists(connection, "close") : lists(connection, "keep-alive");

    std::string_view length;
    for (const auto& [name, value] : request_.headers) {
        if (name != "content-length") continue;
        if (!length.empty() && value != length) return refuse(400);
        length = value;
        if (length.empty()) return refuse(400);
    }
    const std::string_view coding = request_.header("transfer-encoding");
    if (!coding.empty()) {
        if (!length.empty()) return refuse(400);  // two framings: whoever believes the other one is led astray
        if (lowered(coding) != "chunked") return refuse(501);
        step_ = Step::chunk_size;
    } else {
        remaining_ = 0;
        if (!length.empty() && !parse_size(length, 10, remaining_)) return refuse(400);
        if (remaining_ > limits_.body_bytes) return refuse(413);
        step_ = Step::fixed_body;
    }
    const std::string_view expectation = request_.header("expect");
    if (!expectation.empty() && lowered(expectation) != "100-continue") return refuse(417);
    expects_ = !expectation.empty() && request_.minor == 1 && rest().empty() && (step_ == Step::chunk_size || remaining_ > 0);
    return true;
}

bool RequestParser::parse_chunk_size(std::string_view line) {
    std::size_t size = 0;
    if (!parse_size(trimmed(line.substr(0, line.find(';'))), 16, size)) return refuse(400);
    if (size > limits_.body_bytes - request_.body.size()) return refuse(413);
    remaining_ = size;
    trailer_bytes_ = 0;
    step_ = size == 0 ? Step::trailer : Step::chunk_data;
    return true;
}

bool RequestParser::take_body(Step after) {
    const std::string_view part = rest().substr(0, remaining_);
    request_.body.append(part);
    at_ += part.size();
    remaining_ -= part.size();
    if (remaining_ > 0) return false;
    step_ = after;
    return true;
}

bool RequestParser::next_line(std::string_view& line, std::size_t limit) {
    const std::string_view text = rest();
    const std::size_t end = text.find('\n', scanned_);
    if (std::min(end, text.size()) > limit) return refuse(400);
    if (end == std::string_view::npos) {
        scanned_ = text.size();
        return false;
    }
    line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ += end + 1;
    scanned_ = 0;
    return true;
}

bool RequestParser::refuse(int status) {
    state_ = State::refused;
    status_ = status;
    return false;
}

void RequestParser::finish() {
    step_ = Step::head;
    scanned_ = 0;
    expects_ = false;
    state_ = State::ready;
}

}  // namespace assay::simulated
