#include "tactus/check/axes_depth.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/math/expansion.hpp"

namespace tactus::detail {
namespace {

// Largest product of the numbers of edges whose axes are all tried: two hulls of 80 to 90 vertices.
constexpr std::size_t kMostEdgePairs = 65536;
// Edges whose sine is below this are parallel: the facet between them is thinner than any rounding.
constexpr double kParallel = 1e-24;

/// A number as a sum of two doubles, and a vector of these.
struct Twice {
  double high = 0.0, low = 0.0;
};
Twice operator+(const Twice& x, const Twice& y) {
  const TwoTerms sum = two_sum(x.high, y.high);
  const TwoTerms r = two_sum(sum.high, sum.low + (x.low + y.low));
  return {r.high, r.low};
}
Twice operator*(const Twice& x, const Twice& y) {
  const TwoTerms product = two_product(x.high, y.high);
  const TwoTerms r = two_sum(product.high, product.low + (x.high * y.low + x.low * y.high));
  return {r.high, r.low};
}
Twice operator-(const Twice& x) { return {-x.high, -x.low}; }

struct TwiceVector {
  Twice x, y, z;
  Vec3 rounded() const { return {x.high, y.high, z.high}; }
};

Twice difference(double p, double q) {
  const TwoTerms d = two_difference(p, q);
  return {d.high, d.low};
}

TwiceVector rotated(const Mat3& m, const TwiceVector& v) {
  const auto row = [&](const Vec3& r) {
    return Twice{r.x} * v.x + Twice{r.y} * v.y + Twice{r.z} * v.z;
  };
  return {row(m.row[0]), row(m.row[1]), row(m.row[2])};
}

Vec3 product(const TwiceVector& u, const TwiceVector& v) {
  return TwiceVector{u.y * v.z + -(u.z * v.y), u.z * v.x + -(u.x * v.z), u.x * v.y + -(u.y * v.x)}
      .rounded();
}

/// Face normals and edges of a polytope core, placed.
struct Axes {
  struct Edge {
    Vec3 point;  ///< some point of the body
    TwiceVector along;
  };
  std::vector<Vec3> normals;
  std::vector<Edge> edges;
};

// False when the core is not a polytope.
bool find_axes(const Piece& piece, Axes& out) {
  const Pose& pose = piece.pose;
  if (const auto* convex = std::get_if<Convex>(&piece.shape.geometry())) {
    const ConvexHull& hull = convex->hull();
    for (const ConvexHull::Face& face : hull.faces)
      out.normals.push_back(pose.direction_to_world(face.normal));
    for (const ConvexHull::Edge& e : hull.edges) {
      const Vec3 &tail = hull.vertices[e.tail], &head = hull.vertices[e.head];
      const TwiceVector along{difference(head.x, tail.x), difference(head.y, tail.y),
                              difference(head.z, tail.z)};
      out.edges.push_back({pose.to_world(tail), rotated(pose.rotation(), along)});
    }
    return true;
  }
  const ShapeType type = piece.shape.type();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = pose.rotation().column(i);
    if (type == ShapeType::box) out.normals.push_back(axis);
    if (type == ShapeType::box || (type == ShapeType::capsule && i == 2))
      out.edges.push_back({pose.position(), {{axis.x}, {axis.y}, {axis.z}}});
  }
  return type == ShapeType::box || type == ShapeType::capsule || type == ShapeType::sphere;
}

}  // namespace

double axes_depth(const Piece& a, const Piece& b) {
  double least = std::numeric_limits<double>::infinity();
  Axes axes_a, axes_b;
  if (!find_axes(a, axes_a) || !find_axes(b, axes_b) ||
      axes_a.edges.size() * axes_b.edges.size() > kMostEdgePairs)
    return least;
  for (const Axes* axes : {&axes_a, &axes_b}) {
    for (const Vec3& n : axes->normals)
      least = std::min({least, pair_value(a, b, n), pair_value(a, b, -n)});
  }
  for (const Axes::Edge& ea : axes_a.edges) {
    for (const Axes::Edge& eb : axes_b.edges) {
      const Vec3 normal = product(ea.along, eb.along);
      const double scale = max_abs(ea.along.rounded()) * max_abs(eb.along.rounded());
      if (!(max_abs(normal) > kParallel * scale)) continue;
      const Vec3 n = normalized(normal);
      // A point of A - B shows that most axes gain nothing.
      const double known = dot(n, ea.point - eb.point);
      if (known < least) least = std::min(least, pair_value(a, b, n));
      if (-known < least) least = std::min(least, pair_value(a, b, -n));
    }
  }
  return least;
}

}  // namespace tactus::detail
