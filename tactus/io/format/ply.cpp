#include "tactus/io/format/ply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/file/byte_order.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::optional<Scalar> scalar_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Scalar>, 16> kNames = {
      {{"char", Scalar::int8},
       {"uchar", Scalar::uint8},
       {"short", Scalar::int16},
       {"ushort", Scalar::uint16},
       {"int", Scalar::int32},
       {"uint", Scalar::uint32},
       {"float", Scalar::float32},
       {"double", Scalar::float64},
       {"int8", Scalar::int8},
       {"uint8", Scalar::uint8},
       {"int16", Scalar::int16},
       {"uint16", Scalar::uint16},
       {"int32", Scalar::int32},
       {"uint32", Scalar::uint32},
       {"float32", Scalar::float32},
       {"float64", Scalar::float64}}};
  for (const auto& [known, type] : kNames) {
    if (known == name) return type;
  }
  return std::nullopt;
}

std::size_t size_of(Scalar type) {
  switch (type) {
    case Scalar::int8:
    case Scalar::uint8:
      return 1;
    case Scalar::int16:
    case Scalar::uint16:
      return 2;
    case Scalar::int32:
    case Scalar::uint32:
    case Scalar::float32:
      return 4;
    case Scalar::float64:
      return 8;
  }
  return 1;
}

struct Property {
  std::string name;
  Scalar type = Scalar::float64;
  std::optional<Scalar> count_type;  // set for a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

enum class Format { text, little, big };

struct Header {
  Format format = Format::text;
  std::vector<Element> elements;
};

Scalar read_type(LineScanner& scanner) {
  const std::string_view word = scanner.word();
  const auto type = scalar_named(word);
  if (!type) scanner.fail(fmt::format("\"{}\" is not a type", word));
  return *type;
}

Format read_format(LineScanner& scanner) {
  const std::string_view word = scanner.word();
  if (scanner.word() != "1.0") scanner.fail("only version 1.0 is supported");
  if (word == "ascii") return Format::text;
  if (word == "binary_little_endian") return Format::little;
  if (word == "binary_big_endian") return Format::big;
  scanner.fail("expected ascii, binary_little_endian or binary_big_endian");
}

// Leaves the scanner at the end of the line `end_header`. Some programs write free text.
Header read_header(LineScanner& scanner, FileNotes& notes) {
  if (!scanner.next_line() || scanner.word() != "ply") scanner.fail("expected the keyword ply");
  Header header;
  bool has_format = false;
  while (scanner.next_line()) {
    const std::string_view keyword = scanner.word();
    if (keyword == "format") {
      header.format = read_format(scanner);
      has_format = true;
    } else if (keyword == "element") {
      const std::string_view element = scanner.word();
      for (const Element& earlier : header.elements) {
        if (earlier.name == element) scanner.fail(fmt::format("element {} stands twice", element));
      }
      const std::int64_t count = scanner.integer(scanner.word());
      if (count < 0) scanner.fail("a count must not be negative");
      header.elements.push_back({std::string(element), static_cast<std::uint64_t>(count), {}});
    } else if (keyword == "property") {
      if (header.elements.empty()) scanner.fail("a property before the first element");
      Property property;
      LineScanner after_keyword = scanner;
      if (after_keyword.word() == "list") {
        scanner.word();
        property.count_type = read_type(scanner);
      }
      property.type = read_type(scanner);
      property.name = scanner.word();
      header.elements.back().properties.push_back(property);
    } else if (keyword == "end_header") {
      if (!has_format) scanner.fail("the header has no format");
      return header;
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      notes.add(scanner.line(), fmt::format("unknown statement {}", quoted_word(keyword)));
    }
  }
  scanner.fail("the file ends inside the header");
}

// The least and the largest value of a type.
std::pair<double, double> range_of(Scalar type) {
  constexpr double kFloat = std::numeric_limits<float>::max();
  switch (type) {
    case Scalar::int8:
      return {-128.0, 127.0};
    case Scalar::uint8:
      return {0.0, 255.0};
    case Scalar::int16:
      return {-32768.0, 32767.0};
    case Scalar::uint16:
      return {0.0, 65535.0};
    case Scalar::int32:
      return {-2147483648.0, 2147483647.0};
    case Scalar::uint32:
      return {0.0, 4294967295.0};
    case Scalar::float32:
      return {-kFloat, kFloat};
    case Scalar::float64:
      break;
  }
  return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
}

// A record of a text that goes on in the next line, or lacks values.
class ShortRecord : public FileError {
 public:
  using FileError::FileError;
};

// The numbers of the body, record by record.
class Body {
 public:
  virtual ~Body() = default;
  virtual void begin_record() {}
  virtual void end_record() {}
  virtual double read(Scalar type) = 0;
  // A number that nobody needs, whose value is not an error.
  virtual void skip(Scalar type) = 0;
  // After the last record.
  virtual void finish() = 0;
  [[noreturn]] virtual void fail(const std::string& reason) const = 0;
  virtual void note(const std::string& text) = 0;

  // A number of list entries or an index: whole and not negative.
  std::uint64_t read_whole(Scalar type, const char* what) {
    const double value = read(type);
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!(value >= 0.0 && value < kExact && std::floor(value) == value)) {
      fail(fmt::format("{} is not a valid {}", value, what));
    }
    return static_cast<std::uint64_t>(value);
  }
};

// A record is a line, behind whose declared values more may follow.
class LinesBody : public Body {
 public:
  LinesBody(LineScanner scanner, FileNotes& notes) : scanner_(std::move(scanner)), notes_(notes) {}

  void begin_record() override {
    if (!scanner_.next_line_with_words()) fail_short("the file ends too early");
  }
  void end_record() override {
    if (!scanner_.word().empty()) note("a record has more values than are declared");
  }
  double read(Scalar type) override {
    const std::string_view word = next_word();
    const double value = scanner_.number(word);
    if (!fits(value, type))
      scanner_.fail(fmt::format("{} is no value of its type", quoted_word(word)));
    return value;
  }
  void skip(Scalar type) override {
    const std::optional<double> value = number_in(next_word());
    // A normal or a quality may be NaN; a colour may not be 300.
    if (!value || (!is_real(type) && !fits(*value, type)))
      note("a value that is skipped is not of its type");
  }
  void finish() override {
    if (scanner_.next_line_with_words()) note("data behind the end is left out");
  }
  void fail(const std::string& reason) const override { scanner_.fail(reason); }
  void note(const std::string& text) override { notes_.add(scanner_.line(), text); }

 protected:
  virtual std::string_view next_word() {
    const std::string_view word = scanner_.word();
    if (word.empty()) fail_short("the record has fewer values than are declared");
    return word;
  }
  LineScanner& scanner() { return scanner_; }

 private:
  [[noreturn]] void fail_short(const char* reason) const {
    throw ShortRecord(fmt::format("{}:{}: {}", notes_.name(), scanner_.line(), reason));
  }
  static bool is_real(Scalar type) { return type == Scalar::float32 || type == Scalar::float64; }
  static bool fits(double value, Scalar type) {
    const auto [low, high] = range_of(type);
    return value >= low && value <= high && (is_real(type) || std::floor(value) == value);
  }

  LineScanner scanner_;
  FileNotes& notes_;
};

// Numbers wherever lines end, exactly as many as are declared.
class NumbersBody final : public LinesBody {
 public:
  using LinesBody::LinesBody;
  void begin_record() override {}
  void end_record() override {}
  void finish() override {
    if (!scanner().word().empty() || scanner().next_line_with_words()) fail("data behind the end");
    note("records are not lines: read as a row of numbers");
  }

 private:
  std::string_view next_word() override { return scanner().word_anywhere(); }
};

class BinaryBody final : public Body {
 public:
  BinaryBody(std::string_view data, std::size_t position, bool big, FileNotes& notes)
      : data_(data), position_(position), big_(big), notes_(notes) {}

  double read(Scalar type) override {
    const std::size_t size = size_of(type);
    if (data_.size() - position_ < size) fail("the file ends too early");
    const double value = decode(type);
    position_ += size;
    return value;
  }
  void skip(Scalar type) override { read(type); }
  void finish() override {
    // Some writers end with a line.
    const std::string_view rest = data_.substr(position_);
    if (rest.find_first_not_of("\r\n") != std::string_view::npos)
      note(fmt::format("{} bytes behind the end are left out", rest.size()));
  }
  void fail(const std::string& reason) const override {
    throw FileError(fmt::format("{}: byte {}: {}", notes_.name(), position_, reason));
  }
  void note(const std::string& text) override { notes_.add(0, text); }

 private:
  template <class Unsigned>
  Unsigned bits() const {
    return big_ ? big_endian<Unsigned>(data_, position_)
                : little_endian<Unsigned>(data_, position_);
  }
  double decode(Scalar type) const {
    switch (type) {
      case Scalar::int8:
        return static_cast<std::int8_t>(bits<std::uint8_t>());
      case Scalar::uint8:
        return bits<std::uint8_t>();
      case Scalar::int16:
        return static_cast<std::int16_t>(bits<std::uint16_t>());
      case Scalar::uint16:
        return bits<std::uint16_t>();
      case Scalar::int32:
        return static_cast<std::int32_t>(bits<std::uint32_t>());
      case Scalar::uint32:
        return bits<std::uint32_t>();
      case Scalar::float32:
        return same_bits<float>(bits<std::uint32_t>());
      case Scalar::float64:
        return same_bits<double>(bits<std::uint64_t>());
    }
    return 0.0;
  }

  std::string_view data_;
  std::size_t position_;
  bool big_;
  FileNotes& notes_;
};

void skip(Body& body, const Property& property) {
  const std::uint64_t count =
      property.count_type ? body.read_whole(*property.count_type, "list length") : 1;
  for (std::uint64_t i = 0; i < count; ++i) body.skip(property.type);
}

void read_vertices(Body& body, const Element& element, std::size_t file_size, TriangleMesh& mesh) {
  // Which coordinate each property is, 3 for none.
  std::vector<int> coordinates;
  for (const Property& property : element.properties) {
    const auto found = std::string_view("xyz").find(property.name);
    const bool is_coordinate =
        property.name.size() == 1 && found != std::string_view::npos && !property.count_type;
    coordinates.push_back(is_coordinate ? static_cast<int>(found) : 3);
  }
  for (int c = 0; c < 3; ++c) {
    if (std::count(coordinates.begin(), coordinates.end(), c) != 1) {
      body.fail("the element vertex needs one property each x, y and z");
    }
  }
  // A vertex takes at least three bytes, so that a false count cannot ask for more memory than a
  // few times the file's size.
  mesh.vertices.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(element.count, file_size / 3 + 1)));
  for (std::uint64_t i = 0; i < element.count; ++i) {
    Vec3 vertex;
    body.begin_record();
    for (std::size_t p = 0; p < coordinates.size(); ++p) {
      if (coordinates[p] < 3) {
        vertex[coordinates[p]] = body.read(element.properties[p].type);
      } else {
        skip(body, element.properties[p]);
      }
    }
    if (!is_finite(vertex)) body.fail(fmt::format("vertex {} is not finite", i));
    body.end_record();
    mesh.vertices.push_back(vertex);
  }
}

// The list of a face that holds its corners.
bool has_corners(const Property& property) {
  return property.count_type &&
         (property.name == "vertex_indices" || property.name == "vertex_index");
}

std::uint32_t read_corner(Body& body, Scalar type, std::uint64_t vertices, std::uint64_t face) {
  const std::uint64_t index = body.read_whole(type, "index");
  if (index >= vertices) {
    body.fail(
        fmt::format("face {}: index {} is out of range ({} vertices)", face, index, vertices));
  }
  return static_cast<std::uint32_t>(index);
}

void read_faces(Body& body, const Element& element, std::uint64_t vertices, TriangleMesh& mesh) {
  if (std::count_if(element.properties.begin(), element.properties.end(), has_corners) != 1) {
    body.fail("the element face needs one list vertex_indices (or vertex_index)");
  }
  std::vector<std::uint32_t> polygon;
  for (std::uint64_t i = 0; i < element.count; ++i) {
    body.begin_record();
    for (const Property& property : element.properties) {
      if (!property.count_type || !has_corners(property)) {
        skip(body, property);
        continue;
      }
      const std::uint64_t corners = body.read_whole(*property.count_type, "list length");
      polygon.clear();
      for (std::uint64_t k = 0; k < corners; ++k)
        polygon.push_back(read_corner(body, property.type, vertices, i));
    }
    body.end_record();
    if (polygon.size() < 3) {
      body.note(kFewCorners);
    } else {
      append_fan(mesh, polygon);
    }
  }
}

// Strips of triangles, parted by -1.
void read_strips(Body& body, const Element& element, std::uint64_t vertices, TriangleMesh& mesh) {
  for (std::uint64_t i = 0; i < element.count; ++i) {
    body.begin_record();
    for (const Property& property : element.properties) {
      if (!property.count_type || !has_corners(property)) {
        skip(body, property);
        continue;
      }
      const std::uint64_t length = body.read_whole(*property.count_type, "list length");
      std::array<std::uint32_t, 2> last{};
      std::uint64_t since = 0;
      for (std::uint64_t k = 0; k < length; ++k) {
        const double value = body.read(property.type);
        if (value == -1.0) {
          since = 0;
          continue;
        }
        if (!(value >= 0.0 && value < static_cast<double>(vertices) && std::floor(value) == value))
          body.fail(fmt::format("strip {}: {} is not a valid index", i, value));
        const auto corner = static_cast<std::uint32_t>(value);
        if (since >= 2) {
          const bool odd = since % 2 != 0;
          mesh.triangles.push_back({last[odd ? 1 : 0], last[odd ? 0 : 1], corner});
        }
        last = {last[1], corner};
        ++since;
      }
    }
    body.end_record();
  }
}

TriangleMesh read_body(Body& body, const Header& header, std::size_t file_size) {
  // Faces may stand before the vertices they refer to.
  std::uint64_t vertices = 0;
  for (const Element& element : header.elements) {
    if (element.name == "vertex") vertices = element.count;
  }
  TriangleMesh mesh;
  for (const Element& element : header.elements) {
    if (element.name == "vertex") {
      read_vertices(body, element, file_size, mesh);
    } else if (element.name == "face") {
      read_faces(body, element, vertices, mesh);
    } else if (element.name == "tristrips") {
      read_strips(body, element, vertices, mesh);
    } else if (!element.properties.empty()) {
      if (element.count > 0)
        body.note(fmt::format("element {} is left out", quoted_word(element.name)));
      for (std::uint64_t i = 0; i < element.count; ++i) {
        body.begin_record();
        for (const Property& property : element.properties) skip(body, property);
        body.end_record();
      }
    }
  }
  body.finish();
  return mesh;
}

}  // namespace

TriangleMesh parse_ply(std::string_view data, FileNotes& notes) {
  LineScanner scanner(data, notes.name());
  const Header header = read_header(scanner, notes);
  if (header.format != Format::text) {
    BinaryBody body(data, scanner.position(), header.format == Format::big, notes);
    return read_body(body, header, data.size());
  }
  const FileNotes of_header = notes;
  try {
    LinesBody body(scanner, notes);
    return read_body(body, header, data.size());
  } catch (const ShortRecord& short_record) {
    notes = of_header;
    try {
      NumbersBody body(scanner, notes);
      return read_body(body, header, data.size());
    } catch (const FileError&) {
      throw FileError(short_record.what());
    }
  }
}

}  // namespace tactus::io
