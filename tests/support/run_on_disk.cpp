#include "tests/support/run_on_disk.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

namespace assay::support {
namespace {

using Json = nlohmann::ordered_json;

template <class Visit>
void each_line(const std::string& path, Visit visit) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) visit(line);
}

template <class Visit>
void each_payload(const std::string& run, Visit visit) {
    each_line(run + "/journal.jsonl", [&](const std::string& line) {
        const Json record = Json::parse(line, nullptr, false);
        if (record.is_object() && record.contains("payload")) visit(record["payload"]);
    });
}

}  // namespace

std::map<std::pair<int, int>, std::string> rows_without_times(const std::string& run) {
    std::map<std::pair<int, int>, std::string> rows;
    for (const auto& entry : std::filesystem::directory_iterator(run)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind("output-rs", 0) != 0) continue;
        const int seed = std::stoi(name.substr(9));
        int question = 0;
        each_line(entry.path().string(), [&](const std::string& line) {
            Json row = Json::parse(line);
            for (const char* key : {"generation_start_time", "generation_end_time", "generation_time"}) row.erase(key);
            rows[{seed, question++}] = row.dump();
        });
    }
    return rows;
}

int records(const std::string& run, const std::string& type) {
    int count = 0;
    each_payload(run, [&](const Json& payload) { count += payload.value("type", "") == type; });
    return count;
}

int most_scored_tries(const std::string& run) {
    std::map<std::pair<int, int>, int> scored;
    each_payload(run, [&](const Json& payload) {
        if (payload.value("type", "") != "try") return;
        const std::string outcome = payload.value("outcome", "");
        if (outcome == "complete" || outcome == "truncated" || outcome == "empty" || outcome == "answer_in_reasoning" || outcome == "filtered") {
            ++scored[{payload.value("seed", -1), payload.value("question", -1)}];
        }
    });
    int most = 0;
    for (const auto& [key, count] : scored) most = std::max(most, count);
    return most;
}

}  // namespace assay::support
