#include "reports/progress/progress_line.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace assay::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProgressLineTest : public testing::Test {
protected:
    [[nodiscard]] std::string written() {
        std::fflush(file_.get());
        std::rewind(file_.get());
        std::string text(4096, '\0');
        text.resize(std::fread(text.data(), 1, text.size(), file_.get()));
        std::fseek(file_.get(), 0, SEEK_END);
        return text;
    }

    Progress progress_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), std::fclose};
};

TEST_F(ProgressLineTest, DrawsOverItselfOnATerminal) {
    progress_.attempts = 4;
    ProgressLine line(progress_, file_.get(), true, [] { return 24; });
    line.tick(0);
    progress_.done = 1;
    line.tick(0.05);  // too soon
    line.tick(0.2);
    line.clear();
    line.clear();
    progress_.done = 4;
    line.finish(0.21);
    EXPECT_EQ(written(), "\r\033[K0 of 4 (0 %)\r\033[K1 of 4 (25 %)\r\033[K\r\033[K4 of 4 (100 %)\n");
}

TEST_F(ProgressLineTest, StaysInsideTheWindowAndAsksItsWidthEachTime) {
    progress_.attempts = 3168;
    int width = 30;
    ProgressLine line(progress_, file_.get(), true, [&] { return width; });
    line.tick(0);
    width = 19;
    line.tick(1);
    EXPECT_EQ(written(), "\r\033[K0 of 3,168 (0 %)\r\033[K0 of 3,168 (0 %)");
    width = 14;
    line.tick(2);
    EXPECT_THAT(written(), HasSubstr("\r\033[K0 of 3,168..."));
}

TEST_F(ProgressLineTest, WritesAPlainLineEveryThirtySecondsElsewhere) {
    progress_.attempts = 4;
    ProgressLine line(progress_, file_.get(), false, nullptr);
    for (int now = 0; now < 60; ++now) line.tick(now);
    EXPECT_EQ(written(), "0 of 4 (0 %) | 0 in flight | time left not known yet\n");
    line.tick(60);
    progress_.done = 4;
    line.finish(61);
    EXPECT_THAT(written(), HasSubstr("\n4 of 4 (100 %) | 0 in flight"));
    EXPECT_THAT(written(), Not(HasSubstr("\033")));
    EXPECT_THAT(written(), Not(HasSubstr("\r")));
}

}  // namespace
}  // namespace assay::reports
