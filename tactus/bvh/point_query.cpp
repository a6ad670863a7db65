#include "tactus/bvh/point_query.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tactus/math/predicates.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/simd/four_floats.hpp"

namespace tactus::detail::bvh {
namespace {

using Tree = Hierarchy<OrientedBox>;

constexpr int kStack = 512;
// Volumes are of single precision about the middle of the mesh; the point's own rounding beside.
constexpr double kSlack = 1e-12;
// A box about the axes in single precision: some six roundings of 2^-24, with a margin.
constexpr double kSingleSlack = 20.0 / 16777216.0;

using namespace four_floats;

// Without the signs of x and y.
const Bits kBesideOrAbove{0x7fffffff, 0x7fffffff, -1, -1};

struct BoxView {
  Vec3 center, half;
  Mat3 axes;  ///< rows
  explicit BoxView(const OrientedBox& box) {
    for (int i = 0; i < 3; ++i) {
      center[i] = static_cast<double>(box.center[i]);
      half[i] = static_cast<double>(box.axis[i][3]);
      for (int j = 0; j < 3; ++j) axes(i, j) = static_cast<double>(box.axis[i][j]);
    }
  }
};

// Is the point, seen from the middle of the tree, outside of the box by more than `slack`?
bool is_outside(const OrientedBox& box, const Vec3& seen, double slack) {
  const BoxView view(box);
  const Vec3 beyond = component_abs(view.axes * (seen - view.center)) - view.half;
  return beyond.x > slack || beyond.y > slack || beyond.z > slack;
}

// Side of the line from a to b (seen along z) on which p lies, moved by an infinitesimal step along
// x and a smaller one along y. Zero when a and b have the same place.
int side(const Vec3& a, const Vec3& b, const Vec3& p) {
  const int exact = orient2d(a.x, a.y, b.x, b.y, p.x, p.y);
  if (exact != 0) return exact;
  if (a.y != b.y) return a.y > b.y ? 1 : -1;
  if (a.x != b.x) return b.x > a.x ? 1 : -1;
  return 0;
}

// Adds the share of a triangle in the winding number of p, counted along the ray upwards from p.
void count_above(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, Winding& out) {
  const int ab = side(a, b, p), bc = side(b, c, p), ca = side(c, a, p);
  if (ab == 0 || ab != bc || ab != ca) {
    // Seen edge on, or beside: the point may still be on it.
    if (orient3d(a, b, c, p) == 0 && point_to_triangle(p, {{a, b, c}}).meets) out.on_surface = true;
    return;
  }
  const int height = orient3d(a, b, c, p);
  if (height == 0) out.on_surface = true;
  if (height == -ab) out.number += ab;
}

}  // namespace

Winding winding_at(const MeshView& view, const Vec3& p) {
  Winding out;
  const Vec3 seen = p - view.tree.middle();
  if (is_outside(view.tree.nodes()[0], seen,
                 kSingleSlack * (view.tree.reach() + norm(seen)) +
                     kSlack * (norm(view.tree.middle()) + norm(p)))) {
    return out;
  }
  const Lanes at{static_cast<float>(seen.x), static_cast<float>(seen.y), static_cast<float>(seen.z),
                 0.0f};
  const double lengths = view.tree.reach() + norm(seen);
  const Lanes slack =
      Lanes{} + (lengths < kLargestOfVolumes
                     ? static_cast<float>(kSingleSlack * lengths +
                                          kSlack * (norm(view.tree.middle()) + norm(p)))
                     : std::numeric_limits<float>::infinity());
  std::uint32_t stack[kStack];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::uint32_t index = stack[--size];
    const OrientedBox& node = view.tree.nodes()[index];
    // The box lies beside the ray from the point up, or below the point.
    const Lanes row0 = load(node.axis[0]), row1 = load(node.axis[1]), row2 = load(node.axis[2]);
    const Lanes reach = combine(absolute(row0), absolute(row1), absolute(row2),
                                Lanes{row0[3], row1[3], row2[3], 0.0f}) +
                        slack;
    const Lanes from = (Lanes)((Bits)(at - load_three(node.center)) & kBesideOrAbove);
    const Bits clear = from > reach;
    if ((clear[0] | clear[1] | clear[2]) != 0) continue;
    if (!Tree::is_leaf(node)) {
      stack[size++] = node.link;
      stack[size++] = index + 1;
      continue;
    }
    const auto& corners = view.mesh.triangles[Tree::triangle(node)];
    count_above(view.mesh.vertices[corners[0]], view.mesh.vertices[corners[1]],
                view.mesh.vertices[corners[2]], p, out);
    if (out.on_surface) break;
  }
  return out;
}

SurfacePoint nearest_point(const MeshView& view, const Vec3& p, double max_distance) {
  SurfacePoint best;
  const Vec3 seen = p - view.tree.middle();
  const double lengths = view.tree.reach() + norm(seen);
  const double slack = kSlack * lengths;
  const auto bound = [&](std::uint32_t at) {
    if (!(lengths < kLargestOfVolumes)) return 0.0;
    const BoxView box(view.tree.nodes()[at]);
    const Vec3 local = component_abs(box.axes * (seen - box.center)) - box.half;
    return std::max(norm(component_max(local, Vec3{})) * (1.0 - 1e-6) - slack, 0.0);
  };
  struct Entry {
    double bound;
    std::uint32_t node;
  };
  Entry stack[kStack];
  int size = 0;
  stack[size++] = {bound(0), 0};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (!(entry.bound < best.distance) || entry.bound > max_distance) continue;
    const OrientedBox& node = view.tree.nodes()[entry.node];
    if (Tree::is_leaf(node)) {
      const std::uint32_t t = Tree::triangle(node);
      const auto& corners = view.mesh.triangles[t];
      const Vec3& middle = view.tree.middle();
      const Triangle triangle{{view.mesh.vertices[corners[0]] - middle,
                               view.mesh.vertices[corners[1]] - middle,
                               view.mesh.vertices[corners[2]] - middle}};
      const TriangleDistance d = point_to_triangle(seen, triangle, best.distance * best.distance);
      if (d.beyond || !(d.distance < best.distance)) continue;
      best = {d.distance, d.b + middle, t};
      continue;
    }
    Entry near{bound(entry.node + 1), entry.node + 1}, far{bound(node.link), node.link};
    if (far.bound < near.bound) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  if (best.distance > max_distance) best = {};
  return best;
}

}  // namespace tactus::detail::bvh
