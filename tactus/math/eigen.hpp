#pragma once

#include <Eigen/Core>

#include "tactus/math.hpp"

/// Optional adaptor for users of Eigen; nothing else in the library includes it. Conversions copy
/// and are exact.
namespace tactus::detail {

inline Eigen::Vector3d to_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 from_eigen(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

inline Eigen::Matrix3d to_eigen(const Mat3& m) {
  Eigen::Matrix3d result;
  for (int r = 0; r < 3; ++r) result.row(r) = to_eigen(m.row[r]).transpose();
  return result;
}
inline Mat3 from_eigen(const Eigen::Matrix3d& m) {
  Mat3 result;
  for (int r = 0; r < 3; ++r) result.row[r] = {m(r, 0), m(r, 1), m(r, 2)};
  return result;
}

}  // namespace tactus::detail
