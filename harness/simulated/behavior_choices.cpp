// Choices that nobody asked for, and their interleaving where they were.
#include <fmt/format.h>

#include "harness/simulated/behavior_rows.hpp"
#include "harness/simulated/choices.hpp"

namespace assay::simulated {
namespace {

constexpr std::string_view index_of_choice = R"("choices":[{"index":0)";

// The same bytes with the one choice in them under another index; as they are where there is no choice.
std::string under_index(std::string_view bytes, std::int64_t index) {
    std::string copy(bytes);
    const std::size_t at = copy.find(index_of_choice);
    if (at != std::string::npos) copy.replace(at + index_of_choice.size() - 1, 1, std::to_string(index));
    return copy;
}

// Behind the last byte of the JSON value that begins at `from`.
std::size_t end_of_object(std::string_view json, std::size_t from) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = from; at < json.size(); ++at) {
        if (in_string) {
            if (json[at] == '\\') ++at;
            else if (json[at] == '"') in_string = false;
        } else if (json[at] == '"') {
            in_string = true;
        } else if (json[at] == '{') {
            ++depth;
        } else if (json[at] == '}' && --depth == 0) {
            return at + 1;
        }
    }
    return json.size();
}

class InterleavedChoices final : public Delivery {
public:
    InterleavedChoices(std::int64_t count, bool last_unfinished) : count_(count), last_unfinished_(last_unfinished) {}

    Ending pass(std::string& bytes, Place place) override {
        if (place.kind == EventKind::whole) repeat_in_list(bytes);
        else if (place.kind != EventKind::usage && place.kind != EventKind::done) repeat_events(bytes, place);
        return Ending::none;
    }

private:
    void repeat_events(std::string& bytes, Place place) const {
        std::string all;
        for (std::int64_t turn = 0; turn < count_; ++turn) {
            const std::int64_t index = (place.event + turn) % count_;
            if (last_unfinished_ && place.kind == EventKind::finish && index == count_ - 1) continue;
            all += under_index(bytes, index);
        }
        bytes = std::move(all);
    }

    void repeat_in_list(std::string& bytes) const {
        const std::size_t at = bytes.find(index_of_choice);
        if (at == std::string::npos) return;
        const std::size_t from = bytes.find('{', at);
        const std::size_t end = end_of_object(bytes, from);
        const std::string choice = R"("choices":[)" + bytes.substr(from, end - from);
        std::string further;
        for (std::int64_t index = 1; index < count_; ++index) further += "," + under_index(choice, index).substr(std::string_view(R"("choices":[)").size());
        bytes.insert(end, further);
    }

    std::int64_t count_;
    bool last_unfinished_;
};

class UnaskedChoices final : public Behavior {
public:
    UnaskedChoices(std::string_view name, const std::string& value, bool last_unfinished) : count_(parse_count(name, value)), last_unfinished_(last_unfinished) {
        if (count_ < 2 || count_ > ChatCall::most_choices) refuse_value(name, fmt::format("a whole number from 2 to {}", ChatCall::most_choices), value);
    }
    std::unique_ptr<Delivery> delivery(const Arrival&) const override { return interleaved_choices(count_, last_unfinished_); }

private:
    std::int64_t count_;
    bool last_unfinished_;
};

}  // namespace

std::unique_ptr<Delivery> interleaved_choices(std::int64_t count, bool last_unfinished) {
    return std::make_unique<InterleavedChoices>(count, last_unfinished);
}

BehaviorRows choice_rows() {
    return {
        {{"choices", "N", "N choices, interleaved, where one was asked for"},
         [](const std::string& value) { return std::make_unique<UnaskedChoices>("choices", value, false); }},
        {{"choices-unfinished", "N", "the same, and the last of them ends without a finish_reason"},
         [](const std::string& value) { return std::make_unique<UnaskedChoices>("choices-unfinished", value, true); }},
    };
}

}  // namespace assay::simulated
