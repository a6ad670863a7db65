// Every algorithm that can be asked for, on every kind of convex pair: none contradicts the
// default.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

// Loops of one query one after another, each with the cap of the options.
constexpr int kLoops = 3;
// Beyond this fraction of the size, touching is no excuse for an open verdict.
constexpr double kClear = 1e-6;

struct Pair {
  const Shape& a;
  Pose pose_a;
  const Shape& b;
  Pose pose_b;
};

std::string describe(const DistanceResult& r) {
  char text[160];
  std::snprintf(text, sizeof text, "%.17g in [%.17g, %.17g], %.*s, %d", r.distance, r.lower,
                r.upper, static_cast<int>(to_string(r.status).size()), to_string(r.status).data(),
                r.iterations);
  return text;
}

void expect_no_contradiction(const DistanceResult& r, const DistanceResult& right) {
  EXPECT_LE(r.lower, r.distance) << describe(r);
  EXPECT_LE(r.distance, r.upper) << describe(r);
  EXPECT_LE(r.lower, right.upper) << describe(r) << " against " << describe(right);
  EXPECT_GE(r.upper, right.lower) << describe(r) << " against " << describe(right);
}

enum class Position : std::uint8_t { general, special };

// The methods that decide every pair that does not touch. Where all orientations tie, Chung and
// Wang's points may give no tetrahedron around the origin but flat ones.
bool decides(Method method, Position position) {
  switch (method) {
    case Method::gjk:
    case Method::gjk_nesterov:
    case Method::gjk_signed_volumes:
    case Method::mpr:
      return true;
    case Method::chung_wang:
      return position == Position::general;
    default:
      return false;
  }
}

void expect_agreement(const Pair& p, Position position) {
  const DistanceResult right = distance(p.a, p.pose_a, p.b, p.pose_b);
  for (const Method method : kMethods) {
    SCOPED_TRACE(std::string(to_string(method)));
    QueryOptions options;
    options.method = method;
    Certificate certificate;
    options.certificate = &certificate;
    const DistanceResult r = distance(p.a, p.pose_a, p.b, p.pose_b, options);
    if (r.status == Status::unsupported) continue;
    expect_no_contradiction(r, right);
    EXPECT_LE(r.iterations, kLoops * options.max_iterations);
    options.certificate = nullptr;
    const CheckReport report = check(p.a, p.pose_a, p.b, p.pose_b, r, &certificate);
    EXPECT_FALSE(report.refuted()) << report.failure << ' ' << describe(r);
    EXPECT_EQ(report[Claim::lower], Proof::proved) << report.failure << ' ' << describe(r);
    // The textbook methods' witnesses need not fit as closely as those of the others must.
    const bool custom = p.a.type() == ShapeType::custom || p.b.type() == ShapeType::custom;
    if (r.status == Status::converged && method <= Method::epa && !custom) {
      EXPECT_TRUE(report.ok) << report.failure << ' ' << describe(r);
    }
    expect_no_contradiction(distance(p.b, p.pose_b, p.a, p.pose_a, options), right);

    const OverlapResult o = overlap(p.a, p.pose_a, p.b, p.pose_b, options);
    if (o.overlap == Overlap::yes) {
      EXPECT_LE(right.lower, 0.0) << describe(o.proof);
    } else if (o.overlap == Overlap::no) {
      EXPECT_GE(right.upper, 0.0) << describe(o.proof);
    } else {
      EXPECT_FALSE(decides(method, position) && std::fabs(right.distance) > kClear)
          << describe(o.proof) << " against " << describe(right);
    }
  }
}

class Methods : public testing::Test {
 protected:
  // `place` gives the pose of B; A's is random.
  template <class Place>
  void for_pairs(std::uint64_t seed, int count, Place place,
                 Position position = Position::general) {
    for (int n = 0; n < test::effort(count); ++n) {
      Random random(seed * 1000003 + static_cast<std::uint64_t>(n));
      const std::vector<Shape> shapes = every_convex_shape(random);
      const auto kinds = static_cast<std::uint32_t>(shapes.size());
      const Shape& a = shapes[random.below(kinds)];
      const Shape& b = shapes[random.below(kinds)];
      SCOPED_TRACE(testing::Message() << "seed " << seed << " pair " << n);
      expect_agreement(place(a, b, random), position);
      if (HasFailure()) return;
    }
  }
};

TEST_F(Methods, AgreeOnOverlappingPairs) {
  for_pairs(1, 600, [](const Shape& a, const Shape& b, Random& random) {
    return Pair{a, random_pose(random, 0.3), b, random_pose(random, 0.3)};
  });
}

TEST_F(Methods, AgreeNearContact) {
  for_pairs(2, 600, [](const Shape& a, const Shape& b, Random& random) {
    return Pair{a, random_pose(random, 0.6), b, random_pose(random, 0.6)};
  });
}

TEST_F(Methods, AgreeOnDeepPairs) {
  for_pairs(3, 400, [](const Shape& a, const Shape& b, Random& random) {
    const double reach = random.below(2) == 0 ? 0.0 : std::pow(10.0, random.uniform(-15.0, -2.0));
    return Pair{a, random_pose(random, reach), b, random_pose(random, reach)};
  });
}

TEST_F(Methods, AgreeFarAway) {
  for_pairs(4, 300, [](const Shape& a, const Shape& b, Random& random) {
    const Vec3 far{random.uniform(-1e6, 1e6), 1e6, 3e5};
    Pose pose_a = random_pose(random, 1.0), pose_b = random_pose(random, 1.0);
    if (random.below(2) == 0) {
      pose_a = detail::unchecked_pose(pose_a.position() + far, pose_a.rotation());
    }
    pose_b = detail::unchecked_pose(pose_b.position() + far, pose_b.rotation());
    return Pair{a, pose_a, b, pose_b};
  });
}

TEST_F(Methods, AgreeOnTouchingPairs) {
  for_pairs(5, 400, [](const Shape& a, const Shape& b, Random& random) {
    const Pose pose_a = random_pose(random, 0.5), pose_b = random_pose(random, 0.5);
    const DistanceResult r = distance(a, pose_a, b, pose_b);
    const double off = random.below(2) == 0 ? 0.0 : std::pow(10.0, random.uniform(-14.0, -4.0));
    const Vec3 onto = r.normal * (off - r.distance);
    return Pair{a, pose_a, b, detail::unchecked_pose(pose_b.position() + onto, pose_b.rotation())};
  });
}

// Parallel faces, edges and axes, corners above corners: every orientation test is a tie.
TEST_F(Methods, AgreeOnAlignedPairs) {
  constexpr double kHalf = 0.70710678118654752;
  const Quat turns[] = {Quat{1, 0, 0, 0}, Quat{kHalf, kHalf, 0, 0}, Quat{kHalf, 0, kHalf, 0},
                        Quat{0, 0, 0, 1}};
  for_pairs(
      6, 600,
      [&](const Shape& a, const Shape& b, Random& random) {
        const auto step = [&] { return 0.125 * (static_cast<double>(random.below(13)) - 6.0); };
        const double x = step(), y = random.below(2) == 0 ? 0.0 : step();
        const double z = random.below(2) == 0 ? 0.0 : step();
        return Pair{a, Pose(Vec3{}, normalized(turns[random.below(4)])), b,
                    Pose(Vec3{x, y, z}, normalized(turns[random.below(4)]))};
      },
      Position::special);
}

}  // namespace
}  // namespace tactus::detail
