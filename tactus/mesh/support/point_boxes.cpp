#include "tactus/mesh/support/point_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/math/length.hpp"

namespace tactus::detail {
namespace {

constexpr std::uint32_t kBlock = 8;
// Nodes that wait: one for each level of a balanced tree of up to 2^32 blocks.
constexpr int kStack = 40;

}  // namespace

PointBoxes::PointBoxes(std::span<const Vec3> points, std::vector<std::uint32_t> order)
    : order_(std::move(order)) {
  for (const std::uint32_t i : order_) {
    largest_ = std::fmax(largest_, max_abs(points[i]));
    radius_ = std::fmax(radius_, safe_norm(points[i]));
  }
  const auto blocks = static_cast<std::uint32_t>((order_.size() + kBlock - 1) / kBlock);
  if (blocks == 0) return;
  nodes_.resize(2 * std::size_t{blocks} - 1);
  nodes_[0] = {{}, {}, 0, blocks};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto [lower, upper, first, count] = nodes_[i];
    if (count == 1) continue;
    const std::uint32_t left = count / 2;
    nodes_[i + 1] = {{}, {}, first, left};
    nodes_[i + 2 * std::size_t{left}] = {{}, {}, first + left, count - left};
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.count > 1) {
      const Node &left = nodes_[i + 1], &right = nodes_[i + 2 * std::size_t{node.count / 2}];
      node.lower = component_min(left.lower, right.lower);
      node.upper = component_max(left.upper, right.upper);
      continue;
    }
    node.lower = {kInfinity, kInfinity, kInfinity};
    node.upper = -node.lower;
    const std::size_t first = std::size_t{kBlock} * node.first;
    for (std::size_t k = first; k < std::min(first + kBlock, order_.size()); ++k) {
      node.lower = component_min(node.lower, points[order_[k]]);
      node.upper = component_max(node.upper, points[order_[k]]);
    }
  }
}

double PointBoxes::highest(std::span<const Vec3> points, const Vec3& n,
                           std::int64_t* looked) const {
  double best = -kInfinity;
  if (nodes_.empty()) return best;
  struct Entry {
    double bound;
    std::size_t node;
  };
  const auto bounded = [&](std::size_t i) {
    const Node& node = nodes_[i];
    const Vec3 corner{n.x > 0.0 ? node.upper.x : node.lower.x,
                      n.y > 0.0 ? node.upper.y : node.lower.y,
                      n.z > 0.0 ? node.upper.z : node.lower.z};
    return Entry{dot(n, corner), i};
  };
  Entry stack[kStack];
  int size = 0;
  stack[size++] = bounded(0);
  while (size > 0) {
    const Entry entry = stack[--size];
    if (!(entry.bound > best)) continue;
    const Node& node = nodes_[entry.node];
    if (looked != nullptr) ++*looked;
    if (node.count == 1) {
      const std::size_t first = std::size_t{kBlock} * node.first;
      for (std::size_t k = first; k < std::min(first + kBlock, order_.size()); ++k)
        best = std::max(best, dot(n, points[order_[k]]));
      continue;
    }
    Entry high = bounded(entry.node + 1);
    Entry low = bounded(entry.node + 2 * std::size_t{node.count / 2});
    if (high.bound < low.bound) std::swap(high, low);
    stack[size++] = low;
    stack[size++] = high;
  }
  return best;
}

}  // namespace tactus::detail
