#include "runners/drivers/run_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::runners {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

runs::Session session_with(std::vector<std::pair<std::string, std::string>> transport) {
    runs::Session session;
    session.info.transport = std::move(transport);
    return session;
}

TEST(RunNotes, ACleanRunHasNone) {
    EXPECT_THAT(run_notes({}), IsEmpty());
}

TEST(RunNotes, BreaksAfterOneSilenceNameAProxysIdleLimit) {
    runs::RunContents contents;
    contents.totals.breaks = {{400, 60.1}, {60.4, 60.4}, {1000, 59.9}, {5, 5}};
    EXPECT_THAT(run_notes(contents), ElementsAre(HasSubstr("3 of 4 replies that broke off had been silent for 60 s (+/- 2 s): the idle limit of a proxy")));
}

TEST(RunNotes, BreaksAtOneAgeNameAProxysLimitOnRequests) {
    runs::RunContents contents;
    contents.totals.breaks = {{300, 1}, {301, 0.1}, {299.5, 12}};
    EXPECT_THAT(run_notes(contents), ElementsAre(HasSubstr("3 of 3 replies that broke off did so 300 s (+/- 2 s) after the request: a proxy's limit")));
}

TEST(RunNotes, BreaksAtAnyAgeNameNobody) {
    runs::RunContents contents;
    contents.totals.breaks = {{10, 10}, {50, 20}, {90, 30}, {120, 40}};
    EXPECT_THAT(run_notes(contents), IsEmpty());
}

TEST(RunNotes, SayOnceHowRequestsTravelled) {
    runs::RunContents contents;
    contents.totals.sessions = {session_with({{"insecure", "true"}, {"proxy", "http://p:3128"}, {"http2", "true"}}), session_with({{"insecure", "true"}})};
    EXPECT_THAT(run_notes(contents), ElementsAre(HasSubstr("TLS certificates were not checked (--insecure)"), HasSubstr("through the proxy http://p:3128")));
}

TEST(RunNotes, CarryTheNotesOfTheJournalAndTheCounts) {
    runs::RunContents contents;
    contents.totals.notes = {"question 17 took the server down"};
    contents.totals.missing_done = 1;
    contents.totals.accepted_without_finish = 2;
    EXPECT_THAT(run_notes(contents), ElementsAre("question 17 took the server down", HasSubstr("2 replies scored without a finish_reason"), HasSubstr("1 reply had a finish_reason and no [DONE]")));
}

}  // namespace
}  // namespace assay::runners
