#include "tactus/narrow/difference/kink_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fuzz/random_values.hpp"

namespace tactus::detail {
namespace {

TEST(KinkModel, BallsStayInsideWhereverTheyAreMoved) {
  Random random(1);
  for (const Shape& shape : {Shape(Box({0.4, 1.0, 0.7})), Shape(Cylinder(0.2, 1.1)),
                             Shape(Cylinder(0.9, 0.3)), Shape(Cone(0.4, 0.9))}) {
    const Core& core = core_of(shape);
    const InnerBall ball = inner_ball(core);
    EXPECT_GT(ball.radius, 0.1);
    for (int i = 0; i < 2000; ++i) {
      const Vec3 n = fuzz::direction(random);
      const double reach = dot(component_abs(n), ball.move);
      EXPECT_GE(support_value(core, n), dot(ball.center, n) + reach + ball.radius - 1e-15);
    }
  }
}

TEST(KinkModel, BallsAboutPointsOfAHullStayInside) {
  Random random(3);
  const Vec3 middle{0.3, -0.2, 0.1};
  for (const double thickness : {1.0, 0.1, 0.01}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i)
      points.push_back(middle + component_product(fuzz::direction(random), {1.0, 0.6, thickness}));
    const Shape shape = Convex(points);
    const Core& core = core_of(shape);
    int inside = 0;
    double fill = 0.0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 p = middle + (points[random.below(200)] - middle) * random.uniform(0.0, 1.0);
      double room = 1.0;
      for (const ConvexHull::Face& face : core.hull->faces)
        room = std::min(room, face.offset - dot(face.normal, p));
      const double claimed = inner_radius_at(core, p);
      EXPECT_LE(claimed, std::max(room, 0.0));
      if (!(claimed > 0.0)) continue;
      ++inside;
      fill = std::max(fill, claimed / room);
    }
    EXPECT_GT(inside, 500) << thickness;
    EXPECT_GT(fill, 0.5) << thickness;
  }
  const Shape flat = Convex(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_LE(inner_radius_at(core_of(flat), {0.2, 0.2, 0.0}), 0.0);
}

// h(m) - p.m of a witness p between apex and rim is never less than what the terms claim, and near
// the contact, on the side of a kink that gains all, hardly more.
TEST(KinkModel, GrowthOfAGeneratorIsTrueOnBothSides) {
  Random random(2);
  const Shape shape = Cone(0.5, 1.2);
  const Core& core = core_of(shape);
  const Vec3 n = normalized(Vec3{1.2, 0.0, 0.5});
  const TangentFrame frame(n);
  for (const double rim : {0.1, 0.5, 0.8}) {
    Multiplier multiplier;
    multiplier.held = true;
    multiplier.value = rim - 0.5;
    KinkModel model;
    model.value = 0.0;
    model.slope = {};
    model.form = {};
    model.kinks = 0;
    add_core(core, frame, &multiplier, model);
    Growth growth;
    add_growth(core, frame, &multiplier, model.kink, 0.05, growth);
    ASSERT_EQ(growth.count, 2);
    const Vec3 p = witness_of(core, n, &multiplier);
    double least = 1.0;
    for (int i = 0; i < 5000; ++i) {
      const Vec3 m = fuzz::direction(random);
      const Vec3 local{dot(frame.x, m), dot(frame.y, m), dot(frame.n, m)};
      double claimed = 0.0;
      for (int k = 0; k < growth.count; ++k) {
        const Growth::Term& t = growth.term[k];
        const double x = t.along.x * local.x + t.along.y * local.y;
        const double axial = dot(t.axis, local);
        claimed += t.linear ? (x > 0.0 ? t.size * x : t.other * -x)
                            : t.size * x * x / (2.0 * std::sqrt(1.0 - axial * axial));
      }
      const double gained = support_value(core, m) - dot(p, m);
      EXPECT_GE(gained, claimed - 1e-14) << rim;
      if (gained > 1e-3) least = std::min(least, (gained - claimed) / gained);
    }
    EXPECT_LT(least, 3e-4);
  }
}

}  // namespace
}  // namespace tactus::detail
