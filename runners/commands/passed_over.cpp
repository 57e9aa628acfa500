#include "runners/commands/passed_over.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/error.hpp"

namespace assay::runners {

void refuse_passed_over(std::string_view why, std::initializer_list<MaybeGiven> flags) {
    std::vector<std::string_view> given;
    for (const MaybeGiven& one : flags) {
        if (one.given) given.push_back(one.flag);
    }
    if (given.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const char* const joint = i == 0 ? "" : i + 1 == given.size() ? " and " : ", ";
        names += fmt::format("{}{}", joint, given[i]);
    }
    const bool one = given.size() == 1;
    throw Error(fmt::format("{} {} nothing here: {}; leave {} out", names, one ? "does" : "do", why, one ? "it" : "them"));
}

}  // namespace assay::runners
