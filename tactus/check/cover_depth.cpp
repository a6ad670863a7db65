#include "tactus/check/cover_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/check/containment.hpp"
#include "tactus/check/piece.hpp"
#include "tactus/check/polytope_depth.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

// Cases that are looked at, beyond which nothing is proved.
constexpr int kMostCases = 200000;
// Planes of one case: more are not needed to hold a point, and the bound takes all triples of them.
constexpr std::size_t kMostPlanes = 16;
// Determinants below this say too little.
constexpr double kFlat = 1e-12;

struct Plane {
  Vec3 n;
  double offset = 0.0;
};
using Polytope = std::vector<Plane>;

/// A bound of the length of all vectors beyond some planes, and the vector that has it.
struct Shortest {
  double bound = 0.0;
  Vec3 x;
};

// Weights of planes, none negative, whose weighted normals sum up to x: beyond all of them, no
// vector is shorter than the weighted offsets over the length of x.
void offer(const Plane* const* planes, const double* weights, int count, Shortest& best) {
  Vec3 x;
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    if (!(weights[i] >= 0.0)) return;
    x += planes[i]->n * weights[i];
    sum += planes[i]->offset * weights[i];
  }
  const double length = norm(x);
  if (length > 0.0 && sum / length > best.bound) best = {sum / length, x};
}

Shortest shortest_beyond(const std::vector<const Plane*>& planes) {
  Shortest best;
  const std::size_t count = planes.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Plane& p = *planes[i];
    offer(&planes[i], &p.offset, 1, best);
    for (std::size_t j = 0; j < i; ++j) {
      const Plane& q = *planes[j];
      const double g = dot(p.n, q.n), d = squared_norm(cross(p.n, q.n));
      if (!(d > kFlat)) continue;
      const Plane* const two[] = {&p, &q};
      const double weights[] = {(p.offset - g * q.offset) / d, (q.offset - g * p.offset) / d};
      offer(two, weights, 2, best);
      for (std::size_t k = 0; k < j; ++k) {
        const Plane& r = *planes[k];
        const Vec3 cp = cross(q.n, r.n), cq = cross(r.n, p.n), cr = cross(p.n, q.n);
        const double det = dot(p.n, cp);
        if (!(std::fabs(det) > kFlat)) continue;
        const Vec3 x = (cp * p.offset + cq * q.offset + cr * r.offset) / det;
        const Plane* const three[] = {&p, &q, &r};
        const double w[] = {dot(x, cp) / det, dot(x, cq) / det, dot(x, cr) / det};
        offer(three, w, 3, best);
      }
    }
  }
  return best;
}

// Is there nothing beyond all planes that is as short as `limit`? Weights whose normals cancel but
// for a rest prove it when the offsets exceed what the rest can bridge.
bool excludes(const std::vector<const Plane*>& planes, double limit) {
  const Plane& last = *planes.back();
  const std::size_t count = planes.size() - 1;
  const auto cancels = [&](const Plane* const* with, const double* weights, int n) {
    Vec3 rest = last.n;
    double sum = last.offset;
    for (int i = 0; i < n; ++i) {
      if (!(weights[i] >= 0.0)) return false;
      rest += with[i]->n * weights[i];
      sum += with[i]->offset * weights[i];
    }
    return sum > norm(rest) * limit;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Plane& p = *planes[i];
    const double one = -dot(last.n, p.n);
    if (cancels(&planes[i], &one, 1)) return true;
    for (std::size_t j = 0; j < i; ++j) {
      const Plane& q = *planes[j];
      const double g = dot(p.n, q.n), d = squared_norm(cross(p.n, q.n));
      const double lp = dot(last.n, p.n), lq = dot(last.n, q.n);
      const Plane* const two[] = {&p, &q};
      const double w[] = {(g * lq - lp) / d, (g * lp - lq) / d};
      if (d > kFlat && cancels(two, w, 2)) return true;
      for (std::size_t k = 0; k < j; ++k) {
        const Plane& r = *planes[k];
        const double det = dot(p.n, cross(q.n, r.n));
        if (!(std::fabs(det) > kFlat)) continue;
        const Plane* const three[] = {&p, &q, &r};
        const double v[] = {-dot(last.n, cross(q.n, r.n)) / det,
                            -dot(last.n, cross(r.n, p.n)) / det,
                            -dot(last.n, cross(p.n, q.n)) / det};
        if (cancels(three, v, 3)) return true;
      }
    }
  }
  return false;
}

/// The cases of one proof.
class Cases {
 public:
  Cases(const std::vector<Polytope>& covers, double wanted) : covers_(covers), wanted_(wanted) {}

  bool hold() {
    if (++cases_ > kMostCases || beyond_.size() > kMostPlanes) return false;
    Vec3 x;
    if (!beyond_.empty()) {
      const Shortest s = shortest_beyond(beyond_);
      if (s.bound >= wanted_ || excludes(beyond_, wanted_)) return true;
      x = s.x;
    }
    const Polytope* const cover = deepest_around(x);
    if (cover == nullptr) return false;
    for (const Plane& face : *cover) {
      if (face.offset >= wanted_) continue;
      beyond_.push_back(&face);
      if (!hold()) return false;
      beyond_.pop_back();
    }
    return true;
  }

 private:
  const Polytope* deepest_around(const Vec3& x) const {
    const Polytope* deepest = nullptr;
    double most = 0.0;
    for (const Polytope& cover : covers_) {
      double depth = kInfinity;
      for (const Plane& face : cover) depth = std::min(depth, face.offset - dot(face.n, x));
      if (depth > most) {
        most = depth;
        deepest = &cover;
      }
    }
    return deepest;
  }

  const std::vector<Polytope>& covers_;
  double wanted_;
  std::vector<const Plane*> beyond_;
  int cases_ = 0;
};

// The faces of a cover, less `outside`; none when its surface does not show that what is outside of
// it lies beyond one of them.
Polytope faces_of(const Certificate::Cover& cover, const std::vector<Vec3>& corners,
                  double outside) {
  Polytope out;
  if (corners.size() < 4 || !is_closed_surface(cover.faces)) return out;
  const Vec3 centre = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25;
  for (const auto& f : cover.faces) {
    if (f[0] >= corners.size() || f[1] >= corners.size() || f[2] >= corners.size()) return {};
    const Vec3 &p = corners[f[0]], &q = corners[f[1]], &r = corners[f[2]];
    const Vec3 n = normalized(cross(q - p, r - p), {});
    const double offset = std::min({dot(n, p), dot(n, q), dot(n, r)}) - outside;
    if (n == Vec3{} || !(dot(n, centre) < offset)) return {};
    out.push_back({n, offset});
  }
  return out;
}

// Translations that keep a point of one body inside of the other, a closed mesh.
Polytope held_faces(const Pair& pair, const Part& a, const Part& b, const Certificate::Cover& cover,
                    const Vec3& world) {
  const bool in_a = cover.held_in_a;
  const Part &holder = in_a ? a : b, &inner = in_a ? b : a;
  const auto piece =
      in_a ? piece_of(b, pair.b, cover.triangle_b) : piece_of(a, pair.a, cover.triangle_a);
  if (holder.mesh == nullptr || piece == nullptr) return {};
  const Vec3 point = cover.point - world;
  const Vec3 moved = in_a ? point + cover.shift : point - cover.shift;
  const double radius = depth_in_mesh(holder, in_a ? pair.a : pair.b, moved);
  if (!(radius > 0.0)) return {};
  const double outside =
      std::max(distance_outside(piece->shape, piece->pose.to_local(point)), 0.0) +
      kAllowed * kUnit * (norm(point) + norm(cover.shift) + core_of(*inner.shape).reach);
  std::vector<Vec3> corners;
  for (const Certificate::Support& s : cover.supports) {
    if (!(norm(s.point_a - cover.shift) <= radius)) return {};
    corners.push_back(s.point_a);
  }
  return faces_of(cover, corners, outside);
}

// Differences of points of two pieces.
Polytope difference_faces(const Pair& pair, const Part& a, const Part& b,
                          const Certificate::Cover& cover) {
  const auto x = piece_of(a, pair.a, cover.triangle_a), y = piece_of(b, pair.b, cover.triangle_b);
  if (x == nullptr || y == nullptr || x->is(ShapeType::custom) || y->is(ShapeType::custom))
    return {};
  double outside = 0.0;
  std::vector<Vec3> corners;
  for (const Certificate::Support& s : cover.supports) {
    const double out_a = distance_outside(x->shape, s.point_a);
    const double out_b = distance_outside(y->shape, s.point_b);
    if (!(out_a + out_b <= kAllowed * kUnit * lengths(*x, *y))) return {};
    outside = std::max(outside, out_a + out_b);
    corners.push_back(difference(*x, s.point_a, *y, s.point_b));
  }
  return faces_of(cover, corners, outside);
}

}  // namespace

double depth_in_mesh(const Part& mesh, const Pose& pose, const Vec3& point) {
  const TriangleMesh& surface = mesh.mesh->mesh();
  const Vec3 local = mesh.in_body.to_local(pose.to_local(point));
  double least = kInfinity;
  for (const auto& t : surface.triangles) {
    const Triangle triangle{
        {surface.vertices[t[0]], surface.vertices[t[1]], surface.vertices[t[2]]}};
    least = std::min(least, point_to_triangle(local, triangle).distance);
  }
  return is_closed(surface) && least > 0.0 && winds_around(surface, local) ? least : -kInfinity;
}

double depth_by_cover(const Pair& pair, const std::vector<Part>& parts_a,
                      const std::vector<Part>& parts_b, const Certificate& c, const Vec3& world,
                      double wanted, bool of_unions, std::string& reason) {
  reason = "a translation of the certificate is not proved to keep the bodies in contact";
  std::vector<Polytope> covers;
  for (const Certificate::Cover& cover : c.covers) {
    const Part* const a = find_part(parts_a, of_unions ? cover.part_a : c.part_a);
    const Part* const b = find_part(parts_b, of_unions ? cover.part_b : c.part_b);
    if (a == nullptr || b == nullptr) return -kInfinity;
    Polytope faces =
        cover.held ? held_faces(pair, *a, *b, cover, world) : difference_faces(pair, *a, *b, cover);
    if (faces.empty()) return -kInfinity;
    covers.push_back(std::move(faces));
  }
  reason = "the polytopes of the certificate do not hold all shorter translations";
  return Cases(covers, wanted).hold() ? wanted : -kInfinity;
}

}  // namespace tactus::detail
