// RunIndex: where in a journal the deciding try of each attempt lies; built in one pass, without the texts.
//
// The deciding try: the first that is scored; where none is, the last on record.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "datasets/runs/record.hpp"
#include "datasets/runs/totals.hpp"
#include "harness/journal/reader.hpp"

namespace assay::runs {

struct AttemptEntry {
    std::int64_t offset = 0;  // of the deciding try's line in the journal
    std::int64_t length = 0;  // 0: no try is on record
    chat::Outcome outcome = chat::Outcome::dropped;  // of the deciding try
    int tries = 0;            // the highest number of a try that was begun or is on record
    std::vector<int> open;    // numbers of tries begun and not on record

    [[nodiscard]] bool recorded() const noexcept { return length > 0; }
    [[nodiscard]] bool scored() const noexcept { return recorded() && chat::is_scored(outcome); }
};

struct RunIndex {
    std::map<AttemptKey, AttemptEntry> entries;
    Totals totals;
    journal::Scan scan;
    std::vector<journal::Damage> damages;
    std::vector<journal::Damage> unreadable;  // whole lines whose payload is no record of this format
};

// Reads the journal once. `on_scored`, where it is set, is given every deciding scored try, whole, in the order
// of the journal. Throws assay::Error where the file cannot be read or is of a newer format.
[[nodiscard]] RunIndex index_of(journal::Reader& journal, const std::string& path,
                                const std::function<void(const Attempt&)>& on_scored = {});

// One line for each thing a user should know of: damage, and tries whose end is not on record.
// `writing`: whether what is lost will be asked again now.
[[nodiscard]] std::vector<std::string> notes_of(const RunIndex& index, const std::string& path, bool writing);

// What a try on record says of its attempt.
[[nodiscard]] Attempt attempt_of(TryRecord record);

}  // namespace assay::runs
