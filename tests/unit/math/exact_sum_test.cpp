// Sums without rounding against whole numbers of any size.
#include "tactus/math/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/big_integer.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail {
namespace {

using test::BigInteger;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr int kUnits = 1075;  // half of the least double is a whole number of 2^-1075

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

double sum_of(const std::vector<double>& summands) {
  ExactSum sum;
  for (const double x : summands) sum.add(x);
  return sum.value();
}

/// Any finite double with a power of two in a range.
double any_double(Random& random, int least_power, int most_power) {
  const auto span = static_cast<std::uint32_t>(most_power - least_power + 1);
  const int power = least_power + static_cast<int>(random.next() % span);
  return std::ldexp(random.uniform(-1.0, 1.0), power);
}

/// Is the value nearest to the sum, of two the one whose last bit is 0?
void expect_nearest(const std::vector<double>& summands, double value) {
  BigInteger sum;
  for (const double x : summands) sum = sum + BigInteger::scaled(x, kUnits);
  const BigInteger found = BigInteger::scaled(value, kUnits), twice = sum + sum;
  const bool even = bits_of(value) % 2 == 0;
  for (const double other : {std::nextafter(value, kInfinity), std::nextafter(value, -kInfinity)}) {
    const BigInteger middle = found + BigInteger::scaled(other, kUnits);
    const int side = (twice - middle).sign() * (other > value ? 1 : -1);
    EXPECT_TRUE(side < 0 || (side == 0 && even)) << value << " is not nearest, " << other << " is";
  }
}

TEST(ExactSum, IsTheDoubleNearestToTheSum) {
  Random random(1);
  for (int run = 0; run < test::effort(400); ++run) {
    // All near one another, many powers apart, or down to where doubles end.
    const std::pair<int, int> powers[] = {{-3, 3}, {-80, 80}, {-1074, -1000}, {900, 1015}};
    const auto [least, most] = powers[random.next() % 4];
    std::vector<double> summands(1 + random.next() % 30);
    for (double& x : summands) x = any_double(random, least, most);
    // Most cancel, and leave the last one.
    if (run % 2 == 0)
      for (std::size_t i = 1; i < summands.size(); i += 2) summands[i] = -summands[i - 1];
    expect_nearest(summands, sum_of(summands));
  }
}

TEST(ExactSum, RoundsHalvesToEven) {
  const double half = std::ldexp(1.0, -53);
  EXPECT_EQ(sum_of({1.0, half}), 1.0);
  EXPECT_EQ(sum_of({1.0, half, kLeast}), 1.0 + 2.0 * half);
  EXPECT_EQ(sum_of({1.0, half, -kLeast}), 1.0);
  EXPECT_EQ(sum_of({1.0 + 2.0 * half, half}), 1.0 + 4.0 * half);
  EXPECT_EQ(sum_of({-1.0, -half, -kLeast}), -1.0 - 2.0 * half);
  // The carry of a rounding passes all bits.
  EXPECT_EQ(sum_of({2.0 - 2.0 * half, half}), 2.0);
}

TEST(ExactSum, HoldsTheWholeRangeOfDoubles) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({-0.0}), 0.0);
  for (const double x : {kLeast, std::ldexp(1.0, -1022), std::ldexp(1.0, -1022) - kLeast, kLargest})
    for (const double sign : {1.0, -1.0}) EXPECT_EQ(sum_of({sign * x}), sign * x);
  EXPECT_EQ(sum_of({kLargest, kLargest, -kLargest, kLeast, -kLargest}), kLeast);
  EXPECT_EQ(sum_of({kLargest, kLargest}), kInfinity);
  EXPECT_EQ(sum_of({-kLargest, -kLargest}), -kInfinity);
  // The largest double and half of its last bit is where infinity begins.
  const double half = std::ldexp(1.0, 970);
  EXPECT_EQ(sum_of({kLargest, half}), kInfinity);
  EXPECT_EQ(sum_of({kLargest, half, -kLeast}), kLargest);
}

TEST(ExactSum, AddsWhatIsNotFiniteAsItsFormulaDoes) {
  EXPECT_EQ(sum_of({1.0, kInfinity}), kInfinity);
  EXPECT_EQ(sum_of({-kInfinity, kLargest}), -kInfinity);
  for (const double nan : {sum_of({kInfinity, -kInfinity}), sum_of({std::nan(""), kInfinity})}) {
    EXPECT_TRUE(std::isnan(nan));
    EXPECT_FALSE(std::signbit(nan));
  }
}

TEST(ExactSum, HasTheSameBitsInEveryOrderAndShare) {
  Random random(2);
  for (int run = 0; run < test::effort(200); ++run) {
    std::vector<double> summands(1 + random.next() % 200);
    for (double& x : summands) x = any_double(random, -60, 60);
    if (run % 8 == 0)
      summands[random.next() % summands.size()] = run % 16 == 0 ? kInfinity : kLargest;
    const std::uint64_t expected = bits_of(sum_of(summands));
    for (int order = 0; order < 4; ++order) {
      for (std::size_t i = summands.size(); i > 1; --i)
        std::swap(summands[i - 1], summands[random.next() % i]);
      ExactSum shares[5];
      for (const double x : summands) shares[random.next() % 5].add(x);
      ExactSum all;
      for (const ExactSum& share : shares) all.add(share);
      EXPECT_EQ(bits_of(all.value()), expected);
      EXPECT_EQ(bits_of(sum_of(summands)), expected);
    }
  }
}

TEST(ExactSum, DoesNotRunOutOfDigits) {
  // Each doubling adds a sum to itself: 2^64 summands, and all of them again.
  for (const double x : {3.0, -3.0}) {
    ExactSum sum;
    sum.add(x);
    for (int i = 0; i < 64; ++i) sum.add(ExactSum(sum));
    EXPECT_EQ(sum.value(), std::ldexp(x, 64));
  }
}

}  // namespace
}  // namespace tactus::detail
