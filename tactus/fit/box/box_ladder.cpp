#include "tactus/fit/box/box_ladder.hpp"

#include <chrono>

namespace tactus::detail {
namespace {

template <class Make>
auto timed(double& seconds, Make&& make) {
  const auto start = std::chrono::steady_clock::now();
  auto made = make();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace

BoxLadder box_ladder(std::span<const Vec3> points, const AskMinimumBox& minimum) {
  BoxLadder ladder;
  ladder.hull = timed(ladder.hull_seconds, [&] { return convex_hull(points); });
  const auto climb = [&](auto&& make) {
    BoxLadder::Rung rung;
    rung.box = timed(rung.seconds, make);
    ladder.rungs.push_back(rung);
  };
  climb([&] { return box_along(points, Mat3::identity()); });
  climb([&] { return box_of_points(points); });
  climb([&] { return box_of_hull_vertices(points, ladder.hull); });
  climb([&] { return box_of_hull_surface(points, ladder.hull); });
  climb([&] {
    const MinimumBox found = minimum(points, ladder.hull);
    ladder.lower = found.lower;
    return found.box;
  });
  return ladder;
}

BoxLadder box_ladder(std::span<const Vec3> points) {
  return box_ladder(points, [](std::span<const Vec3> all, const ConvexHull& hull) {
    return minimum_box(all, hull);
  });
}

}  // namespace tactus::detail
