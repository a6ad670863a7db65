#include "tactus/math/sine.hpp"

#include <cmath>

namespace tactus::detail {
namespace {

// A quarter turn as a sum; the first two parts have 32 bits, so that their multiples by a number
// below 2^21 are exact.
constexpr double kQuarter[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
constexpr double kQuarters = 0x1.45f306dc9c883p-1;  // per radian

// Taylor terms: for angles up to an eighth of a turn the rest is below 8e-20 and 2e-18.
constexpr double kSine[] = {-1.0 / 6,
                            1.0 / 120,
                            -1.0 / 5040,
                            1.0 / 362880,
                            -1.0 / 39916800,
                            1.0 / 6227020800.0,
                            -1.0 / 1307674368000.0,
                            1.0 / 355687428096000.0};
constexpr double kCosine[] = {
    1.0 / 24,        -1.0 / 720,           1.0 / 40320,           -1.0 / 3628800,
    1.0 / 479001600, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};

template <int N>
double polynomial(const double (&terms)[N], double x) {
  double sum = terms[N - 1];
  for (int i = N - 2; i >= 0; --i) sum = terms[i] + x * sum;
  return sum;
}

}  // namespace

SineCosine sine_cosine(double angle) {
  const double turns = std::floor(angle * kQuarters + 0.5);
  // The difference of the first two parts is exact as a sum of two numbers; x is its value with the
  // third part, and `rest` what x lacks.
  const double first = angle - turns * kQuarter[0];
  const double second = turns * kQuarter[1];
  const double high = first - second;
  const double low = ((first - high) - second) - turns * kQuarter[2];
  const double x = high + low;
  const double rest = low - (x - high);
  const double square = x * x;
  const double s = x + (x * (square * polynomial(kSine, square)) + rest);
  const double c =
      1.0 - (0.5 * square - (square * (square * polynomial(kCosine, square)) - x * rest));
  const double quadrant = turns - 4.0 * std::floor(0.25 * turns);
  if (quadrant == 0.0) return {s, c};
  if (quadrant == 1.0) return {c, -s};
  if (quadrant == 2.0) return {-s, -c};
  return {-c, s};
}

}  // namespace tactus::detail
