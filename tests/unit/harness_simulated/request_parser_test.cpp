#include <gtest/gtest.h>

#include <string>

#include "harness/simulated/http_request.hpp"

namespace assay::simulated {
namespace {

using State = RequestParser::State;

const std::string fixed =
    "POST /v1/chat/completions?x=1 HTTP/1.1\r\nHost: a\r\nContent-Type:  application/json \r\nContent-Length: 11\r\n\r\n{\"a\":\"b\"}\r\n";
const std::string chunked =
    "POST /p HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n";
const std::string bare = "GET /health HTTP/1.1\nHost: a\n\n";

int status_of(const std::string& bytes, RequestLimits limits = {}) {
    RequestParser parser(limits);
    return parser.feed(bytes) == State::refused ? parser.status() : 0;
}

TEST(RequestParser, ReadsThreePipelinedRequestsCutInTwoAtEveryByte) {
    const std::string all = fixed + chunked + bare;
    for (std::size_t cut = 0; cut <= all.size(); ++cut) {
        RequestParser parser;
        std::vector<HttpRequest> got;
        for (const std::string& part : {all.substr(0, cut), all.substr(cut)}) {
            parser.feed(part);
            while (parser.state() == State::ready) got.push_back(parser.take());
        }
        ASSERT_EQ(got.size(), 3U) << "cut at " << cut;
        EXPECT_EQ(got[0].method, "POST");
        EXPECT_EQ(got[0].path, "/v1/chat/completions");
        EXPECT_EQ(got[0].header("content-type"), "application/json");
        EXPECT_EQ(got[0].body, "{\"a\":\"b\"}\r\n");
        EXPECT_EQ(got[1].body, "hello world");
        EXPECT_EQ(got[2].method, "GET");
        EXPECT_EQ(got[2].path, "/health");
        EXPECT_EQ(parser.waiting(), 0U);
    }
}

TEST(RequestParser, ReadsRequestsThatComeByteByByte) {
    RequestParser parser;
    std::string bodies;
    for (const char byte : fixed + chunked + bare) {
        parser.feed({&byte, 1});
        while (parser.state() == State::ready) bodies += parser.take().body + "|";
    }
    EXPECT_EQ(bodies, "{\"a\":\"b\"}\r\n|hello world||");
}

TEST(RequestParser, ReadsAllRequestsOfOnePiece) {
    RequestParser parser;
    parser.feed(bare + bare + fixed);
    int count = 0;
    for (; parser.state() == State::ready; ++count) (void)parser.take();
    EXPECT_EQ(count, 3);
}

TEST(RequestParser, RefusesWhatIsNoRequestWith400) {
    for (const char* head : {"GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTX/1.1\r\n\r\n", "G T / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                             "GET / HTTP/1.1\r\nbad name: x\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA: b\x01\r\n\r\n",
                             "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                             "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                             "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                             "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                             "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n"})
        EXPECT_EQ(status_of(head), 400) << head;
}

TEST(RequestParser, TellsOtherRefusalsApart) {
    EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), 501);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nExpect: tea\r\nContent-Length: 1\r\n\r\n"), 417);
}

TEST(RequestParser, BoundsHeadAndBody) {
    const RequestLimits limits{100, 10};
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(200, 'x'), limits), 431);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(200, 'x') + "\r\n\r\n", limits), 431);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", limits), 413);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\n", limits), 413);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", limits), 413);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + std::string(300, 'x'), limits), 400);
}

TEST(RequestParser, StaysRefused) {
    RequestParser parser;
    parser.feed("nonsense\r\n\r\n");
    EXPECT_EQ(parser.feed(bare), State::refused);
}

TEST(RequestParser, AsksForTheBodyOnceWhereTheClientWaits) {
    RequestParser parser;
    parser.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_TRUE(parser.take_expectation());
    EXPECT_FALSE(parser.take_expectation());
    EXPECT_EQ(parser.feed("ab"), State::ready);
}

TEST(RequestParser, DoesNotAskWhereTheBodyHasCome) {
    RequestParser parser;
    parser.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab");
    EXPECT_FALSE(parser.take_expectation());
}

TEST(RequestParser, KeepsTheConnectionAsTheVersionSays) {
    const auto keeps = [](const std::string& head) {
        RequestParser parser;
        parser.feed(head);
        return parser.take().keep_alive;
    };
    EXPECT_TRUE(keeps("GET / HTTP/1.1\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
    EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

}  // namespace
}  // namespace assay::simulated
