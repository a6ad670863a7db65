#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

// `tactus ccd` as a user runs it.
namespace {

using nlohmann::json;

class CcdProgram : public tactus::detail::test::ProgramTest {
 protected:
  CcdProgram() : ProgramTest("ccd") {
    // The vertex falls from 1 to -3 through the face at 0.
    std::ofstream(folder_ / "fall\".csv") << "1,4,1,4,1,1,1\n0,1,0,1,0,1,1\n1,1,0,1,0,1,1\n"
                                             "0,1,1,1,0,1,1\n1,4,1,4,-3,1,1\n0,1,0,1,0,1,1\n"
                                             "1,1,0,1,0,1,1\n0,1,1,1,0,1,1\n";
    const std::string face = "f 1 2 3\n";
    std::ofstream(folder_ / "table.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + face;
    std::ofstream(folder_ / "high.obj") << "v 0.2 0.2 1\nv 0.9 0.2 2\nv 0.2 0.9 2\n" + face;
    std::ofstream(folder_ / "low.obj") << "v 0.2 0.2 -1\nv 0.9 0.2 0.5\nv 0.2 0.9 0.5\n" + face;
  }
};

TEST_F(CcdProgram, AnswersAreJsonAndTheFileIsNamed) {
  ASSERT_EQ(run("--vertex-face 'fall\".csv' -o answers.jsonl"), 0) << read("err.txt");
  EXPECT_EQ(read("err.txt"), "wrote answers.jsonl\n");
  const json answer = json::parse(read("answers.jsonl"));
  EXPECT_EQ(answer.at("file"), "fall\".csv");
  EXPECT_NEAR(answer.at("time").get<double>(), 0.25, 1e-9);
}

TEST_F(CcdProgram, ImpactsAloneGoToStandardOutput) {
  ASSERT_EQ(run("--mesh high.obj low.obj --mesh table.obj table.obj -o -"), 0);
  EXPECT_EQ(json::parse(read("out.txt")).at("kind"), "vertex_face");
  EXPECT_EQ(read("err.txt").find("1-2: 1 impacts of "), 0u) << read("err.txt");
}

TEST_F(CcdProgram, SurfacesTakeNoOptionsOfFiles) {
  EXPECT_EQ(run("--mesh high.obj low.obj --vertex-face 'fall\".csv'"), 2);
  EXPECT_NE(read("err.txt").find("--mesh takes none of "), std::string::npos);
  EXPECT_EQ(run("--mesh high.obj low.obj --check"), 2);
}

}  // namespace
