// The plane: where a ball touches a contour, and how far apart two parts of a jigsaw are.
#include "tactus/planar.hpp"

#include <cstdio>
#include <vector>

using namespace tactus;

int main() {
  // A ball in a corner touches both of its sides.
  const planar::Contour corner({{0, 2}, {0, 0}, {3, 0}}, false);
  std::vector<planar::Touch> places;
  touches(planar::Circle(0.5), planar::Pose2({0.45, 0.48}, 0.0), corner, {}, places);
  for (const planar::Touch& t : places) {
    std::printf("%s at (%g, %g), normal angle %.3f rad, depth %g\n", to_string(t.kind).data(),
                t.point.x, t.point.y, t.angle, t.depth);
  }

  // Two combs, tooth in gap: their hulls overlap, they do not.
  const planar::Region comb({{0, 0},
                             {4.8, 0},
                             {4.8, 2},
                             {4, 2},
                             {4, 1},
                             {2.8, 1},
                             {2.8, 2},
                             {2, 2},
                             {2, 1},
                             {0.8, 1},
                             {0.8, 2},
                             {0, 2}});
  const planar::Pose2 upside_down({5.8, 3.25}, 3.141592653589793);
  const planar::PlanarResult apart = distance(comb, {}, comb, upside_down);
  std::printf("%.15g in [%.15g, %.15g]\n", apart.distance, apart.lower, apart.upper);

  // Many pairs in one call; the caches serve the next call.
  const std::vector<planar::PlacedRegion> combs = {
      {&comb, {}}, {&comb, upside_down}, {&comb, planar::Pose2({9, 0}, 0.5)}};
  const std::vector<planar::PlanarPair> pairs = {{0, 1}, {0, 2}, {1, 2}};
  std::vector<planar::PlanarResult> all(pairs.size());
  std::vector<planar::PlanarCache> caches(pairs.size());
  distance(combs, pairs, all, caches);
  for (const planar::PlanarResult& r : all) std::printf("%.15g\n", r.distance);
  return places.size() == 2 && !overlap(comb, {}, comb, upside_down) ? 0 : 1;
}
