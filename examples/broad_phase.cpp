// Which of many bodies can touch, and which does a ray meet first? Ask their boxes, then the bodies
// that are left.
#include <cstdio>
#include <limits>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/query.hpp"

using namespace tactus;

int main() {
  const Shape shape = Capsule(0.3, 1.0);
  std::vector<Pose> poses;
  std::vector<BroadEntry> entries;
  for (int i = 0; i < 400; ++i) {
    const Vec3 place{0.7 * (i % 20), 0.9 * (i / 20), 0.1 * (i % 7)};
    poses.push_back(Pose::from_axis_angle(place, {0, 1, 0}, 0.3 * i));
    entries.push_back({static_cast<std::uint64_t>(i), bounding_box(shape, poses.back())});
  }
  AutoBroadPhase broad;  // or SweepAndPrune, HashGrid, DynamicTree: the same list
  std::vector<BroadPair> pairs;
  broad.find_pairs(entries, pairs);

  int touching = 0;
  for (const BroadPair& pair : pairs) {
    if (overlap(shape, poses[pair.a], shape, poses[pair.b]).overlap == Overlap::yes) ++touching;
  }
  std::printf("%d pairs of bodies, %zu pairs of boxes, %d touch\n", 400 * 399 / 2, pairs.size(),
              touching);

  DynamicTree tree;
  tree.update(entries);
  const Vec3 origin{-5.0, 3.0, 0.5}, direction{1.0, 0.2, 0.0};
  double nearest = std::numeric_limits<double>::infinity();
  int asked = 0;
  tree.sweep({origin, origin}, direction, nearest, [&](std::uint64_t id, double) {
    ++asked;
    const CastResult hit = ray_cast(shape, poses[id], origin, direction, nearest);
    if (hit.hit != Overlap::no && hit.time < nearest) nearest = hit.time;
    return nearest;  // boxes that are met later are left out
  });
  std::printf("the ray meets a body at %.3f; %d of 400 were asked\n", nearest, asked);
  return touching > 0 && asked < 400 ? 0 : 1;
}
