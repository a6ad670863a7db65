#include "lab/speeds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tactus/core/random.hpp"
#include "tests/support/effort.hpp"

namespace tactus::detail::lab {
namespace {

constexpr std::size_t kCount = 500;

// Uniform on the sphere of one energy: normal deviates, scaled.
std::vector<Vec3> velocities_of_energy(Random& random, double speed) {
  std::vector<Vec3> all;
  double square = 0.0;
  for (std::size_t i = 0; i < kCount; ++i) {
    Vec3 v;
    // The polar method; the second deviate is dropped.
    for (int axis = 0; axis < 3; ++axis) {
      double x = 0.0, s = 0.0;
      do {
        x = random.uniform(-1.0, 1.0);
        const double y = random.uniform(-1.0, 1.0);
        s = x * x + y * y;
      } while (s >= 1.0 || s == 0.0);
      v[axis] = x * std::sqrt(-2.0 * std::log(s) / s);
    }
    square += squared_norm(v);
    all.push_back(v);
  }
  const double factor = speed * std::sqrt(static_cast<double>(kCount) / square);
  for (Vec3& v : all) v = v * factor;
  return all;
}

// The scatter of many gases of one energy is what errors_at_fixed_energy says.
TEST(Speeds, ErrorsAtFixedEnergyAreTheScatter) {
  Random random(3);
  const auto repeats = static_cast<std::size_t>(test::effort(1500));
  const double speed = 10.0;
  const Moments right = maxwell_boltzmann(speed);
  Moments square;
  for (std::size_t k = 0; k < repeats; ++k) {
    const Moments m = moments_of(speeds_of(velocities_of_energy(random, speed)));
    square.mean += (m.mean - right.mean) * (m.mean - right.mean);
    square.variance += (m.variance - right.variance) * (m.variance - right.variance);
    square.median += (m.median - right.median) * (m.median - right.median);
    square.skewness += (m.skewness - right.skewness) * (m.skewness - right.skewness);
  }
  const Moments error = errors_at_fixed_energy(speed, static_cast<double>(kCount));
  const auto root = [&](double sum) { return std::sqrt(sum / static_cast<double>(repeats)); };
  // The scatter of a scatter, five times; and the bias of so few spheres.
  const double near = 5.0 / std::sqrt(2.0 * static_cast<double>(repeats)) + 0.02;
  EXPECT_NEAR(root(square.mean) / error.mean, 1.0, near);
  EXPECT_NEAR(root(square.variance) / error.variance, 1.0, near);
  EXPECT_NEAR(root(square.median) / error.median, 1.0, near);
  EXPECT_NEAR(root(square.skewness) / error.skewness, 1.0, near);
}

// The mean of a gas of fixed energy scatters four times less than that of independent speeds.
TEST(Speeds, TheMeanIsJudgedFourTimesAsStrictly) {
  const Moments right = maxwell_boltzmann(10.0);
  const double independent = std::sqrt(right.variance / 64000.0);
  EXPECT_NEAR(errors_at_fixed_energy(10.0, 64000.0).mean, independent / 3.947, 1e-5);
  // mean^2 + variance is the mean square, in theory too.
  EXPECT_NEAR(right.mean * right.mean + right.variance, 100.0, 1e-12);
  EXPECT_NEAR(share_below(right.median, 10.0), 0.5, 1e-15);
}

// Speeds that are a hundredth too fast, or all alike, are seen; the source's own figures are not
// refuted.
TEST(Speeds, OtherDistributionsAreSeen) {
  Moments m = maxwell_boltzmann(10.0);
  EXPECT_EQ(off_theory(m, 10.0, 64000.0).mean, 0.0);
  m.mean *= 1.01;
  EXPECT_GT(off_theory(m, 10.0, 64000.0).mean, 20.0);
  const Moments alike = moments_of({9.999999, 10.0, 10.0, 10.0, 10.000002});
  EXPECT_GT(off_theory(alike, 10.0, 64000.0).median, 50.0);
  const Moments source = off_theory({9.2214, 15.0545, 8.8890, 0.4836}, 10.0, 64000.0);
  EXPECT_LT(source.mean, 3.0);
  EXPECT_LT(source.skewness, 3.0);
}

}  // namespace
}  // namespace tactus::detail::lab
