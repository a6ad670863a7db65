#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

// `tactus fuzz` as a user runs it.
namespace {

using nlohmann::json;

class FuzzProgram : public tactus::detail::test::ProgramTest {
 protected:
  FuzzProgram() : ProgramTest("fuzz") {}
};

TEST_F(FuzzProgram, AResumedRunEqualsOneThatRanThrough) {
  EXPECT_EQ(run("--queries 300 --classes halfspace --out whole --threads 1"), 0);
  EXPECT_EQ(run("--queries 100 --classes halfspace --out parts --threads 2"), 0);
  EXPECT_EQ(run("--queries 300 --classes halfspace --out parts --resume --json"), 0);
  json whole = json::parse(read("whole/state.json"));
  json parts = json::parse(read("parts/state.json"));
  EXPECT_EQ(json::parse(read("out.txt")).at("asked"), 300);
  whole.erase("seconds");
  parts.erase("seconds");
  EXPECT_EQ(whole, parts);
}

TEST_F(FuzzProgram, WritesAPage) {
  EXPECT_EQ(run("--queries 20 --classes halfspace --page page.md"), 0);
  EXPECT_NE(read("page.md").find("\nhalfspace "), std::string::npos);
  EXPECT_NE(read("page.md").find("20 queries"), std::string::npos);
}

TEST_F(FuzzProgram, ReplaysTheQueriesOfAFile) {
  EXPECT_EQ(run("--replay '" TACTUS_SOURCE_DIR "/tests/regression/data/field_cases.jsonl'"), 0);
  EXPECT_NE(read("out.txt").find("0 findings in 35 queries"), std::string::npos);
  EXPECT_EQ(run("--replay missing.jsonl"), 2);
  std::ofstream(folder_ / "broken.jsonl") << "// none\n\nv 0 0 0\n";
  EXPECT_EQ(run("--replay broken.jsonl"), 1);
  EXPECT_EQ(read("err.txt").find("broken.jsonl:3: parse error"), 0u) << read("err.txt");
  EXPECT_NE(read("err.txt").find("broken.jsonl: holds no query\n"), std::string::npos);
}

TEST_F(FuzzProgram, WhatItCannotDoEndsWithTwo) {
  EXPECT_EQ(run("--classes no_such_class"), 2);
  EXPECT_NE(read("err.txt").find("no_such_class"), std::string::npos);
  EXPECT_EQ(run("--out parts --resume"), 2);
}

}  // namespace
