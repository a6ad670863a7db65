#include "tactus/classic/chung_wang.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/measured.hpp"

namespace tactus::detail {
namespace {

struct Pair {
  Shape a, b;
  Pose pose_b = Pose();
  Cso cso() const { return {core_of(a), Pose(), core_of(b), pose_b}; }
  double distance() const {
    Epa epa;
    return test::measured(cso(), {}, epa).distance;
  }
};

ChungWangResult ask(const Pair& pair, const Vec3& start, ChungWangOptions options = {}) {
  options.start = normalized(start);
  return chung_wang(pair.cso(), options);
}

TEST(ChungWang, TwoSpheresApartNeedOneReflection) {
  const Pair pair{Sphere(1), Sphere(1), Pose::translation({2.1, 0, 0})};
  for (const Vec3& start : {Vec3{0, 1, 0}, Vec3{-1, 0, 0}, Vec3{0.2, 0.5, -0.8}}) {
    const ChungWangResult r = ask(pair, start);
    EXPECT_EQ(r.outcome, ChungWangOutcome::separated);
    EXPECT_EQ(r.bounds.iterations, 2);
  }
}

TEST(ChungWang, AKeptVectorDecidesAtOnce) {
  const Pair pair{Box({1, 1, 1}), Cone(0.5, 1), Pose::translation({1.2, 0.3, 0.1})};
  const ChungWangResult first = ask(pair, {0, 0, 1});
  ASSERT_EQ(first.outcome, ChungWangOutcome::separated);
  const ChungWangResult second = ask(pair, first.bounds.n);
  EXPECT_EQ(second.outcome, ChungWangOutcome::separated);
  EXPECT_EQ(second.bounds.iterations, 1);
}

TEST(ChungWang, OverlapIsABallInATetrahedron) {
  const Pair pair{Box({1, 1, 1}), Cylinder(0.5, 1), Pose::translation({0.8, 0.3, 0.1})};
  const ChungWangResult r = ask(pair, {1, 0, 0});
  EXPECT_EQ(r.outcome, ChungWangOutcome::overlapping);
  EXPECT_GT(r.bounds.inside, 0.0);
  EXPECT_LE(r.bounds.inside, -pair.distance());
}

TEST(ChungWang, SymmetricPairsAreDecided) {
  // All points of a reflection lie on chords through the origin.
  EXPECT_EQ(ask({Sphere(1), Sphere(1), Pose::translation({1, 0, 0})}, {1, 0, 0}).outcome,
            ChungWangOutcome::overlapping);
  EXPECT_EQ(ask({Sphere(1), Sphere(1)}, {0, 0, 1}).outcome, ChungWangOutcome::overlapping);
  EXPECT_EQ(ask({Box({1, 1, 1}), Box({1, 1, 1})}, {0, 0, 1}).outcome,
            ChungWangOutcome::overlapping);
}

TEST(ChungWang, TouchingIsUndecided) {
  const Pair pair{Box({1, 1, 1}), Box({1, 1, 1}), Pose::translation({0.2, 0.1, 1.0})};
  EXPECT_EQ(ask(pair, {0, 0, 1}).outcome, ChungWangOutcome::undecided);
  const ConvexAnswer r = answer_by_chung_wang(pair.cso(), {});
  EXPECT_LE(r.lower, 0.0);
  EXPECT_GE(r.upper, 0.0);
  EXPECT_NE(r.status, Status::converged);
}

// The papers' form: reflections until a point comes again. On a ball against a corner these wander
// in one plane.
TEST(ChungWang, ReflectionsAloneDoNotEnd) {
  const Pair pair{Sphere(1), Box({4, 3, 4}), Pose::translation({2, 1.5, 0})};
  EXPECT_NEAR(pair.distance(), -1.0, 1e-15);
  ChungWangOptions options;
  options.max_iterations = 190;
  options.reflections = 190;
  const ChungWangResult papers = ask(pair, {-1, -2, 2}, options);
  EXPECT_EQ(papers.outcome, ChungWangOutcome::undecided);
  EXPECT_TRUE(papers.bounds.capped);
  options.reflections = 1;
  const ChungWangResult ours = ask(pair, {-1, -2, 2}, options);
  EXPECT_EQ(ours.outcome, ChungWangOutcome::overlapping);
  EXPECT_LE(ours.bounds.iterations, 8);
}

// The algorithm as printed, but for the d of the matrix, which must be that of the plane. `strict`:
// the comparisons of the wedge as printed, so that a tie ends in its last branch.
enum class Literal : std::uint8_t { apart, apart_by_repetition, collision, endless };
Literal as_printed(const Pair& pair, Vec3 s, bool strict) {
  // Corner of a box in a direction; a tie goes to the positive side.
  const auto corner = [](const Shape& box, const Vec3& n) {
    const Vec3& half = std::get<Box>(box.geometry()).half();
    return Vec3{n.x < 0.0 ? -half.x : half.x, n.y < 0.0 ? -half.y : half.y,
                n.z < 0.0 ? -half.z : half.z};
  };
  std::vector<Vec3> seen;
  Vec3 w, last;
  s = normalized(s);
  for (int round = 0; round < 200; ++round) {
    const Vec3 difference = corner(pair.a, s) - (corner(pair.b, -s) + pair.pose_b.position());
    if (dot(difference, s) <= 0.0) return Literal::apart;
    const Vec3 r = -normalized(difference);
    if (r == last) return Literal::apart_by_repetition;
    last = r;
    if (round >= 4 && std::find(seen.begin(), seen.end(), r) != seen.end()) {
      s = w;
      continue;
    }
    seen.push_back(r);
    if (seen.size() == 3) w = normalized(seen[0] + seen[1]);
    if (seen.size() >= 3 && dot(w, r) < 0.0) {
      const double d = std::sqrt(r.x * r.x + r.y * r.y);
      const Vec3 x{r.x * r.z / d, r.y * r.z / d, -(r.x * r.x + r.y * r.y) / d};
      const Vec3 y{-r.y / d, r.x / d, 0.0};
      const auto project = [&](const Vec3& v) { return Vec3{dot(x, v), dot(y, v), 0.0}; };
      const auto turn = [](const Vec3& u, const Vec3& v) { return u.x * v.y - u.y * v.x; };
      Vec3 a = project(seen[0]), b = project(seen[1]);
      if (turn(a, b) > 0.0) std::swap(a, b);
      for (std::size_t j = 2; j + 1 < seen.size(); ++j) {
        const Vec3 p = project(seen[j]);
        if (strict ? turn(a, p) < 0.0 && turn(b, p) > 0.0 : turn(a, p) <= 0.0 && turn(b, p) >= 0.0)
          continue;
        if (turn(a, p) > 0.0 && turn(b, p) > 0.0) {
          a = p;
        } else if (turn(a, p) < 0.0 && turn(b, p) < 0.0) {
          b = p;
        } else {
          return Literal::collision;
        }
      }
      const Vec3 middle = normalized(a) + normalized(b);
      w = normalized(x * middle.x + y * middle.y);
    }
    s -= r * (2.0 * dot(r, s));
  }
  return Literal::endless;
}

// A point that comes again after a step to w is no proof that the bodies are apart.
TEST(ChungWang, TheRepeatRuleMissesACollision) {
  const Pair pair{Box({2, 3, 4}), Box({4, 1, 4}), Pose::translation({0, 1, -1})};
  EXPECT_NEAR(pair.distance(), -1.0, 1e-15);
  EXPECT_EQ(as_printed(pair, {1, 0, 0}, false), Literal::apart_by_repetition);
  EXPECT_EQ(ask(pair, {1, 0, 0}).outcome, ChungWangOutcome::overlapping);
}

// Points in one plane with the newest one, the rule between boxes, look like points all around.
TEST(ChungWang, TheStrictComparisonsInventACollision) {
  const Pair pair{Box({4, 2, 2}), Box({2, 4, 3}), Pose::translation({-2, 0, 3})};
  EXPECT_NEAR(pair.distance(), 0.5, 1e-15);
  EXPECT_EQ(as_printed(pair, {1, -1, -1}, true), Literal::collision);
  EXPECT_EQ(as_printed(pair, {1, -1, -1}, false), Literal::apart);
  EXPECT_EQ(ask(pair, {1, -1, -1}).outcome, ChungWangOutcome::separated);
}

TEST(ChungWang, TheCapLeavesATrueBracket) {
  const Pair pair{Ellipsoid({1, 0.5, 0.7}), Ellipsoid({0.8, 0.6, 0.4}),
                  Pose::translation({1.2, 0.3, 0.2})};
  for (int most = 1; most < 12; ++most) {
    ConvexOptions options;
    options.max_iterations = most;
    const ConvexAnswer r = answer_by_chung_wang(pair.cso(), options);
    EXPECT_LE(r.iterations, most);
    EXPECT_LE(r.lower, pair.distance() + 1e-12);
    EXPECT_GE(r.upper, pair.distance() - 1e-12);
  }
}

}  // namespace
}  // namespace tactus::detail
