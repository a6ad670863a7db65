// Compounds against all pairs of their parts, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/query.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

// Placing a part rounds; the brackets of the parts are some 1e-8 of their size wide.
constexpr double kTolerance = 3e-8;

Shape random_compound(Random& random, int parts, double reach) {
  const std::vector<Shape> kinds = every_convex_shape(random);
  std::vector<Compound::Part> list;
  for (int i = 0; i < parts; ++i)
    list.push_back({kinds[random.below(static_cast<std::uint32_t>(kinds.size()))],
                    random_pose(random, reach)});
  return Compound(list);
}

std::vector<Compound::Part> parts_of_shape(const Shape& shape) {
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) return compound->parts();
  return {{shape, Pose()}};
}

// The least over all pairs.
double brute_force(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Compound::Part& x : parts_of_shape(a)) {
    for (const Compound::Part& y : parts_of_shape(b))
      least =
          std::min(least, distance(x.shape, pose_a * x.pose, y.shape, pose_b * y.pose).distance);
  }
  return least;
}

void expect_part_attains_it(const DistanceResult& r, const Shape& a, const Pose& pose_a,
                            const Shape& b, const Pose& pose_b) {
  const auto x = parts_of_shape(a), y = parts_of_shape(b);
  const Compound::Part& part_a = x[static_cast<std::size_t>(std::max(r.part_a, 0))];
  const Compound::Part& part_b = y[static_cast<std::size_t>(std::max(r.part_b, 0))];
  EXPECT_EQ(r.part_a >= 0, a.type() == ShapeType::compound);
  EXPECT_EQ(r.part_b >= 0, b.type() == ShapeType::compound);
  const double of_parts =
      distance(part_a.shape, pose_a * part_a.pose, part_b.shape, pose_b * part_b.pose).distance;
  EXPECT_NEAR(of_parts, r.distance, kTolerance);
}

TEST(Compound, AnswersTheLeastOfAllPairsOfParts) {
  Random random(61);
  for (int i = 0; i < 150; ++i) {
    const Shape a = random_compound(random, 1 + static_cast<int>(random.below(12)), 1.5);
    const Shape b = i % 3 == 0
                        ? random_hull(random, 12)
                        : random_compound(random, 1 + static_cast<int>(random.below(9)), 1.5);
    const Pose pose_a = random_pose(random, 3.0), pose_b = random_pose(random, 3.0);
    const double truth = brute_force(a, pose_a, b, pose_b);
    const DistanceResult r = distance(a, pose_a, b, pose_b);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_NEAR(r.distance, truth, kTolerance) << i;
    EXPECT_LE(r.lower, truth + 1e-12);
    EXPECT_GE(r.upper, truth - kTolerance);
    expect_part_attains_it(r, a, pose_a, b, pose_b);
    const OverlapResult o = overlap(b, pose_b, a, pose_a);
    if (std::fabs(truth) > kTolerance) {
      EXPECT_EQ(o.overlap, truth < 0.0 ? Overlap::yes : Overlap::no) << i;
    }
    EXPECT_LE(o.proof.lower, truth + 1e-12);
    EXPECT_GE(o.proof.upper, truth - 1e-12);
  }
}

TEST(Compound, PatchesAreThoseOfAllPairsInTheOrderOfTheParts) {
  Random random(62);
  int seen = 0, most = 0;
  for (int i = 0; i < 60; ++i) {
    const bool many = i % 20 == 0;
    const Shape a = random_compound(random, many ? 40 : 8, 0.7);
    const Shape b = random_compound(random, many ? 9 : 7, 0.7);
    const Pose pose_a = random_pose(random, 0.4), pose_b = random_pose(random, 0.4);
    QueryOptions options;
    options.margin = 0.05;
    std::vector<Manifold> out(400), one(1);
    const ContactsResult r = contacts(a, pose_a, b, pose_b, out, options);
    ASSERT_FALSE(r.truncated);
    int next = 0;
    const auto x = parts_of_shape(a), y = parts_of_shape(b);
    for (std::size_t p = 0; p < x.size(); ++p) {
      for (std::size_t q = 0; q < y.size(); ++q) {
        const ContactsResult pair =
            contacts(x[p].shape, pose_a * x[p].pose, y[q].shape, pose_b * y[q].pose, one, options);
        if (std::fabs(pair.distance.distance - options.margin) < kTolerance) continue;
        if (pair.manifolds == 0) continue;
        ASSERT_LT(next, r.manifolds);
        const Manifold& m = out[static_cast<std::size_t>(next++)];
        EXPECT_EQ(m.part_a, static_cast<int>(p));
        EXPECT_EQ(m.part_b, static_cast<int>(q));
        EXPECT_EQ(m.count, one[0].count);
        ++seen;
      }
    }
    EXPECT_EQ(next, r.manifolds);
    most = std::max(most, r.manifolds);
  }
  EXPECT_GT(seen, 300);
  EXPECT_GT(most, 50);
}

TEST(Compound, PartsThatAreFarAwayAreNotAsked) {
  std::vector<Compound::Part> row;
  for (int i = 0; i < 100; ++i)
    row.push_back({Box({0.8, 0.8, 0.8}), Pose::translation({1.0 * i, 0.0, 0.0})});
  const Shape rows = Compound(row);
  const Pose tilted({0.0, 2.0, 0.0}, Quat{1.0, 0.0, 0.0, 0.01});
  // Ten thousand pairs of boxes, one step each.
  EXPECT_LT(distance(rows, Pose(), rows, tilted).iterations, 400);
  EXPECT_LT(distance(rows, Pose(), HalfSpace({0.0, 1.0, 0.1}, -2.0), tilted).iterations, 20);
  const Shape far = Sphere(0.1);
  EXPECT_LT(overlap(rows, Pose(), far, Pose::translation({50.0, 3.0, 0.0})).proof.iterations, 3);
}

TEST(Compound, EqualPartsAnswerByTheFirst) {
  std::vector<Compound::Part> ring;
  for (int i = 0; i < 6; ++i)
    ring.push_back(
        {Sphere(0.25), Pose::translation({i % 2 == 0 ? 1.0 : -1.0, 0.0, i < 2 ? 0.0 : 5.0 * i})});
  const DistanceResult r = distance(Sphere(0.5), Pose(), Compound(ring), Pose());
  EXPECT_EQ(r.part_a, -1);
  EXPECT_EQ(r.part_b, 0);
  EXPECT_DOUBLE_EQ(r.distance, 0.25);
}

TEST(Compound, AnOpenPartIsRefusedWhereverItLies) {
  const TriangleMesh sheet{{{9, 0, 0}, {10, 0, 0}, {9, 1, 0}}, {{0, 1, 2}}};
  const Shape body = Compound({{Sphere(1.0), Pose()}, {Mesh(sheet), Pose()}});
  EXPECT_EQ(distance(body, Pose(), Sphere(0.2), Pose::translation({-3, 0, 0})).status,
            Status::unsupported);
  QueryOptions bare;
  bare.signed_distance = false;
  EXPECT_NEAR(distance(body, Pose(), Sphere(0.2), Pose::translation({-3, 0, 0}), bare).distance,
              1.8, 1e-12);
}

TEST(Compound, ItsCacheMakesTheNextQueryCheaper) {
  Random random(63);
  std::vector<Compound::Part> hulls;
  for (int i = 0; i < 30; ++i) hulls.push_back({random_hull(random, 20), random_pose(random, 2.5)});
  const Shape a = Compound(hulls), b = random_compound(random, 20, 2.5);
  Pose pose_b = Pose::translation({3.0, 0.5, 0.2});
  QueryCache cache;
  std::int64_t warm = 0, cold = 0;
  for (int step = 0; step < 60; ++step) {
    pose_b = Pose(pose_b.position() + Vec3{-0.004, 0.001, 0.0},
                  normalized(Quat{1.0, 0.001 * step, 0.0, 0.0}));
    const DistanceResult with = distance(a, Pose(), b, pose_b, {}, &cache);
    const DistanceResult without = distance(a, Pose(), b, pose_b);
    EXPECT_NEAR(with.distance, without.distance, kTolerance);
    warm += with.iterations;
    cold += without.iterations;
  }
  EXPECT_LT(3 * warm, 2 * cold);
}

}  // namespace
}  // namespace tactus::detail
