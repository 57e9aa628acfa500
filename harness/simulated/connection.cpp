#include "harness/simulated/connection.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace assay::simulated {
namespace {

using loop::Clock;

constexpr std::size_t out_bytes = 64U << 10;      // produced ahead of the client
constexpr std::size_t waiting_bytes = 64U << 10;  // requests that wait behind the one being answered
constexpr auto linger_time = std::chrono::seconds(1);

}  // namespace

Connection::Connection(loop::EventLoop& loop, Service& service, loop::FileDescriptor socket, std::function<void()> on_closed)
    : loop_(loop), service_(service), socket_(std::move(socket)), on_closed_(std::move(on_closed)) {
    watch_as_needed();
}

Connection::~Connection() {
    if (timer_ != 0) loop_.cancel(timer_);
    if (socket_.open()) loop_.unwatch(socket_.get());
}

void Connection::watch_as_needed() {
    std::uint32_t wanted = EPOLLRDHUP;
    if (exchange_ == nullptr || lingering_ || parser_.waiting() < waiting_bytes) wanted |= EPOLLIN;
    if (sent_ < out_.size()) wanted |= EPOLLOUT;
    if (wanted == watched_) return;
    watched_ = wanted;
    loop_.watch(socket_.get(), wanted, [this](std::uint32_t events) { on_events(events); });
}

void Connection::on_events(std::uint32_t events) {
    const bool reading = (watched_ & EPOLLIN) != 0;
    if (reading && (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
        if (!read_some()) return;
    } else if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) {
        close(false);
        return;
    }
    start_next();
    if (socket_.open()) pump();
}

bool Connection::read_some() {
    std::array<char, 16384> bytes;
    for (;;) {
        const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
        if (got > 0) {
            if (!lingering_) parser_.feed({bytes.data(), static_cast<std::size_t>(got)});
            if (static_cast<std::size_t>(got) == bytes.size() && parser_.waiting() < waiting_bytes) continue;
            return true;
        }
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
        close(false);  // the client has gone, or has sent its last: as servers under uvicorn take it
        return false;
    }
}

void Connection::start_next() {
    if (exchange_ != nullptr || lingering_) return;
    switch (parser_.state()) {
        case RequestParser::State::incomplete:
            if (parser_.take_expectation()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
            return;
        case RequestParser::State::ready: exchange_ = service_.answer(parser_.take(), ++requests_); break;
        case RequestParser::State::refused: exchange_ = service_.answer_malformed(parser_.status()); break;
    }
    ended_.reset();
}

void Connection::pump() {
    if (timer_ != 0) loop_.cancel(std::exchange(timer_, 0));
    if (exchange_ != nullptr && !ended_ && sent_ == out_.size()) {
        const Progress progress = exchange_->produce(Clock::now(), out_bytes, out_);
        if (progress.state != Progress::State::waiting) ended_ = progress.state;
        if (!flush()) return;
        // One round a call, so that a fast reply does not hold up the others; the timer brings the next.
        if (!ended_) pump_at(progress.next);
    } else if (!flush()) {
        return;
    } else if (exchange_ != nullptr && !ended_) {
        pump_at(Clock::now());
    }
    if (ended_ && *ended_ != Progress::State::hang) complete();
    if (socket_.open()) watch_as_needed();
}

void Connection::pump_at(Clock::time_point when) {
    timer_ = loop_.at(when, [this] {
        timer_ = 0;
        pump();
    });
}

bool Connection::flush() {
    while (sent_ < out_.size()) {
        const std::string_view rest = std::string_view(out_).substr(sent_);
        const std::size_t most = exchange_ != nullptr ? next_write(exchange_->sending(), rest) : rest.size();
        const ssize_t put = ::send(socket_.get(), rest.data(), most, MSG_NOSIGNAL);
        if (put >= 0) {
            sent_ += static_cast<std::size_t>(put);
            if (most < rest.size()) {  // the next piece in a turn of its own, so that it arrives as one
                pump_at(Clock::now() + exchange_->sending().pause);
                return false;
            }
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            watch_as_needed();
            return false;
        } else if (errno != EINTR) {
            close(false);
            return false;
        }
    }
    sent_ = 0;
    out_.clear();
    if (out_.capacity() > 4096) out_.shrink_to_fit();
    return true;
}

void Connection::complete() {
    const bool reset = *ended_ == Progress::State::reset;
    const bool stays = exchange_->keep_alive() && *ended_ == Progress::State::finished;
    exchange_->delivered();
    exchange_.reset();
    ended_.reset();
    if (reset) {
        close(true);
    } else if (!stays) {
        linger();
    } else {
        start_next();
        if (exchange_ != nullptr || sent_ < out_.size()) pump_at(Clock::now());
    }
}

// Closing at once while request bytes are still unread would reset the connection, and the client might lose
// the answer: end our side, and read on until the client ends its own.
void Connection::linger() {
    lingering_ = true;
    ::shutdown(socket_.get(), SHUT_WR);
    timer_ = loop_.after(linger_time, [this] {
        timer_ = 0;
        close(false);
    });
}

void Connection::close(bool reset) {
    if (!socket_.open()) return;
    if (timer_ != 0) loop_.cancel(std::exchange(timer_, 0));
    loop_.unwatch(socket_.get());
    if (reset) {
        const ::linger hard{1, 0};
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    socket_.reset();
    exchange_.reset();
    on_closed_();
}

}  // namespace assay::simulated
