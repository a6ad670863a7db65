#include "tactus/query/apart_steps.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/query.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

using Tree = bvh::Hierarchy<bvh::OrientedBox>;
using Kind = Certificate::Step::Kind;

// Steps that are written before the proof is given up, and blocks that are looked at.
constexpr std::size_t kMostSteps = 1u << 16u;
// Times that are nearer to each other are one.
constexpr double kShortest = 1e-15;
// Room that a direction may lack, in units of 2^-53 of the lengths: less than a claim is allowed.
constexpr double kLacking = 8.0;
// And that it must have where the checker takes off its own rounding.
constexpr double kClear = 20.0;
// Moments at which no direction was found that keeps pieces apart: no cut of the time can help, but
// a direction of a moment nearby may. After so many the proof is given up.
constexpr int kMostHopeless = 64;
// A direction that shows this part of a gap is as good as the right one.
constexpr double kPartOfGap = 0.5;

/// A part as a tree of volumes: of a mesh its hierarchy, of others one volume, the body itself.
class Volumes {
 public:
  explicit Volumes(Part& part) : part_(part) {
    if (part.mesh == nullptr) return;
    const auto& nodes = tree().nodes();
    leaves_.assign(nodes.size(), 1);
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (!Tree::is_leaf(nodes[i])) leaves_[i] = leaves_[i + 1] + leaves_[nodes[i].link];
    }
    part.order.clear();
    for (const auto& node : nodes) {
      if (Tree::is_leaf(node)) part.order.push_back(Tree::triangle(node));
    }
  }

  const Part& part() const { return part_; }
  std::uint32_t leaves(std::uint32_t node) const { return leaves_.empty() ? 1 : leaves_[node]; }
  bool is_leaf(std::uint32_t node) const { return leaves(node) == 1; }
  std::uint32_t left(std::uint32_t node) const { return node + 1; }
  std::uint32_t right(std::uint32_t node) const { return tree().nodes()[node].link; }
  double length(std::uint32_t node) const {
    if (part_.mesh == nullptr) return part_.reach;
    // Beyond single precision a node is the whole.
    const double length = tree().nodes()[node].length();
    return std::isfinite(length) ? length : 2.0 * tree().reach();
  }

  /// A convex shape that holds the volume, and its pose in the body.
  Shape shape(std::uint32_t node, Pose& in_body) const {
    in_body = part_.in_body;
    if (part_.mesh == nullptr) return *part_.shape;
    const bvh::OrientedBox& box = tree().nodes()[node];
    if (is_leaf(node)) {
      const TriangleMesh& mesh = part_.mesh->mesh();
      const auto& t = mesh.triangles[Tree::triangle(box)];
      const Vec3 corners[] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
      return Shape(Convex(corners));
    }
    Vec3 axes[3], size;
    for (int i = 0; i < 3; ++i) {
      axes[i] = {box.axis[i][0], box.axis[i][1], box.axis[i][2]};
      size[i] = 2.0 * static_cast<double>(box.axis[i][3]);
    }
    const Vec3 center{box.center[0], box.center[1], box.center[2]};
    // Beyond single precision nothing is known but the whole.
    if (!is_finite(size) || !is_finite(center)) {
      const double all = 2.0 * tree().reach();
      in_body = part_.in_body * Pose::translation(tree().middle());
      return Shape(Box({all, all, all}));
    }
    in_body = part_.in_body * detail::unchecked_pose(tree().middle() + center,
                                                     Mat3::from_columns(axes[0], axes[1], axes[2]));
    return Shape(Box(size));
  }

 private:
  const Tree& tree() const { return detail::view_of(*part_.mesh).tree; }

  Part& part_;
  std::vector<std::uint32_t> leaves_;
};

/// Block that a step acts on: a volume and its pieces of each part, an interval of time.
struct Block {
  std::uint32_t node_a = 0, node_b = 0;
  Range a, b;
  double t0 = 0.0, t1 = 0.0;
};

class Search {
 public:
  Search(const Pair& pair, Part& a, Part& b, double least, double time, bool clear)
      : pair_(pair),
        a_(a),
        b_(b),
        time_(time),
        clear_(clear),
        least_(least - kLacking * kUnit * lengths(pair, a, b, time)) {}

  std::optional<std::vector<Certificate::Step>> run() {
    std::vector<Block> open = {
        {0, 0, {0, a_.part().pieces()}, {0, b_.part().pieces()}, 0.0, time_}};
    while (!open.empty()) {
      if (steps_.size() >= kMostSteps || hopeless_ > kMostHopeless) return std::nullopt;
      Block block = open.back();
      open.pop_back();
      Vec3 n = last_;
      if (!is_apart(block, n)) {
        Block first;
        if (cut(block, first)) {
          open.push_back(block);
          open.push_back(first);
          continue;
        }
      }
      last_ = n;
      steps_.push_back({Kind::apart, 0, 0.0, n});
    }
    return std::move(steps_);
  }

 private:
  // Along the last direction, or that of the volumes at the end, in the middle, or at the beginning
  // of the time.
  bool is_apart(const Block& block, Vec3& n) {
    // Only at the end of the time the bodies may be as near as rounding makes them.
    const bool last = block.t1 == time_ && !clear_;
    const auto holds_from = [&](const Vec3& direction, double t0, double t1) {
      const double apart_by = gap(pair_, a_.part(), block.a, b_.part(), block.b, direction, t0, t1,
                                  last ? 0.0 : kClear);
      return last ? apart_by >= least_ : apart_by > 0.0;
    };
    const auto holds = [&](const Vec3& direction) {
      return holds_from(direction, block.t0, block.t1);
    };
    const bool known = !(n == Vec3{});
    if (known && holds(n)) return true;
    Pose in_a, in_b;
    const Shape shape_a = a_.shape(block.node_a, in_a), shape_b = b_.shape(block.node_b, in_b);
    const double times[] = {block.t1, 0.5 * (block.t0 + block.t1), block.t0};
    const std::size_t tries = block.t1 > block.t0 ? 3 : 1;
    const bool leaves = a_.is_leaf(block.node_a) && b_.is_leaf(block.node_b);
    for (std::size_t i = 0; i < tries; ++i) {
      const Pose pose_a = exact_pose_at(pair_.a, pair_.motion_a, times[i]) * in_a;
      const Pose pose_b = exact_pose_at(pair_.b, pair_.motion_b, times[i]) * in_b;
      DistanceResult d = distance(shape_a, pose_a, shape_b, pose_b);
      if (!leaves && !(d.lower > 0.0)) continue;
      n = d.normal;
      if (holds(n)) return true;
      // Where the gap is below the tolerance of the search its direction shows nothing, however
      // short the time: of flat bodies in all of the last millionth before they touch.
      if (!leaves || d.lower > kPartOfGap * d.upper) continue;
      QueryOptions narrow;
      narrow.tolerance = 0.0;
      d = distance(shape_a, pose_a, shape_b, pose_b, narrow);
      n = d.normal;
      if (holds(n)) return true;
      if (!holds_from(n, times[i], times[i])) ++hopeless_;
    }
    return false;
  }

  // How far the bodies move against each other in a time.
  double way(double time) const {
    return time * (norm(pair_.motion_b.linear - pair_.motion_a.linear) +
                   norm(pair_.motion_a.angular) * a_.part().reach +
                   norm(pair_.motion_b.angular) * b_.part().reach);
  }

  // The second half stays. False where nothing is left to cut.
  bool cut(Block& block, Block& first) {
    first = block;
    const bool leaf_a = a_.is_leaf(block.node_a), leaf_b = b_.is_leaf(block.node_b);
    const double length_a = leaf_a ? 0.0 : a_.length(block.node_a);
    const double length_b = leaf_b ? 0.0 : b_.length(block.node_b);
    const double time = block.t1 - block.t0;
    const double motion = time > kShortest ? way(time) : 0.0;
    if (motion > std::max(length_a, length_b)) {
      first.t1 = block.t0 = block.t0 + 0.5 * time;
      steps_.push_back({Kind::split_time, 0, first.t1, {}});
      return true;
    }
    if (leaf_a && leaf_b) return false;
    const bool of_a = !leaf_a && (leaf_b || length_a >= length_b);
    const Volumes& volumes = of_a ? a_ : b_;
    std::uint32_t& node = of_a ? block.node_a : block.node_b;
    const std::uint32_t count = volumes.leaves(volumes.left(node));
    (of_a ? first.node_a : first.node_b) = volumes.left(node);
    node = volumes.right(node);
    Range& whole = of_a ? block.a : block.b;
    Range& half = of_a ? first.a : first.b;
    half.last = whole.first = whole.first + count;
    steps_.push_back({of_a ? Kind::split_a : Kind::split_b, count, 0.0, {}});
    return true;
  }

  const Pair& pair_;
  Volumes a_, b_;
  double time_;
  bool clear_;
  double least_;
  int hopeless_ = 0;
  Vec3 last_;
  std::vector<Certificate::Step> steps_;
};

}  // namespace

Pose exact_pose_at(const Pose& pose, const RigidMotion& motion, double time) {
  return time == 0.0 ? pose : pose_at(pose, motion, time);
}

std::optional<Certificate::Apart> find_apart_steps(const Pair& pair, Part& a, Part& b, double least,
                                                   const Vec3& shift, double time, bool clear) {
  Pair shifted = pair;
  shifted.b = detail::unchecked_pose(pair.b.position() + shift, pair.b.rotation());
  auto steps = Search(shifted, a, b, least, time, clear).run();
  if (!steps) return std::nullopt;
  return Certificate::Apart{a.index, b.index, shift, std::move(*steps)};
}

}  // namespace tactus::detail
