// Depths of a pair by algorithms of the literature, beside the depth itself. Links
// tactus::classic.
#include <cstdio>

#include "tactus/classic.hpp"

using namespace tactus;

int main() {
  const Shape a = Box({4, 1, 2}), b = Box({2, 1, 2});
  const Pose there = Pose::translation({2.4, 0.7, 0});
  std::printf("depth %.6f\n", -distance(a, {}, b, there).distance);

  const PortalDepths portal = portal_depths(a, {}, b, there);
  std::printf("portal: along the ray %.6f, by its normal %.6f\n", portal.ray_upper,
              portal.normal_depth);
  PortalOptions falling;
  falling.along = {0, 1, 0};
  std::printf("portal: along y %.6f\n", portal_depths(a, {}, b, there, falling).ray_upper);

  PolytopeOptions grown;
  grown.margin = 0.1;
  grown.spheres = true;
  std::printf("polytope with a margin: %.6f\n", polytope_depth(a, {}, b, there, grown).depth);

  enable_classic_methods();
  QueryOptions options;
  options.method = Method::mpr;
  const DistanceResult r = distance(a, {}, b, there, options);
  std::printf("mpr as a query: in [%.6f, %.6f], %s\n", r.lower, r.upper,
              to_string(r.status).data());
  return 0;
}
