// A brick on the floor: overlap, contact points, and a cache that makes the next step faster.
#include <cstdio>

#include "tactus/query.hpp"

int main() {
  using namespace tactus;
  const Shape floor = HalfSpace({0, 0, 1}, 0.0);  // everything below z = 0
  const Shape brick = Box({2.0, 1.0, 0.5});
  QueryOptions options;
  options.margin = 0.01;  // report contacts up to this gap
  QueryCache cache;       // one per pair, owned by you
  int touching = 0;
  for (int step = 0; step < 60; ++step) {
    const Pose pose(Vec3{0, 0, 0.3005 - 0.001 * step}, Quat{});
    Manifold patch[1];
    const ContactsResult c = contacts(floor, Pose(), brick, pose, patch, options, &cache);
    if (c.manifolds == 0) continue;
    touching += patch[0].count == 4;  // the four corners, from the first step they are near
    if (overlap(floor, Pose(), brick, pose).overlap == Overlap::yes && step == 59) {
      for (const ContactPoint& p : patch[0].span())
        std::printf("depth %g at (%g, %g)\n", p.depth, p.point_a.x, p.point_a.y);
    }
  }
  return touching == 19 ? 0 : 1;
}
