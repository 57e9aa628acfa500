#include "runners/commands/walk_flags.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/parallel/workers.hpp"
#include "reports/checkpoints/audit_report.hpp"
#include "runners/commands/one_task.hpp"
#include "runners/commands/passed_over.hpp"
#include "runners/drivers/differences_file.hpp"
#include "runners/drivers/shared_walk.hpp"
#include "runners/drivers/walk_monitor.hpp"
#include "runners/terminal.hpp"
#include "runners/version.hpp"

namespace assay::runners {

using checkpoints::Opened;
using checkpoints::Pairing;

namespace {

constexpr std::int64_t usual_show = 20;  // blocks that differ

}  // namespace

void WalkFlags::declare(Flags& flags) {
    flags.option("--differences", differences_, "write every block that differs to this file, one JSON object a line");
    flags.option("--sample", sample_, "read a random part only, such as 1%; the exit code is then 3 at best");
    flags.option("--sample-seed", sample_seed_, "which part --sample draws (default: 0)");
    if (ranks_ == nullptr) {
        flags.option("--resume", resume_, "keep what is finished in this file, and go on from it where it is there");
    } else {
        flags.option("--resume", resume_,
                     "a folder that every rank sees, where they share the parts and keep what is finished; go on from it where "
                     "it is there");
    }
    flags.option("--show", show_, "how many blocks that differ are printed (default: 20)");
    flags.option("--io", io_,
                 "how bytes are read: auto maps what is in memory, reads the rest past the page cache, and uses plain "
                 "reads on network file systems",
                 {"auto", "map", "direct", "read"});
    flags.option("--threads", threads_,
                 "threads that compute; as many as there are processors unless given, and four times as many where "
                 "they wait for a disk");
}

void WalkFlags::check(bool source, bool whole) const {
    refuse_passed_over("blocks are compared with those of a --source", {{!source && show_, "--show"}});
    refuse_passed_over("no part is drawn without --sample", {{!sample_ && sample_seed_, "--sample-seed"}});
    refuse_passed_over("tensors are read whole with --source or --fingerprint", {{!source && !whole && io_ != "auto", "--io"}});
    if (show_.value_or(0) < 0) throw Error("--show must not be negative");
    if (threads_ && (*threads_ < 1 || *threads_ > 1024)) throw Error("--threads must be from 1 to 1024");
    if (differences_ && !source) throw Error("--differences needs --source: the checkpoint to compare with");
    if (differences_) require_place_for_differences(*differences_);
    if (resume_ && !source && !whole)
        throw Error("--resume needs --source or --fingerprint: any other audit of a checkpoint alone is short");
    if (sample_ && !source) throw Error("--sample needs --source: the checkpoint to compare with");
    if (sample_seed_.value_or(0) < 0) throw Error("--sample-seed must not be negative");
    (void)sample();
    if (ranks_ == nullptr && resume_ && std::filesystem::is_directory(*resume_))
        throw Error(fmt::format("{} (--resume) is a folder, as assay-mpi audit keeps one; assay audit keeps a file", *resume_));
    if (!shared()) {
        if (resume_ || differences_) require_one_task(resume_ ? *resume_ : *differences_, "assay-mpi audit", ranks_ != nullptr);
        return;
    }
    if (!source && !whole)
        throw Error("many ranks share an audit with --source or --fingerprint; a checkpoint alone is audited by one process: "
                    "assay audit");
    if (!resume_)
        throw Error("expected --resume FOLDER, one that every rank sees: there they share the parts and keep what is finished");
}

void WalkFlags::refuse(std::string_view why) const {
    refuse_passed_over(why, {{differences_.has_value(), "--differences"},
                             {sample_.has_value(), "--sample"},
                             {sample_seed_.has_value(), "--sample-seed"},
                             {resume_.has_value(), "--resume"},
                             {show_.has_value(), "--show"},
                             {io_ != "auto", "--io"},
                             {threads_.has_value(), "--threads"}});
}

unsigned WalkFlags::threads() const {
    return threads_ ? static_cast<unsigned>(*threads_) : parallel::available_threads();
}

std::optional<Sample> WalkFlags::sample() const {
    if (!sample_) return std::nullopt;
    return Sample{share_from(*sample_), static_cast<std::uint64_t>(sample_seed_.value_or(0))};
}

files::Io WalkFlags::io() const {
    if (io_ == "map") return files::Io::map;
    if (io_ == "direct") return files::Io::direct;
    return io_ == "read" ? files::Io::read : files::Io::automatic;
}

bit_exact::PairAudit WalkFlags::run(const Opened& source, const Opened& target, const Pairing& pairing, bool quiet,
                                    rules::ScalarFacts& facts) const {
    WalkProgress progress;
    Cancel cancel;
    WalkOptions options;
    options.threads = threads();
    options.most_differences = static_cast<std::size_t>(show_.value_or(usual_show));
    options.cancel = &cancel;
    options.progress = &progress;
    options.target_facts = &facts;
    options.sample = sample();
    options.io = io();
    options.state.path = resume_.value_or("");
    options.state.version = version;
    options.state.differences = differences_.value_or("");
    const WalkMonitor monitor(progress, cancel, quiet || !reports());
    if (ranks_ != nullptr && resume_) return run_shared(source, target, pairing, std::move(options));
    return run_alone(source, target, pairing, std::move(options));
}

bit_exact::PairAudit WalkFlags::run_alone(const Opened& source, const Opened& target, const Pairing& pairing,
                                          WalkOptions options) const {
    std::optional<DifferencesFile> file;
    if (differences_) {
        file.emplace(*differences_);
        options.on_difference = [&](const bit_exact::LocatedDifference& one) { file->add(reports::difference_line(one)); };
        options.state.differences_bytes = [&] { return file->flushed(); };
        options.state.keep_differences = [&](std::uint64_t bytes) { file->keep(bytes); };
    }
    bit_exact::PairAudit audit = walk_blocks(source, target, pairing, options);
    if (file) file->finish();
    return audit;
}

bit_exact::PairAudit WalkFlags::run_shared(const Opened& source, const Opened& target, const Pairing& pairing,
                                           WalkOptions options) const {
    SharedWalkOptions shared;
    shared.walk = std::move(options);
    shared.folder = *resume_;
    shared.line_of = reports::difference_line;
    shared.on_taken_up = [](const std::string& part) {
        print(stderr, fmt::format("assay-mpi audit: gone on with {}\n", part));
    };
    return walk_blocks_shared(source, target, pairing, shared, *ranks_);
}

}  // namespace assay::runners
