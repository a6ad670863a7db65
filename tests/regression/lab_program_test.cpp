#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

// `tactus lab` as a user runs it.
namespace {

using nlohmann::json;

class LabProgram : public tactus::detail::test::ProgramTest {
 protected:
  LabProgram() : ProgramTest("lab") {}
};

TEST_F(LabProgram, ListsItsExperiments) {
  EXPECT_EQ(run(""), 0);
  for (const char* name :
       {"blackbox", "stopping", "table10", "bruteforce", "methods", "lennerz", "physics"})
    EXPECT_NE(read("out.txt").find(name), std::string::npos) << name;
}

TEST_F(LabProgram, PrintsTheVerdict) {
  EXPECT_EQ(run("blackbox"), 0) << read("out.txt");
  EXPECT_NE(read("out.txt").find("verdict: pass"), std::string::npos);
}

TEST_F(LabProgram, WritesJsonPageAndIncidents) {
  EXPECT_EQ(run("bruteforce --pairs 600 --seed 3 --json --page p.md --incidents i.jsonl"), 0);
  EXPECT_TRUE(json::parse(read("out.txt")).at("ok").get<bool>());
  EXPECT_NE(read("p.md").find("`tactus lab bruteforce --pairs 600 --seed 3 --page p.md`"),
            std::string::npos);
  EXPECT_EQ(read("i.jsonl"), "");
}

TEST_F(LabProgram, GoesOnWhereARunHasStopped) {
  EXPECT_EQ(run("ccd --pairs 12288 --seed 5 --json"), 0);
  const std::string straight = read("out.txt");
  EXPECT_EQ(run("ccd --pairs 8192 --seed 5 --out c --json"), 0);
  EXPECT_NE(read("out.txt"), straight);
  EXPECT_EQ(run("ccd --pairs 12288 --seed 5 --out c --resume --json --threads 1"), 0);
  EXPECT_EQ(read("out.txt"), straight);
  EXPECT_EQ(run("ccd --pairs 12288 --seed 6 --out c --resume"), 2);
  EXPECT_NE(read("err.txt").find("seed"), std::string::npos) << read("err.txt");
  EXPECT_EQ(run("ccd --pairs 12289 --seed 5 --out c --resume"), 0);
  EXPECT_EQ(run("ccd --pairs 20000 --seed 5 --out c --resume"), 2);
  EXPECT_NE(read("err.txt").find("4096"), std::string::npos) << read("err.txt");
  EXPECT_EQ(run("ccd --out none --resume"), 2);
  EXPECT_NE(read("err.txt").find("state.json"), std::string::npos) << read("err.txt");
  EXPECT_EQ(run("bruteforce --out c"), 2);
}

TEST_F(LabProgram, RefusesWhatItCannotDo) {
  EXPECT_EQ(run("alchemy"), 2);
  EXPECT_NE(read("err.txt").find("alchemy"), std::string::npos);
  EXPECT_EQ(run("blackbox --pairs 5"), 2);
  EXPECT_EQ(run("bruteforce --pairs 0"), 2);
  EXPECT_EQ(run("boxes --meshes none"), 2);
  EXPECT_EQ(read("err.txt"), "tactus lab: --meshes: none is no folder\n");
  EXPECT_EQ(run("table10 --pairs-from /dev/null"), 2);
  EXPECT_EQ(read("err.txt"), "tactus lab: /dev/null: holds no query\n");
  EXPECT_EQ(run("bruteforce --pairs 60 --page no/such/folder.md"), 2);
}

}  // namespace
