// A responder that says the same to everybody, and what tests of the server send it.
#pragma once

#include <memory>
#include <string>

#include "harness/simulated/in_process_endpoint.hpp"
#include "tests/support/raw_client.hpp"

namespace assay::simulated {

class FixedResponder final : public Responder {
public:
    explicit FixedResponder(Script script) : script_(std::move(script)) {}
    Script answer(const ChatCall&) const override { return script_; }

private:
    Script script_;
};

inline Script quick_script(std::int64_t thinking = 3) {
    Script script;
    script.reasoning = Text(1, thinking);
    script.content = Text(2, 2, "Answer: B");
    script.tokens_per_second = 1e6;
    return script;
}

inline std::unique_ptr<InProcessEndpoint> serve(Script script, ServiceSettings settings = {}) {
    return std::make_unique<InProcessEndpoint>(ListenAddress{}, std::move(settings), std::make_unique<FixedResponder>(std::move(script)));
}

inline std::string chat_body(bool stream, const std::string& more = "") {
    return R"({"model":"simulated","messages":[{"role":"user","content":"q"}],"stream":)" + std::string(stream ? "true" : "false") + more + "}";
}

inline std::string chat_request(bool stream, const std::string& more = "") {
    return support::post("/v1/chat/completions", chat_body(stream, more));
}

// Waits until a counter reaches a value; false after ten seconds.
template <class Get>
bool eventually(Get get) {
    for (int i = 0; i < 2000; ++i) {
        if (get()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

}  // namespace assay::simulated
