// Impacts of flat and of needle-like ellipsoids carry certificates that prove them, of few steps.
// The last gap before the contact is below the tolerance of a search for long: a direction that is
// right to it shows nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

// 65,536 steps took seconds; the longest proof of 60,000 random impacts has 2,813.
constexpr std::size_t kMostSteps = 4096;

Vec3 vector_of(Random& random, double most) {
  const double x = random.uniform(-most, most), y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

Quat orientation_of(Random& random) {
  const Vec3 v = vector_of(random, 1.0);
  return normalized(Quat{random.uniform(-1.0, 1.0), v.x, v.y, v.z});
}

Shape partner(Random& random, double flat) {
  switch (random.below(8)) {
    case 0:
      return Ellipsoid({1.0, 1.0, flat});
    case 1:
      return Ellipsoid({1.0, 0.01, flat});
    case 2:
      return Cylinder(0.5, 1.0);
    case 3:
      return Box({1.0, 1.0, 1.0});
    default:
      return Box({1.0, 1.0, flat});
  }
}

struct Counts {
  int hits = 0, proved = 0;
  std::size_t steps = 0;
};

void look_at_impact(Random& random, Counts& counts) {
  const double flat = std::pow(10.0, random.uniform(-6.0, -5.0));
  const double longer = random.uniform(0.25, 1.0);
  const Vec3 radii = random.below(2) == 0 ? Vec3{1.0, longer, flat} : Vec3{longer, flat, flat};
  const Shape a{Ellipsoid(radii)}, b = partner(random, flat);
  const Vec3 way = normalized(vector_of(random, 1.0));
  const Pose pose_a({}, orientation_of(random));
  const Pose pose_b(way * random.uniform(0.5, 2.5), orientation_of(random));
  const double spin = std::pow(10.0, random.uniform(-1.0, 1.5));
  const RigidMotion motion_a{{}, vector_of(random, spin)};
  const RigidMotion motion_b{way * -random.uniform(0.0, 3.0), {}};
  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const CastResult r = impact(a, pose_a, motion_a, b, pose_b, motion_b, options);
  std::size_t steps = 0;
  for (const Certificate::Apart& apart : certificate.apart) steps += apart.steps.size();
  counts.steps = std::max(counts.steps, steps);
  counts.hits += r.hit == Overlap::yes ? 1 : 0;
  const CheckReport report = check(a, pose_a, motion_a, b, pose_b, motion_b, r, &certificate);
  EXPECT_FALSE(report.refuted()) << report.failure;
  counts.proved += report.ok ? 1 : 0;
}

TEST(FlatImpact, CertificatesProveThemInFewSteps) {
  const int cases = test::effort(1000);
  Random random(77);
  Counts counts;
  for (int i = 0; i < cases; ++i) look_at_impact(random, counts);
  EXPECT_LE(counts.steps, kMostSteps);
  // Measured: all but 0.1 % of 20,000 impacts are proved.
  EXPECT_GE(counts.proved, cases - 1 - cases / 200);
  EXPECT_GT(counts.hits, cases / 3);
  RecordProperty("steps", std::to_string(counts.steps));
}

}  // namespace
}  // namespace tactus::detail
