#include "datasets/runs/run_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "datasets/runs/record.hpp"
#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_index.hpp"
#include "harness/error.hpp"
#include "harness/journal/reader.hpp"

namespace assay::runs {
namespace {

constexpr int max_seeds = 100'000;

void leave_out_after_stop(RunContents& contents, const std::map<AttemptKey, AttemptEntry>& entries) {
    const std::vector<Look>& looks = contents.totals.looks;
    if (looks.empty() || looks.back().decision != decision::stop) return;
    const std::set<int> inside(looks.back().seeds.begin(), looks.back().seeds.end());
    std::vector<int> seeds;
    for (const int seed : contents.seeds) (inside.count(seed) > 0 ? seeds : contents.seeds_outside).push_back(seed);
    contents.seeds = std::move(seeds);
    for (const auto& [key, entry] : entries) {
        const bool outside = std::binary_search(contents.seeds_outside.begin(), contents.seeds_outside.end(), key.seed);
        if (outside && entry.scored()) ++contents.replies_outside;
    }
}

}  // namespace

struct RunReader::Parts {
    std::string path;
    RunContents contents;
    std::optional<journal::Reader> journal;
    std::map<AttemptKey, AttemptEntry> entries;
    RecordDecoder decoder;

    [[nodiscard]] Attempt read(const AttemptEntry& entry) {
        const journal::Record line = journal->at(entry.offset, entry.length);
        auto record = decoder.decode(line.payload, RecordDecoder::Depth::whole, path);
        TryRecord* found = record ? std::get_if<TryRecord>(&*record) : nullptr;
        if (found == nullptr) {
            throw Error(fmt::format("record {} of '{}' cannot be read: a member of it has an unexpected type", line.seq, path));
        }
        return attempt_of(std::move(*found));
    }
};

RunReader::RunReader(std::string path, const std::function<void(const Attempt&)>& on_scored) : parts_(std::make_unique<Parts>()) {
    RunDocument document = read_run_document(path);
    RunContents& contents = parts_->contents;
    contents.plan = std::move(document.plan);
    contents.plan_hash = std::move(document.plan_hash);
    contents.info = std::move(document.info);
    contents.created_unix_s = document.created_unix_s;
    parts_->path = journal_path(path);
    if (!std::filesystem::exists(parts_->path)) {
        contents.notes.push_back(fmt::format("{}: there is no journal: nothing was asked yet, or it was taken away", parts_->path));
        return;
    }
    parts_->journal.emplace(parts_->path);
    RunIndex index = index_of(*parts_->journal, parts_->path, on_scored);
    contents.notes = notes_of(index, parts_->path, false);
    contents.totals = std::move(index.totals);
    parts_->entries = std::move(index.entries);

    std::set<int> seeds;
    for (const Session& session : contents.totals.sessions) {
        // The numbers come from a file: a wrong one must not fill the memory.
        const int count = std::min({session.info.seeds, max_seeds, std::numeric_limits<int>::max() - session.info.first_seed});
        for (int i = 0; i < count; ++i) seeds.insert(session.info.first_seed + i);
        contents.rows = std::max(contents.rows, session.info.rows);
    }
    contents.seeds.assign(seeds.begin(), seeds.end());
    leave_out_after_stop(contents, parts_->entries);
    for (const auto& [key, entry] : parts_->entries) {
        if (entry.tries > 0) ++contents.attempts_tried;
        if (entry.tries > 1) ++contents.attempts_retried;
    }
}
RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

const RunContents& RunReader::contents() const noexcept { return parts_->contents; }

std::optional<Attempt> RunReader::attempt(AttemptKey key) {
    const auto found = parts_->entries.find(key);
    if (found == parts_->entries.end() || !found->second.recorded()) return std::nullopt;
    return parts_->read(found->second);
}

std::vector<std::pair<AttemptKey, chat::Outcome>> RunReader::unscored() const {
    std::vector<std::pair<AttemptKey, chat::Outcome>> found;
    for (const auto& [key, entry] : parts_->entries) {
        if (entry.recorded() && !entry.scored()) found.emplace_back(key, entry.outcome);
    }
    return found;
}

void RunReader::for_each(const std::function<void(Attempt)>& visit) {
    std::vector<const AttemptEntry*> in_order;
    for (const auto& [key, entry] : parts_->entries) {
        if (entry.recorded()) in_order.push_back(&entry);
    }
    std::sort(in_order.begin(), in_order.end(),
              [](const AttemptEntry* a, const AttemptEntry* b) { return a->offset < b->offset; });
    for (const AttemptEntry* entry : in_order) visit(parts_->read(*entry));
}

RunContents read_run(const std::string& path, const std::function<void(Attempt)>& visit) {
    RunReader reader(path);
    reader.for_each(visit);
    return reader.contents();
}

}  // namespace assay::runs
