#include <gtest/gtest.h>

#include "tactus/core/random.hpp"
#include "tactus/planar.hpp"
#include "tests/support/effort.hpp"

// Batches and caches: the answers of single queries that begin from nothing.
namespace {

using namespace tactus;
using namespace tactus::planar;
using detail::Random;

constexpr double kTurn = 6.28318530717958647692;

Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// Round or notched, of 3 to 40 corners: served with and without trees.
Region random_region(Random& random) {
  const int count = 3 + static_cast<int>(random.below(random.below(2) == 0 ? 10 : 38));
  const double notch = random.below(2) == 0 ? 0.0 : 0.4;
  std::vector<Vec2> points;
  for (int i = 0; i < count; ++i)
    points.push_back(polar(1.0 - notch * random.uniform(0.0, 1.0), kTurn * i / count));
  return Region(points);
}

Pose2 random_pose(Random& random, double far) {
  return Pose2({random.uniform(-far, far), random.uniform(-far, far)}, random.uniform(-4.0, 4.0));
}

bool same_bits(const PlanarResult& x, const PlanarResult& y) {
  return x.status == y.status && x.distance == y.distance && x.lower == y.lower &&
         x.upper == y.upper && x.normal == y.normal && x.point_a == y.point_a &&
         x.point_b == y.point_b;
}

bool same_bits(const PlanarContact& x, const PlanarContact& y) {
  return x.point_a == y.point_a && x.point_b == y.point_b && x.normal == y.normal &&
         x.depth == y.depth && x.stretch == y.stretch;
}

bool same_bits(const Touch& x, const Touch& y) {
  return x.point == y.point && x.contour == y.contour && x.segment == y.segment &&
         x.part == y.part && x.normal == y.normal && x.angle == y.angle && x.depth == y.depth &&
         x.kind == y.kind;
}

struct Scene {
  std::vector<Region> shapes;
  std::vector<PlacedRegion> regions;
  std::vector<PlanarPair> pairs;

  explicit Scene(std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 12; ++i) shapes.push_back(random_region(random));
    for (std::size_t i = 0; i < 40; ++i)
      regions.push_back({&shapes[i % shapes.size()], random_pose(random, 5.0)});
    for (std::size_t a = 0; a < regions.size(); ++a) {
      for (std::size_t b = a + 1; b < regions.size(); b += 3) pairs.push_back({a, b});
    }
  }
};

TEST(PlanarBatch, HasTheBitsOfSingleDistances) {
  const Scene scene(1);
  for (const int threads : {1, 2, 3}) {
    std::vector<PlanarResult> out(scene.pairs.size());
    std::vector<PlanarCache> caches(scene.pairs.size()), single(scene.pairs.size());
    for (const bool warm : {false, true}) {
      distance(scene.regions, scene.pairs, out, caches, threads);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const PlacedRegion &a = scene.regions[scene.pairs[i].a],
                           &b = scene.regions[scene.pairs[i].b];
        EXPECT_TRUE(same_bits(out[i], distance(*a.region, a.pose, *b.region, b.pose, &single[i])))
            << i << " " << warm;
        EXPECT_EQ(caches[i], single[i]);
      }
    }
  }
}

TEST(PlanarBatch, HasTheContactsOfSingleQueries) {
  const Scene scene(2);
  for (const int threads : {1, 3}) {
    std::vector<PlanarContacts> out(scene.pairs.size());
    contacts(scene.regions, scene.pairs, out, 0.05, threads);
    std::size_t found = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const PlacedRegion &a = scene.regions[scene.pairs[i].a], &b = scene.regions[scene.pairs[i].b];
      PlanarContacts single;
      contacts(*a.region, a.pose, *b.region, b.pose, single, 0.05);
      ASSERT_EQ(out[i].all().size(), single.all().size());
      for (std::size_t k = 0; k < single.all().size(); ++k)
        EXPECT_TRUE(same_bits(out[i].all()[k], single.all()[k]));
      found += single.all().size();
    }
    EXPECT_GT(found, 20U);
  }
}

TEST(PlanarBatch, HasTheTouchesOfSingleQueries) {
  Random random(3);
  const Region region = random_region(random);
  const Contour& contour = region.contours()[0];
  std::vector<PlacedCircle> circles;
  for (int i = 0; i < 200; ++i)
    circles.push_back({Circle(random.uniform(0.1, 0.8)), random_pose(random, 2.0).position()});
  circles[7].position.x = std::numeric_limits<double>::quiet_NaN();
  const Pose2 pose({0.2, -0.1}, 0.4);
  std::vector<std::vector<Touch>> on_curve(circles.size()), on_region(circles.size());
  touches(circles, contour, pose, on_curve, 0.1, 2);
  touches(circles, region, pose, on_region, 0.1, 2);
  EXPECT_TRUE(on_curve[7].empty());
  EXPECT_TRUE(on_region[7].empty());
  std::vector<Touch> single;
  const auto expect_same = [&](const std::vector<Touch>& batch) {
    ASSERT_EQ(batch.size(), single.size());
    for (std::size_t k = 0; k < single.size(); ++k) EXPECT_TRUE(same_bits(batch[k], single[k]));
  };
  for (std::size_t i = 0; i < circles.size(); ++i) {
    if (i == 7) continue;
    touches(circles[i].circle, Pose2(circles[i].position, 0.0), contour, pose, single, 0.1);
    expect_same(on_curve[i]);
    touches(circles[i].circle, Pose2(circles[i].position, 0.0), region, pose, single, 0.1);
    expect_same(on_region[i]);
  }
}

template <class Call>
std::string refused_field(Call&& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "";
}

TEST(PlanarBatch, RefusesWhatDoesNotFit) {
  const Scene scene(4);
  std::vector<PlanarResult> out(scene.pairs.size());
  std::vector<PlanarCache> caches(3);
  std::vector<std::vector<Touch>> touched;
  const std::vector<PlacedCircle> circles(2, {Circle(1.0), {}});
  EXPECT_EQ(refused_field([&] { distance(scene.regions, scene.pairs, std::span(out).first(2)); }),
            "out");
  EXPECT_EQ(refused_field([&] { distance(scene.regions, scene.pairs, out, caches); }), "caches");
  EXPECT_EQ(refused_field([&] { touches(circles, scene.shapes[0].contours()[0], {}, touched); }),
            "out");
  auto pairs = scene.pairs;
  pairs[5].b = scene.regions.size();
  EXPECT_EQ(refused_field([&] { distance(scene.regions, pairs, out); }), "pairs[5]");
  auto regions = scene.regions;
  regions[scene.pairs[0].a].region = nullptr;
  EXPECT_EQ(refused_field([&] { distance(regions, scene.pairs, out); }), "pairs[0]");
}

// Along a motion, and from any content of the cache.
TEST(PlanarCache, ChangesAnswersByNoMoreThanTheirBrackets) {
  Random random(5);
  int apart = 0, deep = 0;
  for (int n = 0; n < detail::test::effort(300); ++n) {
    const Region a = random_region(random), b = random_region(random);
    const Pose2 start = random_pose(random, 3.0);
    const Vec2 way{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
    PlanarCache cache;
    for (int step = 0; step < 12; ++step) {
      if (step == 6) cache = {random.below(60), random.below(60)};
      const Pose2 pose = start.turned_by(0.1 * step, start.position() + way * step);
      const PlanarResult warm = distance(a, {}, b, pose, &cache), cold = distance(a, {}, b, pose);
      ASSERT_EQ(warm.status, cold.status);
      ASSERT_EQ(warm.distance < 0.0, cold.distance < 0.0);
      ASSERT_LE(std::fmax(warm.lower, cold.lower), std::fmin(warm.upper, cold.upper)) << n;
      ASSERT_NEAR(norm(warm.point_b - warm.point_a), std::fabs(warm.distance), 3e-14);
      (warm.distance > 0.0 ? apart : deep) += 1;
    }
  }
  EXPECT_GT(apart, 20);
  EXPECT_GT(deep, 20);
}

}  // namespace
