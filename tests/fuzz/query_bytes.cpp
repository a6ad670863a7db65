// Bytes -> query line -> answers -> claims. Built with -fsanitize=fuzzer into `fuzz_query_bytes`
// (TACTUS_BUILD_FUZZERS), and with every compiler into the test that replays the corpus.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/claims.hpp"
#include "fuzz/query_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Lines that would open files (an escaped letter could hide the word) are another matter.
  if (text.find("file") != std::string_view::npos || text.find("\\u") != std::string_view::npos) {
    return 0;
  }
  const auto query = tactus::fuzz::query_of(text);
  if (!query) return 0;
  const tactus::fuzz::Examination found = tactus::fuzz::examine(*query);
  if (!found.failure.empty()) {
    std::fprintf(stderr, "%s; %s\n", found.failure.c_str(), found.detail.c_str());
    std::abort();
  }
  return 0;
}
