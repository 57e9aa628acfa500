#include "datasets/runs/nemo_rows.hpp"

#include <cassert>

#include "harness/chat/outcome.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/python_json.hpp"

namespace assay::runs {
namespace {

// json.dumps of a dict: members in the order they are added, ", " and ": " between.
class Row {
public:
    void raw(const char* key, const std::string& json) {
        text_ += text_.empty() ? "{" : ", ";
        text_.append(files::python_json_string(key)).append(": ").append(json);
    }
    void text(const char* key, const std::string& value) { raw(key, files::python_json_string(value)); }
    void number(const char* key, double value) { raw(key, files::python_json_float(value)); }
    void integer(const char* key, std::int64_t value) { raw(key, std::to_string(value)); }

    // The members of an object that is JSON text already.
    void members(const std::string& object) {
        assert(object.size() > 2 && object.front() == '{' && object.back() == '}');
        text_ += text_.empty() ? "{" : ", ";
        text_.append(object, 1, object.size() - 2);
    }
    [[nodiscard]] std::string close() && { return std::move(text_) + "}"; }

private:
    std::string text_;
};

void add_answer(Row& row, const chat::Reply& reply) {
    const chat::Usage& usage = reply.usage;
    if (usage.completion_tokens) row.integer("num_generated_tokens", *usage.completion_tokens);
    if (!reply.reasoning.empty()) row.text("reasoning_content", reply.reasoning);
    if (usage.completion_tokens && usage.reasoning_tokens) {
        row.integer("num_reasoning_tokens", *usage.reasoning_tokens);
        row.integer("num_answer_tokens", *usage.completion_tokens - *usage.reasoning_tokens);
    }
    if (!reply.finish_reason.empty()) row.text("finish_reason", reply.finish_reason);
    if (usage.prompt_tokens) row.integer("num_input_tokens", *usage.prompt_tokens);
}

void add_error(Row& row, const Attempt* attempt) {
    row.integer("num_generated_tokens", 0);
    row.text("error", "See detailed_error");
    if (attempt == nullptr) {
        row.text("detailed_error", "never sent");
        return;
    }
    std::string words(chat::to_string(attempt->reply.outcome));
    if (!attempt->reply.error.empty()) words.append(": ").append(attempt->reply.error);
    row.text("detailed_error", words);
}

}  // namespace

std::string nemo_row(const Attempt* attempt, const std::string& input, const NemoVerdict& verdict) {
    const bool scored = attempt != nullptr && chat::is_scored(attempt->reply.outcome);
    Row row;
    if (scored) {
        add_answer(row, attempt->reply);
    } else {
        add_error(row, attempt);
    }
    if (attempt != nullptr && attempt->started_unix_s && attempt->ended_unix_s) {
        row.number("generation_start_time", *attempt->started_unix_s);
        row.number("generation_end_time", *attempt->ended_unix_s);
        row.number("generation_time", *attempt->ended_unix_s - *attempt->started_unix_s);
    }
    row.text("generation", scored ? attempt->reply.content : "");
    row.members(input);
    const bool predicted = scored && verdict.predicted_answer.has_value();
    row.raw("predicted_answer", predicted ? files::python_json_string(*verdict.predicted_answer) : "null");
    row.raw("symbolic_correct", scored && verdict.symbolic_correct ? "true" : "false");
    return std::move(row).close();
}

void write_nemo_results(RunReader& run, const std::string& folder, const std::vector<int>& seeds,
                        const std::vector<std::string>& inputs, const std::function<NemoVerdict(const Attempt&)>& judge) {
    for (const int seed : seeds) {
        files::AtomicFile file(folder + "/output-rs" + std::to_string(seed) + ".jsonl");
        for (std::size_t question = 0; question < inputs.size(); ++question) {
            const std::optional<Attempt> attempt = run.attempt({seed, static_cast<int>(question)});
            NemoVerdict verdict;
            if (attempt && chat::is_scored(attempt->reply.outcome)) verdict = judge(*attempt);
            file.write(nemo_row(attempt ? &*attempt : nullptr, inputs[question], verdict));
            file.write("\n");
        }
        file.commit();
    }
}

}  // namespace assay::runs
