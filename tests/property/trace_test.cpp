#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_shapes.hpp"

// An observer observes: with one and without one the answers have the same bits.
namespace tactus::detail {
namespace {

struct Counter : Observer {
  std::uint64_t steps = 0;

  void simplex(const SimplexEvent& e) override { count(e.state); }
  void segment(const SegmentEvent& e) override { count(e.state); }
  void plane(const PlaneEvent& e) override { count(e.state); }
  void cap(const CapEvent& e) override { count(e.state); }
  void ray(const RayEvent& e) override { count(e.state); }

 private:
  void count(const SearchState& state) {
    ++steps;
    EXPECT_LE(state.lower, state.upper + 1e-12) << state.stage;
  }
};

bool same_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }
bool same_bits(const Vec3& x, const Vec3& y) {
  return same_bits(x.x, y.x) && same_bits(x.y, y.y) && same_bits(x.z, y.z);
}
template <class Result>
bool same_answer(const Result& x, const Result& y) {
  return same_bits(x.distance, y.distance) && same_bits(x.normal, y.normal) &&
         same_bits(x.point_a, y.point_a) && same_bits(x.point_b, y.point_b) &&
         x.status == y.status && x.method == y.method && x.unique == y.unique &&
         x.iterations == y.iterations && x.part_a == y.part_a && x.part_b == y.part_b;
}
bool same(const DistanceResult& x, const DistanceResult& y) {
  return same_answer(x, y) && same_bits(x.lower, y.lower) && same_bits(x.upper, y.upper) &&
         x.triangle_a == y.triangle_a && x.triangle_b == y.triangle_b;
}
bool same(const CastResult& x, const CastResult& y) {
  return same_answer(x, y) && x.hit == y.hit && same_bits(x.time, y.time) &&
         same_bits(x.time_upper, y.time_upper);
}

std::vector<Shape> every_shape(Random& random) {
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.push_back(HalfSpace({0.0, 0.6, 0.8}, 0.1));
  shapes.push_back(Mesh(test::sphere_mesh(1)));
  shapes.push_back(Compound({{Shape(Box({0.4, 0.3, 0.5})), Pose::translation({0.3, 0.0, 0.1})},
                             {Shape(Cone(0.3, 0.5)), Pose::translation({-0.3, 0.1, 0.0})}}));
  return shapes;
}

struct Contacts {
  std::array<Manifold, 16> manifolds;
  ContactsResult result;
  Contacts(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
           const QueryOptions& options)
      : result(contacts(a, pa, b, pb, manifolds, options)) {}
};

void expect_same(const Contacts& x, const Contacts& y) {
  EXPECT_TRUE(same(x.result.distance, y.result.distance));
  ASSERT_EQ(x.result.manifolds, y.result.manifolds);
  for (int m = 0; m < x.result.manifolds; ++m) {
    const Manifold &p = x.manifolds[static_cast<std::size_t>(m)],
                   &q = y.manifolds[static_cast<std::size_t>(m)];
    ASSERT_EQ(p.count, q.count);
    for (int i = 0; i < p.count; ++i) {
      const ContactPoint &u = p.points[static_cast<std::size_t>(i)],
                         &v = q.points[static_cast<std::size_t>(i)];
      EXPECT_TRUE(same_bits(u.point_a, v.point_a) && same_bits(u.point_b, v.point_b) &&
                  same_bits(u.depth, v.depth) && u.feature == v.feature);
    }
  }
}

TEST(Trace, ObservesWithoutAnyEffect) {
  Random random(71);
  const std::vector<Shape> shapes = every_shape(random);
  Counter counter;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      SCOPED_TRACE(std::string(to_string(a.type())) + "-" + std::string(to_string(b.type())));
      const std::uint64_t before = counter.steps;
      bool answered = false;
      for (int n = 0; n < test::effort(10); ++n) {
        const Pose pa = random_pose(random, 0.5);
        const Pose pb = random_pose(random, 0.5);
        QueryOptions plain, traced;
        plain.margin = traced.margin = 0.1;
        traced.observer = &counter;
        const DistanceResult d = distance(a, pa, b, pb, plain);
        answered = answered || d.status != Status::unsupported;
        EXPECT_TRUE(same(d, distance(a, pa, b, pb, traced)));
        const OverlapResult o = overlap(a, pa, b, pb, plain), p = overlap(a, pa, b, pb, traced);
        EXPECT_TRUE(o.overlap == p.overlap && same(o.proof, p.proof));
        expect_same({a, pa, b, pb, plain}, {a, pa, b, pb, traced});
        QueryCache cache, twin;
        for (int again = 0; again < 2; ++again) {
          EXPECT_TRUE(
              same(distance(a, pa, b, pb, plain, &cache), distance(a, pa, b, pb, traced, &twin)));
        }
        EXPECT_EQ(cache, twin);
        const Vec3 motion{0.4, -1.0, 0.3};
        EXPECT_TRUE(
            same(cast(a, pa, motion, b, pb, {}, plain), cast(a, pa, motion, b, pb, {}, traced)));
        const RigidMotion turn{motion, {0.3, 0.5, -0.2}};
        EXPECT_TRUE(
            same(impact(a, pa, turn, b, pb, {}, plain), impact(a, pa, turn, b, pb, {}, traced)));
      }
      const bool mesh = a.type() == ShapeType::mesh || b.type() == ShapeType::mesh;
      if (answered && !mesh) {
        EXPECT_GT(counter.steps, before);
      }
    }
  }
}

}  // namespace
}  // namespace tactus::detail
