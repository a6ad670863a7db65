#include "tactus/narrow/formula/sat.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// Witnesses may miss each other, or the plane of a feature, by this many roundings.
constexpr double kMiss = 2.0;

// One of the 15 axes: an edge direction of A (0..2) or B (3..5), or the pair 6 + 3 i + j.
struct Candidate {
  double separation = -std::numeric_limits<double>::infinity();
  int axis = -1;
  double along = 0.0;  ///< of B's centre, over `sine`
  double sine = 1.0;
  bool unique = true;

  // Keeps the largest separation; a rival within rounding makes it ambiguous.
  void consider(double candidate, int candidate_axis, double candidate_along, double candidate_sine,
                double rounding) {
    if (candidate > separation + rounding) {
      unique = true;
    } else if (candidate >= separation - rounding) {
      unique = false;
    }
    if (!(candidate > separation)) return;
    separation = candidate;
    axis = candidate_axis;
    along = candidate_along;
    sine = candidate_sine;
    // Centres level along this axis: both senses are equally near.
    if (std::fabs(along) <= rounding) unique = false;
  }
};

// The supporting feature of a box along a direction in its own frame: a corner, and the axes along
// which it is free within rounding.
struct BoxFeature {
  Vec3 corner;  ///< free coordinates are zero
  int free[3] = {0, 0, 0};
  int count = 0;
  bool is_free(int axis) const {
    return (count > 0 && free[0] == axis) || (count > 1 && free[1] == axis);
  }
  bool holds(const Vec3& half, const Vec3& p, double rounding) const {
    for (int i = 0; i < 3; ++i) {
      const double miss =
          is_free(i) ? std::fabs(p[i]) - half[i] : std::fabs(p[i] - corner[i]) / kMiss;
      if (miss > rounding) return false;
    }
    return true;
  }
};

// Corners of a face or edge, or the one corner, in the order round it.
struct Polygon {
  Vec3 point[8];
  int count = 0;
};

Polygon corners_of(const Vec3& half, const BoxFeature& f) {
  constexpr double kFirst[4] = {1.0, -1.0, -1.0, 1.0};
  constexpr double kSecond[4] = {1.0, 1.0, -1.0, -1.0};
  Polygon r;
  r.count = f.count == 0 ? 1 : 2 * f.count;
  for (int i = 0; i < r.count; ++i) {
    r.point[i] = f.corner;
    if (f.count > 0) r.point[i][f.free[0]] = kFirst[i] * half[f.free[0]];
    if (f.count > 1) r.point[i][f.free[1]] = kSecond[i] * half[f.free[1]];
  }
  return r;
}

// Keeps the part with side * coordinate <= limit.
void clip(Polygon& polygon, int axis, double side, double limit) {
  Polygon out;
  for (int i = 0; i < polygon.count; ++i) {
    const Vec3& p = polygon.point[i];
    const Vec3& q = polygon.point[(i + 1) % polygon.count];
    const double dp = side * p[axis] - limit;
    const double dq = side * q[axis] - limit;
    if (dp <= 0.0 && out.count < 8) out.point[out.count++] = p;
    if (((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) && out.count < 8)
      out.point[out.count++] = p + (q - p) * (dp / (dp - dq));
  }
  polygon = out;
}

// A point of the reference feature in the middle of what the polygon, a parallel feature of the
// other box in the same plane or line, has in common with it. False when that is nothing.
bool common_point(const Vec3& half, const BoxFeature& reference, Polygon polygon, double rounding,
                  Vec3& out) {
  for (int k = 0; k < reference.count; ++k) {
    const int axis = reference.free[k];
    clip(polygon, axis, 1.0, half[axis] + rounding);
    clip(polygon, axis, -1.0, half[axis] + rounding);
  }
  if (polygon.count == 0) return false;
  Vec3 sum;
  for (int i = 0; i < polygon.count; ++i) sum += polygon.point[i];
  out = reference.corner;
  for (int k = 0; k < reference.count; ++k) {
    const int axis = reference.free[k];
    out[axis] = std::clamp(sum[axis] / polygon.count, -half[axis], half[axis]);
  }
  return true;
}

BoxFeature feature_of(const Vec3& half, const Vec3& n, double rounding) {
  BoxFeature f;
  for (int i = 0; i < 3; ++i) {
    if (half[i] > 0.0 && 2.0 * half[i] * std::fabs(n[i]) <= rounding) {
      f.free[f.count++] = i;
    } else {
      f.corner[i] = n[i] < 0.0 ? -half[i] : half[i];
    }
  }
  return f;
}

}  // namespace

BoxAxes separate_boxes(const BoxPair& boxes, StopAxes stop) {
  const double a[3] = {boxes.half_a.x, boxes.half_a.y, boxes.half_a.z};
  const double b[3] = {boxes.half_b.x, boxes.half_b.y, boxes.half_b.z};
  const double t[3] = {boxes.translation.x, boxes.translation.y, boxes.translation.z};
  double r[3][3], size[3][3];
  for (int i = 0; i < 3; ++i) {
    const Vec3& row = boxes.rotation.row[i];
    r[i][0] = row.x;
    r[i][1] = row.y;
    r[i][2] = row.z;
    for (int j = 0; j < 3; ++j) size[i][j] = std::fabs(r[i][j]);
  }
  const double rounding = boxes.rounding;
  Candidate best;
  const auto result = [&] {
    BoxAxes out;
    out.separation = best.separation;
    out.unique = best.unique;
    if (best.axis < 3) {
      out.n[best.axis] = 1.0;
    } else if (best.axis < 6) {
      out.n = boxes.rotation.column(best.axis - 3);
    } else {
      // e_i x column_j: its components are entries of the rotation, without rounding.
      const int i = (best.axis - 6) / 3;
      const int j = (best.axis - 6) % 3;
      out.n[(i + 1) % 3] = -r[(i + 2) % 3][j] / best.sine;
      out.n[(i + 2) % 3] = r[(i + 1) % 3][j] / best.sine;
    }
    if (best.along < 0.0) out.n = -out.n;
    return out;
  };
  const auto apart = [&](StopAxes earliest) {
    return (stop == StopAxes::at_any || stop == earliest) && best.separation > rounding;
  };

  for (int i = 0; i < 3; ++i) {
    const double reach = a[i] + ((b[0] * size[i][0] + b[1] * size[i][1]) + b[2] * size[i][2]);
    best.consider(std::fabs(t[i]) - reach, i, t[i], 1.0, rounding);
  }
  if (apart(StopAxes::at_any)) return result();
  for (int j = 0; j < 3; ++j) {
    const double along = (t[0] * r[0][j] + t[1] * r[1][j]) + t[2] * r[2][j];
    const double reach = b[j] + ((a[0] * size[0][j] + a[1] * size[1][j]) + a[2] * size[2][j]);
    best.consider(std::fabs(along) - reach, 3 + j, along, 1.0, rounding);
  }
  if (apart(StopAxes::at_faces)) return result();
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3;
      const int j2 = (j + 2) % 3;
      const double along = t[i2] * r[i1][j] - t[i1] * r[i2][j];
      const double reach =
          (a[i1] * size[i2][j] + a[i2] * size[i1][j]) + (b[j1] * size[i][j2] + b[j2] * size[i][j1]);
      const double scaled = std::fabs(along) - reach;
      // Divided by the sine, which is at most one, an overlap only grows.
      if (scaled < best.separation - rounding && scaled <= 0.0) continue;
      const double sine = std::sqrt(r[i1][j] * r[i1][j] + r[i2][j] * r[i2][j]);
      // The facet of this pair is a parallelogram of this width: if it is nothing, so is what it
      // could gain.
      if (2.0 * std::min(a[i], b[j]) * sine <= rounding) continue;
      // B's reach once more, by the axis itself: what the cofactors of a rotation are off by would
      // be divided by the sine.
      const double reach_b = b[j1] * std::fabs(r[i1][j] * r[i2][j1] - r[i2][j] * r[i1][j1]) +
                             b[j2] * std::fabs(r[i1][j] * r[i2][j2] - r[i2][j] * r[i1][j2]);
      const double gap = std::fabs(along) - ((a[i1] * size[i2][j] + a[i2] * size[i1][j]) + reach_b);
      best.consider(gap / sine, 6 + 3 * i + j, along / sine, sine, rounding);
    }
    if (apart(StopAxes::at_any)) return result();
  }
  return result();
}

void tell_axes(const BoxPair& boxes, StopAxes stop, double radii, Observer& observer) {
  double least = -std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 15; ++axis) {
    if (least > boxes.rounding && (stop == StopAxes::at_any ? axis % 3 == 0 : axis == 6)) return;
    Vec3 n;
    if (axis < 3) {
      n[axis] = 1.0;
    } else if (axis < 6) {
      n = boxes.rotation.column(axis - 3);
    } else {
      Vec3 edge;
      edge[(axis - 6) / 3] = 1.0;
      n = cross(edge, boxes.rotation.column((axis - 6) % 3));
      if (norm(n) <= boxes.rounding) continue;
      n = normalized(n);
    }
    if (dot(n, boxes.translation) < 0.0) n = -n;
    const double reach = dot(component_abs(n), boxes.half_a) +
                         dot(component_abs(transpose_times(boxes.rotation, n)), boxes.half_b);
    const double separation = dot(n, boxes.translation) - reach;
    least = std::max(least, separation);
    const double endless = std::numeric_limits<double>::infinity();
    observer.plane({{"sat", axis + 1, least, endless, radii}, n, -separation});
  }
}

bool box_witnesses(const BoxPair& boxes, const BoxAxes& axes, ClosedForm& f) {
  const Vec3& n = axes.n;
  const Vec3 shift = n * axes.separation;  // from A's witness to B's
  const BoxFeature fa = feature_of(boxes.half_a, n, boxes.rounding);
  const BoxFeature fb =
      feature_of(boxes.half_b, -transpose_times(boxes.rotation, n), boxes.rounding);
  const auto b_to_a = [&](const Vec3& p) { return boxes.rotation * p + boxes.translation; };
  const auto a_to_b = [&](const Vec3& p) {
    return transpose_times(boxes.rotation, p - boxes.translation);
  };
  // A box smaller than rounding beside the other.
  if (fa.count > 2 || fb.count > 2) return false;
  // A point beside a box by no more than rounding becomes one of the box: witnesses are members.
  const auto onto = [](const Vec3& half, const Vec3& p) {
    return Vec3{std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
                std::clamp(p.z, -half.z, half.z)};
  };
  // The witness of one box, and with it that of the other, which must be on that box.
  const auto take_a = [&](const Vec3& a) {
    const Vec3 local = a_to_b(a + shift);
    f.a = a;
    f.b = b_to_a(onto(boxes.half_b, local));
    return fb.holds(boxes.half_b, local, boxes.rounding);
  };
  const auto take_b = [&](const Vec3& local) {
    f.b = b_to_a(local);
    f.a = onto(boxes.half_a, f.b - shift);
    return fa.holds(boxes.half_a, f.b - shift, boxes.rounding);
  };
  if (fb.count == 0) return take_b(fb.corner);
  if (fa.count == 0) return take_a(fa.corner);
  if (fa.count == 1 && fb.count == 1) {
    // Edge and edge: a + s u + shift = b + t v.
    Vec3 u;
    u[fa.free[0]] = 1.0;
    const Vec3 v = boxes.rotation.column(fb.free[0]);
    const Vec3 normal = cross(u, v);
    const double area = squared_norm(normal);
    const double width = 2.0 * std::min(boxes.half_a[fa.free[0]], boxes.half_b[fb.free[0]]);
    if (width * std::sqrt(area) > boxes.rounding) {
      const Vec3 rest = b_to_a(fb.corner) - (fa.corner + shift);  // = s u - t v
      Vec3 a = fa.corner;
      a[fa.free[0]] = dot(cross(rest, v), normal) / area;
      if (!fa.holds(boxes.half_a, a, boxes.rounding)) return false;
      Vec3 local = fb.corner;
      local[fb.free[0]] = dot(cross(rest, u), normal) / area;
      if (!fb.holds(boxes.half_b, local, boxes.rounding)) return false;
      f.a = onto(boxes.half_a, a);
      f.b = b_to_a(onto(boxes.half_b, local));
      return norm((f.b - f.a) - shift) <= kMiss * boxes.rounding;
    }
  }
  // Parallel features: the larger one is the reference.
  f.unique = false;
  Vec3 point;
  if (fa.count >= fb.count) {
    Polygon polygon = corners_of(boxes.half_b, fb);
    for (int i = 0; i < polygon.count; ++i) polygon.point[i] = b_to_a(polygon.point[i]) - shift;
    return common_point(boxes.half_a, fa, polygon, boxes.rounding, point) && take_a(point);
  }
  Polygon polygon = corners_of(boxes.half_a, fa);
  for (int i = 0; i < polygon.count; ++i) polygon.point[i] = a_to_b(polygon.point[i] + shift);
  return common_point(boxes.half_b, fb, polygon, boxes.rounding, point) && take_b(point);
}

}  // namespace tactus::detail
