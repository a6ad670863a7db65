#include "tactus/io/contour/image.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#include <stb/stb_image.h>

#include "tactus/fit.hpp"
#include "tactus/io/contour/pixels.hpp"
#include "tactus/io/file/file_content.hpp"

namespace tactus::io {
namespace {

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n", kJpegStart = "\xff\xd8";

unsigned byte_at(std::string_view content, std::size_t i) {
  return static_cast<unsigned char>(content[i]);
}

std::uint32_t word_at(std::string_view content, std::size_t i) {
  return (byte_at(content, i) << 24U) | (byte_at(content, i + 1) << 16U) |
         (byte_at(content, i + 2) << 8U) | byte_at(content, i + 3);
}

std::uint32_t png_checksum(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> kTable = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1U) : c >> 1U;
      made[i] = c;
    }
    return made;
  }();
  std::uint32_t c = 0xffffffffU;
  for (const char byte : bytes) {
    c = kTable[(c ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (c >> 8U);
  }
  return ~c;
}

// The decoder looks neither at checksums nor for the end.
void check_png(std::string_view content, const std::string& name) {
  for (std::size_t i = kPngStart.size();;) {
    if (content.size() - i < 12) throw FileError(name + ": PNG file is cut off");
    const std::size_t length = word_at(content, i);
    if (length > content.size() - i - 12) throw FileError(name + ": PNG file is cut off");
    const std::string_view chunk = content.substr(i + 4, length + 4);
    if (png_checksum(chunk) != word_at(content, i + 8 + length)) {
      throw FileError(name + ": PNG file is damaged: the checksum of a chunk differs");
    }
    if (chunk.substr(0, 4) == "IEND") return;
    i += length + 12;
  }
}

// The decoder fills up what is missing; a whole file has the marker of the end behind its scans.
void check_jpeg(std::string_view content, const std::string& name) {
  std::size_t i = kJpegStart.size();
  while (i + 1 < content.size()) {
    if (byte_at(content, i) != 0xff) {
      ++i;  // of a scan
      continue;
    }
    const unsigned marker = byte_at(content, i + 1);
    if (marker == 0xd9) return;
    const bool alone = marker == 0x00 || marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (marker == 0xff) {
      ++i;
    } else if (alone) {
      i += 2;
    } else {
      if (i + 3 >= content.size()) break;
      i += 2 + ((byte_at(content, i + 2) << 8U) | byte_at(content, i + 3));
    }
  }
  throw FileError(name + ": JPEG file is cut off");
}

struct Release {
  void operator()(void* pixels) const { stbi_image_free(pixels); }
};

[[noreturn]] void fail(const std::string& name) {
  const char* reason = stbi_failure_reason();
  throw FileError(name + ": cannot be decoded" +
                  (reason != nullptr ? std::string(": ") + reason : ""));
}

}  // namespace

Image parse_image(std::string_view content, const std::string& name, ImageChannel channel) {
  const bool png = content.starts_with(kPngStart), jpeg = content.starts_with(kJpegStart);
  if (content.empty()) throw FileError(name + ": is empty");
  if (!png && !jpeg) throw FileError(name + ": is neither a PNG nor a JPEG file");
  if (content.size() > INT_MAX) throw FileError(name + ": is larger than 2 GB");
  const auto* bytes = reinterpret_cast<const stbi_uc*>(content.data());
  const int size = static_cast<int>(content.size());
  Image image;
  int channels = 0;
  if (stbi_info_from_memory(bytes, size, &image.width, &image.height, &channels) == 0) {
    if (png) {
      check_png(content, name);
      // Its head: length, IHDR, width, height.
      if (content.size() >= 24 && (word_at(content, 16) == 0 || word_at(content, 20) == 0)) {
        throw FileError(name + ": has no pixels");
      }
    }
    fail(name);
  }
  const std::int64_t pixels = static_cast<std::int64_t>(image.width) * image.height;
  if (pixels > fit::kMostPixels) {
    throw FileError(name + ": has " + std::to_string(image.width) + " x " +
                    std::to_string(image.height) + " pixels; at most " +
                    std::to_string(fit::kMostPixels) + " are read");
  }
  if (png) {
    check_png(content, name);
  } else {
    check_jpeg(content, name);
  }
  if (stbi_is_16_bit_from_memory(bytes, size) != 0) {
    const std::unique_ptr<stbi_us, Release> values(
        stbi_load_16_from_memory(bytes, size, &image.width, &image.height, &channels, 0));
    if (!values) fail(name);
    take(values.get(), channels, channel, image);
  } else {
    const std::unique_ptr<stbi_uc, Release> values(
        stbi_load_from_memory(bytes, size, &image.width, &image.height, &channels, 0));
    if (!values) fail(name);
    take(values.get(), channels, channel, image);
  }
  return image;
}

Image read_image(const std::filesystem::path& file, ImageChannel channel) {
  return parse_image(file_content(file), file.string(), channel);
}

}  // namespace tactus::io
