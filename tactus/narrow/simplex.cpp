#include "tactus/narrow/simplex.hpp"

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

// Keeps the points with positive weight.
void compact(Simplex& s, int count) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (!(s.weight[i] > 0.0)) continue;
    if (kept != i) {
      s.point[kept] = s.point[i];
      s.weight[kept] = s.weight[i];
    }
    ++kept;
  }
  s.size = kept;
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

bool reduce(Simplex& s) {
  if (s.size == 1) {
    s.weight[0] = 1.0;
    return false;
  }
  if (s.size == 2) {
    const Barycentric r = closest_on_segment(s.point[0].w, s.point[1].w);
    s.weight[0] = r.weight[0];
    s.weight[1] = r.weight[1];
    compact(s, 2);
    return false;
  }
  if (s.size == 3) {
    const Barycentric r = closest_on_triangle(s.point[0].w, s.point[1].w, s.point[2].w);
    for (int i = 0; i < 3; ++i) s.weight[i] = r.weight[i];
    compact(s, 3);
    return false;
  }
  // The faces, each with the parity of (face, opposite corner) against (0, 1, 2, 3).
  constexpr int kFace[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  constexpr int kParity[4] = {1, -1, 1, -1};
  const int orientation = orient3d(s.point[0].w, s.point[1].w, s.point[2].w, s.point[3].w);
  int best_face = -1;
  Barycentric best;
  for (int f = 0; f < 4; ++f) {
    const Vec3& a = s.point[kFace[f][0]].w;
    const Vec3& b = s.point[kFace[f][1]].w;
    const Vec3& c = s.point[kFace[f][2]].w;
    if (orientation != 0 && orient3d(a, b, c, Vec3{}) * orientation * kParity[f] >= 0) continue;
    const Barycentric r = closest_on_triangle(a, b, c);
    if (best_face < 0 || r.squared_distance < best.squared_distance) {
      best = r;
      best_face = f;
    }
  }
  if (best_face < 0) return true;
  Simplex face;
  face.size = 3;
  for (int i = 0; i < 3; ++i) {
    face.point[i] = s.point[kFace[best_face][i]];
    face.weight[i] = best.weight[i];
  }
  compact(face, 3);
  s = face;
  return false;
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
