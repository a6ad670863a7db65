// The version, and numbers as words.
#include "tactus/core.hpp"
#include "tactus/query.hpp"
#include "tactus/tactus.h"
#include "tactus/version.hpp"

extern "C" {

const char* tactus_version_string(void) { return tactus::version().data(); }

void tactus_version(int* major, int* minor, int* patch) {
  if (major != nullptr) *major = TACTUS_VERSION_MAJOR;
  if (minor != nullptr) *minor = TACTUS_VERSION_MINOR;
  if (patch != nullptr) *patch = TACTUS_VERSION_PATCH;
}

const char* tactus_error_name(tactus_error error) {
  switch (error) {
    case TACTUS_OK:
      return "ok";
    case TACTUS_INVALID_INPUT:
      return "invalid_input";
    case TACTUS_OUT_OF_MEMORY:
      return "out_of_memory";
    case TACTUS_MISUSE:
      return "misuse";
    case TACTUS_STEP_FAILED:
      return "step_failed";
    case TACTUS_INTERNAL:
      return "internal";
    default:
      return "unknown";
  }
}

const char* tactus_status_name(tactus_status status) {
  if (status < 0 || status > TACTUS_STATUS_LOCAL_MINIMUM) return "unknown";
  return tactus::to_string(static_cast<tactus::Status>(status)).data();
}

const char* tactus_method_name(tactus_method method) {
  if (method < 0 || method > static_cast<int>(tactus::Method::v_clip)) return "unknown";
  return tactus::to_string(static_cast<tactus::Method>(method)).data();
}

}  // extern "C"
