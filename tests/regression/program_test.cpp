#include "tests/support/program.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(run("planar qeury file.jsonl"), 2);
  EXPECT_EQ(
      read("err.txt"),
      "tactus planar: no subcommand is called qeury (did you mean query?); known are query\n");
  EXPECT_EQ(run("--verison"), 2);
  EXPECT_EQ(read("err.txt"),
            "tactus: no option is called --verison (did you mean --version?); known are --help, "
            "--version\n");
}

TEST_F(Program, NamesNothingInPlaceOfAWordThatIsFarFromAll) {
  EXPECT_EQ(run("planar elephant"), 2);
  EXPECT_EQ(read("err.txt"), "tactus planar: no subcommand is called elephant; known are query\n");
}

TEST_F(Program, ListsItsSubcommandsWhenNoneIsGiven) {
  EXPECT_EQ(run(""), 2);
  EXPECT_EQ(read("out.txt"), "");
  for (const char* name : {"query", "simulate", "contour"})
    EXPECT_NE(read("err.txt").find(name), std::string::npos) << name;
}

TEST_F(Program, TellsThatStandardOutputIsFull) {
  EXPECT_EQ(run("lab 2> err.txt > /dev/full || exit $? #"), 2);
  EXPECT_NE(read("err.txt").find("standard output: cannot be written: "), std::string::npos);
}

TEST_F(Program, RefusesNegativeCounts) {
  EXPECT_EQ(run("fuzz --queries -5"), 2);
  EXPECT_NE(read("err.txt").find("--queries"), std::string::npos);
  EXPECT_EQ(run("fuzz --lies 0"), 2);
  EXPECT_EQ(run("lab blackbox --seed -1"), 2);
  EXPECT_EQ(read("err.txt").find("tactus lab: --seed: must be a whole number from 0 to "), 0u);
}

TEST_F(Program, RefusesAbsurdNumbers) {
  const auto refused = [this](const std::string& arguments, const std::string& why) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    const std::string command = "tactus " + arguments.substr(0, arguments.find(' ')) + ": ";
    EXPECT_EQ(read("err.txt").find(command + why), 0u) << arguments << ": " << read("err.txt");
  };
  refused("fuzz --seed 18446744073709551616", "--seed: must be a whole number from 0 to ");
  refused("hull x.xyz --vertices 1e5", "--vertices: must be a whole number from 1 to ");
  refused("fuzz --queries 010", "--queries: must be a whole number from 1 to ");
  refused("contour x.png --points -1", "--points: must be a whole number from 3 to ");
  refused("hull x.xyz --threads 5000", "--threads: must be a whole number from 0 to 4096, is 5000");
  refused("tetrahedra --sphere 1 --edge nan", "--edge: must be positive and finite, is nan");
  refused("simulate x.json --checkpoint nan", "--checkpoint: must be finite and not negative");
  refused("mesh x.obj --scale 0", "--scale: must be positive and finite, is 0");
}

}  // namespace
