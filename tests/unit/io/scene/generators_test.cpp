#include "tactus/io/scene/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {
using namespace detail;
namespace {

Scene parse(const std::string& generator) {
  return scene_from_json(parse_json(R"({"shapes": {
      "ball": {"type": "sphere", "radius": 0.5}, "brick": {"type": "box", "size": [0.4, 0.2, 0.1]},
      "hull": {"type": "convex", "vertices": [[2, 0, 0], [3, 0, 0], [2, 1, 0], [2, 0, 1]]}},
      "generators": [)" + generator +
                                    "]}"),
                         ".");
}

std::string generator_refusal(const std::string& generator) {
  try {
    parse(generator);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

const char* const kPour = R"({"type": "pour", "count": 200, "seed": 3,
    "region": {"lower": [-4, -4, 1], "upper": [4, 4, 30]},
    "shapes": ["ball", {"shape": "brick", "weight": 3, "scale": [0.5, 2]}, "hull"]})";

TEST(Generators, PourFillsItsRegionWithoutOverlap) {
  const Scene scene = parse(kPour);
  ASSERT_EQ(scene.bodies.size(), 200u);
  // Judged by the world, which refuses overlapping bodies.
  EXPECT_EQ(build_world(scene)->bodies().size(), 200u);
  int bricks = 0;
  for (const SceneBody& body : scene.bodies) {
    const Aabb box = bounding_box(body.definition.shape, body.definition.pose);
    EXPECT_TRUE(box.lower.x >= -4 && box.lower.y >= -4 && box.lower.z >= 1 && box.upper.x <= 4 &&
                box.upper.y <= 4 && box.upper.z <= 30)
        << body.name;
    EXPECT_LT(std::fabs(determinant(body.definition.pose.rotation()) - 1.0), 1e-14);
    if (scene.shapes[body.shape].name != "brick") continue;
    ++bricks;
    EXPECT_TRUE(body.scale >= 0.5 && body.scale < 2.0) << body.scale;
  }
  // Three fifths of 200, with four standard deviations of room.
  EXPECT_NEAR(bricks, 120, 28);
}

// Speeds lie in their range, directions favour none, places and turns are those without speeds.
TEST(Generators, RandomVelocitiesAreDrawnBesideThePlaces) {
  const char* const kinds[] = {
      R"({"type": "grid", "shapes": ["ball"], "count": [10, 10, 10], "velocity": [3, 0, 0], "seed": 5)",
      R"({"type": "pour", "shapes": ["ball", "brick"], "count": 1000, "velocity": [3, 0, 0], "seed": 5,
          "region": {"lower": [0, 0, 0], "upper": [12, 12, 12]})"};
  for (const std::string kind : kinds) {
    const Scene still = parse(kind + "}");
    const Scene one = parse(kind + R"(, "random_speed": 2})");
    const Scene range = parse(kind + R"(, "random_speed": [1, 4], "random_spin": 0.5})");
    Vec3 sum, squares;
    double slowest = 10.0, fastest = 0.0;
    for (std::size_t i = 0; i < still.bodies.size(); ++i) {
      const BodyDefinition &a = still.bodies[i].definition, &b = one.bodies[i].definition,
                           &c = range.bodies[i].definition;
      EXPECT_EQ(a.linear_velocity, (Vec3{3, 0, 0}));
      EXPECT_EQ(a.angular_velocity, Vec3{});
      EXPECT_EQ(b.angular_velocity, Vec3{});
      EXPECT_EQ(a.pose, b.pose);
      EXPECT_EQ(a.pose, c.pose);
      const Vec3 way = b.linear_velocity - Vec3{3, 0, 0};
      EXPECT_NEAR(norm(way), 2.0, 1e-14);
      EXPECT_NEAR(norm(c.angular_velocity), 0.5, 1e-14);
      sum += way * 0.5;
      squares += component_product(way, way) * 0.25;
      slowest = std::fmin(slowest, norm(c.linear_velocity - Vec3{3, 0, 0}));
      fastest = std::fmax(fastest, norm(c.linear_velocity - Vec3{3, 0, 0}));
    }
    // The part of a direction along an axis is uniform in [-1, 1]: variance 1/3, of its square
    // 4/45; five standard deviations of a thousand.
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LT(std::fabs(sum[axis]), 5.0 * std::sqrt(1000.0 / 3.0));
      EXPECT_LT(std::fabs(squares[axis] - 1000.0 / 3.0), 5.0 * std::sqrt(1000.0 * 4.0 / 45.0));
    }
    // A thousand speeds in [1, 4] all lie farther than 0.03 from an end with a chance of 5e-5.
    EXPECT_GE(slowest, 1.0 - 1e-14);
    EXPECT_LT(slowest, 1.03);
    EXPECT_LE(fastest, 4.0 + 1e-14);
    EXPECT_GT(fastest, 3.97);
  }
  const std::string grid = R"({"type": "grid", "shapes": ["ball"], "count": [1, 1, 1], )";
  for (const char* bad : {"-1", "[2, 1]", "[-1, 1]", "[1]", "\"fast\""}) {
    EXPECT_NE(generator_refusal(grid + R"("random_speed": )" + bad + "}")
                  .find("generators[0].random_speed"),
              std::string::npos)
        << bad;
  }
  EXPECT_NE(
      generator_refusal(R"({"type": "stack", "shapes": ["brick"], "layers": 2, "random_spin": 1})")
          .find("generators[0].random_spin"),
      std::string::npos);
}

TEST(Generators, SeedDecidesEverything) {
  const std::string text = kPour;
  std::string other = text;
  other.replace(other.find("\"seed\": 3"), 9, "\"seed\": 4");
  const Scene a = parse(text), b = parse(text), c = parse(other);
  int different = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].definition.pose, b.bodies[i].definition.pose);
    different += a.bodies[i].definition.pose == c.bodies[i].definition.pose ? 0 : 1;
  }
  EXPECT_EQ(different, 200);
}

TEST(Generators, StackLayersTouch) {
  const Scene scene = parse(
      R"({"type": "stack", "pattern": "pyramid", "layers": 4, "shapes": ["brick"], "position": [1, 2, 3]})");
  ASSERT_EQ(scene.bodies.size(), 10u);
  EXPECT_NEAR(scene.bodies[0].definition.pose.position().x, 1 - 1.5 * 0.4, 1e-12);
  EXPECT_NEAR(scene.bodies[0].definition.pose.position().z, 3.05, 1e-12);
  EXPECT_NEAR(scene.bodies[9].definition.pose.position().x, 1.0, 1e-12);
  EXPECT_NEAR(scene.bodies[9].definition.pose.position().z, 3.35, 1e-12);
  EXPECT_EQ(build_world(scene)->bodies().size(), 10u);
}

TEST(Generators, WallRowsAreShifted) {
  const Scene scene = parse(
      R"({"type": "stack", "pattern": "wall", "layers": 2, "columns": 3, "shapes": ["brick"], "gap": 0.01})");
  ASSERT_EQ(scene.bodies.size(), 5u);
  EXPECT_NEAR(
      scene.bodies[3].definition.pose.position().x - scene.bodies[0].definition.pose.position().x,
      0.205, 1e-12);
}

TEST(Generators, GridPlaces) {
  const Scene scene = parse(
      R"({"type": "grid", "count": [2, 3, 4], "spacing": [1.5, 1.25, 2], "position": [1, 0, 0], "shapes": ["ball"]})");
  ASSERT_EQ(scene.bodies.size(), 24u);
  EXPECT_EQ(scene.bodies[1].definition.pose.position(), (Vec3{2.5, 0, 0}));
  EXPECT_EQ(scene.bodies[2].definition.pose.position(), (Vec3{1, 1.25, 0}));
  EXPECT_EQ(scene.bodies[23].definition.pose.position(), (Vec3{2.5, 2.5, 6}));
}

TEST(Generators, RefuseWhatCannotBe) {
  const auto pour = [](const std::string& fields) {
    return R"({"type": "pour", "region": {"lower": [0, 0, 0], "upper": [2.1, 2.1, 1.1]}, "shapes": ["ball"], )" +
           fields + "}";
  };
  const struct {
    std::string text, message;
  } cases[] = {
      {pour(R"("count": 5)"),
       "generators[0].count: the region has room for 4 bodies; enlarge it or give a `rate`"},
      {pour(R"("count": 0)"), "generators[0].count: must be a whole number from 1 to 10000000"},
      {pour(R"("count": 5, "rate": -1)"), "generators[0].rate: must be positive"},
      {pour(R"("count": 4, "sead": 1)"), "generators[0].sead: unknown field"},
      {pour(R"("count": 4, "seed": -1)"),
       "generators[0].seed: must be a whole number from 0 to 9007199254740992"},
      {R"({"type": "grid", "count": [2, 0, 1], "shapes": ["ball"]})",
       "generators[0].count: must be three whole numbers of at least 1"},
      {R"({"type": "grid", "count": [1, 1, 1], "shapes": []})",
       "generators[0].shapes: must be an array of at least one shape"},
      {R"({"type": "grid", "count": [1, 1, 1], "shapes": [{"shape": "ball", "scale": [2, 1]}]})",
       "generators[0].shapes[0].scale: must be a positive number or a range [smallest, largest]"},
      {R"({"type": "grid", "count": [1, 1, 1], "shapes": [{"type": "halfspace", "normal": [0, 0, 1], "offset": 0}]})",
       "generators[0].shapes[0].shape: is missing"},
      {R"({"type": "stack", "layers": 2, "shapes": ["ball", "brick"]})",
       "generators[0].shapes: a stack takes one shape of one scale"},
      {R"({"type": "stack", "pattern": "heap", "layers": 2, "shapes": ["ball"]})",
       "generators[0].pattern: must be tower, wall or pyramid"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(generator_refusal(text), message) << text;
  const std::string fast = generator_refusal(pour(R"("count": 50, "rate": 1000)"));
  EXPECT_TRUE(fast.starts_with("generators[0].rate: is too high")) << fast;
}

}  // namespace
}  // namespace tactus::io
