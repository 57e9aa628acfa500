// Exchange: the answer to one HTTP request on its way out, produced as it falls due.
//
// Due times are absolute, counted from the request's arrival: a late round catches up and never drifts.
// Threads: the server's only.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/loop/event_loop.hpp"
#include "harness/simulated/behavior.hpp"

namespace assay::simulated {

struct Progress {
    enum class State : unsigned char {
        waiting,   // call again at `next` (now, where more is due than was asked for)
        finished,  // all was produced
        reset,     // all that will come was produced: reset the connection behind it
        close,     // the same: close it behind that
        hang,      // the same: and leave it open
    };
    State state = State::finished;
    loop::Clock::time_point next{};
};

// What is to become of the connection behind a reply that ends like this.
[[nodiscard]] Progress::State state_after(Ending ending);

class Exchange {
public:
    virtual ~Exchange() = default;
    // Appends to `out` what is due at `now`; stops after the event with which `out` reaches `room` bytes.
    virtual Progress produce(loop::Clock::time_point now, std::size_t room, std::string& out) = 0;
    // Everything produced is with the kernel.
    virtual void delivered() {}
    // Whether the connection stays for another request.
    [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_; }
    // In which pieces what was produced is to be written.
    [[nodiscard]] virtual const Sending& sending() const noexcept;

protected:
    explicit Exchange(bool keep_alive) : keep_alive_(keep_alive) {}

private:
    bool keep_alive_;
};

// A whole response that is due at once or later.
struct Response {
    int status = 200;
    std::string_view content_type = "application/json";
    std::vector<std::string> headers;  // further ones
    std::string body;
    bool head_only = false;  // the answer to HEAD: headers as for GET, no body
};
[[nodiscard]] std::unique_ptr<Exchange> respond(Response response, bool keep_alive, loop::Clock::time_point due);

// No byte of a response, and this ending (not none).
[[nodiscard]] std::unique_ptr<Exchange> no_response(Ending ending);

}  // namespace assay::simulated
