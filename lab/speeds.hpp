#pragma once

#include <span>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::detail::lab {

/// Moments of the speeds of a gas.
struct Moments {
  double mean = 0.0, variance = 0.0, median = 0.0, skewness = 0.0;
};

/// The norms, in ascending order.
std::vector<double> speeds_of(std::span<const Vec3> velocities);

/// Moments of sorted speeds, not empty.
Moments moments_of(const std::vector<double>& sorted);

/// Moments of the distribution of Maxwell and Boltzmann whose mean square is `speed` squared.
/// Closed forms; the median is the root of its integral, 1.5381722544550522 speed / sqrt(3).
Moments maxwell_boltzmann(double speed);

/// Share of that distribution below v.
double share_below(double v, double speed);

/// Standard errors of the moments of `count` spheres whose energy, the mean square of their speeds,
/// is fixed: what is left of each moment's influence function after its regression on the square of
/// the speed. Since mean^2 + variance is the fixed mean square, the variance's error is 2 mean
/// times that of the mean: it tells nothing that the mean does not.
Moments errors_at_fixed_energy(double speed, double count);

/// How far the moments are off theory, in standard errors at fixed energy, absolute.
Moments off_theory(const Moments& found, double speed, double count);

}  // namespace tactus::detail::lab
