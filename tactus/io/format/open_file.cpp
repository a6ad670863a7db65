#include "tactus/io/format/open_file.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include "tactus/core.hpp"

namespace tactus::io {
namespace fs = std::filesystem;

std::ifstream open_to_read(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (status.type() == fs::file_type::not_found)
    throw FileError(file.string() + ": does not exist");
  if (fs::is_directory(status)) throw FileError(file.string() + ": is a folder");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (stream) return stream;
  const std::error_code reason(errno != 0 ? errno : EIO, std::generic_category());
  throw FileError(file.string() + ": cannot be opened: " + reason.message());
}

}  // namespace tactus::io
