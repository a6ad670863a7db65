#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/query/plan/pair_context.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// Finds the bodies that a question from outside is about: a ray, a shape that moves or stands. A
/// few questions look at all bodies; when there are more between two changes of the world, a tree
/// over the bodies is built. The answers are the same.
class BodyIndex {
 public:
  BodyIndex() = default;
  BodyIndex(const BodyIndex&) = delete;
  BodyIndex& operator=(const BodyIndex&) = delete;
  ~BodyIndex() { clear(); }

  /// To be called when bodies were added or removed, or moved.
  void clear();
  // The questions below may be asked by many threads.

  /// The first body on a ray by (distance, id). `direction` is unit.
  std::optional<RayHit> nearest_on_ray(std::span<const Body> bodies, const Vec3& origin,
                                       const Vec3& direction, double max_distance,
                                       std::uint64_t mask) const;
  /// The first body that a moving shape meets, by (time, id).
  std::optional<ShapeHit> first_hit(std::span<const Body> bodies, const Placed& shape,
                                    const Vec3& motion, const BodySelection& selection) const;
  /// The bodies that a shape overlaps, by id.
  std::vector<BodyId> overlapping(std::span<const Body> bodies, const Placed& shape,
                                  const BodySelection& selection) const;
  /// The body nearest to a shape, by (distance, id).
  std::optional<NearestBody> nearest(std::span<const Body> bodies, const Placed& shape,
                                     double max_distance, const BodySelection& selection) const;

 private:
  bool is_worth_a_tree() const;
  const DynamicTree& tree(std::span<const Body> bodies) const;
  void find_in(std::span<const Body> bodies, const Aabb& box,
               std::vector<std::uint64_t>& places) const;

  mutable std::atomic<const DynamicTree*> tree_{nullptr};  ///< owned
  mutable std::atomic<int> questions_{0};                  ///< since the last change
};

}  // namespace tactus::detail
