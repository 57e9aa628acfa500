// Folders of NeMo-Skills results made for a test.
#pragma once

#include <string>
#include <vector>

namespace assay::support {

struct NemoReply {
    std::string generation;
    std::string finish_reason = "stop";
    long tokens = 100;
};

// A reply from a character: '1' "Answer: B", which is right, '0' "Answer: C", 't' cut without a letter.
[[nodiscard]] NemoReply nemo_reply(char c);

// Writes folder/output-rs<seed>.jsonl, seeds from 0; replies[question][seed]. The right letter of every question is B, its
// text "question <number>".
void write_nemo_folder(const std::string& folder, const std::vector<std::vector<NemoReply>>& replies);
void write_nemo_folder(const std::string& folder, const std::vector<std::string>& rows);

}  // namespace assay::support
