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

TEST(SimulatedParameters, RefuseWhatTheyDoNotKnowAndSayWhatThereIs) {
    EXPECT_NE(error_of("acuracy=1").find("accuracy, icc, think-median"), std::string::npos) << error_of("acuracy=1");
    EXPECT_NE(error_of("acuracy=1").find("drop-rate"), std::string::npos);
    EXPECT_NE(error_of("accuracy"), "none");
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
