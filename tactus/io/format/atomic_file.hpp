#pragma once

#include <filesystem>
#include <string_view>

namespace tactus::io {

/// Makes the folder (and its parents) and proves that files can be written there. Throws FileError
/// naming the folder and the reason.
void prepare_folder(const std::filesystem::path& folder);

/// Replaces `file` by `content`: written beside it under a temporary name, then renamed, so that
/// readers see the old file or the new one and never a part. Throws FileError naming the file and
/// the reason; the temporary file is then gone and the old one untouched.
void write_atomically(const std::filesystem::path& file, std::string_view content);

}  // namespace tactus::io
