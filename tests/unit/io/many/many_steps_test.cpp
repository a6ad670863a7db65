#include "tactus/io/many/many_steps.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tactus/core.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

json answer(const std::string& line) { return parse_json(many_steps(line)); }

std::string refusal(const std::string& line) {
  try {
    many_steps(line);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(ManySteps, OfAHullInSpace) {
  const json a =
      answer(R"({"id":7,"ask":"hull","points":[[0,0,0],[4,0,0],[0,4,0],[0,0,4],[3,3,3],[1,1,1]]})");
  EXPECT_EQ(a.at("id"), 7);
  EXPECT_EQ(a.at("ask"), "hull");
  EXPECT_EQ(a.at("vertices"), json({0, 1, 2, 3, 4}));
  const json& steps = a.at("steps");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].at("kind"), "start");
  EXPECT_EQ(steps[1].at("kind"), "point");
  EXPECT_EQ(steps[1].at("seen").size() + 2, steps[1].at("horizon").size());
  EXPECT_EQ(steps[2].at("new").size(), steps[1].at("horizon").size());
  EXPECT_EQ(steps[2].at("faces").size(), a.at("faces").size());
  EXPECT_EQ(steps[2].at("waiting").size(), steps[2].at("faces").size());
  for (const json& list : steps[2].at("waiting")) EXPECT_TRUE(list.empty());
}

TEST(ManySteps, OfAHullInThePlane) {
  // The chain comes from the left; (1, 1) leaves it as (2, 3) is reached on the way back.
  const json a = answer(R"({"ask":"hull","points":[[0,0],[4,0],[2,3],[1,1]]})");
  EXPECT_TRUE(a.at("id").is_null());
  EXPECT_EQ(a.at("dimension"), 2);
  EXPECT_EQ(a.at("faces"), json::parse("[[0,1,2]]"));
  EXPECT_EQ(a.at("steps")[0].at("order"), json({0, 3, 2, 1}));
  const json& last = a.at("steps").back();
  EXPECT_EQ(last.at("upper"), true);
  EXPECT_EQ(last.at("removed"), json({3}));
  EXPECT_EQ(last.at("chain"), json({0, 1, 2, 0}));
}

TEST(ManySteps, OfASweep) {
  const json a = answer(
      R"({"ask":"sweep","boxes":[[[0,0],[2,1]],[[1,0],[3,1]],[[2.5,0],[4,1]],[[1,5],[9,6]]]})");
  EXPECT_EQ(a.at("pairs"), json::parse("[[0,1],[1,2]]"));
  const json& steps = a.at("steps");
  EXPECT_EQ(steps[0].at("axis"), 1);  // 5 of variance against some 3
  EXPECT_EQ(steps[0].at("kept"), false);
  EXPECT_EQ(steps[1].at("order"), json({0, 1, 2, 3}));
  // Moved to the other end: the order of before, and one box that passes three others.
  const json moved = answer(
      R"({"ask":"sweep","boxes":[[[0,9],[2,10]],[[1,0],[3,1]],[[2.5,0],[4,1]],[[1,5],[9,6]]],)"
      R"("before":[[[0,0],[2,1]],[[1,0],[3,1]],[[2.5,0],[4,1]],[[1,5],[9,6]]]})");
  EXPECT_EQ(moved.at("pairs"), json::parse("[[1,2]]"));
  EXPECT_EQ(moved.at("steps")[0].at("kept"), true);
  EXPECT_EQ(moved.at("steps")[1].at("kind"), "move");
}

TEST(ManySteps, OfAMovingHash) {
  // A vertex falls through a triangle that rests; the other triangle is far from it.
  const json a = answer(
      R"({"ask":"hash","a":{"vertices_t0":[[0.2,0.2,1],[0.9,0.2,2],[0.2,0.9,2]],)"
      R"("vertices_t1":[[0.2,0.2,-1],[0.9,0.2,0.5],[0.2,0.9,0.5]],"triangles":[[0,1,2]]},)"
      R"("b":{"vertices_t0":[[0,0,0],[1,0,0],[0,1,0]],"vertices_t1":[[0,0,0],[1,0,0],[0,1,0]],)"
      R"("triangles":[[0,1,2]]}})");
  ASSERT_EQ(a.at("impacts").size(), 1u);
  EXPECT_EQ(a.at("impacts")[0].at("kind"), "vertex_face");
  EXPECT_NEAR(a.at("impacts")[0].at("time").get<double>(), 0.5, 1e-12);
  std::size_t tables = 0, hits = 0;
  for (const json& step : a.at("steps")) {
    tables += step.at("kind") == "table" ? 1 : 0;
    if (step.at("kind") == "answer" && step.at("hit") == true) ++hits;
  }
  EXPECT_EQ(tables, 2u);
  EXPECT_EQ(hits, 1u);
}

TEST(ManySteps, OfTheDistanceOfTwoMeshesAreThoseOfTheQuery) {
  const std::string bodies =
      R"("a":{"type":"mesh","vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[2,2,2]],)"
      R"("triangles":[[0,2,1],[0,1,3],[0,3,2],[1,4,3],[1,2,4],[2,3,4]]},)"
      R"("b":{"type":"mesh","vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],)"
      R"("triangles":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]},"pose_b":{"position":[1.5,1.2,-0.9]}})";
  const json a = answer(R"({"id":"m","ask":"distance",)" + bodies);
  ShapeReader reader;
  const QueryLine line = parse_query_line(R"({"ask":"distance","signed":false,)" + bodies, reader);
  const json q = parse_json(answer_to_line(line.id, *line.query, answer_query(*line.query)));
  for (const char* field : {"distance", "lower", "upper", "point_a", "point_b", "triangle_a"})
    EXPECT_EQ(a.at(field), q.at(field)) << field;
  const json& steps = a.at("steps");
  EXPECT_EQ(steps[0].at("kind"), "begun");
  EXPECT_EQ(steps.back().at("upper"), a.at("distance"));
  EXPECT_EQ(steps.back().at("open"), 0);
  EXPECT_EQ(a.at("trees").at("a").size(), 11u);
}

TEST(ManySteps, BadLinesNameTheField) {
  EXPECT_EQ(refusal(R"({"ask":"hall"})"), "ask: must be hull, distance, sweep or hash");
  EXPECT_EQ(refusal(R"({"ask":"distance","a":{"type":"sphere","radius":-1}})").find("a.radius"),
            0u);
  EXPECT_EQ(refusal(R"({"ask":"hull"})"), "points: must not be empty");
  EXPECT_EQ(refusal(R"({"ask":"hull","points":[[0,0],[1]]})").find("points[1]"), 0u);
  EXPECT_EQ(refusal(R"({"ask":"hull","points":[[0,0]],"point":1})").find("point"), 0u);
  EXPECT_EQ(refusal(R"({"ask":"sweep","boxes":[[[0,0],[1,1]],[[2,0],[1,1]]]})"),
            "boxes[1]: the lower corner lies above the upper one");
  EXPECT_EQ(refusal(R"({"ask":"hash","a":{"vertices_t0":[[0,0]],"vertices_t1":[[0,0]],)"
                    R"("triangles":[[0,0,0.5]]},"b":{}})"),
            "a.triangles[0]: must be three numbers of vertices");
  std::string many = R"({"ask":"hull","points":[[0,0])";
  for (int i = 0; i < 400; ++i) many += ",[1,0]";
  EXPECT_EQ(refusal(many + "]}"), "points: steps are told of at most 400");
}

}  // namespace
}  // namespace tactus::io
