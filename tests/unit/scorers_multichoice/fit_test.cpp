// Which endings each extractor is made for.
#include <gtest/gtest.h>

#include "scorers/multichoice/judge.hpp"

namespace assay::multichoice {
namespace {

using questions::AnswerForm;

// A reply that does what the prompt asks, and nothing else.
constexpr struct {
    AnswerForm form;
    std::string_view reply;
} kObedient[]{{AnswerForm::answer_line, "It is the second.\n\nAnswer: B"}, {AnswerForm::boxed_line, "It is the second.\n\nAnswer: \\boxed{B}"}};

TEST(Fit, AnExtractorThatFitsReadsWhatThePromptAsksFor) {
    const std::vector<std::string> choices{"one", "two", "three", "four"};
    for (const Extractor& extractor : extractors()) {
        for (const auto& [form, reply] : kObedient) {
            if (!extractor.reads.fits(form)) continue;
            EXPECT_TRUE(judge(extractor, reply, Options{choices}, 'B').correct) << extractor.name << ": " << reply;
        }
    }
}

TEST(Fit, LinesAloneAreReadByTheExtractorsThatKnowNoBox) {
    for (const char* name : {"simple-evals", "inspect", "opencompass"}) {
        const std::vector<std::string> choices{"one", "two", "three", "four"};
        EXPECT_FALSE(judge(extractor_named(name), "Answer: \\boxed{B}", Options{choices}, 'B').correct) << name;
        EXPECT_FALSE(extractor_named(name).reads.fits(AnswerForm::boxed_line)) << name;
    }
}

TEST(Fit, EveryExtractorSaysWhatItReads) {
    for (const Extractor& extractor : extractors()) {
        EXPECT_NE(extractor.reads.forms, 0U) << extractor.name;
        EXPECT_FALSE(extractor.reads.words.empty()) << extractor.name;
    }
}

}  // namespace
}  // namespace assay::multichoice
