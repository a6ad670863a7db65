#include "tactus/check/piece.hpp"

#include <cmath>
#include <memory>

#include "tactus/shape.hpp"

namespace tactus::detail {
namespace {

// A normal of a half-space that went to the world and back.
constexpr double kSameNormal = 64.0 * kUnit;

double value(const Piece& piece, const Vec3& direction) {
  const Vec3 local = piece.pose.direction_to_local(direction);
  if (const auto* h = std::get_if<HalfSpace>(&piece.shape.geometry())) {
    return norm(local - h->normal()) <= kSameNormal ? h->offset()
                                                    : std::numeric_limits<double>::infinity();
  }
  return support_value(piece.shape, local);
}

}  // namespace

double Piece::reach() const {
  const double r = bounding_radius(shape);
  const auto* plane = std::get_if<HalfSpace>(&shape.geometry());
  return plane != nullptr ? std::fabs(plane->offset()) : r;
}

std::unique_ptr<Piece> piece_of(const Part& part, const Pose& body, std::int32_t triangle) {
  const Pose pose = body * part.in_body;
  if (part.mesh == nullptr) return std::make_unique<Piece>(Piece{*part.shape, pose});
  const TriangleMesh& mesh = part.mesh->mesh();
  if (triangle >= 0 && static_cast<std::size_t>(triangle) < mesh.triangles.size()) {
    const auto& t = mesh.triangles[static_cast<std::size_t>(triangle)];
    const Vec3 corners[] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    return std::make_unique<Piece>(Piece{Shape(Convex(corners)), pose});
  }
  if (triangle == -1 && part.mesh->hull() != nullptr)
    return std::make_unique<Piece>(Piece{Shape(*part.mesh->hull()), pose});
  return nullptr;
}

double pair_value(const Piece& a, const Piece& b, const Vec3& n) {
  return (value(a, n) + value(b, -n)) - dot(n, b.pose.position() - a.pose.position());
}

Vec3 difference(const Piece& a, const Vec3& point_a, const Piece& b, const Vec3& point_b) {
  return (a.pose.direction_to_world(point_a) - b.pose.direction_to_world(point_b)) -
         (b.pose.position() - a.pose.position());
}

double lengths(const Piece& a, const Piece& b) {
  return a.reach() + b.reach() + norm(a.pose.position()) + norm(b.pose.position());
}

}  // namespace tactus::detail
