#pragma once

#include <vector>

#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {

/// The place nearest to a point on some edges of a boundary, of places as near the one whose edge
/// comes first. A short run is walked through; a longer one has a tree of chords, each with the
/// most that its edges are off it. Along a curve that is quadratic in the chord's length, so that a
/// point before it meets a few chords per level; boxes of slanting edges would leave the square
/// root of all. Keeps its room.
class NearestInRun {
 public:
  void begin() {
    edges_.clear();
    most_ = 0.0;
  }
  void add(const Vec2& from, const Vec2& to, std::uint32_t edge) {
    edges_.push_back({from, to, edge});
    most_ = std::max(most_, std::max(largest(from), largest(to)));
  }
  /// After all edges are added.
  void prepare();

  /// None of an empty run: an infinite distance. Cost: O(log n) for edges that follow each other.
  Foot operator()(const Vec2& p);
  /// Edges and chords that have been asked since it was made.
  std::size_t work() const { return work_; }

 private:
  struct Edge {
    Vec2 from, to;
    std::uint32_t number;
  };
  struct Chord {
    Vec2 from, to;
    double off = 0.0;
  };

  double bound(std::size_t node, const Vec2& p, double slack) const;

  std::vector<Edge> edges_;
  double most_ = 0.0;          ///< their largest coordinate
  std::size_t leaves_ = 0;     ///< of the tree, a power of two; none of a short run
  std::vector<Chord> chords_;  ///< children of k: 2 k + 1 and 2 k + 2
  std::size_t work_ = 0;
};

}  // namespace tactus::detail
