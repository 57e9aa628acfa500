// The flags of `assay score` that say how many requests go at once and in a minute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "datasets/runs/run_info.hpp"
#include "runners/commands/score_options.hpp"
#include "runners/drivers/drive.hpp"

namespace assay::runners {

inline constexpr std::int64_t most_automatic = 4096;  // requests in flight that "auto" goes up to, of one server

void declare_pacing(ScoreOptions& options, Flags& flags);
// Throws assay::Error, naming the flag.
void check_pacing(const ScoreOptions& options);

// Requests in flight: the number that --concurrency gives; nothing for "auto". Throws assay::Error for anything else.
[[nodiscard]] std::optional<std::int64_t> fixed_concurrency(const ScoreOptions& options);

// The number given, or what "auto" may go up to of one server. Raises the limit on open files as far as it may; throws
// assay::Error where the number given does not fit under it.
[[nodiscard]] std::int64_t most_in_flight(const ScoreOptions& options);

// "64 requests in flight, at most 600 requests a minute, 1024 MiB for text": for people.
[[nodiscard]] std::string pacing_text(const ScoreOptions& options);

// `most` is most_in_flight(options).
void note_pacing(const ScoreOptions& options, std::int64_t most, runs::RunInfo& info);
void set_pacing(const ScoreOptions& options, std::int64_t most, Drive& job);

}  // namespace assay::runners
