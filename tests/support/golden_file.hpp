// Golden files: what a renderer printed when somebody last looked at it and found it right.
//
// To accept a change: run the test with ASSAY_ACCEPT_GOLDEN=1, read the difference, commit it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace assay::support {

inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// `name` is relative to tests/data.
inline void expect_golden(const std::string& name, const std::string& text) {
    const std::string path = ASSAY_TEST_DATA "/" + name;
    if (std::getenv("ASSAY_ACCEPT_GOLDEN") != nullptr) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    EXPECT_EQ(text, file_text(path)) << "differs from tests/data/" << name;
}

}  // namespace assay::support
