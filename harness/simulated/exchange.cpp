#include "harness/simulated/exchange.hpp"

#include <fmt/format.h>

#include "harness/simulated/response_head.hpp"

namespace assay::simulated {
namespace {

using loop::Clock;

class ResponseExchange final : public Exchange {
public:
    ResponseExchange(Response response, bool keep_alive, Clock::time_point due) : Exchange(keep_alive), response_(std::move(response)), due_(due) {}

    Progress produce(Clock::time_point now, std::size_t, std::string& out) override {
        if (now < due_) return {Progress::State::waiting, due_};
        append_head(out, response_.status, response_.content_type, keep_alive());
        for (const std::string& header : response_.headers) out += header + "\r\n";
        out += fmt::format("content-length: {}\r\n\r\n", response_.body.size());
        if (!response_.head_only) out += response_.body;
        return {Progress::State::finished, {}};
    }

private:
    Response response_;
    Clock::time_point due_;
};

class NoResponse final : public Exchange {
public:
    explicit NoResponse(Ending ending) : Exchange(false), ending_(ending) {}
    Progress produce(Clock::time_point, std::size_t, std::string&) override { return {state_after(ending_), {}}; }

private:
    Ending ending_;
};

}  // namespace

Progress::State state_after(Ending ending) {
    switch (ending) {
        case Ending::none: break;
        case Ending::reset: return Progress::State::reset;
        case Ending::close: return Progress::State::close;
        case Ending::hang: return Progress::State::hang;
    }
    return Progress::State::finished;
}

std::unique_ptr<Exchange> respond(Response response, bool keep_alive, Clock::time_point due) {
    return std::make_unique<ResponseExchange>(std::move(response), keep_alive, due);
}

std::unique_ptr<Exchange> no_response(Ending ending) {
    return std::make_unique<NoResponse>(ending);
}

const Sending& Exchange::sending() const noexcept {
    static const Sending as_it_is;
    return as_it_is;
}

}  // namespace assay::simulated
