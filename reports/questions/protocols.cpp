#include "reports/questions/protocols.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "datasets/questions/protocol.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {

std::string protocols_text(const Look& look) {
    Table table;
    table.column("protocol", Align::left).column("its prompt", Align::left).column("choice order", Align::left).column("extractor", Align::left);
    for (const questions::Protocol& protocol : questions::protocols()) {
        table.row({protocol.name, std::string(questions::words_of(protocol.prompt.form)), std::string(protocol.order.name), std::string(protocol.extractor)});
    }
    std::string out = table.text(look) + "\n";
    for (const questions::Protocol& protocol : questions::protocols()) out += wrapped(fmt::format("{:<14}", protocol.name), protocol.about, look.width, 14);
    out += "\n";
    for (const questions::LeftOut& left_out : questions::protocols_left_out()) out += wrapped(fmt::format("no {}: ", left_out.name), left_out.why, look.width, 4);
    return out;
}

std::string protocols_json() {
    using Json = nlohmann::ordered_json;
    Json rows = Json::array();
    for (const questions::Protocol& protocol : questions::protocols()) {
        rows.push_back({{"name", protocol.name},
                        {"about", protocol.about},
                        {"prompt", protocol.prompt.name},
                        {"asks", questions::words_of(protocol.prompt.form)},
                        {"choice_order", protocol.order.name},
                        {"extractor", protocol.extractor}});
    }
    Json left_out = Json::array();
    for (const questions::LeftOut& one : questions::protocols_left_out()) left_out.push_back({{"name", one.name}, {"why", one.why}});
    return Json{{"format", "assay.protocols/1"}, {"protocols", rows}, {"left_out", left_out}}.dump(2) + "\n";
}

}  // namespace assay::reports
