#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

// `tactus fuzz` as a user runs it.
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class FuzzProgram : public testing::Test {
 protected:
  FuzzProgram()
      : folder_(fs::temp_directory_path() /
                ("tactus_fuzz_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FuzzProgram() override { fs::remove_all(folder_); }

  int run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" TACTUS_PROGRAM "' fuzz " +
                                arguments + " > out.txt 2> err.txt";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

  fs::path folder_;
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
}

TEST_F(FuzzProgram, WhatItCannotDoEndsWithTwo) {
  EXPECT_EQ(run("--classes no_such_class"), 2);
  EXPECT_NE(read("err.txt").find("no_such_class"), std::string::npos);
  EXPECT_EQ(run("--out parts --resume"), 2);
}

}  // namespace
