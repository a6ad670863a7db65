#include "tactus/io/steps/step_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/query_line.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

json answer(const std::string& text) {
  ShapeReader reader;
  const QueryLine line = parse_query_line(text, reader);
  if (!line.query) return parse_json(error_to_line(line.id, line.error));
  return parse_json(answer_to_line(line.id, *line.query, answer_query(*line.query)));
}

// Balls of radius 1 about cores that are points, 3 apart along y; A is turned and far from the
// origin.
std::string balls(const std::string& more) {
  return R"({"a":{"type":"sphere","radius":1},)"
         R"("pose_a":{"position":[100,0,0],"quaternion":[0.6,0,0.8,0]},)"
         R"("b":{"type":"sphere","radius":1},"pose_b":{"position":[100,3,0]},)" +
         more + "}";
}

TEST(StepWriter, WritesInTheFrameOfTheWorldWithoutRadii) {
  const json a = answer(balls(R"("ask":"distance","method":"gjk","steps":true)"));
  const json& steps = a.at("steps");
  ASSERT_GE(steps.size(), 2u);
  const json& first = steps[0];
  EXPECT_EQ(first.at("kind"), "simplex");
  EXPECT_EQ(first.at("stage"), "gjk");
  EXPECT_EQ(first.at("radii"), 2.0);
  EXPECT_EQ(first.at("points").size(), 0u);
  EXPECT_NEAR(first.at("lower").get<double>(), 1.0, 1e-13);  // 3 between the cores, less 2
  EXPECT_TRUE(first.at("upper").is_null());
  const json& last = steps.back();
  EXPECT_EQ(last.at("stage"), "answer");
  const auto near = [](const json& v, const Vec3& right) {
    EXPECT_NEAR(v[0].get<double>(), right.x, 1e-12);
    EXPECT_NEAR(v[1].get<double>(), right.y, 1e-12);
    EXPECT_NEAR(v[2].get<double>(), right.z, 1e-12);
  };
  near(first.at("direction"), {0, 1, 0});
  near(first.at("support"), {0, -3, 0});
  near(first.at("support_a"), {100, 0, 0});
  near(first.at("support_b"), {100, 3, 0});
  near(last.at("point_b"), {100, 3, 0});  // of the core
  near(last.at("normal"), {0, 1, 0});
  EXPECT_FALSE(answer(balls(R"("ask":"distance")")).contains("steps"));
}

TEST(StepWriter, KeepsTheStepsOfAMotionAlone) {
  const json cast = answer(
      balls(R"("ask":"cast","method":"gjk","motion":{"a":[0,2,0],"b":[0,0,0]},"steps":true)"));
  ASSERT_GT(cast.at("steps").size(), 0u);
  for (const json& step : cast.at("steps")) EXPECT_EQ(step.at("stage"), "ray_cast");
  const json impact = answer(balls(R"("ask":"impact","motion":{"a":{"linear":[0,2,0],"angular":)"
                                   R"([0,0,1]},"b":{"linear":[0,0,0]}},"steps":true)"));
  ASSERT_GT(impact.at("steps").size(), 0u);
  const json& last = impact.at("steps").back();
  EXPECT_EQ(last.at("stage"), "impact");
  // At the time 1/2 the balls touch in the middle between A's place then and B.
  EXPECT_NEAR(last.at("lower").get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(last.at("point_a")[1].get<double>(), 2.0, 1e-9);
}

TEST(StepWriter, APolytopeHasItsNewPointsAlone) {
  const json a = answer(
      R"({"a":{"type":"ellipsoid","radii":[1,0.8,0.6]},"b":{"type":"ellipsoid","radii":[0.5,0.7,0.9]},)"
      R"("pose_b":{"position":[0.3,0.2,0.1]},"ask":"distance","method":"gjk","tolerance":1e-4,"steps":true})");
  std::size_t points = 0, polytopes = 0;
  for (const json& step : a.at("steps")) {
    if (step.at("kind") != "polytope") continue;
    ++polytopes;
    EXPECT_LE(step.at("kept").get<std::size_t>(), points);
    points = step.at("kept").get<std::size_t>() + step.at("points").size();
    for (const json& face : step.at("faces")) {
      for (const json& corner : face) EXPECT_LT(corner.get<std::size_t>(), points);
    }
  }
  EXPECT_GT(polytopes, 1u);
  EXPECT_GT(points, 4u);
}

TEST(StepWriter, CountsWhatIsLeftOut) {
  StepWriter writer(Pose(), {}, nullptr);
  for (int i = 0; i < StepWriter::kMost + 3; ++i) writer.plane({{"newton", i}, {1, 0, 0}, 0.5});
  const json all = parse_json("{\"id\":0" + writer.fields() + "}");
  EXPECT_EQ(all.at("steps").size(), static_cast<std::size_t>(StepWriter::kMost));
  EXPECT_EQ(all.at("steps_left_out"), 3);
}

TEST(StepWriter, StepsOfOtherBodiesAreRefused) {
  const json a = answer(R"({"a":{"type":"halfspace","normal":[0,0,1],"offset":0},)"
                        R"("b":{"type":"sphere","radius":1},"ask":"distance","steps":true})");
  EXPECT_EQ(a.at("error"), "steps: are told of two convex bodies alone");
}

}  // namespace
}  // namespace tactus::io
