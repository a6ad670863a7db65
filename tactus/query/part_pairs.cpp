#include "tactus/query/part_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Roundings of the separation of two boxes along an axis, relative to the lengths that enter it:
// rotated and summed, twice, with a margin of two.
constexpr double kSeparation = 64.0 * kEpsilon;
// The norms of shorter vectors vanish, and with them what they say of roundings.
constexpr double kLeastSeparation = 1e-158;

}  // namespace

PartTree::PartTree(const Placed& placed)
    : body(placed), compound(std::get_if<Compound>(&placed.shape.geometry())) {
  if (compound != nullptr) return;
  const LocalBox box = local_box(body.shape);
  whole.center = box.center;
  whole.half = box.half + Vec3{box.ball, box.ball, box.ball};
  whole.link = PartNode::kLeaf;
}

PlacedPart placed_part(const PartTree& tree, std::int32_t index) {
  const Compound::Part* const part = tree.part(index);
  if (part == nullptr) return {tree.body.shape, tree.body.pose, 0.0};
  return {part->shape, tree.body.pose * part->pose, norm(part->pose.position())};
}

PartPairs::PartPairs(const Placed& placed_a, const Placed& placed_b)
    : a(placed_a),
      b(placed_b),
      rotation_(transpose_times(placed_a.pose.rotation(), placed_b.pose.rotation())),
      translation_(
          placed_a.pose.direction_to_local(placed_b.pose.position() - placed_a.pose.position())) {
  for (int i = 0; i < 3; ++i) absolute_.row[i] = component_abs(rotation_.row[i]);
}

double PartPairs::bound(const PartNode& node_a, const PartNode& node_b, const Vec3* normal) const {
  if (const HalfSpace* plane = a.plane()) return bound_to_plane(*plane, node_b, true);
  if (const HalfSpace* plane = b.plane()) return bound_to_plane(*plane, node_a, false);
  const Vec3 between = rotation_ * node_b.center + translation_ - node_a.center;
  const Vec3 in_b = transpose_times(rotation_, between);
  double most = -kInfinity;
  // Products may be NaN where a box is that of a half-space; the comparison drops them as bounds.
  const auto along = [&](double gap) {
    if (gap > most) most = gap;
  };
  for (int i = 0; i < 3; ++i) {
    along(std::fabs(between[i]) - (node_a.half[i] + dot(absolute_.row[i], node_b.half)));
    along(std::fabs(in_b[i]) - (node_b.half[i] + transpose_times(absolute_, node_a.half)[i]));
  }
  if (normal != nullptr) {
    const Vec3 reach_b = component_abs(transpose_times(rotation_, *normal));
    along(dot(*normal, between) -
          (dot(component_abs(*normal), node_a.half) + dot(reach_b, node_b.half)));
  }
  const double lengths =
      ((norm(node_a.center) + norm(node_a.half)) + (norm(node_b.center) + norm(node_b.half))) +
      norm(translation_);
  const double proved = most - (kSeparation * lengths + kLeastSeparation);
  return proved > -kInfinity ? proved : -kInfinity;
}

// As `bound`, for a box and the half-space, in the frame of the box.
double PartPairs::bound_to_plane(const HalfSpace& plane, const PartNode& node, bool of_a) const {
  const Vec3 n = of_a ? transpose_times(rotation_, plane.normal()) : rotation_ * plane.normal();
  const double way = of_a ? dot(plane.normal(), translation_) : -dot(n, translation_);
  const double gap =
      (dot(n, node.center) + way) - (dot(component_abs(n), node.half) + plane.offset());
  const double lengths =
      ((norm(node.center) + norm(node.half)) + norm(translation_)) + std::fabs(plane.offset());
  const double proved = gap - (kSeparation * lengths + kLeastSeparation);
  return proved > -kInfinity ? proved : -kInfinity;
}

void PartPairs::push_halves(const NodePair& next, const Vec3* normal, NodePair* stack,
                            int& size) const {
  const PartNode &x = a.node(next.a), &y = b.node(next.b);
  const bool split_a =
      y.is_leaf() || (!x.is_leaf() && squared_norm(x.half) >= squared_norm(y.half));
  NodePair near = next, far = next;
  (split_a ? near.a : near.b) = (split_a ? next.a : next.b) + 1;
  (split_a ? far.a : far.b) = split_a ? x.link : y.link;
  near.bound = std::max(next.bound, bound(a.node(near.a), b.node(near.b), normal));
  far.bound = std::max(next.bound, bound(a.node(far.a), b.node(far.b), normal));
  if (far.bound < near.bound) std::swap(near, far);
  stack[size++] = far;
  stack[size++] = near;
}

}  // namespace tactus::detail
