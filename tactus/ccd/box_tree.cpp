#include "tactus/ccd/box_tree.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tactus::detail {
namespace {

constexpr std::uint32_t kLeaf = 4;

}  // namespace

BoxTree::BoxTree(std::span<const SweptBox> boxes) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  if (boxes.empty()) return;
  nodes_.reserve(boxes.size());
  build(boxes, 0, static_cast<std::uint32_t>(boxes.size()));
  boxes_.reserve(boxes.size());
  for (const std::uint32_t i : order_) boxes_.push_back(boxes[i]);
}

void BoxTree::build(std::span<const SweptBox> boxes, std::uint32_t first, std::uint32_t last) {
  SweptBox whole = boxes[order_[first]];
  for (std::uint32_t i = first + 1; i < last; ++i) {
    whole.lower = component_min(whole.lower, boxes[order_[i]].lower);
    whole.upper = component_max(whole.upper, boxes[order_[i]].upper);
  }
  const std::size_t place = nodes_.size();
  nodes_.push_back({whole, first, last - first, last});
  if (last - first <= kLeaf) {
    // `nth_element` leaves an order within the halves that differs between standard libraries.
    std::sort(order_.begin() + first, order_.begin() + last);
    leaves_.push_back(static_cast<std::uint32_t>(place));
    return;
  }
  const Vec3 sides = whole.upper - whole.lower;
  const int axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : (sides.y >= sides.z ? 1 : 2);
  const std::uint32_t middle = first + (last - first) / 2;
  const auto key = [&](std::uint32_t i) {
    return std::tuple(boxes[i].lower[axis] + boxes[i].upper[axis], i);
  };
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                   [&](std::uint32_t i, std::uint32_t j) { return key(i) < key(j); });
  build(boxes, first, middle);
  nodes_[place].first = static_cast<std::uint32_t>(nodes_.size());
  nodes_[place].count = 0;
  build(boxes, middle, last);
}

}  // namespace tactus::detail
