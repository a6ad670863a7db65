#include "tactus/planar/depth/box_index.hpp"

#include <algorithm>

namespace tactus::detail {

std::uint32_t BoxIndex::child_for(std::uint32_t square, const Box2& box) {
  const Square parent = squares_[square];
  const double half = 0.5 * parent.half;
  if (!(std::max(box.high.x - box.low.x, box.high.y - box.low.y) <= parent.half)) return kNone;
  const Vec2 middle = (box.low + box.high) * 0.5;
  const bool right = middle.x > parent.middle.x, up = middle.y > parent.middle.y;
  const std::size_t which = (right ? 1U : 0U) + (up ? 2U : 0U);
  if (parent.children[which] != kNone) return parent.children[which];
  const Vec2 way{right ? half : -half, up ? half : -half};
  const auto made = static_cast<std::uint32_t>(squares_.size());
  squares_.push_back({parent.middle + way, half, parent.level + 1});
  squares_[square].children[which] = made;
  return made;
}

void BoxIndex::cut(std::uint32_t square) {
  squares_[square].is_cut = true;
  std::uint32_t k = squares_[square].first;
  squares_[square].first = kNone;
  while (k != kNone) {
    const std::uint32_t after = boxes_[k].next, child = child_for(square, boxes_[k].box);
    Square& to = squares_[child == kNone ? square : child];
    boxes_[k].next = to.first;
    to.first = k;
    ++to.count;
    k = after;
  }
}

void BoxIndex::add(const Box2& box) {
  std::uint32_t square = 0;
  while (squares_[square].is_cut) {
    const std::uint32_t child = child_for(square, box);
    if (child == kNone) break;
    square = child;
  }
  Square& to = squares_[square];
  boxes_.push_back({box, to.first});
  to.first = static_cast<std::uint32_t>(boxes_.size() - 1);
  ++to.count;
  if (!to.is_cut && to.count > kFew && to.level + 1 < kLevels) cut(square);
}

}  // namespace tactus::detail
