// Headers: the few response headers that anybody here reads, taken from libcurl line by line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace assay::http {

class Headers {
public:
    static constexpr std::int64_t most_bytes = 256 << 10;  // of all header lines of a transfer

    // One raw line, with its line end. A status line forgets what an earlier response (1xx) said.
    // Returns false once more than most_bytes came.
    bool add(std::string_view line);

    // The last value of that header (name in lower case), or empty. Values are cut at 1 KiB.
    [[nodiscard]] std::string_view get(std::string_view name) const;

private:
    std::map<std::string, std::string, std::less<>> kept_;
    std::int64_t bytes_ = 0;
};

}  // namespace assay::http
