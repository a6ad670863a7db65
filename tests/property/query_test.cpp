#include "tactus/query.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/shape.hpp"
#include "tests/support/effort.hpp"

// Laws of the distance of every pair, whatever the answer is.
namespace tactus::detail {
namespace {

// Two proved brackets of the same truth intersect; poses that went through a rotation carry its
// rounding.
constexpr double kRoundingOfPoses = 1e-14;  // of size

struct Pair {
  Shape a;
  Pose pose_a;
  Shape b;
  Pose pose_b;

  DistanceResult ask(const QueryOptions& options = {}) const {
    return distance(a, pose_a, b, pose_b, options);
  }
  double size() const { return std::max(extent(a), extent(b)); }
};

class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed) {}

  double number(double low, double high) { return random_.uniform(low, high); }

  Vec3 vector(double reach) {
    const double x = number(-reach, reach);
    const double y = number(-reach, reach);
    const double z = number(-reach, reach);
    return {x, y, z};
  }

  Quat rotation() {
    for (;;) {
      const Vec3 v = vector(1.0);
      const Quat q{number(-1.0, 1.0), v.x, v.y, v.z};
      if (norm(q) > 0.1 && norm(q) < 1.0) return normalized(q);
    }
  }

  /// Position on a grid of 2^-20, so that shifts by whole numbers are exact.
  Pose pose(double reach) {
    Vec3 position = vector(reach);
    for (int i = 0; i < 3; ++i) position[i] = std::floor(position[i] * 0x1p20) * 0x1p-20;
    return {position, rotation()};
  }

  Shape shape(double scale = 1.0) {
    const std::uint32_t kind = random_.below(7);
    const double r = scale * number(0.2, 1.0), l = scale * number(0.2, 2.0);
    const double rounding = random_.below(3) == 0 ? scale * number(0.01, 0.2) : 0.0;
    const Vec3 size = Vec3{number(0.2, 2.0), number(0.2, 2.0), number(0.2, 2.0)} * scale;
    switch (kind) {
      case 0:
        return Sphere(r);
      case 1:
        return Shape(Box(size), rounding);
      case 2:
        return Capsule(r, l);
      case 3:
        return Shape(Cylinder(r, l), rounding);
      case 4:
        return Shape(Cone(r, l), rounding);
      case 5:
        return Shape(Ellipsoid(size * 0.5), rounding);
      default:
        break;
    }
    std::vector<Vec3> points;
    const std::uint32_t count = 4 + random_.below(40);
    for (std::uint32_t i = 0; i < count; ++i) points.push_back(vector(scale));
    return Shape(Convex(points), rounding);
  }

  Pair pair() {
    Shape a = shape();
    const Pose pose_a = pose(1.0);
    Shape b = shape();
    const Pose pose_b = pose(1.5);
    return {std::move(a), pose_a, std::move(b), pose_b};
  }

 private:
  Random random_;
};

std::string describe(const DistanceResult& r) {
  char text[160];
  std::snprintf(text, sizeof text, "%.17g in [%.17g, %.17g], %.*s", r.distance, r.lower, r.upper,
                static_cast<int>(to_string(r.status).size()), to_string(r.status).data());
  return text;
}

void expect_same_truth(const DistanceResult& x, const DistanceResult& y, double slack,
                       double shift = 0.0) {
  EXPECT_LE(x.lower + shift, y.upper + slack) << describe(x) << " against " << describe(y);
  EXPECT_GE(x.upper + shift, y.lower - slack) << describe(x) << " against " << describe(y);
}

class QueryProperties : public testing::Test {
 protected:
  template <class Body>
  void for_pairs(std::uint64_t seed, int count, Body body) {
    for (int i = 0; i < test::effort(count); ++i) {
      Source source(seed * 1000003 + static_cast<std::uint64_t>(i));
      const Pair pair = source.pair();
      SCOPED_TRACE(testing::Message() << "seed " << seed << " pair " << i);
      body(pair, source);
      if (HasFailure()) return;
    }
  }
};

TEST_F(QueryProperties, BracketsContainTheDistanceAndTheCheckerAgrees) {
  for_pairs(1, 2000, [](const Pair& p, Source&) {
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const DistanceResult r = p.ask(options);
    EXPECT_LE(r.lower, r.distance);
    EXPECT_LE(r.distance, r.upper);
    EXPECT_NEAR(norm(r.normal), 1.0, 1e-14);
    const CheckReport report = check(p.a, p.pose_a, p.b, p.pose_b, r, &certificate);
    EXPECT_TRUE(report.ok) << report.failure;
  });
}

TEST_F(QueryProperties, SwappingTheBodiesSwapsTheAnswer) {
  for_pairs(2, 2000, [](const Pair& p, Source&) {
    const DistanceResult forth = p.ask(), back = distance(p.b, p.pose_b, p.a, p.pose_a);
    EXPECT_EQ(forth.status, back.status);
    expect_same_truth(forth, back, 0.0);
    if (p.a.type() == p.b.type()) return;
    // Different types: one order is served by swapping the result of the other.
    if (forth.unique && back.unique) {
      EXPECT_NEAR(dot(forth.normal, back.normal), -1.0, 1e-13);
    }
  });
}

TEST_F(QueryProperties, AskingTwiceGivesTheSameBits) {
  for_pairs(3, 500, [](const Pair& p, Source&) {
    const DistanceResult one = p.ask(), two = p.ask();
    EXPECT_EQ(one.distance, two.distance);
    EXPECT_EQ(one.lower, two.lower);
    EXPECT_EQ(one.upper, two.upper);
    EXPECT_EQ(one.normal, two.normal);
    EXPECT_EQ(one.point_a, two.point_a);
    EXPECT_EQ(one.point_b, two.point_b);
  });
}

TEST_F(QueryProperties, MovingBothBodiesByAnExactShiftChangesNoBit) {
  for_pairs(4, 1000, [](const Pair& p, Source&) {
    const Vec3 shift{0x1p20, -0x1p21, 0x1p19};
    const Pair far{p.a, detail::unchecked_pose(p.pose_a.position() + shift, p.pose_a.rotation()),
                   p.b, detail::unchecked_pose(p.pose_b.position() + shift, p.pose_b.rotation())};
    const DistanceResult near = p.ask(), away = far.ask();
    EXPECT_EQ(near.distance, away.distance);
    EXPECT_EQ(near.lower, away.lower);
    EXPECT_EQ(near.upper, away.upper);
    EXPECT_EQ(near.normal, away.normal);
  });
}

TEST_F(QueryProperties, LengthsInAnotherUnitChangeNoBit) {
  for_pairs(12, 1000, [](const Pair& p, Source& source) {
    // A power of two, so that the scaled lengths are exact.
    const double unit = std::ldexp(1.0, static_cast<int>(source.number(-140.0, 140.0)));
    const auto in_unit = [unit](const Pose& pose) {
      return detail::unchecked_pose(pose.position() * unit, pose.rotation());
    };
    const Pair other{scaled(p.a, unit), in_unit(p.pose_a), scaled(p.b, unit), in_unit(p.pose_b)};
    const DistanceResult one = p.ask(), two = other.ask();
    EXPECT_EQ(one.distance * unit, two.distance);
    EXPECT_EQ(one.lower * unit, two.lower);
    EXPECT_EQ(one.upper * unit, two.upper);
    EXPECT_EQ(one.normal, two.normal);
    EXPECT_EQ(one.point_a * unit, two.point_a);
  });
}

TEST_F(QueryProperties, ARigidMotionOfBothKeepsTheDistance) {
  for_pairs(5, 2000, [](const Pair& p, Source& source) {
    const Pose motion = source.pose(3.0);
    const Pair moved{p.a, motion * p.pose_a, p.b, motion * p.pose_b};
    expect_same_truth(p.ask(), moved.ask(), kRoundingOfPoses * p.size());
  });
}

TEST_F(QueryProperties, ARoundingShiftsTheDistance) {
  for_pairs(6, 2000, [](const Pair& p, Source& source) {
    const double more = source.number(0.01, 0.5);
    const auto grown = [more](const Shape& s) {
      return std::visit([&](const auto& g) { return Shape(g, s.rounding_radius() + more); },
                        s.geometry());
    };
    const DistanceResult one = p.ask(), two = Pair{grown(p.a), p.pose_a, p.b, p.pose_b}.ask();
    expect_same_truth(one, two, kRoundingOfPoses * p.size(), -more);
  });
}

TEST_F(QueryProperties, OverlapAndContactsAgreeWithTheDistance) {
  for_pairs(7, 2000, [](const Pair& p, Source& source) {
    const DistanceResult d = p.ask();
    const OverlapResult o = overlap(p.a, p.pose_a, p.b, p.pose_b);
    if (o.overlap == Overlap::yes) {
      EXPECT_LE(d.lower, 0.0);
    }
    if (o.overlap == Overlap::no) {
      EXPECT_GE(d.upper, 0.0);
    }
    if (o.overlap == Overlap::undecided) {
      EXPECT_LE(o.proof.lower, 0.0);
      EXPECT_GE(o.proof.upper, 0.0);
    }
    QueryOptions options;
    options.margin = source.number(0.0, 0.5);
    Manifold manifold;
    const ContactsResult c = contacts(p.a, p.pose_a, p.b, p.pose_b, {&manifold, 1}, options);
    EXPECT_FALSE(c.truncated);
    if (d.lower > options.margin) {
      EXPECT_EQ(c.manifolds, 0);
    }
    if (d.upper < options.margin) {
      ASSERT_EQ(c.manifolds, 1);
      ASSERT_GE(manifold.count, 1);
      ASSERT_LE(manifold.count, Manifold::kCapacity);
      for (const ContactPoint& point : manifold.span()) {
        EXPECT_LE(point.depth, -c.distance.lower + 1e-9 * p.size());
        EXPECT_GE(point.depth, -options.margin - 1e-9 * p.size());
        EXPECT_NEAR(point.depth, dot(point.point_a - point.point_b, manifold.normal),
                    4e-14 * p.size());
      }
    }
  });
}

TEST_F(QueryProperties, MovingBOutByTheDepthSeparates) {
  for_pairs(8, 2000, [](const Pair& p, Source&) {
    const DistanceResult d = p.ask();
    if (d.upper >= 0.0) return;
    const Vec3 out = d.normal * (-d.lower + kRoundingOfPoses * p.size());
    const Pair moved{p.a, p.pose_a, p.b,
                     detail::unchecked_pose(p.pose_b.position() + out, p.pose_b.rotation())};
    EXPECT_GE(moved.ask().upper, 0.0) << describe(d);
  });
}

TEST_F(QueryProperties, ACacheNeverChangesTheTruth) {
  for_pairs(9, 500, [](const Pair& p, Source& source) {
    QueryCache cache;
    Pair moving = p;
    for (int step = 0; step < 5; ++step) {
      const Vec3 shift = source.vector(0.1);
      moving.pose_b = detail::unchecked_pose(moving.pose_b.position() + shift, p.pose_b.rotation());
      const DistanceResult cached =
          distance(moving.a, moving.pose_a, moving.b, moving.pose_b, {}, &cache);
      expect_same_truth(cached, moving.ask(), 0.0);
    }
  });
}

TEST_F(QueryProperties, StoppingEarlyStillHolds) {
  for_pairs(10, 1000, [](const Pair& p, Source& source) {
    QueryOptions options;
    options.max_distance = source.number(0.0, 1.0);
    expect_same_truth(p.ask(options), p.ask(), 0.0);
    options = {};
    options.max_iterations = 1 + static_cast<int>(source.number(0.0, 6.0));
    expect_same_truth(p.ask(options), p.ask(), 0.0);
    options = {};
    options.tolerance = std::pow(10.0, source.number(-12.0, -1.0));
    expect_same_truth(p.ask(options), p.ask(), 0.0);
  });
}

TEST_F(QueryProperties, APoseThatIsNotFiniteIsInvalidInput) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity};
  for_pairs(11, 50, [&](const Pair& p, Source&) {
    for (const double x : bad) {
      const Pose broken = detail::unchecked_pose({0.0, x, 0.0}, p.pose_b.rotation());
      const DistanceResult r = distance(p.a, p.pose_a, p.b, broken);
      EXPECT_EQ(r.status, Status::invalid_input);
      EXPECT_EQ(r.lower, -kInfinity);
      EXPECT_EQ(r.upper, kInfinity);
      EXPECT_EQ(overlap(p.a, broken, p.b, p.pose_b).overlap, Overlap::undecided);
    }
  });
}

}  // namespace
}  // namespace tactus::detail
