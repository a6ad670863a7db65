#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace tactus::io {

/// Throws FileError naming the file and the reason where there is nothing that could be read: it
/// does not exist, or is a folder.
void require_source(const std::filesystem::path& file);

/// A file, FIFO or device to be read; `-` is standard input. Throws FileError as `require_source`,
/// and when it may not be read.
std::ifstream open_to_read(const std::filesystem::path& file);

/// Makes the folder (and its parents) and proves that files can be written there. Throws FileError
/// naming the folder and the reason.
void prepare_folder(const std::filesystem::path& folder);

/// Replaces `file` by what is written: beside it under a temporary name, then renamed by `commit`,
/// so that readers see the old file or the new one and never a part. Of a symbolic link, the file
/// that it leads to is replaced. What is no file (a FIFO, a device, `-` for standard output) is
/// written into. Members throw FileError naming the file and the reason; without a commit the
/// temporary file is gone in the end and the old one untouched.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& file);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view content);
  void commit();

 private:
  std::filesystem::path file_, part_;  ///< `part_` is empty where nothing is renamed
  std::ofstream stream_;
  bool to_standard_output_ = false;
};

/// Writes and commits a content that is at hand, as AtomicFile.
void write_atomically(const std::filesystem::path& file, std::string_view content);

}  // namespace tactus::io
