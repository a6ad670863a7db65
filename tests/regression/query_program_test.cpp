#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/effort.hpp"
#include "tests/support/program.hpp"

// `tactus query` as a user runs it.
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class QueryProgram : public tactus::detail::test::ProgramTest {
 protected:
  QueryProgram() : ProgramTest("query") {}

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  static std::string balls(int id, double distance) {
    return "{\"id\":" + std::to_string(id) +
           R"(,"a":{"type":"sphere","radius":1},"b":{"type":"sphere","radius":1},"pose_b":[1,0,0,)" +
           std::to_string(distance) + R"(,0,1,0,0,0,0,1,0],"ask":"distance"})";
  }
};

// Parameters of the sources' own methods are taken, and refused by name where there are none.
TEST_F(QueryProgram, TakesTheParametersOfTheSources) {
  const std::string boxes =
      R"("a":{"type":"box","size":[1,1,1]},"b":{"type":"box","size":[1,1,1]},)"
      R"("pose_b":{"position":[0.7,0.4,0]})";
  const std::string spheres =
      R"("a":{"type":"sphere","radius":0.5},"b":{"type":"sphere","radius":0.5},)"
      R"("pose_b":{"position":[4,0,0]},"ask":"cast","motion":{"a":[6,0,0],"b":[0,0,0]})";
  write("q.jsonl", "{" + boxes + R"(,"ask":"distance","method":"mpr","ray":[0,1,0]})" + "\n{" +
                       boxes +
                       R"(,"ask":"distance","method":"epa_classic","eps":1e-3,"margin":0.01})" +
                       "\n{" + spheres + R"(,"swept":true,"parting":true})" + "\n{" + boxes +
                       R"(,"ask":"distance","eps":1e-3})" + "\n{" + boxes +
                       R"(,"ask":"distance","swept":true})" + "\n{" + boxes +
                       R"(,"ask":"distance","method":"mpr","ray":[0,1]})" + "\n");
  EXPECT_EQ(run("q.jsonl"), 1);
  std::istringstream out(read("out.txt"));
  std::vector<json> answers;
  for (std::string line; std::getline(out, line);) answers.push_back(json::parse(line));
  ASSERT_EQ(answers.size(), 6U);
  // Along y the boxes are freed by 0.6, not by the least depth of 0.3.
  const json& portal = answers[0].at("literal");
  EXPECT_NEAR(portal.at("ray_upper").get<double>(), 0.6, 1e-7);
  EXPECT_LE(answers[0].at("lower").get<double>(), -0.3);
  EXPECT_GE(answers[0].at("upper").get<double>(), -0.3);
  EXPECT_NEAR(answers[1].at("literal").at("distance").get<double>(), -0.3, 1e-3);
  EXPECT_EQ(answers[2].at("swept_overlap"), true);
  EXPECT_EQ(answers[2].at("meeting").at("first"), 0.5);
  EXPECT_DOUBLE_EQ(answers[2].at("meeting").at("last").get<double>(), 5.0 / 6.0);
  EXPECT_NEAR(answers[2].at("time").get<double>(), 0.5, 1e-12);
  for (const std::size_t i : {3U, 4U, 5U}) EXPECT_EQ(answers[i].at("status"), "invalid_input");
  EXPECT_NE(answers[3].at("error").get<std::string>().find("eps"), std::string::npos);
  EXPECT_NE(answers[4].at("error").get<std::string>().find("swept"), std::string::npos);
  EXPECT_NE(answers[5].at("error").get<std::string>().find("ray"), std::string::npos);
}

TEST_F(QueryProgram, AnswersInTheOrderOfTheLines) {
  write("q.jsonl", "// a comment\n\n" + balls(1, 3) + "\n" + balls(2, 4) + "\n");
  EXPECT_EQ(run("q.jsonl"), 0);
  std::istringstream out(read("out.txt"));
  std::string line;
  for (int id = 1; id <= 2; ++id) {
    ASSERT_TRUE(std::getline(out, line));
    EXPECT_EQ(json::parse(line).at("id"), id);
    EXPECT_DOUBLE_EQ(json::parse(line).at("distance").get<double>(), id);
  }
  EXPECT_FALSE(std::getline(out, line));
}

TEST_F(QueryProgram, ABrokenLineAmongManyIsAnsweredAlone) {
  const int count = tactus::detail::test::effort(100000);
  const int broken = count / 3;
  {
    std::ofstream file(folder_ / "q.jsonl");
    for (int i = 0; i < count; ++i) {
      file << (i == broken ? "{\"id\":\"broken\",\"a\":" : balls(i, 3)) << '\n';
    }
  }
  EXPECT_EQ(run("q.jsonl --out answers.jsonl"), 1);
  EXPECT_NE(read("err.txt").find("q.jsonl:" + std::to_string(broken + 1) + ":"), std::string::npos);
  std::ifstream answers(folder_ / "answers.jsonl");
  std::string line;
  int lines = 0, converged = 0;
  for (; std::getline(answers, line); ++lines) {
    const json answer = json::parse(line);
    if (lines == broken) {
      EXPECT_EQ(answer.at("status"), "invalid_input");
    } else {
      EXPECT_EQ(answer.at("id"), lines);
      converged += answer.at("status") == "converged" ? 1 : 0;
    }
  }
  EXPECT_EQ(lines, count);
  EXPECT_EQ(converged, count - 1);
}

TEST_F(QueryProgram, FilesOfHullsAreRelativeToTheQueryFile) {
  fs::create_directories(folder_ / "sub");
  write("sub/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
  write("sub/q.jsonl", R"({"a":{"type":"convex","file":"t.obj"},"b":{"type":"sphere","radius":1},)"
                       R"("pose_b":[1,0,0,3,0,1,0,0,0,0,1,0],"ask":"distance"})"
                       "\n");
  EXPECT_EQ(run("sub/q.jsonl"), 0);
  EXPECT_DOUBLE_EQ(json::parse(read("out.txt")).at("distance").get<double>(), 1.0);
}

TEST_F(QueryProgram, AMissingFileEndsWithTwo) {
  EXPECT_EQ(run("missing.jsonl"), 2);
  EXPECT_NE(read("err.txt").find("missing.jsonl"), std::string::npos);
}

TEST_F(QueryProgram, AFolderThatCannotBeWrittenEndsWithTwo) {
  write("q.jsonl", balls(1, 3) + "\n");
  EXPECT_EQ(run("q.jsonl --out no/such/folder/answers.jsonl"), 2);
  EXPECT_FALSE(fs::exists(folder_ / "no"));
}

TEST_F(QueryProgram, CheckComparesWithTheRightAnswers) {
  const auto with_right = [](const std::string& line, double right) {
    json query = json::parse(line);
    query["class"] = "sep";
    query["right"] = {{"signed_distance", right}, {"lower", right}, {"upper", right}};
    return query.dump() + "\n";
  };
  write("good.jsonl", with_right(balls(1, 3), 1.0));
  EXPECT_EQ(run("good.jsonl --check"), 0);
  EXPECT_NE(read("out.txt").find("good"), std::string::npos);
  EXPECT_EQ(read("out.txt").find("\"id\""), std::string::npos);

  write("bad.jsonl", with_right(balls(1, 3), 1.5));
  EXPECT_EQ(run("bad.jsonl --check --json"), 1);
  EXPECT_EQ(json::parse(read("out.txt")).at("all").at("bracket_violations"), 1);
}

TEST_F(QueryProgram, ThreadsDoNotChangeTheAnswers) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += balls(i, 2.0 + 1e-3 * i) + "\n";
  write("q.jsonl", lines);
  EXPECT_EQ(run("q.jsonl --threads 1"), 0);
  const std::string serial = read("out.txt");
  EXPECT_EQ(run("q.jsonl --threads 4"), 0);
  EXPECT_EQ(read("out.txt"), serial);
}

TEST_F(QueryProgram, AMinusIsStandardInput) {
  write("q.jsonl", balls(1, 3.0) + "\n");
  EXPECT_EQ(run("q.jsonl"), 0);
  const std::string answers = read("out.txt");
  EXPECT_EQ(run("- < q.jsonl"), 0);
  EXPECT_EQ(read("out.txt"), answers);
  write("bad.jsonl", "{}\n");
  EXPECT_EQ(run("- < bad.jsonl"), 1);
  EXPECT_EQ(read("err.txt").rfind("standard input:1: ", 0), 0U);
}

TEST_F(QueryProgram, AbsurdNumbersOfThreadsAreRefused) {
  write("q.jsonl", balls(1, 3.0) + "\n");
  EXPECT_EQ(run("q.jsonl --threads 100000000"), 2);
  EXPECT_EQ(run("q.jsonl --threads -1"), 2);
}

}  // namespace
