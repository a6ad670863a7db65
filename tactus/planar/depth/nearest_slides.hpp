#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tactus/planar/depth/exact_place.hpp"
#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {

/// The slides of two regions, nearest first: every convex corner of one along every edge of the
/// other whose direction is between those of the corner's edges. Branch and bound over runs of
/// consecutive edges and corners, by their boxes and by the arcs of their directions, so that what
/// is never asked for is never made. Cost of the first k: O((n + k) log n) where few runs are as
/// near and as parallel as they are.
class NearestSlides {
 public:
  /// B is moved by `shift`; distances of slides are known to `slack`.
  NearestSlides(const Boundary& a, const Boundary& b, const Vec2& shift, double slack);

  /// The next one by distance, then edges of A first, then edge, then corner; none after the last.
  std::optional<Slide> next();
  /// Pairs of an edge and a corner, or of runs of them, that have been looked at.
  std::size_t work() const { return work_; }

 private:
  /// Directions, as numbers that grow from 0 to 4 with the angle: `width` of them from `from` on.
  struct Arc {
    double from = 0.0, width = -1.0;  ///< negative: none
    bool empty() const { return width < 0.0; }
    void add(const Arc& other);
    bool meets(const Arc& other) const;
  };
  struct Run {
    Box2 edges, corners;
    Arc edge_arc, corner_arc;
  };
  /// Runs of a boundary as a complete binary tree.
  struct Runs {
    explicit Runs(const Boundary& boundary);
    bool is_leaf(std::size_t node) const { return node >= leaves - 1; }

    const Boundary* boundary;
    std::size_t leaves = 1;
    std::vector<Run> run;
    std::vector<bool> convex;  ///< of each corner
  };
  struct Pair {
    double bound;
    std::uint32_t edges, corners;  ///< nodes
    bool edge_of_a;
  };

  static Arc direction(const Vec2& v);
  static Arc arc_at(const Vec2& before, const Vec2& corner, const Vec2& after);
  void add_pair(std::size_t edges, std::size_t corners, bool edge_of_a);
  void open_nearest();
  void add_slides(const Pair& pair);
  void add_slide(std::uint32_t i, std::uint32_t j, bool edge_of_a);

  Runs a_, b_;
  Vec2 shift_;
  double slack_;
  std::vector<Pair> pairs_;    ///< a heap, the nearest on top
  std::vector<Slide> slides_;  ///< a heap, the next one on top
  std::size_t work_ = 0;
};

/// The distance of a segment from the origin, and its place there.
double distance_to(const Vec2& from, const Vec2& to, Vec2& nearest);

}  // namespace tactus::detail
