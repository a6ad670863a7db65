// Pairs sorted by whether they can touch: known answers, and proofs against samples.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tactus/robot.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/random_robots.hpp"

namespace tactus::detail {
namespace {

TEST(ClassifyPairs, KnowsASliderWithinItsLimits) {
  // A cart on a rail of links: it stays off `far`, meets `near` at the end of its way, and `inside`
  // lies within it.
  const auto ball = [](double x, double radius) {
    return std::vector<RobotBody>{{Sphere(radius), Pose::translation({x, 0, 0}), ""}};
  };
  const Robot robot("r",
                    {{"base", ball(0, 0.1)},
                     {"rail"},
                     {"cart", ball(0, 0.1)},
                     {"far", ball(3, 0.1)},
                     {"near", ball(1, 0.1)},
                     {"around", ball(0.5, 2.0)}},
                    {{"a", RobotJointType::fixed, 0, 1},
                     {"b", RobotJointType::prismatic, 4, 2, {}, {1, 0, 0}, 0.3, 0.85},
                     {"c", RobotJointType::fixed, 1, 3},
                     {"d", RobotJointType::prismatic, 1, 4, {}, {0, 1, 0}, 0.0, 0.0},
                     {"e", RobotJointType::prismatic, 4, 5, {}, {0, 0, 1}, 0.0, 0.1}});
  std::map<std::pair<std::string, std::string>, PairReport> found;
  for (const PairReport& report : classify_pairs(robot))
    found[{robot.links()[report.pair.a].name, robot.links()[report.pair.b].name}] = report;
  const auto at = [&](const char* a, const char* b) { return found.at({a, b}); };
  EXPECT_EQ(found.size(), 10u);
  EXPECT_EQ(at("base", "far").contact, PairContact::adjacent);
  EXPECT_EQ(at("cart", "near").contact, PairContact::adjacent);
  EXPECT_EQ(at("cart", "far").contact, PairContact::never);
  EXPECT_TRUE(at("cart", "far").proved);
  EXPECT_EQ(at("base", "cart").contact, PairContact::never);
  EXPECT_TRUE(at("base", "cart").proved);
  EXPECT_EQ(at("cart", "around").contact, PairContact::always);
  EXPECT_FALSE(at("cart", "around").proved);
  // Farther than 0.2 apart, they are not.
  PairOptions options;
  options.clearance = 0.2;
  for (const PairReport& report : classify_pairs(robot, options)) {
    const bool is_cart = report.pair == RobotPair{0, 2};
    EXPECT_TRUE(!is_cart || report.contact == PairContact::sometimes);
  }
}

// Law: no configuration brings a pair into contact that is proved never to be; and threads change
// nothing.
TEST(ClassifyPairs, ProvesNothingThatSamplesRefute) {
  Random random(31);
  int proved = 0, sometimes = 0;
  for (int round = 0; round < test::effort(25); ++round) {
    const Robot robot = test::random_robot(random, 3 + random.below(5), true, 0.3);
    PairOptions options;
    options.samples = 50;
    options.max_boxes = 300;
    const std::vector<PairReport> reports = classify_pairs(robot, options);
    options.max_threads = 1;
    const std::vector<PairReport> again = classify_pairs(robot, options);
    ASSERT_EQ(reports.size(), again.size());
    std::vector<RobotPair> never;
    for (std::size_t i = 0; i < reports.size(); ++i) {
      EXPECT_EQ(reports[i].contact, again[i].contact);
      EXPECT_EQ(reports[i].proved, again[i].proved);
      sometimes += reports[i].contact == PairContact::sometimes ? 1 : 0;
      if (reports[i].contact != PairContact::never || !reports[i].proved) continue;
      never.push_back(reports[i].pair);
    }
    proved += static_cast<int>(never.size());
    const RobotCollision collision(robot, never);
    for (int k = 0; k < 200 && !never.empty(); ++k)
      EXPECT_GT(collision.clearance(test::random_configuration(random, robot)).upper, 0.0) << round;
  }
  EXPECT_GT(proved, test::effort(25) / 5);
  EXPECT_GT(sometimes, 0);
}

}  // namespace
}  // namespace tactus::detail
