#include "tactus/io/file/file_content.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <string>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

std::string reading_error(const std::filesystem::path& file) {
  try {
    file_content(file);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(FileContent, GivesEveryByte) {
  const detail::test::TemporaryFolder folder;
  write_atomically(folder / "empty", "");
  EXPECT_EQ(file_content(folder / "empty"), "");
  // Longer than what is read at once, with zeros and ends of lines.
  std::string bytes;
  for (int i = 0; i < 200'001; ++i) bytes += static_cast<char>(i % 251);
  write_atomically(folder / "long", bytes);
  EXPECT_EQ(file_content(folder / "long"), bytes);
}

TEST(FileContent, OfAFifoIsWhatIsWrittenIntoIt) {
  const detail::test::TemporaryFolder folder;
  const std::filesystem::path fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::future<std::string> reader =
      std::async(std::launch::async, [&] { return file_content(fifo); });
  write_atomically(fifo, "through");
  EXPECT_EQ(reader.get(), "through");
}

TEST(FileContent, SaysWhatIsWrongWithTheName) {
  const detail::test::TemporaryFolder folder;
  const std::string place = folder.path().string();
  EXPECT_EQ(reading_error(folder / "none"), place + "/none: does not exist");
  EXPECT_EQ(reading_error(folder.path()), place + ": is a folder");
  const std::string long_name(300, 'a');
  EXPECT_EQ(reading_error(folder / long_name),
            place + "/" + long_name + ": cannot be opened: File name too long");
}

TEST(FileContent, SaysWhyReadingFails) {
  const int descriptor = ::dup(STDOUT_FILENO);
  ::close(descriptor);
  try {
    read_all(descriptor, "a closed one");
    FAIL() << "a closed descriptor is read";
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "a closed one: cannot be read: Bad file descriptor");
  }
}

}  // namespace
}  // namespace tactus::io
