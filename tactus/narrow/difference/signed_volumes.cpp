#include "tactus/narrow/difference/signed_volumes.hpp"

#include <cmath>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

struct Best {
  Nearest nearest;
  double squared_distance = std::numeric_limits<double>::infinity();
};

void take(const Simplex& s, Nearest candidate, Best& best) {
  for (int i = 0; i < s.size; ++i) {
    if (candidate.weight[i] > 0.0) candidate.point += s.point[i].w * candidate.weight[i];
  }
  const double squared_distance = squared_norm(candidate.point);
  if (squared_distance < best.squared_distance) best = {candidate, squared_distance};
}

int largest_component(const Vec3& v) {
  const Vec3 size = component_abs(v);
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

// The segment of corners i and j.
void nearest_on_segment(const Simplex& s, int i, int j, Best& best) {
  const Vec3 edge = s.point[j].w - s.point[i].w;
  Nearest r;
  const int axis = largest_component(edge);
  const double length = edge[axis];
  if (length != 0.0) {
    // Foot of the origin, and the signed lengths from it to both ends, along the chosen axis.
    const double foot =
        s.point[i].w[axis] - (dot(s.point[i].w, edge) / squared_norm(edge)) * length;
    const double from_i = (foot - s.point[i].w[axis]) / length;
    const double to_j = (s.point[j].w[axis] - foot) / length;
    if (from_i > 0.0 && to_j > 0.0) {
      const double sum = from_i + to_j;
      r.weight[i] = to_j / sum;
      r.weight[j] = from_i / sum;
      take(s, r, best);
      return;
    }
  }
  r.weight[squared_norm(s.point[i].w) <= squared_norm(s.point[j].w) ? i : j] = 1.0;
  take(s, r, best);
}

// The triangle of corners i, j and k.
void nearest_on_triangle(const Simplex& s, int i, int j, int k, Best& best) {
  const Vec3 normal = cross(s.point[j].w - s.point[i].w, s.point[k].w - s.point[i].w);
  const int axis = largest_component(normal);
  const int corner[3] = {i, j, k};
  bool open[3] = {true, true, true};
  if (normal[axis] != 0.0) {
    const Vec3 foot = normal * (dot(s.point[i].w, normal) / squared_norm(normal));
    const int x = (axis + 1) % 3;
    const int y = (axis + 2) % 3;
    // Twice the areas of the triangles that the foot makes with the edges, over that of the whole.
    double area[3];
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
      const Vec3 p = s.point[corner[(c + 1) % 3]].w - foot;
      const Vec3 q = s.point[corner[(c + 2) % 3]].w - foot;
      area[c] = (p[x] * q[y] - p[y] * q[x]) / normal[axis];
      open[c] = !(area[c] > 0.0);
      sum += area[c];
    }
    if (!open[0] && !open[1] && !open[2]) {
      Nearest r;
      for (int c = 0; c < 3; ++c) r.weight[corner[c]] = area[c] / sum;
      take(s, r, best);
      return;
    }
  }
  for (int c = 0; c < 3; ++c) {
    if (open[c]) nearest_on_segment(s, corner[(c + 1) % 3], corner[(c + 2) % 3], best);
  }
}

// The tetrahedron. True when it holds the origin.
bool nearest_on_tetrahedron(const Simplex& s, Best& best) {
  const Vec3 origin;
  const int whole = orient3d(s.point[0].w, s.point[1].w, s.point[2].w, s.point[3].w);
  bool inside = whole != 0;
  for (int c = 0; c < 4; ++c) {
    // The volume with the origin in place of corner c.
    const Vec3* p[4] = {&s.point[0].w, &s.point[1].w, &s.point[2].w, &s.point[3].w};
    p[c] = &origin;
    if (whole != 0 && orient3d(*p[0], *p[1], *p[2], *p[3]) * whole >= 0) continue;
    inside = false;
    nearest_on_triangle(s, (c + 1) % 4, (c + 2) % 4, (c + 3) % 4, best);
  }
  return inside;
}

}  // namespace

bool nearest_by_signed_volumes(const Simplex& simplex, Nearest& out) {
  Best best;
  if (simplex.size == 4) {
    if (nearest_on_tetrahedron(simplex, best)) return true;
  } else if (simplex.size == 3) {
    nearest_on_triangle(simplex, 0, 1, 2, best);
  } else if (simplex.size == 2) {
    nearest_on_segment(simplex, 0, 1, best);
  } else {
    Nearest vertex;
    vertex.weight[0] = 1.0;
    take(simplex, vertex, best);
  }
  out = best.nearest;
  Simplex face = simplex;
  face.keep(out);
  out.toward = toward_origin(face);
  return false;
}

bool reduce_by_signed_volumes(Simplex& simplex) {
  Nearest nearest;
  if (nearest_by_signed_volumes(simplex, nearest)) return true;
  simplex.keep(nearest);
  return false;
}

}  // namespace tactus::detail
