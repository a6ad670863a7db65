#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail {

/// Where a sphere of a gas was at its last collision, in the cube, and how it flies since.
struct SphereFlight {
  Vec3 position, velocity;
  double clock = 0.0;
  Vec3 at(double time) const { return position + velocity * (time - clock); }
};

/// Equal elastic spheres in a periodic cube, by events alone: every collision at its exact time.
///
/// Each sphere has one event: its next collision, or when it leaves its cell. Events lie in a heap
/// with a place for each sphere. A collision with a sphere that has meanwhile met another one is
/// void, and found again when its time comes. Nothing but collisions changes a sphere, and when two
/// spheres meet follows from their flights alone: cells, void events and who looks first leave no
/// trace, so that several ranks can share a gas (`RankedGas`). The time of impact is the lesser
/// root of |r + v t| = 2 radius, without cancellation; a collision swaps the velocities along the
/// line of centres, which keeps momentum and energy to rounding. Cost: O(log n) per event, some 50
/// spheres looked at. Source: alder1959dynamics; rapaport1980event (one event for each sphere,
/// cells).
class SphereGas {
 public:
  /// `edge` of the cube, at least 6 radii. Positions inside it, spheres apart. Throws InvalidInput
  /// naming the field.
  SphereGas(double radius, double edge, std::vector<Vec3> positions, std::vector<Vec3> velocities);

  /// A sphere of a part of a gas: of this rank, or one near by, whose collisions with others that
  /// are near by are told.
  struct Member {
    std::uint32_t id = 0;
    SphereFlight flight;
    bool own = true;
  };
  /// A part of a gas of `count` spheres at a time, by id.
  SphereGas(double radius, double edge, std::size_t count, double time,
            std::span<const Member> members);

  /// How a sphere flies after a collision with another one, by ids.
  struct Collision {
    double time = 0.0;
    std::uint32_t sphere = 0, partner = 0;
    SphereFlight after;
  };
  /// Collisions that others have found, in the order of time, for the next `advance`.
  void expect(std::span<const Collision> told) { told_ = told; }
  /// Collisions of own spheres since the start, in the order of time.
  const std::vector<Collision>& found() const { return found_; }
  /// The longest way of an own sphere since the start.
  double longest_way() const;

  /// Advances to the given time.
  void advance(double time);
  double time() const { return time_; }
  std::uint64_t collisions() const { return collisions_; }
  std::uint64_t crossings() const { return crossings_; }

  /// By place in the order of ids, at `time()`.
  Vec3 position(std::size_t sphere) const { return spheres_[sphere].flight.at(time_); }
  std::uint32_t id(std::size_t sphere) const { return spheres_[sphere].id; }
  const SphereFlight& flight(std::size_t sphere) const { return spheres_[sphere].flight; }
  std::vector<Vec3> velocities() const;
  std::size_t size() const { return spheres_.size(); }
  /// Sum of v^2 / 2 (`energy_of`).
  double energy() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// A cell; of spheres that fly on over the border of the cube, beyond it.
  using Cell = std::array<std::int32_t, 3>;
  struct Sphere {
    SphereFlight flight;
    double way = 0.0;     ///< until the last collision
    double meets = 0.0;   ///< time of the next collision that is known
    double leaves = 0.0;  ///< when it leaves its cell
    std::uint32_t partner = kNone, partner_version = 0, version = 0;
    Cell cell{};
    std::uint32_t before = kNone, after = kNone;  ///< in the list of the cell
    std::uint32_t id = 0;
    std::int8_t side = 0;  ///< axis of leaving + 1, negative downwards
    bool own = true;
  };

  void start(std::size_t count);
  std::size_t head_of(const Cell& cell) const;
  Cell cell_at(const Vec3& place) const;
  void enter(std::uint32_t i);
  void leave(std::uint32_t i);
  void predict(std::uint32_t i, double now);
  void predict_beyond(std::uint32_t i, int axis, std::int32_t step, double now);
  void predict_with(std::uint32_t i, const Cell& cell, double now);
  double meeting(std::uint32_t i, std::uint32_t j, double now) const;
  Vec3 between(std::uint32_t i, std::uint32_t j, double time, double now) const;
  void find_exit(std::uint32_t i, double now);
  void cross(std::uint32_t i);
  void collide(std::uint32_t i, std::uint32_t j);
  void fly_on(std::uint32_t i, const SphereFlight& flight);
  void take(const Collision& told);
  double next(std::uint32_t i) const;
  bool earlier(std::uint32_t i, std::uint32_t j) const;
  void sift(std::uint32_t i);

  double radius_, edge_, cell_edge_ = 0.0, time_ = 0.0, start_ = 0.0;
  std::int32_t cells_ = 0;  ///< along an edge
  std::vector<Sphere> spheres_;
  std::vector<std::uint32_t> heads_;  ///< of the cells
  std::vector<std::uint32_t> heap_, place_;
  std::span<const Collision> told_;
  std::vector<Collision> found_;
  std::uint64_t collisions_ = 0, crossings_ = 0;
  bool part_ = false;  ///< of a gas: what is found is kept
};

/// Sum of v^2 / 2, summed in order with the error of each addition carried along.
double energy_of(std::span<const Vec3> velocities);

}  // namespace tactus::detail
