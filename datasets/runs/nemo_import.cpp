#include "datasets/runs/nemo_import.hpp"

#include <functional>

#include "datasets/runs/nemo_row_parser.hpp"
#include "harness/error.hpp"

namespace assay::runs {

std::size_t identity_of(const NemoRow& row) {
    if (!row.problem && !row.expected_answer) return 0;
    return std::hash<std::string>()(row.problem.value_or("") + '\0' + row.expected_answer.value_or("")) | 1U;
}

bool SameQuestions::fits(int row, std::size_t identity) {
    const auto place = static_cast<std::size_t>(row);
    if (place >= identities_.size()) identities_.resize(place + 1, 0);
    if (identities_[place] == 0) identities_[place] = identity;
    return identity == 0 || identities_[place] == identity;
}

NemoContents read_nemo_results(const std::string& folder, const std::function<void(NemoRow)>& visit) {
    NemoRowParser parser;
    SameQuestions same;
    return read_nemo_blocks(folder, [&](const NemoBlock& block) {
        for_each_line(block, [&](std::string_view line, int number) {
            NemoRow row;
            if (const std::string wrong = parser.parse(line, row); !wrong.empty()) throw Error(error_text(block, number, wrong));
            row.attempt.key = {block.seed, number};
            if (!same.fits(number, identity_of(row))) throw Error(error_text(block, number, std::string(other_question)));
            visit(std::move(row));
        });
    });
}

}  // namespace assay::runs
