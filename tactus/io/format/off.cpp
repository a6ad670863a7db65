#include "tactus/io/format/off.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

// A colour as indices or numbers may follow the corners of a face.
constexpr std::size_t kMostColour = 4;

// First word of the next line that has one.
std::string_view first_word(LineScanner& scanner, std::string_view what) {
  if (scanner.next_line_with_words()) return scanner.word();
  scanner.fail(fmt::format("the file ends before {}", what));
}

std::uint64_t read_count(const LineScanner& scanner, std::string_view word) {
  const std::int64_t count = scanner.integer(word);
  if (count < 0) scanner.fail("a count must not be negative");
  return static_cast<std::uint64_t>(count);
}

// The values that a keyword declares for each vertex beside its place.
std::size_t declared_by(std::string_view keyword) {
  std::size_t count = 0;
  if (keyword.find("ST") != keyword.npos) count += 2;
  if (keyword.find('C') != keyword.npos) count += kMostColour;
  if (keyword.find('N') != keyword.npos) count += 3;
  return count;
}

void read_faces(LineScanner& scanner, std::uint64_t faces, FileNotes& notes, TriangleMesh& mesh) {
  std::vector<std::uint32_t> polygon;
  for (std::uint64_t i = 0; i < faces; ++i) {
    const std::uint64_t corners =
        read_count(scanner, first_word(scanner, fmt::format("face {} of {}", i, faces)));
    polygon.clear();
    for (std::uint64_t k = 0; k < corners; ++k) {
      const std::string_view corner = scanner.word();
      if (corner.empty()) scanner.fail(fmt::format("expected {} corners", corners));
      polygon.push_back(scanner.index(corner, mesh.vertices.size()));
    }
    if (!scanner.rest_is_numbers(kMostColour))
      notes.add(scanner.line(), "a face has more than corners and a colour");
    if (corners < 3) {
      notes.add(scanner.line(), kFewCorners);
    } else {
      append_fan(mesh, polygon);
    }
  }
}

// How records lie in the text: the format's definition knows blanks alone, most writers lines.
enum class Records : std::uint8_t {
  lines,      // a line for each vertex and face
  free,       // vertices end anywhere, a face with its colour at the end of a line
  colourless  // both end anywhere
};

// Vertices and faces by their numbers alone; nothing may be left over.
void read_free(LineScanner& scanner, std::uint64_t vertices, std::uint64_t faces,
               std::size_t declared, Records records, TriangleMesh& mesh) {
  for (std::uint64_t i = 0; i < vertices; ++i) {
    Vec3 v;
    for (int k = 0; k < 3; ++k) v[k] = scanner.number(scanner.word_anywhere());
    for (std::size_t k = 0; k < declared; ++k) scanner.number(scanner.word_anywhere());
    mesh.vertices.push_back(v);
  }
  std::vector<std::uint32_t> polygon;
  for (std::uint64_t i = 0; i < faces; ++i) {
    const std::uint64_t corners = read_count(scanner, scanner.word_anywhere());
    polygon.clear();
    for (std::uint64_t k = 0; k < corners; ++k)
      polygon.push_back(scanner.index(scanner.word_anywhere(), mesh.vertices.size()));
    if (records == Records::free && !scanner.rest_is_numbers(kMostColour))
      scanner.fail("a face has more than corners and a colour");
    // A mistaken colour reads as a face of few corners.
    if (corners < 3) scanner.fail(kFewCorners);
    append_fan(mesh, polygon);
  }
  if (!scanner.word().empty() || scanner.next_line_with_words())
    scanner.fail("data behind the end");
}

TriangleMesh parse(std::string_view text, Records records, FileNotes& notes) {
  LineScanner scanner(text, notes.name(), {'#'});
  const std::string_view keyword = first_word(scanner, "its keyword OFF");
  if (!keyword.ends_with("OFF") || keyword.find_first_not_of("STCNOF") != std::string_view::npos) {
    scanner.fail("expected the keyword OFF (or COFF, NOFF, STOFF)");
  }
  std::string_view word = scanner.word();
  if (word == "BINARY") scanner.fail("binary OFF is not supported");
  if (word.empty()) word = first_word(scanner, "its counts");
  const std::uint64_t vertices = read_count(scanner, word);
  const std::uint64_t faces = read_count(scanner, scanner.word());

  TriangleMesh mesh;
  // A vertex takes at least 6 bytes of text, so that a false count cannot ask for more memory than
  // the file's size.
  mesh.vertices.reserve(std::min<std::uint64_t>(vertices, text.size() / 6 + 1));
  const std::size_t declared = declared_by(keyword);
  if (records != Records::lines) {
    // The number of edges, which nobody needs.
    scanner.integer(scanner.word_anywhere());
    read_free(scanner, vertices, faces, declared, records, mesh);
    notes.add(0, "records are not lines: read as a row of numbers");
    return mesh;
  }
  if (!scanner.rest_is_numbers(1)) notes.add(scanner.line(), "more than three counts");
  for (std::uint64_t i = 0; i < vertices; ++i) {
    const std::string_view x = first_word(scanner, fmt::format("vertex {} of {}", i, vertices));
    const double first = scanner.number(x);
    const std::string_view y = scanner.word(), z = scanner.word();
    if (z.empty()) scanner.fail("expected three numbers");
    mesh.vertices.push_back({first, scanner.number(y), scanner.number(z)});
    if (!scanner.rest_is_numbers(declared))
      notes.add(scanner.line(), fmt::format("a vertex of {} has more than its values", keyword));
  }
  read_faces(scanner, faces, notes, mesh);
  if (scanner.next_line_with_words()) notes.add(scanner.line(), "data behind the end is left out");
  return mesh;
}

}  // namespace

TriangleMesh parse_off(std::string_view text, FileNotes& notes) {
  FileNotes by_lines(notes.name());
  try {
    TriangleMesh mesh = parse(text, Records::lines, by_lines);
    notes = std::move(by_lines);
    return mesh;
  } catch (const FileError& error) {
    for (const Records records : {Records::free, Records::colourless}) {
      try {
        return parse(text, records, notes);
      } catch (const FileError&) {
        // Broken as lines, and broken as a row: the lines' error tells where.
        continue;
      }
    }
    notes = std::move(by_lines);
    throw FileError(error);
  }
}

}  // namespace tactus::io
