#include "datasets/runs/run_writer.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <chrono>
#include <filesystem>

#include "datasets/runs/record.hpp"
#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_index.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/folder.hpp"
#include "harness/journal/frame.hpp"
#include "harness/journal/lock.hpp"
#include "harness/journal/reader.hpp"

namespace assay::runs {
namespace {

constexpr std::int64_t bytes_beside_texts = 512;  // about what a record holds besides

double unix_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string new_session_id() {
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
        number = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
                 static_cast<std::uint64_t>(::getpid());
    }
    return fmt::format("{:016x}", number);
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string without_last_slash(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

void check_same_plan(const std::string& path, const RunDocument& recorded, const Plan& wanted) {
    const std::string hash = plan_hash(wanted);
    if (recorded.plan_hash == hash) return;
    const std::vector<std::string> lines = differences(recorded.plan, wanted);
    std::string text;
    for (const std::string& line : lines) text.append(text.empty() ? "" : "; ").append(line);
    if (lines.empty()) text = fmt::format("plan_hash: this run was made with '{}', now '{}'", recorded.plan_hash, hash);
    throw Error(fmt::format("'{}' holds a run with another plan: {}; use another --out, or ask as that run did", path, text));
}

// Replies of two checkpoints are not one run. Sessions that name none are no contradiction; the report says so of them.
void check_same_weights(const std::string& path, const std::vector<Session>& sessions, const RunInfo& info) {
    if (!info.checkpoint) return;
    for (const Session& session : sessions) {
        const auto& before = session.info.checkpoint;
        if (!before || before->fingerprint == info.checkpoint->fingerprint) continue;
        throw Error(fmt::format("'{}' holds a run of weights with fingerprint {} (by {}), and --checkpoint {} is of {}: replies of two checkpoints "
                                "are not one run; use another --out",
                                path, before->fingerprint, before->report, info.checkpoint->report, info.checkpoint->fingerprint));
    }
}

// Creates the folder where there is none, and refuses one that holds anything but a run.
void prepare_folder(const std::string& path) {
    switch (kind_of_folder(path)) {
        case FolderKind::missing: files::create_folder(path); return;
        case FolderKind::empty: return;
        case FolderKind::run: return;
        case FolderKind::file: throw Error(fmt::format("'{}' is a file, and --out expects a folder: use another --out", path));
        case FolderKind::journal_only:
            throw Error(fmt::format("'{}' holds journal.jsonl but no run.json, which says what was asked: put it back, or "
                                    "use another --out",
                                    path));
        case FolderKind::nemo_results:
        case FolderKind::other:
            throw Error(fmt::format("'{}' holds files and is no run: use another --out, a new or an empty folder", path));
    }
}

std::map<AttemptKey, Standing> standings_of(const RunIndex& index) {
    std::map<AttemptKey, Standing> standings;
    for (const auto& [key, entry] : index.entries) {
        Standing& standing = standings[key];
        standing.final = entry.scored();
        standing.tries = entry.tries;
        standing.interrupted = static_cast<int>(entry.open.size());
        if (entry.recorded()) standing.outcome = entry.outcome;
    }
    return standings;
}

// A reply that no record can hold would be lost in reading: it counts as one that failed.
void append_recordable(std::string& out, TryRecord& record) {
    append_payload(out, record);
    if (static_cast<std::int64_t>(out.size()) <= journal::max_payload_bytes) return;
    out.clear();
    record.reply.outcome = chat::Outcome::malformed;
    record.reply.error = fmt::format("the reply is larger than a record may be ({} MiB)", journal::max_payload_bytes >> 20);
    append_payload(out, record);
}

}  // namespace

struct RunWriter::Parts {
    std::string path;
    Hooks hooks;
    Session session;
    std::optional<journal::Lock> lock;
    std::map<AttemptKey, Standing> standings;
    Totals totals;
    std::vector<std::string> notes;
    std::optional<journal::Writer> journal;

    void write_document(const Plan& plan, const RunInfo& info) {
        RunDocument document;
        document.created_unix_s = session.started_unix_s;
        if (kind_of_folder(path) == FolderKind::run) {
            const RunDocument recorded = read_run_document(path);
            check_same_plan(path, recorded, plan);
            document.created_unix_s = recorded.created_unix_s;
        }
        document.plan = plan;
        document.info = info;
        document.updated_unix_s = session.started_unix_s;
        files::replace_file(run_json_path(path), run_json(document));
    }

    // Reads the journal, and gives where to go on writing it.
    journal::Writer::Options read_journal() {
        journal::Writer::Options options;
        options.path = journal_path(path);
        options.failed = hooks.failed;
        if (!std::filesystem::exists(options.path)) {
            if (kind_of_folder(path) == FolderKind::run) {
                notes.push_back(fmt::format("{}: there is no journal, so everything is asked from the beginning", options.path));
            }
            return options;
        }
        journal::Reader reader(options.path);
        RunIndex index = index_of(reader, options.path, hooks.final_before);
        notes = notes_of(index, options.path, true);
        standings = standings_of(index);
        totals = std::move(index.totals);
        options.next_seq = index.scan.next_seq;
        options.whole_bytes = index.scan.whole_bytes;
        return options;
    }
};

RunWriter::RunWriter(std::string path, const Plan& plan, const RunInfo& info, Hooks hooks)
    : parts_(std::make_unique<Parts>()) {
    Parts& parts = *parts_;
    parts.path = without_last_slash(std::move(path));
    parts.hooks = std::move(hooks);
    prepare_folder(parts.path);
    parts.lock.emplace(lock_path(parts.path));
    parts.session = {new_session_id(), unix_now(), host_name(), ::getpid(), info};
    // The plan is compared before the journal is read, which may take a while; written once it is known to be readable.
    if (kind_of_folder(parts.path) == FolderKind::run) check_same_plan(parts.path, read_run_document(parts.path), plan);
    journal::Writer::Options options = parts.read_journal();
    check_same_weights(parts.path, parts.totals.sessions, info);
    parts.write_document(plan, info);
    parts.journal.emplace(std::move(options));
    files::sync_folder(parts.path);
    parts.journal->append({bytes_beside_texts, [&parts](std::string& out) { append_payload(out, parts.session); }, {}});
}

RunWriter::~RunWriter() { close(); }

const std::map<AttemptKey, Standing>& RunWriter::standings() const noexcept { return parts_->standings; }
const Totals& RunWriter::totals_before() const noexcept { return parts_->totals; }
const std::vector<std::string>& RunWriter::notes() const noexcept { return parts_->notes; }
const std::string& RunWriter::session() const noexcept { return parts_->session.id; }

void RunWriter::begin(AttemptKey key, int try_number, double unix_s) {
    parts_->journal->append({bytes_beside_texts,
                             [=, this](std::string& out) {
                                 append_payload(out, BeginRecord{key, try_number, parts_->session.id, unix_s});
                             },
                             {}});
}

void RunWriter::finished(AttemptKey key, int try_number, chat::Reply reply, double started_unix_s, double ended_unix_s, int endpoint) {
    const std::optional<int> served = parts_->session.info.endpoints.size() > 1 ? std::optional(endpoint) : std::nullopt;
    const auto record = std::make_shared<TryRecord>(
        TryRecord{key, try_number, parts_->session.id, started_unix_s, ended_unix_s, std::move(reply), served});
    journal::Entry entry;
    entry.bytes = static_cast<std::int64_t>(record->reply.reasoning.size() + record->reply.content.size()) + bytes_beside_texts;
    entry.payload = [record](std::string& out) { append_recordable(out, *record); };
    if (parts_->hooks.recorded) {
        entry.written = [record, this](const journal::Written&) { parts_->hooks.recorded(attempt_of(std::move(*record))); };
    }
    parts_->journal->append(std::move(entry));
}

void RunWriter::work(ClientWork work) {
    work.session = parts_->session.id;
    parts_->journal->append({bytes_beside_texts, [work = std::move(work)](std::string& out) { append_payload(out, work); }, {}});
}

void RunWriter::note(std::string text) {
    parts_->journal->append({bytes_beside_texts,
                             [=, this](std::string& out) {
                                 append_payload(out, NoteRecord{parts_->session.id, unix_now(), text});
                             },
                             {}});
}

void RunWriter::look(Look look) {
    look.unix_s = unix_now();
    parts_->journal->append({bytes_beside_texts,
                             [record = LookRecord{parts_->session.id, std::move(look)}](std::string& out) { append_payload(out, record); },
                             {}});
}

std::int64_t RunWriter::bytes_waiting() const noexcept { return parts_->journal->bytes_waiting(); }
std::int64_t RunWriter::refused() const noexcept { return parts_->journal->refused(); }
bool RunWriter::flush() { return parts_->journal->flush(); }

bool RunWriter::close() {
    if (!parts_->journal) return true;  // the constructor threw, or closed before
    const bool healthy = parts_->journal->close();
    parts_->lock.reset();
    return healthy;
}

}  // namespace assay::runs
