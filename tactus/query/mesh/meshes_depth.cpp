#include "tactus/query/mesh/meshes_depth.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/bvh/mesh_overlap.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/core/cancellation.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/query/mesh/blocked_shifts.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Rounding of a distance of points, relative to the lengths, with a large margin.
constexpr double kRounded = 1e-12;
// The deepest pairs of triangles and corners whose directions are tried.
constexpr std::size_t kDeepest = 8;
// Pairs of triangles, and corners, of which the depth is computed.
constexpr int kPairs = 512;

/// Triangles that meet, as flat bodies.
struct Crossing {
  ConvexAnswer answer;
  bvh::TrianglePair pair;
};

/// A corner inside the other body, which must leave it.
struct Corner {
  double depth;
  Vec3 way;  ///< of B, axes of A
  std::uint32_t triangle_a, triangle_b;
};

/// The search for one pair.
class DepthSearch {
 public:
  DepthSearch(const Mesh& a, const Mesh& b, const Pose& pose, const QueryOptions& options)
      : a_(a),
        b_(b),
        pose_(pose),
        visits_(most_visits(options.max_iterations)),
        rounding_(rounding_of(a, b, pose)),
        clear_(kClearOfTouch * rounding_),
        found_(
            bvh::meeting_triangles(detail::view_of(a), Pose(), detail::view_of(b), pose, visits_)),
        blocked_(a, b, pose, visits_) {
    convex_.tolerance = options.tolerance;
    convex_.max_iterations = options.max_iterations;
    // Corners that meet or are held may be apart by their rounding.
    out_.least = -rounding_;
    // Where there are very many pairs, only each `stride_`-th is computed.
    stride_ = found_.pairs.size() /
                  static_cast<std::size_t>(std::clamp(options.max_iterations, 1, kPairs)) +
              1;
  }

  MeshDepth run(const DepthEffort& effort) {
    cross_triangles();
    hold_corners();
    add_axes();
    if (!find_way(blocked_, surely_out(), {1.0, 0.0, 0.0}, rounding_, effort, out_))
      go_beyond_all();
    out_.least = std::min(out_.least, out_.most);
    take_points();
    return out_;
  }

 private:
  Triangle triangle_a(std::uint32_t t) const {
    const auto& c = a_.mesh().triangles[t];
    const auto& v = a_.mesh().vertices;
    return {{v[c[0]], v[c[1]], v[c[2]]}};
  }
  Triangle triangle_b(std::uint32_t t) const {
    const auto& c = b_.mesh().triangles[t];
    const auto& v = b_.mesh().vertices;
    return {{pose_.to_world(v[c[0]]), pose_.to_world(v[c[1]]), pose_.to_world(v[c[2]])}};
  }
  double low_of_b(const Vec3& n) const {
    return dot(n, pose_.position()) - farthest_vertex(b_, -pose_.direction_to_local(n), 0.0).value;
  }

  void cross_triangles() {
    Epa epa;
    for (std::size_t i = 0; i < found_.pairs.size(); i += stride_) {
      if (is_work_cancelled()) return;
      const bvh::TrianglePair& pair = found_.pairs[i];
      Triangle ta = triangle_a(pair.a), tb = triangle_b(pair.b);
      const Vec3 origin = ta.corner[0];
      for (int k = 0; k < 3; ++k) {
        ta.corner[k] -= origin;
        tb.corner[k] -= origin;
      }
      ConvexAnswer answer =
          search_pair(Cso(core_of(ta), Pose(), core_of(tb), Pose()), convex_, epa);
      answer.point_a += origin;
      answer.point_b += origin;
      crossings_.push_back({answer, pair});
    }
    std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& x, const Crossing& y) {
      return x.answer.distance != y.answer.distance ? x.answer.distance < y.answer.distance
                                                    : x.pair < y.pair;
    });
    if (crossings_.size() > kDeepest) crossings_.resize(kDeepest);
    for (const Crossing& c : crossings_) {
      out_.least = std::max(out_.least, -c.answer.upper - rounding_);
      directions_.add(c.answer.n);
      directions_.add_normal(triangle_a(c.pair.a));
      directions_.add_normal(triangle_b(c.pair.b));
    }
  }

  void hold_in_a(std::uint32_t vertex_of_b, std::uint32_t triangle) {
    const Vec3 p = pose_.to_world(b_.mesh().vertices[vertex_of_b]);
    if (!a_.holds(p)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(detail::view_of(a_), p);
    corners_.push_back({s.distance, s.point - p, s.triangle, triangle});
  }
  void hold_in_b(std::uint32_t vertex_of_a, std::uint32_t triangle) {
    const Vec3 p = pose_.to_local(a_.mesh().vertices[vertex_of_a]);
    if (!b_.holds(p)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(detail::view_of(b_), p);
    corners_.push_back({s.distance, pose_.direction_to_world(p - s.point), triangle, s.triangle});
  }

  void hold_corners() {
    for (const std::uint32_t v : b_.component_vertices()) hold_in_a(v, bvh::MeshPairCache::kNone);
    for (const std::uint32_t v : a_.component_vertices()) hold_in_b(v, bvh::MeshPairCache::kNone);
    for (std::size_t i = 0; i < found_.pairs.size(); i += stride_) {
      if (is_work_cancelled()) return;
      const bvh::TrianglePair& pair = found_.pairs[i];
      for (const std::uint32_t v : b_.mesh().triangles[pair.b]) hold_in_a(v, pair.b);
      for (const std::uint32_t v : a_.mesh().triangles[pair.a]) hold_in_b(v, pair.a);
    }
    std::sort(corners_.begin(), corners_.end(), [](const Corner& x, const Corner& y) {
      if (x.depth != y.depth) return x.depth > y.depth;
      return x.triangle_a != y.triangle_a ? x.triangle_a < y.triangle_a
                                          : x.triangle_b < y.triangle_b;
    });
    if (corners_.size() > kDeepest) corners_.resize(kDeepest);
    for (const Corner& c : corners_) {
      out_.least = std::max(out_.least, c.depth - 4.0 * rounding_);
      directions_.add(c.way);
    }
  }

  void add_axes() {
    directions_.add(pose_.to_world(detail::view_of(b_).tree.middle()) -
                    detail::view_of(a_).tree.middle());
    for (int i = 0; i < 3; ++i) {
      Vec3 axis;
      axis[i] = 1.0;
      directions_.add_both(axis);
      directions_.add_both(pose_.rotation().column(i));
    }
  }

  // The balls around both are apart after it.
  Vec3 surely_out() const {
    const auto &tree_a = view_of(a_).tree, &tree_b = view_of(b_).tree;
    const Vec3 between = pose_.to_world(tree_b.middle()) - tree_a.middle();
    const double length = tree_a.reach() + tree_b.reach() - norm(between);
    return normalized(between) * (std::max(length, 0.0) + rounding_);
  }

  // Beyond the whole mesh, along the best of the directions seen.
  void go_beyond_all() {
    for (int i = 0; i < directions_.count; ++i) {
      const Vec3& n = directions_.n[i];
      go_beyond(n, farthest_vertex(a_, n, 0.0).value - low_of_b(n), rounding_, out_);
    }
  }

  // Where the bodies touch after the translation.
  void take_points() {
    const Vec3 way = out_.n * std::max(out_.most, clear_);
    const Pose there = detail::unchecked_pose(pose_.position() + way, pose_.rotation());
    const bvh::MeshDistance found = bvh::mesh_distance(
        detail::view_of(a_), Pose(), detail::view_of(b_), there, {.max_tests = visits_});
    if (found.triangle_a == bvh::MeshPairCache::kNone) {
      out_.point_b = pose_.to_world(b_.mesh().vertices[0]);
      out_.point_a = out_.point_b + out_.n * out_.length;
      return;
    }
    out_.triangle_b = found.triangle_b;
    out_.point_b = found.point_b - way;
    const Vec3 arrived = out_.point_b + out_.n * out_.length;
    const TriangleDistance foot = point_to_triangle(arrived, triangle_a(found.triangle_a));
    const bool there_it_is = foot.distance <= 2.0 * clear_;
    out_.point_a = there_it_is ? foot.b : arrived;
    if (there_it_is) out_.triangle_a = found.triangle_a;
  }

  const Mesh& a_;
  const Mesh& b_;
  const Pose& pose_;
  std::int64_t visits_;
  double rounding_, clear_;
  bvh::MeetingTriangles found_;
  ShiftsOfMesh blocked_;
  ConvexOptions convex_;
  std::size_t stride_ = 1;
  std::vector<Crossing> crossings_;  ///< the deepest
  std::vector<Corner> corners_;      ///< the deepest
  Directions directions_;
  MeshDepth out_;
};

}  // namespace

std::optional<HeldPoint> held_point(const Mesh& a, const Mesh& b, const Pose& pose) {
  const auto &tree_a = view_of(a).tree, &tree_b = view_of(b).tree;
  const Vec3 middle_b = pose.to_world(tree_b.middle());
  const double lengths = norm(tree_a.middle()) + norm(tree_b.middle()) + norm(pose.position()) +
                         tree_a.reach() + tree_b.reach();
  const double reach_a = tree_a.reach() + kRounded * lengths;
  const double reach_b = tree_b.reach() + kRounded * lengths;
  // Outside of the ball around a body, nothing lies inside of it.
  if (norm(middle_b - tree_a.middle()) > reach_a + reach_b) return std::nullopt;
  for (const std::uint32_t i : b.component_vertices()) {
    const Vec3 p = pose.to_world(b.mesh().vertices[i]);
    if (squared_norm(p - tree_a.middle()) <= reach_a * reach_a && a.holds(p))
      return HeldPoint{p, false};
  }
  for (const std::uint32_t i : a.component_vertices()) {
    const Vec3& p = a.mesh().vertices[i];
    if (squared_norm(p - middle_b) <= reach_b * reach_b && b.holds(pose.to_local(p)))
      return HeldPoint{p, true};
  }
  return std::nullopt;
}

MeshDepth meshes_depth(const Mesh& a, const Mesh& b, const Pose& pose, const DepthEffort& effort,
                       const QueryOptions& options) {
  return DepthSearch(a, b, pose, options).run(effort);
}

}  // namespace tactus::detail
