#include "lab/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus::detail::lab {
namespace {

TEST(Errors, LargestMeanAndQuantiles) {
  Errors errors;
  for (int i = 1; i <= 10000; ++i) errors.add(1e-9 * i);
  EXPECT_EQ(errors.count(), 10000u);
  EXPECT_DOUBLE_EQ(errors.largest(), 1e-5);
  EXPECT_NEAR(errors.mean(), 5.0005e-6, 1e-12);
  for (const double share : {0.5, 0.99, 0.9999}) {
    EXPECT_GE(errors.quantile(share), 1e-5 * share * (1.0 - 1e-12));
    EXPECT_LE(errors.quantile(share), 1e-5 * share * 1.036);
  }
}

TEST(Errors, SumsAreThoseOfAllTogether) {
  Errors odd, even, all;
  for (int i = 0; i < 1000; ++i) {
    const double error = std::ldexp(1.0, -(i % 60));
    (i % 2 == 0 ? even : odd).add(error);
    all.add(error);
  }
  odd += even;
  EXPECT_EQ(odd.count(), all.count());
  EXPECT_EQ(odd.largest(), all.largest());
  EXPECT_EQ(odd.quantile(0.9), all.quantile(0.9));
}

TEST(Errors, ZeroAndHugeErrorsAreCounted) {
  Errors errors;
  errors.add(0.0);
  errors.add(1e300);
  EXPECT_EQ(errors.count(), 2u);
  EXPECT_LE(errors.quantile(0.5), 1e-18);
  EXPECT_EQ(errors.largest(), 1e300);
}

TEST(Degrees, AreThoseOfTheAngle) {
  EXPECT_NEAR(degrees_between({1, 0, 0}, {0, 1, 0}), 90.0, 1e-13);
  EXPECT_NEAR(degrees_between({1, 0, 0}, {1, 1e-9, 0}), 1e-9 * 180.0 / 3.14159265358979, 1e-18);
}

}  // namespace
}  // namespace tactus::detail::lab
