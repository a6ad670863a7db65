#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/soft/contact/contacts.hpp"

namespace tactus::detail {

/// Where a rigid body is in a step: its centre of mass, and its turn since the start of the step as
/// Gibbs' vector (along the axis, the tangent of half the angle) times a length.
using RigidPlace = std::array<Vec3, 2>;
/// A part of the way; the ends are exact.
RigidPlace between(const RigidPlace& from, const RigidPlace& to, double share);

/// A rigid body in a step of deformables. Its six unknowns follow the vertices in the list of all
/// places.
struct RigidBlock {
  std::uint32_t body = 0;    ///< of the surfaces
  bool led = false;          ///< goes its way whatever pushes it; else contacts move it
  std::size_t unknown = 0;   ///< where its place is in the list: two entries
  std::uint32_t first = 0;   ///< its first vertex
  std::vector<Vec3> arms;    ///< of the vertices from the centre at the start, world axes
  double scale = 1.0;        ///< of the turn: twice the body's radius
  RigidPlace start, wanted;  ///< `wanted`: when nothing deformable is in its way
  double mass = 0.0;
  Mat3 inertia = Mat3::zero();  ///< about the centre, world axes, at `wanted`
  Vec3 force, torque;           ///< of the last step, which `wanted` contains

  RigidPlace at(std::span<const Vec3> x) const { return {x[unknown], x[unknown + 1]}; }
  /// Puts it there with its vertices.
  void put(const RigidPlace& place, std::vector<Vec3>& x) const;
  /// Its turn as Gibbs' vector.
  Vec3 turn_of(std::span<const Vec3> x) const { return x[unknown + 1] / scale; }

  /// Energy of the inertia, about `wanted`, less the work of the forces that it has felt already.
  double energy(std::span<const Vec3> x, double time_step) const;
  /// Force and torque of contacts on the body, beyond `force` and `torque`.
  Vec3 extra_force(std::span<const Vec3> x, double time_step) const;
  Vec3 extra_torque(std::span<const Vec3> x, double time_step) const;

  /// Moves it to the least of its own quadratic model: inertia, and the active pairs `touching`.
  void relax(const Contacts& contacts, std::span<const std::uint32_t> touching,
             std::span<const Vec3> start_places, double time_step, std::vector<Vec3>& x) const;
  /// Shortens its way since `reference` until each of its vertices keeps its bound; true where it
  /// had to.
  bool keep_within(std::span<const double> bounds, std::span<const Vec3> reference,
                   std::vector<Vec3>& x) const;
};

/// The turn `second` after the turn `first`, as Gibbs' vectors.
Vec3 turn_after(const Vec3& second, const Vec3& first);
/// The rotation of a Gibbs vector.
Mat3 rotation_of(const Vec3& turn);

}  // namespace tactus::detail
