#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

constexpr double too_different = 0.01;  // p under which seeds are said to differ as whole runs, or to be too alike

void add_flips(std::vector<Fact>& out, const statistics::SeedAgreement& s) {
    const statistics::Agreement& a = *s.agreement;
    std::string words = "of the questions: two sampled seeds differ on whether it is right";
    if (a.icc) words += fmt::format("; ICC {:.2f}: the share of the spread that lies between questions", *a.icc);
    out.push_back({"flip rate", percent(a.flip_rate) + " %", words});
    if (!s.difficulty) return;
    out.push_back({"difficulty", fmt::format("{:.2f}, {:.2f}", s.difficulty->a, s.difficulty->b),
                   fmt::format("beta-binomial a and b of the questions' right rates: mean {} %, ICC {:.2f}", percent(s.difficulty->mean()),
                               s.difficulty->icc()),
                   Tint::plain, true});
}

void add_homogeneity(std::vector<Fact>& out, const statistics::SeedAgreement& s) {
    const std::string q = fmt::format("{:.1f}", s.cochran->q);
    const std::string what = fmt::format("Cochran's Q over {} sampled seeds, {:.0f} degrees of freedom", s.sampled_seeds, s.cochran->degrees);
    if (s.cochran->p < too_different) {
        out.push_back({"whole runs differ", q, fmt::format("{}: p {}: chance alone seldom does this: did something change between seeds (server, template)?", what,
                                                                p_value(s.cochran->p)),
                       Tint::yellow, true});
    } else if (s.p_as_alike && *s.p_as_alike < too_different) {
        out.push_back({"seeds too alike", q,
                       fmt::format("{}: p {} of seeds as much alike: are they samples, or answers from a cache?", what, p_value(*s.p_as_alike)),
                       Tint::yellow, true});
    } else {
        out.push_back({"as whole runs", q, fmt::format("{}: p {}: no more and no less alike than samples", what, p_value(s.cochran->p)),
                       Tint::plain, true});
    }
}

void add_copies(std::vector<Fact>& out, const statistics::SeedAgreement& s) {
    if (!s.most_alike) return;
    const statistics::CopiedSeeds& pair = *s.most_alike;
    // Short answers may well be the same twice; a seed that is mostly copies is another thing.
    const bool suspect = 2 * pair.same > pair.of;
    out.push_back({"copies", thousands(s.copies),
                   fmt::format("of {} replies repeat an earlier seed's to the same question, word for word; most: seeds {} and {}, {} of {}{}",
                               thousands(s.texts), pair.first, pair.second, thousands(pair.same), thousands(pair.of),
                               suspect ? ": they are not two samples" : ""),
                   suspect ? Tint::yellow : Tint::plain, true});
}

}  // namespace

void add_agreement(std::vector<Fact>& out, const statistics::SeedAgreement& s) {
    if (s.agreement) add_flips(out, s);
    if (s.cochran) add_homogeneity(out, s);
    add_copies(out, s);
}

}  // namespace assay::reports
