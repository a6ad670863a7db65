// Convex hulls: points on a ball, in a cube, on a grid, and prisms of n corners.
#include <cmath>
#include <memory>

#include "bench/growth/calls.hpp"
#include "bench/shapes.hpp"
#include "tactus/fit.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

using Points = std::vector<Vec3>;

Points ball(int n) {
  Random random(1);
  Points points;
  for (int i = 0; i < n; ++i) points.push_back(random_direction(random));
  return points;
}

Points cube(int n) {
  Random random(2);
  Points points;
  for (int i = 0; i < n; ++i) points.push_back(random_vector(random, -1.0, 1.0));
  return points;
}

Points prism(int n) {
  Points points;
  for (int i = 0; i < n / 2; ++i) {
    const double angle = 6.283185307179586 * i / (n / 2);
    for (const double z : {-1.0, 1.0}) points.push_back({std::cos(angle), std::sin(angle), z});
  }
  return points;
}

// A cone of a disc: all but one in one plane.
Points pyramid(int n) {
  Points points = prism(2 * n);
  for (Vec3& p : points) p.z = -1.0;
  points.push_back({0.1, 0.2, 1.0});
  return points;
}

Points grid(int n) {
  const int side = static_cast<int>(std::cbrt(n));
  Points points;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      for (int k = 0; k < side; ++k)
        points.push_back({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
    }
  }
  return points;
}

void add(std::vector<GrowingCall>& rows, const std::string& name, Points (*points)(int),
         void (*call)(const Points&)) {
  rows.push_back({name, [=](int n) {
                    const auto made = std::make_shared<const Points>(points(n));
                    return [=] { call(*made); };
                  }});
}

void hull_of(const Points& points) {
  kept = static_cast<double>(convex_hull(points).vertices.size());
}

// Adds a call on a hull of n points and the same hull at `at`, turned.
void add_pair(std::vector<GrowingCall>& rows, const std::string& name, const Vec3& at,
              const std::function<void(const Shape&, const Shape&, const Pose&)>& call) {
  rows.push_back({name, [=](int n) {
                    const auto a = std::make_shared<const Shape>(Convex(ball(n)));
                    const Pose pose(at, normalized(Quat{0.9, 0.1, 0.2, 0.3}));
                    return [=] { call(*a, *a, pose); };
                  }});
}

}  // namespace

void add_hull_calls(std::vector<GrowingCall>& rows) {
  add(rows, "`convex_hull`, ball", ball, hull_of);
  add(rows, "`convex_hull`, cube", cube, hull_of);
  add(rows, "`convex_hull`, grid", grid, hull_of);
  add(rows, "`convex_hull`, prism", prism, hull_of);
  add(rows, "`convex_hull`, pyramid", pyramid, hull_of);
  add(rows, "`Convex`, ball", ball,
      [](const Points& p) { kept = static_cast<double>(Convex(p).hull().faces.size()); });
  add(rows, "`Convex`, prism", prism,
      [](const Points& p) { kept = static_cast<double>(Convex(p).hull().faces.size()); });
  add(rows, "`limited_hull` of 32", ball,
      [](const Points& p) { kept = limited_hull(p, 32).error; });
  add(rows, "`box_of_points`", ball, [](const Points& p) { kept = box_of_points(p).half.x; });
  rows.push_back({"`check_hull`", [](int n) {
                    const auto points = std::make_shared<const Points>(ball(n));
                    const auto hull = std::make_shared<const ConvexHull>(convex_hull(*points));
                    return [=] { kept = check_hull(*points, *hull).ok() ? 1.0 : 0.0; };
                  }});
  const Vec3 apart{3.0, 0.2, 0.1}, deep{1.5, 0.2, 0.1};
  const auto distance_of = [](const Shape& a, const Shape& b, const Pose& at) {
    kept = distance(a, Pose(), b, at).distance;
  };
  add_pair(rows, "distance of hulls, apart", apart, distance_of);
  add_pair(rows, "distance of hulls, overlapping", deep, distance_of);
  add_pair(rows, "overlap of hulls", deep, [](const Shape& a, const Shape& b, const Pose& at) {
    kept = overlap(a, Pose(), b, at).overlap == Overlap::yes ? 1.0 : 0.0;
  });
  add_pair(rows, "contacts of hulls", deep, [](const Shape& a, const Shape& b, const Pose& at) {
    Manifold manifold;
    kept = contacts(a, Pose(), b, at, {&manifold, 1}).distance.distance;
  });
  add_pair(rows, "cast of hulls", apart, [](const Shape& a, const Shape& b, const Pose& at) {
    kept = cast(a, Pose(), {2, 0, 0}, b, at, {}).time;
  });
  add_pair(rows, "impact of hulls", apart, [](const Shape& a, const Shape& b, const Pose& at) {
    kept = impact(a, Pose(), {{2, 0, 0}, {0.1, 0.2, 0.3}}, b, at, {}).time;
  });
  add_pair(rows, "ray, hull", apart, [](const Shape& a, const Shape&, const Pose& at) {
    kept = ray_cast(a, Pose(), at.position(), {-1, 0, 0}, 9.0).time;
  });
}

}  // namespace tactus::detail::bench
