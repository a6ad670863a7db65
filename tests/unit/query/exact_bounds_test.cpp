// Brackets against the exact truth, where dropping one bound of rounding makes them false.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tests/support/big_integer.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"

namespace tactus::detail {
namespace {

using test::BigInteger;

// All numbers below have bits worth 2^-kShift or more.
constexpr int kShift = 400;
BigInteger big(double value) { return BigInteger::scaled(value, kShift); }
BigInteger one() { return BigInteger::scaled(1.0, kShift); }

/// A cast along x of which the time of contact is gap / speed, both exact sums of doubles.
struct ExactTime {
  BigInteger gap, speed;
  /// Sign of time - gap / speed.
  int compare(double time) const { return (big(time) * speed - gap * one()).sign(); }
};

/// Bodies whose farthest point along +x and -x is exactly `reach`.
Shape body_of(std::uint32_t kind, double reach) {
  const double r = reach;
  switch (kind) {
    case 0:
      return Box({2.0 * r, r, r});
    case 1:
      return Sphere(r);
    case 2:
      return Capsule(r, r);
    case 3:
      return Cylinder(r, r);
    case 4: {
      const Vec3 points[] = {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}};
      return Convex(points);
    }
    default: {
      // A flat one, across the way of the others.
      const Vec3 points[] = {{r, 0, 0}, {-r, 0, 0}, {0, 0, r}, {0, 0, -r}};
      return Convex(points);
    }
  }
}

// Straight at each other: both ends of the bracket are on their sides of the rational truth, over
// any ratio of the way to the bodies.
TEST(ExactBounds, CastsBracketTheRationalTime) {
  Random random(61);
  int tight = 0, hits = 0;
  for (int i = 0; i < test::effort(6000); ++i) {
    const double reach_a = std::pow(10.0, random.uniform(-7.0, 0.0)) / 2.0;
    const double reach_b = reach_a * random.uniform(0.5, 1.0);
    const double far = random.uniform(1.0, 9.0), speed = far * random.uniform(1.0, 3.0);
    const Shape a = body_of(random.below(6), reach_a), b = body_of(random.below(6), reach_b);
    QueryOptions options;
    if (i % 4 == 0) options.method = Method::gjk;
    // Both move, so that the relative motion is rounded as well.
    const Vec3 of_a{speed, 1.7 * speed, 0}, of_b{-0.3 * speed, 1.7 * speed, 0};
    const CastResult r = cast(a, Pose(), of_a, b, Pose::translation({far, 0, 0}), of_b, options);
    const ExactTime truth{big(far) - big(reach_a) - big(reach_b), big(of_a.x) - big(of_b.x)};
    SCOPED_TRACE(i);
    ASSERT_NE(r.hit, Overlap::no);
    ASSERT_LE(truth.compare(r.time), 0);
    if (r.hit != Overlap::yes) continue;
    ++hits;
    ASSERT_GE(truth.compare(r.time_upper), 0);
    tight += (r.time_upper - r.time) * speed < 1e-6 * reach_b;
  }
  EXPECT_GT(10 * hits, 9 * test::effort(6000));
  EXPECT_GT(2 * tight, hits);
}

// Casts at a half-space have a formula of their own: the bracket holds the rational time as well.
TEST(ExactBounds, CastsAtAHalfSpaceBracketTheRationalTime) {
  Random random(63);
  for (int i = 0; i < test::effort(4000); ++i) {
    const double reach = std::pow(10.0, random.uniform(-3.0, 0.0)) / 2.0;
    const double offset = random.uniform(-1.0, 0.0), far = random.uniform(1.0, 9.0);
    const double speed = far * random.uniform(1.5, 3.0);
    const Shape floor = HalfSpace({1, 0, 0}, offset), b = body_of(random.below(5), reach);
    const Vec3 of_a{speed, 1.7 * speed, 0}, of_b{-0.3 * speed, 1.7 * speed, 0};
    const CastResult r = cast(floor, Pose(), of_a, b, Pose::translation({far, 0, 0}), of_b);
    const ExactTime truth{big(far) - big(reach) - big(offset), big(of_a.x) - big(of_b.x)};
    SCOPED_TRACE(i);
    ASSERT_EQ(r.hit, Overlap::yes);
    ASSERT_LE(truth.compare(r.time), 0);
    ASSERT_GE(truth.compare(r.time_upper), 0);
    ASSERT_LT((r.time_upper - r.time) * speed, 1e-12);
  }
}

TriangleMesh box_between(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh;
  for (unsigned i = 0; i < 8; ++i) {
    mesh.vertices.push_back({(i & 1u) != 0 ? high.x : low.x, (i & 2u) != 0 ? high.y : low.y,
                             (i & 4u) != 0 ? high.z : low.z});
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// With a dent on the side towards -x, so that it is no hull.
TriangleMesh dented_box(const Vec3& low, const Vec3& high) {
  TriangleMesh mesh = box_between(low, high);
  mesh.vertices.push_back(
      {low.x + 0.05 * (high.x - low.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)});
  mesh.triangles[8] = {0, 4, 8};
  mesh.triangles[9] = {4, 6, 8};
  mesh.triangles.push_back({6, 2, 8});
  mesh.triangles.push_back({2, 0, 8});
  return mesh;
}

Vec3 random_vector(Random& random, double least, double most) {
  const double x = random.uniform(least, most), y = random.uniform(least, most);
  return {x, y, random.uniform(least, most)};
}

const BigInteger& smaller(const BigInteger& a, const BigInteger& b) {
  return (a - b).sign() < 0 ? a : b;
}

// A sphere or box in a mesh of a box, nothing turned: the way out through the nearest face.
TEST(ExactBounds, DepthsInAMeshBracketTheRationalTruth) {
  Random random(62);
  int deep = 0;
  for (int i = 0; i < test::effort(3000); ++i) {
    const double far = i % 3 == 0 ? 0.0 : std::pow(10.0, random.uniform(-1.0, 4.0));
    const Vec3 low = random_vector(random, -1.0, -0.5) + Vec3{far, -far, far};
    const Vec3 high = low + random_vector(random, 0.7, 2.0);
    const Shape mesh = Mesh(dented_box(low, high));
    const Vec3 place = random_vector(random, -5.0, 5.0);
    const double reach = 0.3 * std::pow(10.0, random.uniform(-3.0, -0.5));
    const Shape body = i % 2 == 0 ? Shape(Sphere(reach)) : Shape(Box(Vec3{2, 2, 2} * reach));
    const Shape body_mesh = Mesh(dented_box(Vec3{-1, -1, -1} * reach, Vec3{1, 1, 1} * reach));
    // About the middle of a face, somewhat inside or outside of it.
    Vec3 at = place + (low + high) * 0.5;
    at.x = place.x + high.x + reach * random.uniform(-0.9, 0.5);
    const auto distance_of = [&](const Shape& b) {
      return distance(mesh, Pose::translation(place), b, Pose::translation(at));
    };
    BigInteger depth = BigInteger::scaled(1e3, kShift);
    for (int k = 0; k < 3; ++k) {
      const BigInteger center = big(at[k]) - big(place[k]);
      depth = smaller(depth, smaller(big(high[k]) - center, center - big(low[k])) + big(reach));
    }
    SCOPED_TRACE(i);
    for (const Shape* b : {&body, &body_mesh}) {
      if (i % 2 == 0 && b == &body_mesh) continue;
      const DistanceResult r = distance_of(*b);
      ASSERT_LE((big(r.lower) + depth).sign(), 0);
      ASSERT_GE((big(r.upper) + depth).sign(), 0);
      deep += r.upper - r.lower < 1e-6 * reach;
    }
  }
  EXPECT_GT(deep, test::effort(3000) / 2);
}

// One part slides over a face, which no pose proves to be a contact; the next one hits. Contact is
// proved from there on, not from where it was open.
TEST(ExactBounds, AnImpactEndsWhereTheSecondPartHits) {
  const Shape box = Box({2, 2, 2});
  const Shape two = Compound({{Sphere(0.5), Pose::translation({0, 0, 1.5})},
                              {Sphere(0.5), Pose::translation({-1, 0, 0})}});
  const Pose before = Pose::translation({-3, 0, 0});
  const RigidMotion motion{{4, 0, 0}, {}};
  for (const bool swapped : {false, true}) {
    const CastResult r = swapped ? impact(two, before, motion, box, Pose(), {})
                                 : impact(box, Pose(), {}, two, before, motion);
    ASSERT_EQ(r.hit, Overlap::yes);
    EXPECT_LE(r.time, 0.5);
    // The gap over the edge falls as a square: rounding, 1e-14, is reached 1e-7 before.
    EXPECT_NEAR(r.time, 0.5, 1e-6);
    // The second ball's centre is at -1.5 when -3 - 1 + 4 t = -1.5.
    EXPECT_GE(r.time_upper, 0.625);
    EXPECT_NEAR(r.time_upper, 0.625, 2e-11);
  }
}

// A plate under a block: its far side, which is not level with the near one, is within the
// threshold, too, but no contact.
TEST(ExactBounds, ContactsLieOnTheNearSidesOfThinMeshes) {
  TriangleMesh plate = dented_box({-1, -1, -0.01}, {1, 1, 0});
  for (std::size_t i = 0; i < 4; ++i) plate.vertices[i].z -= 0.005 * plate.vertices[i].x;
  const Shape thin = Mesh(plate), block = Mesh(dented_box({-0.4, -0.4, 0.002}, {0.4, 0.4, 1}));
  QueryOptions options;
  options.margin = 0.05;
  std::vector<Manifold> manifolds(64);
  for (const bool swapped : {false, true}) {
    const Shape& a = swapped ? block : thin;
    const Shape& b = swapped ? thin : block;
    const ContactsResult r = contacts(a, Pose(), b, Pose(), manifolds, options);
    ASSERT_FALSE(r.truncated);
    int points = 0;
    for (int m = 0; m < r.manifolds; ++m) {
      for (const ContactPoint& p : manifolds[static_cast<std::size_t>(m)].span()) {
        EXPECT_NEAR((swapped ? p.point_b : p.point_a).z, 0.0, 1e-6) << swapped;
        ++points;
      }
    }
    EXPECT_EQ(points, 4);
  }
}

/// A closed slab about [-0.5, 0.5]^2 with an uneven top at z = 0 and an uneven bottom below.
TriangleMesh uneven_slab(Random& random, double thickness) {
  constexpr unsigned kCells = 3, kSide = kCells + 1;
  TriangleMesh mesh;
  for (unsigned i = 0; i < 2 * kSide * kSide; ++i) {
    const bool top = i >= kSide * kSide;
    const double x = i / kSide % kSide / double{kCells} - 0.5, y = i % kSide / double{kCells} - 0.5;
    const double z = top ? 0.0 : -thickness * random.uniform(0.5, 1.5);
    mesh.vertices.push_back({x, y, z + thickness * random.uniform(-0.2, 0.2)});
  }
  const auto id = [](unsigned side, unsigned i, unsigned j) {
    return side * kSide * kSide + i * kSide + j;
  };
  const auto quad = [&](unsigned a, unsigned b, unsigned c, unsigned d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (unsigned i = 0; i < kCells; ++i) {
    for (unsigned j = 0; j < kCells; ++j) {
      quad(id(1, i, j), id(1, i + 1, j), id(1, i + 1, j + 1), id(1, i, j + 1));
      quad(id(0, i, j), id(0, i, j + 1), id(0, i + 1, j + 1), id(0, i + 1, j));
    }
    quad(id(0, i, 0), id(0, i + 1, 0), id(1, i + 1, 0), id(1, i, 0));
    quad(id(0, i + 1, kCells), id(0, i, kCells), id(1, i, kCells), id(1, i + 1, kCells));
    quad(id(0, 0, i + 1), id(0, 0, i), id(1, 0, i), id(1, 0, i + 1));
    quad(id(0, kCells, i), id(0, kCells, i + 1), id(1, kCells, i + 1), id(1, kCells, i));
  }
  return mesh;
}

/// Does the face whose inside holds the point look along n, or is the point on an edge?
bool looks_along(const Mesh& mesh, const Pose& pose, const Vec3& point, const Vec3& n) {
  const Vec3 local = pose.to_local(point);
  const auto& t = mesh.mesh().triangles[bvh::nearest_point(view_of(mesh), local).triangle];
  const auto& v = mesh.mesh().vertices;
  const Vec3 normal = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
  for (unsigned k = 0; k < 3; ++k) {
    const Vec3 &p = v[t[k]], &q = v[t[(k + 1) % 3]];
    if (dot(cross(q - p, local - p), normal) < 0.01 * squared_norm(normal)) return true;
  }
  return dot(normalized(pose.rotation() * normal), n) > -1e-6;
}

// The far sides of thin slabs are within the threshold, too, but no contact.
TEST(ExactBounds, ContactsLieOnFacesThatLookAtEachOther) {
  Random random(5);
  QueryOptions options;
  options.margin = 0.05;
  std::vector<Manifold> manifolds(64);
  for (int i = 0; i < test::effort(100); ++i) {
    const Mesh a(uneven_slab(random, std::pow(10.0, random.uniform(-4.0, -1.0))));
    const Mesh b(uneven_slab(random, std::pow(10.0, random.uniform(-4.0, -1.0))));
    ASSERT_TRUE(a.closed() && b.closed());
    const Pose pose_b({random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.01},
                      Quat{0.0, 1.0, 0.0, 0.0});
    const ContactsResult r = contacts(a, Pose(), b, pose_b, manifolds, options);
    for (int m = 0; m < r.manifolds; ++m) {
      const Manifold& found = manifolds[static_cast<std::size_t>(m)];
      for (const ContactPoint& p : found.span()) {
        EXPECT_TRUE(looks_along(a, Pose(), p.point_a, found.normal)) << i;
        EXPECT_TRUE(looks_along(b, pose_b, p.point_b, -found.normal)) << i;
      }
    }
  }
}

// Two sides lie against each other, and the search ends with points of different pairs: only one
// from each shows the depth to rounding, not just to the tolerance.
TEST(ExactBounds, ConcentricConesAreNarrowToRounding) {
  struct Case {
    double length;
    Quat turn;
  };
  for (const Case& c :
       {Case{2.25, {2, 6, 5, 6}}, Case{1.5, {7, 5, 3, 5}}, Case{2.5, {-1, -7, 8, -8}},
        Case{2.0, {1, 6, 7, 8}}, Case{2.25, {6, 7, 9, -8}}, Case{2.0, {2, 3, 5, 5}},
        Case{1.75, {-9, -3, 7, -2}}, Case{2.0, {-6, 3, 8, 1}}}) {
    const Shape cone = Cone(0.25, c.length);
    const DistanceResult r = distance(cone, Pose(), cone, Pose({}, normalized(c.turn)));
    EXPECT_LE(r.lower, r.upper);
    EXPECT_LT(r.upper - r.lower, 1e-12) << c.length << " " << c.turn.w << " " << c.turn.x;
  }
}

}  // namespace
}  // namespace tactus::detail
