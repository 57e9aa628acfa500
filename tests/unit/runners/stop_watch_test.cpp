#include "runners/drivers/stop_watch.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "harness/error.hpp"
#include "runners/drivers/dispatch_order.hpp"

namespace assay::runners {
namespace {

using runs::AttemptKey;
using runs::Look;

constexpr int questions = 40;

questions::QuestionSet set_of(int count) {
    questions::QuestionSet set;
    for (int i = 0; i < count; ++i) {
        questions::Question question;
        question.number = i;
        question.choices = {"a", "b", "c", "d"};
        set.questions.push_back(question);
    }
    return set;
}

statistics::Cell cell(bool right) {
    statistics::Cell cell;
    cell.state = statistics::CellState::complete;
    cell.correct = right;
    cell.prediction = right ? "A" : "B";
    return cell;
}

// Right answers: 38 of 40 in seed 2, else 36 or 37.
bool is_right(const AttemptKey& key) { return key.question >= (key.seed == 2 ? 2 : 3 + key.seed % 2); }

std::vector<int> seeds(int count) {
    std::vector<int> list;
    for (int i = 0; i < count; ++i) list.push_back(i);
    return list;
}

std::vector<AttemptKey> keys(int seeds_asked) {
    std::vector<int> numbers;
    for (int i = 0; i < questions; ++i) numbers.push_back(i);
    return dispatch_order_by_seed(seeds(seeds_asked), numbers);
}

StopRule precision(double points) { return *parse_stop_rule("this-test<=" + std::to_string(points), std::nullopt, std::nullopt); }

// The looks of a run whose replies come in that order, asked for after each `every` of them.
std::vector<Look> looks_of(const std::vector<AttemptKey>& order, int seeds_asked, double points, int every) {
    const auto set = set_of(questions);
    StopWatch watch(precision(points), std::nullopt, set);
    (void)watch.open({}, seeds(seeds_asked));
    std::vector<Look> all;
    for (std::size_t i = 0; i < order.size(); ++i) {
        watch.judged(order[i], cell(is_right(order[i])));
        if ((static_cast<int>(i) + 1) % every != 0 && i + 1 != order.size()) continue;
        for (Look& look : watch.due()) all.push_back(std::move(look));
    }
    return all;
}

TEST(StopRule, IsReadFromItsWordsAndRefusesOthers) {
    EXPECT_DOUBLE_EQ(*parse_stop_rule("this-test<=0.7", {}, {})->half_width, 0.007);
    EXPECT_FALSE(parse_stop_rule({}, {}, {}));
    const auto gate = parse_stop_rule("gate-decided", 2.0, "runs/a");
    EXPECT_DOUBLE_EQ(*gate->margin, 0.02);
    EXPECT_EQ(gate->text, "gate-decided, margin 2, reference runs/a");
    for (const char* wrong : {"this-test<=", "this-test<=0", "this-test<=x", "this-test<0.7", "this-test<=1e9", "this-test<=0.7 ", "soon", ""}) {
        EXPECT_THROW((void)parse_stop_rule(wrong, {}, {}), Error) << wrong;
    }
    EXPECT_THROW((void)parse_stop_rule("gate-decided", 2.0, {}), Error);
    EXPECT_THROW((void)parse_stop_rule("gate-decided", {}, "runs/a"), Error);
    EXPECT_THROW((void)parse_stop_rule("this-test<=1", 2.0, {}), Error);
    EXPECT_THROW((void)parse_stop_rule({}, {}, "runs/a"), Error);
}

TEST(StopWatch, LooksAfterWholeSeedsFromTheFifthOnAndStopsWhereTheIntervalIsNarrowEnough) {
    const auto looks = looks_of(keys(16), 16, 1.8, 1);
    ASSERT_GE(looks.size(), 2U);
    EXPECT_EQ(looks.front().seeds, seeds(5));
    for (std::size_t i = 0; i + 1 < looks.size(); ++i) {
        EXPECT_EQ(looks[i].decision, "go on");
        EXPECT_GT(*looks[i].half_width, 0.018);
    }
    EXPECT_EQ(looks.back().decision, "stop");
    EXPECT_LE(*looks.back().half_width, 0.018);
    EXPECT_LT(looks.back().seeds.size(), 16U);
}

TEST(StopWatch, DecidesTheSameInWhateverOrderRepliesCome) {
    const auto expected = looks_of(keys(16), 16, 1.8, 1);
    std::mt19937 random(5);
    for (int i = 0; i < 5; ++i) {
        auto order = keys(16);
        std::shuffle(order.begin(), order.end(), random);
        const auto looks = looks_of(order, 16, 1.8, 1 + i * 60);
        ASSERT_EQ(looks.size(), expected.size());
        for (std::size_t j = 0; j < looks.size(); ++j) {
            EXPECT_EQ(looks[j].seeds, expected[j].seeds);
            EXPECT_EQ(looks[j].decision, expected[j].decision);
            EXPECT_EQ(looks[j].half_width, expected[j].half_width);
        }
    }
}

// Five seeds of 38 right each, by luck: their scores show no spread, their questions do.
TEST(StopWatch, IsNotStoppedBySeedsThatCameToTheSameScoreByLuck) {
    const auto set = set_of(questions);
    StopWatch watch(precision(0.5), std::nullopt, set);
    (void)watch.open({}, seeds(16));
    for (const AttemptKey& key : keys(5)) watch.judged(key, cell(key.question != 2 * key.seed && key.question != 2 * key.seed + 1));
    const auto due = watch.due();
    ASSERT_EQ(due.size(), 1U);
    EXPECT_EQ(due.front().decision, "go on");
    EXPECT_GT(*due.front().half_width, 0.02);
    EXPECT_FALSE(watch.stopped());
}

TEST(StopWatch, SaysWhereTheLastSeedDidNotMeetTheRule) {
    const auto looks = looks_of(keys(8), 8, 0.1, 7);
    ASSERT_EQ(looks.size(), 4U);
    EXPECT_EQ(looks.back().decision, "end");
    EXPECT_EQ(looks.back().seeds, seeds(8));
}

// A process that ended between a look and its record leaves the replies: the next one makes the same look.
TEST(StopWatch, MakesAnUnrecordedLookAgainAndARecordedOneNot) {
    const auto set = set_of(questions);
    const auto all = looks_of(keys(16), 16, 1.8, 1);
    const Look begin = [] {
        Look look;
        look.rule = precision(1.8).text;
        look.decision = "begin";
        return look;
    }();
    for (std::size_t recorded = 0; recorded < all.size(); ++recorded) {
        std::vector<Look> earlier{begin};
        earlier.insert(earlier.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(recorded));
        StopWatch watch(precision(1.8), std::nullopt, set);
        for (const AttemptKey& key : keys(static_cast<int>(all.back().seeds.size()))) watch.judged(key, cell(is_right(key)));
        EXPECT_TRUE(watch.open(earlier, seeds(16)).empty());
        const auto due = watch.due();
        ASSERT_EQ(due.size(), all.size() - recorded);
        EXPECT_EQ(due.back().seeds, all.back().seeds);
        EXPECT_EQ(due.back().half_width, all.back().half_width);
        EXPECT_TRUE(watch.stopped());
    }
}

TEST(StopWatch, StaysStoppedByTheSameRuleAndGoesOnByAnother) {
    const auto set = set_of(questions);
    const auto all = looks_of(keys(16), 16, 1.8, 1);
    StopWatch same(precision(1.8), std::nullopt, set);
    EXPECT_TRUE(same.open(all, seeds(32)).empty());
    EXPECT_EQ(same.stopped()->seeds, all.back().seeds);
    StopWatch other(precision(1.0), std::nullopt, set);
    for (const AttemptKey& key : keys(6)) other.judged(key, cell(is_right(key)));
    const auto records = other.open(all, seeds(32));
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].decision, "lifted");
    EXPECT_EQ(records[0].rule, precision(1.8).text);
    EXPECT_EQ(records[1].decision, "begin");
    EXPECT_EQ(records[1].seeds, seeds(6));
    EXPECT_FALSE(other.stopped());
    EXPECT_TRUE(lifted_stop(all, seeds(32)));
    EXPECT_FALSE(lifted_stop(all, all.back().seeds));
}

TEST(StopWatch, NeverLeavesOutSeedsThatWereWholeWhenTheRuleCame) {
    const auto set = set_of(questions);
    StopWatch watch(precision(50), std::nullopt, set);
    for (const AttemptKey& key : keys(9)) watch.judged(key, cell(is_right(key)));
    EXPECT_EQ(watch.open({}, seeds(16)).front().seeds, seeds(9));
    const auto due = watch.due();
    ASSERT_EQ(due.size(), 1U);
    EXPECT_EQ(due.front().seeds, seeds(9));
    EXPECT_EQ(due.front().decision, "stop");
}

TEST(StopWatch, DecidesAGateAtStricterBoundsBeforeTheLastSeed) {
    const auto set = set_of(questions);
    statistics::SeedTable reference;
    reference.seeds = seeds(8);
    for (int q = 0; q < questions; ++q) {
        reference.questions.push_back(q);
        for (int s = 0; s < 8; ++s) reference.cells.push_back(cell(true));
    }
    reference.domains.resize(questions);
    reference.subdomains.resize(questions);
    StopWatch watch(*parse_stop_rule("gate-decided", 10.0, "ref"), reference, set);
    (void)watch.open({}, seeds(8));
    for (const AttemptKey& key : keys(8)) watch.judged(key, cell(key.question % 2 == 0));
    const auto due = watch.due();
    ASSERT_EQ(due.size(), 1U);
    EXPECT_EQ(due.front().seeds, seeds(4));
    EXPECT_EQ(due.front().verdict, "FAIL");
    EXPECT_EQ(due.front().level, 0.999);
    EXPECT_EQ(due.front().decision, "stop");
}

}  // namespace
}  // namespace assay::runners
