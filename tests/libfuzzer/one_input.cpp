// Entry points of libFuzzer for the target named by TACTUS_TARGET (TACTUS_BUILD_FUZZERS).
#include <cstdint>

#include "tactus/classic.hpp"
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  tactus::enable_classic_methods();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const tactus::detail::fuzz::Target& target : tactus::detail::fuzz::targets()) {
    if (target.name == TACTUS_TARGET) target.digest({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
