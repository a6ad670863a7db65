#include "tactus/mesh/surface/triangle_meet.hpp"

#include <algorithm>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

// Exact predicates, on the corners as given.

// Points of a plane, without the coordinate k: one-to-one where some triple is not collinear then.
struct Flat {
  int i, j;
  explicit Flat(int k) : i(next(k)), j(next(next(k))) {}

  int side(const Vec3& p, const Vec3& q, const Vec3& r) const {
    return orient2d(p[i], p[j], q[i], q[j], r[i], r[j]);
  }
  bool in_box(const Vec3& r, const Vec3& p, const Vec3& q) const {
    return std::min(p[i], q[i]) <= r[i] && r[i] <= std::max(p[i], q[i]) &&
           std::min(p[j], q[j]) <= r[j] && r[j] <= std::max(p[j], q[j]);
  }
  bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) const {
    const int of_r = side(p, q, r), of_s = side(p, q, s);
    const int of_p = side(r, s, p), of_q = side(r, s, q);
    if (of_r * of_s < 0 && of_p * of_q < 0) return true;
    return (of_r == 0 && in_box(r, p, q)) || (of_s == 0 && in_box(s, p, q)) ||
           (of_p == 0 && in_box(p, r, s)) || (of_q == 0 && in_box(q, r, s));
  }
};

bool segments_meet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  if (orient3d(p, q, r, s) != 0) return false;
  for (int k = 0; k < 3; ++k) {
    const Flat flat(k);
    if (flat.side(p, q, r) != 0 || flat.side(p, q, s) != 0 || flat.side(r, s, p) != 0 ||
        flat.side(r, s, q) != 0)
      return flat.segments_meet(p, q, r, s);
  }
  // On one line: the intervals overlap in every coordinate or in none that tells points apart.
  for (int k = 0; k < 3; ++k) {
    if (std::max(p[k], q[k]) < std::min(r[k], s[k]) || std::max(r[k], s[k]) < std::min(p[k], q[k]))
      return false;
  }
  return true;
}

// A segment in the plane of a triangle with area.
bool meets_in_plane(const Vec3& p, const Vec3& q, const Triangle& t) {
  const Vec3& a = t.corner[0];
  const Vec3& b = t.corner[1];
  const Vec3& c = t.corner[2];
  int k = 0;
  while (k < 2 && Flat(k).side(a, b, c) == 0) ++k;
  const Flat flat(k);
  const int ab = flat.side(a, b, p), bc = flat.side(b, c, p), ca = flat.side(c, a, p);
  if ((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)) return true;
  return flat.segments_meet(p, q, a, b) || flat.segments_meet(p, q, b, c) ||
         flat.segments_meet(p, q, c, a);
}

// The sides of a triangle's plane on which the corners of another one lie.
struct Sides {
  int of[3];
  Sides(const Triangle& plane, const Triangle& other) {
    for (int i = 0; i < 3; ++i)
      of[i] = orient3d(plane.corner[0], plane.corner[1], plane.corner[2], other.corner[i]);
  }
  bool all_one_side() const { return of[0] != 0 && of[0] == of[1] && of[0] == of[2]; }
};

// Some edge of `other` meets the triangle `t`, which has area.
bool edge_meets(const Triangle& other, const Sides& sides, const Triangle& t) {
  for (int i = 0; i < 3; ++i) {
    const int j = next(i);
    if (sides.of[i] * sides.of[j] > 0) continue;
    const Vec3& p = other.corner[i];
    const Vec3& q = other.corner[j];
    if (sides.of[i] == 0 && sides.of[j] == 0) {
      if (meets_in_plane(p, q, t)) return true;
      continue;
    }
    const int ab = orient3d(p, q, t.corner[0], t.corner[1]);
    const int bc = orient3d(p, q, t.corner[1], t.corner[2]);
    if (ab * bc < 0) continue;
    const int ca = orient3d(p, q, t.corner[2], t.corner[0]);
    if (ab * ca >= 0 && bc * ca >= 0) return true;
  }
  return false;
}

}  // namespace

bool triangles_meet(const Triangle& a, const Triangle& b) {
  const Sides of_a(b, a);
  if (of_a.all_one_side()) return false;
  const Sides of_b(a, b);
  if (of_b.all_one_side()) return false;
  const bool a_flat = collinear(a.corner[0], a.corner[1], a.corner[2]);
  const bool b_flat = collinear(b.corner[0], b.corner[1], b.corner[2]);
  if (!b_flat && edge_meets(a, of_a, b)) return true;
  if (!a_flat && edge_meets(b, of_b, a)) return true;
  if (!a_flat || !b_flat) return false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (segments_meet(a.corner[i], a.corner[next(i)], b.corner[j], b.corner[next(j)]))
        return true;
    }
  }
  return false;
}

}  // namespace tactus::detail
