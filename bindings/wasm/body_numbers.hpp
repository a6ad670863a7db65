#pragma once

#include <vector>

#include "tactus/math.hpp"

namespace tactus::wasm {

/// Numbers of a body: position, quaternion w, x, y, z, and its scale, 0 before it enters.
inline constexpr std::size_t kBodyNumbers = 8;

inline void add_body(const Vec3& p, const Quat& q, double scale, std::vector<double>& out) {
  out.insert(out.end(), {p.x, p.y, p.z, q.w, q.x, q.y, q.z, scale});
}

/// Numbers of a contact: bodies (indices), point, normal, depth, and an impulse or a force.
inline constexpr std::size_t kContactNumbers = 10;

inline void add_contact(std::size_t a, std::size_t b, const Vec3& p, const Vec3& n, double depth,
                        double push, std::vector<double>& out) {
  out.insert(out.end(), {static_cast<double>(a), static_cast<double>(b), p.x, p.y, p.z, n.x, n.y,
                         n.z, depth, push});
}

}  // namespace tactus::wasm
