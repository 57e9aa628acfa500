// TextBudget: whether the text of one more reply fits into memory.
//
// Text is held from its first byte until the journal has written it. A request is held back while what is held now, and
// what it and those in flight are expected to grow by, would pass the budget: each by as much as the replies that ended
// held on average, or as those in flight hold already where that is more. So requests stop before the budget is
// reached, unless all that are in flight outgrow what came before them; a reply by itself ends at
// chat::Limits::response_bytes. With nothing in flight one request may always go.
// Pure. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>

namespace assay::pacing {

class TextBudget {
public:
    // `guess`: bytes of a reply before any has ended.
    explicit TextBudget(std::int64_t bytes, std::int64_t guess = 64 << 10) : bytes_(bytes), total_(guess) {}

    // A reply of so many bytes of text was scored.
    void ended(std::int64_t text_bytes) {
        total_ += text_bytes;
        ++replies_;
    }

    [[nodiscard]] std::int64_t expected() const { return total_ / replies_; }  // bytes of a reply

    // `held` by the replies in flight, `waiting` for the journal.
    [[nodiscard]] bool room(std::int64_t in_flight, std::int64_t held, std::int64_t waiting) const {
        if (in_flight == 0) return waiting < bytes_;
        const std::int64_t growth = std::max(expected(), held / in_flight);
        return waiting + held + (in_flight + 1) * growth <= bytes_;
    }

private:
    std::int64_t bytes_;
    std::int64_t total_;
    std::int64_t replies_ = 1;  // the guess is one of them
};

}  // namespace assay::pacing
