#pragma once

#include <string>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/tactus.h"

namespace tactus::c {

/// A null pointer where the interface needs an object.
class Misuse {
 public:
  explicit Misuse(std::string field) : field_(std::move(field)) {}
  const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

/// A world that could not step; the reason is for people.
class StepFailed {
 public:
  explicit StepFailed(std::string reason) : reason_(std::move(reason)) {}
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

/// Only from within a handler of an exception: writes the last error of this thread from it, and
/// gives its code.
tactus_error note_exception() noexcept;

/// Calls `action`; what it throws becomes the code, and the last error of this thread.
template <class Action>
tactus_error call(const Action& action) noexcept {
  try {
    action();
    return TACTUS_OK;
  } catch (...) {
    return note_exception();
  }
}

/// Throws Misuse unless the pointer is set.
template <class T>
T& require(T* pointer, const char* name) {
  if (pointer == nullptr) throw Misuse(name);
  return *pointer;
}

/// An array that may be null when it is empty.
template <class T>
void require_array(T* pointer, std::size_t count, const char* name) {
  if (count != 0) require(pointer, name);
}

}  // namespace tactus::c
