#include "tactus/io/file/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>

#include "tactus/core.hpp"

namespace tactus::io {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 40;

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

// Where the links from `file` end; that need not exist.
fs::path behind_links(fs::path file) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(file, error); ++i) {
    const fs::path next = fs::read_symlink(file, error);
    if (error) fail(file, "cannot be followed", error);
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  if (fs::is_symlink(file, error))
    fail(file, "cannot be followed",
         std::make_error_code(std::errc::too_many_symbolic_link_levels));
  return file;
}

void write_to_standard_output(std::string_view content) {
  errno = 0;
  const bool written = std::fwrite(content.data(), 1, content.size(), stdout) == content.size();
  if (!written || std::fflush(stdout) != 0)
    fail("standard output", "cannot be written", last_error());
}

}  // namespace

void require_source(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (status.type() == fs::file_type::not_found)
    throw FileError(file.string() + ": does not exist");
  if (fs::is_directory(status)) throw FileError(file.string() + ": is a folder");
}

std::ifstream open_to_read(const fs::path& file) {
  const bool standard = file == "-";
  if (!standard) require_source(file);
  errno = 0;
  std::ifstream stream(standard ? fs::path("/dev/stdin") : file, std::ios::binary);
  if (stream) return stream;
  fail(file, "cannot be opened", last_error());
}

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

AtomicFile::AtomicFile(const fs::path& file) : file_(file), to_standard_output_(file == "-") {
  if (to_standard_output_) return;
  file_ = behind_links(file);
  std::error_code ignored;
  const fs::file_status status = fs::status(file_, ignored);
  if (fs::is_directory(status)) throw FileError(file_.string() + ": is a folder");
  const bool into = fs::exists(status) && !fs::is_regular_file(status);
  if (!into) part_ = temporary_name(file_);
  errno = 0;
  stream_.open(into ? file_ : part_, std::ios::binary | std::ios::trunc);
  if (!stream_) {
    part_.clear();
    fail(file_, "cannot be written", last_error());
  }
}

AtomicFile::~AtomicFile() {
  if (part_.empty()) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void AtomicFile::write(std::string_view content) {
  if (to_standard_output_) return write_to_standard_output(content);
  errno = 0;
  stream_.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream_) fail(file_, "cannot be written", last_error());
}

void AtomicFile::commit() {
  if (to_standard_output_) return;
  errno = 0;
  stream_.close();
  if (!stream_) fail(file_, "cannot be written", last_error());
  if (part_.empty()) return;
  std::error_code error;
  fs::rename(part_, file_, error);
  if (error) fail(file_, "cannot be written", error);
  part_.clear();
}

void write_atomically(const fs::path& file, std::string_view content) {
  AtomicFile out(file);
  out.write(content);
  out.commit();
}

}  // namespace tactus::io
