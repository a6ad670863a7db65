#include "bindings/c/call.hpp"

#include <array>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

namespace tactus::c {

namespace {

constexpr std::size_t kTextSize = 512, kFieldSize = 128;

/// Without allocation, so that running out of memory can be told; without a destructor, so that a
/// thread may end after the library is unloaded.
struct LastError {
  tactus_error code;
  std::array<char, kTextSize> text;
  std::array<char, kFieldSize> field;
};

LastError& last_error() noexcept {
  thread_local LastError error{};
  return error;
}

/// Cut off at the end of the array.
template <std::size_t N>
void append(std::array<char, N>& out, std::size_t& length, std::string_view text) noexcept {
  length += text.copy(out.data() + length, N - 1 - length);
  out[length] = '\0';
}

tactus_error note(tactus_error code, std::string_view field, std::string_view reason) noexcept {
  LastError& error = last_error();
  error.code = code;
  std::size_t length = 0, field_length = 0;
  append(error.field, field_length, field);
  if (!field.empty()) {
    append(error.text, length, field);
    append(error.text, length, ": ");
  }
  append(error.text, length, reason);
  return code;
}

}  // namespace

tactus_error note_exception() noexcept {
  try {
    throw;
  } catch (const InvalidInput& error) {
    return note(TACTUS_INVALID_INPUT, error.field(), error.reason());
  } catch (const Misuse& misuse) {
    return note(TACTUS_MISUSE, misuse.field(), "is null");
  } catch (const StepFailed& failure) {
    return note(TACTUS_STEP_FAILED, {}, failure.reason());
  } catch (const std::bad_alloc&) {
    return note(TACTUS_OUT_OF_MEMORY, {}, "out of memory");
  } catch (const std::length_error&) {
    // A list longer than any memory.
    return note(TACTUS_OUT_OF_MEMORY, {}, "out of memory");
  } catch (const std::exception& error) {
    return note(TACTUS_INTERNAL, {}, error.what());
  } catch (...) {
    return note(TACTUS_INTERNAL, {}, "unknown error");
  }
}

}  // namespace tactus::c

extern "C" {

const char* tactus_last_error(void) { return tactus::c::last_error().text.data(); }

tactus_error tactus_last_error_code(void) { return tactus::c::last_error().code; }

const char* tactus_last_error_field(void) { return tactus::c::last_error().field.data(); }

}  // extern "C"
