// The same streams through libcurl alone: its multi interface on epoll, and the bytes thrown away.
//
//     bench_bare_streams BASE_URL STREAMS SECONDS     prints one line of JSON and ends with the streams still open
//
// Written as sparingly as libcurl allows (socket actions, one multi handle, no parsing), so that what it costs is the floor.
#include <curl/curl.h>
#include <sys/epoll.h>

#include <array>
#include <optional>
#include <vector>

#include "harness/http/descriptor_limit.hpp"
#include "tests/bench/measured_window.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Loop {
    int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    CURLM* multi = curl_multi_init();
    std::optional<Clock::time_point> timer;
    std::int64_t bytes = 0;
    int open = 0;
    bool failed = false;
};

int on_socket(CURL*, curl_socket_t socket, int what, void* self, void* known) {
    auto& loop = *static_cast<Loop*>(self);
    if (what == CURL_POLL_REMOVE) {
        ::epoll_ctl(loop.epoll, EPOLL_CTL_DEL, socket, nullptr);
        return 0;
    }
    epoll_event event{};
    event.events = ((what & CURL_POLL_IN) != 0 ? EPOLLIN : 0U) | ((what & CURL_POLL_OUT) != 0 ? EPOLLOUT : 0U);
    event.data.fd = socket;
    ::epoll_ctl(loop.epoll, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
    if (known == nullptr) curl_multi_assign(loop.multi, socket, self);
    return 0;
}

int on_timer(CURLM*, long ms, void* self) {
    auto& loop = *static_cast<Loop*>(self);
    loop.timer = ms < 0 ? std::nullopt : std::optional(Clock::now() + std::chrono::milliseconds(ms));
    return 0;
}

std::size_t on_bytes(char*, std::size_t size, std::size_t count, void* self) {
    static_cast<Loop*>(self)->bytes += static_cast<std::int64_t>(size * count);
    return size * count;
}

void act(Loop& loop, curl_socket_t socket, int events) {
    int running = 0;
    curl_multi_socket_action(loop.multi, socket, events, &running);
    loop.open = running;
    int left = 0;
    while (curl_multi_info_read(loop.multi, &left) != nullptr) loop.failed = true;  // none may end before the measuring has
}

void add(Loop& loop, const std::string& url, const std::string& body, curl_slist* headers) {
    CURL* easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, body.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &loop);
    curl_multi_add_handle(loop.multi, easy);
}

// Until `until`: libcurl's sockets and timer.
void run(Loop& loop, Clock::time_point until) {
    std::array<epoll_event, 256> events{};
    for (auto now = Clock::now(); now < until; now = Clock::now()) {
        const auto due = loop.timer && *loop.timer < until ? *loop.timer : until;
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(due - now).count();
        const int ready = ::epoll_wait(loop.epoll, events.data(), static_cast<int>(events.size()), static_cast<int>(std::max<std::int64_t>(wait, 0)));
        for (int i = 0; i < ready; ++i) {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            const int flags = ((event.events & EPOLLIN) != 0 ? CURL_CSELECT_IN : 0) | ((event.events & EPOLLOUT) != 0 ? CURL_CSELECT_OUT : 0) |
                              ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? CURL_CSELECT_ERR : 0);
            act(loop, event.data.fd, flags);
        }
        if (loop.timer && *loop.timer <= Clock::now()) {
            loop.timer.reset();  // one-shot
            act(loop, CURL_SOCKET_TIMEOUT, 0);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    using namespace assay;
    const bench::Arguments arguments = bench::read_arguments(argc, argv);
    http::raise_descriptor_limit();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    Loop loop;
    curl_multi_setopt(loop.multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(loop.multi, CURLMOPT_SOCKETDATA, &loop);
    curl_multi_setopt(loop.multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(loop.multi, CURLMOPT_TIMERDATA, &loop);
    curl_slist* headers = curl_slist_append(curl_slist_append(nullptr, "Content-Type: application/json"), "Expect:");
    const std::string url = arguments.base_url + "/chat/completions";

    const auto instant = [&] { return bench::Instant{bench::processor_s(), loop.bytes, -1, loop.open}; };
    const double before = bench::processor_s();
    const auto start = Clock::now();
    for (int i = 0; i < arguments.streams; ++i) {
        run(loop, start + bench::start_of(i, arguments.streams));
        add(loop, url, bench::request_of(i), headers);
    }
    run(loop, start + bench::ramp + bench::settling);
    const bench::Instant first = instant();
    run(loop, start + bench::ramp + bench::settling + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(arguments.window_s)));
    bench::print_window(first, instant(), before);
    return loop.failed ? 1 : 0;
}
