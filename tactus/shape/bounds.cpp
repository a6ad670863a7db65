#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include "tactus/core/constants.hpp"
#include "tactus/math/length.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/compound_data.hpp"
#include "tactus/shape/mesh_data.hpp"
#include "tactus/shape/prepared_hull.hpp"

namespace tactus {
using namespace detail;
namespace {

// Each side of a box moves outwards by this much, relative to the sizes of the terms that its
// position is summed from. Twice the rounding of a rotated and shifted point (three products, three
// additions): once for the side, once for the points that it must hold.
constexpr double kBoxSlack = 8.0 * std::numeric_limits<double>::epsilon();
// How much more a box of the tree holds than the box of a part in it reaches, with a margin: the
// slack of that, and the roundings of the tree's box and of its turn.
constexpr double kTreeSlack = 16.0 * kBoxSlack;
// Relative slack of a radius from a norm and a sum, so that it bounds the body from above.
constexpr double kRadiusSlack = 4.0 * std::numeric_limits<double>::epsilon();
// Among denormal numbers a rounding is no part of a length any more: sixteen of them.
constexpr double kLeastSlack = 16.0 * std::numeric_limits<double>::denorm_min();

// A box up to rounding, and how large the terms are that its sides are sums of.
struct RoundedBox {
  Aabb box;
  Vec3 terms;
};

constexpr Aabb kNothing = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

RoundedBox box_of_points(std::span<const Vec3> points, double rounding, const Pose& pose) {
  Aabb box = kNothing;
  double largest = 0.0;
  for (const Vec3& p : points) {
    const Vec3 turned = pose.direction_to_world(p);
    box.lower = component_min(box.lower, turned);
    box.upper = component_max(box.upper, turned);
    largest = std::fmax(largest, max_abs(p));
  }
  const Vec3 ball = {rounding, rounding, rounding};
  // A row of a rotation has an absolute sum of at most sqrt(3).
  const double sum = 2.0 * largest + rounding;
  return {{box.lower + pose.position() - ball, box.upper + pose.position() + ball},
          component_abs(pose.position()) + Vec3{sum, sum, sum}};
}

// Box of a mesh, as `box_of_points`, without a look at each of its vertices.
RoundedBox box_of_mesh(const Mesh& mesh, const Pose& pose) {
  const PointBoxes& reach = reach_of(mesh);
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Vec3& axis = pose.rotation().row[i];
    box.upper[i] = reach.highest(mesh.mesh().vertices, axis);
    box.lower[i] = -reach.highest(mesh.mesh().vertices, -axis);
  }
  const double sum = 2.0 * reach.largest();
  return {{box.lower + pose.position(), box.upper + pose.position()},
          component_abs(pose.position()) + Vec3{sum, sum, sum}};
}

RoundedBox box_of_halfspace(const HalfSpace& s, const Pose& pose) {
  RoundedBox result = {{-kNothing.lower, -kNothing.upper}, {}};
  const Vec3 n = pose.direction_to_world(s.normal());
  const double offset = s.offset() + dot(n, pose.position());
  for (int i = 0; i < 3; ++i) {
    if (n[(i + 1) % 3] != 0.0 || n[(i + 2) % 3] != 0.0) continue;
    (n[i] > 0.0 ? result.box.upper : result.box.lower)[i] = n[i] > 0.0 ? offset : -offset;
    result.terms[i] = std::fabs(s.offset()) + std::fabs(pose.position()[i]);
  }
  return result;
}

// The parts whose boxes lie in what others reach are not asked.
RoundedBox box_of_parts(const Compound& s, const Pose& pose) {
  const CompoundData& data = ShapeAccess::data(s);
  const Vec3 terms = component_abs(pose.position()) + Vec3{data.reach, data.reach, data.reach};
  const double least = 4.0 * kLeastSlack;
  const Vec3 slack = terms * kTreeSlack + Vec3{least, least, least};
  RoundedBox result = {kNothing, terms};
  std::uint32_t waiting[CompoundData::kDepth];
  int size = 0;
  waiting[size++] = 0;
  while (size > 0) {
    const std::uint32_t at = waiting[--size];
    const PartNode& node = data.nodes[at];
    const Vec3 center = pose.to_world(node.center);
    Vec3 reach;
    for (int i = 0; i < 3; ++i)
      reach[i] = dot(component_abs(pose.rotation().row[i]), node.half) + slack[i];
    const Vec3 low = (center - reach) - result.box.lower,
               high = result.box.upper - (center + reach);
    // False for what is not finite.
    if (low.x >= 0.0 && low.y >= 0.0 && low.z >= 0.0 && high.x >= 0.0 && high.y >= 0.0 &&
        high.z >= 0.0)
      continue;
    if (node.is_leaf()) {
      const Compound::Part& part = s.parts()[node.part()];
      result.box = merge(result.box, bounding_box(part.shape, pose * part.pose));
    } else {
      waiting[size++] = node.link;
      waiting[size++] = at + 1;
    }
  }
  return result;
}

// The support function along the axes of the world.
RoundedBox box_of_convex_body(const Shape& shape, const Pose& pose) {
  RoundedBox result;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = pose.rotation().row[i];
    const double up = support_value(shape, axis);
    const double down = support_value(shape, -axis);
    result.box.upper[i] = pose.position()[i] + up;
    result.box.lower[i] = pose.position()[i] - down;
    result.terms[i] = std::fabs(pose.position()[i]) + std::fmax(std::fabs(up), std::fabs(down));
  }
  return result;
}

// A large hull's map of directions knows the farthest vertices; as `box_of_points`.
RoundedBox box_of_hull(const PreparedHull& hull, double rounding, const Pose& pose) {
  if (!hull.directions.large()) return box_of_points(hull.vertices, rounding, pose);
  RoundedBox result;
  const double sum = 2.0 * hull.largest + rounding;
  for (int i = 0; i < 3; ++i) {
    const Vec3& axis = pose.rotation().row[i];
    const auto reach = [&](const Vec3& n) {
      return dot(n, *hull.directions.farthest(hull.vertices.data(), n).point);
    };
    result.box.upper[i] = reach(axis) + pose.position()[i] + rounding;
    result.box.lower[i] = -reach(-axis) + pose.position()[i] - rounding;
    result.terms[i] = std::fabs(pose.position()[i]) + sum;
  }
  return result;
}

RoundedBox rounded_box(const Shape& shape, const Pose& pose) {
  if (const auto* hull = std::get_if<Convex>(&shape.geometry())) {
    return box_of_hull(ShapeAccess::prepared(*hull), shape.rounding_radius(), pose);
  }
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) {
    return box_of_mesh(*mesh, pose);
  }
  if (const auto* halfspace = std::get_if<HalfSpace>(&shape.geometry())) {
    return box_of_halfspace(*halfspace, pose);
  }
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    return box_of_parts(*compound, pose);
  }
  return box_of_convex_body(shape, pose);
}

struct RadiusMaker {
  double operator()(const Sphere& s) const { return s.radius(); }
  double operator()(const Box& s) const { return safe_norm(s.half()); }
  double operator()(const Capsule& s) const { return 0.5 * s.length() + s.radius(); }
  double operator()(const Cylinder& s) const { return to_rim(s.radius(), s.length()); }
  double operator()(const Cone& s) const { return to_rim(s.radius(), s.length()); }
  double operator()(const Ellipsoid& s) const { return max_abs(s.radii()); }
  double operator()(const Convex& s) const { return ShapeAccess::prepared(s).radius; }
  double operator()(const Mesh& s) const { return reach_of(s).radius(); }
  double operator()(const HalfSpace&) const { return kInfinity; }
  double operator()(const Compound& s) const { return ShapeAccess::data(s).reach; }
  // Only the box of a custom body is known.
  double operator()(const CustomConvex& s) const {
    const Aabb box = rounded_box(s, {}).box;
    return safe_norm(component_max(component_abs(box.lower), component_abs(box.upper)));
  }

  static double to_rim(double radius, double length) {
    return safe_norm({radius, 0.5 * length, 0.0});
  }
};

}  // namespace

Aabb bounding_box(const Shape& shape, const Pose& pose) {
  const auto [box, terms] = rounded_box(shape, pose);
  const Vec3 least = {kLeastSlack, kLeastSlack, kLeastSlack};
  const Vec3 slack = terms * kBoxSlack + least;
  return {box.lower - slack, box.upper + slack};
}

double extent(const Shape& shape) {
  const Aabb box = rounded_box(shape, {}).box;
  return max_abs(box.upper - box.lower);
}

double bounding_radius(const Shape& shape) {
  const double radius = std::visit(RadiusMaker{}, shape.geometry()) + shape.rounding_radius();
  return radius * (1.0 + kRadiusSlack);
}

}  // namespace tactus
