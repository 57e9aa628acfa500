#include "harness/simulated/response_head.hpp"

#include <fmt/format.h>

namespace assay::simulated {
namespace {

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 307: return "Temporary Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        default: return "Unknown";
    }
}

}  // namespace

void append_head(std::string& out, int status, std::string_view content_type, bool keep_alive) {
    out += fmt::format("HTTP/1.1 {} {}\r\nserver: assay (simulated)\r\n", status, reason_phrase(status));
    if (!content_type.empty()) out += fmt::format("content-type: {}\r\n", content_type);
    out += keep_alive ? "connection: keep-alive\r\n" : "connection: close\r\n";
}

}  // namespace assay::simulated
