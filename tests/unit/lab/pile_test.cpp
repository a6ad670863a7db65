#include "lab/pile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/experiment.hpp"

namespace tactus::detail::lab {
namespace {

constexpr std::size_t kSpheres = 0, kCubes = 3;

Settings bodies(std::uint64_t count) {
  Settings settings;
  settings.pairs = count;
  settings.threads = 1;
  return settings;
}

TEST(LabPile, SpheresRestAsDenseAsTheyDo) {
  const Pile pile = make_pile(bodies(100), kSpheres, 1);
  EXPECT_LT(pile.rms_speed, 0.01);
  EXPECT_LT(pile.penetration, 1e-4);
  // Random packings of spheres fill 55 to 64 percent; walls thin them out.
  EXPECT_GT(pile.fraction_of_base, 40.0);
  EXPECT_LT(pile.fraction_of_base, 64.0);
  EXPECT_EQ(pile.disagreements, 0u);
  EXPECT_GT(pile.pairs, pile.contact_pairs);
  // Two spheres touch in one point.
  EXPECT_GT(pile.contact_pairs, 100u);
  EXPECT_EQ(pile.shared_pairs, 0u);
}

TEST(LabPile, CubesLieOnFacesToo) {
  const Pile pile = make_pile(bodies(40), kCubes, 1);
  EXPECT_GT(pile.shared_pairs, 10u);
  EXPECT_EQ(pile.differences.size(), pile.pairs);
  EXPECT_LE(*std::max_element(pile.differences.begin(), pile.differences.end()), 1e-12);
}

TEST(LabPile, SeesADetectorThatIsWrong) {
  Settings wrong = bodies(20);
  wrong.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::epa) r.distance += 1e-6;
    return r;
  };
  const Pile pile = make_pile(wrong, kSpheres, 1);
  EXPECT_EQ(pile.disagreements, pile.pairs);
  EXPECT_GT(pile.pairs, 0u);
}

TEST(LabBruteForce, BodiesInABoxPassAndCanFail) {
  Settings settings = bodies(60);
  const Report good = run_bruteforce_world(settings);
  EXPECT_TRUE(good.ok()) << to_text(good);
  settings.ask = [](const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const QueryOptions& options) {
    DistanceResult r = distance(a, pose_a, b, pose_b, options);
    if (options.method == Method::epa) r.upper = r.lower = r.distance = r.distance + 1.0;
    return r;
  };
  const Report bad = run_bruteforce_world(settings);
  EXPECT_FALSE(bad.bars[0].ok());
  EXPECT_FALSE(bad.incidents.empty());
}

}  // namespace
}  // namespace tactus::detail::lab
