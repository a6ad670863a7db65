#pragma once

#include <span>
#include <vector>

#include "tactus/character.hpp"
#include "tactus/rigid/character/surroundings.hpp"
#include "tactus/rigid/character/velocity_bounds.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// One update of a character: finds the way of a step, in phases.
///
/// First it leaves what is too near. Then it finds the ground, which says how the character wants
/// to move: with the ground and along it, or through the air. With this velocity it moves through
/// the step's time, obstacles moving as well, from hit to hit: each bounds the velocity. At the
/// end, obstacles standing, what the walls took away is tried again from a step's height, and the
/// ground is followed down.
class Walk {
 public:
  Walk(World& world, const Body& body, const CharacterSettings& settings,
       std::span<const BodyId> waiting);
  CharacterReport run(const CharacterInput& input);

 private:
  /// A place that a hit has found, as a bound of the velocity.
  enum class Kind : std::uint8_t { ground, wall, ceiling };
  struct Touch {
    Kind kind = Kind::wall;
    Vec3 normal, velocity;
    double outwards = 0.0;  ///< speed at which it is left
  };

  void leave();
  void find_ground();
  static double mobility(const Body& body, const Vec3& point, const Vec3& along);
  void press(const Surroundings::Ground& ground);
  void choose_wish(const CharacterInput& input);
  void take_off();
  void move();
  void meet(const Surroundings::Hit& hit, const Vec3& velocity, double time);
  void push(Surroundings::Obstacle& obstacle, const Surroundings::Hit& hit, const Vec3& velocity,
            const Vec3& point);
  Vec3 velocity_within();
  Vec3 along_ground(std::vector<VelocityBound>& all) const;
  void add_bounds(const Touch& touch, std::vector<VelocityBound>& bounds) const;
  void climb();
  bool climb_by(const Vec3& forward);
  void follow_down();
  void finish();

  Vec3 level(const Vec3& v) const { return v - up_ * dot(v, up_); }
  double reach_of(const Vec3& velocity) const;
  double foot_of(const Vec3& place) const;

  World& world_;
  const Body& body_;
  const CharacterSettings& settings_;
  Surroundings around_;
  CharacterReport report_;
  Vec3 up_;
  double step_;            ///< length in time
  double least_level_;     ///< cosine of the steepest ground that carries
  double force_left_;      ///< impulse that it may still push with
  Vec3 start_, place_;     ///< of the shape's frame
  Vec3 given_;             ///< displacements that are no motion: out of bodies, up steps
  bool walks_ = false;     ///< along the ground
  bool crushed_ = false;   ///< no velocity was within all bounds
  bool ended_on_ = false;  ///< ground that carries
  Vec3 carry_;             ///< velocity of the ground
  Vec3 wish_;              ///< wanted velocity, that of the ground included
  std::vector<Touch> touches_;
};

}  // namespace tactus::detail
