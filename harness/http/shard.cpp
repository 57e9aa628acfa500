#include "harness/http/shard.hpp"

#include <sys/epoll.h>

#include <new>
#include <utility>

namespace assay::http {

Shard::Shard(loop::EventLoop& loop, std::function<void(CURL*, CURLcode)> ended, std::function<void()> acted)
    : loop_(loop), ended_(std::move(ended)), acted_(std::move(acted)), multi_(curl_multi_init()) {
    if (multi_ == nullptr) throw std::bad_alloc();
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &Shard::on_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &Shard::on_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
    // Its own default follows the number of handles and would evict warm connections when that dips.
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(most + 64));
}

Shard::~Shard() {
    loop_.cancel(timer_);
    curl_multi_cleanup(multi_);
    loop_.cancel(timer_);
}

CURLMcode Shard::add(CURL* easy) {
    const CURLMcode code = curl_multi_add_handle(multi_, easy);
    if (code == CURLM_OK) ++size_;
    return code;
}

void Shard::remove(CURL* easy) {
    if (curl_multi_remove_handle(multi_, easy) == CURLM_OK) --size_;
}

int Shard::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    try {
        if (what == CURL_POLL_REMOVE) {
            shard.loop_.unwatch(socket);
            return 0;
        }
        const std::uint32_t events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
        shard.loop_.watch(socket, events, [&shard, socket](std::uint32_t ready) {
            int flags = 0;
            if ((ready & EPOLLIN) != 0) flags |= CURL_CSELECT_IN;
            if ((ready & EPOLLOUT) != 0) flags |= CURL_CSELECT_OUT;
            if ((ready & (EPOLLERR | EPOLLHUP)) != 0) flags |= CURL_CSELECT_ERR;
            shard.act(socket, flags);
        });
        return 0;
    } catch (...) {
        shard.thrown_ = std::current_exception();
        return -1;
    }
}

int Shard::on_timer(CURLM*, long timeout_ms, void* self) noexcept {
    auto& shard = *static_cast<Shard*>(self);
    try {
        shard.loop_.cancel(std::exchange(shard.timer_, 0));
        if (timeout_ms < 0) return 0;
        shard.timer_ = shard.loop_.after(std::chrono::milliseconds(timeout_ms), [&shard] {
            shard.timer_ = 0;  // the timer is one-shot: libcurl says so where it wants another
            shard.act(CURL_SOCKET_TIMEOUT, 0);
        });
        return 0;
    } catch (...) {
        shard.thrown_ = std::current_exception();
        return -1;
    }
}

void Shard::act(curl_socket_t socket, int events) {
    int running = 0;
    curl_multi_socket_action(multi_, socket, events, &running);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL* easy = message->easy_handle;  // the message is gone once its handle is removed
        ended_(easy, message->data.result);
    }
    acted_();
}

}  // namespace assay::http
