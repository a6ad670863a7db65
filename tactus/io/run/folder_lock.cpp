#include "tactus/io/run/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "tactus/core.hpp"
#include "tactus/io/file/atomic_file.hpp"

namespace tactus::io {

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path place = folder.empty() ? std::filesystem::path(".") : folder;
  prepare_folder(place);
  descriptor_ = ::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;
  int taken = -1;
  do {
    taken = ::flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (taken != 0 && errno == EINTR);
  if (taken == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw FileError(place.string() + ": another run writes into this folder");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace tactus::io
