#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tactus/mesh.hpp"

namespace tactus::io {

/// How the lines of a text are read.
struct LineRules {
  char comment = '\0';     ///< from it to the end of the line everything is skipped; 0: nothing
  bool continued = false;  ///< a backslash before the end of a line joins it with the next one
};

/// Walks over the words of a text line by line; what the readers of mesh files share.
/// Lines end with LF, CR LF or CR; a UTF-8 byte-order mark at the beginning is skipped.
/// Views stay valid as long as the text. Errors are FileErrors `name:line: reason`.
class LineScanner {
 public:
  /// `name` stands for the text in messages. Throws FileError for text in UTF-16.
  LineScanner(std::string_view text, std::string name, LineRules rules = {});

  /// Goes to the next line, empty or not, behind all continuations of the current one; false at the
  /// end of the text.
  bool next_line();
  /// Goes to the next line that has a word; false at the end of the text.
  bool next_line_with_words();
  /// Next word of the current line, empty at its end. Blanks are space, tab, VT and FF.
  std::string_view word();
  /// Next word of this or a later line; an error at the end of the text.
  std::string_view word_anywhere();
  /// The next three words of the current line as numbers.
  Vec3 vector();
  /// Takes the rest of the current line; true where it is at most `most` numbers.
  bool rest_is_numbers(std::size_t most);

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
  bool next_physical_line();

  std::string_view text_;
  std::string name_;
  LineRules rules_;
  std::size_t next_ = 0;
  std::size_t line_ = 0;
  bool cr_alone_ = false;   // the first line ends with CR alone: then LF after CR is no part of it
  bool continues_ = false;  // the current line goes on in the next one
  std::string_view rest_;   // of the current line
};

/// The value of a word that is a number, also one that is not finite.
std::optional<double> number_in(std::string_view word);

/// A word as it may be printed: in quotes, short, and without control characters.
std::string quoted_word(std::string_view word);

/// `bytes` without a UTF-8 byte-order mark at its beginning.
std::string_view without_byte_order_mark(std::string_view bytes);

/// Appends a polygon of at least three corners as the triangles about its first corner.
void append_fan(TriangleMesh& mesh, std::span<const std::uint32_t> polygon);

}  // namespace tactus::io
