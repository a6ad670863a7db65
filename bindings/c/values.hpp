#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tactus/tactus.h"

namespace tactus::c {

inline Vec3 to_vec(const tactus_vec3& v) { return {v.x, v.y, v.z}; }
inline tactus_vec3 from_vec(const Vec3& v) { return {v.x, v.y, v.z}; }
inline tactus_quat from_quat(const Quat& q) { return {q.w, q.x, q.y, q.z}; }
inline tactus_pose from_pose(const Pose& pose) {
  return {from_vec(pose.position()), from_quat(to_quaternion(pose.rotation()))};
}

/// Throws InvalidInput, of a field of `name`.
Pose to_pose(const tactus_pose& pose, const std::string& name);
/// The identity for null.
Pose to_pose(const tactus_pose* pose, const char* name);

/// The options that a program gives, or the defaults for null. Throws InvalidInput for what is out
/// of range.
QueryOptions to_options(const tactus_options* options);

tactus_result from_result(const DistanceResult& result);
tactus_cast_result from_cast(const CastResult& result);
tactus_manifold from_manifold(const Manifold& manifold);

/// Most bytes of a struct that are looked at: more are no size, but memory that was never set.
inline constexpr std::uint64_t kMostStructSize = 4096;

/// Writes the defaults of a struct that begins with `struct_size`, as far as both sides know its
/// fields; zero beyond. `first` is the size that the struct had in its first version. Throws
/// InvalidInput for a size that no version of the interface has.
template <class Struct>
void write_defaults(Struct& out, std::size_t struct_size, std::size_t first, Struct usual) {
  if (struct_size < first || struct_size > kMostStructSize) {
    throw InvalidInput("struct_size", "must be the size of the struct");
  }
  usual.struct_size = struct_size;
  std::memset(static_cast<void*>(&out), 0, struct_size);
  std::memcpy(static_cast<void*>(&out), &usual, std::min(struct_size, sizeof(Struct)));
}

/// Reads a struct that begins with `struct_size`, as the caller filled it: fields that the caller
/// does not know are as in `usual`. Throws InvalidInput when it was not filled by its default
/// function, or sets fields that this version does not know.
template <class Struct>
Struct read_struct(const Struct& given, std::size_t first, Struct usual, const std::string& name) {
  const std::uint64_t size = given.struct_size;
  if (size < first || size > kMostStructSize) {
    throw InvalidInput(name + ".struct_size", "is not set: call " + name + "_default first");
  }
  const std::span<const char> bytes(reinterpret_cast<const char*>(&given), size);
  const std::span<const char> known = bytes.first(std::min(bytes.size(), sizeof(Struct)));
  const std::span<const char> later = bytes.subspan(known.size());
  if (std::any_of(later.begin(), later.end(), [](char c) { return c != 0; })) {
    throw InvalidInput(name, "sets a field that this version of the library does not know");
  }
  std::memcpy(static_cast<void*>(&usual), known.data(), known.size());
  return usual;
}

/// Writes as many of the values as there is room for, and their number.
template <class From, class To, class Convert>
void write_list(std::span<const From> values, To* out, std::size_t capacity, std::size_t* count,
                const Convert& convert) {
  const std::size_t written = std::min(values.size(), capacity);
  for (std::size_t i = 0; i < written; ++i) out[i] = convert(values[i]);
  if (count != nullptr) *count = values.size();
}

}  // namespace tactus::c
