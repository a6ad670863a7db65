#include "tactus/planar/depth/deep_inside.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {
namespace {

constexpr std::size_t kFewEdges = 128;

}  // namespace

DeepInside::DeepInside(const Boundary& boundary) : boundary_(boundary), box_(boundary.tree.box()) {
  if (boundary.size() <= kFewEdges) cut_into_strips();
}

std::size_t DeepInside::strip_of(double y) const {
  const double place = (y - box_.low.y) * per_height_;
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(strips_ - 1)));
}

// Rounding puts no point into another strip than an edge at its height.
void DeepInside::cut_into_strips() {
  strips_ = boundary_.size();
  per_height_ = static_cast<double>(strips_) / (box_.high.y - box_.low.y);
  if (!std::isfinite(per_height_)) return;
  first_.assign(strips_ + 1, 0);
  const auto each = [&](const auto& take) {
    for (std::size_t i = 0; i < boundary_.size(); ++i) {
      const double y = boundary_.start(i).y, z = boundary_.end(i).y;
      const std::size_t last = strip_of(std::fmax(y, z));
      for (std::size_t k = strip_of(std::fmin(y, z)); k <= last; ++k) take(i, k);
    }
  };
  each([&](std::size_t, std::size_t strip) { ++first_[strip + 1]; });
  for (std::size_t k = 0; k < strips_; ++k) first_[k + 1] += first_[k];
  rows_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each([&](std::size_t i, std::size_t strip) {
    const Vec2 &p = boundary_.start(i), &q = boundary_.end(i), u = q - p;
    rows_[next[strip]++] = {p,
                            u,
                            std::fmin(p.y, q.y),
                            std::fmax(p.y, q.y),
                            std::fmin(p.x, q.x),
                            std::fmax(p.x, q.x),
                            std::fabs(u.x) + std::fabs(u.y)};
  });
}

bool DeepInside::holds(const Vec2& p, double margin) const {
  if (!(p.x > box_.low.x && p.x < box_.high.x && p.y > box_.low.y && p.y < box_.high.y))
    return false;
  if (rows_.empty()) return holds_by_tree(p, margin);
  const std::size_t strip = strip_of(p.y);
  if (strip_of(p.y - margin) != strip || strip_of(p.y + margin) != strip)
    return holds_by_tree(p, margin);
  return holds_in_strip(p, margin, strip);
}

bool DeepInside::holds_in_strip(const Vec2& p, double margin, std::size_t strip) const {
  bool inside = false;
  for (std::uint32_t k = first_[strip]; k < first_[strip + 1]; ++k) {
    const Row& e = rows_[k];
    const double side = e.way.x * (p.y - e.start.y) - e.way.y * (p.x - e.start.x);
    // Left of an edge upwards, right of one downwards: the ray to the right meets it. Where
    // rounding could turn the side, the edge is near.
    const bool level = e.low <= p.y && p.y < e.high;
    if (level && (side > 0.0) == (e.way.y > 0.0)) inside = !inside;
    if (std::fabs(side) <= margin * e.length && p.y >= e.low - margin && p.y <= e.high + margin &&
        p.x >= e.left - margin && p.x <= e.right + margin) {
      return false;
    }
  }
  return inside;
}

bool DeepInside::holds_by_tree(const Vec2& p, double margin) const {
  Box2 box = box_of(p, p);
  box.low = box.low - Vec2{margin, margin};
  box.high = box.high + Vec2{margin, margin};
  const bool is_near = boundary_.tree.visit(
      [&](const Box2& node) { return node.meets(box); },
      [&](std::size_t i) {
        return norm(foot_on(p, boundary_.start(i), boundary_.end(i)) - p) <= margin;
      });
  return !is_near && location(p, boundary_, {}) > 0;
}

}  // namespace tactus::detail
