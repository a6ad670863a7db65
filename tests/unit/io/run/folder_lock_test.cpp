#include "tactus/io/run/folder_lock.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "tactus/core.hpp"
#include "tests/support/folder.hpp"

namespace tactus::io {
namespace {

TEST(FolderLock, IsHeldByOneAtATime) {
  const detail::test::TemporaryFolder folder;
  const std::filesystem::path place = folder / "run";
  std::optional<FolderLock> first;
  first.emplace(place);
  EXPECT_TRUE(std::filesystem::is_directory(place));
  try {
    const FolderLock second(place);
    ADD_FAILURE() << "two runs write into one folder";
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()), place.string() + ": another run writes into this folder");
  }
  const FolderLock beside(folder / "other");
  first.reset();
  const FolderLock third(place);
  // Nothing of the lock lies in the folder.
  EXPECT_TRUE(std::filesystem::is_empty(place));
}

}  // namespace
}  // namespace tactus::io
