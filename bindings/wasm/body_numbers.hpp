#pragma once

#include <vector>

#include "tactus/math.hpp"

namespace tactus::wasm {

/// Numbers of a body: position, quaternion w, x, y, z, and its scale, 0 before it enters.
inline constexpr std::size_t kBodyNumbers = 8;

inline void add_body(const Vec3& p, const Quat& q, double scale, std::vector<double>& out) {
  out.insert(out.end(), {p.x, p.y, p.z, q.w, q.x, q.y, q.z, scale});
}

}  // namespace tactus::wasm
