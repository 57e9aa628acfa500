#include "runners/simulated/parameters.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"

namespace assay::runners {
namespace {

std::string error_of(const std::string& text) {
    try {
        (void)parse_simulated(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(SimulatedParameters, PrintAsACanonicalTextThatReadsBackTheSame) {
    const std::string defaults =
        "accuracy=0.9,icc=0.5,think-median=300,think-sigma=0.8,answer-tokens=24,first-token-ms=20,rate=500,speed=1,context=131072,wire=sglang";
    EXPECT_EQ(simulated_text(parse_simulated("")), defaults);
    const std::string text = simulated_text(parse_simulated("drop-rate=0.1,rate=1e3,accuracy=.8,wire=vllm,error-rate=0.05,drop-rate=0.2"));
    EXPECT_EQ(text,
              "accuracy=0.8,icc=0.5,think-median=300,think-sigma=0.8,answer-tokens=24,first-token-ms=20,rate=1000,speed=1,context=131072,wire=vllm,"
              "error-rate=0.05,drop-rate=0.2");
    EXPECT_EQ(simulated_text(parse_simulated(text)), text);
}

TEST(SimulatedParameters, TellApartWhatDecidesAnswersFromHowTheyCome) {
    EXPECT_EQ(simulated_answers_text(parse_simulated("rate=9,speed=3,first-token-ms=0,drop-rate=0.5")), simulated_answers_text(parse_simulated("")));
    EXPECT_NE(simulated_answers_text(parse_simulated("icc=0.1")), simulated_answers_text(parse_simulated("")));
}

TEST(SimulatedParameters, RefuseWhatTheyDoNotKnowAndNameTheNearest) {
    EXPECT_EQ(error_of("acuracy=1"), "simulated endpoint: no parameter 'acuracy': did you mean 'accuracy'?");
    EXPECT_EQ(error_of("drop_rate=0.1"), "simulated endpoint: no parameter 'drop_rate': did you mean 'drop-rate'?");
    EXPECT_EQ(error_of("temperature=1"), "simulated endpoint: no parameter 'temperature': `assay simulate --help` lists them");
    EXPECT_EQ(error_of("accuracy"), "simulated endpoint: accuracy needs a value, as in accuracy=0.9");
    SimulatedParameters parameters;
    EXPECT_THROW(add_behavior(parameters, "stormm=3"), Error);
    EXPECT_NE(error_of("accuracy=1.01").find("from 0 to 1"), std::string::npos);
    EXPECT_NE(error_of("accuracy=nan"), "none");
    EXPECT_NE(error_of("rate=0"), "none");
    EXPECT_NE(error_of("context=1.5"), "none");
    EXPECT_NE(error_of("wire=tgi").find("sglang, vllm"), std::string::npos);
    EXPECT_NE(error_of("drop-rate=2"), "none");
    EXPECT_EQ(error_of("accuracy=1,icc=0,think-median=0"), "none");
}

}  // namespace
}  // namespace assay::runners
