// Flight: one transfer on its way: its easy handle, the callbacks that libcurl makes on it, and its deadlines.
// Private to this folder.
//
// Nothing is thrown through libcurl: what a receiver throws is kept in `thrown` and ends the transfer.
#pragma once

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/http/headers.hpp"
#include "harness/http/transfer.hpp"
#include "harness/http/transport.hpp"
#include "harness/loop/event_loop.hpp"

namespace assay::http {

class Shard;
struct Flight;

struct EasyDeleter {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
struct ListDeleter {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using List = std::shared_ptr<curl_slist>;  // shared: libcurl reads it for as long as a handle that was given it lives

[[nodiscard]] List make_list(const std::vector<std::string>& lines);

// What a flight tells its transport from inside libcurl's callbacks, where no handle may be added or removed.
class FlightWatcher {
public:
    virtual void connected() = 0;
    virtual void deadline_came_closer(Flight& flight) = 0;

protected:
    ~FlightWatcher() = default;
};

// What all flights of a transport have in common.
struct FlightSettings {
    TransportOptions options;
    std::string proxy;
    List headers;
    List no_headers;
    List resolved;  // CURLOPT_RESOLVE; null: the host is left to libcurl
};

struct Flight {
    Flight(Transport::Id number, Transfer what, std::unique_ptr<Receiver> to, FlightWatcher& who);

    // Makes the easy handle. False where libcurl has no memory for it.
    [[nodiscard]] bool prepare(const FlightSettings& settings);

    // The first instant at which a limit passes, and which; nothing while only others decide (waiting, unlimited).
    struct Deadline {
        loop::Clock::time_point when;
        End end;
        Limit limit;
    };
    [[nodiscard]] std::optional<Deadline> deadline() const;

    // The result, times and headers filled in, as of now.
    [[nodiscard]] Result result(End end, Limit limit, int curl_code);

    Transport::Id id;
    Transfer transfer;
    std::unique_ptr<Receiver> receiver;
    FlightWatcher& watcher;
    Shard* shard = nullptr;  // null until handed to libcurl
    std::unique_ptr<CURL, EasyDeleter> easy;
    List headers;
    List resolved;

    loop::Clock::time_point started = loop::Clock::now();
    std::optional<loop::Clock::time_point> sent;
    std::optional<loop::Clock::time_point> connected;

    // What every piece of the body touches, together: thousands of flights take turns in the cache.
    std::optional<loop::Clock::time_point> first_byte;
    std::optional<loop::Clock::time_point> drain_until;
    loop::Clock::time_point last_byte{};
    long http_status = 0;
    std::int64_t body_bytes = 0;
    std::exception_ptr thrown;
    bool stopped = false;  // by the receiver

    std::chrono::milliseconds drain{};
    loop::TimerId timer = 0;
    loop::Clock::time_point timer_due{};

    Headers seen;
    bool headers_too_long = false;
    std::array<char, CURL_ERROR_SIZE> words{};

private:
    static int on_connected(void* self, char*, char*, int, int) noexcept;
    static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self) noexcept;
    static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self) noexcept;

    void came_alive();
    [[nodiscard]] bool deliver(std::string_view bytes) noexcept;  // false: end the transfer
};

}  // namespace assay::http
