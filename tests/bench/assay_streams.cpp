// Streams through assay's client, as `assay score` reads them: events parsed, texts kept.
//
//     bench_assay_streams BASE_URL STREAMS SECONDS     prints one line of JSON and ends with the streams still open
#include "harness/chat/client.hpp"
#include "harness/http/descriptor_limit.hpp"
#include "harness/loop/event_loop.hpp"
#include "tests/bench/measured_window.hpp"

int main(int argc, char** argv) {
    using namespace assay;
    const bench::Arguments arguments = bench::read_arguments(argc, argv);
    http::raise_descriptor_limit();
    loop::EventLoop loop;
    loop.gather(std::chrono::milliseconds(2));  // as a run does
    chat::Endpoint endpoint;
    endpoint.base_url = arguments.base_url;
    chat::Client client(loop, endpoint, {});
    int ended = 0;

    const auto instant = [&] {
        const chat::Traffic& traffic = client.traffic();
        return bench::Instant{bench::processor_s(), traffic.body_bytes, traffic.text_events, static_cast<int>(traffic.in_flight)};
    };
    const double before = bench::processor_s();
    const auto start = loop::Clock::now();
    for (int i = 0; i < arguments.streams; ++i)
        loop.at(start + bench::start_of(i, arguments.streams), [&, i] { client.send(bench::request_of(i), true, [&](const chat::Reply&) { ++ended; }); });

    bench::Instant first;
    const auto opened = start + bench::ramp + bench::settling;
    loop.at(opened, [&] { first = instant(); });
    loop.at(opened + std::chrono::duration_cast<loop::Clock::duration>(std::chrono::duration<double>(arguments.window_s)), [&] {
        bench::print_window(first, instant(), before);
        loop.stop();
    });
    loop.run();
    return ended == 0 ? 0 : 1;
}
