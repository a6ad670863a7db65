#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/every_kind.hpp"

// Derivatives of the time of a first contact, by both poses and both motions, against finite
// differences: casts and impacts of every ordered pair of kinds.
namespace tactus::detail {
namespace {

constexpr double kSteps[] = {1e-5, 1e-6};
// The miss of a difference of a function that is not smooth keeps more than this part when the step
// shrinks to a tenth.
constexpr double kShrunk = 0.4;
// Error allowed of one-sided differences at 1e-6, beside the width of the brackets: relative to the
// largest derivative.
constexpr double kAgree = 1e-5;
// Brackets that leave more open, or contacts at slower speeds, judge nothing.
constexpr double kUsable = 1e-5, kLargest = 20.0;
constexpr int kOneIn = 200;

struct Case {
  Pose pose_a, pose_b;
  RigidMotion motion_a, motion_b;
};

// One of 24 numbers that the time depends on: poses, then motions.
Case changed(Case c, int number, double by) {
  Vec3 shift;
  shift[number % 3] = by;
  Pose& pose = number % 12 < 6 ? c.pose_a : c.pose_b;
  RigidMotion& motion = number % 12 < 6 ? c.motion_a : c.motion_b;
  const bool linear = number % 6 < 3;
  if (number >= 12) {
    (linear ? motion.linear : motion.angular) += shift;
  } else if (linear) {
    pose = unchecked_pose(pose.position() + shift, pose.rotation());
  } else {
    pose = unchecked_pose(pose.position(), rotation_by(shift) * pose.rotation());
  }
  return c;
}

double slope_of(const Derivatives& d, int number) {
  const Vec3* const slopes[] = {&d.linear_a, &d.angular_a, &d.linear_b, &d.angular_b};
  return (*slopes[number / 3])[number % 3];
}

struct Count {
  int agree = 0, left_out = 0, kinks = 0, claimed = 0;
};

class Motion {
 public:
  Motion(const Shape& a, const Shape& b, bool turns, const Case& c)
      : a_(a), b_(b), phases_(turns), case_(c) {
    QueryOptions options;
    options.derivatives = &by_pose_;
    options.motion_derivatives = &by_motion_;
    here_ = ask(c, options);
  }

  CastResult ask(const Case& c, const QueryOptions& options) const {
    if (phases_) return impact(a_, c.pose_a, c.motion_a, b_, c.pose_b, c.motion_b, options);
    return cast(a_, c.pose_a, c.motion_a.linear, b_, c.pose_b, c.motion_b.linear, options);
  }
  const CastResult& answer() const { return here_; }
  const Derivatives& by_pose() const { return by_pose_; }
  const Derivatives& by_motion() const { return by_motion_; }
  double largest() const {
    double most = 1.0;
    for (int i = 0; i < 12; ++i)
      most = std::max(
          most, std::max(std::fabs(slope_of(by_pose_, i)), std::fabs(slope_of(by_motion_, i))));
    return most;
  }

  // The farthest that one-sided differences are from the derivatives.
  double miss(double step) {
    double most = 0.0;
    open_ = here_.time_upper - here_.time;
    QueryOptions tight;
    tight.tolerance = 1e-14;
    for (int i = 0; i < 48; ++i) {
      const int number = i % 24;
      // A cast knows no angular velocity.
      if (!phases_ && number >= 12 && number % 6 >= 3) continue;
      const double by = i < 24 ? step : -step;
      const CastResult there = ask(changed(case_, number, by), tight);
      if (there.hit != Overlap::yes) return std::numeric_limits<double>::infinity();
      open_ = std::max(open_, there.time_upper - there.time);
      const double slope = slope_of(number < 12 ? by_pose_ : by_motion_, number % 12);
      most = std::max(most, std::fabs((there.time - here_.time) / by - slope));
    }
    return most;
  }
  double open() const { return open_; }

 private:
  const Shape &a_, &b_;
  bool phases_;
  Case case_;
  CastResult here_;
  Derivatives by_pose_, by_motion_;
  double open_ = 0.0;
};

void judge(Motion& motion, Count& count) {
  const CastResult& r = motion.answer();
  if (r.hit != Overlap::yes || !(r.time > 0.0)) {
    EXPECT_EQ(motion.by_pose().linear_a, Vec3{});
    return;
  }
  const bool smooth = motion.by_pose().smooth;
  EXPECT_EQ(smooth, motion.by_motion().smooth);
  const double scale = motion.largest();
  if (scale > kLargest || r.time > 0.999) return;
  const double coarse = motion.miss(kSteps[0]) / scale, fine = motion.miss(kSteps[1]) / scale;
  const double open = motion.open() / kSteps[1];
  if (!(open < kUsable)) return;
  const double slack = kAgree + 4.0 * open;
  const bool agree = fine <= slack;
  const bool kink = !agree && !(fine <= kShrunk * coarse);
  count.kinks += kink ? 1 : 0;
  count.claimed += smooth ? 1 : 0;
  EXPECT_FALSE(smooth && kink) << "claimed, but differences miss by " << coarse << ", " << fine;
  if (!agree) return;
  ++count.agree;
  count.left_out += smooth ? 0 : 1;
}

RigidMotion towards(const Pose& from, const Pose& to, Random& random, double turn) {
  const Vec3 way = to.position() - from.position();
  const Vec3 aside{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)};
  const Vec3 angular{random.uniform(-turn, turn), random.uniform(-turn, turn),
                     random.uniform(-turn, turn)};
  return {way + aside, angular};
}

TEST(TimeDerivatives, AreClaimedExactlyWhereDifferencesAgree) {
  Random random(89);
  const std::vector<test::NamedShape> shapes = test::every_kind(random);
  Count count;
  const int cases = test::effort(1);
  int turn = 0;
  for (const test::NamedShape& a : shapes) {
    for (const test::NamedShape& b : shapes) {
      for (int n = 0; n < cases; ++n) {
        // A random third of the cases runs; every second one is aligned, every third an impact.
        if (random.below(3) != 0) continue;
        ++turn;
        const bool aligned = turn % 2 == 0, turns = turn % 3 == 0;
        SCOPED_TRACE(a.name + " - " + b.name + (turns ? ", impact " : ", cast ") +
                     (aligned ? "aligned " : "generic ") + std::to_string(n));
        Case c;
        c.pose_a = random_pose(random, 0.5);
        c.pose_b = random_pose(random, 2.5);
        if (aligned) {
          const double side = random.below(2) == 0 ? 0.0 : 0.3;
          const Vec3 up{random.uniform(-side, side), side, 2.0};
          c.pose_b =
              unchecked_pose(c.pose_a.position() + c.pose_a.rotation() * up, c.pose_a.rotation());
        }
        c.motion_b = towards(c.pose_b, c.pose_a, random, turns ? 1.0 : 0.0);
        if (aligned)
          c.motion_b = {c.pose_a.rotation() * Vec3{0.0, 0.0, -2.0}, {}};
        else
          c.motion_a = towards(c.pose_a, c.pose_b, random, turns ? 1.0 : 0.0);
        Motion motion(a.shape, b.shape, turns, c);
        judge(motion, count);
      }
    }
  }
  EXPECT_LE(count.left_out, 2 + count.agree / kOneIn);
  EXPECT_GT(count.agree, 50 * cases);
  EXPECT_GT(count.kinks, 8 * cases);
  RecordProperty("agree", count.agree);
  RecordProperty("left_out", count.left_out);
  RecordProperty("kinks", count.kinks);
}

}  // namespace
}  // namespace tactus::detail
