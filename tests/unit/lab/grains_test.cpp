#include "lab/grains/grains.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/experiment.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::lab {
namespace {

TEST(Grains, TheFitFindsTheLawThatMadeTheRates) {
  std::vector<grains::Discharge> all;
  for (const double opening : {4.0, 5.0, 7.0}) {
    const double rate = 0.58 * 1400.0 * std::sqrt(grains::kGravity) *
                        std::pow((opening - 1.4) * grains::kDiameter, 2.5);
    all.push_back({opening, rate, 1400.0, 0.56, 0.65});
  }
  const grains::Beverloo law = grains::fit_beverloo(all);
  EXPECT_NEAR(law.c, 0.58, 1e-12);
  EXPECT_NEAR(law.k, 1.4, 1e-12);
  EXPECT_LT(law.scatter, 1e-12);
  all[1].rate *= 1.2;
  EXPECT_GT(grains::fit_beverloo(all).scatter, 0.05);
}

TEST(Grains, ACubeUnderPressureHasTheFrictionOfGrains) {
  TACTUS_LONG_TEST();
  const grains::Compression c = grains::compress(0.5, 0.5, {216, 1, 1});
  EXPECT_NEAR(c.critical, 20.5, 5.0);
  EXPECT_GT(c.peak, c.critical);
  EXPECT_NEAR(c.solid_fraction, 0.55, 0.05);
  EXPECT_LT(c.pressure_off, 0.2);
  const grains::Compression again = grains::compress(0.5, 0.5, {216, 1, 2});
  EXPECT_EQ(again.critical, c.critical);
  EXPECT_NE(find_experiment("grains"), nullptr);
}

TEST(Grains, NothingFlowsOnAGentleSlope) {
  TACTUS_LONG_TEST();
  EXPECT_LT(grains::chute(16.0, {126, 1, 1}).speed, 1e-2);
  const grains::Chute flow = grains::chute(30.0, {126, 1, 1});
  EXPECT_GT(flow.speed, 0.1);
}

}  // namespace
}  // namespace tactus::detail::lab
