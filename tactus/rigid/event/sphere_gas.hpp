#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail {

/// Equal elastic spheres in a periodic cube, by events alone: every collision at its exact time.
///
/// Each sphere has one event: its next collision, or when it leaves its cell. The spheres' own
/// clocks run apart; a sphere is moved when something happens to it. Events lie in a heap with a
/// place for each sphere. A collision with a sphere that has meanwhile met another one is void, and
/// found again when its time comes. The time of impact is the lesser root of |r + v t| = 2 radius,
/// without cancellation; a collision swaps the velocities along the line of centres, which keeps
/// momentum and energy to rounding. Cost: O(log n) per event, some 50 spheres looked at.
/// Source: alder1959dynamics; rapaport1980event (one event for each sphere, cells).
class SphereGas {
 public:
  /// `edge` of the cube, at least 6 radii. Positions inside it, spheres apart. Throws InvalidInput
  /// naming the field.
  SphereGas(double radius, double edge, std::vector<Vec3> positions, std::vector<Vec3> velocities);

  /// Advances to the given time.
  void advance(double time);
  double time() const { return time_; }
  std::uint64_t collisions() const { return collisions_; }
  std::uint64_t crossings() const { return crossings_; }

  /// At `time()`.
  Vec3 position(std::size_t sphere) const;
  std::span<const Vec3> velocities() const { return velocities_; }
  std::size_t size() const { return velocities_.size(); }
  /// Sum of v^2 / 2, summed in order with the error of each addition carried along.
  double energy() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Sphere {
    Vec3 position;
    double clock = 0.0;
    double meets = 0.0;   ///< time of the next collision that is known
    double leaves = 0.0;  ///< when it leaves its cell
    std::uint32_t partner = kNone, partner_version = 0, version = 0;
    std::uint32_t cell = 0;
    std::uint32_t before = kNone, after = kNone;  ///< in the list of the cell
    std::int8_t side = 0;                         ///< axis of leaving + 1, negative downwards
  };

  std::uint32_t cell_of(const Vec3& place) const;
  void enter(std::uint32_t i, std::uint32_t cell);
  void leave(std::uint32_t i);
  void move(std::uint32_t i, double time);
  void predict(std::uint32_t i);
  void predict_with(std::uint32_t i, std::uint32_t cell);
  void find_exit(std::uint32_t i);
  void cross(std::uint32_t i);
  void collide(std::uint32_t i, std::uint32_t j);
  double next(std::uint32_t i) const;
  bool earlier(std::uint32_t i, std::uint32_t j) const;
  void sift(std::uint32_t i);

  double radius_, edge_, cell_edge_ = 0.0, time_ = 0.0;
  std::int32_t cells_ = 0;  ///< along an edge
  std::vector<Sphere> spheres_;
  std::vector<Vec3> velocities_;
  std::vector<std::uint32_t> heads_;  ///< of the cells
  std::vector<std::uint32_t> heap_, place_;
  std::uint64_t collisions_ = 0, crossings_ = 0;
};

}  // namespace tactus::detail
