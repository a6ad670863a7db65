#include "tactus/query.hpp"
#include "tactus/query/certify.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/plan/pair_table.hpp"
#include "tactus/shape.hpp"

namespace tactus {
using namespace detail;
namespace {

[[gnu::noinline]] DistanceResult certified(const PairContext& pair) {
  pair.options.certificate->clear();
  const DistanceResult r = answer_pair(pair);
  certify(pair.a.shape, pair.a.pose, pair.b.shape, pair.b.pose, r, pair.options);
  return r;
}

DistanceResult answered(const PairContext& pair) {
  return pair.options.certificate != nullptr ? certified(pair) : answer_pair(pair);
}

// Has a mesh an inside that does not count?
bool holds_bodies(const Shape& shape) {
  const auto* mesh = std::get_if<Mesh>(&shape.geometry());
  return mesh != nullptr ? mesh->closed() : shape.type() == ShapeType::compound;
}

[[gnu::noinline]] DistanceResult of_surfaces(const PairContext& pair) {
  const Shape a = bare(pair.a.shape), b = bare(pair.b.shape);
  return answered({{a, pair.a.pose}, {b, pair.b.pose}, pair.options, pair.ask, pair.cache});
}

// Set apart, so that the leaf keeps nothing for it.
[[gnu::noinline]] DistanceResult by_stages(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b, const QueryOptions& options,
                                           QueryCache* cache) {
  const Ask ask = options.signed_distance ? Ask::signed_distance : Ask::unsigned_distance;
  const PairContext pair{{a, pose_a}, {b, pose_b}, options, ask, cache};
  if (!options.signed_distance && (holds_bodies(a) || holds_bodies(b))) return of_surfaces(pair);
  return answered(pair);
}

}  // namespace

DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const QueryOptions& options, QueryCache* cache) noexcept {
  if (const Leaf leaf = leaf_of(a, b, options)) return leaf(a, pose_a, b, pose_b, options);
  return by_stages(a, pose_a, b, pose_b, options, cache);
}

}  // namespace tactus
