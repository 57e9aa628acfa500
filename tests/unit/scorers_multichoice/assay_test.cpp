// What the project's own extractor takes for a declaration, and what it does not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scorers/multichoice/judge.hpp"

using namespace assay::multichoice;

namespace {

const std::vector<std::string> kFour{"methane", "ethane and more", "5.0 eV", "none of these"};

Verdict read(std::string_view text, const std::vector<std::string>& options = kFour) {
    return judge(extractor_named("assay"), text, Options{options}, 'B');
}

struct Form {
    const char* text;
    const char* letter;
};

class Declares : public ::testing::TestWithParam<Form> {};
class DeclaresNothing : public ::testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(Declares, TheLetter) { EXPECT_EQ(read(GetParam().text).prediction, GetParam().letter) << GetParam().text; }

TEST_P(DeclaresNothing, OnOffer) {
    const Verdict verdict = read(GetParam());
    EXPECT_EQ(verdict.prediction, std::nullopt) << GetParam();
    EXPECT_FALSE(verdict.why.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Declares,
    ::testing::Values(
        Form{"Answer: B", "B"}, Form{"answer: b", "B"}, Form{"ANSWER: $D$", "D"}, Form{"Answer:\n\n**C**", "C"}, Form{"**Answer:** **B**", "B"},
        Form{"Answer: __C__", "C"}, Form{"Answer***: D", "D"}, Form{"Answer: 'C'", "C"}, Form{"Answer: \"b\"", "B"}, Form{"Answer: <C>", "C"},
        Form{"Answer\uFF1AC", "C"}, Form{"Answer: \uFF22", "B"}, Form{"Answer:\u200BC", "C"}, Form{"Answer (final): D", "D"},
        Form{"Answer: ( D )", "D"}, Form{"Answer: [[B]]", "B"}, Form{"Answer (B)", "B"}, Form{"Answer: \\(B\\)", "B"},
        Form{"Answer: $\\mathbf{D}$", "D"}, Form{"Answer: \\textbf{(B)}", "B"}, Form{"Answer: \\text{B }", "B"}, Form{"Answer \u2014 C", "C"},
        Form{"Answers: B", "B"}, Form{"Selected answer: B", "B"}, Form{"Answer: Option (C)", "C"}, Form{"Answer: C) 5.0 eV", "C"},
        Form{"**Answer: (C) 5.0 eV**", "C"}, Form{"Answer: A methane", "A"}, Form{"Answer: A. methane", "A"},
        Form{"Answer: A, because the base is weak", "A"}, Form{"Answer: **B** (ethane)", "B"}, Form{"<answer>C</answer>", "C"},
        Form{"<answer>\nB\n</answer>", "B"}, Form{"\u7B54\u6848\uFF1AC", "C"}));

INSTANTIATE_TEST_SUITE_P(
    Sentences, Declares,
    ::testing::Values(
        Form{"The answer is B.", "B"}, Form{"The answer is (b).", "B"}, Form{"answer is d.", "D"}, Form{"Thus the answer is A.", "A"},
        Form{"The final answer is a", "A"}, Form{"the correct option is **C**.", "C"}, Form{"Therefore, the correct answer is option D.", "D"},
        Form{"So the answer to this question is: C", "C"}, Form{"The best answer is therefore C", "C"}, Form{"the answer would be D", "D"},
        Form{"The correct choice would be choice C", "C"}, Form{"I choose option B.", "B"}, Form{"Option B is correct.", "B"},
        Form{"B is the correct answer.", "B"}, Form{"The correct answer is (D) none of these.", "D"}, Form{"The answer is C, not B.", "C"},
        Form{"The answer is D, since E = B c", "D"}, Form{"Answer: D. The field B is along z.", "D"},
        Form{"The answer is A and this follows from B", "A"}, Form{"My final choice: b)", "B"}));

INSTANTIATE_TEST_SUITE_P(
    Boxes, Declares,
    ::testing::Values(
        Form{"\\boxed{C}", "C"}, Form{"\\boxed{a}", "A"}, Form{"\\boxed{ A }", "A"}, Form{"\\boxed{(B)}", "B"}, Form{"\\boxed{D.}", "D"},
        Form{"\\boxed {A}", "A"}, Form{"\\fbox{A}", "A"}, Form{"\\boxed{\\text{B}}", "B"}, Form{"\\boxed{\n\\text{C}\n}", "C"},
        Form{"\\boxed{C) H_2O}", "C"}, Form{"\\boxed{B: T = 300\\,\\text{K}}", "B"}, Form{"\\boxed{\\text{A } 2.08\\times10^{-6}}", "A"},
        Form{"**Final Answer:** $\\boxed{\\text{C) 5.0 eV}}$", "C"}, Form{"$$\\boxed{\\text{Answer: C}}$$", "C"},
        Form{"\\boxed{\\textbf{B}}\n\nNote that A is larger than C.", "B"}, Form{"\\boxed{C} and so \\boxed{A", "C"},
        Form{"The final answer is\n\n$\\boxed{B}$\n\nI hope it is correct.", "B"}));

INSTANTIATE_TEST_SUITE_P(
    LastLines, Declares,
    ::testing::Values(Form{"B", "B"}, Form{"Reasoning\n\n**(C)**", "C"}, Form{"Reasoning\n\nC) 5.0 eV\n", "C"}, Form{"$$E = mc^2$$\nD)", "D"}));

INSTANTIATE_TEST_SUITE_P(
    TheLastOne, Declares,
    ::testing::Values(
        Form{"Answer: A\nWait, recheck.\nAnswer: C", "C"}, Form{"Answer: B\n\nAnswer: (C)", "C"}, Form{"\\boxed{A}\nThe final answer is B", "B"},
        Form{"The answer is A.\n\\boxed{D}", "D"}, Form{"\\boxed{7}\nAnswer: B", "B"}, Form{"\\boxed{\\Delta E}\n\n**Answer: D**", "D"},
        Form{"Answer: B\n\nWait, option C is incorrect.", "B"}, Form{"Answer: C\nAnswer: F", "C"}, Form{"Answer: B or C\nAnswer: C", "C"}));

INSTANTIATE_TEST_SUITE_P(
    Formulas, DeclaresNothing,
    ::testing::Values("\\boxed{E = mc^2}", "\\boxed{B \\times A}", "\\boxed{B_0}", "\\boxed{\\langle A\\rangle}", "\\boxed{\u0394A}", "\\boxed{7}",
                      "the answer is B = 5 T", "Answer: B \\times 3", "Answer: B2", "Answer: B\u00B2", "Answer: B-field", "Answer: C\u2013H bond",
                      "Answer: A + C", "We choose B to be along z.", "the answer is B times larger"));

INSTANTIATE_TEST_SUITE_P(Words, DeclaresNothing,
                         ::testing::Values("Answer: I think it is B", "The answer is a matter of taste.", "Answer: A long chain is formed",
                                           "A methane molecule is small.", "I", "Statement A is correct.", "MyAnswer:D", "", "Answer: K"));

INSTANTIATE_TEST_SUITE_P(NotSaidOfOne, DeclaresNothing,
                         ::testing::Values("The answer is B or C.", "Answer: B, C", "Answer: C and D", "\\boxed{A, B}", "Answer: A/B/C/D",
                                           "If the answer is B, then x = 2.", "Could the answer be B? The answer is B? Hmm.",
                                           "The answer is not B.", "(e.g. 'Answer: A')", "The last line should be of the form 'Answer: A'."));

TEST(AssayExtractor, SaysWhyThereIsNone) {
    EXPECT_EQ(read("The answer is B or C.").why, "the last declaration names several letters");
    EXPECT_EQ(read("no idea").why, "no letter on offer is declared as the answer");
    EXPECT_TRUE(read("Answer: B").why.empty());
}

TEST(AssayExtractor, TakesOnlyLettersOfThisQuestion) {
    const std::vector<std::string> ten(10, "an option");
    const std::vector<std::string> two(2, "an option");
    EXPECT_EQ(read("Answer: J", ten).prediction, "J");
    EXPECT_EQ(read("Answer: I", ten).prediction, "I");
    EXPECT_EQ(read("Answer: I think so", ten).prediction, std::nullopt);
    EXPECT_EQ(read("Answer: C", two).prediction, std::nullopt);
}
