#include "lab/pairs.hpp"

#include <vector>

#include "fuzz/random_values.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::lab {

PlacedPair place(const Shape& a, const Shape& b, double wanted, Random& random) {
  const Pose pose_a({}, fuzz::rotation(random));
  const Vec3 away = fuzz::direction(random) * io::pair_size(a, b);
  const Pose start(away, fuzz::rotation(random));
  const DistanceResult r = distance(a, pose_a, b, start);
  return {pose_a, detail::unchecked_pose(start.position() + r.normal * (wanted - r.distance),
                                         start.rotation())};
}

Shape random_hull(int points, Random& random) {
  const Vec3 radii = fuzz::vector_in(random, 0.3, 1.0);
  std::vector<Vec3> corners;
  corners.reserve(static_cast<std::size_t>(points));
  for (int i = 0; i < points; ++i)
    corners.push_back(component_product(radii, fuzz::direction(random)));
  return Convex(corners);
}

}  // namespace tactus::detail::lab
