#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

// `tactus lab` as a user runs it.
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class LabProgram : public testing::Test {
 protected:
  LabProgram()
      : folder_(fs::temp_directory_path() /
                ("tactus_lab_" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LabProgram() override { fs::remove_all(folder_); }

  /// Returns the exit code. Output goes to out.txt and err.txt.
  int run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.string() + "' && '" TACTUS_PROGRAM "' lab " +
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

TEST_F(LabProgram, ListsItsExperiments) {
  EXPECT_EQ(run(""), 0);
  for (const char* name : {"blackbox", "stopping", "table10", "bruteforce", "methods"})
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

TEST_F(LabProgram, RefusesWhatItCannotDo) {
  EXPECT_EQ(run("alchemy"), 2);
  EXPECT_NE(read("err.txt").find("alchemy"), std::string::npos);
  EXPECT_EQ(run("blackbox --pairs 5"), 2);
  EXPECT_EQ(run("bruteforce --pairs 0"), 2);
  EXPECT_EQ(run("bruteforce --pairs 60 --page no/such/folder.md"), 2);
}

}  // namespace
