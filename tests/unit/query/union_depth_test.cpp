// The depth of unions: closed forms in corners, and random compounds against brute force over
// translations: none shorter than the bracket frees, and the answer does.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"
#include "tests/support/solids.hpp"

namespace tactus::detail {
namespace {

QueryOptions of_unions() {
  QueryOptions options;
  options.union_depth = true;
  return options;
}

// Two walls and a floor of boxes, whose inner faces are the planes of the coordinates.
Shape corner_of_boxes(int walls) {
  std::vector<Compound::Part> parts;
  for (int i = 0; i < walls; ++i) {
    Vec3 size{6, 6, 6}, place;
    size[i] = 1.0;
    place[i] = -0.5;
    parts.push_back({Box(size), Pose::translation(place)});
  }
  return Compound(parts);
}

Shape corner_of_planes(int walls) {
  std::vector<Compound::Part> parts;
  for (int i = 0; i < walls; ++i) {
    Vec3 n;
    n[i] = 1.0;
    parts.push_back({HalfSpace(n, 0.0), Pose()});
  }
  return Compound(parts);
}

TEST(UnionDepth, OutOfACornerIsTheDiagonal) {
  const Shape box = Box({1, 1, 1});
  for (int walls = 1; walls <= 3; ++walls) {
    for (const Shape& corner : {corner_of_boxes(walls), corner_of_planes(walls)}) {
      const Pose pose{{0.499, 0.498, 0.497}, Quat{}};
      double squares = 0.0;
      for (int i = 0; i < walls; ++i) squares += std::pow(0.001 * (i + 1), 2);
      for (const bool swapped : {false, true}) {
        const DistanceResult r = swapped ? distance(box, pose, corner, Pose(), of_unions())
                                         : distance(corner, Pose(), box, pose, of_unions());
        EXPECT_EQ(r.status, Status::converged);
        EXPECT_TRUE(r.of_unions);
        EXPECT_NEAR(r.distance, -std::sqrt(squares), 1e-12) << walls << swapped;
        EXPECT_LE(r.upper - r.lower, 1e-8);
        EXPECT_NEAR(norm(r.point_b - r.point_a - r.normal * r.distance), 0.0, 1e-15);
      }
      // The parts alone: the deepest pair.
      EXPECT_NEAR(distance(corner, Pose(), box, pose).distance, -0.001 * walls, 1e-15);
    }
  }
}

// The polytopes of both walls say nothing of either wall alone, nor the way out of one of both.
TEST(UnionDepth, OneDepthIsNoProofOfTheOther) {
  const Shape corner = corner_of_boxes(2), box = Box({1, 1, 1});
  const Pose pose{{0.499, 0.498, 0.0}, Quat{}};
  Certificate certificate;
  QueryOptions options = of_unions();
  options.certificate = &certificate;
  DistanceResult r = distance(corner, Pose(), box, pose, options);
  EXPECT_TRUE(check(corner, Pose(), box, pose, r, &certificate).ok);
  r.of_unions = false;
  EXPECT_NE(check(corner, Pose(), box, pose, r, &certificate)[Claim::upper], Proof::proved);
  Certificate of_parts;
  options = {};
  options.certificate = &of_parts;
  DistanceResult parts = distance(corner, Pose(), box, pose, options);
  EXPECT_TRUE(check(corner, Pose(), box, pose, parts, &of_parts).ok);
  parts.of_unions = true;
  EXPECT_NE(check(corner, Pose(), box, pose, parts, &of_parts)[Claim::lower], Proof::proved);
}

// Do any two parts meet?
bool meet(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return overlap(a, pose_a, b, pose_b).overlap != Overlap::no;
}

Pose shifted(const Pose& pose, const Vec3& shift) {
  return detail::unchecked_pose(pose.position() + shift, pose.rotation());
}

Vec3 random_direction(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return normalized(Vec3{x, y, random.uniform(-1, 1)});
}

Shape random_union(Random& random, int parts, bool with_mesh) {
  // Points of custom shapes cannot be proved to be their own.
  std::vector<Shape> kinds = every_convex_shape(random);
  std::erase_if(kinds, [](const Shape& s) { return s.type() == ShapeType::custom; });
  std::vector<Compound::Part> list;
  for (int i = 0; i < parts; ++i)
    list.push_back(
        {kinds[random.below(static_cast<std::uint32_t>(kinds.size()))], random_pose(random, 0.6)});
  if (with_mesh) {
    const TriangleMesh solid =
        test::extruded_mesh({{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}, 0.5);
    list.push_back({Mesh(solid), random_pose(random, 0.4)});
  }
  return Compound(list);
}

struct Tally {
  int deep = 0, narrow = 0, proved = 0;
};

void expect_shortest(Random& random, const Shape& a, const Pose& pose_a, const Shape& b,
                     const Pose& pose_b, Tally& tally) {
  QueryOptions options = of_unions();
  options.tolerance = 1e-6;
  Certificate certificate;
  options.certificate = &certificate;
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  if (!r.of_unions) return;
  ++tally.deep;
  const DistanceResult parts = distance(a, pose_a, b, pose_b);
  EXPECT_LE(r.lower, parts.upper + 1e-12);
  EXPECT_GE(distance(a, pose_a, b, shifted(pose_b, r.normal * -r.lower)).upper, -1e-9);
  // Nothing shorter frees.
  for (int k = 0; k < 40; ++k) {
    const Vec3 shift = random_direction(random) * (-r.upper * random.uniform(0.5, 0.999));
    EXPECT_TRUE(meet(a, pose_a, b, shifted(pose_b, shift)));
  }
  if (r.status == Status::converged) ++tally.narrow;
  const CheckReport report = check(a, pose_a, b, pose_b, r, &certificate);
  EXPECT_FALSE(report.refuted()) << report.failure;
  if (report[Claim::lower] == Proof::proved && report[Claim::upper] == Proof::proved)
    ++tally.proved;
  // Neither end may be moved.
  DistanceResult deeper = r;
  deeper.distance = deeper.lower = deeper.upper = r.lower * (1.0 + 1e-6) - 1e-9;
  EXPECT_NE(check(a, pose_a, b, pose_b, deeper, &certificate)[Claim::upper], Proof::proved);
  DistanceResult shallower = r;
  shallower.distance = shallower.lower = shallower.upper = r.upper * 0.999;
  EXPECT_NE(check(a, pose_a, b, pose_b, shallower, &certificate)[Claim::lower], Proof::proved);
}

TEST(UnionDepth, NothingShorterFreesAndTheAnswerDoes) {
  Random random(5);
  Tally tally;
  for (int i = 0; i < test::effort(40); ++i) {
    const Shape a = random_union(random, 1 + static_cast<int>(random.below(4)), false);
    const Shape b = i % 2 == 0 ? random_union(random, 1 + static_cast<int>(random.below(3)), false)
                               : random_hull(random, 12);
    expect_shortest(random, a, random_pose(random, 0.5), b, random_pose(random, 0.5), tally);
  }
  EXPECT_GE(tally.deep, test::effort(40) / 2);
  EXPECT_GE(tally.narrow, tally.deep * 9 / 10);
  // Round parts need polytopes of many faces, which the search or the checker may give up.
  EXPECT_GE(tally.proved, tally.deep * 8 / 10);
}

TEST(UnionDepth, OfPartsThatAreMeshes) {
  Random random(6);
  Tally tally;
  for (int i = 0; i < test::effort(12); ++i) {
    const Shape a = random_union(random, 1, true);
    const Shape b = i % 3 == 0 ? random_union(random, 1, true) : random_union(random, 2, false);
    const bool swapped = i % 2 == 0;
    const Pose pose_a = random_pose(random, 0.5), pose_b = random_pose(random, 0.5);
    expect_shortest(random, swapped ? b : a, pose_a, swapped ? a : b, pose_b, tally);
  }
  EXPECT_GE(tally.deep, test::effort(12) / 2);
  EXPECT_GE(tally.proved, tally.deep / 2);
}

TEST(UnionDepth, WithoutAWayOutThereIsNoAnswer) {
  const Shape slit = Compound(std::vector<Compound::Part>{{HalfSpace({1, 0, 0}, 0.0), Pose()},
                                                          {HalfSpace({-1, 0, 0}, 0.0), Pose()}});
  const DistanceResult r = distance(slit, Pose(), Sphere(1.0), Pose(), of_unions());
  EXPECT_EQ(r.status, Status::unsupported);
}

TEST(UnionDepth, ApartItIsTheDistance) {
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    const Shape a = random_union(random, 3, false), b = random_union(random, 2, false);
    const Pose far = Pose::translation({6.0, 1.0, 0.0});
    const DistanceResult x = distance(a, Pose(), b, far),
                         y = distance(a, Pose(), b, far, of_unions());
    EXPECT_EQ(x.distance, y.distance);
    EXPECT_FALSE(y.of_unions);
  }
}

}  // namespace
}  // namespace tactus::detail
