// The files of a NeMo-Skills results folder, as blocks of whole lines that can be parsed anywhere.
//
// Files: output-rs<seed>.jsonl, or a single output.jsonl (seed 0), in order of the seeds' numbers. Chunks (_chunk_) and files of
// runs that go on (-async) are passed over with a note.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::runs {

struct NemoBlock {
    std::string path;
    int seed = 0;
    int first_row = 0;          // 0-based row of the file with which it begins
    bool first_file = false;    // of the first seed
    bool cut_short = false;     // the file ends here, and not with a line feed
    std::string lines;          // each ended by a line feed, but for a last one that was cut short; simdjson's padding behind them
};

struct NemoContents {
    std::vector<int> seeds;  // in order of their numbers
    int rows = 0;            // of each file
    std::vector<std::string> notes;  // for the user, one line each
};

// Throws assay::Error for a folder without results, one that holds both kinds, a file that cannot be read, and files with different
// numbers of rows. Blocks before the error were visited.
NemoContents read_nemo_blocks(const std::string& folder, const std::function<void(NemoBlock)>& visit);

// Calls visit(line, row) for each of its lines, in order; row is its 0-based number in the file.
void for_each_line(const NemoBlock& block, const std::function<void(std::string_view line, int row)>& visit);

// "'results/output-rs3.jsonl', line 7: <wrong>", and that the file may have been cut short where it is its last line.
[[nodiscard]] std::string error_text(const NemoBlock& block, int row, const std::string& wrong);

}  // namespace assay::runs
