#include "tactus/narrow/formula/triangle_box.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/math/predicates.hpp"
#include "tactus/narrow/formula/closed_form.hpp"

namespace tactus::detail {
namespace {

// Bounds of rounding, relative to the size (sum of the largest coordinates).
constexpr double kRounding = 2e-15;
// Squared sine of an angle above which a cross product of edges loses a digit at most.
constexpr double kClearAngle = 0.01;

Vec3 face_normal(const Triangle& t) {
  const Vec3 u = t.corner[1] - t.corner[0], v = t.corner[2] - t.corner[0];
  const Vec3 normal = cross(u, v);
  if (squared_norm(normal) > kClearAngle * (squared_norm(u) * squared_norm(v))) return normal;
  return accurate_cross(t.corner[0], t.corner[1], t.corner[2]);
}

double box_reach(const Vec3& half, const Vec3& direction) {
  return dot(half, component_abs(direction));
}

// The best of the axes so far.
struct BestAxis {
  const Triangle& triangle;
  const Vec3& half;
  double separation = -std::numeric_limits<double>::infinity();
  Vec3 outward;  // unit, from the box to the triangle

  void consider(const Vec3& axis) {
    const double p = dot(axis, triangle.corner[0]);
    const double q = dot(axis, triangle.corner[1]);
    const double r = dot(axis, triangle.corner[2]);
    const double low = std::min({p, q, r}), high = std::max({p, q, r});
    const double reach = box_reach(half, axis);
    const bool below = -high > low;
    const double gap = (below ? -high : low) - reach;
    if (!(gap > separation)) return;
    separation = gap;
    outward = below ? -axis : axis;
  }
};

double separation_along(const Triangle& t, const Vec3& half, const Vec3& n) {
  const double high = t.highest(n);
  return -high - box_reach(half, n);
}

BestAxis best_axis(const Triangle& t, const Vec3& half, const Vec3& normal, double rounding) {
  BestAxis best{t, half, -std::numeric_limits<double>::infinity(), {}};
  best.consider({1.0, 0.0, 0.0});
  best.consider({0.0, 1.0, 0.0});
  best.consider({0.0, 0.0, 1.0});
  double longest = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = t.corner[(k + 1) % 3] - t.corner[k];
    const double length = norm(edge);
    longest = std::max(longest, length);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const int l = (i + 2) % 3;
      const double across = std::sqrt(edge[j] * edge[j] + edge[l] * edge[l]);
      // The facet of this pair is a parallelogram as wide as this: if that is nothing, so is what
      // the axis could gain.
      if (std::min(2.0 * half[i] * across, length * across) <= rounding * length) continue;
      Vec3 axis;
      axis[j] = -edge[l] / across;
      axis[l] = edge[j] / across;
      best.consider(axis);
    }
  }
  const double area = norm(normal);
  if (area > rounding * longest) best.consider(normal / area);
  return best;
}

// Nearest points of triangle and box that do not meet: of an edge, or inside the face, of a corner
// of the box.
void nearest_points(const Triangle& t, const Vec3& half, const Vec3& normal,
                    TriangleSeparation& r) {
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec3& a, const Vec3& b) {
    const double square = squared_norm(b - a);
    if (!(square < least)) return;
    least = square;
    r.a = a;
    r.b = b;
  };
  for (int k = 0; k < 3; ++k) {
    const Vec3& p = t.corner[k];
    const Vec3& q = t.corner[(k + 1) % 3];
    const Vec3 center = (p + q) * 0.5, axis = (q - p) * 0.5;
    bool interior = false;
    const double along = detail::nearest_to_box(half, center, axis, 1.0, interior);
    const Vec3 on_a = along == -1.0 ? p : (along == 1.0 ? q : center + axis * along);
    consider(on_a, component_max(-half, component_min(on_a, half)));
  }
  const double height = dot(normal, t.corner[0]);
  if (std::fabs(height) <= box_reach(half, normal)) return;
  Vec3 corner;
  for (int i = 0; i < 3; ++i) corner[i] = (normal[i] < 0.0) == (height < 0.0) ? half[i] : -half[i];
  consider(point_to_triangle(corner, t).b, corner);
}

// True when the features that n supports have one nearest pair only.
bool shown_unique(const Triangle& t, const Vec3& half, const Vec3& n, double rounding) {
  double high = -std::numeric_limits<double>::infinity();
  for (const Vec3& c : t.corner) high = std::max(high, dot(n, c));
  int corners = 0;
  Vec3 edge;
  for (const Vec3& c : t.corner) {
    if (dot(n, c) < high - rounding) continue;
    edge = c - edge;
    ++corners;
  }
  int free = 0, along = 0;
  for (int i = 0; i < 3; ++i) {
    if (2.0 * half[i] * std::fabs(n[i]) > rounding) continue;
    if (half[i] > 0.0) {
      ++free;
      along = i;
    }
  }
  if (corners == 1 || free == 0) return true;
  if (corners != 2 || free != 1) return false;
  const int j = (along + 1) % 3;
  const int l = (along + 2) % 3;
  return std::max(std::fabs(edge[j]), std::fabs(edge[l])) > rounding;
}

}  // namespace

TriangleSeparation triangle_to_box(const Triangle& triangle, const Vec3& half) {
  TriangleSeparation r;
  double size = max_abs(half);
  for (const Vec3& c : triangle.corner) size = std::max(size, max_abs(c));
  const double rounding = kRounding * size;
  const Vec3 normal = face_normal(triangle);
  const BestAxis axis = best_axis(triangle, half, normal, rounding);
  r.value = r.shown = axis.separation;
  r.n = -axis.outward;
  if (axis.separation <= 0.0) return r;
  nearest_points(triangle, half, normal, r);
  const Vec3 gap = r.b - r.a;
  r.value = norm(gap);
  // The difference of near points has no good direction; the axis has, where it is theirs.
  if (!(norm(gap - r.n * dot(gap, r.n)) <= rounding && dot(gap, r.n) >= 0.0)) {
    r.n = gap / r.value;
    r.shown = separation_along(triangle, half, r.n);
  }
  r.unique = shown_unique(triangle, half, r.n, 4.0 * rounding);
  return r;
}

TriangleSeparation triangle_to_halfspace(const Triangle& triangle, const Vec3& normal,
                                         double offset) {
  TriangleSeparation r;
  double height[3], size = std::fabs(offset);
  int lowest = 0;
  for (int i = 0; i < 3; ++i) {
    height[i] = dot(normal, triangle.corner[i]);
    size = std::max(size, max_abs(triangle.corner[i]));
    if (height[i] < height[lowest]) lowest = i;
  }
  r.value = height[lowest] - offset;
  r.n = -normal;
  r.a = triangle.corner[lowest];
  r.b = r.a - normal * r.value;
  r.unique = true;
  for (int i = 0; i < 3; ++i) {
    if (i != lowest && height[i] <= height[lowest] + kRounding * size) r.unique = false;
  }
  return r;
}

}  // namespace tactus::detail
