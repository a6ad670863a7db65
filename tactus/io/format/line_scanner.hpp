#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tactus/mesh.hpp"

namespace tactus::io {

/// Walks over the words of a text line by line; what the readers of mesh files share.
/// Views stay valid as long as the text. Errors are FileErrors `name:line: reason`.
class LineScanner {
 public:
  /// `name` stands for the text in messages. From `comment` (if not 0) to the end of the line
  /// everything is skipped.
  LineScanner(std::string_view text, std::string name, char comment = '\0');

  /// Goes to the next line, empty or not; false at the end of the text.
  bool next_line();
  /// Next word of the current line, empty at its end. Blanks are space, tab, CR, VT and FF.
  std::string_view word();
  /// Next word of this or a later line; an error at the end of the text.
  std::string_view word_anywhere();
  /// The next three words of the current line as numbers.
  Vec3 vector();

  /// Finite decimal number (a leading + is allowed); anything else is an error.
  double number(std::string_view word) const;
  /// Whole number that fits 64 bits.
  std::int64_t integer(std::string_view word) const;
  /// Index below `count`.
  std::uint32_t index(std::string_view word, std::uint64_t count) const;

  /// Current line, from 1.
  std::size_t line() const { return line_; }
  /// First byte after the current line.
  std::size_t position() const { return next_; }

  [[noreturn]] void fail(const std::string& reason) const { fail(line_, reason); }
  [[noreturn]] void fail(std::size_t line, const std::string& reason) const;

 private:
  std::string_view text_;
  std::string name_;
  char comment_;
  std::size_t next_ = 0;
  std::size_t line_ = 0;
  std::string_view rest_;  // of the current line
};

/// Appends a polygon of at least three corners as the triangles about its first corner.
void append_fan(TriangleMesh& mesh, std::span<const std::uint32_t> polygon);

}  // namespace tactus::io
