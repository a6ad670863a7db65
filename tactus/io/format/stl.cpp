#include "tactus/io/format/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <unordered_map>

#include "tactus/core.hpp"
#include "tactus/io/format/byte_order.hpp"
#include "tactus/io/format/line_scanner.hpp"

namespace tactus::io {
namespace {

// Binary layout: 80 bytes of free text, the number of triangles, and 50 bytes for each: normal,
// three corners, two spare bytes.
constexpr std::size_t kHeader = 84;
constexpr std::size_t kCount = 80;
constexpr std::size_t kTriangle = 50;
constexpr std::size_t kVector = 12;

struct PositionHash {
  std::size_t operator()(const Vec3& v) const {
    std::uint64_t hash = 0;
    for (int i = 0; i < 3; ++i) {
      // Adding zero turns -0 into 0, which is equal to it.
      hash = (hash ^ same_bits<std::uint64_t>(v[i] + 0.0)) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 32u;
    }
    return static_cast<std::size_t>(hash);
  }
};

class Welder {
 public:
  std::uint32_t index(const Vec3& position) {
    const auto next = static_cast<std::uint32_t>(mesh_.vertices.size());
    const auto [entry, is_new] = known_.try_emplace(position, next);
    if (is_new) mesh_.vertices.push_back(position);
    return entry->second;
  }
  void add(const std::array<Vec3, 3>& corners) {
    mesh_.triangles.push_back({index(corners[0]), index(corners[1]), index(corners[2])});
  }
  TriangleMesh take() { return std::move(mesh_); }

 private:
  TriangleMesh mesh_;
  std::unordered_map<Vec3, std::uint32_t, PositionHash> known_;
};

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

TriangleMesh parse_text(std::string_view text, const std::string& name) {
  LineScanner scanner(text, name);
  Welder welder;
  bool in_solid = false, in_facet = false;
  std::array<Vec3, 3> corners;
  std::size_t count = 0;
  while (scanner.next_line()) {
    const std::string keyword = lower_case(scanner.word());
    if (keyword == "solid") {
      in_solid = true;
    } else if (keyword == "facet") {
      if (in_facet) scanner.fail("a facet begins inside another");
      in_facet = true;
      count = 0;
    } else if (keyword == "vertex") {
      if (!in_facet || count == 3) scanner.fail("a vertex beyond the three of a facet");
      corners[count++] = scanner.vector();
    } else if (keyword == "endfacet") {
      if (!in_facet || count != 3) scanner.fail("a facet needs three vertices");
      welder.add(corners);
      in_facet = false;
    } else if (keyword == "endsolid") {
      in_solid = false;
    } else if (!keyword.empty() && keyword != "outer" && keyword != "endloop") {
      scanner.fail("expected facet, outer loop, vertex, endloop, endfacet or endsolid");
    }
  }
  if (in_facet || in_solid) scanner.fail("the file ends before endsolid");
  return welder.take();
}

TriangleMesh parse_binary(std::string_view data, const std::string& name) {
  if (data.size() < kHeader) throw FileError(name + ": too short for an STL file");
  const std::uint64_t count = little_endian<std::uint32_t>(data, kCount);
  const std::uint64_t size = kHeader + count * kTriangle;
  if (data.size() < size) {
    throw FileError(fmt::format("{}: declares {} triangles ({} bytes), but holds {} bytes", name,
                                count, size, data.size()));
  }
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
  const std::size_t begin = std::min(data.find_first_not_of(" \t\r\n"), data.size());
  return lower_case(data.substr(begin, 5)) == "solid";
}

}  // namespace

TriangleMesh parse_stl(std::string_view data, const std::string& name) {
  // Binary files may well begin with "solid": their declared length decides.
  const bool exact_length =
      data.size() >= kHeader &&
      kHeader + kTriangle * std::uint64_t{little_endian<std::uint32_t>(data, kCount)} ==
          data.size();
  return !exact_length && starts_like_text(data) ? parse_text(data, name)
                                                 : parse_binary(data, name);
}

}  // namespace tactus::io
