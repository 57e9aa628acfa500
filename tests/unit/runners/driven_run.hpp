// A run against simulated servers, driven below the command line, with the settings of the dispatch at hand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "datasets/questions/protocol.hpp"
#include "datasets/questions/question_set.hpp"
#include "datasets/runs/run_reader.hpp"
#include "runners/drivers/asking.hpp"
#include "runners/drivers/drive.hpp"
#include "runners/simulated/embedded_endpoint.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::runners {

class DrivenRun {
public:
    // One server for each of these parameters, all with the key of the sample questions.
    explicit DrivenRun(const std::vector<std::string>& servers) {
        for (const auto& parameters : servers) {
            servers_.push_back(embedded_endpoint(parse_simulated(parameters), "simulated", set_, protocol_));
            job.servers.push_back({});
            job.servers.back().endpoint.base_url = servers_.back()->base_url();
        }
        job.lanes.model = "simulated";
    }

    // Asks `questions` under each of `seeds`; what the client recorded of its own work.
    runs::ClientWork run(int questions, int seeds) {
        runs::Plan plan;
        plan.model = "simulated";
        plan.budget = 100'000;
        plan.budget_field = "max_tokens";
        runs::RunInfo info;
        info.endpoints.assign(servers_.size(), "simulated:");
        const Asking asking(set_, protocol_, plan);
        for (int seed = 0; seed < seeds; ++seed) {
            for (int question = 0; question < questions; ++question) job.work.push_back({{seed, question}, 0});
        }
        job.body = [&](const runs::AttemptKey& key) { return asking.body(key); };
        job.given_up = [](const runs::AttemptKey&) {};
        runs::RunWriter writer(folder_.path("run"), plan, info, {});
        StopRequest stop;
        end = drive(std::move(job), writer, progress, signals_, stop, nullptr);
        writer.close();
        contents = runs::RunReader(folder_.path("run")).contents();
        return contents.totals.work.empty() ? runs::ClientWork{} : contents.totals.work.front();
    }

    [[nodiscard]] const simulated::Counters& server(std::size_t index = 0) const { return servers_[index]->counters(); }

    Drive job;
    DriveEnd end;
    Progress progress;
    runs::RunContents contents;

private:
    loop::BlockedSignals signals_;
    support::TemporaryFolder folder_;
    const questions::Protocol protocol_ = questions::protocol_named("nemo");
    questions::QuestionSet set_ = questions::load_questions("sample", protocol_);
    std::vector<std::unique_ptr<simulated::InProcessEndpoint>> servers_;
};

}  // namespace assay::runners
