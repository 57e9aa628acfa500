// Service: what a simulated server answers to a request: paths, keys, checks, behaviours, the responder.
//
// Knows no sockets. Threads: the server's only; the counters may be read from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/simulated/behavior.hpp"
#include "harness/simulated/chat_reply.hpp"
#include "harness/simulated/counters.hpp"
#include "harness/simulated/http_request.hpp"
#include "harness/simulated/responder.hpp"
#include "harness/simulated/wire.hpp"

namespace assay::simulated {

struct ServiceSettings {
    std::string wire = "sglang";        // one of wire_names()
    std::string model = "simulated";    // the only model there is
    std::int64_t context = 131'072;     // tokens of prompt and reply together
    double speed = 1;                   // > 0: all times of scripts are divided by it
    std::string api_key;                // where set, asked for as a bearer token
    BehaviorChoice behaviors;
};

class Service {
public:
    // Throws assay::Error for settings that name nothing known. The responder must outlive the service.
    Service(ServiceSettings settings, const Responder& responder);

    // `on_connection`: the request's number on its connection, from 1.
    [[nodiscard]] std::unique_ptr<Exchange> answer(const HttpRequest& request, int on_connection = 1);
    // The answer to bytes that are no request, by HTTP status. Closes the connection.
    [[nodiscard]] std::unique_ptr<Exchange> answer_malformed(int status);

    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    [[nodiscard]] Counters& counters() noexcept { return counters_; }

    [[nodiscard]] Listening listening() const;

    // Called for a behaviour that takes the server away, from within answer(): close nothing before that has returned.
    void on_outage(std::function<void(const Outage&)> take_down) { take_down_ = std::move(take_down); }
    // Serves this model from now on, and no other.
    void become(const std::string& model);

private:
    [[nodiscard]] std::optional<Page> page_of(const std::string& path) const;
    [[nodiscard]] std::unique_ptr<Exchange> chat(const HttpRequest& request, int on_connection);
    [[nodiscard]] std::unique_ptr<Exchange> refuse(Refusal refusal, const HttpRequest& request);
    [[nodiscard]] std::unique_ptr<Exchange> accept(const ChatCall& call, const HttpRequest& request, const Arrival& arrival,
                                                   std::unique_ptr<Ticket> ticket);
    [[nodiscard]] std::unique_ptr<Exchange> fault(const Fault& fault, bool keep_alive, std::vector<std::string> headers = {});
    [[nodiscard]] bool authorised(const HttpRequest& request) const;
    [[nodiscard]] Arrival arrival_of(const std::string& body, int on_connection);

    ServiceSettings settings_;
    const Responder& responder_;
    std::unique_ptr<Wire> wire_;
    std::vector<std::unique_ptr<Behavior>> behaviors_;
    Identity identity_;
    Counters counters_;
    Crowd crowd_;
    std::unordered_map<std::uint64_t, std::uint64_t> attempts_;  // by hash of the body; forgotten all at once when large
    std::uint64_t replies_ = 0;
    std::int64_t arrivals_ = 0;
    std::function<void(const Outage&)> take_down_;
};

}  // namespace assay::simulated
