// Trees of links and joints: what the constructor refuses, and the poses of links against long
// double arithmetic of the test's own.
#include "tactus/robot.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_robots.hpp"

namespace tactus::detail {
namespace {

using Real = long double;
using Matrix = std::array<std::array<Real, 4>, 4>;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t j = 0; j < 4; ++j) c[i][k] += a[i][j] * b[j][k];
  return c;
}

Matrix matrix_of(const Pose& pose) {
  Matrix m{};
  for (int i = 0; i < 3; ++i) {
    const auto r = static_cast<std::size_t>(i);
    for (int k = 0; k < 3; ++k) m[r][static_cast<std::size_t>(k)] = pose.rotation()(i, k);
    m[r][3] = pose.position()[i];
  }
  m[3][3] = 1;
  return m;
}

Matrix shift(Real x, Real y, Real z) {
  Matrix m = matrix_of({});
  m[0][3] = x;
  m[1][3] = y;
  m[2][3] = z;
  return m;
}

/// By a unit quaternion: another way than that of the library.
Matrix turn(std::array<Real, 3> axis, Real angle) {
  const Real length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const Real s = std::sin(angle / 2) / length, w = std::cos(angle / 2);
  const Real x = axis[0] * s, y = axis[1] * s, z = axis[2] * s;
  Matrix m = matrix_of({});
  m[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 0};
  m[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 0};
  m[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), 0};
  return m;
}

/// Motion of a joint by its definition; `q` its values.
Matrix motion(const RobotJoint& joint, const std::vector<Real>& q) {
  const std::array<Real, 3> a{joint.axis.x, joint.axis.y, joint.axis.z};
  const Real length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  switch (joint.type) {
    case RobotJointType::fixed:
      return matrix_of({});
    case RobotJointType::prismatic:
      return shift(a[0] / length * q[0], a[1] / length * q[0], a[2] / length * q[0]);
    case RobotJointType::planar: {
      // The turn that leads z to the axis: about their cross product.
      const Matrix to = turn({-a[1], a[0], 0}, std::acos(a[2] / length));
      const Matrix back = turn({-a[1], a[0], 0}, -std::acos(a[2] / length));
      return product(product(to, product(shift(q[0], q[1], 0), turn({0, 0, 1}, q[2]))), back);
    }
    case RobotJointType::floating: {
      const Matrix yaw = turn({0, 0, 1}, q[5]), pitch = turn({0, 1, 0}, q[4]);
      return product(product(shift(q[0], q[1], q[2]), yaw), product(pitch, turn({1, 0, 0}, q[3])));
    }
    default:
      return turn(a, q[0]);
  }
}

std::vector<Matrix> reference_poses(const Robot& robot, const std::vector<double>& values) {
  const auto& joints = robot.joints();
  const std::function<std::vector<Real>(std::uint32_t)> of = [&](std::uint32_t i) {
    if (joints[i].mimic) {
      const Real led = of(joints[i].mimic->joint)[0];
      return std::vector<Real>{joints[i].mimic->multiplier * led + joints[i].mimic->offset};
    }
    std::vector<Real> q;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (robot.coordinates()[k].joint == i) q.push_back(values[k]);
    return q;
  };
  std::vector<Matrix> poses(robot.links().size(), matrix_of({}));
  for (std::size_t link = 0; link < poses.size(); ++link) {
    // From the link up to the root.
    for (std::uint32_t at = static_cast<std::uint32_t>(link); at != robot.root();) {
      std::uint32_t i = 0;
      while (joints[i].child != at) ++i;
      const Matrix step = product(matrix_of(joints[i].origin), motion(joints[i], of(i)));
      poses[link] = product(step, poses[link]);
      at = joints[i].parent;
    }
  }
  return poses;
}

// Law: poses are those of exact kinematics up to roundings.
TEST(RobotPoses, AreThoseOfExtendedPrecision) {
  Random random(11);
  for (int round = 0; round < test::effort(60); ++round) {
    const Robot robot = test::random_robot(random, 2 + random.below(10));
    const std::vector<double> values = test::random_configuration(random, robot);
    std::vector<Pose> poses(robot.links().size());
    robot.link_poses(values, poses);
    const std::vector<Matrix> expected = reference_poses(robot, values);
    for (std::size_t link = 0; link < poses.size(); ++link)
      for (int i = 0; i < 3; ++i) {
        const auto& row = expected[link][static_cast<std::size_t>(i)];
        EXPECT_NEAR(poses[link].position()[i], static_cast<double>(row[3]), 1e-13);
        for (int k = 0; k < 3; ++k)
          EXPECT_NEAR(poses[link].rotation()(i, k),
                      static_cast<double>(row[static_cast<std::size_t>(k)]), 1e-13);
      }
  }
}

// Fifty-digit values of a chain of three joints, made by mpmath: the end of
// Rz(0.7) Tx(0.4) Ry(-1.1) Tz(0.25) T(axis (1,2,2)/3, 0.3) on the point (0.1, -0.2, 0.3).
TEST(RobotPoses, OfAChainHaveFiftyDigitValues) {
  std::vector<RobotLink> links(4);
  for (std::size_t i = 0; i < 4; ++i) links[i].name = "l" + std::to_string(i);
  const Robot robot(
      "chain", links,
      {{"a", RobotJointType::continuous, 0, 1, {}, {0, 0, 1}},
       {"b", RobotJointType::revolute, 1, 2, Pose::translation({0.4, 0, 0}), {0, 5, 0}, -2, 2},
       {"c", RobotJointType::prismatic, 2, 3, Pose::translation({0, 0, 0.25}), {1, 2, 2}, -1, 1}});
  std::vector<Pose> poses(4);
  robot.link_poses(std::vector<double>{0.7, -1.1, 0.3}, poses);
  const Vec3 end = poses[3].to_world({0.1, -0.2, 0.3});
  EXPECT_NEAR(end.x, -0.135901975100291954217762674384, 1e-15);
  EXPECT_NEAR(end.y, -0.114468654508958673149962846287, 1e-15);
  EXPECT_NEAR(end.z, 0.518438563081470050765888515911, 1e-15);
}

TEST(RobotCoordinates, LeaveOutJointsThatFollow) {
  std::vector<RobotLink> links(4);
  for (std::size_t i = 0; i < 4; ++i) links[i].name = "l" + std::to_string(i);
  std::vector<RobotJoint> joints{{"a", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}, 0.5, 2},
                                 {"b", RobotJointType::prismatic, 0, 2, {}, {1, 0, 0}, -1, 1},
                                 {"c", RobotJointType::planar, 0, 3, {}, {0, 0, 1}}};
  joints[1].mimic = RobotMimic{0, -2.0, 0.25};
  const Robot robot("fingers", links, joints);
  ASSERT_EQ(robot.coordinates().size(), 4u);
  EXPECT_EQ(robot.find_coordinate("a"), 0u);
  EXPECT_EQ(robot.find_coordinate("b"), std::nullopt);
  EXPECT_EQ(robot.find_coordinate("c/angle"), 3u);
  EXPECT_TRUE(robot.coordinates()[3].angle);
  EXPECT_EQ(robot.zero_configuration(), (std::vector<double>{0.5, 0, 0, 0}));
  std::vector<Pose> poses(4);
  robot.link_poses(std::vector<double>{1.5, 0, 0, 0}, poses);
  EXPECT_EQ(poses[2].position().x, -2.75);
}

/// The field that the constructor names.
std::string refused(
    const std::function<void(std::vector<RobotLink>&, std::vector<RobotJoint>&)>& spoil) {
  std::vector<RobotLink> links{{"a", {}}, {"b", {}}, {"c", {}}};
  std::vector<RobotJoint> joints{{"ab", RobotJointType::revolute, 0, 1, {}, {0, 0, 1}, -1, 1},
                                 {"bc", RobotJointType::prismatic, 1, 2, {}, {0, 0, 1}, -1, 1}};
  spoil(links, joints);
  try {
    const Robot robot("r", links, joints);
    return "";
  } catch (const InvalidInput& error) {
    return error.field();
  }
}

TEST(Robot, RefusesWhatIsNoTree) {
  using Links = std::vector<RobotLink>&;
  using Joints = std::vector<RobotJoint>&;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused([](Links, Joints) {}), "");
  EXPECT_EQ(refused([](Links l, Joints j) {
              l.clear();
              j.clear();
            }),
            "links");
  EXPECT_EQ(refused([](Links l, Joints) { l[2].name = "a"; }), "links[2].name");
  EXPECT_EQ(refused([](Links, Joints j) { j[1].name = ""; }), "joints[1].name");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].parent = 9; }), "joints[0].parent");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].child = 9; }), "joints[0].child");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].child = 0; }), "joints[0].child");
  EXPECT_EQ(refused([](Links, Joints j) { j[1].child = 1, j[1].parent = 2; }), "joints[1].child");
  EXPECT_EQ(refused([](Links, Joints j) { j.pop_back(); }), "links[2]");
  EXPECT_EQ(refused([](Links, Joints j) { j.push_back({"ca", RobotJointType::fixed, 2, 0}); }),
            "joints[0]");
  EXPECT_EQ(refused([](Links l, Joints j) {
              l.push_back({"d", {}});
              j[0] = {"bc2", RobotJointType::fixed, 2, 1};
              j.push_back({"ad", RobotJointType::fixed, 0, 3});
            }),
            "joints[0]");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].axis = {}; }), "joints[0].axis");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].axis.x = kNan; }), "joints[0].axis");
  EXPECT_EQ(refused([](Links, Joints j) { j[1].lower = 2; }), "joints[1].limit");
  EXPECT_EQ(refused([](Links, Joints j) { j[1].upper = kNan; }), "joints[1].limit");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].mimic = RobotMimic{7}; }), "joints[0].mimic");
  EXPECT_EQ(refused([](Links, Joints j) { j[0].mimic = RobotMimic{0}; }), "joints[0].mimic");
  EXPECT_EQ(
      refused([](Links, Joints j) { j[0].mimic = RobotMimic{1}, j[1].mimic = RobotMimic{0}; }),
      "joints[0].mimic");
  EXPECT_EQ(refused([](Links, Joints j) {
              j[0].type = RobotJointType::planar, j[1].mimic = RobotMimic{0};
            }),
            "joints[1].mimic");
}

// A chain of 1e5 links whose joints all follow the one before, and a comb of as many.
TEST(Robot, MayHaveAHundredThousandLinks) {
  constexpr std::uint32_t kLinks = 100000;
  for (const bool chain : {true, false}) {
    std::vector<RobotLink> links(kLinks);
    std::vector<RobotJoint> joints(kLinks - 1);
    for (std::uint32_t i = 0; i < kLinks; ++i) links[i].name = "l" + std::to_string(i);
    for (std::uint32_t i = 1; i < kLinks; ++i) {
      RobotJoint& joint = joints[i - 1];
      joint = {"j" + std::to_string(i), RobotJointType::prismatic, chain ? i - 1 : 0, i};
      if (i > 1) joint.mimic = RobotMimic{i - 2};
    }
    const Robot robot("long", links, joints);
    EXPECT_EQ(robot.coordinates().size(), 1u);
    std::vector<Pose> poses(kLinks);
    robot.link_poses(std::vector<double>{1.0}, poses);
    EXPECT_EQ(poses[kLinks - 1].position().x, chain ? kLinks - 1.0 : 1.0);
  }
}

TEST(MovablePairs, LeaveOutWhatIsJoined) {
  // base - a - (empty) - b - c, and d fixed to b.
  const RobotBody ball{Sphere(0.1), {}, ""};
  const std::vector<RobotLink> links{{"base", {ball}}, {"a", {ball}}, {"empty", {}},
                                     {"b", {ball}},    {"c", {ball}}, {"d", {ball}}};
  const Robot robot("r", links,
                    {{"1", RobotJointType::continuous, 0, 1},
                     {"2", RobotJointType::continuous, 1, 2},
                     {"3", RobotJointType::continuous, 2, 3},
                     {"4", RobotJointType::continuous, 3, 4},
                     {"5", RobotJointType::fixed, 4, 5}});
  const std::vector<RobotPair> expected{{0, 3}, {0, 4}, {0, 5}, {1, 4}, {1, 5}, {3, 5}};
  EXPECT_EQ(movable_pairs(robot), expected);
  // Two children of a link without bodies may be two arms: they are asked.
  const Robot fork("r", {{"base", {ball}}, {"empty", {}}, {"b", {ball}}, {"c", {ball}}},
                   {{"1", RobotJointType::continuous, 0, 1},
                    {"2", RobotJointType::continuous, 1, 2},
                    {"3", RobotJointType::continuous, 1, 3}});
  EXPECT_EQ(movable_pairs(fork), (std::vector<RobotPair>{{2, 3}}));
}

}  // namespace
}  // namespace tactus::detail
