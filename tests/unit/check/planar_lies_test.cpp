#include <gtest/gtest.h>

#include <functional>

#include "tactus/check.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/planar_pairs.hpp"

// True answers are proved, all but one in a thousand, and none is refuted; no lie that changes a
// field of an answer is proved. Of every kind of pair, on whole coordinates, where much touches,
// and on generic ones.
namespace {

using namespace tactus;
using namespace tactus::planar;
using namespace tactus::detail::test;
using tactus::detail::Random;

struct Things {
  PlanarShape a, b;
  Pose2 pose_a, pose_b;
  PlanarMotion motion_a, motion_b;
  double size;
};

PlanarShape any_thing(Random& random, PlanarGrid grid, const PlanarPoints& points) {
  const std::uint32_t kind = random.below(4);
  if (kind == 0) {
    return Circle(grid == PlanarGrid::whole ? static_cast<double>(random.below(9))
                                            : random.uniform(0.1, 8.0));
  }
  if (kind == 1) return Contour(points, random.below(2) == 0, Crossings::accept);
  return Region(points);
}

Things draw(std::uint64_t seed, PlanarGrid grid, bool turning) {
  Random random(seed);
  const PlanarCase c = planar_case(random, grid);
  Things t{any_thing(random, grid, c.a),
           any_thing(random, grid, c.b),
           c.pose_a,
           c.pose_b,
           {},
           {},
           planar_size(c)};
  const auto speed = [&] {
    return grid == PlanarGrid::whole ? static_cast<double>(random.below(33)) - 16.0
                                     : random.uniform(-16.0, 16.0);
  };
  // Apart, mostly.
  if (random.below(3) != 0) {
    const double x = speed(), y = speed();
    t.pose_b = t.pose_b.turned_by(0.0, t.pose_b.position() + Vec2{2.0 * x, 2.0 * y});
    t.size += norm(Vec2{2.0 * x, 2.0 * y});
  }
  for (PlanarMotion* m : {&t.motion_a, &t.motion_b}) {
    const double x = speed(), y = speed();
    m->linear = {x, y};
    t.size += norm(m->linear);
    if (turning) m->angular = random.uniform(-2.0, 2.0);
  }
  return t;
}

PlanarResult distance_of(const Things& t) {
  return std::visit(
      [&](const auto& x, const auto& y) {
        if constexpr (requires { distance(x, t.pose_a, y, t.pose_b); })
          return distance(x, t.pose_a, y, t.pose_b);
        else
          return swapped(distance(y, t.pose_b, x, t.pose_a));
      },
      t.a, t.b);
}
bool overlap_of(const Things& t) {
  return std::visit(
      [&](const auto& x, const auto& y) -> bool {
        if constexpr (requires { overlap(x, t.pose_a, y, t.pose_b); })
          return overlap(x, t.pose_a, y, t.pose_b);
        else
          return overlap(y, t.pose_b, x, t.pose_a);
      },
      t.a, t.b);
}
PlanarCast cast_of(const Things& t) {
  return std::visit(
      [&](const auto& x, const auto& y) {
        if constexpr (requires { cast(x, t.pose_a, t.motion_a, y, t.pose_b, t.motion_b); })
          return cast(x, t.pose_a, t.motion_a, y, t.pose_b, t.motion_b);
        else
          return swapped(cast(y, t.pose_b, t.motion_b, x, t.pose_a, t.motion_a));
      },
      t.a, t.b);
}

// A length between 1e-8 and 1/10 of the size, of either sign.
double slip(Random& random, double size) {
  const double length = size * std::pow(10.0, random.uniform(-8.0, -1.0));
  return random.below(2) == 0 ? length : -length;
}
Vec2 slip_aside(Random& random, double size) {
  const double x = slip(random, size), y = slip(random, size);
  return {x, y};
}
// Or the contrary, but of bodies that only touch, which may have another normal.
Vec2 turned(Random& random, const Vec2& n, bool touching) {
  const double by = slip(random, 10.0);
  const Vec2 out = random.below(8) == 0 && !touching ? -n : n + Vec2{-n.y, n.x} * by;
  return out / norm(out);
}
Status other_status(Random& random, Status status) {
  for (;;) {
    const auto drawn = static_cast<Status>(random.below(5));
    if (drawn != status) return drawn;
  }
}

constexpr int kResultLies = 9;
PlanarResult lie_about(PlanarResult r, std::uint32_t kind, Random& random, double size) {
  const double by = slip(random, size);
  if (kind == 0) r.distance += by;
  if (kind == 1) r.lower += by;
  if (kind == 2) r.upper += by;
  if (kind == 3) r.point_a = r.point_a + slip_aside(random, size);
  if (kind == 4) r.point_b = r.point_b + slip_aside(random, size);
  if (kind == 5) r.normal = turned(random, r.normal, r.distance == 0.0);
  if (kind == 6) r.status = other_status(random, r.status);
  // All that belongs together.
  if (kind == 7) {
    r.distance += by;
    r.lower += by;
    r.upper += by;
    r.point_b = r.point_b + r.normal * by;
  }
  if (kind == 8) {
    // Not the other way, which may be as good.
    r.normal = r.normal + Vec2{-r.normal.y, r.normal.x} * slip(random, 10.0);
    r.normal = r.normal / norm(r.normal);
    r.point_b = r.point_a + r.normal * r.distance;
  }
  return r;
}

constexpr int kCastLies = 10;
PlanarCast lie_about(PlanarCast c, std::uint32_t kind, Random& random, const Things& t) {
  const double by = slip(random, t.size);
  // Later ends of a bracket are true; a converged one is too wide then.
  const double instant = std::pow(10.0, random.uniform(-5.0, -1.0));
  if (kind == 0) c.distance = std::isfinite(c.distance) ? c.distance + by : by;
  if (kind == 1) c.point_a = c.point_a + slip_aside(random, t.size);
  if (kind == 2) c.point_b = c.point_b + slip_aside(random, t.size);
  if (kind == 3) {
    const Vec2 way = slip_aside(random, t.size);
    c.point_a = c.point_a + way;
    c.point_b = c.point_b + way;
  }
  if (kind == 4) c.normal = turned(random, c.normal, c.distance == 0.0);
  if (kind == 5) c.status = other_status(random, c.status);
  if (kind == 6)
    c.hit = static_cast<PlanarHit>((static_cast<std::uint32_t>(c.hit) + 1 + random.below(2)) % 3);
  if (kind == 7) c.time = std::isfinite(c.time) ? c.time + instant : 0.5;
  if (kind == 8) c.time = std::isfinite(c.time) ? std::fmax(0.0, c.time - instant) : 0.0;
  if (kind == 9) c.time_upper = std::isfinite(c.time_upper) ? c.time_upper + instant : 1.0;
  return c;
}

struct Tally {
  int asked = 0, proved = 0, lies = 0;
  void take(const CheckReport& truth, int seed) {
    ++asked;
    proved += truth.ok ? 1 : 0;
    EXPECT_FALSE(truth.refuted()) << seed << ' ' << truth.failure;
  }
  void expect_proved(double part) const { EXPECT_GE(proved, part * asked); }
};

class PlanarLies : public testing::TestWithParam<PlanarGrid> {};
INSTANTIATE_TEST_SUITE_P(Grids, PlanarLies,
                         testing::Values(PlanarGrid::whole, PlanarGrid::generic));

TEST_P(PlanarLies, AboutDistances) {
  Tally tally;
  for (int k = 0; k < detail::test::effort(2000) && !HasFailure(); ++k) {
    const Things t = draw(static_cast<std::uint64_t>(k), GetParam(), false);
    Random random(static_cast<std::uint64_t>(k), 1);
    const PlanarResult r = distance_of(t);
    tally.take(check(t.a, t.pose_a, t.b, t.pose_b, r), k);
    const bool verdict = overlap_of(t);
    tally.take(check_overlap(t.a, t.pose_a, t.b, t.pose_b, verdict), k);
    EXPECT_FALSE(check_overlap(t.a, t.pose_a, t.b, t.pose_b, !verdict).ok) << k;
    for (int lie = 0; lie < kResultLies; ++lie) {
      // A wide bracket may be wider.
      if (r.status != Status::converged && (lie == 1 || lie == 2)) continue;
      const PlanarResult told = lie_about(r, static_cast<std::uint32_t>(lie), random, t.size);
      EXPECT_FALSE(check(t.a, t.pose_a, t.b, t.pose_b, told).ok)
          << k << ' ' << lie << ": " << r.distance << ' ' << told.distance << " normals "
          << r.normal.x << ' ' << r.normal.y << ' ' << told.normal.x << ' ' << told.normal.y;
    }
  }
  tally.expect_proved(0.999);
}

TEST_P(PlanarLies, AboutCasts) {
  Tally tally;
  int hits = 0;
  for (int k = 0; k < detail::test::effort(2000) && !HasFailure(); ++k) {
    const Things t = draw(static_cast<std::uint64_t>(k) + 1000000, GetParam(), k % 8 == 7);
    Random random(static_cast<std::uint64_t>(k), 1);
    const PlanarCast c = cast_of(t);
    const auto report = [&](const PlanarCast& told) {
      return check(t.a, t.pose_a, t.motion_a, t.b, t.pose_b, t.motion_b, told);
    };
    tally.take(report(c), k);
    hits += c.hit == PlanarHit::yes && c.time > 0.0 ? 1 : 0;
    for (int lie = 0; lie < kCastLies; ++lie) {
      const PlanarCast told = lie_about(c, static_cast<std::uint32_t>(lie), random, t);
      if (told.time == c.time && lie == 8) continue;
      // Both ends of a wide bracket may be others, and so may the reason why it is wide.
      if (c.status != Status::converged && (lie == 5 || lie == 7 || lie == 9)) continue;
      // Without relative motion a later `time_upper` is true: regions that meet do so at all times.
      if (lie == 9 && norm(t.motion_b.linear - t.motion_a.linear) < 1e-2 * t.size) continue;
      EXPECT_FALSE(report(told).ok)
          << k << ' ' << lie << ": at " << c.time << ' ' << told.time << " distance " << c.distance
          << ' ' << told.distance << " normals " << c.normal.x << ' ' << c.normal.y << ' '
          << told.normal.x << ' ' << told.normal.y;
    }
  }
  tally.expect_proved(0.999);
  EXPECT_GT(hits, tally.asked / 40);
}

constexpr int kTouchLies = 10;
std::vector<Touch> lie_about(std::vector<Touch> found, std::uint32_t kind, Random& random,
                             double size) {
  const auto k = static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(found.size())));
  Touch& t = found[k];
  if (kind == 0) t.point = t.point + slip_aside(random, size);
  if (kind == 1) t.part += slip(random, size);
  if (kind == 2) t.depth += slip(random, size);
  if (kind == 3) t.normal = turned(random, t.normal, false);
  if (kind == 4) t.angle += random.below(4) == 0 ? 6.283185307179586 : slip(random, 6.0);
  if (kind == 5) t.segment += 1 + random.below(3);
  if (kind == 6) t.contour += 1 + random.below(3);
  if (kind == 7) t.kind = static_cast<TouchKind>((static_cast<std::uint32_t>(t.kind) + 2) % 4);
  if (kind == 8) found.erase(found.begin() + static_cast<std::ptrdiff_t>(k));
  if (kind == 9) found.insert(found.begin() + static_cast<std::ptrdiff_t>(k), Touch(t));
  return found;
}

TEST_P(PlanarLies, AboutTouches) {
  Tally tally;
  for (int k = 0; k < detail::test::effort(2000) && !HasFailure(); ++k) {
    Random random(static_cast<std::uint64_t>(k), 2);
    const PlanarCase c = planar_case(random, GetParam());
    const PlanarShape other =
        random.below(2) == 0 ? PlanarShape(Region(c.a))
                             : PlanarShape(Contour(c.a, random.below(2) == 0, Crossings::accept));
    const bool whole = GetParam() == PlanarGrid::whole;
    const Circle circle(whole ? static_cast<double>(random.below(9)) : random.uniform(0.0, 8.0));
    const double x = planar_coordinate(random, GetParam());
    const double y = planar_coordinate(random, GetParam());
    // On the boundary, or anywhere.
    Vec2 at{x, y};
    if (random.below(4) == 0) at = c.a[random.below(static_cast<std::uint32_t>(c.a.size()))];
    if (random.below(4) == 0) at = (c.a[0] + c.a[1]) * 0.5;
    const Pose2 pose_circle(c.pose_a.to_world(at), 0.0);
    const double threshold = random.below(3) == 0 ? 1.0 : 0.0;
    std::vector<Touch> found;
    std::visit(
        [&](const auto& o) {
          if constexpr (requires { touches(circle, pose_circle, o, c.pose_a, found); })
            touches(circle, pose_circle, o, c.pose_a, found, threshold);
        },
        other);
    const auto report = [&](const std::vector<Touch>& told) {
      return check(circle, pose_circle, other, c.pose_a, told, threshold);
    };
    tally.take(report(found), k);
    for (int lie = 0; lie < kTouchLies && !found.empty(); ++lie) {
      const auto kind = static_cast<std::uint32_t>(lie);
      const std::vector<Touch> told = lie_about(found, kind, random, planar_size(c));
      // At the very end of the reach a touch may be told or not.
      if (kind == 8 && std::any_of(found.begin(), found.end(), [&](const Touch& t) {
            return std::fabs(circle.radius() - t.depth) > circle.radius() + threshold - 1e-9;
          })) {
        continue;
      }
      EXPECT_FALSE(report(told).ok) << k << ' ' << lie;
    }
  }
  tally.expect_proved(0.999);
}

// A box without its corner in a corner: the least way out leads along both walls, where two slides
// cross. That through a wall is a way out as well, and longer.
TEST(PlanarWayOut, ALongerOneIsNotTheDepth) {
  const PlanarShape corner = Region({{0, 0}, {10, 0}, {10, -1}, {-1, -1}, {-1, 10}, {0, 10}});
  const PlanarShape box =
      Region({{0.25, -0.125}, {0.75, -0.125}, {0.75, 0.875}, {-0.25, 0.875}, {-0.25, 0.5}});
  const PlanarResult right = distance(std::get<Region>(corner), {}, std::get<Region>(box), {});
  EXPECT_NEAR(right.distance, -norm(Vec2{0.25, 0.125}), 1e-13);
  EXPECT_TRUE(check(corner, {}, box, {}, right).ok);
  PlanarResult longer = right;
  longer.distance = longer.lower = longer.upper = -1.75;
  longer.normal = {-1, 0};
  longer.point_a = {-1, 0.5};
  longer.point_b = {0.75, 0.5};
  const CheckReport report = check(corner, {}, box, {}, longer);
  EXPECT_EQ(report[Claim::upper], Proof::refuted);
  for (const Claim c : {Claim::value, Claim::lower, Claim::normal, Claim::points, Claim::relation})
    EXPECT_EQ(report[c], Proof::proved) << report.failure;
}

}  // namespace
