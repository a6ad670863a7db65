#include "tactus/narrow/formula/closed_form.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/narrow/formula/closed_form_curved.hpp"

namespace tactus::detail {
namespace {

// The pair's size over the bound of its rounding errors (`rounding_bound`).
constexpr double kSizeOverRounding = 1.0 / 7.2e-15;
// Squared distances that differ by less are equal within rounding.
constexpr double kTie = 8.0 * kEpsilon;
// Witnesses on the axis of least depth may miss it by this many roundings.
constexpr double kMiss = 4.0;

// The normal of two edges that enclose an angle with this sine: their common normal, wrong by a
// rounding over the sine, or the difference of their nearest points, wrong by the pair's rounding
// over its length? Either is perpendicular to both edges within rounding where it is the better.
bool common_is_better(double sine, double length, double rounding) {
  return sine * (kSizeOverRounding * rounding) > length;
}

// The difference `given` of two near points is a normal that errs along the edges, however exact
// its length: by a rounding over that length, times the edges' own. Which of the edges u and v it
// should be perpendicular to (both, if it is their common normal; none between ends) is lost in
// rounding as well, so that the proof decides. `lost` tells what a direction leaves unproved of the
// distance. True where that is little enough.
template <class Lost, class Given>
bool choose_normal(const Lost& lost, const Given& make_given, const Vec3& u, const Vec3& v,
                   double rounding, ClosedForm& r) {
  double least = lost(r.n);
  if (!(least > kFormProved * rounding)) return true;
  const Vec3 given = make_given();
  const auto consider = [&](const Vec3& n) {
    const double loss = lost(n);
    if (!(loss < least)) return;
    least = loss;
    r.n = n;
  };
  consider(given);
  for (const Vec3* edge : {&u, &v}) {
    Vec3 n = given;
    make_perpendicular(n, *edge);
    consider(n);
  }
  const Vec3 common = normalized(accurate_cross({}, u, v), given);
  consider(dot(common, given) < 0.0 ? -common : common);
  return !(least > kFormProved * rounding);
}

// A point at the origin against a segment about `center`.
void point_segment(const Vec3& center, const Vec3& axis, double half, double rounding,
                   ClosedForm& r) {
  const double foot = -dot(axis, center);
  const double along = std::clamp(foot, -half, half);
  r.b = center + axis * along;
  measure(r, any_perpendicular(axis), rounding);
  if (along == foot) make_perpendicular(r.n, axis);
  if (r.value < kFormWideGap * half)
    choose_segment_normal(axis, 0.0, center, axis, half, rounding, r);
}

}  // namespace

void choose_segment_normal(const Vec3& u, double half_a, const Vec3& c, const Vec3& v,
                           double half_b, double rounding, ClosedForm& r) {
  const auto lost = [&](const Vec3& n) {
    return ((std::fabs(dot(n, u)) * half_a + std::fabs(dot(n, v)) * half_b) - dot(n, c)) + r.value;
  };
  choose_normal(lost, [&] { return normalized(r.b - r.a, r.n); }, u, v, rounding, r);
}

void segments_at_small_angle(const Vec3& u, double half_a, const Vec3& c, const Vec3& v,
                             double half_b, double rounding, double uv, ClosedForm& r) {
  const double uc = dot(u, c);
  const double vc = dot(v, c);
  const Vec3 normal = cross(u, v);
  const double sine2 = squared_norm(normal);
  bool crossing = false;
  double s = 0.0, t = 0.0;
  if (sine2 > 0.0) {
    // Across u, where lines at a small angle differ, c and v keep their digits as vectors only.
    const Vec3 offset = c - u * uc;
    const Vec3 slope = v - u * uv;
    t = -dot(offset, slope) / squared_norm(slope);
    s = uc + t * uv;
    crossing = std::fabs(s) <= half_a && std::fabs(t) <= half_b;
  }
  if (crossing) {
    r.a = u * s;
    r.b = c + v * t;
    if (common_is_better(std::sqrt(sine2), norm(r.b - r.a), rounding)) {
      const Vec3 common = normalized(accurate_cross({}, u, v));
      const double height = dot(common, c);
      r.n = height < 0.0 ? -common : common;
      r.value = std::fabs(height);
      r.unique = r.value > rounding;
      return;
    }
  }
  // Each end with its nearest point on the other segment: the best counts, so that nearly parallel
  // segments need no threshold.
  double best = std::numeric_limits<double>::infinity(), best_lost = best;
  bool foot_of_b = false, foot_of_a = false;
  const auto consider = [&](double on_a, double on_b, bool inside_a, bool inside_b) {
    const Vec3 a = u * on_a;
    const Vec3 b = c + v * on_b;
    const Vec3 gap = b - a;
    const double d = squared_norm(gap);
    // Among pairs as near within rounding, one at a foot wins: at the others the difference is no
    // normal. Between two at a foot, the one whose difference proves more of the distance wins.
    const bool foot = inside_a || inside_b, had_foot = foot_of_a || foot_of_b;
    const double lost =
        (std::fabs(dot(gap, u)) * half_a + std::fabs(dot(gap, v)) * half_b) - dot(gap, c) + d;
    const bool better = foot == had_foot ? lost < best_lost : foot;
    if (!(d < best * (better ? 1.0 + kTie : 1.0 - kTie) || (d == best && better))) return;
    best = d;
    best_lost = lost;
    r.a = a;
    r.b = b;
    foot_of_a = inside_a;
    foot_of_b = inside_b;
  };
  if (crossing) consider(s, t, true, true);
  for (const double end : {-half_a, half_a}) {
    const double foot = end * uv - vc;
    consider(end, std::clamp(foot, -half_b, half_b), false, std::fabs(foot) <= half_b);
  }
  for (const double end : {-half_b, half_b}) {
    const double foot = uc + end * uv;
    consider(std::clamp(foot, -half_a, half_a), end, std::fabs(foot) <= half_a, false);
  }
  r.unique = !(sine2 <= rounding && half_a > 0.0 && half_b > 0.0);
  measure(r, normalized(normal, any_perpendicular(v)), rounding);
  if (foot_of_a) make_perpendicular(r.n, u);
  if (foot_of_b) make_perpendicular(r.n, v);
  choose_segment_normal(u, half_a, c, v, half_b, rounding, r);
}

namespace {

// The following work in the frame of the box, which is B; n and points are of that frame.

struct BoxFrame {
  const Vec3& half;
  double rounding;
  Vec3 clamp(const Vec3& p) const {
    return {std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
            std::clamp(p.z, -half.z, half.z)};
  }
};

// A point inside or on the surface leaves by the nearest face.
void point_in_box(const BoxFrame& box, const Vec3& p, ClosedForm& r) {
  int axis = 0;
  double depth = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double d = box.half[i] - std::fabs(p[i]);
    if (d < depth - box.rounding) {
      depth = d;
      axis = i;
      r.unique = true;
    } else if (d <= depth + box.rounding) {
      r.unique = false;
    }
    if (std::fabs(p[i]) <= box.rounding && axis == i) r.unique = false;
  }
  const double side = p[axis] < 0.0 ? -1.0 : 1.0;
  r.a = p;
  r.b = p;
  r.b[axis] = side * box.half[axis];
  r.n = {};
  r.n[axis] = -side;
  r.value = -depth;
}

struct Line {
  Vec3 center, axis;
  double half;
  Vec3 at(double t) const { return center + axis * t; }
};

// The axis of least depth of a segment that meets the box.
struct ExitAxis {
  double separation = -std::numeric_limits<double>::infinity();
  Vec3 outward;
  int face = -1, edge = -1;
  bool unique = true;
};

ExitAxis exit_axis(const BoxFrame& box, const Line& line) {
  ExitAxis best;
  const Vec3& d = line.axis;
  const auto consider = [&](double along, double separation, const Vec3& axis, int face, int edge) {
    if (separation > best.separation + box.rounding) {
      best.unique = true;
    } else if (separation >= best.separation - box.rounding) {
      best.unique = false;
    }
    if (!(separation > best.separation)) return;
    best.separation = separation;
    best.outward = along < 0.0 ? -axis : axis;
    best.face = face;
    best.edge = edge;
    // Level with the box's centre: both senses are equally near.
    if (std::fabs(along) <= box.rounding) best.unique = false;
  };
  for (int i = 0; i < 3; ++i) {
    Vec3 axis;
    axis[i] = 1.0;
    consider(line.center[i],
             std::fabs(line.center[i]) - (box.half[i] + line.half * std::fabs(d[i])), axis, i, -1);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double sine = std::sqrt(d[j] * d[j] + d[k] * d[k]);
    // The facet of this pair is a parallelogram of this width: if it is nothing, so is what it
    // could gain.
    if (2.0 * std::min(box.half[i], line.half) * sine <= box.rounding) continue;
    Vec3 axis;
    axis[j] = -d[k] / sine;
    axis[k] = d[j] / sine;
    const double along = line.center[j] * axis[j] + line.center[k] * axis[k];
    const double reach = box.half[j] * std::fabs(axis[j]) + box.half[k] * std::fabs(axis[k]);
    consider(along, std::fabs(along) - reach, axis, -1, i);
  }
  return best;
}

// Segment and box in overlap.
bool segment_in_box(const BoxFrame& box, const Line& line, ClosedForm& r) {
  const ExitAxis exit = exit_axis(box, line);
  const double depth = std::max(-exit.separation, 0.0);
  const Vec3& d = line.axis;
  double t = 0.0;
  if (exit.face >= 0) {
    // The end that is deepest, of the part of the segment above the face.
    double low = -line.half, high = line.half;
    for (int i = 0; i < 3; ++i) {
      if (i == exit.face || d[i] == 0.0) continue;
      const double near = (-std::copysign(box.half[i], d[i]) - line.center[i]) / d[i];
      const double far = (std::copysign(box.half[i], d[i]) - line.center[i]) / d[i];
      low = std::max(low, near);
      high = std::min(high, far);
    }
    if (low > high + box.rounding) return false;
    const double rise = d[exit.face] * exit.outward[exit.face];
    // Parallel to the face: the middle.
    if (2.0 * line.half * std::fabs(rise) <= box.rounding) {
      t = 0.5 * (low + high);
      r.unique = false;
    } else {
      t = rise > 0.0 ? low : high;
    }
    r.a = line.at(t);
    r.b = box.clamp(r.a);
    r.b[exit.face] = exit.outward[exit.face] * box.half[exit.face];
  } else {
    const int i = exit.edge;
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double corner_j = std::copysign(box.half[j], exit.outward[j]);
    const double corner_k = std::copysign(box.half[k], exit.outward[k]);
    t = (d[j] * (corner_j - line.center[j]) + d[k] * (corner_k - line.center[k])) /
        (d[j] * d[j] + d[k] * d[k]);
    r.a = line.at(std::clamp(t, -line.half, line.half));
    if (std::fabs(t) > line.half + box.rounding || std::fabs(r.a[i]) > box.half[i] + box.rounding) {
      return false;
    }
    r.b[i] = std::clamp(r.a[i], -box.half[i], box.half[i]);
    r.b[j] = corner_j;
    r.b[k] = corner_k;
  }
  r.n = -exit.outward;
  r.value = -depth;
  r.unique = r.unique && exit.unique;
  return norm((r.b - r.a) - r.n * r.value) <= kMiss * box.rounding;
}

bool segment_box(const BoxFrame& box, const Line& line, ClosedForm& r) {
  bool interior = false;
  const double t = detail::nearest_to_box(box.half, line.center, line.axis, line.half, interior);
  const Vec3 p = line.at(t);
  const Vec3 out = p - box.clamp(p);
  const double length = norm(out);
  if (!(length > kZero * box.rounding)) return segment_in_box(box, line, r);
  r.a = p;
  r.b = p - out;
  r.n = normalized(-out);
  r.value = length;
  int outside = 0, within = 0;
  double curvature = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (out[i] != 0.0) {
      ++outside;
      curvature += line.axis[i] * line.axis[i];
    } else {
      within = i;
    }
  }
  const auto edge = [](int i) {
    Vec3 axis;
    axis[i] = 1.0;
    return axis;
  };
  const Vec3 given = r.n;
  if (interior && outside == 2 && common_is_better(std::sqrt(curvature), length, box.rounding)) {
    // An edge of the box against the segment: their common normal.
    const Vec3 common = normalized(cross(edge(within), line.axis), r.n);
    r.n = dot(common, r.n) < 0.0 ? -common : common;
  } else if (interior && outside == 3) {
    make_perpendicular(r.n, line.axis);
  }
  const bool wide = length >= kFormWideGap * line.half;
  const auto lost = [&](const Vec3& n) {
    const double box_reach = dot(component_abs(n), box.half);
    return ((std::fabs(dot(n, line.axis)) * line.half + box_reach) + dot(n, line.center)) + r.value;
  };
  // Which edge of the box is nearest, rounding may hide where the box is thin: it is tried first.
  for (int i = 0; !wide && i < 3; ++i) {
    const Vec3 of_box = edge((within + i) % 3);
    if (choose_normal(lost, [&] { return given; }, line.axis, of_box, box.rounding, r)) break;
  }
  if (!interior) return true;
  // Along the whole segment the distance gains less than rounding: any of its points will do.
  if (curvature * line.half * line.half <= 2.0 * length * box.rounding && line.half > 0.0)
    r.unique = false;
  return true;
}

}  // namespace

// Where the squared distance to the box, convex and made of parabolas along the segment, is least:
// its slope grows, so the breakpoints are sorted by its sign.
double nearest_to_box(const Vec3& half, const Vec3& center, const Vec3& axis, double reach,
                      bool& interior) {
  const BoxFrame box{half, 0.0};
  const Line line{center, axis, reach};
  const auto slope = [&](double t) {
    const Vec3 p = line.at(t);
    return dot(line.axis, p - box.clamp(p));
  };
  interior = false;
  double low = -line.half, high = line.half;
  const double slope_low = slope(low), slope_high = slope(high);
  if (slope_low > 0.0) return low;
  if (slope_high < 0.0) return high;
  // The interval on which the slope is zero, when it is zero at ends or breakpoints.
  double zero_low = slope_low == 0.0 ? low : high;
  double zero_high = slope_high == 0.0 ? high : low;
  for (int i = 0; i < 3; ++i) {
    if (line.axis[i] == 0.0) continue;
    for (const double side : {-1.0, 1.0}) {
      const double t = (side * box.half[i] - line.center[i]) / line.axis[i];
      if (!(t > low && t < high)) continue;
      const double s = slope(t);
      if (s < 0.0) {
        low = t;
      } else if (s > 0.0) {
        high = t;
      } else {
        zero_low = std::min(zero_low, t);
        zero_high = std::max(zero_high, t);
      }
    }
  }
  interior = true;
  if (zero_low <= zero_high) return 0.5 * (zero_low + zero_high);
  // One parabola between: the coordinates outside of the box in its middle make it.
  const Vec3 middle = line.at(0.5 * (low + high));
  double gradient = 0.0, curvature = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(middle[i]) <= box.half[i]) continue;
    gradient += line.axis[i] * (line.center[i] - std::copysign(box.half[i], middle[i]));
    curvature += line.axis[i] * line.axis[i];
  }
  return curvature > 0.0 ? std::clamp(-gradient / curvature, low, high) : 0.5 * (low + high);
}

bool closed_form_beyond_points(const PlacedCores& c, ClosedForm& r) {
  if (c.a.kind == CoreKind::point && c.b.kind == CoreKind::box &&
      point_beside_box<false>(c.rotation_b, c.b.half, c.translation, c.rounding, r)) {
    return true;
  }
  if (c.a.kind == CoreKind::box && c.b.kind == CoreKind::point &&
      point_beside_box<true>(c.rotation_a, c.a.half, c.translation, c.rounding, r)) {
    return true;
  }
  // The simpler core first; its answer is turned round.
  if (c.a.kind > c.b.kind) {
    if (!closed_form({c.b, c.rotation_b, c.a, c.rotation_a, -c.translation, c.rounding}, r))
      return false;
    const Vec3 a = r.b + c.translation;
    r.b = r.a + c.translation;
    r.a = a;
    r.n = -r.n;
    return true;
  }
  if (c.b.kind > CoreKind::box) {
    const Vec3 place = -transpose_times(c.rotation_b, c.translation);
    const PointToCurved foot = point_to_curved(c.b, place, c.rounding);
    r.n = -(c.rotation_b * foot.outward);
    r.value = foot.value;
    r.b = r.n * r.value;
    r.unique = foot.unique;
  } else if (c.b.kind == CoreKind::box) {
    const BoxFrame box{c.b.half, c.rounding};
    const Vec3 center = -transpose_times(c.rotation_b, c.translation);
    if (c.a.kind == CoreKind::point) {
      point_in_box(box, center, r);
    } else {
      const Line line{center, transpose_times(c.rotation_b, c.rotation_a.column(2)), c.a.half.z};
      if (!segment_box(box, line, r)) return false;
    }
    const auto to_frame = [&](const Vec3& q) { return c.rotation_b * q + c.translation; };
    r.n = c.rotation_b * r.n;
    r.a = to_frame(r.a);
    r.b = to_frame(r.b);
  } else if (c.a.kind == CoreKind::segment) {
    nearest_on_segments(c.rotation_a.column(2), c.a.half.z, c.translation, c.rotation_b.column(2),
                        c.b.half.z, c.rounding, r);
  } else {
    point_segment(c.translation, c.rotation_b.column(2), c.b.half.z, c.rounding, r);
  }
  return true;
}

}  // namespace tactus::detail
