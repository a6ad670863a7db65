#pragma once

#include <cstddef>

#include "tactus/core.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// The box of the fields `lower` and `upper`. Throws InvalidInput (`upper`) where it is below
/// `lower` along some axis.
inline Aabb read_box(JsonFields& fields) {
  const Aabb box{fields.vector("lower"), fields.vector("upper")};
  for (int i = 0; i < 3; ++i) {
    if (box.lower[i] > box.upper[i])
      throw InvalidInput(JsonFields::path_of(fields.path_of("upper"), static_cast<std::size_t>(i)),
                         "must not be below lower");
  }
  return box;
}

}  // namespace tactus::io
