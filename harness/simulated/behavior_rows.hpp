// The tables of behaviours, a file a subject. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulated/behavior.hpp"

namespace assay::simulated {

struct BehaviorRow {
    BehaviorHelp help;
    std::function<std::unique_ptr<Behavior>(const std::string& value)> make;
};
using BehaviorRows = std::vector<BehaviorRow>;

[[nodiscard]] BehaviorRows page_rows();      // what a GET finds
[[nodiscard]] BehaviorRows refusal_rows();   // an answer in place of the reply
[[nodiscard]] BehaviorRows outage_rows();    // no answer at all, and servers that go away
[[nodiscard]] BehaviorRows text_rows();      // what the model says
[[nodiscard]] BehaviorRows claim_rows();     // what the server says of itself, and holds or not
[[nodiscard]] BehaviorRows choice_rows();   // more choices than were asked for
[[nodiscard]] BehaviorRows event_rows();     // events left out, changed and added
[[nodiscard]] BehaviorRows sending_rows();   // framing, pieces and pace
[[nodiscard]] BehaviorRows breaking_rows();  // replies that break off

// A row's maker: the class from the value, or from fixed arguments.
template <class Kind>
std::unique_ptr<Behavior> from_value(const std::string& value) {
    return std::make_unique<Kind>(value);
}
template <class Kind, class... Arguments>
auto fixed(Arguments... arguments) {
    return [arguments...](const std::string&) -> std::unique_ptr<Behavior> { return std::make_unique<Kind>(arguments...); };
}

// Values, or assay::Error naming the behaviour.
[[nodiscard]] double parse_share(std::string_view name, const std::string& text);
[[nodiscard]] std::int64_t parse_count(std::string_view name, const std::string& text);
[[noreturn]] void refuse_value(std::string_view name, std::string_view expected, std::string_view found);

}  // namespace assay::simulated
