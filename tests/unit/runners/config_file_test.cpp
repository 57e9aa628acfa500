#include "runners/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::runners {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ConfigFile : public testing::Test {
protected:
    std::map<std::string, ConfigEntry> read(const std::string& text) {
        return read_config_file(folder_.write("assay.toml", text), "score", {"score", "report"});
    }
    std::string refusal(const std::string& text) {
        try {
            read(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }

private:
    support::TemporaryFolder folder_;
};

TEST_F(ConfigFile, GivesEachValueAsItWouldBeTyped) {
    const auto entries = read("model = 'kimi'\nseeds = 16\ntemperature = 0.6\nquiet = true\nbase-url = ['http://a/v1', 'http://b/v1']\n");
    EXPECT_THAT(entries.at("model").values, ElementsAre("kimi"));
    EXPECT_THAT(entries.at("seeds").values, ElementsAre("16"));
    EXPECT_THAT(entries.at("temperature").values, ElementsAre("0.6"));
    EXPECT_TRUE(entries.at("quiet").is_switch);
    EXPECT_THAT(entries.at("base-url").values, ElementsAre("http://a/v1", "http://b/v1"));
    EXPECT_EQ(entries.at("temperature").line, 3);
}

TEST_F(ConfigFile, ACommandsTableWinsOverTheTopAndOthersAreLeftAlone) {
    const auto entries = read("seeds = 4\n[score]\nseeds = 8\n[report]\nformat = 'json'\n");
    EXPECT_THAT(entries.at("seeds").values, ElementsAre("8"));
    EXPECT_EQ(entries.count("format"), 0U);
}

TEST_F(ConfigFile, ATableBecomesItsJsonText) {
    EXPECT_THAT(read("extra-body = { top_k = 20 }\n").at("extra-body").values.at(0), HasSubstr("\"top_k\" : 20"));
}

TEST_F(ConfigFile, SaysWhereTheTextIsNoToml) {
    EXPECT_THAT(refusal("model = 'kimi'\nseeds = = 3\n"), HasSubstr("assay.toml, line 2, column "));
}

TEST_F(ConfigFile, RefusesATypeNoFlagTakes) {
    EXPECT_THAT(refusal("model = 1979-05-27\n"), HasSubstr("line 1: 'model' must be"));
}

}  // namespace
}  // namespace assay::runners
