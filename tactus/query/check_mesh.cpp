#include "tactus/query/check_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/query/distance.hpp"
#include "tactus/query/membership.hpp"
#include "tactus/shape/bounds.hpp"
#include "tactus/shape/support.hpp"

namespace tactus::detail {
namespace {

// Pairs of triangles that are looked at.
constexpr std::size_t kMostPairs = 4000000;
// Witnesses of a converged answer agree with its distance to this part of the size (see check.cpp).
constexpr double kConsistency = 1e-7;

/// Convex pieces: the triangles of a mesh, or a body as it is.
struct Pieces {
  const Shape& shape;
  const Pose& pose;
  const Mesh* mesh;

  Pieces(const Shape& of, const Pose& at)
      : shape(of), pose(at), mesh(std::get_if<Mesh>(&of.geometry())) {}
  std::size_t count() const { return mesh != nullptr ? mesh->mesh().triangles.size() : 1; }
  Vec3 corner(std::size_t i, std::size_t k) const {
    return mesh->mesh().vertices[mesh->mesh().triangles[i][k]];
  }
  /// Farthest coordinate of a piece along n (world).
  double support(std::size_t i, const Vec3& n) const {
    const Vec3 local = pose.direction_to_local(n);
    if (mesh == nullptr) return dot(n, pose.position()) + support_value(shape, local);
    return dot(n, pose.position()) +
           std::max(dot(local, corner(i, 0)),
                    std::max(dot(local, corner(i, 1)), dot(local, corner(i, 2))));
  }
  double support(const Vec3& n) const {
    double most = support(0, n);
    for (std::size_t i = 1; i < count(); ++i) most = std::max(most, support(i, n));
    return most;
  }
  Shape piece(std::size_t i) const {
    if (mesh == nullptr) return shape;
    const Vec3 corners[] = {corner(i, 0), corner(i, 1), corner(i, 2)};
    return Convex(corners);
  }
};

// Are all pieces of A at least `gap` from all pieces of B? A direction for each pair; `n` is tried
// first.
bool pieces_apart(const Pieces& a, const Pieces& b, const Vec3& n, double gap) {
  const double low_b = -b.support(-n);
  for (std::size_t i = 0; i < a.count(); ++i) {
    if (low_b - a.support(i, n) >= gap) continue;
    const Shape piece_a = a.piece(i);
    for (std::size_t j = 0; j < b.count(); ++j) {
      if (-b.support(j, -n) - a.support(i, n) >= gap) continue;
      const Vec3 own = distance(piece_a, a.pose, b.piece(j), b.pose).normal;
      if (!(-b.support(j, -own) - a.support(i, own) >= gap)) return false;
    }
  }
  return true;
}

// A point of each component of B inside of A?
bool holds_some(const Pieces& a, const Pieces& b) {
  if (a.mesh == nullptr || !a.mesh->closed()) return false;
  if (b.mesh == nullptr)
    return a.mesh->holds(a.pose.to_local(b.pose.to_world(b.shape.core().center)));
  const auto components = b.mesh->component_vertices();
  return std::any_of(components.begin(), components.end(), [&](std::uint32_t v) {
    return a.mesh->holds(a.pose.to_local(b.pose.to_world(b.mesh->mesh().vertices[v])));
  });
}

bool apart(const Pieces& a, const Pieces& b, const Vec3& n, double gap) {
  return !holds_some(a, b) && !holds_some(b, a) && pieces_apart(a, b, n, gap);
}

}  // namespace

CheckReport check_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       const DistanceResult& result, double slack) {
  CheckReport report;
  const auto fail = [&](const char* what) {
    if (report.failure.empty()) report.failure = what;
  };
  const Pieces pieces_a(a, pose_a), pieces_b(b, pose_b);
  const double size = bounding_radius(a) + bounding_radius(b);
  if (!(result.lower <= result.distance && result.distance <= result.upper))
    fail("the distance is not in its bracket");
  if (!(std::fabs(norm(result.normal) - 1.0) <= 1e-14)) fail("the normal is not a unit vector");
  report.membership_a = distance_outside(a, pose_a.to_local(result.point_a));
  report.membership_b = distance_outside(b, pose_b.to_local(result.point_b));
  report.witness_residual = norm(result.point_b - result.point_a - result.normal * result.distance);
  const double tolerance = result.status == Status::converged && result.lower > 0.0
                               ? kConsistency * size + slack
                               : std::numeric_limits<double>::infinity();
  if (!(report.membership_a <= tolerance)) fail("point_a is not on its shape");
  if (!(report.membership_b <= tolerance)) fail("point_b is not on its shape");
  if (!(report.witness_residual <= tolerance)) fail("point_b - point_a is not distance * normal");

  const double proved = norm(result.point_b - result.point_a);
  report.upper_only = result.upper < 0.0;
  if (!report.upper_only && !(result.upper >= proved - 2.0 * slack) && tolerance < size)
    fail("nothing proves the upper bound");
  if (pieces_a.count() * pieces_b.count() > kMostPairs) {
    report.upper_only = true;
  } else if (result.lower > 0.0) {
    if (!apart(pieces_a, pieces_b, result.normal, result.lower - slack))
      fail("a triangle is nearer than the lower bound");
  } else if (std::isfinite(result.lower)) {
    const Pose shifted = Pose::unchecked(
        pose_b.rotation(), pose_b.position() + result.normal * (slack - result.lower));
    if (!apart(pieces_a, Pieces(b, shifted), result.normal, 0.0))
      fail("a shift by the lower bound along the normal does not separate");
  }
  report.ok = report.failure.empty();
  return report;
}

}  // namespace tactus::detail
