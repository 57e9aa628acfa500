#include "scorers/rules/reader_claims.hpp"

namespace assay::rules {

void check_config_refused(const RuleInput& input, std::vector<Finding>& findings) {
    for (std::size_t i = 0; i < input.readers.views.size(); ++i) {
        ReaderClaims claims("config.refused", input.opened.checkpoint.configs[i].where, findings);
        for (const readers::ReaderView& view : input.readers.views[i]) {
            if (!view.refusal.empty())
                claims.add(view.reader, Severity::error, {}, view.refusal, "the server does not load the checkpoint");
        }
        claims.finish();
    }
}

}  // namespace assay::rules
