#include <algorithm>
#include <cmath>

#include "tactus/check/apart.hpp"
#include "tactus/check/examiner.hpp"
#include "tactus/check/report.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/shape/access.hpp"

namespace tactus::detail {
namespace {

// Triangles that meet at a point and are looked at.
constexpr std::size_t kMostTriangles = 64;

bool has_curved_core(const Part& part) {
  const CoreKind kind = part.mesh == nullptr && part.shape->is_convex_body()
                            ? core_of(*part.shape).kind
                            : CoreKind::point;
  return kind == CoreKind::cylinder || kind == CoreKind::cone || kind == CoreKind::ellipsoid ||
         kind == CoreKind::custom;
}

// Does the point (about A's position) lie on the named triangle of the mesh?
Proof on_triangle(const Part& part, const Pose& pose, std::int32_t triangle, const Vec3& point,
                  double slack) {
  if (part.mesh == nullptr) return triangle < 0 ? Proof::not_claimed : Proof::refuted;
  if (triangle < 0) return Proof::not_claimed;
  const TriangleMesh& mesh = part.mesh->mesh();
  if (static_cast<std::size_t>(triangle) >= mesh.triangles.size()) return Proof::refuted;
  const auto& t = mesh.triangles[static_cast<std::size_t>(triangle)];
  const Triangle corners{{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]}};
  const Vec3 local = part.in_body.to_local(pose.to_local(point));
  return point_to_triangle(local, corners).distance <= slack ? Proof::proved : Proof::unproved;
}

/// The named parts of a pair in their poses, and what kind of pair it is.
struct Witnessed {
  const Part& part_a;
  const Part& part_b;
  const Pose& pose_a;
  const Pose& pose_b;

  bool is(ShapeType type) const { return part_a.is(type) || part_b.is(type); }
  bool has_mesh() const { return part_a.mesh != nullptr || part_b.mesh != nullptr; }
  bool has_plane() const { return is(ShapeType::halfspace); }
  bool has_open_mesh() const {
    return (part_a.mesh != nullptr && !part_a.mesh->closed()) ||
           (part_b.mesh != nullptr && !part_b.mesh->closed());
  }
};

// Where meshes or unions overlap, the points mark the place and need not be the deepest ones; a
// bare surface that crosses a plane is at distance 0, along whatever direction.
bool marks_place(const Examiner& x, const Witnessed& w, const WitnessClaim& claim) {
  if (claim.of_unions && claim.distance <= x.slack()) return true;
  return w.has_mesh() && (!w.has_plane() || w.has_open_mesh()) && claim.distance <= x.slack();
}

void examine_points(const Examiner& x, const Witnessed& w, const WitnessClaim& claim,
                    CheckReport& report) {
  report.membership_a = x.outside(true, &w.part_a, w.pose_a, claim.point_a);
  report.membership_b = x.outside(false, &w.part_b, w.pose_b, claim.point_b);
  const bool on = report.membership_a <= x.world_slack() && report.membership_b <= x.world_slack();
  // Support points are all that is known of a custom shape.
  const bool open = w.is(ShapeType::custom) || marks_place(x, w, claim);
  const Proof member = on && !w.is(ShapeType::custom) ? Proof::proved
                       : open                         ? Proof::unproved
                                                      : Proof::refuted;
  record(report, Claim::points, member, "a point is not on its shape");
  if (claim.part_a >= 0 || claim.part_b >= 0)
    record(report, Claim::parts, member, "a point is not on its part");
}

void examine_relation(const Examiner& x, const Witnessed& w, const WitnessClaim& claim,
                      CheckReport& report) {
  report.witness_residual = norm(claim.point_b - claim.point_a - claim.normal * claim.distance);
  double tolerance = 2.0 * x.world_slack() + kAllowed * kUnit * x.lengths();
  if (has_curved_core(w.part_a) || has_curved_core(w.part_b))
    tolerance += std::sqrt(2.0 * kAllowed * kUnit) * x.lengths();
  // Beside a wide bracket only what follows: points that are no farther apart than `upper`, their
  // balls apart, and no nearer along the normal than the distance.
  const double width = std::max(claim.upper - claim.distance - 2.0 * x.slack(), 0.0);
  const double beside =
      std::sqrt(width * (std::fabs(claim.upper) + std::fabs(claim.distance) + 2.0 * x.lengths()));
  const bool holds = report.witness_residual <= tolerance + beside;
  record(report, Claim::relation, holds ? Proof::proved : Proof::unproved,
         "point_b - point_a is not distance * normal");
}

// The direction along which a half-space is looked at is its own.
Proof examine_plane(const Witnessed& w, const WitnessClaim& claim, CheckReport& report) {
  const Vec3 own = w.part_a.is(ShapeType::halfspace) ? plane_normal(w.part_a, w.pose_a.rotation())
                                                     : -plane_normal(w.part_b, w.pose_b.rotation());
  if (!(norm(own - claim.normal) <= 2.0 * kAllowed * kUnit)) return Proof::refuted;
  const double f = -gap({w.pose_a, w.pose_b, {}, {}}, w.part_a, {0, w.part_a.pieces()}, w.part_b,
                        {0, w.part_b.pieces()}, own);
  report.direction_residual = std::fabs(f + claim.distance);
  return report.direction_residual <= claim.slack ? Proof::proved : Proof::refuted;
}

// The normal of overlapping meshes or unions is the way out: moved along it by -lower, B is apart.
Proof examine_way_out(const Examiner& x, const Witnessed& w, const WitnessClaim& claim,
                      double lower) {
  const Pair pair{w.pose_a, w.pose_b, {}, {}};
  Certificate::Apart by_normal;
  by_normal.steps.push_back({Certificate::Step::Kind::apart, 0, 0.0, claim.normal});
  if (proved_separation(pair, w.part_a, w.part_b, by_normal, 0.0) >= lower - x.slack())
    return Proof::proved;
  if (x.certificate() == nullptr) return Proof::unproved;
  for (const Certificate::Apart& apart : x.certificate()->apart) {
    if (x.part_of_a(apart.part_a) != &w.part_a || x.part_of_b(apart.part_b) != &w.part_b) continue;
    const bool along = norm(apart.shift - claim.normal * norm(apart.shift)) <= x.slack();
    if (along && proved_separation(pair, w.part_a, w.part_b, apart, 0.0) >= lower - x.slack())
      return Proof::proved;
  }
  return Proof::unproved;
}

// The triangles of a mesh on which a point (about A's position) lies, or the one that is named; of
// others, and of a mesh that is its hull, the whole.
std::vector<std::int32_t> pieces_at(const Part& part, const Pose& pose, std::int32_t named,
                                    const Vec3& point, double slack) {
  if (part.mesh == nullptr || named >= 0) return {named};
  std::vector<std::int32_t> found;
  if (part.mesh->hull() != nullptr) found.push_back(-1);
  const auto count = static_cast<std::int32_t>(part.pieces());
  for (std::int32_t i = 0; i < count && found.size() < kMostTriangles; ++i) {
    if (on_triangle(part, pose, i, point, slack) == Proof::proved) found.push_back(i);
  }
  return found;
}

Proof examine_direction(const Examiner& x, const Witnessed& w, const WitnessClaim& claim,
                        double lower, CheckReport& report) {
  Proof proof = Proof::unproved;
  double least = std::numeric_limits<double>::infinity();
  for (const std::int32_t i :
       pieces_at(w.part_a, w.pose_a, claim.triangle_a, x.local(claim.point_a), x.world_slack())) {
    for (const std::int32_t j :
         pieces_at(w.part_b, w.pose_b, claim.triangle_b, x.local(claim.point_b), x.world_slack())) {
      const auto a = piece_of(w.part_a, w.pose_a, i), b = piece_of(w.part_b, w.pose_b, j);
      if (a == nullptr || b == nullptr) continue;
      const double f = pair_value(*a, *b, claim.normal);
      least = std::min(least, std::fabs(f + claim.distance));
      if (!w.has_mesh() && !(lower <= -f + 2.0 * claim.slack)) proof = Proof::refuted;
    }
  }
  // A plane between surfaces is at its distance from all of both.
  if (w.has_mesh() && !(least <= claim.slack)) {
    const double all = gap({w.pose_a, w.pose_b, {}, {}}, w.part_a, {0, w.part_a.pieces()}, w.part_b,
                           {0, w.part_b.pieces()}, claim.normal);
    least = std::min(least, std::fabs(all - claim.distance));
  }
  report.direction_residual = std::isfinite(least) ? least : 0.0;
  return least <= claim.slack ? Proof::proved : proof;
}

void examine_normal(const Examiner& x, const Witnessed& w, const WitnessClaim& claim, double lower,
                    CheckReport& report) {
  if (!(std::fabs(norm(claim.normal) - 1.0) <= kAllowed * kUnit)) {
    record(report, Claim::normal, Proof::refuted, "not a unit vector");
    return;
  }
  Proof proof = Proof::unproved;
  if (w.has_plane() && !marks_place(x, w, claim)) {
    proof = examine_plane(w, claim, report);
  } else if (marks_place(x, w, claim)) {
    // Surfaces that come to touch do so between triangles, and need not be apart as a whole.
    if (claim.first_contact) proof = examine_direction(x, w, claim, lower, report);
    if (proof != Proof::proved) proof = examine_way_out(x, w, claim, lower);
  } else {
    proof = examine_direction(x, w, claim, lower, report);
  }
  record(report, Claim::normal, proof, "f(normal) is not -distance");
}

void examine_triangles(const Examiner& x, const Witnessed& w, const WitnessClaim& claim,
                       CheckReport& report) {
  const bool open = marks_place(x, w, claim);
  for (const bool of_a : {true, false}) {
    const Proof named = on_triangle(of_a ? w.part_a : w.part_b, of_a ? w.pose_a : w.pose_b,
                                    of_a ? claim.triangle_a : claim.triangle_b,
                                    x.local(of_a ? claim.point_a : claim.point_b), x.world_slack());
    record(report, Claim::triangles, named == Proof::unproved && !open ? Proof::refuted : named,
           "a point is not on its triangle");
  }
}

}  // namespace

void examine_witnesses(const Examiner& x, const Pose& pose_a, const Pose& pose_b,
                       const WitnessClaim& claim, double lower, CheckReport& report) {
  const Part *part_a = x.part_of_a(claim.part_a), *part_b = x.part_of_b(claim.part_b);
  if (part_a == nullptr || part_b == nullptr) {
    record(report, Claim::parts, Proof::refuted, "there is no such part");
    return;
  }
  const Witnessed w{*part_a, *part_b, pose_a, pose_b};
  examine_points(x, w, claim, report);
  examine_relation(x, w, claim, report);
  examine_normal(x, w, claim, lower, report);
  examine_triangles(x, w, claim, report);
}

}  // namespace tactus::detail
