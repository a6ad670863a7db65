#pragma once

#include <filesystem>
#include <fstream>

namespace tactus::io {

/// A file, FIFO or device to be read. Throws FileError naming the file and the reason: it does not
/// exist, is a folder, may not be read.
std::ifstream open_to_read(const std::filesystem::path& file);

}  // namespace tactus::io
