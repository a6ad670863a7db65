#include "tactus/planar/region/nearest_in_run.hpp"

#include <algorithm>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

constexpr std::size_t kFew = 16, kLeaf = 4;

double far_from(const Vec2& p, const Vec2& from, const Vec2& to) {
  return norm(foot_on(p, from, to) - p);
}

}  // namespace

void NearestInRun::prepare() {
  leaves_ = 0;
  if (edges_.size() <= kFew) return;
  for (leaves_ = 1; leaves_ * kLeaf < edges_.size();) leaves_ *= 2;
  chords_.assign(2 * leaves_ - 1, Chord{});
  const double slack = kPlanarDistanceError * most_;
  for (std::size_t k = 2 * leaves_ - 1; k-- > 0;) {
    Chord& chord = chords_[k];
    chord.off = -1.0;  // of no edges
    const auto cover = [&](const Vec2& from, const Vec2& to, double off) {
      off += std::max(far_from(from, chord.from, chord.to), far_from(to, chord.from, chord.to));
      chord.off = std::max(chord.off, off + slack);
    };
    if (k >= leaves_ - 1) {
      const std::size_t first = (k - (leaves_ - 1)) * kLeaf;
      const std::size_t end = std::min(first + kLeaf, edges_.size());
      if (first >= end) continue;
      chord.from = edges_[first].from;
      chord.to = edges_[end - 1].to;
      for (std::size_t i = first; i < end; ++i) cover(edges_[i].from, edges_[i].to, 0.0);
      continue;
    }
    const Chord &left = chords_[2 * k + 1], &right = chords_[2 * k + 2];
    if (left.off < 0.0) continue;
    chord.from = left.from;
    chord.to = right.off < 0.0 ? left.to : right.to;
    cover(left.from, left.to, left.off);
    if (right.off >= 0.0) cover(right.from, right.to, right.off);
  }
}

// Not more than the squared distance of any of its edges, as it is computed.
double NearestInRun::bound(std::size_t node, const Vec2& p, double slack) const {
  const Chord& chord = chords_[node];
  if (chord.off < 0.0) return kInfinity;
  const double far = far_from(p, chord.from, chord.to) - chord.off - slack;
  return far > 0.0 ? far * far * (1.0 - 8.0 * kUnit) : 0.0;
}

Foot NearestInRun::operator()(const Vec2& p) {
  Foot best;
  std::size_t place = 0;
  const auto improve = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const Edge& e = edges_[i];
      const Vec2 foot = foot_on(p, e.from, e.to);
      const double d = dot(foot - p, foot - p);
      if (!(d < best.squared || (d == best.squared && i < place))) continue;
      best = {d, foot, e.number};
      place = i;
    }
    work_ += end - first;
  };
  if (leaves_ == 0) {
    improve(0, edges_.size());
    return best;
  }
  const double slack = kPlanarDistanceError * std::max(most_, largest(p));
  struct Entry {
    std::size_t node;
    double bound;
  };
  // Each level leaves one behind.
  Entry stack[64];
  int size = 0;
  stack[size++] = {0, 0.0};
  while (size > 0) {
    const Entry top = stack[--size];
    // A node that is only as near as `best` stays: its edge may come before that one.
    if (top.bound > best.squared) continue;
    if (top.node >= leaves_ - 1) {
      const std::size_t first = (top.node - (leaves_ - 1)) * kLeaf;
      improve(first, std::min(first + kLeaf, edges_.size()));
      continue;
    }
    const std::size_t left = 2 * top.node + 1;
    Entry near{left, bound(left, p, slack)}, far{left + 1, bound(left + 1, p, slack)};
    if (far.bound < near.bound) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
    work_ += 2;
  }
  return best;
}

}  // namespace tactus::detail
