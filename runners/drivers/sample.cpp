#include "runners/drivers/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "harness/error.hpp"

namespace assay::runners {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

// FNV-1a: a name's own stream of numbers.
std::uint64_t state_of(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    std::uint64_t state = seed;
    return next(state) ^ hash;
}

// part / whole of `length`, without overflow.
std::uint64_t scaled(std::uint64_t length, std::uint64_t part, std::uint64_t whole) {
    return static_cast<std::uint64_t>(static_cast<__uint128_t>(length) * part / whole);
}

}  // namespace

std::vector<RowRun> runs_of(std::uint64_t length, const std::optional<Sample>& sample, std::string_view name) {
    if (length == 0) return {};
    if (!sample || sample->fraction >= 1) return {{0, length}};
    const double ideal = std::round(static_cast<double>(length) * sample->fraction);
    const std::uint64_t wanted = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(ideal), 1, length);
    const std::uint64_t count = (wanted + longest_run - 1) / longest_run;
    std::uint64_t state = state_of(sample->seed, name);
    std::vector<RowRun> runs;
    runs.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t begin = scaled(length, i, count);
        const std::uint64_t room = scaled(length, i + 1, count) - begin;
        const std::uint64_t rows = std::min(room, scaled(wanted, i + 1, count) - scaled(wanted, i, count));
        runs.push_back({begin + next(state) % (room - rows + 1), rows});
    }
    return runs;
}

double share_from(std::string_view text) {
    const std::string whole(text);
    bool percent = false;
    if (text.ends_with('%')) {
        percent = true;
        text.remove_suffix(1);
        while (text.ends_with(' ')) text.remove_suffix(1);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (percent) value /= 100;
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || value > 1)
        throw Error(fmt::format("--sample takes a share such as 1% or 0.01, above 0 and up to 100%, not '{}'", whole));
    return value;
}

}  // namespace assay::runners
