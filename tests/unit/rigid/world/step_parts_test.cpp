// Parts of a world's step, each alone: events of touch, and the state of before.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/rigid/world/before_step.hpp"
#include "tactus/rigid/world/touch_events.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using Ids = std::pair<BodyId, BodyId>;

Vec3 vector_of(Random& rng, double most) {
  const double x = rng.uniform(-most, most), y = rng.uniform(-most, most),
               z = rng.uniform(-most, most);
  return {x, y, z};
}

std::vector<Body> balls_and_sensors(Random& rng) {
  std::vector<Body> bodies;
  for (BodyId id = 1; id <= 30; ++id) {
    BodyDefinition ball{Sphere(0.3), Pose::translation(vector_of(rng, 1.5))};
    ball.id = id;
    ball.sensor = id % 5 == 0;
    if (ball.sensor) ball.type = BodyType::fixed;
    bodies.emplace_back(ball);
  }
  return bodies;
}

std::set<Ids> overlapping(std::span<const Body> bodies) {
  std::set<Ids> found;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      if (bodies[i].is_sensor() && bodies[j].is_sensor()) continue;
      if (norm(bodies[i].center_of_mass() - bodies[j].center_of_mass()) <= 0.6)
        found.emplace(bodies[i].id(), bodies[j].id());
    }
  }
  return found;
}

std::set<Ids> ids(std::span<const TouchingPair> pairs) {
  std::set<Ids> all;
  for (const TouchingPair& p : pairs) all.emplace(p.body_a, p.body_b);
  EXPECT_EQ(all.size(), pairs.size());
  return all;
}

std::set<Ids> without(const std::set<Ids>& all, const std::set<Ids>& some) {
  std::set<Ids> left;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(left, left.end()));
  return left;
}

TEST(TouchEvents, BeginAndEndAsPairsOfBallsMeetAndPart) {
  Random rng(1);
  TouchEvents touches;
  std::set<Ids> known;
  for (int step = 0; step < test::effort(60); ++step) {
    const std::vector<Body> bodies = balls_and_sensors(rng);
    ContactSet contacts(1);
    contacts.detect(bodies, {}, {}, 0.01);
    const std::set<Ids> before = ids(touches.touching());
    touches.remember();
    touches.begin_step(bodies);
    // Twice, as where a step detects twice: no pair is told twice.
    touches.note(bodies, contacts, {});
    touches.note(bodies, contacts, {});
    touches.end_step(bodies);
    const std::set<Ids> now = overlapping(bodies);
    EXPECT_EQ(ids(touches.touching()), now);
    EXPECT_EQ(ids(touches.begun()), without(now, known));
    EXPECT_EQ(ids(touches.ended()), without(known, now));
    if (step % 3 == 2) {
      touches.undo();
      EXPECT_EQ(ids(touches.touching()), before);
      continue;
    }
    known = now;
    const BodyId gone[] = {7};
    touches.forget(gone);
    for (const TouchingPair& p : touches.touching()) EXPECT_FALSE(p.body_a == 7 || p.body_b == 7);
  }
}

TEST(BeforeStep, BringsBackWhateverAStepHasChanged) {
  Random rng(2);
  for (int round = 0; round < test::effort(50); ++round) {
    WorldBodies world;
    world.bodies = balls_and_sensors(rng);
    WorldSettings settings;
    settings.load_overlap = 0.01;
    WorldParts parts(world, settings);
    parts.choice.set(rng.uniform(1.0, 3.0), settings);
    world.step_count = rng.next();
    for (Body& body : world.bodies) body.set_force(vector_of(rng, 1.0), vector_of(rng, 1.0));
    const std::vector<Body> bodies = world.bodies;
    const double stiffening = parts.choice.stiffening();
    const std::uint64_t count = world.step_count;
    BeforeStep before;
    EXPECT_FALSE(before.is_known());
    before.note(parts);
    ASSERT_TRUE(before.is_known());
    for (Body& body : world.bodies) {
      if (rng.next() % 3 == 0) continue;
      BodyMotion motion = body.motion();
      motion.position += vector_of(rng, 1.0);
      motion.linear_velocity += vector_of(rng, 1.0);
      body.set_motion(motion);
      body.set_force({}, {});
    }
    parts.choice.set(1.5, settings);
    ++world.step_count;
    before.bring_back(parts);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_EQ(world.bodies[i].motion(), bodies[i].motion());
      EXPECT_EQ(world.bodies[i].force(), bodies[i].force());
      EXPECT_EQ(world.bodies[i].torque(), bodies[i].torque());
    }
    EXPECT_EQ(parts.choice.stiffening(), stiffening);
    EXPECT_EQ(world.step_count, count);
  }
}

}  // namespace
}  // namespace tactus::detail
