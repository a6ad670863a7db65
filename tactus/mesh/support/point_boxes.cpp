#include "tactus/mesh/support/point_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
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
  nodes_[0] = {{}, {}, 0, blocks, 0};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::uint32_t first = nodes_[i].first, count = nodes_[i].count;
    if (count == 1) continue;
    const std::uint32_t left = count / 2;
    nodes_[i + 1] = {{}, {}, first, left, 0};
    nodes_[i + 2 * std::size_t{left}] = {{}, {}, first + left, count - left, 0};
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.count > 1) {
      const Node &left = nodes_[i + 1], &right = nodes_[i + 2 * std::size_t{node.count / 2}];
      node.lower = component_min(left.lower, right.lower);
      node.upper = component_max(left.upper, right.upper);
      node.lowest = std::min(left.lowest, right.lowest);
      continue;
    }
    node.lower = {kInfinity, kInfinity, kInfinity};
    node.upper = -node.lower;
    const std::size_t first = std::size_t{kBlock} * node.first;
    node.lowest = order_[first];
    for (std::size_t k = first; k < std::min(first + kBlock, order_.size()); ++k) {
      node.lowest = std::min(node.lowest, order_[k]);
      node.lower = component_min(node.lower, points[order_[k]]);
      node.upper = component_max(node.upper, points[order_[k]]);
    }
  }
}

PointBoxes::Bounded PointBoxes::bounded(std::size_t node, const Vec3& n) const {
  const Vec3 &lower = nodes_[node].lower, &upper = nodes_[node].upper;
  const Vec3 corner{n.x > 0.0 ? upper.x : lower.x, n.y > 0.0 ? upper.y : lower.y,
                    n.z > 0.0 ? upper.z : lower.z};
  return {dot(n, corner), node};
}

// The higher half first; of equal ones that with the lowest point.
template <class Skip, class Take>
void PointBoxes::walk(const Vec3& n, const Skip& skip, const Take& take) const {
  Bounded stack[kStack];
  int size = 0;
  stack[size++] = bounded(0, n);
  while (size > 0) {
    const Bounded entry = stack[--size];
    const Node& node = nodes_[entry.node];
    if (skip(entry.bound, node.lowest)) continue;
    if (node.count == 1) {
      const std::size_t first = std::size_t{kBlock} * node.first;
      for (std::size_t k = first; k < std::min(first + kBlock, order_.size()); ++k) take(order_[k]);
      continue;
    }
    Bounded high = bounded(entry.node + 1, n);
    Bounded low = bounded(entry.node + 2 * std::size_t{node.count / 2}, n);
    if (high.bound < low.bound ||
        (high.bound == low.bound && nodes_[low.node].lowest < nodes_[high.node].lowest))
      std::swap(high, low);
    stack[size++] = low;
    stack[size++] = high;
  }
}

double PointBoxes::highest(std::span<const Vec3> points, const Vec3& n,
                           std::int64_t* looked) const {
  double best = -kInfinity;
  if (nodes_.empty()) return best;
  const auto skip = [&](double bound, std::uint32_t) {
    if (!(bound > best)) return true;
    if (looked != nullptr) ++*looked;
    return false;
  };
  walk(n, skip, [&](std::uint32_t i) { best = std::max(best, dot(n, points[i])); });
  return best;
}

std::uint32_t PointBoxes::farthest(std::span<const Vec3> points, const Vec3& n) const {
  double best = -kInfinity;
  std::uint32_t found = order_.front();
  const auto skip = [&](double bound, std::uint32_t lowest) {
    return !(bound > best || (bound == best && lowest < found));
  };
  walk(n, skip, [&](std::uint32_t i) {
    const double value = dot(n, points[i]);
    if (value > best || (value == best && i < found)) {
      best = value;
      found = i;
    }
  });
  return found;
}

std::vector<std::uint32_t> order_by_place(std::span<const Vec3> points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::span<std::uint32_t>> waiting = {order};
  while (!waiting.empty()) {
    const std::span<std::uint32_t> part = waiting.back();
    waiting.pop_back();
    if (part.size() <= kBlock) continue;
    Vec3 low = points[part[0]], high = low;
    for (const std::uint32_t i : part) {
      low = component_min(low, points[i]);
      high = component_max(high, points[i]);
    }
    const Vec3 side = high - low;
    const int axis = side.x >= side.y && side.x >= side.z ? 0 : (side.y >= side.z ? 1 : 2);
    // Whole blocks on the left, as in the tree.
    const std::size_t middle = (part.size() + kBlock - 1) / kBlock / 2 * kBlock;
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(middle), part.end(),
                     [&](std::uint32_t i, std::uint32_t j) {
                       const double x = points[i][axis], y = points[j][axis];
                       return x != y ? x < y : i < j;
                     });
    waiting.push_back(part.first(middle));
    waiting.push_back(part.subspan(middle));
  }
  return order;
}

}  // namespace tactus::detail
