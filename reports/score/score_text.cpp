#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

std::string head_text(const ScoreContent& content, const Look& look) {
    std::string out;
    if (!content.simulated.empty()) {
        const std::string mark = "SIMULATED";
        const std::string line =
            wrapped(mark, "   a simulated endpoint answered, not a model: " + content.simulated, look.width, 4);
        out += tinted(mark, Tint::yellow, look) + line.substr(mark.size());
    }
    out += wrapped(content.title, "   " + content.coverage, look.width, 4);
    for (const std::vector<std::string>& line : content.identity)
        out += wrapped("", fmt::to_string(fmt::join(line, "   ")), look.width, 4);
    return out;
}

std::string facts_text(const std::vector<Fact>& facts, const Look& look) {
    std::string out;
    for (const Fact& fact : facts) out += fact_text(fact, look);
    return out;
}

}  // namespace

std::string score_text(const RunHeader& header, const statistics::Summary& summary, const Look& look,
                       const Detail& detail) {
    const ScoreContent content = score_content(header, summary, detail);
    std::string notes;
    for (const std::string& note : content.notes) notes += wrapped("note: ", note, look.width, 6);

    std::string curve = content.curve.text(look);
    if (!curve.empty()) curve = wrapped("", content.curve_words, look.width, 0) + curve;

    std::string out = head_text(content, look);
    for (const std::string& section :
         {facts_text(content.headline, look), facts_text(content.losses, look), curve, content.seeds.text(look),
          content.domains.text(look), content.subdomains.text(look), notes})
        if (!section.empty()) out += "\n" + section;
    return out;
}

}  // namespace assay::reports
