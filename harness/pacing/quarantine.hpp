// Quarantine: finds the question that takes a server down, so that it does not take the run's other replies with it.
//
// A server has gone down when tries to it break off and the next connection to it is refused. All questions that it was
// being asked then are under suspicion, once all of these tries have ended, in whatever order their ends are seen (or after
// `settled_after`, where some hang, or when the server is back); one that is answered, wherever, is free of it. A question's falls are counted over all
// servers: one that takes each of them down once is as bad as one that takes the only one down again and again.
// From the second time on a suspect is asked of a server while no other suspect is, until it is answered or has outlived
// what came before the last fall twice over. A question that was the only suspect when its server went down, for the
// third time or more, is held to be the cause where other replies were scored meanwhile: it is not asked again, of any
// server and under any seed, and the others are free.
//
// Pure but for what it remembers; instants are handed in. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "harness/chat/reply.hpp"

namespace assay::pacing {

class Quarantine {
public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr int suspect_after = 2;   // falls
    static constexpr int caught_after = 3;
    static constexpr std::chrono::seconds settled_after{5};
    static constexpr std::chrono::seconds close_by{30};  // a try that broke off so long before a refused connection fell with the server

    explicit Quarantine(std::size_t servers) : servers_(servers) {}

    // Whether a try of that question may be sent to that server now. No where it is caught, or another suspect is being
    // tried there.
    [[nodiscard]] bool may_be_asked(int question, std::size_t server, Time now) const;
    [[nodiscard]] bool caught(int question) const;
    // Where may_be_asked() said no, when to look again at the latest; tries that end are a reason to look sooner.
    [[nodiscard]] Time look_again_at(Time now) const { return now + std::chrono::seconds(1); }

    void sent(int question, std::size_t server, Time now);
    // How a try of the question ended that was sent to the server at `sent`. Gives the question that is caught by it, if any.
    [[nodiscard]] std::optional<int> ended(int question, std::size_t server, Time sent, Time now, const chat::Reply& reply);
    // A connection for something else than a question found nobody there: as ended().
    [[nodiscard]] std::optional<int> nobody_there(std::size_t server, Time now);

    // Falls of servers that are held against the question.
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
        bool suspect;
    };

    struct Server {
        std::vector<Asked> asked;    // tries that have not ended
        std::vector<Fallen> fallen;  // tries that broke off since its last fall was settled
        std::optional<Time> down_since;
        bool settled = true;  // whether the fall at down_since was held against those that were asked
    };

    [[nodiscard]] bool is_suspect(int question) const { return falls(question) >= suspect_after; }
    [[nodiscard]] std::optional<int> settle(Server& server, Time now);
    [[nodiscard]] std::optional<int> blame(Server& server, Time now);

    std::map<int, int> falls_;  // by question
    std::vector<int> caught_;
    std::vector<Server> servers_;
    bool others_scored_ = false;  // since the last question was caught
    std::chrono::steady_clock::duration longest_{};  // from a try's sending to the fall, of the last fall
};

}  // namespace assay::pacing
