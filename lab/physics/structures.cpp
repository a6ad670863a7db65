#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/physics/trials.hpp"

// Trials of structures that must stand: towers, a heavy box on a light one, houses of cards.

namespace tactus::detail::lab::physics {
namespace {

const HalfSpace kGround({0.0, 0.0, 1.0}, 0.0);

/// Farthest way of any body from where it was, in a direction and across it.
struct Drift {
  double down = 0.0, aside = 0.0;
};

Drift drift(const World& world, const std::vector<Vec3>& start) {
  Drift most;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Vec3 moved = world.bodies()[i].center_of_mass() - start[i];
    most.down = std::max(most.down, -moved.z);
    most.aside = std::max(most.aside, std::hypot(moved.x, moved.y));
  }
  return most;
}

std::vector<Vec3> places(const World& world) {
  std::vector<Vec3> all;
  for (const Body& body : world.bodies()) all.push_back(body.center_of_mass());
  return all;
}

std::vector<Finding> tower(const Conditions& conditions, int count, double bound) {
  World world(conditions.settings);
  add_fixed(world, kGround, Pose(), {});
  for (int i = 0; i < count; ++i)
    add_moving(world, Box({1, 1, 1}), Pose::translation({0, 0, 0.5 + i}), {});
  const std::vector<Vec3> start = places(world);
  run(world, 60.0);
  const Drift moved = drift(world, start);
  const std::string name = "tower of " + std::to_string(count) + ", 60 s: ";
  return {at_most(name + "sinks", "box", moved.down, bound),
          at_most(name + "drifts", "box", moved.aside, bound)};
}

std::vector<Finding> load(const Conditions& conditions) {
  World world(conditions.settings);
  Material heavy;
  heavy.density = 1e6;
  add_fixed(world, kGround, Pose(), {});
  add_moving(world, Box({1, 1, 1}), Pose::translation({0, 0, 0.5}), {});
  add_moving(world, Box({1, 1, 1}), Pose::translation({0, 0, 1.5}), heavy);
  const std::vector<Vec3> start = places(world);
  run(world, 10.0);
  const double sunk = drift(world, start).down;
  double speed = 0.0;
  for (int i = 0; i < 60; ++i)
    speed = std::max(speed, require_done(world.step()).max_relative_speed);
  return {at_most("1000 times its weight on a box: sinks", "box", sunk, 1e-3),
          at_most("1000 times its weight on a box: speed at rest", "sizes/s", speed, 1e-3)};
}

/// Cards of unit length, scaled: pairs that lean against each other, and cards across their tops.
void build_card_house(World& world, int levels, double scale) {
  constexpr double kLean = 20.0 * kPi / 180.0;
  constexpr double kThickness = 0.02, kWidth = 0.6, kSpacing = 0.8;
  // A card across reaches from one top to the next and rests on one edge of each.
  constexpr double kShort = 0.002;
  const double sine = std::sin(kLean), cosine = std::cos(kLean);
  const double height = cosine + kThickness * sine;
  const double foot = 0.5 * (sine + kThickness * cosine);
  Material card;
  card.friction = 0.6;
  const Shape leaning = Box(Vec3{kThickness, kWidth, 1.0} * scale);
  const Shape across = Box(Vec3{kSpacing - kShort, kWidth, kThickness} * scale);
  add_fixed(world, kGround, Pose(), card);
  for (int level = 0; level < levels; ++level) {
    const int pairs = levels - level;
    const double base = level * (height + kThickness);
    for (int i = 0; i < pairs; ++i) {
      const double x = (i - 0.5 * (pairs - 1)) * kSpacing;
      for (const double side : {-1.0, 1.0}) {
        const Quat lean{std::cos(0.5 * kLean), 0.0, -side * std::sin(0.5 * kLean), 0.0};
        const Vec3 center{x + side * foot, 0.0, base + 0.5 * height};
        add_moving(world, leaning, Pose(center * scale, lean), card);
      }
      if (i + 1 == pairs) continue;
      const Vec3 center{x + 0.5 * kSpacing, 0.0, base + height + 0.5 * kThickness};
      add_moving(world, across, Pose::translation(center * scale), card);
    }
  }
}

std::vector<Finding> card_house(const Conditions& conditions, double scale) {
  World world(conditions.settings);
  build_card_house(world, 4, scale);
  const std::vector<Vec3> start = places(world);
  run(world, 10.0);
  const Drift moved = drift(world, start);
  std::string name = "card house of 4 levels, cards of ";
  name += scale < 1.0 ? "0.1" : scale > 1.0 ? "5" : "1";
  return {at_most(name + ": farthest way in 10 s", "card",
                  std::max(moved.down, moved.aside) / scale, 0.01)};
}

}  // namespace

std::vector<Trial> structures() {
  std::vector<Trial> all;
  all.push_back({"tower of 50", [](const Conditions& c) { return tower(c, 50, 0.005); }});
  // It stands when no box leaves the one below.
  all.push_back({"tower of 100", [](const Conditions& c) { return tower(c, 100, 0.25); }});
  all.push_back({"load", load});
  for (const double scale : {0.1, 1.0, 5.0})
    all.push_back({"card house", [scale](const Conditions& c) { return card_house(c, scale); }});
  return all;
}

}  // namespace tactus::detail::lab::physics
