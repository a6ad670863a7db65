#include "tactus/narrow/simplex.hpp"

#include <algorithm>

#include "tactus/math/predicates.hpp"

namespace tactus {
namespace {

struct Barycentric {
  double weight[3] = {1.0, 0.0, 0.0};
  double squared_distance = 0.0;
};

// Point of the segment a, b nearest to the origin.
Barycentric closest_on_segment(const Vec3& a, const Vec3& b) {
  Barycentric r;
  const Vec3 ab = b - a;
  const double length = squared_norm(ab);
  const double along = -dot(a, ab);
  if (along <= 0.0 || !(length > 0.0)) {
    r.squared_distance = squared_norm(a);
  } else if (along >= length) {
    r.weight[0] = 0.0;
    r.weight[1] = 1.0;
    r.squared_distance = squared_norm(b);
  } else {
    r.weight[1] = along / length;
    r.weight[0] = 1.0 - r.weight[1];
    r.squared_distance = squared_norm(a + ab * r.weight[1]);
  }
  return r;
}

Barycentric closest_on_edges(const Vec3& a, const Vec3& b, const Vec3& c) {
  Barycentric best = closest_on_segment(a, b);
  const Barycentric ac = closest_on_segment(a, c);
  if (ac.squared_distance < best.squared_distance) {
    best = ac;
    best.weight[2] = best.weight[1];
    best.weight[1] = 0.0;
  }
  const Barycentric bc = closest_on_segment(b, c);
  if (bc.squared_distance < best.squared_distance) {
    best = bc;
    best.weight[2] = best.weight[1];
    best.weight[1] = best.weight[0];
    best.weight[0] = 0.0;
  }
  return best;
}

// Point of the triangle nearest to the origin. The plane's foot counts when it lies inside by all
// three edge functions; otherwise the nearest point is on an edge, whichever that is.
Barycentric closest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(b - a, c - a);
  const double area = squared_norm(normal);
  if (area > 0.0) {
    // Twice the areas of the triangles that the origin's foot makes with the edges, times the
    // normal's length.
    const double u = dot(normal, cross(b, c));
    const double v = dot(normal, cross(c, a));
    const double w = dot(normal, cross(a, b));
    if (u >= 0.0 && v >= 0.0 && w >= 0.0) {
      const double sum = (u + v) + w;
      if (sum > 0.0) {
        Barycentric r;
        r.weight[0] = u / sum;
        r.weight[1] = v / sum;
        r.weight[2] = w / sum;
        const double height = dot(normal, a);
        r.squared_distance = height * height / area;
        return r;
      }
    }
  }
  return closest_on_edges(a, b, c);
}

// Sign of the determinant |a, b, c|, whose value is given: exact.
int volume_sign(double volume, double error, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (volume > error) return 1;
  if (volume < -error) return -1;
  return -orient3d(a, b, c, Vec3{});
}

// Rounding of a sum of up to 24 products of three numbers of size 1: eight roundings each.
constexpr double kVolumeError = 24.0 * 8.0 * std::numeric_limits<double>::epsilon() / 2.0;

Vec3 combination(const Simplex& s, const double weight[4]) {
  Vec3 sum = s.point[0].w * weight[0];
  for (int i = 1; i < s.size; ++i) sum += s.point[i].w * weight[i];
  return sum;
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
  const double error = kVolumeError * (largest * largest * largest);
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
  int best_face = -1;
  Barycentric best;
  for (int f = 0; f < 4; ++f) {
    if (orientation != 0 && sign[f] * orientation >= 0) continue;
    const Barycentric r =
        closest_on_triangle(s.point[kFace[f][0]].w, s.point[kFace[f][1]].w, s.point[kFace[f][2]].w);
    if (best_face < 0 || r.squared_distance < best.squared_distance) {
      best = r;
      best_face = f;
    }
  }
  // The origin lies on the surface: exactly on a face that was not looked at.
  if (best_face < 0) return true;
  for (int i = 0; i < 3; ++i) out.weight[kFace[best_face][i]] = best.weight[i];
  out.point = combination(s, out.weight);
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
  out = {};
  switch (s.size) {
    case 1:
      out.weight[0] = 1.0;
      out.point = s.point[0].w;
      return false;
    case 2: {
      const Barycentric r = closest_on_segment(s.point[0].w, s.point[1].w);
      out.weight[0] = r.weight[0];
      out.weight[1] = r.weight[1];
      break;
    }
    case 3: {
      const Barycentric r = closest_on_triangle(s.point[0].w, s.point[1].w, s.point[2].w);
      for (int i = 0; i < 3; ++i) out.weight[i] = r.weight[i];
      break;
    }
    default:
      return nearest_on_tetrahedron(s, out);
  }
  out.point = combination(s, out.weight);
  return false;
}

bool reduce(Simplex& s) {
  Nearest nearest;
  if (nearest_to_origin(s, nearest)) return true;
  s.keep(nearest);
  return false;
}

double inner_radius(const Simplex& s) {
  double radius = std::numeric_limits<double>::infinity();
  for (int opposite = 0; opposite < 4; ++opposite) {
    const Vec3& a = s.point[(opposite + 1) % 4].w;
    const Vec3& b = s.point[(opposite + 2) % 4].w;
    const Vec3& c = s.point[(opposite + 3) % 4].w;
    const Vec3 normal = cross(b - a, c - a);
    const double largest = std::max(max_abs(a), std::max(max_abs(b), max_abs(c)));
    const double volume = std::fabs(dot(normal, a)) - kVolumeError * (largest * largest * largest);
    radius = std::min(radius, volume / norm(normal));
  }
  return radius;
}

Vec3 toward_origin(const Simplex& s) {
  const Vec3 v = s.closest();
  if (s.size == 3) {
    const Vec3 normal = cross(s.point[1].w - s.point[0].w, s.point[2].w - s.point[0].w);
    if (max_abs(normal) > 0.0) {
      const Vec3 n = normalized(normal);
      // The height above the plane, seen from the corner nearest to the origin.
      return dot(n, v) > 0.0 ? -n : n;
    }
  }
  if (s.size == 2) {
    const Vec3 edge = s.point[1].w - s.point[0].w;
    const double length = squared_norm(edge);
    if (length > 0.0) {
      const Vec3 across = v - edge * (dot(v, edge) / length);
      if (max_abs(across) > 0.0) return -normalized(across - edge * (dot(across, edge) / length));
    }
  }
  return -normalized(v, {0.0, 0.0, -1.0});
}

}  // namespace tactus
