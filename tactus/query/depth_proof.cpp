#include "tactus/query/depth_proof.hpp"

#include <algorithm>
#include <vector>

#include "tactus/math/mat3.hpp"
#include "tactus/shape/support.hpp"

namespace tactus {
namespace {

// Triangles looked at before the proof is given up.
constexpr int kMostTriangles = 200000;

// A corner: a direction and the support point of A - B there, relative to the positions'
// difference.
struct Corner {
  Vec3 n, w;
};

struct Triangle {
  Corner corner[3];
};

Corner make_corner(const PlacedPair& pair, const Vec3& direction) {
  const Vec3 n = normalized(direction);
  const Vec3 a = pair.pose_a.direction_to_world(support(pair.a, pair.pose_a.direction_to_local(n)));
  const Vec3 b =
      pair.pose_b.direction_to_world(support(pair.b, -pair.pose_b.direction_to_local(n)));
  return {n, (a - b) - (pair.pose_b.position() - pair.pose_a.position())};
}

double least_height(const Triangle& t, const Vec3& q) {
  return std::min({dot(q, t.corner[0].n), dot(q, t.corner[1].n), dot(q, t.corner[2].n)});
}

// A point of A - B with large heights over all three corners proves the triangle.
bool proved(const Triangle& t, double depth) {
  for (const Corner& c : t.corner) {
    if (least_height(t, c.w) >= depth) return true;
  }
  // heights(j, i): support point i over corner j.
  Mat3 heights;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) heights(j, i) = dot(t.corner[i].w, t.corner[j].n);
  }
  // Mixtures of two support points that are equally high over two corners.
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    for (int j = 0; j < 3; ++j) {
      const int l = (j + 1) % 3;
      const double over_j = heights(j, i) - heights(j, k), over_l = heights(l, i) - heights(l, k);
      const double share = (heights(l, k) - heights(j, k)) / (over_j - over_l);
      if (!(share > 0.0 && share < 1.0)) continue;
      if (least_height(t, t.corner[i].w * share + t.corner[k].w * (1.0 - share)) >= depth)
        return true;
    }
  }
  // The mixture of all three that is equally high over all: v with sum_i v_i w_i . n_j = 1.
  if (determinant(heights) == 0.0) return false;
  const Vec3 level = inverse(heights) * Vec3{1.0, 1.0, 1.0};
  const double total = level.x + level.y + level.z;
  if (!(level.x > 0.0 && level.y > 0.0 && level.z > 0.0)) return false;
  return least_height(
             t, (t.corner[0].w * level.x + t.corner[1].w * level.y + t.corner[2].w * level.z) /
                    total) >= depth;
}

}  // namespace

bool proves_depth(const PlacedPair& pair, const Vec3& least, double depth) {
  const Vec3 x = any_perpendicular(least);
  const Vec3 y = cross(least, x);
  const Corner pole = make_corner(pair, least), other = make_corner(pair, -least);
  const Corner equator[4] = {make_corner(pair, x), make_corner(pair, y), make_corner(pair, -x),
                             make_corner(pair, -y)};
  std::vector<Triangle> open;
  for (int i = 0; i < 4; ++i) {
    open.push_back({{other, equator[(i + 1) % 4], equator[i]}});
    open.push_back({{pole, equator[i], equator[(i + 1) % 4]}});
  }
  for (int count = 0; !open.empty(); ++count) {
    if (count == kMostTriangles) return false;
    const Triangle t = open.back();
    open.pop_back();
    for (const Corner& c : t.corner) {
      if (!(dot(c.n, c.w) >= depth)) return false;
    }
    if (proved(t, depth)) continue;
    Corner middle[3];
    for (int i = 0; i < 3; ++i)
      middle[i] = make_corner(pair, t.corner[i].n + t.corner[(i + 1) % 3].n);
    for (int i = 0; i < 3; ++i) open.push_back({{t.corner[i], middle[i], middle[(i + 2) % 3]}});
    open.push_back({{middle[0], middle[1], middle[2]}});
  }
  return true;
}

}  // namespace tactus
