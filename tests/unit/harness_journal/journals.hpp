// Writing and scanning small journals in tests.
#pragma once

#include <string>
#include <vector>

#include "harness/journal/frame.hpp"
#include "harness/journal/reader.hpp"
#include "harness/journal/writer.hpp"

namespace assay::journal::tests {

struct Seen {
    std::vector<std::string> payloads;
    std::vector<std::int64_t> seqs;
    std::vector<Record> records;  // their payloads are gone
    std::vector<Damage> damages;
    Scan scan;
};

inline Seen scan_file(const std::string& path) {
    Seen seen;
    Reader reader(path);
    seen.scan = reader.scan(
        [&](const Record& record) {
            seen.payloads.emplace_back(record.payload);
            seen.seqs.push_back(record.seq);
            seen.records.push_back(record);
        },
        [&](const Damage& damage) { seen.damages.push_back(damage); });
    return seen;
}

inline Entry entry_of(std::string payload) {
    const auto bytes = static_cast<std::int64_t>(payload.size());
    return {bytes, [payload = std::move(payload)](std::string& out) { out += payload; }, {}};
}

// {"n":1}, {"n":2}, ... with texts of different lengths behind.
inline std::string payload_of(int number, std::size_t text = 0) {
    return "{\"n\":" + std::to_string(number) + ",\"t\":\"" + std::string(text, 'x') + "\"}";
}

inline std::string journal_of(int records, std::size_t text = 0) {
    std::string bytes;
    for (int i = 1; i <= records; ++i) append_line(bytes, i, payload_of(i, text));
    return bytes;
}

inline Writer::Options continuing(const std::string& path, const Scan& scan) {
    Writer::Options options;
    options.path = path;
    options.next_seq = scan.next_seq;
    options.whole_bytes = scan.whole_bytes;
    return options;
}

}  // namespace assay::journal::tests
