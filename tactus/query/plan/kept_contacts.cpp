#include "tactus/query/plan/kept_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {

double CorePlace::moved(const Mat3& first_rotation, const Vec3& first_origin) const {
  double squares = 0.0;
  for (int i = 0; i < 3; ++i) squares += squared_norm(rotation.row[i] - first_rotation.row[i]);
  // A difference of rotations stretches by its Frobenius norm over the root of two.
  return norm((rotation * middle + origin) - (first_rotation * middle + first_origin)) +
         std::sqrt(0.5 * squares) * reach;
}

void KeptContacts::keep(const Pose& pose_a, const Pose& pose_b, const CorePlace& place,
                        double within, std::uint64_t key, const DistanceResult& whole,
                        std::span<const Manifold> patches) {
  Found found{place.rotation, place.origin, place.reach, place.radius, within,
              whole.lower,    whole.upper,  key,         {},           {}};
  for (const Manifold& patch : patches) {
    found.patches.push_back(
        {pose_a.direction_to_local(patch.normal), static_cast<std::uint32_t>(patch.count)});
    for (const ContactPoint& point : patch.span())
      found.points.push_back({pose_a.to_local(point.point_a),
                              pose_b.to_local(point.point_b + patch.normal * place.radius),
                              point.feature});
  }
  found_.set(std::move(found));
}

bool KeptContacts::tell(const Pose& pose_a, const Pose& pose_b, const CorePlace& place,
                        double margin, double most, std::uint64_t key, DistanceResult& whole,
                        ManifoldSink& sink) const {
  if (empty()) return false;
  const Found& found = *found_.get();
  if (found.key != key || found.reach != place.reach || found.radius != place.radius) return false;
  const double moved = place.moved(found.rotation, found.origin);
  if (!(moved <= most && margin + moved <= found.within)) return false;
  whole.lower = found.lower - moved;
  whole.upper = found.upper + moved;
  whole.distance = std::clamp(0.5 * (found.lower + found.upper), whole.lower, whole.upper);
  whole.status = Status::converged;
  whole.unique = false;
  const Point* next = found.points.data();
  for (const Patch& patch : found.patches) {
    Manifold m;
    m.normal = pose_a.direction_to_world(patch.normal);
    for (std::uint32_t k = 0; k < patch.count; ++k, ++next) {
      // Across the plane that it is on, A's point follows that of B.
      const Vec3 b = pose_b.to_world(next->core_b) - m.normal * place.radius;
      const double depth = dot(m.normal, pose_a.to_world(next->on_a) - b);
      if (!(depth >= -margin)) continue;
      m.points[static_cast<std::size_t>(m.count++)] = {b + m.normal * depth, b, depth,
                                                       next->feature};
    }
    if (m.count == 0) continue;
    Manifold* const free = sink.next();
    if (free == nullptr) return true;
    *free = m;
  }
  return true;
}

bool KeptContacts::is_valid() const {
  if (empty()) return true;
  const Found& f = *found_.get();
  std::uint64_t points = 0;
  for (const Patch& patch : f.patches) {
    if (!is_finite(patch.normal) || patch.count > Manifold::kCapacity) return false;
    points += patch.count;
  }
  return points == f.points.size() && is_finite(f.rotation.row[0]) &&
         is_finite(f.rotation.row[1]) && is_finite(f.rotation.row[2]) && is_finite(f.origin) &&
         std::isfinite((f.reach + f.radius) + (f.within + f.lower + f.upper)) &&
         std::all_of(f.points.begin(), f.points.end(), [](const Point& point) {
           return is_finite(point.on_a) && is_finite(point.core_b);
         });
}

}  // namespace tactus::detail
