#pragma once

namespace tactus::detail {

struct SineCosine {
  double sine = 0.0, cosine = 1.0;
};

/// Sine and cosine of an angle in radians, of magnitude at most 1e6 (beyond, the absolute error
/// grows with the angle: some roundings of it). Within two ulps, and the same bits on every
/// machine: libm's differ. Cost: some 40 operations. Reduction by a quarter turn in three parts
/// whose multiples are exact, then the Taylor series.
SineCosine sine_cosine(double angle);

}  // namespace tactus::detail
