#include "tactus/io/format/open_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tactus/core.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

std::string error_of(const std::filesystem::path& file) {
  try {
    open_to_read(file);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(OpenToRead, GivesTheContent) {
  const detail::test::TemporaryFolder folder;
  std::ofstream(folder / "a.txt") << "word";
  std::string text;
  open_to_read(folder / "a.txt") >> text;
  EXPECT_EQ(text, "word");
}

TEST(OpenToRead, SaysWhatIsWrongWithTheName) {
  const detail::test::TemporaryFolder folder;
  EXPECT_EQ(error_of(folder / "none"), (folder / "none").string() + ": does not exist");
  EXPECT_EQ(error_of(folder.path()), folder.path().string() + ": is a folder");
  std::ofstream(folder / "a.txt") << "word";
  EXPECT_NE(error_of(folder / "a.txt" / "b"), "");
}

}  // namespace
}  // namespace tactus::io
