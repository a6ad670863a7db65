#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tactus/classic.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

// The steps that an observer is told of are true of the bodies: support points, points of A - B,
// closed polytopes, brackets.
namespace tactus::detail {
namespace {

constexpr double kRounding = 1e-11;  // of lengths of some units, through a hundred operations

struct Truth : Observer {
  Truth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
      : a_(a),
        b_(b),
        rotation_(pose_a),
        pose_b_(pose_b),
        distance_(distance(a, pose_a, b, pose_b)) {}

  void simplex(const SimplexEvent& e) override {
    note(e.state);
    EXPECT_NEAR(dot(e.direction, e.support), reach(e.direction, e.state.radii), kRounding);
    EXPECT_LE(norm(e.support - (e.support_a - e.support_b)), kRounding);
    for (const Vec3& p : e.points) expect_inside(p, e.state.radii);
  }
  void plane(const PlaneEvent& e) override {
    note(e.state);
    EXPECT_NEAR(e.offset, reach(e.normal, e.state.radii), kRounding) << e.state.stage;
  }
  void polytope(const PolytopeEvent& e) override {
    note(e.state);
    for (const Vec3& p : e.points) expect_inside(p, e.state.radii);
    // Each edge lies between two faces that pass it in opposite senses.
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& face : e.faces) {
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_TRUE(edges.insert({face[i], face[(i + 1) % 3]}).second);
    }
    for (const auto& [tail, head] : edges) EXPECT_TRUE(edges.count({head, tail}) == 1);
  }
  void cap(const CapEvent& e) override {
    note(e.state);
    EXPECT_GE(reach(e.axis, e.state.radii), e.depth - kRounding);
  }
  void segment(const SegmentEvent& e) override {
    note(e.state);
    if (e.state.stage != std::string("v_clip")) return;
    EXPECT_TRUE(!e.feature_a.empty() && !e.feature_b.empty());
    EXPECT_EQ(e.feature_a[0], e.point_a);
    EXPECT_EQ(e.feature_b[0], e.point_b);
  }

  std::map<std::string, int> seen;

 private:
  // f(n) of the bodies shrunk by `radii` together; n in A's frame.
  double reach(const Vec3& n, double radii) const {
    const Vec3 m = rotation_.direction_to_world(n);
    const auto value = [](const Shape& s, const Pose& pose, const Vec3& u) {
      return support_value(s, pose.direction_to_local(u)) + dot(pose.position(), u);
    };
    return value(a_, rotation_, m) + value(b_, pose_b_, -m) - radii;
  }
  void expect_inside(const Vec3& p, double radii) const {
    for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0.0, -0.8}}) {
      EXPECT_LE(dot(p, n), reach(n, radii) + kRounding);
      EXPECT_LE(dot(p, -n), reach(-n, radii) + kRounding);
    }
  }
  void note(const SearchState& state) {
    ++seen[state.stage];
    EXPECT_LE(state.lower - state.radii, distance_.upper + kRounding) << state.stage;
    EXPECT_GE(state.upper - state.radii, distance_.lower - kRounding) << state.stage;
  }

  const Shape &a_, &b_;
  const Pose &rotation_, &pose_b_;
  DistanceResult distance_;
};

TEST(Steps, AreTrueOfTheBodies) {
  enable_classic_methods();
  Random random(71);
  const std::vector<Shape> shapes = every_convex_shape(random);
  std::map<std::string, int> seen;
  for (const double reach : {1.5, 0.4}) {
    for (const Shape& a : shapes) {
      for (const Shape& b : shapes) {
        for (int n = 0; n < test::effort(1); ++n) {
          const Pose pose_a = random_pose(random, reach), pose_b = random_pose(random, reach);
          for (const Method method : kMethods) {
            SCOPED_TRACE(std::string(to_string(method)) + ' ' + std::string(to_string(a.type())) +
                         '-' + std::string(to_string(b.type())));
            Truth truth(a, pose_a, b, pose_b);
            QueryOptions options;
            options.method = method;
            options.tolerance = 1e-6;
            options.observer = &truth;
            distance(a, pose_a, b, pose_b, options);
            for (const auto& [stage, count] : truth.seen) seen[stage] += count;
          }
        }
      }
    }
  }
  for (const char* stage : {"newton", "gjk", "epa", "gjk_classic", "epa_classic", "mpr",
                            "chung_wang", "sat", "separating_plane", "v_clip", "answer"})
    EXPECT_GT(seen[stage], 0) << stage;
}

// GJK tells of its first support point, and of the simplex that holds the origin.
TEST(Steps, OfGjkBeginAndEnd) {
  struct Last : Observer {
    void simplex(const SimplexEvent& e) override {
      if (e.state.stage != std::string("gjk")) return;
      if (++count == 1) first = e.points.size();
      last = e.points.size();
      upper = e.state.upper;
    }
    int count = 0;
    std::size_t first = 9, last = 0;
    double upper = 9.0;
  } seen;
  QueryOptions options;
  options.method = Method::gjk;
  options.observer = &seen;
  const Shape box = Box({1, 1, 1});
  distance(box, Pose(), box, Pose(Vec3{0.3, 0.2, 0.1}, normalized(Quat{1, 0.2, 0.1, 0.3})),
           options);
  EXPECT_EQ(seen.first, 0u);
  EXPECT_EQ(seen.last, 4u);
  EXPECT_EQ(seen.upper, 0.0);
}

// Fifteen axes of two boxes, and no more than six where a face separates them.
TEST(Steps, OfBoxesAreTheirAxes) {
  struct Axes : Observer {
    void plane(const PlaneEvent& e) override {
      if (e.state.stage == std::string("sat")) offsets.push_back(e.offset);
    }
    std::vector<double> offsets;
  };
  const Shape box = Box({1, 1, 1});
  const Quat turned = normalized(Quat{1, 0.2, 0.1, 0.3});
  const auto ask = [&](const Vec3& place) {
    Axes axes;
    QueryOptions options;
    options.method = Method::sat;
    options.observer = &axes;
    const DistanceResult r = distance(box, Pose(), box, Pose(place, turned), options);
    EXPECT_NE(r.status, Status::unsupported);
    return std::pair(axes.offsets, r.distance);
  };
  const auto [all, depth] = ask({0.3, 0.2, 0.1});
  EXPECT_EQ(all.size(), 15u);
  EXPECT_NEAR(*std::min_element(all.begin(), all.end()), -depth, 1e-14);
  EXPECT_LE(ask({3.0, 0.2, 0.1}).first.size(), 6u);
}

// Conservative advancement: times grow, and points are places of the bodies.
TEST(Steps, OfAnImpactGoForward) {
  struct Times : Observer {
    void segment(const SegmentEvent& e) override {
      if (e.state.stage != std::string("impact")) return;
      times.push_back(e.state.lower);
      EXPECT_NEAR(norm(e.normal), 1.0, 1e-14);
      EXPECT_LE(std::fabs(e.point_a.x), 0.5 + 1e-12);
      gap = norm(e.point_b - e.point_a);
    }
    std::vector<double> times;
    double gap = 9.0;
  } seen;
  QueryOptions options;
  options.observer = &seen;
  const Shape box = Box({1, 1, 1});
  const CastResult r = impact(box, Pose(), {{2, 0.1, 0}, {0, 0, 1.5}}, box,
                              Pose::translation({2.5, 0.3, 0.2}), {}, options);
  ASSERT_EQ(r.hit, Overlap::yes);
  ASSERT_GT(seen.times.size(), 1u);
  EXPECT_TRUE(std::is_sorted(seen.times.begin(), seen.times.end()));
  EXPECT_EQ(seen.times.back(), r.time);
  EXPECT_LT(seen.gap, 1e-12);
}

}  // namespace
}  // namespace tactus::detail
