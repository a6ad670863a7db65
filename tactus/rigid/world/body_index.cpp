#include "tactus/rigid/world/body_index.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

/// Growth of a bounding ball or box, relative to the ball's radius, that covers the rounding of a
/// ray's distance to it, for rays up to 1e6 radii long.
constexpr double kMargin = 1e-6;
/// Building the tree costs as much as so many questions that look at all bodies.
constexpr int kQuestionsBeforeTree = 16;

/// The search for the nearest body looks so many times farther at a time.
constexpr double kFarther = 4.0;

bool is_answer(Status status) {
  return status != Status::unsupported && status != Status::invalid_input;
}

/// The nearest hit so far, and what it rules out.
struct NearestOnRay {
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
    if (!is_answer(cast.status) || cast.hit == Overlap::no) return;
    if (hit &&
        !(cast.time < hit->distance || (cast.time == hit->distance && body.id() < hit->body)))
      return;
    hit = RayHit{body.id(), cast.time, origin + direction * cast.time, cast.normal, cast.part_a};
  }
};

Aabb grown_box(const Body& body) {
  const Aabb box = bounding_box(body.shape(), body.pose());
  const double margin = kMargin * body.radius();
  const Vec3 grown{margin, margin, margin};
  return {box.lower - grown, box.upper + grown};
}

bool is_selected(const Body& body, const BodySelection& selection) {
  return (body.filter().category & selection.mask) != 0 && body.id() != selection.ignored &&
         (selection.sensors || !body.is_sensor());
}

/// Signed distance, or that of the surface of what has no inside.
DistanceResult gap_to(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      QueryOptions& options) {
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  if (r.status != Status::unsupported) return r;
  options.signed_distance = false;
  return distance(a, pose_a, b, pose_b, options);
}

}  // namespace

void BodyIndex::clear() {
  delete tree_.exchange(nullptr);
  questions_ = 0;
}

/// Threads that come at the same time each build one, and the first is kept.
const DynamicTree& BodyIndex::tree(std::span<const Body> bodies) const {
  if (const DynamicTree* const found = tree_.load(std::memory_order_acquire)) return *found;
  std::vector<BroadEntry> entries;
  entries.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    entries.push_back({i, grown_box(bodies[i])});
  }
  auto built = std::make_unique<DynamicTree>(1);
  built->update(entries);
  const DynamicTree* kept = nullptr;
  if (tree_.compare_exchange_strong(kept, built.get(), std::memory_order_acq_rel))
    return *built.release();
  return *kept;
}

bool BodyIndex::is_worth_a_tree() const {
  if (questions_.load(std::memory_order_relaxed) >= kQuestionsBeforeTree) return true;
  questions_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

std::optional<RayHit> BodyIndex::nearest_on_ray(std::span<const Body> bodies, const Vec3& origin,
                                                const Vec3& direction, double max_distance,
                                                std::uint64_t mask) const {
  NearestOnRay nearest{origin, direction, max_distance, mask, std::nullopt};
  if (!is_worth_a_tree()) {
    for (const Body& body : bodies) nearest.look_at(body);
    return nearest.hit;
  }
  tree(bodies).sweep({origin, origin}, direction, max_distance, [&](std::uint64_t place, double) {
    nearest.look_at(bodies[place]);
    return nearest.reach();
  });
  return nearest.hit;
}

std::optional<ShapeHit> BodyIndex::first_hit(std::span<const Body> bodies, const Placed& shape,
                                             const Vec3& motion,
                                             const BodySelection& selection) const {
  std::optional<ShapeHit> first;
  const auto look_at = [&](const Body& body) {
    if (!is_selected(body, selection)) return;
    const CastResult r = cast(shape.shape, shape.pose, motion, body.shape(), body.pose(), {});
    if (!is_answer(r.status) || r.hit == Overlap::no) return;
    if (first && !(r.time < first->time || (r.time == first->time && body.id() < first->body)))
      return;
    first = ShapeHit{body.id(), r.time, r.point_b, -r.normal, r.part_a, r.part_b};
  };
  if (is_worth_a_tree()) {
    const Aabb box = bounding_box(shape.shape, shape.pose);
    tree(bodies).sweep(box, motion, 1.0, [&](std::uint64_t place, double) {
      look_at(bodies[place]);
      return first ? first->time : 1.0;
    });
  } else {
    const Aabb start = bounding_box(shape.shape, shape.pose);
    const Aabb way{component_min(start.lower, start.lower + motion),
                   component_max(start.upper, start.upper + motion)};
    for (const Body& body : bodies) {
      if (overlaps(way, grown_box(body))) look_at(body);
    }
  }
  return first;
}

void BodyIndex::find_in(std::span<const Body> bodies, const Aabb& box,
                        std::vector<std::uint64_t>& places) const {
  if (is_worth_a_tree()) {
    tree(bodies).find_in(box, places);
    return;
  }
  places.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (overlaps(box, grown_box(bodies[i]))) places.push_back(i);
  }
}

std::vector<BodyId> BodyIndex::overlapping(std::span<const Body> bodies, const Placed& shape,
                                           const BodySelection& selection) const {
  std::vector<std::uint64_t> places;
  find_in(bodies, bounding_box(shape.shape, shape.pose), places);
  std::vector<BodyId> found;
  for (const std::uint64_t place : places) {
    const Body& body = bodies[place];
    if (!is_selected(body, selection)) continue;
    const OverlapResult r = overlap(shape.shape, shape.pose, body.shape(), body.pose());
    if (is_answer(r.proof.status) && r.overlap != Overlap::no) found.push_back(body.id());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<NearestBody> BodyIndex::nearest(std::span<const Body> bodies, const Placed& shape,
                                              double max_distance,
                                              const BodySelection& selection) const {
  const Aabb box = bounding_box(shape.shape, shape.pose);
  std::optional<NearestBody> best;
  std::vector<std::uint64_t> places;
  // Boxes that reach ever farther, until what is found is nearer than what they leave out.
  const double size = extent(shape.shape);
  for (double reach = size > 0.0 ? size : 1.0;; reach *= kFarther) {
    reach = std::min(reach, max_distance);
    const Vec3 grown{reach, reach, reach};
    find_in(bodies, {box.lower - grown, box.upper + grown}, places);
    best.reset();
    for (const std::uint64_t place : places) {
      const Body& body = bodies[place];
      if (!is_selected(body, selection)) continue;
      QueryOptions options;
      options.max_distance = best ? best->gap.distance : max_distance;
      const DistanceResult r = gap_to(shape.shape, shape.pose, body.shape(), body.pose(), options);
      if (!is_answer(r.status) || r.distance > options.max_distance) continue;
      if (!best || r.distance < best->gap.distance ||
          (r.distance == best->gap.distance && body.id() < best->body)) {
        best = NearestBody{body.id(), r};
      }
    }
    const bool all = places.size() == bodies.size() || !(reach < max_distance);
    if (all || (best && best->gap.distance <= reach)) return best;
  }
}

}  // namespace tactus::detail
