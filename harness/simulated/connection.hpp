// Connection: one client's socket: reads requests, writes answers as they fall due, one after another.
//
// Output is bounded: nothing more is produced while what was produced waits for the client to read.
// Threads: the loop's only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/loop/event_loop.hpp"
#include "harness/loop/file_descriptor.hpp"
#include "harness/simulated/exchange.hpp"
#include "harness/simulated/http_request.hpp"
#include "harness/simulated/service.hpp"

namespace assay::simulated {

class Connection {
public:
    // `on_closed` is called once, when the socket is closed; the connection may be destroyed only after the
    // callback that led to it has returned.
    Connection(loop::EventLoop& loop, Service& service, loop::FileDescriptor socket, std::function<void()> on_closed);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void reset() { close(true); }  // now, with RST

private:
    void on_events(std::uint32_t events);
    bool read_some();   // false: closed
    void start_next();  // takes up the next request, where one is ready and none is being answered
    void pump();        // produces and writes what is due; sets the timer for the rest
    bool flush();       // false: bytes are left (or the connection is closed)
    void pump_at(loop::Clock::time_point when);
    void complete();
    void watch_as_needed();
    void linger();
    void close(bool reset);

    loop::EventLoop& loop_;
    Service& service_;
    loop::FileDescriptor socket_;
    std::function<void()> on_closed_;
    RequestParser parser_;
    std::unique_ptr<Exchange> exchange_;
    std::optional<Progress::State> ended_;  // the exchange has produced all
    std::string out_;
    std::size_t sent_ = 0;  // of out_
    int requests_ = 0;      // taken up so far
    std::uint32_t watched_ = 0;
    loop::TimerId timer_ = 0;
    bool lingering_ = false;
};

}  // namespace assay::simulated
