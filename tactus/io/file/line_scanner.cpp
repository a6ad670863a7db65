#include "tactus/io/file/line_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "tactus/core.hpp"

namespace tactus::io {
namespace {

constexpr std::string_view kBlanks = " \t\v\f";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view without_plus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

// The whole of `digits` as the nearest double; what is too small counts as 0, too large is
// infinite.
bool parse_number(std::string_view digits, double& value) {
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{}) return end == digits.data() + digits.size();
  if (error != std::errc::result_out_of_range) return false;
#else
  // The library of the WebAssembly compiler lacks it; strtod also takes what is no decimal number.
  if (digits.empty() || digits.find_first_not_of("0123456789+-.eE") != digits.npos) return false;
  if (digits.front() == '+') return false;
#endif
  const std::string text(digits);
  char* end_of_text = nullptr;
  value = std::strtod(text.c_str(), &end_of_text);
  return end_of_text == text.c_str() + text.size();
}

// Bytes of the character in UTF-8 that begins at `at`; 0 where none does. Surrogates and overlong
// forms of three and four bytes count as none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return 0;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  if (overlong || beyond) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[at + k]) & 0xc0u) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::optional<double> number_in(std::string_view word) {
  double value = 0.0;
  if (!parse_number(without_plus(word), value)) return std::nullopt;
  return value;
}

std::string quoted_word(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  std::string text(word.substr(0, kLongest));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = character_length(text, i);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      text[i] = '?';
    } else {
      i += length - 1;
    }
  }
  return fmt::format("\"{}{}\"", text, word.size() > kLongest ? "..." : "");
}

std::string_view without_byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return bytes;
}

LineScanner::LineScanner(std::string_view text, std::string name, LineRules rules)
    : text_(text), name_(std::move(name)), rules_(rules) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    fail("is text in UTF-16: save it as UTF-8");
  }
  next_ = text.size() - without_byte_order_mark(text).size();
  const std::size_t end = text.find_first_of("\r\n");
  cr_alone_ = end != std::string_view::npos && text[end] == '\r' &&
              (end + 1 == text.size() || text[end + 1] != '\n');
}

bool LineScanner::next_physical_line() {
  continues_ = false;
  if (next_ >= text_.size()) return false;
  std::size_t end = next_;
  while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') ++end;
  rest_ = text_.substr(next_, end - next_);
  next_ = std::min(end + 1, text_.size());
  if (end < text_.size() && text_[end] == '\r' && !cr_alone_ && next_ < text_.size() &&
      text_[next_] == '\n') {
    ++next_;
  }
  ++line_;
  const std::size_t comment = rules_.comment != '\0' ? rest_.find(rules_.comment) : rest_.npos;
  if (comment != rest_.npos) {
    rest_ = rest_.substr(0, comment);
  } else if (rules_.continued && rest_.ends_with('\\')) {
    rest_.remove_suffix(1);
    continues_ = true;
  }
  return true;
}

bool LineScanner::next_line() {
  while (continues_) next_physical_line();
  return next_physical_line();
}

bool LineScanner::next_line_with_words() {
  while (next_line()) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    if (!rest_.empty()) return true;
  }
  return false;
}

std::string_view LineScanner::word() {
  std::size_t begin = rest_.find_first_not_of(kBlanks);
  while (begin == std::string_view::npos) {
    rest_ = {};
    if (!continues_ || !next_physical_line()) return {};
    begin = rest_.find_first_not_of(kBlanks);
  }
  rest_.remove_prefix(begin);
  const std::string_view result = rest_.substr(0, rest_.find_first_of(kBlanks));
  rest_.remove_prefix(result.size());
  return result;
}

bool LineScanner::rest_is_numbers(std::size_t most) {
  bool numbers = true;
  for (std::string_view w = word(); !w.empty(); w = word()) {
    numbers = numbers && most > 0 && number_in(w).has_value();
    if (most > 0) --most;
  }
  return numbers;
}

std::string_view LineScanner::word_anywhere() {
  while (true) {
    const std::string_view result = word();
    if (!result.empty()) return result;
    if (!next_line()) fail("the file ends too early");
  }
}

Vec3 LineScanner::vector() {
  Vec3 v;
  for (int i = 0; i < 3; ++i) {
    const std::string_view w = word();
    if (w.empty()) fail("expected three numbers");
    v[i] = number(w);
  }
  return v;
}

double LineScanner::number(std::string_view word) const {
  double value = 0.0;
  if (word.empty()) fail("a number is missing");
  if (!parse_number(without_plus(word), value)) fail(quoted_word(word) + " is not a number");
  if (!std::isfinite(value)) fail(quoted_word(word) + " is not a finite number");
  return value;
}

std::int64_t LineScanner::integer(std::string_view word) const {
  if (word.empty()) fail("a whole number is missing");
  const std::string_view digits = without_plus(word);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    fail(quoted_word(word) + " is not a whole number");
  }
  return value;
}

std::uint32_t LineScanner::index(std::string_view word, std::uint64_t count) const {
  const std::int64_t value = integer(word);
  if (value < 0 || static_cast<std::uint64_t>(value) >= count) {
    fail(fmt::format("index {} is out of range ({} vertices)", value, count));
  }
  return static_cast<std::uint32_t>(value);
}

void LineScanner::fail(std::size_t line, const std::string& reason) const {
  if (line == 0) throw FileError(name_ + ": " + reason);
  throw FileError(fmt::format("{}:{}: {}", name_, line, reason));
}

void append_fan(TriangleMesh& mesh, std::span<const std::uint32_t> polygon) {
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    mesh.triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
  }
}

}  // namespace tactus::io
