#include "tactus/io/format/line_scanner.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "tactus/core.hpp"

namespace tactus::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

// As it may be printed: short, and without control characters.
std::string quoted(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  std::string text(word.substr(0, kLongest));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return fmt::format("\"{}{}\"", text, word.size() > kLongest ? "..." : "");
}

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

}  // namespace

LineScanner::LineScanner(std::string_view text, std::string name, char comment)
    : text_(text), name_(std::move(name)), comment_(comment) {}

bool LineScanner::next_line() {
  if (next_ >= text_.size()) return false;
  const std::size_t end = text_.find('\n', next_);
  rest_ = text_.substr(next_, end == std::string_view::npos ? end : end - next_);
  if (comment_ != '\0') rest_ = rest_.substr(0, rest_.find(comment_));
  next_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++line_;
  return true;
}

std::string_view LineScanner::word() {
  const std::size_t begin = rest_.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    rest_ = {};
    return {};
  }
  rest_.remove_prefix(begin);
  const std::string_view result = rest_.substr(0, rest_.find_first_of(kBlanks));
  rest_.remove_prefix(result.size());
  return result;
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
  if (!parse_number(without_plus(word), value)) fail(quoted(word) + " is not a number");
  if (!std::isfinite(value)) fail(quoted(word) + " is not a finite number");
  return value;
}

std::int64_t LineScanner::integer(std::string_view word) const {
  if (word.empty()) fail("a whole number is missing");
  const std::string_view digits = without_plus(word);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    fail(quoted(word) + " is not a whole number");
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
