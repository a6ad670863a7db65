#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace tactus::detail::fuzz {

// As a part of the test's name.
void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

class Corpus : public testing::TestWithParam<Target> {};

// A broken claim, a failed sanitizer check or a crash ends the program.
TEST_P(Corpus, EveryFileIsDigested) {
  int files = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TACTUS_SOURCE_DIR "/tests/fuzz/corpus") / GetParam().name)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::fprintf(stderr, "%s\n", entry.path().filename().c_str());
    GetParam().digest(bytes);
    ++files;
  }
  EXPECT_GE(files, 3);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace tactus::detail::fuzz
