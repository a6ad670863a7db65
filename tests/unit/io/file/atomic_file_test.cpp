#include "tactus/io/file/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>

#include "tactus/core.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(AtomicFile, ReplacesAFileAndLeavesNothingElse) {
  const detail::test::TemporaryFolder folder;
  write_atomically(folder / "a", "one");
  write_atomically(folder / "a", "two");
  EXPECT_EQ(content_of(folder / "a"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(AtomicFile, ALinkStaysAndWhatItLeadsToIsReplaced) {
  const detail::test::TemporaryFolder folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/real", folder / "link");
  fs::create_symlink("link", folder / "second");
  // Dangling first, then not.
  for (const char* const content : {"one", "two"}) {
    write_atomically(folder / "second", content);
    EXPECT_TRUE(fs::is_symlink(folder / "second"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(content_of(folder / "sub/real"), content);
  }
  fs::create_symlink("loop", folder / "loop");
  EXPECT_THROW(write_atomically(folder / "loop", "x"), FileError);
}

TEST(AtomicFile, FifosAndDevicesAreWrittenInto) {
  const detail::test::TemporaryFolder folder;
  const fs::path fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::future<std::string> reader =
      std::async(std::launch::async, [&] { return content_of(fifo); });
  write_atomically(fifo, "through");
  EXPECT_EQ(reader.get(), "through");
  EXPECT_TRUE(fs::is_fifo(fifo));
  write_atomically("/dev/null", "nothing");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFile, AFolderIsRefused) {
  const detail::test::TemporaryFolder folder;
  EXPECT_THROW(write_atomically(folder.path(), "x"), FileError);
  EXPECT_THROW(write_atomically(folder / "no/such/folder", "x"), FileError);
}

std::string opening_error(const fs::path& file) {
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
  EXPECT_EQ(opening_error(folder / "none"), (folder / "none").string() + ": does not exist");
  EXPECT_EQ(opening_error(folder.path()), folder.path().string() + ": is a folder");
  std::ofstream(folder / "a.txt") << "word";
  EXPECT_NE(opening_error(folder / "a.txt" / "b"), "");
}

}  // namespace
}  // namespace tactus::io
