// Contacts that a step keeps: what they say of a pair that has moved a little, against a query of
// that pair without a memory.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

constexpr double kMargin = 0.02;
// Part of the size up to which contacts are kept, of bodies of size 1.
constexpr double kKept = 1e-4;

struct Found {
  DistanceResult whole;
  std::vector<Manifold> patches;
  double deepest() const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Manifold& patch : patches)
      for (const ContactPoint& point : patch.span()) most = std::max(most, point.depth);
    return most;
  }
};

Found in_step(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
              QueryCache* cache, double margin = kMargin) {
  Found found;
  QueryOptions options;
  options.margin = options.max_distance = margin;
  options.tolerance = 1e-9;
  ManifoldSink sink(found.patches);
  sink.in_step = true;
  sink.kept_while = kKept;
  found.whole = find_contacts(a, pose_a, b, pose_b, sink, options, cache).distance;
  const std::span<Manifold> all = sink.since(0);
  found.patches = std::vector<Manifold>(all.begin(), all.end());
  return found;
}

bool told(const QueryCache& before, const QueryCache& after) { return before == after; }

/// A body on waves, just about touching them.
struct Rest {
  Shape ground, body;
  Pose pose_a, pose_b;
};

TriangleMesh waves() {
  TriangleMesh mesh;
  constexpr std::uint32_t kCells = 12;
  for (std::uint32_t y = 0; y <= kCells; ++y)
    for (std::uint32_t x = 0; x <= kCells; ++x)
      mesh.vertices.push_back(
          {0.4 * x - 2.4, 0.4 * y - 2.4, 0.2 * std::sin(1.7 * x) * std::cos(y)});
  for (std::uint32_t y = 0; y < kCells; ++y) {
    for (std::uint32_t x = 0; x < kCells; ++x) {
      const std::uint32_t a = y * (kCells + 1) + x;
      mesh.triangles.push_back({a, a + 1, a + kCells + 2});
      mesh.triangles.push_back({a, a + kCells + 2, a + kCells + 1});
    }
  }
  return mesh;
}

Rest random_rest(Random& random, int i) {
  static const Shape ground = Mesh(waves());
  const std::vector<Shape> shapes = every_convex_shape(random);
  Rest rest{
      ground, shapes[static_cast<std::size_t>(i) % shapes.size()], random_pose(random, 3.0), {}};
  Pose local(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 2.0}, random_rotation(random));
  QueryOptions options;
  options.signed_distance = false;
  // Down by the gap never goes through.
  for (int k = 0; k < 30; ++k) {
    const double gap = distance(rest.ground, Pose(), rest.body, local, options).distance;
    local = Pose::translation(Vec3{0, 0, -gap}) * local;
  }
  local = Pose::translation(Vec3{0, 0, random.uniform(-0.003, 0.01)}) * local;
  rest.pose_b = rest.pose_a * local;
  return rest;
}

Vec3 random_direction(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return normalized(Vec3{x, y, z}, {0.0, 0.0, 1.0});
}

/// A motion that takes no point of a body of size 1 farther than a length.
Pose nudged(const Pose& pose, double most, Random& random) {
  const Vec3 way = random_direction(random) * (0.4 * most);
  const Vec3 turn = random_direction(random) * (0.4 * most);
  const Quat q = to_quaternion(pose.rotation());
  return Pose(pose.position() + way,
              normalized(Quat{1.0, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z} * q));
}

TEST(KeptContacts, MissTheTruthByLessThanTheMotion) {
  Random random(11);
  int kept = 0, with_points = 0;
  for (int i = 0; i < test::effort(400); ++i) {
    const Rest rest = random_rest(random, i);
    QueryCache cache;
    in_step(rest.ground, rest.pose_a, rest.body, rest.pose_b, &cache);
    const QueryCache before = cache;
    const double most = kKept * extent(rest.body);
    const Pose there = nudged(rest.pose_b, most, random);
    const Found again = in_step(rest.ground, rest.pose_a, rest.body, there, &cache);
    const Found truth = in_step(rest.ground, rest.pose_a, rest.body, there, nullptr);
    if (!told(before, cache)) continue;
    ++kept;
    EXPECT_LE(again.whole.lower, truth.whole.upper) << i;
    EXPECT_GE(again.whole.upper, truth.whole.lower) << i;
    if (truth.patches.empty()) continue;
    ASSERT_FALSE(again.patches.empty()) << i;
    ++with_points;
    EXPECT_NEAR(again.deepest(), truth.deepest(), most) << i;
    for (const Manifold& patch : again.patches) {
      for (const ContactPoint& point : patch.span())
        EXPECT_NEAR(dot(patch.normal, point.point_a - point.point_b), point.depth, 1e-12) << i;
    }
  }
  EXPECT_GT(kept, test::effort(300));
  EXPECT_GT(with_points, kept / 4);
}

// Corners and balls on a plane: as often as the body has not left the place, to rounding.
TEST(KeptContacts, AreExactOnAPlane) {
  Random random(12);
  TriangleMesh square;
  square.vertices = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Shape ground = Mesh(square);
  for (int i = 0; i < test::effort(100); ++i) {
    const Shape body = i % 2 == 0 ? Shape(Sphere(0.5)) : random_hull(random, 12);
    const Quat turn = random_rotation(random);
    const Pose at = Pose(Vec3{0.3, 0.4, 0.0}, turn);
    const double low = bounding_box(body, at).lower.z;
    const Pose pose(Vec3{0.3, 0.4, -low - 1e-3}, turn);
    QueryCache cache;
    in_step(ground, Pose(), body, pose, &cache);
    const QueryCache before = cache;
    const Pose there = nudged(pose, kKept, random);
    const Found again = in_step(ground, Pose(), body, there, &cache);
    ASSERT_TRUE(told(before, cache));
    EXPECT_NEAR(again.deepest(), -bounding_box(body, there).lower.z, 1e-12);
  }
}

TEST(KeptContacts, AreFoundAnewWhenTheyDoNotReachFarEnough) {
  Random random(13);
  for (int i = 0; i < test::effort(60); ++i) {
    const Rest rest = random_rest(random, i);
    QueryCache cache;
    in_step(rest.ground, rest.pose_a, rest.body, rest.pose_b, &cache);
    const QueryCache before = cache;
    // A larger margin, and a longer way.
    QueryCache wider = cache;
    in_step(rest.ground, rest.pose_a, rest.body, rest.pose_b, &wider, 2.0 * kMargin);
    EXPECT_FALSE(told(before, wider));
    // A turn, of what has a shape, and a margin that is still within what was found.
    QueryCache turned = cache;
    const Pose other =
        rest.pose_b * Pose({}, normalized(Quat{1.0, 10.0 * kKept, 0.0, 10.0 * kKept}));
    in_step(rest.ground, rest.pose_a, rest.body, other, &turned);
    EXPECT_EQ(told(before, turned), rest.body.type() == ShapeType::sphere) << i;
    const Pose there = Pose::translation(Vec3{0, 0, 3.0 * kKept}) * rest.pose_b;
    const Found again = in_step(rest.ground, rest.pose_a, rest.body, there, &cache);
    EXPECT_FALSE(told(before, cache));
    const Found truth = in_step(rest.ground, rest.pose_a, rest.body, there, nullptr);
    if (truth.whole.distance < kMargin) {
      EXPECT_NEAR(again.whole.distance, truth.whole.distance, 1e-9);
    }
  }
}

// Queries of users keep nothing.
TEST(KeptContacts, ArePartOfStepsAlone) {
  Random random(14);
  const Rest rest = random_rest(random, 1);
  QueryCache cache;
  std::vector<Manifold> found(16);
  contacts(rest.ground, rest.pose_a, rest.body, rest.pose_b, found, {}, &cache);
  ASSERT_FALSE(cache.empty());
  EXPECT_TRUE(std::get<NearestTriangle>(CacheAccess::state(cache).kept).contacts.empty());
}

TEST(KeptContacts, ComeBackFromTheirBytes) {
  Random random(15);
  const Rest rest = random_rest(random, 1);
  QueryCache cache;
  in_step(rest.ground, rest.pose_a, rest.body, rest.pose_b, &cache);
  ASSERT_FALSE(std::get<NearestTriangle>(CacheAccess::state(cache).kept).contacts.empty());
  const std::string bytes = cache.to_bytes();
  EXPECT_EQ(QueryCache::from_bytes(bytes), cache);
  for (std::size_t end = 0; end < bytes.size(); ++end)
    EXPECT_THROW(QueryCache::from_bytes(bytes.substr(0, end)), InvalidInput) << end;
}

}  // namespace
}  // namespace tactus::detail
