#include "tactus/rigid/event/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::detail {
namespace {

void add_parts(const Shape& shape, const Pose& in_body, const Vec3& center,
               std::vector<BodyPart>& out) {
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    for (const Compound::Part& part : compound->parts())
      add_parts(part.shape, in_body * part.pose, center, out);
  } else {
    out.emplace_back(shape, in_body, center);
  }
}

}  // namespace

BodyPart::BodyPart(const Shape& shape, const Pose& in_body, const Vec3& center_of_mass)
    : shape_(&shape),
      in_body_(in_body),
      center_of_mass_(center_of_mass),
      radius_(is_plane() ? std::numeric_limits<double>::infinity() : bounding_radius(shape)) {
  const double ball = shape.is_convex_body() ? core_of(shape).radius : 0.0;
  reach_ = is_plane() ? 0.0 : norm(in_body.position() - center_of_mass) + (radius_ - ball);
}

Vec3 BodyPart::plane_normal() const {
  return in_body_.direction_to_world(std::get<HalfSpace>(shape_->geometry()).normal());
}

std::vector<BodyPart> parts_of(const Body& body) {
  std::vector<BodyPart> parts;
  add_parts(body.shape(), {}, body.mass().center, parts);
  return parts;
}

MovingPiece::MovingPiece(const BodyPart& mesh, std::uint32_t triangle)
    : part_(&mesh), is_triangle_(true), reach_(0.0) {
  const TriangleMesh& surface = mesh.mesh().mesh();
  for (std::size_t k = 0; k < 3; ++k) {
    triangle_.corner[k] = mesh.in_body().to_world(surface.vertices[surface.triangles[triangle][k]]);
    reach_ = std::max(reach_, norm(triangle_.corner[k] - mesh.center_of_mass()));
  }
}

double MovingPiece::support(const Pose& body, const Vec3& n) const {
  if (is_triangle_) {
    const Vec3 local = body.direction_to_local(n);
    return dot(n, body.position()) +
           std::max({dot(local, triangle_.corner[0]), dot(local, triangle_.corner[1]),
                     dot(local, triangle_.corner[2])});
  }
  const Pose placed = body * part_->in_body();
  if (part_->is_plane()) {
    const HalfSpace& plane = std::get<HalfSpace>(part_->shape().geometry());
    return dot(n, placed.position()) + plane.offset();
  }
  return dot(n, placed.position()) + support_value(part_->shape(), placed.direction_to_local(n));
}

Triangle MovingPiece::placed(const Pose& body) const {
  return {{body.to_world(triangle_.corner[0]), body.to_world(triangle_.corner[1]),
           body.to_world(triangle_.corner[2])}};
}

}  // namespace tactus::detail
