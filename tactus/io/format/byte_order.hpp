#pragma once

#include <cstddef>
#include <string_view>

namespace tactus::io {

/// The unsigned integer whose bytes stand at `position`, least significant first, on any machine.
/// The caller makes sure that they are there.
template <class Unsigned>
Unsigned little_endian(std::string_view data, std::size_t position) {
  Unsigned value = 0;
  for (std::size_t i = sizeof(Unsigned); i-- > 0;) {
    value = static_cast<Unsigned>((value << 8u) | static_cast<unsigned char>(data[position + i]));
  }
  return value;
}

/// The same, most significant first.
template <class Unsigned>
Unsigned big_endian(std::string_view data, std::size_t position) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    value = static_cast<Unsigned>((value << 8u) | static_cast<unsigned char>(data[position + i]));
  }
  return value;
}

}  // namespace tactus::io
