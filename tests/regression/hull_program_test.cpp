#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

// `tactus hull` as a user runs it, on a cube with points inside and on it.
namespace {

using nlohmann::json;

class HullProgram : public tactus::detail::test::ProgramTest {
 protected:
  HullProgram() : ProgramTest("hull") {
    std::string cube = "# x y z, and what is skipped\n\n";
    for (int i = 0; i < 27; ++i) {
      cube += std::to_string(i % 3) + " " + std::to_string(i / 3 % 3) + "\t" +
              std::to_string(i / 9) + (i % 2 == 0 ? "\n" : " 7 8 # more\n");
    }
    write("cube.xyz", cube);
    write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 0\nf 1 2 3\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
};

TEST_F(HullProgram, PrintsWhatTheHullIsMadeOf) {
  for (const char* method : {"quickhull", "horizon"}) {
    ASSERT_EQ(run(std::string("cube.xyz --json --method ") + method), 0) << read("err.txt");
    const json r = json::parse(read("out.txt"));
    EXPECT_EQ(r.at("points"), 27);
    EXPECT_EQ(r.at("vertices"), 8);
    EXPECT_EQ(r.at("faces"), 6);
    EXPECT_EQ(r.at("edges"), 12);
    EXPECT_EQ(r.at("volume"), 8.0);
    EXPECT_EQ(r.at("area"), 24.0);
    EXPECT_EQ(r.at("points_inside"), 1);
    EXPECT_EQ(r.at("points_on_boundary"), 26);
    EXPECT_EQ(r.at("proof"), "holds");
  }
  ASSERT_EQ(run("square.obj"), 0);
  EXPECT_NE(read("out.txt").find("dimension              2\n"), std::string::npos);
}

TEST_F(HullProgram, LimitsTheVerticesAndWritesTheHull) {
  ASSERT_EQ(run("cube.xyz --vertices 7 -o hull.obj --json"), 0) << read("err.txt");
  const json limited = json::parse(read("out.txt"));
  EXPECT_EQ(limited.at("vertices"), 7);
  // The corner that is missing is as far from the plane through its neighbours.
  EXPECT_NEAR(limited.at("left_out_at_most").get<double>(), 2.0 / std::sqrt(3.0), 1e-12);
  ASSERT_EQ(run("hull.obj --json"), 0) << read("err.txt");
  const json again = json::parse(read("out.txt"));
  EXPECT_EQ(again.at("volume"), limited.at("volume"));
  EXPECT_EQ(again.at("faces"), limited.at("faces"));
}

TEST_F(HullProgram, RefusesWhatItCannotDo) {
  write("broken.xyz", "0 0 0\n1 2\n");
  write("empty.xyz", "# nothing\n");
  write("point.xyz", "1 2 3\n");
  const auto refuses = [&](const std::string& arguments, const std::string& words) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_NE(read("err.txt").find(words), std::string::npos) << read("err.txt");
  };
  refuses("none.xyz", "none.xyz: does not exist");
  refuses("broken.xyz", "broken.xyz:2: ");
  refuses("empty.xyz", "empty.xyz: has no vertices");
  refuses("cube.xyz --vertices 3", "--vertices: must be at least 4");
  refuses("cube.xyz --vertices 9 --method horizon", "--method");
  refuses("cube.xyz --method gift", "--method");
  refuses("point.xyz -o hull.obj", "no faces");
  refuses("cube.xyz -o none/hull.obj", "none");
}

}  // namespace
