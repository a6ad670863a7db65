#pragma once

#include <cstddef>
#include <type_traits>

namespace tactus::detail {

/// An array on the stack whose entries are written before they are read. Clearing it first would be
/// most of the cost of a short list in it.
template <class T, std::size_t N>
class Uncleared {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Uncleared() noexcept {}  // NOLINT(modernize-use-equals-default): that would clear it

  T* data() noexcept { return item; }
  const T* data() const noexcept { return item; }
  template <class Index>
  T& operator[](Index i) noexcept {
    return item[i];
  }
  template <class Index>
  const T& operator[](Index i) const noexcept {
    return item[i];
  }

 private:
  union {
    T item[N];
  };
};

}  // namespace tactus::detail
