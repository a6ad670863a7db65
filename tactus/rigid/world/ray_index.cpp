#include "tactus/rigid/world/ray_index.hpp"

#include <memory>
#include <vector>

#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

/// Growth of a bounding ball or box, relative to the ball's radius, that covers the rounding of a
/// ray's distance to it, for rays up to 1e6 radii long.
constexpr double kMargin = 1e-6;
/// Building the tree costs as much as so many rays that look at all bodies.
constexpr int kRaysBeforeTree = 16;

/// The nearest hit so far, and what it rules out.
struct Nearest {
  const Vec3& origin;
  const Vec3& direction;
  double max_distance;
  std::uint64_t mask;
  std::optional<RayHit> hit;

  double reach() const { return hit ? hit->distance : max_distance; }

  /// Does the half-line come near the ball that holds the body, before the hit?
  bool near_ball(const Body& body) const {
    const Vec3 to_body = body.center_of_mass() - origin;
    const double along = dot(to_body, direction);
    const double radius = body.radius() * (1.0 + kMargin);
    return along >= -radius && !(along - radius > reach()) &&
           squared_norm(to_body - direction * along) <= radius * radius;
  }

  /// Every body is asked for the whole ray, so that the order of the bodies does not matter.
  void look_at(const Body& body) {
    if ((body.filter().category & mask) == 0 || !near_ball(body)) return;
    const CastResult cast = ray_cast(body.shape(), body.pose(), origin, direction, max_distance);
    const bool answered =
        cast.status != Status::unsupported && cast.status != Status::invalid_input;
    if (!answered || cast.hit == Overlap::no) return;
    if (hit &&
        !(cast.time < hit->distance || (cast.time == hit->distance && body.id() < hit->body)))
      return;
    hit = RayHit{body.id(), cast.time, origin + direction * cast.time, cast.normal, cast.part_a};
  }
};

}  // namespace

void RayIndex::clear() {
  delete tree_.exchange(nullptr);
  rays_ = 0;
}

/// Threads that come at the same time each build one, and the first is kept.
const DynamicTree& RayIndex::tree(std::span<const Body> bodies) const {
  if (const DynamicTree* const found = tree_.load(std::memory_order_acquire)) return *found;
  std::vector<BroadEntry> entries;
  entries.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Aabb box = bounding_box(bodies[i].shape(), bodies[i].pose());
    const double margin = kMargin * bodies[i].radius();
    const Vec3 grown{margin, margin, margin};
    entries.push_back({i, {box.lower - grown, box.upper + grown}});
  }
  auto built = std::make_unique<DynamicTree>(1);
  built->update(entries);
  const DynamicTree* kept = nullptr;
  if (tree_.compare_exchange_strong(kept, built.get(), std::memory_order_acq_rel))
    return *built.release();
  return *kept;
}

std::optional<RayHit> RayIndex::nearest(std::span<const Body> bodies, const Vec3& origin,
                                        const Vec3& direction, double max_distance,
                                        std::uint64_t mask) const {
  Nearest nearest{origin, direction, max_distance, mask, std::nullopt};
  if (rays_.load(std::memory_order_relaxed) < kRaysBeforeTree) {
    rays_.fetch_add(1, std::memory_order_relaxed);
    for (const Body& body : bodies) nearest.look_at(body);
    return nearest.hit;
  }
  tree(bodies).sweep({origin, origin}, direction, max_distance, [&](std::uint64_t place, double) {
    nearest.look_at(bodies[place]);
    return nearest.reach();
  });
  return nearest.hit;
}

}  // namespace tactus::detail
