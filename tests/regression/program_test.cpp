#include "tests/support/program.hpp"

#include <gtest/gtest.h>

#include "tactus/version.hpp"

namespace {

class Program : public tactus::detail::test::ProgramTest {
 protected:
  Program() : ProgramTest("") {}
};

TEST_F(Program, TellsItsVersion) {
  EXPECT_EQ(run("--version"), 0);
  EXPECT_EQ(read("out.txt"), "tactus " TACTUS_VERSION "\n");
}

TEST_F(Program, NamesASubcommandThatDoesNotExist) {
  EXPECT_EQ(run("qeury file.jsonl"), 2);
  EXPECT_NE(read("err.txt").find("qeury"), std::string::npos);
  EXPECT_EQ(run(""), 2);
}

TEST_F(Program, RefusesNegativeCounts) {
  EXPECT_EQ(run("fuzz --queries -5"), 2);
  EXPECT_NE(read("err.txt").find("--queries"), std::string::npos);
  EXPECT_EQ(run("fuzz --lies 0"), 2);
  EXPECT_EQ(run("lab blackbox --seed -1"), 2);
}

}  // namespace
