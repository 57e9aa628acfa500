#include "reports/score/own_work_json.hpp"

#include <nlohmann/json.hpp>

namespace assay::reports {

ReportJson own_work_json(const std::vector<runs::ClientWork>& sessions) {
    ReportJson out = ReportJson::array();
    for (const runs::ClientWork& work : sessions) {
        out.push_back({{"session", work.session},
                       {"seconds", work.seconds},
                       {"mean_in_flight", work.mean_in_flight},
                       {"max_in_flight", work.max_in_flight},
                       {"target", work.target},
                       {"share_at_target", work.share_at_target},
                       {"automatic", work.automatic},
                       {"held_by_server_s", work.held_by_server_s},
                       {"held_by_rates_s", work.held_by_rates_s},
                       {"held_by_text_s", work.held_by_text_s},
                       {"delay_p50_ms", work.delay_p50_ms},
                       {"delay_p99_ms", work.delay_p99_ms},
                       {"delay_max_ms", work.delay_max_ms},
                       {"loop_cpu_share", work.loop_cpu_share},
                       {"cpu_share", work.cpu_share},
                       {"client_was_the_limit", work.client_was_the_limit()}});
    }
    return out;
}

}  // namespace assay::reports
