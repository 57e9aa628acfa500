// Every case of the golden file, by the name of its function.
#include "golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <ostream>

namespace assay::statistics::golden {

std::vector<std::int64_t> correct_of(const json& table) {
    std::vector<std::int64_t> correct;
    for (const json& row : table) {
        const auto text = row.get<std::string>();
        correct.push_back(static_cast<std::int64_t>(std::count(text.begin(), text.end(), '1')));
    }
    return correct;
}

namespace {

const json& file() {
    static const json parsed = json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    return parsed;
}

const Functions& functions() {
    static const Functions all = [] {
        Functions f;
        add_proportions(f);
        add_seeds(f);
        add_draws(f);
        add_comparisons(f);
        add_lengths(f);
        add_tables(f);
        return f;
    }();
    return all;
}

void compare(const json& expected, const json& got, double rtol, double atol, const std::string& path) {
    if (expected.is_number()) {
        ASSERT_TRUE(got.is_number()) << path;
        const double e = expected.get<double>();
        EXPECT_LE(std::fabs(got.get<double>() - e), atol + rtol * std::fabs(e)) << path << ": expected " << expected << ", got " << got;
    } else if (expected.is_object()) {
        for (const auto& [key, value] : expected.items()) {
            ASSERT_TRUE(got.contains(key)) << path << '/' << key << " is not computed";
            compare(value, got.at(key), rtol, atol, path + '/' + key);
        }
    } else if (expected.is_array()) {
        ASSERT_EQ(got.size(), expected.size()) << path;
        for (std::size_t i = 0; i < expected.size(); ++i) compare(expected[i], got[i], rtol, atol, path + '/' + std::to_string(i));
    } else {
        EXPECT_EQ(got, expected) << path;
    }
}

struct Case {
    json content;
};

// A failure shows the case by its id alone.
void PrintTo(const Case& c, std::ostream* out) { *out << c.content["id"]; }

std::vector<Case> cases() {
    std::vector<Case> out;
    for (const json& c : file()["cases"]) out.push_back({c});
    return out;
}

class GoldenCase : public ::testing::TestWithParam<Case> {};

}  // namespace

TEST_P(GoldenCase, IsReproduced) {
    const json& c = GetParam().content;
    const auto function = functions().find(c["fn"].get<std::string>());
    ASSERT_NE(function, functions().end()) << "no function for " << c["fn"];
    compare(c["expect"], function->second(c["inputs"], file()["fixtures"]), c["rtol"].get<double>(), c["atol"].get<double>(),
            c["id"].get<std::string>());
}

TEST(GoldenFile, HoldsTheCasesItSays) { EXPECT_EQ(file()["cases"].size(), file()["meta"]["n_cases"].get<std::size_t>()); }

INSTANTIATE_TEST_SUITE_P(File, GoldenCase, ::testing::ValuesIn(cases()),
                         [](const auto& instance) {
                             return std::to_string(instance.index) + "_" + instance.param.content["fn"].template get<std::string>();
                         });

}  // namespace assay::statistics::golden
