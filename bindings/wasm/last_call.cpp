// Error and answer of the last call.
#include <cstdint>

#include "bindings/wasm/registry.hpp"

namespace tactus::wasm {

std::string& last_error() {
  static std::string text;
  return text;
}

std::string& last_text() {
  static std::string text;
  return text;
}

std::vector<double>& last_numbers() {
  static std::vector<double> found;
  return found;
}

}  // namespace tactus::wasm

using namespace tactus::wasm;

TACTUS_EXPORT const char* tactus_error() { return last_error().c_str(); }
TACTUS_EXPORT int tactus_text_size() { return static_cast<int>(last_text().size()); }
TACTUS_EXPORT const double* tactus_numbers() { return last_numbers().data(); }
TACTUS_EXPORT int tactus_number_count() { return static_cast<int>(last_numbers().size()); }
