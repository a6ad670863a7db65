#include "tactus/io/format/ply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/format/byte_order.hpp"
#include "tactus/io/format/line_scanner.hpp"

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

// Leaves the scanner at the end of the line `end_header`. Unknown statements (some programs write
// free text) are skipped.
Header read_header(LineScanner& scanner) {
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
    }
  }
  scanner.fail("the file ends inside the header");
}

// The numbers of the body, one after the other.
class Body {
 public:
  virtual ~Body() = default;
  virtual double read(Scalar type) = 0;
  [[noreturn]] virtual void fail(const std::string& reason) const = 0;

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

class TextBody final : public Body {
 public:
  explicit TextBody(LineScanner scanner) : scanner_(std::move(scanner)) {}
  double read(Scalar) override { return scanner_.number(scanner_.word_anywhere()); }
  void fail(const std::string& reason) const override { scanner_.fail(reason); }

 private:
  LineScanner scanner_;
};

class BinaryBody final : public Body {
 public:
  BinaryBody(std::string_view data, std::size_t position, bool big, std::string name)
      : data_(data), position_(position), big_(big), name_(std::move(name)) {}

  double read(Scalar type) override {
    const std::size_t size = size_of(type);
    if (data_.size() - position_ < size) fail("the file ends too early");
    const double value = decode(type);
    position_ += size;
    return value;
  }
  void fail(const std::string& reason) const override {
    throw FileError(fmt::format("{}: byte {}: {}", name_, position_, reason));
  }

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
  std::string name_;
};

void skip(Body& body, const Property& property) {
  const std::uint64_t count =
      property.count_type ? body.read_whole(*property.count_type, "list length") : 1;
  for (std::uint64_t i = 0; i < count; ++i) body.read(property.type);
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
    for (std::size_t p = 0; p < coordinates.size(); ++p) {
      if (coordinates[p] < 3) {
        vertex[coordinates[p]] = body.read(element.properties[p].type);
      } else {
        skip(body, element.properties[p]);
      }
    }
    if (!is_finite(vertex)) body.fail(fmt::format("vertex {} is not finite", i));
    mesh.vertices.push_back(vertex);
  }
}

void read_faces(Body& body, const Element& element, std::uint64_t vertices, TriangleMesh& mesh) {
  const auto has_corners = [](const Property& property) {
    return property.name == "vertex_indices" || property.name == "vertex_index";
  };
  const auto is_corner_list = [&](const Property& property) {
    return property.count_type && has_corners(property);
  };
  if (std::count_if(element.properties.begin(), element.properties.end(), is_corner_list) != 1) {
    body.fail("the element face needs one list vertex_indices (or vertex_index)");
  }
  std::vector<std::uint32_t> polygon;
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (const Property& property : element.properties) {
      if (!property.count_type || !has_corners(property)) {
        skip(body, property);
        continue;
      }
      const std::uint64_t corners = body.read_whole(*property.count_type, "list length");
      if (corners < 3) body.fail(fmt::format("face {} has fewer than three corners", i));
      polygon.clear();
      for (std::uint64_t k = 0; k < corners; ++k) {
        const std::uint64_t index = body.read_whole(property.type, "index");
        if (index >= vertices) {
          body.fail(
              fmt::format("face {}: index {} is out of range ({} vertices)", i, index, vertices));
        }
        polygon.push_back(static_cast<std::uint32_t>(index));
      }
      append_fan(mesh, polygon);
    }
  }
}

}  // namespace

TriangleMesh parse_ply(std::string_view data, const std::string& name) {
  LineScanner scanner(data, name);
  const Header header = read_header(scanner);
  const std::size_t start = scanner.position();
  std::unique_ptr<Body> body;
  if (header.format == Format::text) {
    body = std::make_unique<TextBody>(std::move(scanner));
  } else {
    body = std::make_unique<BinaryBody>(data, start, header.format == Format::big, name);
  }
  // Faces may stand before the vertices they refer to.
  std::uint64_t vertices = 0;
  for (const Element& element : header.elements) {
    if (element.name == "vertex") vertices = element.count;
  }
  TriangleMesh mesh;
  for (const Element& element : header.elements) {
    if (element.name == "vertex") {
      read_vertices(*body, element, data.size(), mesh);
    } else if (element.name == "face") {
      read_faces(*body, element, vertices, mesh);
    } else if (!element.properties.empty()) {
      for (std::uint64_t i = 0; i < element.count; ++i) {
        for (const Property& property : element.properties) skip(*body, property);
      }
    }
  }
  return mesh;
}

}  // namespace tactus::io
