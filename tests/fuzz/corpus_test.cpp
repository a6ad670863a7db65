#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// A broken claim, a failed sanitizer check or a crash ends the program.
TEST(Corpus, EveryFileIsDigested) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(TACTUS_SOURCE_DIR "/tests/fuzz/corpus")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::fprintf(stderr, "%s\n", entry.path().filename().c_str());
    EXPECT_EQ(
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()),
        0);
    ++files;
  }
  EXPECT_GT(files, 20);
}

}  // namespace
