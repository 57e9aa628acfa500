// Quarantine: finds the question that takes the server down, so that it does not take the run's other replies with it.
//
// The server has gone down when tries break off and the next connection is refused. All questions that were being
// asked then are under suspicion; one that is answered is free of it. From the second time on a suspect is asked while
// no other suspect is, until it is answered or has outlived what came before the last fall twice over. A question that
// was the only suspect when the server went down, for the third time or more, is held to be the cause where other replies
// were scored meanwhile: it is not asked again, under any seed, and the others are free.
//
// Pure but for what it remembers; instants are handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "harness/chat/reply.hpp"

namespace assay::pacing {

class Quarantine {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr int suspect_after = 2;   // falls of the server
    static constexpr int caught_after = 3;
    static constexpr std::chrono::seconds close_by{30};  // a try that broke off so long before a refused connection fell with the server

    // Whether a try of that question may be sent now. No where it is caught, or another suspect is being tried.
    [[nodiscard]] bool may_be_asked(int question, Time now) const;
    [[nodiscard]] bool caught(int question) const;
    // Where may_be_asked() said no, when to look again at the latest; tries that end are a reason to look sooner.
    [[nodiscard]] Time look_again_at(Time now) const { return now + std::chrono::seconds(1); }

    void sent(int question, Time now);
    // How a try of the question ended that was sent at `sent`. Gives the question that is caught by it, if any.
    [[nodiscard]] std::optional<int> ended(int question, Time sent, Time now, const chat::Reply& reply);

    // Falls of the server that are held against the question.
    [[nodiscard]] int falls(int question) const;

private:
    struct Fallen {
        int question;
        Time sent;
        Time at;
    };
    struct Asked {
        int question;
        Time sent;
    };

    [[nodiscard]] bool is_suspect(int question) const { return falls(question) >= suspect_after; }
    [[nodiscard]] std::optional<int> blame(Time now);

    std::map<int, int> falls_;      // by question
    std::vector<int> caught_;
    std::vector<Asked> suspects_;   // being asked
    std::vector<Fallen> fallen_;    // tries that broke off while the server was thought to be up
    std::optional<Time> down_since_;
    bool others_scored_ = false;    // since the last question was caught
    std::chrono::steady_clock::duration longest_{};  // from a try's sending to the fall, of the last fall
};

}  // namespace assay::pacing
