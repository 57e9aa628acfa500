// Certificates: checked unless told otherwise, against the system's authorities or those that were given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/endpoint/asked.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tls_server.hpp"

namespace assay::endpoint_tests {
namespace {

using testing::HasSubstr;

constexpr const char* reply = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
                              R"({"choices":[{"index":0,"message":{"role":"assistant","content":"Answer: B"},"finish_reason":"stop"}]})";

class Certificates : public testing::Test {
protected:
    support::TemporaryFolder folder;

    std::string file_of(const tests::TlsServer& server) {
        std::ofstream(folder.path("ca.pem")) << server.certificate();
        return folder.path("ca.pem");
    }
    static chat::Reply asked(const tests::TlsServer& server, const std::string& ca_file, bool insecure = false) {
        chat::Endpoint endpoint;
        endpoint.base_url = server.base_url();
        endpoint.ca_file = ca_file;
        endpoint.insecure = insecure;
        loop::EventLoop loop;
        chat::Client client(loop, endpoint, {});
        chat::Reply got;
        client.send("{}", true, [&](chat::Reply reply_of_server) {
            got = std::move(reply_of_server);
            loop.stop();
        });
        loop.run();
        return got;
    }
};

TEST_F(Certificates, OfAnUnknownAuthorityAreNotTrustedAndNothingIsSent) {
    const tests::TlsServer server("IP:127.0.0.1", reply);
    const chat::Reply got = asked(server, "");
    EXPECT_EQ(got.outcome, chat::Outcome::dropped);
    EXPECT_EQ(got.curl_code, 60);
    EXPECT_THAT(got.error, HasSubstr("certificate"));
    EXPECT_EQ(server.requests(), 0);
}

TEST_F(Certificates, OfAnAuthorityThatWasGivenAreTrusted) {
    const tests::TlsServer server("IP:127.0.0.1", reply);
    const chat::Reply got = asked(server, file_of(server));
    EXPECT_EQ(got.outcome, chat::Outcome::complete) << got.error;
    EXPECT_EQ(got.content, "Answer: B");
}

TEST_F(Certificates, OfAnotherHostAreNotTrustedThoughTheirAuthorityIs) {
    const tests::TlsServer server("DNS:example.org", reply);
    const chat::Reply got = asked(server, file_of(server));
    EXPECT_EQ(got.outcome, chat::Outcome::dropped);
    EXPECT_EQ(server.requests(), 0);
}

TEST_F(Certificates, AreNotLookedAtWhereThatWasAskedFor) {
    const tests::TlsServer server("DNS:example.org", reply);
    EXPECT_EQ(asked(server, "", true).outcome, chat::Outcome::complete);
}

TEST_F(Certificates, ThatAreNotTrustedStopARunWithTheFlagsToChange) {
    const tests::TlsServer server("IP:127.0.0.1", reply);
    const std::vector<std::string> flags{"score", "--base-url", server.base_url(), "--dataset", "sample", "--limit", "2", "--seeds", "1", "--model", "m",
                                         "--skip-preflight", "--quiet", "--out"};
    auto untrusted = flags;
    untrusted.push_back(folder.path("untrusted"));
    const auto stopped = support::run(untrusted);
    EXPECT_EQ(stopped.exit_code, 2) << stopped.err;
    EXPECT_THAT(stopped.err, testing::AllOf(HasSubstr("TLS certificate is not trusted"), HasSubstr("--cacert")));
    auto trusted = flags;
    trusted.insert(trusted.end(), {folder.path("trusted"), "--cacert", file_of(server)});
    const auto done = support::run(trusted);
    EXPECT_EQ(done.exit_code, 0) << done.err;
}

}  // namespace
}  // namespace assay::endpoint_tests
