#pragma once

#include <cstdint>
#include <vector>

#include "tactus/mesh/surface/triangle_meet.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// A part of a body that is looked at alone: a convex shape, a half-space or a mesh.
class BodyPart {
 public:
  BodyPart(const Shape& shape, const Pose& in_body, const Vec3& center_of_mass);

  const Shape& shape() const { return *shape_; }
  const Mesh& mesh() const { return std::get<Mesh>(shape_->geometry()); }
  const Pose& in_body() const { return in_body_; }
  bool is_plane() const { return shape_->type() == ShapeType::halfspace; }
  Vec3 plane_normal() const;  ///< body's frame
  /// A ball that holds the part, body's frame; infinite for a half-space.
  const Vec3& middle() const { return in_body_.position(); }
  double radius() const { return radius_; }
  /// Distance from the centre of mass within which all of the part lies that turns: a ball about
  /// its own middle turns into itself.
  double reach() const { return reach_; }
  const Vec3& center_of_mass() const { return center_of_mass_; }

 private:
  const Shape* shape_;
  Pose in_body_;
  Vec3 center_of_mass_;
  double radius_, reach_;
};

/// The parts of a compound, or the body itself. They refer to the shape.
std::vector<BodyPart> parts_of(const Body& body);

/// A convex part, or a mesh as its hull, or one triangle of a mesh.
class MovingPiece {
 public:
  explicit MovingPiece(const BodyPart& part) : part_(&part), reach_(part.reach()) {}
  MovingPiece(const BodyPart& mesh, std::uint32_t triangle);

  double reach() const { return reach_; }
  /// Largest value of n . x, n unit, both of the world, over the piece of a body at that pose.
  double support(const Pose& body, const Vec3& n) const;
  /// The triangle in the world.
  Triangle placed(const Pose& body) const;

 private:
  const BodyPart* part_;
  bool is_triangle_ = false;
  Triangle triangle_;  ///< body's frame
  double reach_;
};

}  // namespace tactus::detail
