#include "tactus/ccd/box_tree.hpp"

#include <algorithm>

namespace tactus::detail {
namespace {

constexpr std::uint32_t kLeaf = 12;

}  // namespace

BoxTree::BoxTree(std::span<const SweptBox> boxes) {
  if (boxes.empty()) return;
  std::vector<Item> items(boxes.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = {boxes[i].lower + boxes[i].upper, i};
  nodes_.reserve(boxes.size());
  build(boxes, items, 0);
  order_.reserve(boxes.size());
  boxes_.reserve(boxes.size());
  for (const Item& item : items) {
    order_.push_back(item.number);
    boxes_.emplace_back(boxes[item.number]);
  }
}

void BoxTree::build(std::span<const SweptBox> boxes, std::span<Item> items, std::uint32_t first) {
  const std::size_t place = nodes_.size();
  const auto count = static_cast<std::uint32_t>(items.size());
  nodes_.push_back({BoxSides(boxes[items[0].number]), first, count, first + count});
  if (count <= kLeaf) {
    // `nth_element` leaves an order within the halves that differs between standard libraries.
    std::sort(items.begin(), items.end(),
              [](const Item& x, const Item& y) { return x.number < y.number; });
    for (const Item& item : items) nodes_[place].box.add(BoxSides(boxes[item.number]));
    leaves_.push_back(static_cast<std::uint32_t>(place));
    return;
  }
  SweptBox middles{items[0].middle, items[0].middle};
  for (const Item& item : items) middles.add(item.middle);
  const Vec3 sides = middles.upper - middles.lower;
  const int axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : (sides.y >= sides.z ? 1 : 2);
  const std::uint32_t half = count / 2;
  std::nth_element(items.begin(), items.begin() + half, items.end(),
                   [axis](const Item& x, const Item& y) {
                     const double at_x = x.middle[axis], at_y = y.middle[axis];
                     return at_x != at_y ? at_x < at_y : x.number < y.number;
                   });
  build(boxes, items.first(half), first);
  const std::size_t second = nodes_.size();
  build(boxes, items.subspan(half), first + half);
  nodes_[place].box = nodes_[place + 1].box;
  nodes_[place].box.add(nodes_[second].box);
  nodes_[place].first = static_cast<std::uint32_t>(second);
  nodes_[place].count = 0;
}

}  // namespace tactus::detail
