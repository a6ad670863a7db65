#pragma once

#include <cmath>
#include <optional>

#include "tactus/math.hpp"

namespace tactus::wasm {

/// The numbers of a call, read one after the other. NaN stands for one that was not given.
class NumberReader {
 public:
  explicit NumberReader(const double* at) : at_(at) {}

  double next() { return *at_++; }
  /// A whole number, which JavaScript has checked.
  int whole() { return static_cast<int>(next()); }
  bool flag() { return next() != 0.0; }
  std::optional<double> given() {
    const double x = next();
    return std::isnan(x) ? std::nullopt : std::optional<double>(x);
  }
  void take_given(double& value) { value = given().value_or(value); }

  Vec3 vector() {
    const double x = next(), y = next(), z = next();
    return {x, y, z};
  }
  std::optional<Vec3> given_vector() {
    const Vec3 v = vector();
    return std::isnan(v.x) ? std::nullopt : std::optional<Vec3>(v);
  }
  /// Position, quaternion w, x, y, z.
  Pose pose() {
    const Vec3 position = vector();
    const double w = next();
    const Vec3 turn = vector();
    return {position, Quat{w, turn.x, turn.y, turn.z}};
  }

 private:
  const double* at_;
};

}  // namespace tactus::wasm
