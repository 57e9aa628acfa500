#include "tests/support/nemo_folder.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace assay::support {

NemoReply nemo_reply(char c) {
    if (c == 't') return {"", "length", 16384};
    return {c == '1' ? "Answer: B" : "Answer: C", "stop", 100};
}

void write_nemo_folder(const std::string& folder, const std::vector<std::vector<NemoReply>>& replies) {
    std::filesystem::create_directories(folder);
    for (std::size_t seed = 0; seed < replies.front().size(); ++seed) {
        std::ofstream file(folder + "/output-rs" + std::to_string(seed) + ".jsonl", std::ios::binary);
        for (std::size_t question = 0; question < replies.size(); ++question) {
            const NemoReply& reply = replies[question][seed];
            const nlohmann::ordered_json row = {{"problem", "question " + std::to_string(question)}, {"expected_answer", "B"},
                                                {"generation", reply.generation}, {"finish_reason", reply.finish_reason},
                                                {"num_generated_tokens", reply.tokens}};
            file << row.dump() << "\n";
        }
    }
}

void write_nemo_folder(const std::string& folder, const std::vector<std::string>& rows) {
    std::vector<std::vector<NemoReply>> replies;
    for (const std::string& row : rows) {
        replies.emplace_back();
        for (const char c : row) replies.back().push_back(nemo_reply(c));
    }
    write_nemo_folder(folder, replies);
}

}  // namespace assay::support
