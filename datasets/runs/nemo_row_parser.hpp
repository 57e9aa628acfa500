// One line of a NeMo-Skills results file.
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

    // Fills everything but the key. Empty, or what is wrong with the line. `line` may grow its capacity.
    std::string parse(std::string& line, NemoRow& row);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::runs
