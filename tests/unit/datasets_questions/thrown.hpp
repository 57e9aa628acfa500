// The message of the assay::Error that an action throws.
#pragma once

#include <string>

#include "harness/error.hpp"

namespace assay::questions {

template <class Action>
[[nodiscard]] std::string thrown(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace assay::questions
