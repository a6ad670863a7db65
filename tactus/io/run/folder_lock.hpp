#pragma once

#include <filesystem>

namespace tactus::io {

/// The right to write into a folder, for one run at a time. The lock is an advisory one of the
/// system (flock) on the folder itself: it leaves no file, and ends with the process that holds it,
/// however that ends, so that no run that crashed stands in the way of the next one. Reading is
/// free.
class FolderLock {
 public:
  /// Makes the folder (`prepare_folder`) and takes it. Throws FileError naming the folder: another
  /// run writes into it, or it cannot be made. Where the file system knows no locks the folder is
  /// not guarded.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_ = -1;
};

}  // namespace tactus::io
