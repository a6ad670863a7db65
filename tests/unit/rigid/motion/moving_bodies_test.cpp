// Bodies within a substep: a look at two of them leaves no trace.
#include "tactus/rigid/motion/moving_bodies.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

Vec3 vector_of(Random& random, double most) {
  const double x = random.uniform(-most, most), y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

/// Balls and boxes that gravity pulls and torques turn, some of which are driven or fixed.
std::vector<Body> some_bodies(Random& random) {
  std::vector<Body> bodies;
  for (int i = 0; i < 12; ++i) {
    const Shape shape = i % 2 == 0 ? Shape(Box({0.9, 0.4, 0.2})) : Shape(Sphere(0.3));
    BodyDefinition body{shape, Pose::translation(vector_of(random, 9.0))};
    if (i % 6 == 0) body.type = BodyType::kinematic;
    if (i % 6 == 5) body.type = BodyType::fixed;
    if (body.type == BodyType::dynamic_body) body.torque = vector_of(random, 3.0);
    body.id = static_cast<BodyId>(i + 1);
    if (body.type != BodyType::fixed) {
      body.linear_velocity = vector_of(random, 5.0);
      body.angular_velocity = vector_of(random, 30.0);
    }
    bodies.emplace_back(body);
  }
  return bodies;
}

/// All that a substep reads of a body.
struct Seen {
  SolverBody body;
  BodyPlace place, at_end;
};

Seen seen(const MovingBodies& moving, std::uint32_t body) {
  return {moving.solver_bodies()[body], moving.place(body), moving.place_at_end(body)};
}

bool same(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }
bool same(const BodyPlace& a, const BodyPlace& b) {
  return same(a.center, b.center) && same(a.pose.position(), b.pose.position()) &&
         std::memcmp(&a.pose.rotation(), &b.pose.rotation(), sizeof(Mat3)) == 0;
}
bool same(const Seen& a, const Seen& b) {
  return same(a.body.linear, b.body.linear) && same(a.body.angular, b.body.angular) &&
         same(a.body.shift, b.body.shift) && same(a.body.rotation, b.body.rotation) &&
         std::memcmp(&a.body.inverse_inertia, &b.body.inverse_inertia, sizeof(Mat3)) == 0 &&
         same(a.place, b.place) && same(a.at_end, b.at_end);
}

TEST(MovingBodies, ALookAtTwoOfThemLeavesNoTrace) {
  Random random(1);
  int moved = 0;
  for (int run = 0; run < test::effort(50); ++run) {
    const std::vector<Body> bodies = some_bodies(random);
    WorldSettings settings;
    MovingBodies moving;
    moving.load(bodies, settings, settings.time_step);
    const double substep = settings.time_step / settings.substeps;
    for (std::uint32_t a = 0; a < bodies.size(); ++a) {
      const std::uint32_t b = (a + 1 + random.below(11)) % 12;
      const Seen before_a = seen(moving, a), before_b = seen(moving, b);
      const double time = random.uniform(0.0, substep);
      const bool acted = moving.meet(a, b, time, [&](SolverBody& x, SolverBody& y) {
        moved += same(x.shift, before_a.body.shift) ? 0 : 1;
        // Whatever a look makes of the two, it is dropped.
        x.linear += Vec3{1.0, 2.0, 3.0};
        y.angular *= 2.0;
        return false;
      });
      EXPECT_FALSE(acted);
      EXPECT_TRUE(same(before_a, seen(moving, a)));
      EXPECT_TRUE(same(before_b, seen(moving, b)));
    }
  }
  EXPECT_GT(moved, 2 * test::effort(50));
}

TEST(MovingBodies, WhatActsChangesThoseAloneThatCanBePushed) {
  Random random(2);
  for (int run = 0; run < test::effort(50); ++run) {
    const std::vector<Body> bodies = some_bodies(random);
    WorldSettings settings;
    MovingBodies moving;
    moving.load(bodies, settings, settings.time_step);
    const double substep = settings.time_step / settings.substeps, time = 0.6 * substep;
    // Bodies 6 and 7: driven and pushed.
    const Seen driven = seen(moving, 6), pushed = seen(moving, 7);
    const Vec3 kick = vector_of(random, 2.0);
    Vec3 where;
    EXPECT_TRUE(moving.meet(6, 7, time, [&](SolverBody&, SolverBody& y) {
      where = moving.place(7).center;
      y.linear += kick;
      return true;
    }));
    EXPECT_TRUE(same(driven, seen(moving, 6)));
    const Seen after = seen(moving, 7);
    EXPECT_NEAR(norm(after.body.linear - pushed.body.linear - kick), 0.0, 1e-14);
    // With its new velocity it comes to the place where it was met.
    EXPECT_NEAR(norm(after.place.center + after.body.linear * time - where), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace tactus::detail
