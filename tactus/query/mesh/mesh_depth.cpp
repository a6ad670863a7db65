#include "tactus/query/mesh/mesh_depth.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/bvh/point_query.hpp"
#include "tactus/query/mesh/way_out.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A translation is this many roundings longer than its length says, so that the gap that it leaves
// is seen.
constexpr double kClear = 8.0;
// The deepest triangles whose directions are tried.
constexpr std::size_t kDeepest = 8;
// Triangles that meet after a shift, beyond which it is given up.
constexpr std::size_t kMostMeeting = 512;

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
      : pair_(pair), all_(all), options_(options), rounding_(pair.rounding()) {
    for (const TriangleAnswer& t : near) {
      if (t.answer.lower - rounding_ > 0.0) continue;
      near_.push_back(t);
      meeting_.push_back(t.triangle);
    }
    std::sort(meeting_.begin(), meeting_.end());
    deepest_ = deepest_of(near_);
  }

  MeshDepth run(double width) {
    bound_from_below();
    const double clear = kClear * rounding_;
    const WayOut way = find_way_out(
        directions_,
        [this](const Vec3& n) { return pair_.mesh_support(n) + pair_.body_support(-n); },
        [this](const Vec3& n) { return beyond_meeting(n); },
        [this](const Vec3& shift, const Vec3& n) { return meets_at(shift, n); }, clear,
        out_.least + std::max(kClear * clear, width));
    // Bodies that are apart already are not pushed.
    out_.most = way.length < 0.0 ? way.length - clear : way.length;
    out_.n = way.n;
    out_.least = std::min(out_.least, out_.most);
    take_points(clear);
    return out_;
  }

 private:
  void bound_from_below() {
    for (const TriangleAnswer& t : deepest_) {
      // What separates the bodies separates each triangle.
      out_.least = std::max(out_.least, -t.answer.upper - rounding_);
      directions_.add(t.answer.n);
    }
    for (const TriangleAnswer& t : deepest_) directions_.add_normal(pair_.triangle(t.triangle));
    const Core& core = pair_.body().core();
    hold(pair_.rotation() * core.center, inner_radius(core));
    if (core.kind == CoreKind::segment) {
      for (const double end : {core.half.z, -core.half.z})
        hold(pair_.rotation().column(2) * end, core.radius);
    }
    const int seen = directions_.count;
    for (int i = 0; i < seen; ++i) hold(pair_.body_point(-directions_.n[i]), 0.0);
    for (int i = 0; i < 3; ++i) directions_.add_both(pair_.rotation().column(i));
    if (!deepest_.empty()) out_.triangle_a = deepest_.front().triangle;
  }

  // A ball inside the body must leave by its centre's distance from the surface and its radius.
  void hold(const Vec3& from_body, double radius) {
    const Mesh& mesh = pair_.mesh();
    const Vec3 point = pair_.origin() + from_body;
    if (!mesh.holds(point)) return;
    const bvh::SurfacePoint s = bvh::nearest_point(detail::view_of(mesh), point);
    out_.least = std::max(out_.least, s.distance + radius - 4.0 * rounding_);
    directions_.add(s.point - point);
    if (out_.triangle_a == bvh::MeshPairCache::kNone) out_.triangle_a = s.triangle;
    directions_.add_normal(pair_.triangle(s.triangle));
  }

  double beyond_meeting(const Vec3& n) const {
    if (!all_ || near_.empty()) return kInfinity;
    double high = -kInfinity;
    for (const TriangleAnswer& t : near_)
      high = std::max(high, high_of(pair_.triangle(t.triangle), n));
    return high + pair_.body_support(-n);
  }

  double meets_at(const Vec3& shift, const Vec3& n) const {
    const MeshAndBody there = pair_.moved(shift);
    std::vector<TriangleAnswer> meeting;
    MeshAndBody::Options options = search_options(options_);
    options.near = &meeting;
    options.within = rounding_;
    options.most = kMostMeeting;
    // Those that met at first lie beyond the plane that the body has reached.
    options.apart = meeting_;
    options.max_distance = 0.0;
    if (!there.search(options).all_listed) return kInfinity;
    double more = 0.0;
    for (const TriangleAnswer& t : meeting) {
      if (t.answer.lower - rounding_ > 0.0) continue;
      more = std::max(more,
                      high_of(there.triangle(t.triangle), n) + there.body_support(-n) + rounding_);
    }
    if (more > 0.0) return more;
    return there.holds_center() ? kInfinity : 0.0;
  }

  // Those of a triangle whose own way out is the whole one, else of the body's end.
  void take_points(double clear) {
    for (const TriangleAnswer& t : deepest_) {
      const ConvexAnswer& a = t.answer;
      if (norm((a.point_a - a.point_b) - out_.n * out_.most) > 4.0 * clear) continue;
      out_.point_a = a.point_a;
      out_.point_b = a.point_b;
      out_.triangle_a = t.triangle;
      return;
    }
    out_.point_b = pair_.body_point(-out_.n);
    out_.point_a = out_.point_b + out_.n * out_.most;
  }

  const MeshAndBody& pair_;
  bool all_;
  const QueryOptions& options_;
  double rounding_;
  std::vector<TriangleAnswer> near_, deepest_;
  std::vector<std::uint32_t> meeting_;
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

MeshDepth mesh_depth(const MeshAndBody& pair, std::span<const TriangleAnswer> near, bool all,
                     double width, const QueryOptions& options) {
  return DepthSearch(pair, near, all, options).run(width);
}

}  // namespace tactus::detail
