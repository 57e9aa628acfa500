// What the measuring clients have in common: their arguments, a start of streams evenly spread in time, and the processor
// time and bytes between two instants at which all streams are in flight.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace assay::bench {

inline constexpr auto ramp = std::chrono::seconds(3);     // over which the streams are started, evenly
inline constexpr auto settling = std::chrono::seconds(1);  // from the last start to the first instant

struct Arguments {
    std::string base_url;
    int streams = 1000;
    double window_s = 8;
};

inline Arguments read_arguments(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s BASE_URL STREAMS SECONDS\n", argv[0]);
        std::exit(2);
    }
    return {argv[1], std::atoi(argv[2]), std::atof(argv[3])};
}

inline std::string request_of(int stream) {
    return R"({"model":"simulated","messages":[{"role":"user","content":"What is 17 * 23?"}],"max_tokens":65536,"seed":)" + std::to_string(stream) +
           R"(,"stream":true,"stream_options":{"include_usage":true}})";
}

// The instant at which stream i is to start, after the beginning.
inline std::chrono::nanoseconds start_of(int stream, int streams) {
    return std::chrono::nanoseconds(ramp) * stream / streams;
}

inline double processor_s() {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

inline long resident_kib() {
    long all = 0;
    long resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

struct Instant {
    double processor_s = 0;
    std::int64_t bytes = 0;   // of response bodies so far
    std::int64_t events = 0;  // -1 where they are not counted
    int open = 0;             // streams in flight
};

// One line of JSON, read by stream_cost.py.
inline void print_window(const Instant& first, const Instant& second, double start_processor_s) {
    std::printf(R"({"processor_s":%.6f,"bytes":%lld,"events":%lld,"open":%d,"still_open":%d,"start_processor_s":%.6f,"resident_kib":%ld})"
                "\n",
                second.processor_s - first.processor_s, static_cast<long long>(second.bytes - first.bytes),
                static_cast<long long>(second.events < 0 ? -1 : second.events - first.events), first.open, second.open,
                first.processor_s - start_processor_s, resident_kib());
    std::fflush(stdout);
}

}  // namespace assay::bench
