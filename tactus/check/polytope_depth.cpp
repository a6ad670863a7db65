#include "tactus/check/polytope_depth.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

// Error bound of a point between corners, relative to their coordinates.
constexpr double kPoint = 16.0 * kEpsilon;
// Directions of no particular place.
constexpr Vec3 kRays[] = {{0.31, 0.74, 0.59},   {-0.83, 0.22, 0.51}, {0.47, -0.62, -0.63},
                          {-0.12, -0.91, 0.39}, {0.68, 0.15, -0.72}, {-0.55, 0.57, -0.61}};

// The nearest point to the origin of the segment.
Vec3 nearest_of(const Vec3& p, const Vec3& q) {
  const Vec3 along = q - p;
  const double length = squared_norm(along);
  const double t = length > 0.0 ? std::clamp(-dot(p, along) / length, 0.0, 1.0) : 0.0;
  return p + along * t;
}

// The direction of that point, exact to rounding also beside a segment that is much longer than its
// distance.
Vec3 toward(const Vec3& p, const Vec3& q) {
  const Vec3 along = q - p;
  if (!(dot(p, along) < 0.0 && dot(q, along) > 0.0)) return nearest_of(p, q);
  const Vec3 across = accurate_cross({}, p, q);
  return cross(normalized(along), normalized(across, {}));
}

// A lower bound of the distance of a triangle from the origin.
double distance_of(const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 normal = accurate_cross(p, q, r);
  double most = 0.0;
  for (const Vec3& n : {normal, -normal, toward(p, q), toward(q, r), toward(r, p)}) {
    if (!(max_abs(n) > 0.0)) continue;
    const Vec3 unit = normalized(n);
    most = std::max(most, std::min({dot(unit, p), dot(unit, q), dot(unit, r)}));
  }
  return most;
}

// An upper bound of it: the distance of one of the triangle's points.
double nearness_of(const Vec3& p, const Vec3& q, const Vec3& r) {
  double least = std::min({norm(nearest_of(p, q)), norm(nearest_of(q, r)), norm(nearest_of(r, p))});
  const Vec3 n = accurate_cross(p, q, r);
  const double wp = dot(accurate_cross({}, q, r), n), wq = dot(accurate_cross({}, r, p), n),
               wr = dot(accurate_cross({}, p, q), n);
  if (std::min({wp, wq, wr}) > 0.0)
    least = std::min(least, norm((p * wp + q * wq + r * wr) / (wp + wq + wr)));
  return least + kPoint * std::max({max_abs(p), max_abs(q), max_abs(r)});
}

// Sign of a . b of vectors with this relative error; 0 if it is lost.
int sign_of(const Vec3& a, const Vec3& b) {
  const double value = dot(a, b);
  return std::fabs(value) > kPoint * norm(a) * norm(b) ? (value > 0.0 ? 1 : -1) : 0;
}

// Do the triangles, a closed surface, wind around the origin? By the crossings of a ray; one that
// passes too near to a side gives way to another.
bool winds(const std::vector<Vec3>& points,
           const std::vector<std::array<std::uint32_t, 3>>& faces) {
  for (const Vec3& ray : kRays) {
    int turns = 0;
    bool lost = false;
    for (const auto& f : faces) {
      const Vec3 &p = points[f[0]], &q = points[f[1]], &r = points[f[2]];
      const int signs[] = {sign_of(ray, accurate_cross({}, p, q)),
                           sign_of(ray, accurate_cross({}, q, r)),
                           sign_of(ray, accurate_cross({}, r, p))};
      const auto [low, high] = std::minmax({signs[0], signs[1], signs[2]});
      if (low < 0 && high > 0) continue;
      const int side = sign_of(p, accurate_cross(p, q, r));
      lost = lost || low == 0 || high == 0 || side == 0;
      if (side == high) turns += side;
    }
    if (!lost) return turns != 0;
  }
  return false;
}

}  // namespace

bool is_closed_surface(const std::vector<std::array<std::uint32_t, 3>>& faces) {
  std::vector<std::pair<std::uint64_t, int>> sides;
  for (const auto& f : faces) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t tail = f[k], head = f[k == 2 ? 0 : k + 1];
      sides.emplace_back(std::min(tail, head) << 32u | std::max(tail, head), tail < head ? 1 : -1);
    }
  }
  std::sort(sides.begin(), sides.end());
  int balance = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    balance += sides[i].second;
    const bool last = i + 1 == sides.size() || sides[i + 1].first != sides[i].first;
    if (last && balance != 0) return false;
  }
  return !faces.empty();
}

double depth_by_faces(const Piece& a, const Piece& b, const Certificate& c, double slack,
                      std::string& reason) {
  std::vector<Vec3> points;
  points.reserve(c.supports.size());
  double outside = 0.0;
  const double shrink_a = std::min(c.shrink_a, greatest_shrink(a.shape));
  const double shrink_b = std::min(c.shrink_b, greatest_shrink(b.shape));
  for (const Certificate::Support& s : c.supports) {
    const double out_a = distance_outside_shrunk(a.shape, s.point_a, shrink_a);
    const double out_b = distance_outside_shrunk(b.shape, s.point_b, shrink_b);
    if (!(out_a <= slack) || !(out_b <= slack)) {
      reason = "a support point of the certificate is not in its core";
      return -kInfinity;
    }
    outside = std::max(outside, out_a + out_b);
    points.push_back(difference(a, s.point_a, b, s.point_b));
  }
  reason = "the faces of the certificate do not hold the origin";
  double least = kInfinity, nearest = kInfinity;
  for (const auto& f : c.faces) {
    if (f[0] >= points.size() || f[1] >= points.size() || f[2] >= points.size()) return -kInfinity;
    const Vec3 &p = points[f[0]], &q = points[f[1]], &r = points[f[2]];
    least = std::min(least, distance_of(p, q, r));
    nearest = std::min(nearest, nearness_of(p, q, r));
  }
  const bool held = least > 0.0 && is_closed_surface(c.faces) && winds(points, c.faces);
  return (held ? least : -nearest) + (shrink_a + shrink_b) - outside;
}

}  // namespace tactus::detail
