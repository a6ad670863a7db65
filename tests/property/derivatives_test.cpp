#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "tactus/query.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/every_kind.hpp"

// Derivatives of the signed distance against finite differences, for every ordered pair of kinds:
// where they are claimed, both one-sided differences agree with them; where differences agree, they
// are claimed.
namespace tactus::detail {
namespace {

// Steps of differences, a length and an angle. A kink keeps its jump from one to the next, a
// curved distance a tenth.
constexpr double kSteps[] = {1e-5, 1e-6, 1e-7};
constexpr double kShrunk = 0.4;
// One-sided differences at 1e-6 and derivatives that differ by no more agree, beside what the
// brackets leave open.
constexpr double kAgree = 2e-6;
// Brackets that leave more open judge nothing.
constexpr double kUsable = 1e-6;
// Answers that claim nothing where they could, in generic poses: one in a thousand.
constexpr int kOneIn = 1000;

Pose moved_along(const Pose& p, int axis, double by) {
  Vec3 shift;
  shift[axis % 3] = by;
  if (axis < 3) return unchecked_pose(p.position() + shift, p.rotation());
  return unchecked_pose(p.position(), rotation_by(shift) * p.rotation());
}

// The distance of one pair about one place.
class Place {
 public:
  Place(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
      : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b) {
    tight_.tolerance = 1e-14;
    here_ = distance(a, pose_a, b, pose_b, tight_);
    if (here_.status == Status::unsupported) {
      tight_.signed_distance = false;
      here_ = distance(a, pose_a, b, pose_b, tight_);
    }
    QueryOptions options;
    options.signed_distance = tight_.signed_distance;
    options.derivatives = &derivatives_;
    answer_ = distance(a, pose_a, b, pose_b, options);
  }

  bool answered() const { return here_.status != Status::unsupported; }
  const DistanceResult& answer() const { return answer_; }
  const Derivatives& derivatives() const { return derivatives_; }

  // The farthest that one-sided differences are from the derivatives.
  double miss(double step) {
    double most = 0.0;
    open_ = here_.upper - here_.lower;
    for (int i = 0; i < 24; ++i) {
      const int axis = i % 6;
      const double by = i < 12 ? step : -step;
      const bool of_a = i % 12 < 6;
      const Derivatives& d = derivatives_;
      const Vec3& slope =
          of_a ? (axis < 3 ? d.linear_a : d.angular_a) : (axis < 3 ? d.linear_b : d.angular_b);
      const DistanceResult there =
          distance(a_, of_a ? moved_along(pose_a_, axis, by) : pose_a_, b_,
                   of_a ? pose_b_ : moved_along(pose_b_, axis, by), tight_);
      open_ = std::max(open_, there.upper - there.lower);
      most = std::max(most, std::fabs((there.distance - here_.distance) / by - slope[axis % 3]));
    }
    return most;
  }
  // The widest bracket of the last differences.
  double open() const { return open_; }

 private:
  const Shape &a_, &b_;
  Pose pose_a_, pose_b_;
  QueryOptions tight_;
  DistanceResult here_, answer_;
  Derivatives derivatives_;
  double open_ = 0.0;
};

struct Count {
  int generic = 0, claimed = 0, left_out = 0, aligned = 0, kinks = 0;
};

void judge(Place& place, bool generic, Count& count) {
  const bool smooth = place.derivatives().smooth;
  EXPECT_EQ(place.answer().unique, smooth);
  const double coarse = place.miss(kSteps[0]), fine = place.miss(kSteps[1]);
  const double open = place.open() / kSteps[1];
  if (!(open < kUsable)) return;
  const double slack = kAgree + 4.0 * open;
  const bool agree = fine <= slack || fine <= 0.5 * kShrunk * coarse;
  if (!generic) ++count.aligned;
  if (!agree && fine > kShrunk * coarse) {
    ++count.kinks;
    if (smooth) {
      // A kink between both steps is none here.
      const double finest = place.miss(kSteps[2]);
      EXPECT_FALSE(finest > kAgree + 8.0 * place.open() / kSteps[2] && finest > kShrunk * fine)
          << "claimed, but differences miss by " << coarse << ", " << fine << ", " << finest;
    }
  }
  if (!generic || !agree) return;
  ++count.generic;
  ++(smooth ? count.claimed : count.left_out);
}

double one_of(Random& random, std::initializer_list<double> list) {
  return list.begin()[random.below(static_cast<std::uint32_t>(list.size()))];
}

Mat3 quarter_turns(Random& random) {
  Mat3 turn = Mat3::identity();
  for (int i = 0; i < 3; ++i) {
    Mat3 quarter = Mat3::zero();
    const auto axis = static_cast<int>(random.below(3));
    quarter(axis, axis) = 1.0;
    quarter((axis + 1) % 3, (axis + 2) % 3) = -1.0;
    quarter((axis + 2) % 3, (axis + 1) % 3) = 1.0;
    turn = quarter * turn;
  }
  return turn;
}

enum class Poses { far, deep, near, aligned, coaxial };

std::pair<Pose, Pose> draw(Poses kind, const Shape& a, const Shape& b, Random& random) {
  const double reach = kind == Poses::far ? 2.0 : kind == Poses::deep ? 0.4 : 1.0;
  const Pose pose_a = random_pose(random, reach);
  Pose pose_b = random_pose(random, reach);
  if (kind == Poses::far || kind == Poses::deep) return {pose_a, pose_b};
  if (kind == Poses::near) {
    const DistanceResult r = distance(a, pose_a, b, pose_b);
    if (!std::isfinite(r.distance) || !(r.distance > 0.0)) return {pose_a, pose_b};
    const double gap = one_of(random, {1e-2, 1e-3, 1e-4, -1e-3});
    return {pose_a,
            unchecked_pose(pose_b.position() - r.normal * (r.distance - gap), pose_b.rotation())};
  }
  // Common axes, in places where faces, edges and corners meet each other; or one common axis.
  Mat3 frame = pose_a.rotation();
  if (random.below(2) == 0) frame = Mat3::identity();
  const double x = one_of(random, {0.0, 0.0, 0.1, 0.25, 0.5, 0.65, 0.8, 1.0});
  const double y = one_of(random, {0.0, 0.0, 0.1, 0.25, 0.5, 0.65, 0.8, 1.1});
  const double z = one_of(random, {0.0, 0.1, 0.3, 0.5, 0.7, 1.2, 1.5});
  Vec3 offset = quarter_turns(random) * Vec3{x, y, z};
  Mat3 turn_a = quarter_turns(random), turn_b = quarter_turns(random);
  if (kind == Poses::coaxial) {
    turn_a = rotation_by({0.0, 0.0, random.uniform(-3.0, 3.0)}) * turn_a;
    turn_b = rotation_by({0.0, 0.0, random.uniform(-3.0, 3.0)}) * turn_b;
    const double side = random.below(2) == 0 ? 0.0 : 0.8;
    offset.x = random.uniform(-1.0, 1.0) * side;
    offset.y = random.uniform(-1.0, 1.0) * side;
    offset.z = random.uniform(-1.5, 1.5);
  }
  pose_b = unchecked_pose(pose_a.position() + frame * offset, frame * turn_b);
  return {unchecked_pose(pose_a.position(), frame * turn_a), pose_b};
}

TEST(Derivatives, AreClaimedExactlyWhereDifferencesAgree) {
  Random random(83);
  const std::vector<test::NamedShape> shapes = test::every_kind(random);
  Count count;
  const int poses = test::effort(2);
  int turn = 0;
  for (const test::NamedShape& a : shapes) {
    for (const test::NamedShape& b : shapes) {
      for (int n = 0; n < poses; ++n) {
        const auto kind = static_cast<Poses>(turn++ % 5);
        SCOPED_TRACE(a.name + " - " + b.name + ", poses of kind " +
                     std::to_string(static_cast<int>(kind)) + ", number " + std::to_string(n));
        const auto [pose_a, pose_b] = draw(kind, a.shape, b.shape, random);
        Place place(a.shape, pose_a, b.shape, pose_b);
        if (place.answered()) judge(place, kind < Poses::aligned, count);
      }
    }
  }
  EXPECT_LE(count.left_out, 1 + count.generic / kOneIn);
  EXPECT_GT(count.generic, 200 * poses);
  EXPECT_GT(count.kinks, count.aligned / 8);
  RecordProperty("generic", count.generic);
  RecordProperty("claimed", count.claimed);
  RecordProperty("left_out", count.left_out);
  RecordProperty("aligned", count.aligned);
  RecordProperty("kinks", count.kinks);
}

}  // namespace
}  // namespace tactus::detail
