// Searches of the plane that replace comparisons of all with all: what they find is what those
// would, and their work grows nearly with the number of corners.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/planar/depth/box_index.hpp"
#include "tactus/planar/depth/covered.hpp"
#include "tactus/planar/depth/depth.hpp"
#include "tactus/planar/depth/nearest_slides.hpp"
#include "tactus/planar/region/access.hpp"
#include "tactus/planar/region/nearest_in_run.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::effort;

constexpr double kTurn = 6.283185307179586;

Vec2 random_point(Random& random, double most) {
  const double x = random.uniform(-most, most), y = random.uniform(-most, most);
  return {x, y};
}

Vec2 whole(const Vec2& p) { return {std::floor(p.x + 0.5), std::floor(p.y + 0.5)}; }

// Star-shaped, rough; on whole coordinates with edges of the same direction and of no length.
Region star(Random& random, int corners, bool on_grid) {
  for (;;) {
    std::vector<Vec2> points;
    for (int i = 0; i < corners; ++i) {
      const double angle = kTurn * (i + random.uniform(0.1, 0.9)) / corners;
      const double r = 9.0 * random.uniform(0.4, 1.0);
      const Vec2 p{r * std::cos(angle), r * std::sin(angle)};
      points.push_back(on_grid ? whole(p) : p);
    }
    try {
      return Region(points);
    } catch (const InvalidInput&) {  // rounding has let its sides touch
      corners = std::max(3, corners * 3 / 4);
    }
  }
}

Region wavy(int corners) {
  std::vector<Vec2> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = kTurn * i / corners, r = 1.0 + 0.1 * std::sin(7.0 * angle);
    points.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return Region(points);
}

struct Case {
  Region a, b;
  Vec2 shift;
};

Case random_case(Random& random, int most) {
  const bool on_grid = random.uniform() < 0.5;
  const auto count = [&] { return 3 + static_cast<int>(random.uniform() * (most - 2)); };
  const int of_a = count(), of_b = count();
  Region a = star(random, of_a, on_grid), b = star(random, of_b, on_grid);
  const Vec2 shift = random_point(random, 12.0);
  return {std::move(a), std::move(b), on_grid ? whole(shift) : shift};
}

bool same_slide(const Slide& x, const Slide& y) {
  return x.distance == y.distance && x.edge == y.edge && x.corner == y.corner &&
         x.edge_of_a == y.edge_of_a && x.from == y.from && x.to == y.to;
}

// All pairs of a corner and an edge, sorted.
std::vector<Slide> all_slides(const Boundary& a, const Boundary& b, const Vec2& shift) {
  std::vector<Slide> all;
  for (const bool edge_of_a : {true, false}) {
    const Boundary &edges = edge_of_a ? a : b, &corners = edge_of_a ? b : a;
    for (std::uint32_t j = 0; j < corners.size(); ++j) {
      const Vec2& p = corners.points[j];
      const Ray in{p, corners.points[corners.previous[j]]}, out{corners.end(j), p};
      if (turn(in, out) <= 0) continue;
      for (std::uint32_t i = 0; i < edges.size(); ++i) {
        const Ray edge{edges.start(i), edges.end(i)};
        if (turn(in, edge) < 0 || turn(edge, out) < 0) continue;
        Slide s;
        s.edge = i;
        s.corner = j;
        s.edge_of_a = edge_of_a;
        s.from = (edge_of_a ? edge.from - p : p - edge.from) - shift;
        s.to = (edge_of_a ? edge.to - p : p - edge.to) - shift;
        Vec2 nearest;
        s.distance = s.from == s.to ? norm(s.from) : distance_to(s.from, s.to, nearest);
        all.push_back(s);
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const Slide& x, const Slide& y) {
    if (x.distance != y.distance) return x.distance < y.distance;
    if (x.edge_of_a != y.edge_of_a) return x.edge_of_a;
    return x.edge != y.edge ? x.edge < y.edge : x.corner < y.corner;
  });
  return all;
}

TEST(PlanarGrowth, SlidesComeInTheOrderOfAllOfThem) {
  Random random(431);
  for (int k = 0; k < effort(200); ++k) {
    const Case c = random_case(random, 90);
    const Boundary &a = PlanarAccess::boundary(c.a), &b = PlanarAccess::boundary(c.b);
    const std::vector<Slide> expected = all_slides(a, b, c.shift);
    NearestSlides slides(a, b, c.shift, 1e-13);
    std::size_t count = 0;
    while (const std::optional<Slide> next = slides.next()) {
      ASSERT_LT(count, expected.size());
      ASSERT_TRUE(same_slide(*next, expected[count])) << k << ' ' << count;
      ++count;
    }
    ASSERT_EQ(count, expected.size()) << k;
  }
}

TEST(PlanarGrowth, BoxIndexFindsAllThatMeet) {
  Random random(432);
  for (int k = 0; k < effort(60); ++k) {
    const bool on_grid = k % 2 == 0;
    BoxIndex index(40.0);
    std::vector<Box2> boxes;
    const double size = k % 3 == 0 ? 30.0 : 1.0;
    const auto random_box = [&] {
      const Vec2 from = random_point(random, 9.0), way = random_point(random, size);
      return on_grid ? box_of(whole(from), whole(from + way)) : box_of(from, from + way);
    };
    for (int i = 0; i < 300; ++i) {
      boxes.push_back(random_box());
      index.add(boxes.back());
      const Box2 box = random_box();
      std::vector<std::size_t> found, expected;
      index.visit(box, [&](std::uint32_t j) { found.push_back(j); });
      for (std::size_t j = 0; j < boxes.size(); ++j) {
        if (boxes[j].meets(box)) expected.push_back(j);
      }
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << k << ' ' << i;
    }
  }
}

// A verdict for a place does not depend on those before it; and what is covered is covered wherever
// the neighbourhood is put to the exact test.
TEST(PlanarGrowth, CoverageDoesNotDependOnWhatWasAskedBefore) {
  Random random(433);
  std::size_t covered = 0, bare = 0;
  for (int k = 0; k < effort(60); ++k) {
    const Case c = random_case(random, 150);
    const Boundary &a = PlanarAccess::boundary(c.a), &b = PlanarAccess::boundary(c.b);
    Covered asked_often(a, b, 12.0);
    for (int i = 0; i < 12; ++i) {
      const Vec2 place =
          i % 2 == 0 ? random_point(random, 20.0) : whole(random_point(random, 20.0));
      const double error = i % 3 == 0 ? 1e-3 : 1e-12;
      const bool verdict = asked_often(place, error);
      ASSERT_EQ(verdict, Covered(a, b, 12.0)(place, error)) << k << ' ' << i;
      const Vec2 off = random_point(random, 0.7 * error);
      (verdict ? covered : bare) += 1;
      if (verdict) {
        ASSERT_TRUE(interiors_meet(a, b, place + off)) << k << ' ' << i;
      } else if (error < 1e-6 && i % 2 == 0) {
        ASSERT_FALSE(interiors_meet(a, b, place)) << k << ' ' << i;
      }
    }
  }
  EXPECT_GT(covered, 10U);
  EXPECT_GT(bare, 10U);
}

TEST(PlanarGrowth, NearestInARunIsTheFirstOfTheNearest) {
  Random random(434);
  NearestInRun nearest;
  for (int k = 0; k < effort(300); ++k) {
    const bool on_grid = k % 2 == 0;
    const Region region = star(random, 4 + k % 90, on_grid);
    const Boundary& b = PlanarAccess::boundary(region);
    // Two runs of it, the second one before the first.
    std::vector<std::uint32_t> run;
    const auto size = static_cast<std::uint32_t>(b.size());
    for (std::uint32_t i = size / 2; i < size; ++i) run.push_back(i);
    for (std::uint32_t i = 0; i < size / 3; ++i) run.push_back(i);
    nearest.begin();
    for (const std::uint32_t i : run) nearest.add(b.start(i), b.end(i), i);
    nearest.prepare();
    for (int i = 0; i < 20; ++i) {
      Vec2 p = random_point(random, 10.0);
      if (on_grid) p = whole(p);
      Foot expected;
      for (const std::uint32_t e : run) {
        const Vec2 foot = foot_on(p, b.start(e), b.end(e));
        const double d = dot(foot - p, foot - p);
        if (d < expected.squared) expected = {d, foot, e};
      }
      const Foot found = nearest(p);
      ASSERT_EQ(found.squared, expected.squared) << k;
      ASSERT_EQ(found.edge, expected.edge) << k;
      ASSERT_EQ(found.place, expected.place) << k;
    }
  }
}

double exponent(double small, double large, double factor) {
  return std::log(large / small) / std::log(factor);
}

// Counted, not timed. Edge by edge and slide by slide these were 1.9.
TEST(PlanarGrowth, DepthOfRegionsIsNearlyLinear) {
  const auto work = [](int corners) {
    const Region region = wavy(corners);
    const PlanarDepth d =
        depth(PlanarAccess::boundary(region), PlanarAccess::boundary(region), {1.95, 0.1});
    EXPECT_GT(d.upper, 0.01);
    EXPECT_LE(d.upper - d.lower, 1e-12);
    return static_cast<double>(d.work);
  };
  EXPECT_LE(exponent(work(500), work(16000), 32.0), 1.15);
}

// A logarithm is 0.12 between these sizes, the square root that boxes of the edges leave 0.5.
TEST(PlanarGrowth, NearestAlongACurveIsNearlyConstant) {
  const auto work = [](int corners) {
    const Region region = wavy(corners);
    const Boundary& b = PlanarAccess::boundary(region);
    NearestInRun nearest;
    nearest.begin();
    for (std::uint32_t i = 0; i < b.size(); ++i) nearest.add(b.start(i), b.end(i), i);
    nearest.prepare();
    for (int i = 0; i < 50; ++i) {
      const double angle = 0.1 * i;
      nearest(Vec2{std::cos(angle), std::sin(angle)} * 0.87);
    }
    return static_cast<double>(nearest.work());
  };
  EXPECT_LE(exponent(work(500), work(32000), 64.0), 0.2);
}

}  // namespace
}  // namespace tactus::detail
