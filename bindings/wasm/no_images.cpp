// Stands in for the reader of image files, which is left out: browsers decode images themselves.
#include "tactus/io.hpp"

namespace tactus::io {

Image read_image(const std::filesystem::path& file, ImageChannel /*channel*/) {
  throw FileError(file.string() + ": this module reads no images");
}

}  // namespace tactus::io
