#include "tactus/narrow/difference/simplex.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

// The point nearest to the origin on a face of the simplex: which corners carry it, and its
// weights.
struct Foot {
  int count = 1;  ///< 1, 2 or 3
  int corner[3] = {0, 0, 0};
  double weight[3] = {1.0, 0.0, 0.0};
  double squared_distance = 0.0;
  Vec3 normal;  ///< of a triangle
};

void foot_on_vertex(const Vec3& a, int i, Foot& r) {
  r.count = 1;
  r.corner[0] = i;
  r.weight[0] = 1.0;
  r.squared_distance = squared_norm(a);
}

// On the segment from a to b, `edge` long: corners i and j.
void foot_on_segment(const Vec3& a, const Vec3& b, const Vec3& edge, int i, int j, Foot& r) {
  const double length = squared_norm(edge);
  const double along = -dot(a, edge);
  if (along <= 0.0 || !(length > 0.0)) return foot_on_vertex(a, i, r);
  if (along >= length) return foot_on_vertex(b, j, r);
  const double t = along / length;
  r.count = 2;
  r.corner[0] = i;
  r.corner[1] = j;
  r.weight[0] = 1.0 - t;
  r.weight[1] = t;
  r.squared_distance = squared_norm(a + edge * t);
}

// A triangle thinner than this (squared sine of its widest angle) may have edge functions without a
// sign.
constexpr double kSliver = 1e-24;

// On the triangle of the corners i, j, k. The plane's foot counts when it lies inside by all three
// edge functions; otherwise the nearest point is on an edge that the foot lies beyond.
void foot_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j, int k, Foot& r) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 bc = c - b;
  const Vec3 normal = cross(ab, ac);
  const double area = squared_norm(normal);
  // Twice the areas of the triangles that the origin's foot makes with the edges, times the
  // normal's length; from the edges, which are exact where they are short.
  const double u = dot(normal, cross(b, bc));
  const double v = dot(normal, cross(ac, c));
  const double w = dot(normal, cross(a, ab));
  const bool sliver = !(area > kSliver * (squared_norm(ab) * squared_norm(ac)));
  if (u >= 0.0 && v >= 0.0 && w >= 0.0 && area > 0.0) {
    const double sum = (u + v) + w;
    if (sum > 0.0) {
      const double scale = 1.0 / sum;
      r.count = 3;
      r.corner[0] = i;
      r.corner[1] = j;
      r.corner[2] = k;
      r.weight[0] = u * scale;
      r.weight[1] = v * scale;
      r.weight[2] = w * scale;
      const double height = dot(normal, a);
      r.squared_distance = height * height / area;
      r.normal = normal;
      return;
    }
  }
  r.squared_distance = std::numeric_limits<double>::infinity();
  const bool all = sliver || !(u < 0.0 || v < 0.0 || w < 0.0);
  Foot edge;
  const auto consider = [&](const Vec3& p, const Vec3& q, const Vec3& pq, int m, int n) {
    foot_on_segment(p, q, pq, m, n, edge);
    if (!(edge.squared_distance < r.squared_distance)) return;
    r.count = edge.count;
    for (int x = 0; x < 2; ++x) {
      r.corner[x] = edge.corner[x];
      r.weight[x] = edge.weight[x];
    }
    r.squared_distance = edge.squared_distance;
  };
  if (all || w < 0.0) consider(a, b, ab, i, j);
  if (all || v < 0.0) consider(a, c, ac, i, k);
  if (all || u < 0.0) consider(b, c, bc, j, k);
}

// Sign of the determinant |a, b, c|, whose value is given: exact.
int volume_sign(double volume, double error, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (volume > error) return 1;
  if (volume < -error) return -1;
  return -orient3d(a, b, c, Vec3{});
}

// The part of v across the edge: taken out twice, since the first leaves rounding.
Vec3 across_edge(const Vec3& v, const Vec3& edge) {
  const double length = squared_norm(edge);
  if (!(length > 0.0)) return v;
  const double scale = 1.0 / length;
  const Vec3 across = v - edge * (dot(v, edge) * scale);
  return across - edge * (dot(across, edge) * scale);
}

void take(const Simplex& s, const Foot& foot, Nearest& out) {
  for (double& weight : out.weight) weight = 0.0;
  Vec3 point;
  for (int i = 0; i < foot.count; ++i) {
    out.weight[foot.corner[i]] = foot.weight[i];
    point += s.point[foot.corner[i]].w * foot.weight[i];
  }
  out.point = point;
  if (foot.count == 3) {
    // The height above the plane, seen from the corner nearest to the origin.
    out.toward = dot(foot.normal, point) > 0.0 ? -foot.normal : foot.normal;
  } else if (foot.count == 2) {
    out.toward = -across_edge(point, s.point[foot.corner[1]].w - s.point[foot.corner[0]].w);
  } else {
    out.toward = -point;
  }
}

bool nearest_on_tetrahedron(const Simplex& s, Nearest& out) {
  const Vec3& p0 = s.point[0].w;
  const Vec3& p1 = s.point[1].w;
  const Vec3& p2 = s.point[2].w;
  const Vec3& p3 = s.point[3].w;
  // Volumes that the origin makes with the faces, signed so that their sum is the tetrahedron's.
  const Vec3 c01 = cross(p0, p1);
  const Vec3 c23 = cross(p2, p3);
  const double volume[4] = {-dot(p2, c01), dot(p3, c01), -dot(p0, c23), dot(p1, c23)};
  const double largest =
      std::max(std::max(max_abs(p0), max_abs(p1)), std::max(max_abs(p2), max_abs(p3)));
  const double error = volume_error(largest);
  constexpr int kFace[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  int sign[4];
  for (int f = 0; f < 4; ++f) {
    const int parity = f % 2 == 0 ? -1 : 1;
    sign[f] = parity * volume_sign(parity * volume[f], error, s.point[kFace[f][0]].w,
                                   s.point[kFace[f][1]].w, s.point[kFace[f][2]].w);
  }
  if (sign[0] != 0 && sign[0] == sign[1] && sign[0] == sign[2] && sign[0] == sign[3]) return true;
  const double sum = (volume[0] + volume[1]) + (volume[2] + volume[3]);
  const int orientation = sum > error ? 1 : sum < -error ? -1 : orient3d(p0, p1, p2, p3);
  Foot best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  for (int f = 0; f < 4; ++f) {
    if (orientation != 0 && sign[f] * orientation >= 0) continue;
    Foot foot;
    foot_on_triangle(s.point[kFace[f][0]].w, s.point[kFace[f][1]].w, s.point[kFace[f][2]].w,
                     kFace[f][0], kFace[f][1], kFace[f][2], foot);
    if (foot.squared_distance < best.squared_distance) best = foot;
  }
  // The origin lies on the surface: exactly on a face that was not looked at.
  if (!(best.squared_distance < std::numeric_limits<double>::infinity())) return true;
  take(s, best, out);
  return false;
}

}  // namespace

Vec3 Simplex::closest() const {
  Vec3 sum;
  for (int i = 0; i < size; ++i) sum += point[i].w * weight[i];
  return sum;
}
Vec3 Simplex::closest_a() const {
  Vec3 sum;
  for (int i = 0; i < size; ++i) sum += point[i].a * weight[i];
  return sum;
}
Vec3 Simplex::closest_b() const {
  Vec3 sum;
  for (int i = 0; i < size; ++i) sum += point[i].b * weight[i];
  return sum;
}
bool Simplex::contains(const SupportPoint& p) const {
  for (int i = 0; i < size; ++i) {
    if (point[i].w == p.w) return true;
  }
  return false;
}

void Simplex::keep(const Nearest& nearest) {
  int kept = 0;
  for (int i = 0; i < size; ++i) {
    if (!(nearest.weight[i] > 0.0)) continue;
    if (kept != i) point[kept] = point[i];
    weight[kept] = nearest.weight[i];
    ++kept;
  }
  size = kept;
}

bool nearest_to_origin(const Simplex& s, Nearest& out) {
  Foot foot;
  if (s.size == 2) {
    foot_on_segment(s.point[0].w, s.point[1].w, s.point[1].w - s.point[0].w, 0, 1, foot);
  } else if (s.size == 3) {
    foot_on_triangle(s.point[0].w, s.point[1].w, s.point[2].w, 0, 1, 2, foot);
  } else if (s.size == 4) {
    return nearest_on_tetrahedron(s, out);
  }
  take(s, foot, out);
  return false;
}

bool reduce(Simplex& s) {
  Nearest nearest;
  if (nearest_to_origin(s, nearest)) return true;
  s.keep(nearest);
  return false;
}

double inner_radius(const Vec3* corners) {
  const Vec3& p0 = corners[0];
  const Vec3& p1 = corners[1];
  const Vec3& p2 = corners[2];
  const Vec3& p3 = corners[3];
  const double largest =
      std::max(std::max(max_abs(p0), max_abs(p1)), std::max(max_abs(p2), max_abs(p3)));
  // Least volume over largest face: one root instead of four.
  double area = 0.0;
  const auto volume_on = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = cross(b - a, c - a);
    area = std::max(area, squared_norm(normal));
    return dot(normal, a);
  };
  // All four of one sign: the origin is inside.
  const double v0 = volume_on(p1, p2, p3), v1 = volume_on(p0, p3, p2), v2 = volume_on(p0, p1, p3),
               v3 = volume_on(p0, p2, p1);
  const double volume = std::max(std::min(std::min(v0, v1), std::min(v2, v3)),
                                 -std::max(std::max(v0, v1), std::max(v2, v3)));
  return (volume - volume_error(largest)) / std::sqrt(area);
}

Vec3 toward_origin(const Simplex& s) {
  Foot foot;
  foot.count = s.size;
  for (int i = 0; i < s.size && i < 3; ++i) {
    foot.corner[i] = i;
    foot.weight[i] = s.weight[i];
  }
  if (s.size == 3) foot.normal = cross(s.point[1].w - s.point[0].w, s.point[2].w - s.point[0].w);
  Nearest nearest;
  take(s, foot, nearest);
  return toward_origin(nearest);
}

}  // namespace tactus::detail
