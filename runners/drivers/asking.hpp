// Asking: what is sent for an attempt: the run's plan, the prompts, and the request of each (seed, question).
#pragma once

#include <string>
#include <vector>

#include "datasets/questions/protocol.hpp"
#include "datasets/questions/question_set.hpp"
#include "datasets/runs/attempt.hpp"
#include "datasets/runs/plan.hpp"
#include "harness/chat/request.hpp"

namespace assay::runners {

// A JSON object with its keys sorted and no spaces, so that equal settings have equal text; empty stays empty.
// Throws assay::Error, naming `flag`, for anything but a JSON object.
[[nodiscard]] std::string canonical_object(const std::string& json, const std::string& flag);

class Asking {
public:
    // `set` and `plan` are copied from; the prompts of the whole set are rendered once.
    Asking(const questions::QuestionSet& set, const questions::Protocol& protocol, runs::Plan plan);

    // The seed's number is sent as "seed"; the greedy seed has temperature 0. Throws assay::Error where the plan's
    // extra body is no JSON object.
    [[nodiscard]] chat::Request request(const runs::AttemptKey& key) const;
    // Of every question, with that seed.
    [[nodiscard]] std::vector<chat::Request> requests(int seed) const;
    [[nodiscard]] std::string body(const runs::AttemptKey& key) const { return chat::request_body(request(key)); }

private:
    runs::Plan plan_;
    std::vector<std::vector<chat::Message>> prompts_;  // by Question::number
};

}  // namespace assay::runners
