// Every value here comes from CPython 3.11's random module.
#include "datasets/questions/python_random.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "harness/files/digest.hpp"

namespace assay::questions {
namespace {

std::vector<int> up_to(int n) {
    std::vector<int> items(static_cast<std::size_t>(n));
    std::iota(items.begin(), items.end(), 0);
    return items;
}

std::string digits(const std::vector<int>& items) { return fmt::format("{}", fmt::join(items, "")); }

std::vector<std::string> shuffles(int rows) {
    PythonRandom random(42);
    std::vector<std::string> result;
    for (int row = 0; row < rows; ++row) {
        std::vector<int> items = up_to(4);
        random.shuffle(items);
        result.push_back(digits(items));
    }
    return result;
}

// Where item 3, the correct choice, comes to stand in each row.
std::string letters_of_shuffles(int rows) {
    std::string letters;
    for (const std::string& order : shuffles(rows)) letters += static_cast<char>('A' + order.find('3'));
    return letters;
}

std::string letters_of_samples(int rows) {
    PythonRandom random(0);
    std::string letters;
    for (int row = 0; row < rows; ++row) letters += static_cast<char>('A' + digits(random.sample(4)).find('0'));
    return letters;
}

TEST(PythonRandom, GivesTheOutputsOfSeed42) {
    PythonRandom random(42);
    for (const std::uint32_t expected : {2746317213U, 478163327U, 107420369U, 3184935163U, 1181241943U}) EXPECT_EQ(random.bits(32), expected);
}

TEST(PythonRandom, SeedsFromMoreThanOneWord) {
    PythonRandom random(0x123456789abcdef0);
    for (const std::uint32_t expected : {3646699384U, 2523371432U, 4144361526U, 3901169663U}) EXPECT_EQ(random.bits(32), expected);
}

TEST(PythonRandom, DrawsBelowOneUntilAZeroBit) {
    PythonRandom random(7);
    std::vector<std::uint32_t> values;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(random.below(1), 0U);
        values.push_back(random.bits(32));
    }
    EXPECT_EQ(values, (std::vector<std::uint32_t>{4071050724, 1695753998, 311111475, 1570621944, 3907149204}));
}

TEST(PythonRandom, ShufflesTheFirstRowsOfGpqaAsNeMoSkillsDoes) {
    EXPECT_EQ(fmt::format("{}", fmt::join(shuffles(16), " ")),
              "2130 3201 1320 1203 1230 1320 2103 1302 0213 2301 2130 3210 3102 2310 0132 3021");
}

TEST(PythonRandom, ShufflesAllRowsOfDiamondAsNeMoSkillsDoes) {
    EXPECT_EQ(files::sha256_hex(fmt::format("{}", fmt::join(shuffles(198), "\n"))), "40092dc0fd5e54a9590acb5335e0ddccf2d673e5933fde5756716afcfc566cdd");
    EXPECT_EQ(files::sha256_hex(letters_of_shuffles(198)), "30565eaa5599b932ba71e28e6ff8b8eb6ba0a0573ed854b8382b579e253445d9");
}

TEST(PythonRandom, ShufflesMainAndExtendedAsNeMoSkillsDoes) {
    EXPECT_EQ(files::sha256_hex(letters_of_shuffles(448)), "2cd68b744b5afa9f6f67fa101358fbfd798c66c617a7bf8f2deb3667807b2c22");
    EXPECT_EQ(files::sha256_hex(letters_of_shuffles(546)), "b8b82a68abdacc5c4446fe91903d5d8e04a95e760f3bf360e5656349465c6201");
}

TEST(PythonRandom, ShufflesTenChoices) {
    PythonRandom random(42);
    for (const char* expected : {"7328569401", "3524187069", "7502491638"}) {
        std::vector<int> items = up_to(10);
        random.shuffle(items);
        EXPECT_EQ(digits(items), expected);
    }
}

TEST(PythonRandom, SamplesAsSimpleEvalsDoes) {
    PythonRandom random(0);
    for (const char* expected : {"3102", "3120", "2301", "2031", "1302", "2103"}) EXPECT_EQ(digits(random.sample(4)), expected);
    EXPECT_EQ(files::sha256_hex(letters_of_samples(198)), "780c3c27679c985fd03ad57a95e2a866b300f88fecbec7b2c2ff16d7b6710343");
    EXPECT_EQ(files::sha256_hex(letters_of_samples(792)), "b54c9ecb89b48ed9885592c397437b727a6485ae39e16d5ec6c2ed68d8212661");
    EXPECT_EQ(files::sha256_hex(letters_of_samples(1584)), "2a2cc6595fc20e946e7a3356a0ac368cc0ba6580342e8e9ac40b584c1bb764d0");
}

}  // namespace
}  // namespace assay::questions
