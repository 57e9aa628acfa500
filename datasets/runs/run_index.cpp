#include "datasets/runs/run_index.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::runs {
namespace {

class Building {
public:
    Building(RunIndex& index, const std::function<void(const Attempt&)>& on_scored)
        : index_(index), on_scored_(on_scored) {}

    void add(const journal::Record&, std::monostate) {}

    void add(const journal::Record&, Session session) { index_.totals.sessions.push_back(std::move(session)); }

    void add(const journal::Record&, const BeginRecord& begin) {
        AttemptEntry& entry = index_.entries[begin.key];
        entry.tries = std::max(entry.tries, begin.try_number);
        entry.open.push_back(begin.try_number);
        saw_begin(begin.unix_s);
    }

    void add(const journal::Record& line, TryRecord record) {
        AttemptEntry& entry = index_.entries[record.key];
        std::erase(entry.open, record.try_number);
        entry.tries = std::max(entry.tries, record.try_number);
        ++index_.totals.tries;
        ++index_.totals.by_outcome[static_cast<std::size_t>(record.reply.outcome)];
        saw_begin(record.started_unix_s);
        if (record.ended_unix_s) {
            index_.totals.last_unix_s = std::max(*record.ended_unix_s, index_.totals.last_unix_s.value_or(*record.ended_unix_s));
        }
        count(record.reply);
        if (entry.scored()) return;
        entry.offset = line.offset;
        entry.length = line.length;
        entry.outcome = record.reply.outcome;
        if (on_scored_ && entry.scored()) on_scored_(attempt_of(std::move(record)));
    }

    void add(const journal::Record&, ClientWork work) {
        auto& all = index_.totals.work;
        const auto known = std::find_if(all.begin(), all.end(), [&](const ClientWork& one) { return one.session == work.session; });
        if (known == all.end()) all.push_back(std::move(work));
        else *known = std::move(work);  // each says what its process did so far
    }

    void add(const journal::Record&, NoteRecord note) {
        auto& notes = index_.totals.notes;
        if (std::find(notes.begin(), notes.end(), note.text) == notes.end()) notes.push_back(std::move(note.text));
    }

    void add(const journal::Record&, LookRecord record) { index_.totals.looks.push_back(std::move(record.look)); }

private:
    void count(const chat::Reply& reply) {
        Totals& totals = index_.totals;
        const chat::Times& times = reply.times;
        if (chat::is_scored(reply.outcome)) {
            if (reply.missing_done) ++totals.missing_done;
            if (reply.unterminated_event) ++totals.unterminated_events;
            if (reply.ignored_chunks > 0) ++totals.with_ignored_chunks;
            if (reply.accepted_without_finish) ++totals.accepted_without_finish;
        } else if (reply.outcome == chat::Outcome::dropped && times.end_ms && times.connected_ms && totals.breaks.size() < most_breaks) {
            totals.breaks.push_back({(*times.end_ms - *times.connected_ms) / 1e3,
                                     (*times.end_ms - times.last_byte_ms.value_or(*times.connected_ms)) / 1e3});
        }
    }

    void saw_begin(const std::optional<double>& unix_s) {
        if (unix_s) index_.totals.first_unix_s = std::min(*unix_s, index_.totals.first_unix_s.value_or(*unix_s));
    }

    RunIndex& index_;
    const std::function<void(const Attempt&)>& on_scored_;
};

}  // namespace

RunIndex index_of(journal::Reader& journal, const std::string& path,
                  const std::function<void(const Attempt&)>& on_scored) {
    RunIndex index;
    Building building(index, on_scored);
    RecordDecoder decoder;
    const auto depth = on_scored ? RecordDecoder::Depth::whole : RecordDecoder::Depth::outline;
    index.scan = journal.scan(
        [&](const journal::Record& line) {
            auto record = decoder.decode(line.payload, depth, path);
            if (!record) {
                index.unreadable.push_back({journal::Damage::Kind::damaged_line, line.offset, line.length, line.seq,
                                            line.seq, journal::Fault::syntax});
                return;
            }
            std::visit([&](auto& known) { building.add(line, std::move(known)); }, *record);
        },
        [&](const journal::Damage& damage) { index.damages.push_back(damage); });
    for (const auto& [key, entry] : index.entries) {
        index.totals.interrupted += static_cast<std::int64_t>(entry.open.size());
    }
    return index;
}

std::vector<std::string> notes_of(const RunIndex& index, const std::string& path, bool writing) {
    std::vector<std::string> notes;
    const char* lost = writing ? "what it held is asked again" : "what it held is missing here";
    for (const journal::Damage& damage : index.damages) {
        const bool torn = damage.kind == journal::Damage::Kind::torn_tail;
        const bool gap = damage.kind == journal::Damage::Kind::gap;
        notes.push_back(fmt::format("{}: {}{}; {}", path, describe(damage),
                                    gap    ? ""
                                    : torn ? (writing ? " and is cut off" : " and is left out")
                                           : ", set aside",
                                    gap ? (writing ? "what they held is asked again" : "what they held is missing here") : lost));
    }
    for (const journal::Damage& damage : index.unreadable) {
        notes.push_back(fmt::format("{}: record {} at byte {} is not one this program knows, set aside; {}", path,
                                    damage.first_seq, damage.offset, lost));
    }
    if (index.totals.interrupted > 0) {
        notes.push_back(fmt::format("{}: {} {} sent and how {} ended is not on record (the process ended or was stopped first, or the "
                                    "record is damaged)",
                                    path, index.totals.interrupted, index.totals.interrupted == 1 ? "try was" : "tries were",
                                    index.totals.interrupted == 1 ? "it" : "they"));
    }
    return notes;
}

Attempt attempt_of(TryRecord record) {
    Attempt attempt;
    attempt.key = record.key;
    attempt.tries = record.try_number;
    attempt.session = std::move(record.session);
    attempt.reply = std::move(record.reply);
    attempt.started_unix_s = record.started_unix_s;
    attempt.ended_unix_s = record.ended_unix_s;
    return attempt;
}

}  // namespace assay::runs
