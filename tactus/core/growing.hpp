#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

namespace tactus::detail {

/// An array whose elements are written before they are read: the first N lie in the object itself,
/// and only when there are more does it allocate. `item` stays until `grow`.
template <class T, int N>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Growing() noexcept : item(few_.item) {}
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;
  ~Growing() = default;

  T* item;

  /// Room for `count` elements, the first `used` of which are kept. False without memory.
  bool grow(int count, int used) noexcept {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    auto* const more = static_cast<T*>(std::malloc(bytes));
    if (more == nullptr) return false;
    std::memcpy(static_cast<void*>(more), item, static_cast<std::size_t>(used) * sizeof(T));
    many_.reset(more);
    item = more;
    return true;
  }

 private:
  struct Release {
    void operator()(T* p) const noexcept { std::free(p); }
  };
  union Few {
    Few() noexcept {}  // NOLINT(modernize-use-equals-default)
    T item[N];
  } few_;
  std::unique_ptr<T, Release> many_;
};

}  // namespace tactus::detail
