// Flags that would have no effect are refused by name, before anything is read.
#include "runners/commands/passed_over.hpp"

#include <gmock/gmock.h>

#include "harness/error.hpp"
#include "tests/support/program.hpp"

namespace assay::runners {
namespace {

using testing::HasSubstr;

std::string refusal(std::initializer_list<MaybeGiven> flags) {
    try {
        refuse_passed_over("--reverse restores", flags);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(PassedOver, NamesThoseThatWereGiven) {
    EXPECT_EQ(refusal({{false, "--a"}, {false, "--b"}}), "");
    EXPECT_EQ(refusal({{false, "--a"}, {true, "--b"}}), "--b does nothing here: --reverse restores; leave it out");
    EXPECT_EQ(refusal({{true, "--a"}, {true, "--b"}}), "--a and --b do nothing here: --reverse restores; leave them out");
    EXPECT_EQ(refusal({{true, "--a"}, {true, "--b"}, {true, "--c"}}), "--a, --b and --c do nothing here: --reverse restores; leave them out");
}

struct PassedOverCase {
    const char* name;
    std::vector<std::string> args;
    const char* said;
};

class PassedOverFlags : public testing::TestWithParam<PassedOverCase> {};

TEST_P(PassedOverFlags, AreRefusedByName) {
    const auto run = support::run(GetParam().args);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    Of, PassedOverFlags,
    testing::Values(
        PassedOverCase{"Reverse", {"cast", "a", "b", "--reverse", "--dialect", "card", "--scale-sharing", "bank", "--activations", "w4a4", "--quant-algo", "W4A16_NVFP4"},
                       "--dialect, --scale-sharing, --activations and --quant-algo do nothing here: --reverse restores what the record says"},
        PassedOverCase{"ReverseInexact", {"cast", "a", "b", "--reverse", "--allow-inexact", "--verify"}, "--verify and --allow-inexact do nothing here: "},
        PassedOverCase{"StrictBytesAlone", {"audit", "a", "--strict-bytes"}, "--strict-bytes does nothing here: bytes are compared with those of a --source; "},
        PassedOverCase{"ShowAlone", {"audit", "a", "--show", "20"}, "--show does nothing here: blocks are compared with those of a --source; "},
        PassedOverCase{"IoAlone", {"audit", "a", "--io", "direct"}, "--io does nothing here: tensors are read whole with --source or --fingerprint; "},
        PassedOverCase{"SampleSeedAlone", {"audit", "a", "--source", "b", "--sample-seed", "0"}, "--sample-seed does nothing here: no part is drawn without --sample; "},
        PassedOverCase{"ListRules", {"audit", "a", "--list-rules", "--source", "b"}, "CKPT and --source do nothing here: --list-rules looks at no checkpoint; "},
        PassedOverCase{"ListRulesReading", {"audit", "--list-rules", "--sample", "1%", "--threads", "2"}, "--sample and --threads do nothing here: --list-rules looks at no checkpoint; "},
        PassedOverCase{"ListRulesDigests", {"audit", "--list-rules", "--source-digests", "f"}, "--source-digests does nothing here: --list-rules looks at no checkpoint; "},
        PassedOverCase{"ListRulesFailOn", {"audit", "--list-rules", "--fail-on", "note"}, "--fail-on does nothing here: "},
        PassedOverCase{"ListRulesFormat", {"audit", "--list-rules", "--format", "junit"}, "--list-rules prints text or json"},
        PassedOverCase{"Digests", {"inspect", "a", "--digests", "--tensor", "b"}, "--tensor does nothing here: --digests reads the whole checkpoint; "},
        PassedOverCase{"ReportLines", {"report", "a", "--format", "csv", "--questions", "--subdomains"}, "--subdomains and --questions do nothing here: "},
        PassedOverCase{"ReportLinesOfAdvice", {"report", "a", "--budget-advice", "--questions"}, "--questions does nothing here: "},
        PassedOverCase{"CompareAnyway", {"compare", "a", "--greedy", "--anyway"}, "--anyway does nothing here: only two runs differ in how they were asked; "},
        PassedOverCase{"Protocols", {"questions", "--protocols", "--limit", "3", "--include-questions"}, "--limit and --include-questions do nothing here: "},
        PassedOverCase{"NemoFile", {"questions", "sample", "--format", "nemo", "--include-questions"}, "--include-questions does nothing here: "}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(ListRules, GivesThoseThatAreLeft) {
    const std::string scale = support::run({"audit", "--list-rules", "--rules", "scale", "--ignore", "scale.one"}).out;
    EXPECT_THAT(scale, HasSubstr("scale.global "));
    EXPECT_THAT(scale, testing::Not(HasSubstr("scale.one ")));
    EXPECT_THAT(scale, testing::Not(HasSubstr("a_log.tail")));
}

}  // namespace
}  // namespace assay::runners
