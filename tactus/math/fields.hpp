#pragma once

#include "tactus/math.hpp"

namespace tactus {

/// The fields of a vector, for archives and hashes: see core/archive.hpp.
template <class Archive>
void transfer(Archive& archive, Vec3& v) {
  archive(v.x);
  archive(v.y);
  archive(v.z);
}

}  // namespace tactus
