#include "lab/speeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/core/constants.hpp"

namespace tactus::detail::lab {
namespace {

// Median of the length of a vector whose three coordinates are standard normal.
constexpr double kMedian = 1.5381722544550522;

// Mean powers of that length, 0 to 6.
std::array<double, 7> powers() {
  const double one = std::sqrt(2.0 / kPi);
  return {1.0, 2.0 * one, 3.0, 8.0 * one, 15.0, 48.0 * one, 105.0};
}

double density(double x) { return std::sqrt(2.0 / kPi) * x * x * std::exp(-0.5 * x * x); }

// Root of the variance that is left of an influence function with this variance and this covariance
// with the square of the length, whose own variance is 6.
double left_over(double variance, double covariance) {
  return std::sqrt(variance - covariance * covariance / 6.0);
}

}  // namespace

std::vector<double> speeds_of(std::span<const Vec3> velocities) {
  std::vector<double> speeds;
  speeds.reserve(velocities.size());
  for (const Vec3& v : velocities) speeds.push_back(norm(v));
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

Moments moments_of(const std::vector<double>& sorted) {
  Moments m;
  const auto n = static_cast<double>(sorted.size());
  for (const double v : sorted) m.mean += v / n;
  double third = 0.0;
  for (const double v : sorted) {
    const double d = v - m.mean;
    m.variance += d * d / n;
    third += d * d * d / n;
  }
  m.skewness = third / std::pow(m.variance, 1.5);
  const std::size_t half = sorted.size() / 2;
  m.median = sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
  return m;
}

Moments maxwell_boltzmann(double speed) {
  const double a = speed / std::sqrt(3.0);
  return {2.0 * a * std::sqrt(2.0 / kPi), a * a * (3.0 * kPi - 8.0) / kPi, kMedian * a,
          2.0 * std::sqrt(2.0) * (16.0 - 5.0 * kPi) / std::pow(3.0 * kPi - 8.0, 1.5)};
}

double share_below(double v, double speed) {
  const double x = v / (speed / std::sqrt(3.0));
  return std::erf(x / std::sqrt(2.0)) - std::sqrt(2.0 / kPi) * x * std::exp(-0.5 * x * x);
}

Moments errors_at_fixed_energy(double speed, double count) {
  const double a = speed / std::sqrt(3.0), root = std::sqrt(count);
  const std::array<double, 7> p = powers();
  const double mean = p[1], variance = p[2] - mean * mean;
  Moments error;
  error.mean = a * left_over(variance, p[3] - p[1] * p[2]) / root;
  error.variance = 2.0 * a * mean * error.mean;
  // The influence function of the median is (1/2 - [u < median]) / density(median).
  const double f = density(kMedian);
  error.median = a * left_over(0.25 / (f * f), kMedian) / root;
  // The influence function of the skewness g is z^3 - 3 z - 3/2 g z^2 up to a constant, with
  // z = (u - mean) / sigma. As a polynomial in u:
  const double s = std::sqrt(variance), g = maxwell_boltzmann(1.0).skewness;
  const double c3 = 1.0 / (s * s * s), c2 = -1.5 * g / variance, c1 = -3.0 / s;
  const std::array<double, 4> c = {-c3 * mean * mean * mean + c2 * mean * mean - c1 * mean,
                                   3.0 * c3 * mean * mean - 2.0 * c2 * mean + c1,
                                   -3.0 * c3 * mean + c2, c3};
  double first = 0.0, second = 0.0, with_square = 0.0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    first += c[i] * p[i];
    for (std::size_t k = 0; k < c.size(); ++k) second += c[i] * c[k] * p[i + k];
    with_square += c[i] * p[i + 2];
  }
  error.skewness = left_over(second - first * first, with_square - first * p[2]) / root;
  return error;
}

Moments off_theory(const Moments& found, double speed, double count) {
  const Moments right = maxwell_boltzmann(speed), by = errors_at_fixed_energy(speed, count);
  return {std::fabs(found.mean - right.mean) / by.mean,
          std::fabs(found.variance - right.variance) / by.variance,
          std::fabs(found.median - right.median) / by.median,
          std::fabs(found.skewness - right.skewness) / by.skewness};
}

}  // namespace tactus::detail::lab
