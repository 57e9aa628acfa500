#include "datasets/checkpoints/fused_name.hpp"

#include <fmt/format.h>

#include <array>

namespace assay::checkpoints {
namespace {

struct Role {
    std::string_view last;   // last part of the module's name
    std::string_view group;  // what servers fuse it with
};

constexpr std::array<Role, 7> roles{{{"w1", "w1, w3"},
                                     {"w3", "w1, w3"},
                                     {"gate_proj", "gate_proj, up_proj"},
                                     {"up_proj", "gate_proj, up_proj"},
                                     {"q_proj", "q_proj, k_proj, v_proj"},
                                     {"k_proj", "q_proj, k_proj, v_proj"},
                                     {"v_proj", "q_proj, k_proj, v_proj"}}};

}  // namespace

std::string fused_name(std::string_view module) {
    const auto dot = module.rfind('.');
    if (dot == std::string_view::npos) return {};
    const std::string_view last = module.substr(dot + 1);
    for (const Role& role : roles) {
        if (role.last == last) return fmt::format("{}.({})", module.substr(0, dot), role.group);
    }
    return {};
}

}  // namespace assay::checkpoints
