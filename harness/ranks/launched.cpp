#include "harness/ranks/launched.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace assay::ranks {
namespace {

struct Launcher {
    const char* by;
    const char* count;
    const char* number;
};

constexpr std::array<Launcher, 3> launchers{{{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                             {"mpirun", "PMI_SIZE", "PMI_RANK"},
                                             {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};

std::optional<int> number_in(const char* variable) {
    const char* const value = std::getenv(variable);
    if (value == nullptr) return std::nullopt;
    const std::string_view text(value);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

}  // namespace

std::optional<Launched> launched_among() {
    for (const Launcher& launcher : launchers) {
        const std::optional<int> count = number_in(launcher.count);
        if (!count) continue;
        if (*count < 2) return std::nullopt;
        return Launched{launcher.by, launcher.count, number_in(launcher.number).value_or(0), *count};
    }
    return std::nullopt;
}

}  // namespace assay::ranks
