#include "tests/support/program.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

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

TEST_F(Program, HasAManualPageThatNamesEveryCommand) {
  ASSERT_EQ(run("--help"), 0);
  std::istringstream help(read("out.txt"));
  std::ostringstream page;
  page << std::ifstream(TACTUS_SOURCE_DIR "/docs/man/tactus.1").rdbuf();
  std::string line;
  while (std::getline(help, line) && line.rfind("Subcommands:", 0) != 0) {
  }
  int commands = 0;
  while (std::getline(help, line) && line.rfind("  ", 0) == 0) {
    if (line[2] == ' ') continue;  // a description that goes on
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_NE(page.str().find(".B " + name + "\n"), std::string::npos) << name;
    ++commands;
  }
  EXPECT_GE(commands, 9);
}

}  // namespace
