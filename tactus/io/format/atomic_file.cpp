#include "tactus/io/format/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "tactus/core.hpp"

namespace tactus::io {
namespace fs = std::filesystem;
namespace {

/// Beside the file, so that renaming stays within one file system; of its own for each process.
fs::path temporary_name(const fs::path& file) {
  return file.parent_path() /
         ("." + file.filename().string() + "." + std::to_string(::getpid()) + ".part");
}

[[noreturn]] void fail(const fs::path& file, const std::string& what,
                       const std::error_code& error) {
  throw FileError(file.string() + ": " + what + ": " + error.message());
}

std::error_code last_error() { return {errno != 0 ? errno : EIO, std::generic_category()}; }

}  // namespace

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, "the folder cannot be made", error);
  if (!fs::is_directory(folder)) throw FileError(folder.string() + ": is not a folder");
  const fs::path probe = temporary_name(folder / "probe");
  errno = 0;
  const bool opened = std::ofstream(probe).is_open();
  if (!opened) fail(folder, "the folder cannot be written to", last_error());
  fs::remove(probe, error);
}

void write_atomically(const fs::path& file, std::string_view content) {
  const fs::path part = temporary_name(file);
  std::error_code ignored;
  errno = 0;
  {
    std::ofstream stream(part, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) {
      const std::error_code error = last_error();
      fs::remove(part, ignored);
      fail(file, "cannot be written", error);
    }
  }
  std::error_code error;
  fs::rename(part, file, error);
  if (error) {
    fs::remove(part, ignored);
    fail(file, "cannot be written", error);
  }
}

}  // namespace tactus::io
