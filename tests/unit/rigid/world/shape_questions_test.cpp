// Shapes that are put to a world: each answer is that of asking every body alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tactus/query.hpp"
#include "tests/support/dynamics_scene.hpp"

namespace tactus::detail {
namespace {

struct Crowd {
  World world;
  Random random{11};

  Crowd() {
    test::add_ground(world);
    for (int i = 0; i < 120; ++i) {
      const Vec3 place = point();
      const BodyId id = test::add_body(world, test::mixed_shape(i), place);
      world.set_pose(id, Pose(place, test::random_rotation(random)));
    }
    BodyDefinition sensor{.shape = Box({1.0, 1.0, 1.0})};
    sensor.sensor = true;
    sensor.type = BodyType::fixed;
    sensor.pose = Pose::translation({2.0, 2.0, 2.0});
    sensor.filter.category = 4;
    world.add(sensor);
    TriangleMesh wall;
    wall.vertices = {{4.5, 0, 0}, {4.5, 5, 0}, {4.5, 0, 5}};
    wall.triangles = {{0, 1, 2}};
    BodyDefinition open{.shape = Mesh(wall)};
    open.type = BodyType::fixed;
    world.add(open);
  }

  Vec3 point() {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = random.uniform(0.3, 4.0);
    return p;
  }
  Shape shape(int i) const {
    return i % 3 == 0   ? Shape(Box({0.3, 0.2, 0.4}))
           : i % 3 == 1 ? Shape(Sphere(0.25))
                        : Shape(Capsule(0.1, 0.5));
  }
  bool selected(const Body& body, const BodySelection& s) const {
    return (body.filter().category & s.mask) != 0 && body.id() != s.ignored &&
           (s.sensors || !body.is_sensor());
  }
};

TEST(ShapeQuestions, AnswersAreThoseOfEveryBodyAlone) {
  Crowd crowd;
  const World& world = crowd.world;
  int hits = 0, overlapping = 0, far = 0;
  for (int i = 0; i < 120; ++i) {
    const Shape shape = crowd.shape(i);
    const Pose pose(crowd.point(), test::random_rotation(crowd.random));
    const Vec3 motion = crowd.point() - crowd.point();
    const BodySelection selection{i % 5 == 0 ? 1u : ~0u, world.bodies()[3].id(), i % 2 == 0};
    const double most = i % 4 == 0 ? 0.1 : std::numeric_limits<double>::infinity();

    std::optional<ShapeHit> hit;
    std::vector<BodyId> inside;
    std::optional<NearestBody> nearest;
    for (const Body& body : world.bodies()) {
      if (!crowd.selected(body, selection)) continue;
      const CastResult c = cast(shape, pose, motion, body.shape(), body.pose(), {});
      if (c.hit != Overlap::no && (!hit || c.time < hit->time))
        hit = ShapeHit{body.id(), c.time, c.point_b, -c.normal, c.part_a, c.part_b};
      if (overlap(shape, pose, body.shape(), body.pose()).overlap != Overlap::no)
        inside.push_back(body.id());
      QueryOptions options;
      const auto* mesh = std::get_if<Mesh>(&body.shape().geometry());
      options.signed_distance = mesh == nullptr || mesh->closed();
      const DistanceResult d = distance(shape, pose, body.shape(), body.pose(), options);
      if (d.distance <= most && (!nearest || d.distance < nearest->gap.distance))
        nearest = NearestBody{body.id(), d};
    }
    const auto found = world.cast_shape(shape, pose, motion, selection);
    ASSERT_EQ(found.has_value(), hit.has_value()) << i;
    if (hit) {
      ++hits;
      EXPECT_EQ(found->body, hit->body) << i;
      EXPECT_EQ(found->time, hit->time) << i;
      EXPECT_EQ(found->normal, hit->normal) << i;
    }
    EXPECT_EQ(world.overlapping(shape, pose, selection), inside) << i;
    overlapping += inside.empty() ? 0 : 1;
    const auto gap = world.nearest_body(shape, pose, most, selection);
    ASSERT_EQ(gap.has_value(), nearest.has_value()) << i;
    far += gap ? 0 : 1;
    if (gap) {
      EXPECT_EQ(gap->body, nearest->body) << i;
      EXPECT_EQ(gap->gap.distance, nearest->gap.distance) << i;
    }
  }
  EXPECT_GT(hits, 40);
  EXPECT_GT(overlapping, 20);
  EXPECT_GT(far, 0);
}

TEST(ShapeQuestions, RefuseWhatIsNoQuestion) {
  const World world;
  const Pose nowhere =
      unchecked_pose({std::numeric_limits<double>::infinity(), 0, 0}, Mat3::identity());
  EXPECT_FALSE(world.nearest_body(Sphere(1.0), Pose()));
  EXPECT_FALSE(world.cast_shape(Sphere(1.0), Pose(), {1, 0, 0}));
  EXPECT_TRUE(world.overlapping(Sphere(1.0), Pose()).empty());
  EXPECT_THROW((void)world.overlapping(Sphere(1.0), nowhere), InvalidInput);
  EXPECT_THROW((void)world.cast_shape(Sphere(1.0), Pose(), nowhere.position()), InvalidInput);
  EXPECT_THROW((void)world.nearest_body(Sphere(1.0), Pose(), -1.0), InvalidInput);
}

}  // namespace
}  // namespace tactus::detail
