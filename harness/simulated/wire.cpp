#include "harness/simulated/wire.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "harness/error.hpp"

namespace assay::simulated {
namespace {

struct Form {
    std::string_view name;
    std::unique_ptr<Wire> (*make)();
};

constexpr std::array<Form, 6> forms = {{{"sglang", sglang_wire},
                                        {"vllm", vllm_wire},
                                        {"vllm-old", vllm_old_wire},
                                        {"openrouter", openrouter_wire},
                                        {"openai", openai_wire},
                                        {"llama.cpp", llama_cpp_wire}}};

}  // namespace

std::unique_ptr<Wire> make_wire(std::string_view name) {
    for (const Form& form : forms)
        if (form.name == name) return form.make();
    throw Error(fmt::format("no wire form '{}'; there are: {}", name, fmt::join(wire_names(), ", ")));
}

std::vector<std::string> wire_names() {
    std::vector<std::string> names;
    for (const Form& form : forms) names.emplace_back(form.name);
    return names;
}

std::string_view error_type(int status) noexcept {
    switch (status) {
        case 400: return "BadRequestError";
        case 401: return "AuthenticationError";
        case 404: return "NotFoundError";
        case 429: return "RateLimitError";
        case 503: return "ServiceUnavailableError";
        default: return status >= 500 ? "InternalServerError" : "BadRequestError";
    }
}

}  // namespace assay::simulated
