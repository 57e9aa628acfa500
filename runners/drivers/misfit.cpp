#include "runners/drivers/misfit.hpp"

#include <fmt/format.h>

namespace assay::runners {

std::optional<std::string> misfit_note(const questions::Protocol& protocol, const multichoice::Extractor& extractor) {
    const questions::Prompt& prompt = protocol.prompt;
    if (extractor.reads.fits(prompt.form)) return std::nullopt;
    return fmt::format("extractor {} does not fit the prompt of {}: it {}, and the prompt {}, so letters may be missed or misread; --extractor {} fits",
                       extractor.name, prompt.name, extractor.reads.words, questions::words_of(prompt.form), questions::protocol_named(prompt.name).extractor);
}

}  // namespace assay::runners
