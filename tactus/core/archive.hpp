#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tactus/core.hpp"

namespace tactus::detail {

/// Writes plain values as little-endian bytes. One function template per struct lists the fields
/// for the writer and the reader alike:
///   template <class Archive> void transfer(Archive& archive, Thing& thing) { archive(thing.x); ...
///   }
class ArchiveWriter {
 public:
  static constexpr bool kReads = false;
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      write_number(value);
    } else {
      transfer(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    auto count = static_cast<std::uint64_t>(values.size());
    write_number(count);
    for (T& value : values) (*this)(value);
  }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void write_number(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
  }

  std::string bytes_;
};

/// Reads what ArchiveWriter wrote. Throws InvalidInput when the bytes end early.
class ArchiveReader {
 public:
  static constexpr bool kReads = true;
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      (*this)(byte);
      if (byte > 1) throw InvalidInput("", "a flag is neither 0 nor 1");
      value = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (rest_.size() < sizeof value) end_early();
      rest_.copy(reinterpret_cast<char*>(&value), sizeof value);
      rest_.remove_prefix(sizeof value);
    } else {
      transfer(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t count = 0;
    (*this)(count);
    // Every element has a byte at least: a broken count shall not ask for more memory than the
    // file.
    if (count > rest_.size()) end_early();
    values.assign(static_cast<std::size_t>(count), T{});
    for (T& value : values) (*this)(value);
  }

  bool at_end() const { return rest_.empty(); }

 private:
  [[noreturn]] static void end_early() { throw InvalidInput("", "the data end early"); }

  std::string_view rest_;
};

}  // namespace tactus::detail
