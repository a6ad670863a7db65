#include "tactus/narrow/formula/nearest_boxes.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

constexpr int kRounds = 4;
// Squared sine of the angle above which two edges have a common normal with all its digits.
constexpr double kClearAngle = 0.01;
// The proof may leave this part of the rounding bound open.
constexpr double kProved = 0.5;

Vec3 onto(const Vec3& half, const Vec3& p) {
  return {std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
          std::clamp(p.z, -half.z, half.z)};
}

// The coordinates in which a point of a box lies strictly inside its bounds.
struct Free {
  int count = 0;
  int axis = 0;  ///< the last of them
  int held = 0;  ///< the last of the others

  Free(const Vec3& half, const Vec3& p) {
    for (int i = 0; i < 3; ++i) {
      const bool inside = std::fabs(p[i]) < half[i];
      count += inside ? 1 : 0;
      (inside ? axis : held) = i;
    }
  }
};

// Points of both boxes, each in its own frame, and the way between them in A's.
class Points {
 public:
  explicit Points(const BoxPair& boxes) : boxes_(boxes), a_(onto(boxes.half_a, boxes.translation)) {
    project_a();
  }

  // A point of A is one of B.
  bool meet() const {
    return std::fabs(b_.x) < boxes_.half_b.x && std::fabs(b_.y) < boxes_.half_b.y &&
           std::fabs(b_.z) < boxes_.half_b.z;
  }

  // Nearest points of the other box.
  void project_a() {
    b_ = onto(boxes_.half_b, transpose_times(boxes_.rotation, a_ - boxes_.translation));
    placed_b_ = boxes_.rotation * b_ + boxes_.translation;
  }
  void project_b() { a_ = onto(boxes_.half_a, placed_b_); }

  // Nearest points of the two edges that the points lie on.
  bool solve_edges(int i, int j) {
    const Vec3 v = boxes_.rotation.column(j);
    const double uv = v[i];
    const double sine2 = 1.0 - uv * uv;
    if (!(sine2 > kClearAngle)) return false;
    Vec3 start_a = a_, start_b = b_;
    start_a[i] = 0.0;
    start_b[j] = 0.0;
    const Vec3 c = (boxes_.rotation * start_b + boxes_.translation) - start_a;
    const double uc = c[i], vc = dot(v, c);
    const double s = std::clamp((uc - uv * vc) / sine2, -boxes_.half_a[i], boxes_.half_a[i]);
    b_[j] = std::clamp(s * uv - vc, -boxes_.half_b[j], boxes_.half_b[j]);
    a_[i] = std::clamp(uc + b_[j] * uv, -boxes_.half_a[i], boxes_.half_a[i]);
    placed_b_ = boxes_.rotation * b_ + boxes_.translation;
    return true;
  }

  // Nearest points along the free coordinate in which the distance falls the fastest.
  void slide() {
    const Vec3 gap = placed_b_ - a_;
    const int i = steepest(boxes_.half_a, a_, gap);
    const int j = steepest(boxes_.half_b, b_, transpose_times(boxes_.rotation, gap));
    bool interior = false;
    if (j >= 0) {
      Vec3 center = b_;
      center[j] = 0.0;
      b_[j] = detail::nearest_to_box(boxes_.half_a, boxes_.rotation * center + boxes_.translation,
                                     boxes_.rotation.column(j), boxes_.half_b[j], interior);
      placed_b_ = boxes_.rotation * b_ + boxes_.translation;
      project_b();
    } else if (i >= 0) {
      Vec3 center = a_;
      center[i] = 0.0;
      a_[i] = detail::nearest_to_box(boxes_.half_b,
                                     transpose_times(boxes_.rotation, center - boxes_.translation),
                                     boxes_.rotation.row[i], boxes_.half_a[i], interior);
      project_a();
    }
  }

  // The direction between the points, by the features that they lie on; false when they coincide.
  bool direction(const Free& at_a, const Free& at_b, Vec3& n) const {
    n = placed_b_ - a_;
    if (at_a.count == 2) {
      const double side = n[at_a.held];
      n = {};
      n[at_a.held] = std::copysign(1.0, side);
    } else if (at_b.count == 2) {
      const Vec3 normal = boxes_.rotation.column(at_b.held);
      n = dot(n, normal) < 0.0 ? -normal : normal;
    } else if (at_a.count == 1 && at_b.count == 1) {
      Vec3 edge;
      edge[at_a.axis] = 1.0;
      const Vec3 normal = cross(edge, boxes_.rotation.column(at_b.axis));
      n = dot(n, normal) < 0.0 ? -normal : normal;
    } else if (at_a.count == 1) {
      n[at_a.axis] = 0.0;
    } else if (at_b.count == 1) {
      Vec3 local = transpose_times(boxes_.rotation, n);
      local[at_b.axis] = 0.0;
      n = boxes_.rotation * local;
    }
    const double length = norm(n);
    if (!(length > 0.0)) return false;
    n = n * (1.0 / length);
    return true;
  }

  const Vec3& a() const { return a_; }
  const Vec3& b() const { return b_; }
  const Vec3& placed_b() const { return placed_b_; }

 private:
  static int steepest(const Vec3& half, const Vec3& p, const Vec3& slope) {
    int axis = -1;
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double fall = std::fabs(slope[i]) * half[i];
      if (std::fabs(p[i]) < half[i] && fall > most) {
        most = fall;
        axis = i;
      }
    }
    return axis;
  }

  const BoxPair& boxes_;
  Vec3 a_, b_;  ///< each in its own box's frame
  Vec3 placed_b_;
};

// The gap that n separates.
double gap_along(const BoxPair& boxes, const Vec3& n, const Vec3& of_b) {
  return dot(n, boxes.translation) -
         (dot(component_abs(n), boxes.half_a) + dot(component_abs(of_b), boxes.half_b));
}

// Does a face of one of them separate the boxes?
bool faces_apart(const BoxPair& boxes) {
  const Vec3& t = boxes.translation;
  const Mat3& m = boxes.rotation;
  const Mat3 size{{component_abs(m.row[0]), component_abs(m.row[1]), component_abs(m.row[2])}};
  const Vec3 beyond_a = component_abs(t) - (boxes.half_a + size * boxes.half_b);
  const Vec3 beyond_b =
      component_abs(transpose_times(m, t)) - (boxes.half_b + transpose_times(size, boxes.half_a));
  const Vec3 most = component_max(beyond_a, beyond_b);
  return most.x > boxes.rounding || most.y > boxes.rounding || most.z > boxes.rounding;
}

// Does a box have an edge along which nothing is gained?
bool is_level(const Vec3& half, const Vec3& n, double rounding) {
  const Vec3 rise = component_product(half, component_abs(n));
  return 2.0 * std::fmin(std::fmin(rise.x, rise.y), rise.z) <= rounding;
}

}  // namespace

bool nearest_points(const BoxPair& boxes, ClosedForm& f) {
  Points points(boxes);
  if (points.meet()) return false;
  for (int round = 0; round < kRounds; ++round) {
    if (round == 0) {
      points.project_b();
    } else {
      // Most boxes that meet are left to the axes here.
      if (round == 1 && !faces_apart(boxes)) return false;
      points.slide();
    }
    Free at_a(boxes.half_a, points.a()), at_b(boxes.half_b, points.b());
    bool crossing = false;
    if (at_a.count == 1 && at_b.count == 1 && points.solve_edges(at_a.axis, at_b.axis)) {
      at_a = Free(boxes.half_a, points.a());
      at_b = Free(boxes.half_b, points.b());
      crossing = at_a.count == 1 && at_b.count == 1;
    }
    const Vec3 gap = points.placed_b() - points.a();
    const double length = norm(gap);
    if (!(length > boxes.rounding)) return false;
    if (!points.direction(at_a, at_b, f.n)) return false;
    const Vec3 of_b = transpose_times(boxes.rotation, f.n);
    f.value = gap_along(boxes, f.n, of_b);
    const double open = kProved * boxes.rounding;
    if (!(std::fabs(length - f.value) <= open &&
          squared_norm(gap - f.n * f.value) <= boxes.rounding * boxes.rounding)) {
      continue;
    }
    f.a = points.a();
    f.b = points.placed_b();
    f.unique = true;
    if (crossing || !is_level(boxes.half_a, f.n, boxes.rounding) ||
        !is_level(boxes.half_b, of_b, boxes.rounding)) {
      return true;
    }
    // Parallel features: many pairs are as near, and the one in the middle is wanted.
    return box_witnesses(boxes, {f.value, f.n, true}, f);
  }
  return false;
}

}  // namespace tactus::detail
