// How long it takes, and how much memory, to open a large run again and to read it.
//
//     bench_reopen_run FOLDER [replies=3168] [bytes=250000]     FOLDER must not exist; it is left behind
//
// Each step runs in a process of its own, so that its peak of resident memory is its own.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_reader.hpp"
#include "datasets/runs/run_writer.hpp"
#include "harness/journal/reader.hpp"

namespace {

using namespace assay::runs;

Plan plan() {
    Plan plan;
    plan.dataset_name = "bench";
    plan.model = "bench";
    return plan;
}

// Prose with line feeds, quotes, backslashes and some two- and three-byte characters, as replies have them.
std::string text_of(std::size_t bytes, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text;
    while (text.size() < bytes) {
        switch (random() % 24) {
            case 0: text += ".\n\n"; break;
            case 1: text += "$\\alpha$ "; break;
            case 2: text += "\"quoted\" "; break;
            case 3: text += "\xce\xb2\xe2\x86\x92 "; break;
            default: text.append(2 + random() % 9, static_cast<char>('a' + random() % 26)).append(" ");
        }
    }
    return text;
}

void measured(const char* what, const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        std::_Exit(0);
    }
    int status = 0;
    struct rusage usage {};
    ::wait4(child, &status, 0, &usage);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double processor = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                             1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    fmt::print("{:<44} {:6.2f} s  processor {:6.2f} s  peak {:4} MB{}\n", what, seconds, processor,
               usage.ru_maxrss / 1024, status == 0 ? "" : "  FAILED");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: {} FOLDER [replies] [bytes]\n", argv[0]);
        return 2;
    }
    const std::string folder = argv[1];
    const int replies = argc > 2 ? std::atoi(argv[2]) : 3168;
    const auto bytes = static_cast<std::size_t>(argc > 3 ? std::atoll(argv[3]) : 250'000);

    measured("write", [&] {
        RunWriter writer(folder, plan(), {}, {});
        const std::string text = text_of(bytes, 1);
        for (int i = 0; i < replies; ++i) {
            assay::chat::Reply reply;
            reply.outcome = assay::chat::Outcome::complete;
            reply.content = "Answer: B";
            reply.reasoning = text;
            reply.reasoning.replace(0, 8, fmt::format("{:08}", i));
            writer.begin({i / 198, i % 198}, 1, i);
            writer.finished({i / 198, i % 198}, 1, std::move(reply), i, i + 1);
            while (writer.bytes_waiting() > (32 << 20)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        writer.close();
    });
    fmt::print("journal: {} bytes\n", std::filesystem::file_size(journal_path(folder)));
    measured("scan the frames", [&] {
        assay::journal::Reader(journal_path(folder)).scan([](const auto&) {}, [](const auto&) { std::abort(); });
    });
    measured("open the run again (RunWriter)", [&] {
        const RunWriter writer(folder, plan(), {}, {});
        if (writer.standings().size() != static_cast<std::size_t>(replies)) std::abort();
    });
    measured("open it again, handing out what is final", [&] {
        int seen = 0;
        RunWriter::Hooks hooks;
        hooks.final_before = [&](const Attempt&) { ++seen; };
        const RunWriter writer(folder, plan(), {}, std::move(hooks));
        if (seen != replies) std::abort();
    });
    measured("read it for judging (read_run)", [&] {
        int seen = 0;
        read_run(folder, [&](const Attempt&) { ++seen; });
        if (seen != replies) std::abort();
    });
    return 0;
}
