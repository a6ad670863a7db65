#pragma once

#include <cstddef>
#include <cstring>
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

/// As `little_endian`, most significant byte first.
template <class Unsigned>
Unsigned big_endian(std::string_view data, std::size_t position) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    value = static_cast<Unsigned>((value << 8u) | static_cast<unsigned char>(data[position + i]));
  }
  return value;
}

/// The value of the same bits; the library of the WebAssembly compiler lacks std::bit_cast.
template <class To, class From>
To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace tactus::io
