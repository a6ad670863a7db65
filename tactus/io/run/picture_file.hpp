#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "tactus/io/run/picture_format.hpp"

namespace tactus::io {

/// A file of a run, and where its pictures lie: in the same file, or beside it while the run goes
/// on.
struct RunFile {
  /// Reads all but the pictures. Throws FileError.
  explicit RunFile(const std::filesystem::path& file);

  /// Hands out the bytes of the pictures in order, and proves them. Throws FileError.
  void for_each_chunk(const std::function<void(std::string_view)>& take) const;

  std::filesystem::path name;
  RunCheckpoint run;
  PictureCount count;
  std::filesystem::path source;  ///< holds the pictures
  std::uint64_t offset = 0;      ///< of the first one
};

}  // namespace tactus::io
