// One line of a NeMo-Skills results file. Threads: a parser is one thread's.
#pragma once

#include <memory>
#include <string>

#include "datasets/runs/nemo_import.hpp"

namespace assay::runs {

class NemoRowParser {
public:
    NemoRowParser();
    ~NemoRowParser();
    NemoRowParser(const NemoRowParser&) = delete;
    NemoRowParser& operator=(const NemoRowParser&) = delete;

    // Fills everything but the key. Empty, or what is wrong with the line. The padding of a NemoBlock stands behind `line`, or
    // other lines of its block.
    std::string parse(std::string_view line, NemoRow& row);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::runs
