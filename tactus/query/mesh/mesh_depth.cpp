#include "tactus/query/mesh/mesh_depth.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/bvh/point_query.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/query/mesh/blocked_shifts.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// The deepest triangles whose directions are tried.
constexpr std::size_t kDeepest = 8;

/// Radius of a ball about the core's centre inside the body.
double inner_radius(const Core& core) {
  const double ball = core.radius - core.shrink;
  switch (core.kind) {
    case CoreKind::box:
    case CoreKind::ellipsoid:
    case CoreKind::cylinder:
      return std::min({core.half.x, core.half.y, core.half.z}) + ball;
    default:
      return ball;
  }
}

std::vector<TriangleAnswer> deepest_of(std::span<const TriangleAnswer> near) {
  std::vector<TriangleAnswer> deepest(near.begin(), near.end());
  const std::size_t count = std::min(deepest.size(), kDeepest);
  std::partial_sort(deepest.begin(), deepest.begin() + static_cast<std::ptrdiff_t>(count),
                    deepest.end(), [](const TriangleAnswer& x, const TriangleAnswer& y) {
                      return x.answer.distance != y.answer.distance
                                 ? x.answer.distance < y.answer.distance
                                 : x.triangle < y.triangle;
                    });
  deepest.resize(count);
  return deepest;
}

/// The search for one pair.
class DepthSearch {
 public:
  DepthSearch(const MeshAndBody& pair, std::span<const TriangleAnswer> near, bool all,
              const QueryOptions& options)
      : pair_(pair),
        options_(options),
        rounding_(pair.rounding()),
        clear_(kClearOfTouch * rounding_),
        near_(near.begin(), near.end()),
        blocked_(pair, all ? std::span<const TriangleAnswer>(near_) : std::span<TriangleAnswer>(),
                 search_options(options)) {
    std::vector<TriangleAnswer> meeting;
    for (const TriangleAnswer& t : near_) {
      if (t.answer.lower - rounding_ <= 0.0) meeting.push_back(t);
    }
    deepest_ = deepest_of(meeting);
  }

  MeshDepth run(const DepthEffort& effort) {
    bound_from_below();
    if (!find_way(blocked_, pair_.surely_out(), deepest_n(), rounding_, effort, out_))
      go_beyond_all();
    out_.least = std::min(out_.least, out_.most);
    take_points();
    return out_;
  }

 private:
  Vec3 deepest_n() const {
    return deepest_.empty() ? Vec3{0.0, 0.0, 1.0} : deepest_.front().answer.n;
  }

  void bound_from_below() {
    for (const TriangleAnswer& t : deepest_) {
      // A translation that separates the bodies separates each triangle from the body.
      out_.least = std::max(out_.least, -t.answer.upper - rounding_);
      directions_.add(t.answer.n);
    }
    for (const TriangleAnswer& t : deepest_) directions_.add_normal(pair_.triangle(t.triangle));
    const Core& core = core_of(pair_.body());
    hold(pair_.rotation() * core.center, inner_radius(core));
    if (core.kind == CoreKind::segment) {
      for (const double end : {core.half.z, -core.half.z})
        hold(pair_.rotation().column(2) * end, core.radius);
    }
    const int seen = directions_.count;
    for (int i = 0; i < seen; ++i) hold(pair_.body_point(-directions_.n[i]), 0.0);
    for (int i = 0; i < 3; ++i) directions_.add_both(pair_.rotation().column(i));
  }

  // A ball inside the body must leave by its centre's distance from the surface and its radius.
  void hold(const Vec3& from_body, double radius) {
    const Mesh& mesh = pair_.mesh();
    const Vec3 point = pair_.origin() + from_body;
    if (!mesh.holds(point)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(detail::view_of(mesh), point);
    out_.least = std::max(out_.least, s.distance + radius - 4.0 * rounding_);
    directions_.add(s.point - point);
    directions_.add_normal(pair_.triangle(s.triangle));
  }

  // Beyond the whole mesh, along the best of the directions seen.
  void go_beyond_all() {
    for (int i = 0; i < directions_.count; ++i) {
      const Vec3& n = directions_.n[i];
      go_beyond(n, pair_.mesh_support(n) + pair_.body_support(-n), rounding_, out_);
    }
  }

  // Where the bodies touch after the translation: a point of the body, and the place of the surface
  // that it then comes to.
  void take_points() {
    const Vec3 way = out_.n * std::max(out_.most, clear_);
    const MeshAndBody there = pair_.moved(way);
    MeshAndBody::Options options;
    options.max_visits = most_visits(options_.max_iterations);
    const MeshSearchResult found = there.search(options);
    out_.point_b = found.nearest.answer.point_b;
    const Vec3 arrived = out_.point_b + out_.n * out_.length;
    const TriangleDistance foot =
        point_to_triangle(arrived, pair_.triangle(found.nearest.triangle));
    const bool there_it_is = foot.distance <= 2.0 * clear_;
    out_.point_a = there_it_is ? foot.b : arrived;
    if (there_it_is) out_.triangle_a = found.nearest.triangle;
  }

  const MeshAndBody& pair_;
  const QueryOptions& options_;
  double rounding_, clear_;
  std::vector<TriangleAnswer> near_, deepest_;
  ShiftsOfBody blocked_;
  Directions directions_;
  MeshDepth out_;
};

}  // namespace

MeshAndBody::Options search_options(const QueryOptions& options) {
  MeshAndBody::Options search;
  search.leaf.tolerance = options.tolerance;
  search.leaf.max_iterations = options.max_iterations;
  search.max_visits = most_visits(options.max_iterations);
  return search;
}

bool find_way(BlockedShifts& blocked, const Vec3& far, const Vec3& across, double rounding,
              const DepthEffort& effort, MeshDepth& out) {
  ShortestWayOptions search;
  search.clear = kClearOfTouch * rounding;
  search.known = norm(far) + search.clear;
  search.least = out.least;
  search.width = std::max(kClearOfTouch * search.clear, effort.width);
  search.rounding = rounding;
  search.max_nodes = effort.max_nodes;
  const ShortestWay way = shortest_way(blocked, search);
  // No translation is shorter than 0, also of bodies that may be apart.
  if (way.least > 0.0) out.least = std::max(out.least, way.least);
  out.most = way.most;
  out.length = norm(way.found ? way.touching : far);
  out.n = normalized(way.found ? way.way : far, across);
  return way.found && out.most - out.least <= search.width;
}

void go_beyond(const Vec3& n, double length, double rounding, MeshDepth& out) {
  const double clear = kClearOfTouch * rounding;
  if (!(length + clear < out.most)) return;
  out.most = length + (length < 0.0 ? 0.0 : clear);
  out.length = length;
  out.n = n;
}

MeshDepth mesh_depth(const MeshAndBody& pair, std::span<const TriangleAnswer> near, bool all,
                     const DepthEffort& effort, const QueryOptions& options) {
  return DepthSearch(pair, near, all, options).run(effort);
}

}  // namespace tactus::detail
