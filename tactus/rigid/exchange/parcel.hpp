#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tactus::detail {

/// Writes plain values one after the other as they lie in memory, for a rank that runs the same
/// program.
class Parcel {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void add_list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void add_text(std::string_view text) {
    add(text.size());
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// The messages that several parcels hold.
inline std::vector<std::string> messages_of(std::vector<Parcel>& parcels) {
  std::vector<std::string> messages;
  messages.reserve(parcels.size());
  for (Parcel& parcel : parcels) messages.push_back(parcel.take());
  return messages;
}

/// Reads what a `Parcel` wrote.
class ParcelReader {
 public:
  explicit ParcelReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  template <class T>
  T read() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    std::memcpy(static_cast<void*>(&value), take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> read_list() {
    const auto count = read<std::size_t>();
    std::vector<T> values(count);
    if (count > 0)
      std::memcpy(static_cast<void*>(values.data()), take(count * sizeof(T)).data(),
                  count * sizeof(T));
    return values;
  }
  std::string read_text() { return std::string(take(read<std::size_t>())); }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::runtime_error("a message of another rank ends early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace tactus::detail
