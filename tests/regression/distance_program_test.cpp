#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

// `tactus distance` as a user runs it, on a square of two triangles and a pyramid above it.
namespace {

using nlohmann::json;

class DistanceProgram : public tactus::detail::test::ProgramTest {
 protected:
  DistanceProgram() : ProgramTest("distance") {
    write("square.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
    write("pyramid.obj",
          "v 0 0 1\nv -1 -1 2\nv 1 -1 2\nv 1 1 2\nv -1 1 2\n"
          "f 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 2\nf 2 3 4\nf 2 4 5\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  std::vector<json> answers() const {
    std::istringstream text(read("out.txt"));
    std::vector<json> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
  }

  // Exit code 2, nothing printed, and a message that holds `words`.
  void expect_refused(const std::string& arguments, const std::string& words) const {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_EQ(read("out.txt"), "") << arguments;
    EXPECT_NE(read("err.txt").find(words), std::string::npos) << read("err.txt");
  }
};

TEST_F(DistanceProgram, PrintsPointsTrianglesAndEffort) {
  ASSERT_EQ(run("square.obj pyramid.obj --pose-b '{\"position\":[0.25,0.5,0]}'"), 0)
      << read("err.txt");
  const std::string text = read("out.txt");
  for (const char* words :
       {"A: square.obj, 2 triangles", "distance    1\n", "point on A  (0.25, 0.5, 0), triangle 1",
        "point on B  (0.25, 0.5, 1), triangle ", "normal      (0, 0, 1)", " of volumes, ", " us\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST_F(DistanceProgram, EveryStrategyAndVolumeAgrees) {
  for (const char* strategy :
       {"auto", "naive", "depth_first", "representatives", "greedy", "best_first"}) {
    for (const char* volume : {"obb", "aabb", "sphere", "dop14", "rss"}) {
      ASSERT_EQ(run(std::string("square.obj pyramid.obj --json --scale-b 0.5 --strategy ") +
                    strategy + " --volume " + volume),
                0);
      const json r = answers().at(0);
      EXPECT_NEAR(r.at("distance").get<double>(), 0.5, 1e-15) << strategy << volume;
      EXPECT_LE(r.at("lower").get<double>(), 0.5) << strategy << volume;
      EXPECT_GE(r.at("upper").get<double>(), 0.5) << strategy << volume;
      EXPECT_GE(r.at("triangle_tests").get<int>(), 1) << strategy << volume;
    }
  }
}

TEST_F(DistanceProgram, AnswersTheOtherLinesOfAPoseFile) {
  write("poses.jsonl",
        "// three heights\n"
        "{\"pose_b\":{\"position\":[0,0,1]}}\n"
        "{\"pose_b\":[1,0,0]}\n"
        "\n"
        "{\"pose_a\":{\"position\":[0,0,-1]},\"note\":\"anything\"}\n"
        "{\"pose_b\":{\"position\":[0,0,-1.5]}}\n"
        "[]\n"
        "{\"pos_b\":{\"position\":[0,0,1]}}\n");
  EXPECT_EQ(run("square.obj pyramid.obj --poses poses.jsonl --json --warm --pose-b "
                "'{\"position\":[0,0,3]}'"),
            1);
  const std::vector<json> lines = answers();
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0].at("distance"), 2.0);
  EXPECT_EQ(lines[1].at("status"), "invalid_input");
  EXPECT_EQ(lines[2].at("line"), 5);
  EXPECT_EQ(lines[2].at("distance"), 5.0);
  EXPECT_TRUE(lines[3].at("meets").get<bool>());
  EXPECT_EQ(lines[4].at("status"), "invalid_input");
  EXPECT_NE(read("err.txt").find("poses.jsonl:3: pose_b: "), std::string::npos) << read("err.txt");
  EXPECT_NE(read("err.txt").find("poses.jsonl:7: "), std::string::npos) << read("err.txt");
  EXPECT_EQ(lines[5].at("error"), "pos_b: unknown field: did you mean pose_b?");
  EXPECT_EQ(run("square.obj pyramid.obj --poses poses.jsonl"), 1);
  EXPECT_NE(read("out.txt").find("3 queries: on average "), std::string::npos) << read("out.txt");
}

TEST_F(DistanceProgram, RefusesLengthsWhoseSquaresAreNoNumbers) {
  const auto refused = [this](const std::string& arguments, const std::string& why) {
    EXPECT_EQ(run("square.obj pyramid.obj " + arguments), 2) << arguments;
    EXPECT_EQ(read("err.txt").find("tactus distance: " + why), 0u) << read("err.txt");
  };
  refused("--scale-b 1e200", "pyramid.obj: has coordinates of ");
  refused("--scale-a 1e-200", "square.obj: is ");
  refused("--pose-b '{\"position\":[1e200,0,0]}'", "--pose-b.position: must be at most 1e+100");
  refused("--pose-b 'x'", "--pose-b: parse error");
  write("poses.jsonl", "{\"pose_a\":{\"position\":[0,-1e200,0]}}\n");
  EXPECT_EQ(run("square.obj pyramid.obj --poses poses.jsonl"), 1);
  EXPECT_EQ(read("err.txt"), "poses.jsonl:1: pose_a.position: must be at most 1e+100\n");
}

TEST_F(DistanceProgram, StopsWhereItWasTold) {
  ASSERT_EQ(run("square.obj pyramid.obj --json --max-distance 0.5"), 0);
  const json far = answers().at(0);
  EXPECT_GT(far.at("lower").get<double>(), 0.5);
  EXPECT_TRUE(far.at("distance").is_null());
  ASSERT_EQ(run("square.obj pyramid.obj --json --relative-error 0.5"), 0);
  const json rough = answers().at(0);
  EXPECT_LE(rough.at("lower").get<double>(), 1.0);
  EXPECT_GE(rough.at("upper").get<double>(), 1.0);
}

TEST_F(DistanceProgram, TakesTreesFromFiles) {
  ASSERT_EQ(
      std::system(("cd '" + folder_.path().string() + "' && '" TACTUS_PROGRAM "' bvh pyramid.obj " +
                   "-o pyramid.bvh > out.txt 2> err.txt")
                      .c_str()),
      0)
      << read("err.txt");
  ASSERT_EQ(run("square.obj pyramid.obj --json --tree-b pyramid.bvh"), 0) << read("err.txt");
  EXPECT_EQ(answers().at(0).at("distance"), 1.0);
  ASSERT_EQ(run("pyramid.obj pyramid.obj --json --tree-a pyramid.bvh --tree-b pyramid.bvh"), 0);
  EXPECT_TRUE(answers().at(0).at("meets").get<bool>());
  expect_refused("square.obj pyramid.obj --json --tree-a pyramid.bvh",
                 "pyramid.bvh: is of another mesh");
  // Scaled vertices are others.
  expect_refused("square.obj pyramid.obj --json --tree-b pyramid.bvh --scale-b 2",
                 "pyramid.bvh: is of another mesh");
}

TEST_F(DistanceProgram, NamesWhatItRefuses) {
  write("hole.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
  write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("empty.obj", "v 0 0 0\n");
  expect_refused("square.obj none.obj", "none.obj");
  expect_refused("hole.obj square.obj", "hole.obj");
  expect_refused("square.obj nan.obj", "nan.obj");
  expect_refused("empty.obj square.obj", "empty.obj");
  expect_refused("square.obj pyramid.obj --scale-a 0", "--scale-a");
  expect_refused("square.obj pyramid.obj --scale-b nan", "--scale-b");
  expect_refused("square.obj pyramid.obj --scale-b 1e308", "pyramid.obj");
  expect_refused("square.obj pyramid.obj --pose-a '[1,2]'", "--pose-a");
  expect_refused("square.obj pyramid.obj --pose-b '{'", "--pose-b");
  expect_refused("square.obj pyramid.obj --relative-error nan", "--relative-error");
  expect_refused("square.obj pyramid.obj --strategy guess", "--strategy");
  expect_refused("square.obj pyramid.obj --volume egg", "--volume");
  EXPECT_EQ(run("square.obj pyramid.obj --poses none.jsonl"), 2);
  EXPECT_NE(read("err.txt").find("none.jsonl"), std::string::npos);
}

}  // namespace
