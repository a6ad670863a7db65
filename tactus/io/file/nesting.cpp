#include "tactus/io/file/nesting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tactus/io/file/byte_order.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

// Levels of other formats: assimp 5.2 takes 10,000 of COLLADA to the end of a stack of 8 MiB.
constexpr int kDeepest = 1000;
// A binary glTF, version 1 or 2, has a header and the length of its JSON before the JSON.
constexpr std::size_t kJsonLength = 12, kJson = 20;

/// Counts levels that are open at once.
struct Levels {
  int most;
  int open = 0;

  // False where it is one too many.
  bool enter() { return ++open <= most; }
  void leave() { open = std::max(open - 1, 0); }
};

bool brackets_are_too_deep(std::string_view text) {
  Levels levels{kDeepest};
  for (const char c : text) {
    if ((c == '{' || c == '[' || c == '(') && !levels.enter()) return true;
    if (c == '}' || c == ']' || c == ')') levels.leave();
  }
  return false;
}

bool xml_is_too_deep(std::string_view text) {
  Levels levels{kDeepest};
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    std::string_view end = ">";
    if (rest.starts_with("<!--")) end = "-->";
    if (rest.starts_with("<![CDATA[")) end = "]]>";
    const std::size_t close = text.find(end, at);
    const bool is_element = rest.size() > 1 && rest[1] != '!' && rest[1] != '?' && rest[1] != '/';
    // An element without contents ends in "/>"; one that is cut off is open.
    const bool is_empty = close != text.npos && text[close - 1] == '/';
    if (is_element && !is_empty && !levels.enter()) return true;
    if (rest.starts_with("</")) levels.leave();
    if (close == text.npos) break;
    at = close + end.size();
  }
  return false;
}

}  // namespace

bool json_is_too_deep(std::string_view text) {
  Levels levels{kDeepestJson};
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if ((c == '{' || c == '[') && !levels.enter()) return true;
    if (c == '}' || c == ']') levels.leave();
  }
  return false;
}

bool is_too_deep(std::string_view content) {
  if (content.starts_with("glTF")) {
    if (content.size() < kJson) return false;
    return json_is_too_deep(
        content.substr(kJson, little_endian<std::uint32_t>(content, kJsonLength)));
  }
  const std::string_view text = without_byte_order_mark(content);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return false;
  if (text[first] == '{' || text[first] == '[') return json_is_too_deep(text);
  if (text[first] == '<') return xml_is_too_deep(text);
  const bool is_text = content.find('\0') == content.npos;
  return is_text && brackets_are_too_deep(text);
}

}  // namespace tactus::io
