#include "tactus/io/file/standard_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tactus/io/file/file_content.hpp"

namespace tactus::io {
namespace {

// Binary STL: a head, the number of triangles, and so many bytes for each.
constexpr std::size_t kStlHead = 84, kStlTriangle = 50;
constexpr std::string_view kBlanks = " \t\r\n\v\f";

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kBeginnings = {
    {{"ply", ".ply"},
     {"glTF", ".glb"},
     {"$MeshFormat", ".msh"},
     {"MeshVersionFormatted", ".mesh"},
     {"# vtk", ".vtk"},
     {"solid", ".stl"}}};

bool is_binary_stl(std::string_view content) {
  if (content.size() < kStlHead || (content.size() - kStlHead) % kStlTriangle != 0) return false;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i)
    count |= std::size_t{static_cast<unsigned char>(content[kStlHead - 4 + i])} << (8 * i);
  return count == (content.size() - kStlHead) / kStlTriangle;
}

// The first word that is in no comment.
std::string_view first_word(std::string_view content) {
  for (;;) {
    content.remove_prefix(std::min(content.find_first_not_of(kBlanks), content.size()));
    if (!content.starts_with("#")) break;
    content.remove_prefix(std::min(content.find('\n'), content.size()));
  }
  return content.substr(0, content.find_first_of(kBlanks));
}

}  // namespace

const std::string& standard_input() {
  static const std::string kContent = read_all(STDIN_FILENO, "standard input");
  return kContent;
}

std::filesystem::path beside(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path file = folder / name;
  return file == "-" ? std::filesystem::path(".") / file : file;
}

std::string_view format_of(std::string_view content) {
  if (is_binary_stl(content)) return ".stl";
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  for (const auto& [beginning, format] : kBeginnings) {
    if (content.starts_with(beginning)) return format;
  }
  const std::string_view word = first_word(content);
  if (word.ends_with("OFF")) return ".off";
  // Every glTF has its asset, which no shape has.
  if (word.starts_with("{")) return content.find("\"asset\"") != content.npos ? ".gltf" : ".json";
  return !word.empty() && std::string_view("+-.0123456789").find(word.front()) != word.npos
             ? ".xyz"
             : ".obj";
}

}  // namespace tactus::io
