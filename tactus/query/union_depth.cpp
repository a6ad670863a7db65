#include "tactus/query/union_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/query/blocked_parts.hpp"
#include "tactus/query/compound.hpp"
#include "tactus/query/mesh/certify_cover.hpp"
#include "tactus/query/mesh/mesh_depth.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Nodes of the search for the shortest way.
constexpr int kMostNodes = 1000;
// Normals of half-spaces whose sum is tried as a way out of all of them.
constexpr std::size_t kMostPlanes = 64;

double rounding_of(const Placed& a, const Placed& b) {
  return kPartPlacing * (length_of(a.shape) + length_of(b.shape) + norm(b.pose.position()));
}

/// The search for one pair.
class UnionSearch {
 public:
  UnionSearch(const PairContext& pair, const DistanceResult& deepest)
      : pair_(pair),
        deepest_(deepest),
        a_(pair.a),
        b_(pair.b),
        rounding_(rounding_of(pair.a, pair.b)) {}

  DistanceResult run() {
    find_far();
    if (!(out_.most < kInfinity)) return no_answer(Status::unsupported);
    const Vec3 far = out_.n * out_.length;
    const double reach = out_.most;
    MeshDepth found;
    found.least = std::max(-deepest_.upper, 0.0);
    ShiftsOfParts blocked(pair_.a, pair_.b, reach, rounding_, pair_.options);
    const DepthEffort effort{width(), std::clamp(pair_.options.max_iterations, 1, kMostNodes)};
    find_way(blocked, far, deepest_.normal, rounding_, effort, found);
    found.least = std::min(found.least, found.most);
    out_ = found;
    return result();
  }

 private:
  // A way out that surely frees the bodies: beyond all parts, along the best of some directions.
  void find_far() {
    directions_.add(deepest_.normal);
    Vec3 sum;
    add_planes(a_, 1.0, sum);
    add_planes(b_, -1.0, sum);
    directions_.add_both(pair_.b.pose.position());
    for (const Pose& pose : {pair_.a.pose, pair_.b.pose}) {
      for (int i = 0; i < 3; ++i) directions_.add_both(pose.rotation().column(i));
    }
    for (int i = 0; i < directions_.count; ++i)
      go_beyond(directions_.n[i], way_beyond(a_, b_, directions_.n[i]), rounding_, out_);
  }

  void add_planes(const PartTree& tree, double sense, Vec3& sum) {
    if (const HalfSpace* plane = tree.plane())
      directions_.add(tree.body.pose.direction_to_world(plane->normal()) * sense);
    if (tree.compound == nullptr) return;
    std::size_t count = 0;
    for (const Compound::Part& part : tree.compound->parts()) {
      const auto* half = std::get_if<HalfSpace>(&part.shape.geometry());
      if (half == nullptr || ++count > kMostPlanes) continue;
      const Vec3 n = (tree.body.pose * part.pose).direction_to_world(half->normal()) * sense;
      directions_.add(n);
      sum += n;
    }
    directions_.add(sum);
  }

  double width() const {
    const double size = std::max(extent(pair_.a.shape), extent(pair_.b.shape));
    const double least = kLeastWidth * rounding_;
    return std::isfinite(size) ? std::max(pair_.options.tolerance * size, least) : least;
  }

  DistanceResult result() const {
    DistanceResult r;
    r.of_unions = true;
    r.method = Method::gjk;
    r.iterations = deepest_.iterations;
    r.distance = -out_.length;
    r.lower = -std::max(out_.most, out_.length) - rounding_;
    r.upper = std::max(-out_.least, r.distance);
    r.normal = out_.n;
    r.unique = false;
    r.status =
        r.upper - r.lower <= width() + 2.0 * rounding_ ? Status::converged : Status::local_minimum;
    take_points(r);
    return r;
  }

  // Where the bodies touch after the translation: a point of B, and the place that it comes to.
  void take_points(DistanceResult& r) const {
    const Vec3 way = out_.n * std::max(out_.most, kClearOfTouch * rounding_);
    const Pose there =
        detail::unchecked_pose(pair_.b.pose.position() + way, pair_.b.pose.rotation());
    QueryOptions options = pair_.options;
    options.union_depth = false;
    options.certificate = nullptr;
    options.derivatives = nullptr;
    options.observer = nullptr;
    options.max_distance = kInfinity;
    const DistanceResult touch =
        answer_compound({pair_.a, {pair_.b.shape, there}, options, Ask::signed_distance});
    r.part_a = touch.part_a;
    r.part_b = touch.part_b;
    r.triangle_b = touch.triangle_b;
    r.triangle_a = touch.triangle_a;
    r.point_b = touch.point_b - way;
    r.point_a = r.point_b + out_.n * out_.length;
  }

  // A bracket as narrow as what rounding leaves, in roundings.
  static constexpr double kLeastWidth = 64.0;

  const PairContext& pair_;
  const DistanceResult& deepest_;
  PartTree a_, b_;
  double rounding_;
  Directions directions_;
  MeshDepth out_;
};

}  // namespace

DistanceResult union_depth(const PairContext& pair, const DistanceResult& deepest) {
  return UnionSearch(pair, deepest).run();
}

std::vector<Certificate::Cover> cover_unions(const Placed& a, const Placed& b,
                                             const DistanceResult& result, const Vec3& world) {
  const QueryOptions options;
  const double rounding = rounding_of(a, b);
  ShiftsOfParts blocked(a, b, -result.lower, rounding, options);
  return cover_shifts(blocked, Pose(), -result.upper, -result.lower, rounding, world);
}

}  // namespace tactus::detail
