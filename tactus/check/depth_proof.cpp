#include "tactus/check/depth_proof.hpp"

#include <algorithm>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

// Triangles looked at before the proof is given up.
constexpr int kMostTriangles = 4000000;

// A corner: a direction and the support point of A - B there, relative to the positions'
// difference, of bodies that have given away balls of radii that sum up to `balls`.
struct Corner {
  Vec3 n, w;
};

struct Triangle {
  Corner corner[3];
};

Corner make_corner(const PosedPair& pair, const Vec3& direction, double balls) {
  const Vec3 n = normalized(direction);
  const Vec3 a = pair.pose_a.direction_to_world(support(pair.a, pair.pose_a.direction_to_local(n)));
  const Vec3 b =
      pair.pose_b.direction_to_world(support(pair.b, -pair.pose_b.direction_to_local(n)));
  const Vec3 w = (a - b) - (pair.pose_b.position() - pair.pose_a.position());
  return {n, w - n * balls};
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

// The edge, from corner i to the next, along which the support points turn most: (n - m).(w - v) is
// what the two lose together, each at the other's end. Along directions that share a support point
// nothing is lost, however long the edge: around a contact on a rim or an edge f is nearly the
// depth over a whole arc, which few long triangles cover.
int edge_to_cut(const Triangle& t) {
  int best = 0;
  double most = -1.0;
  for (int i = 0; i < 3; ++i) {
    const Corner &from = t.corner[i], &to = t.corner[(i + 1) % 3];
    const double turn = dot(from.n - to.n, from.w - to.w);
    if (turn > most) {
      most = turn;
      best = i;
    }
  }
  return best;
}

}  // namespace

bool proves_depth(const PosedPair& pair, const Vec3& least, double depth) {
  // Balls that are summands of the bodies, those of their cores and of an ellipsoid its smallest
  // radius of curvature, add their radii to f in every direction, and to the depth. Chords of a
  // large one would lose more than all of the remaining depth, if there is one.
  const double radii = greatest_shrink(pair.a) + greatest_shrink(pair.b);
  const double balls = depth > radii ? radii : 0.0;
  const double wanted = depth - balls;
  const Vec3 x = any_perpendicular(least);
  const Vec3 y = cross(least, x);
  const Corner pole = make_corner(pair, least, balls), other = make_corner(pair, -least, balls);
  const Corner equator[4] = {make_corner(pair, x, balls), make_corner(pair, y, balls),
                             make_corner(pair, -x, balls), make_corner(pair, -y, balls)};
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
      if (!(dot(c.n, c.w) >= wanted)) return false;
    }
    if (proved(t, wanted)) continue;
    const int i = edge_to_cut(t);
    const Corner &from = t.corner[i], &to = t.corner[(i + 1) % 3], &rest = t.corner[(i + 2) % 3];
    const Corner middle = make_corner(pair, from.n + to.n, balls);
    open.push_back({{middle, to, rest}});
    open.push_back({{from, middle, rest}});
  }
  return true;
}

}  // namespace tactus::detail
