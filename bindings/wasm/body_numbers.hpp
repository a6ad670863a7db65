#pragma once

#include <array>
#include <vector>

#include "tactus/math.hpp"

namespace tactus::wasm {

/// Position, quaternion w, x, y, z, and the body's scale, 0 before it enters.
using BodyNumbers = std::array<double, 8>;

inline BodyNumbers body_numbers(const Vec3& p, const Quat& q, double scale) {
  return {p.x, p.y, p.z, q.w, q.x, q.y, q.z, scale};
}

/// Bodies (indices), point, normal, depth, and an impulse or a force.
using ContactNumbers = std::array<double, 10>;

inline ContactNumbers contact_numbers(std::size_t a, std::size_t b, const Vec3& p, const Vec3& n,
                                      double depth, double push) {
  return {
      static_cast<double>(a), static_cast<double>(b), p.x, p.y, p.z, n.x, n.y, n.z, depth, push};
}

/// The rows one after the other, as JavaScript reads them; never null, which says that a call
/// failed.
template <class Row>
const double* numbers(const std::vector<Row>& rows) {
  static constexpr Row none{};
  return rows.empty() ? none.data() : rows.front().data();
}

}  // namespace tactus::wasm
