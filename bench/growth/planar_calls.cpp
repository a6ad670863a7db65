// The plane: regions and contours of n corners, round ones with waves.
#include <cmath>
#include <memory>

#include "bench/growth/calls.hpp"
#include "tactus/fit.hpp"
#include "tactus/planar.hpp"

namespace tactus::detail::bench {
namespace {

std::vector<Vec2> wavy(int n) {
  std::vector<Vec2> points;
  for (int i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * i / n;
    const double r = 1.0 + 0.1 * std::sin(7.0 * angle);
    points.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return points;
}

void add(std::vector<GrowingCall>& rows, const std::string& name, const Vec2& at,
         const std::function<void(const Region&, const Contour&, const Pose2&)>& call) {
  rows.push_back({name, [=](int n) {
                    const auto region = std::make_shared<const Region>(wavy(n));
                    const auto contour = std::make_shared<const Contour>(wavy(n));
                    const Pose2 pose(at, 0.3);
                    return [=] { call(*region, *contour, pose); };
                  }});
}

}  // namespace

void add_planar_calls(std::vector<GrowingCall>& rows) {
  rows.push_back({"`Region`", [](int n) {
                    const auto points = std::make_shared<const std::vector<Vec2>>(wavy(n));
                    return [=] { kept = Region(*points).mass().area; };
                  }});
  rows.push_back({"`Contour`", [](int n) {
                    const auto points = std::make_shared<const std::vector<Vec2>>(wavy(n));
                    return [=] { kept = static_cast<double>(Contour(*points).segments()); };
                  }});
  rows.push_back({"`simplify`", [](int n) {
                    const auto points = std::make_shared<const std::vector<Vec2>>(wavy(n));
                    return [=] { kept = simplify(*points, true, 1e-3).error; };
                  }});
  const Vec2 apart{2.5, 0.1}, touching{2.0, 0.1}, deep{1.5, 0.2};
  using R = const Region&;
  using C = const Contour&;
  using P = const Pose2&;
  add(rows, "planar distance of regions, apart", apart,
      [](R r, C, P at) { kept = distance(r, Pose2(), r, at).distance; });
  add(rows, "planar distance of regions, shallow", touching,
      [](R r, C, P at) { kept = distance(r, Pose2(), r, at).distance; });
  add(rows, "planar distance of contours", apart,
      [](R, C c, P at) { kept = distance(c, Pose2(), c, at).distance; });
  add(rows, "planar distance of a circle", apart,
      [](R r, C, P at) { kept = distance(Circle(0.2), at, r, Pose2()).distance; });
  add(rows, "planar overlap of regions", deep,
      [](R r, C, P at) { kept = overlap(r, Pose2(), r, at) ? 1.0 : 0.0; });
  add(rows, "planar overlap of contours", deep,
      [](R, C c, P at) { kept = overlap(c, Pose2(), c, at) ? 1.0 : 0.0; });
  add(rows, "touches of a circle", touching, [](R r, C, P at) {
    std::vector<Touch> found;
    touches(Circle(1.0), at, r, Pose2(), found, 0.1);
    kept = static_cast<double>(found.size());
  });
  add(rows, "planar contacts of regions", touching, [](R r, C, P at) {
    PlanarContacts found;
    contacts(r, Pose2(), r, at, found);
    kept = static_cast<double>(found.all().size());
  });
  add(rows, "planar contacts of a circle", touching, [](R r, C, P at) {
    PlanarContacts found;
    contacts(Circle(1.0), at, r, Pose2(), found);
    kept = static_cast<double>(found.all().size());
  });
  add(rows, "planar cast of regions", apart,
      [](R r, C, P at) { kept = cast(r, Pose2(), {{1.0, 0.0}, 0.0}, r, at, {}).time; });
  add(rows, "planar cast of contours", apart,
      [](R, C c, P at) { kept = cast(c, Pose2(), {{1.0, 0.0}, 0.0}, c, at, {}).time; });
  add(rows, "planar cast of a circle", apart,
      [](R r, C, P at) { kept = cast(Circle(0.2), at, {{-2.0, 0.0}, 0.0}, r, Pose2(), {}).time; });
  add(rows, "turning planar cast of regions", apart,
      [](R r, C, P at) { kept = cast(r, Pose2(), {{1.0, 0.0}, 0.5}, r, at, {}).time; });
}

}  // namespace tactus::detail::bench
