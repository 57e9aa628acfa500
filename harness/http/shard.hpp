// Shard: one multi handle of libcurl, driven by the event loop's socket events and timers. Private to this folder.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

#include "harness/loop/event_loop.hpp"

namespace assay::http {

class Shard {
public:
    static constexpr std::size_t most = 1000;  // transfers at once

    // `ended` is called for each transfer that ended by itself, `acted` after libcurl has had its turn; both outside
    // of libcurl's callbacks, so that handles may be added and removed there.
    Shard(loop::EventLoop& loop, std::function<void(CURL*, CURLcode)> ended, std::function<void()> acted);
    ~Shard();  // no handle may be in it
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] CURLMcode add(CURL* easy);
    void remove(CURL* easy);

private:
    static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
    static int on_timer(CURLM*, long timeout_ms, void* self) noexcept;

    void act(curl_socket_t socket, int events);

    loop::EventLoop& loop_;
    std::function<void(CURL*, CURLcode)> ended_;
    std::function<void()> acted_;
    CURLM* multi_;
    loop::TimerId timer_ = 0;
    std::size_t size_ = 0;
    std::exception_ptr thrown_;
};

}  // namespace assay::http
