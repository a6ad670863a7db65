#include "tactus/io/format/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tactus/core.hpp"
#include "tactus/io/file/byte_order.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/file/welder.hpp"

namespace tactus::io {
namespace {

// Binary layout: 80 bytes of free text, the number of triangles, and 50 bytes for each: normal,
// three corners, two spare bytes.
constexpr std::size_t kHeader = 84;
constexpr std::size_t kCount = 80;
constexpr std::size_t kTriangle = 50;
constexpr std::size_t kVector = 12;

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

TriangleMesh parse_text(std::string_view text, FileNotes& notes) {
  LineScanner scanner(text, notes.name());
  Welder welder;
  bool in_solid = false, in_facet = false;
  std::array<Vec3, 3> corners;
  std::size_t count = 0;
  const auto note = [&](const char* warning) { notes.add(scanner.line(), warning); };
  while (scanner.next_line()) {
    const std::string keyword = lower_case(scanner.word());
    if (keyword == "solid") {
      in_solid = true;
    } else if (keyword == "facet") {
      if (in_facet) scanner.fail("a facet begins inside another");
      if (!in_solid) note("a facet outside of a solid");
      const std::string normal = lower_case(scanner.word());
      if (!(normal.empty() || normal == "normal") || !scanner.rest_is_numbers(3))
        note("a facet has more than its normal");
      in_facet = true;
      count = 0;
    } else if (keyword == "vertex") {
      if (!in_facet || count == 3) scanner.fail("a vertex beyond the three of a facet");
      corners[count++] = scanner.vector();
      if (!scanner.word().empty()) note("a vertex has more than three values");
    } else if (keyword == "endfacet") {
      if (!in_facet || count != 3) scanner.fail("a facet needs three vertices");
      welder.add(corners);
      in_facet = false;
    } else if (keyword == "endsolid") {
      in_solid = false;
    } else if (!keyword.empty() && keyword != "outer" && keyword != "endloop") {
      notes.add(scanner.line(), in_solid ? "unknown statement " + quoted_word(keyword)
                                         : std::string("data behind the end is left out"));
    }
  }
  if (in_facet || in_solid) scanner.fail("the file ends before endsolid");
  return welder.take();
}

TriangleMesh parse_binary(std::string_view data, FileNotes& notes) {
  const std::string& name = notes.name();
  if (data.size() < kHeader) throw FileError(name + ": too short for an STL file");
  const std::uint64_t count = little_endian<std::uint32_t>(data, kCount);
  const std::uint64_t size = kHeader + count * kTriangle;
  if (data.size() < size) {
    throw FileError(fmt::format("{}: declares {} triangles ({} bytes), but holds {} bytes", name,
                                count, size, data.size()));
  }
  if (data.size() > size)
    notes.add(0, fmt::format("{} bytes behind the end are left out", data.size() - size));
  Welder welder;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = kHeader + static_cast<std::size_t>(i) * kTriangle + (k + 1) * kVector;
      for (int c = 0; c < 3; ++c) {
        const std::size_t place = at + 4 * static_cast<std::size_t>(c);
        corners[k][c] = same_bits<float>(little_endian<std::uint32_t>(data, place));
      }
      if (!is_finite(corners[k])) {
        throw FileError(fmt::format("{}: triangle {}: a coordinate is not finite", name, i));
      }
    }
    welder.add(corners);
  }
  return welder.take();
}

bool starts_like_text(std::string_view data) {
  data = without_byte_order_mark(data);
  const std::size_t begin = std::min(data.find_first_not_of(" \t\r\n"), data.size());
  return lower_case(data.substr(begin, 5)) == "solid";
}

}  // namespace

TriangleMesh parse_stl(std::string_view data, FileNotes& notes) {
  // Binary files may well begin with "solid": their declared length decides, and zeros, of which
  // text has none, unless facets are there all the same.
  const bool zero = data.find('\0') != std::string_view::npos;
  const bool text =
      starts_like_text(data) && !(zero && lower_case(data).find("facet") == std::string::npos);
  if (data.size() < kHeader) return text ? parse_text(data, notes) : parse_binary(data, notes);
  const std::uint64_t size =
      kHeader + kTriangle * std::uint64_t{little_endian<std::uint32_t>(data, kCount)};
  const bool zeros = data.substr(0, kHeader).find('\0') != std::string_view::npos;
  const bool binary = size == data.size() || (zeros && size <= data.size());
  return text && !binary ? parse_text(data, notes) : parse_binary(data, notes);
}

}  // namespace tactus::io
