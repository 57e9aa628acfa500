// `assay simulate` as a process: what it prints, what it serves, how it ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/loop/file_descriptor.hpp"
#include "tests/support/program.hpp"
#include "tests/support/raw_client.hpp"

namespace assay::runners {
namespace {

using loop::FileDescriptor;
using support::RawClient;

class Simulate {
public:
    Simulate() {
        std::array<int, 2> out{};
        std::array<int, 2> err{};
        if (::pipe(out.data()) != 0 || ::pipe(err.data()) != 0) throw std::runtime_error("no pipe");
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(out[1], STDOUT_FILENO);
            ::dup2(err[1], STDERR_FILENO);
            for (const int fd : {out[0], out[1], err[0], err[1]}) ::close(fd);
            ::execl(ASSAY_PROGRAM, ASSAY_PROGRAM, "simulate", "--think-median", "20", "--rate", "10000", nullptr);
            ::_exit(127);
        }
        FileDescriptor(out[1]).reset();
        FileDescriptor(err[1]).reset();
        out_ = FileDescriptor(out[0]);
        err_ = FileDescriptor(err[0]);
    }
    ~Simulate() {
        if (pid_ > 0) (void)end(SIGKILL);
    }

    std::string first_line() {
        std::string line;
        for (char c = 0; ::read(out_.get(), &c, 1) == 1 && c != '\n';) line += c;
        return line;
    }
    std::string diagnostics() {
        std::string text;
        std::array<char, 4096> bytes;
        for (ssize_t got = 0; (got = ::read(err_.get(), bytes.data(), bytes.size())) > 0;) text.append(bytes.data(), static_cast<std::size_t>(got));
        return text;
    }
    int end(int signal) {
        int status = 0;
        ::kill(pid_, signal);
        ::waitpid(std::exchange(pid_, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t pid_ = -1;
    FileDescriptor out_;
    FileDescriptor err_;
};

TEST(SimulateCommand, PrintsItsUrlServesAndEndsCleanlyOnEitherSignal) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Simulate simulate;
        const std::string url = simulate.first_line();
        ASSERT_TRUE(url.starts_with("http://127.0.0.1:") && url.ends_with("/v1")) << url;
        RawClient client(static_cast<std::uint16_t>(std::stoi(url.substr(17))));
        client.send(support::post("/v1/chat/completions", R"({"model":"simulated","messages":[{"role":"user","content":"17 * 23?"}]})"));
        EXPECT_NE(client.response().body.find("17 * 23 = 391"), std::string::npos);
        RawClient open(static_cast<std::uint16_t>(std::stoi(url.substr(17))));
        open.send(support::post("/v1/chat/completions", R"({"model":)"));  // a request that never ends must not hold it up
        EXPECT_EQ(simulate.end(signal), 0);
        const std::string said = simulate.diagnostics();
        EXPECT_NE(said.find("completed 1  "), std::string::npos) << said;
    }
}

TEST(SimulateCommand, SaysWhatIsWrongWithItsFlags) {
    const auto bad = [](std::vector<std::string> args) {
        args.insert(args.begin(), "simulate");
        const support::Run run = support::run(args);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(run.out, "");
        return run.err;
    };
    EXPECT_NE(bad({"--port", "70000"}).find("--port"), std::string::npos);
    EXPECT_NE(bad({"--accuracy", "2"}).find("accuracy must lie from 0 to 1"), std::string::npos);
    EXPECT_NE(bad({"--wire", "tgi"}).find("sglang, vllm"), std::string::npos);
    EXPECT_NE(bad({"--drop-rate", "x"}).find("drop-rate"), std::string::npos);
    EXPECT_NE(bad({"--host", "no.such.host.invalid"}).find("--host"), std::string::npos);
    EXPECT_NE(bad({"--api-key-env", "ASSAY_NO_SUCH_VARIABLE"}).find("ASSAY_NO_SUCH_VARIABLE"), std::string::npos);
}

TEST(SimulateCommand, ListsItsBehavioursInHelp) {
    const support::Run run = support::run({"simulate", "--help"});
    EXPECT_EQ(run.exit_code, 0);
    for (const char* name : {"--drop-rate", "--error-rate", "--rate-limit", "--latency-ms", "--accuracy", "--wire"})
        EXPECT_NE(run.out.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace assay::runners
