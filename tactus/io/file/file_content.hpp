#pragma once

#include <filesystem>
#include <string>

namespace tactus::io {

/// All bytes of a file, FIFO or device; `-` is standard input, which gives the same content each
/// time. Throws FileError naming the file and the reason: it does not exist, is a folder, or cannot
/// be opened or read.
std::string file_content(const std::filesystem::path& file);

/// All bytes that an open file descriptor still gives; `name` stands in the FileError that is
/// thrown where reading fails.
std::string read_all(int descriptor, const std::string& name);

}  // namespace tactus::io
