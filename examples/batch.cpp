// A floor of balls that overlap a little: pairs from a broad phase, contacts of all in one call.
#include <cstdio>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/query.hpp"

int main() {
  using namespace tactus;
  const Shape ball = Sphere(0.5);  // one shape serves many bodies
  std::vector<PlacedShape> bodies;
  for (int x = 0; x < 10; ++x) {
    for (int y = 0; y < 10; ++y) bodies.push_back({&ball, Pose::translation({x * 0.99, y * 0.99})});
  }

  std::vector<BroadEntry> entries;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    entries.push_back({i, bounding_box(*bodies[i].shape, bodies[i].pose)});
  SweepAndPrune broad;
  std::vector<BroadPair> pairs;  // of places in `bodies`
  broad.find_pairs(entries, pairs);

  std::vector<Manifold> manifolds(pairs.size());  // one place per pair
  std::vector<ContactsResult> found(pairs.size());
  contacts(bodies, pairs, manifolds, found);

  int touching = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) touching += found[i].manifolds;
  std::printf("%zu pairs of near balls, %d in contact\n", pairs.size(), touching);
  return touching == 180 ? 0 : 1;
}
