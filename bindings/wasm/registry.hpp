#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core.hpp"

// Registry of objects and last error, which the exports share. JavaScript holds numbers for
// objects, and asks for the message of the call that failed last.
namespace tactus::wasm {

/// Objects by number; 0 names none.
template <class T>
class Registry {
 public:
  int add(T object) {
    objects_.emplace(++last_, std::move(object));
    return last_;
  }
  /// Throws InvalidInput for a number that names none.
  T& at(int number) {
    const auto found = objects_.find(number);
    if (found == objects_.end()) throw InvalidInput("", "the object was closed, or never opened");
    return found->second;
  }
  void remove(int number) { objects_.erase(number); }

 private:
  std::map<int, T> objects_;
  int last_ = 0;
};

/// The message of the last call that failed.
std::string& last_error();
/// Text and numbers that the last call answered with; they stand until the next call.
std::string& last_text();
std::vector<double>& last_numbers();

/// Calls f; what it throws becomes `last_error()` and `failed`.
template <class Result, class F>
Result guarded(Result failed, const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    last_error() = "not enough memory";
  } catch (const std::exception& error) {
    last_error() = error.what();
  }
  return failed;
}

/// The text of f() in `last_text()`; its address, or null.
template <class F>
const char* text_of(const F& f) {
  return guarded<const char*>(nullptr, [&] {
    last_text() = f();
    return last_text().c_str();
  });
}

}  // namespace tactus::wasm

/// Marks a function that JavaScript calls.
#define TACTUS_EXPORT extern "C" __attribute__((used, visibility("default")))
