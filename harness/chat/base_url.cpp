#include <fmt/format.h>

#include "harness/chat/client.hpp"
#include "harness/error.hpp"
#include "harness/http/url.hpp"

namespace assay::chat {

std::string checked_base_url(const std::string& base_url) {
    std::string text = base_url;
    while (text.ends_with('/')) text.pop_back();
    const auto url = http::parse_url(text);
    if (!url) throw Error(fmt::format("expected an http or https URL for --base-url, as http://127.0.0.1:8000/v1; found \"{}\"", base_url));
    // None of these messages shows the URL: it may hold a password or a key.
    if (url->has_user) throw Error("--base-url carries a user name or password; give the key with OPENAI_API_KEY or --api-key-file");
    if (url->has_query || url->has_fragment) {
        throw Error("--base-url carries a query or a fragment (? or #), which the paths of the API cannot follow; take it off");
    }
    for (const char* ending : {"/chat/completions", "/completions", "/models"}) {
        if (url->path.ends_with(ending)) {
            throw Error(fmt::format("--base-url ends in {}, which is added by itself; end it at /v1", ending));
        }
    }
    return text;
}

}  // namespace assay::chat
