#include "tactus/version.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tactus {
namespace {

TEST(Version, LibraryThatRunsHasTheVersionOfTheHeader) {
  const std::string numbers = std::to_string(TACTUS_VERSION_MAJOR) + "." +
                              std::to_string(TACTUS_VERSION_MINOR) + "." +
                              std::to_string(TACTUS_VERSION_PATCH);
  EXPECT_EQ(version(), numbers);
  EXPECT_EQ(version(), TACTUS_VERSION);
}

TEST(Version, EndsWithAZeroCharacter) { EXPECT_EQ(version().data()[version().size()], '\0'); }

}  // namespace
}  // namespace tactus
