#include "tactus/io/format/gltf/gltf_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>

#include "tactus/core.hpp"
#include "tactus/io/file/byte_order.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/file/nesting.hpp"
#include "tactus/io/file/standard_input.hpp"
#include "tactus/io/format/gltf/gltf.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

// Layout of a binary file: magic, version, length; chunks of length, type and bytes.
constexpr std::size_t kHead = 12, kChunkHead = 8;
constexpr std::string_view kMagic = "glTF", kJson = "JSON", kBinary{"BIN\0", 4};

// A type of numbers by its code; `largest` is what a normalised one divides by.
struct Component {
  std::uint64_t code;
  std::size_t size;
  double largest;
};
constexpr std::array<Component, 6> kComponents = {{{5120, 1, 127.0},
                                                   {5121, 1, 255.0},
                                                   {5122, 2, 32767.0},
                                                   {5123, 2, 65535.0},
                                                   {5125, 4, 4294967295.0},
                                                   {5126, 4, 1.0}}};

double component_at(std::string_view data, std::size_t at, std::uint64_t code) {
  switch (code) {
    case 5120:
      return static_cast<std::int8_t>(little_endian<std::uint8_t>(data, at));
    case 5121:
      return little_endian<std::uint8_t>(data, at);
    case 5122:
      return static_cast<std::int16_t>(little_endian<std::uint16_t>(data, at));
    case 5123:
      return little_endian<std::uint16_t>(data, at);
    case 5125:
      return little_endian<std::uint32_t>(data, at);
    default:
      return static_cast<double>(same_bits<float>(little_endian<std::uint32_t>(data, at)));
  }
}

std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6u) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>((bits >> count) & 0xffu));
    }
  }
  return bytes;
}

// A path of a URI, with its %20.
std::string unescaped(std::string_view uri) {
  const auto digit = [](char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    return kHex.find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
  };
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) < 16 && digit(uri[i + 2]) < 16) {
      path.push_back(static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])));
      i += 2;
    } else {
      path.push_back(uri[i]);
    }
  }
  return path;
}

}  // namespace

struct GltfBuffers::Layout {
  Component component;
  std::size_t components;
  std::uint64_t count, offset, stride;
};

GltfBuffers::GltfBuffers(std::string_view content, const std::string& name) : name_(name) {
  std::string_view text = content, binary;
  if (content.starts_with(kMagic)) text = take_chunks(content, binary);
  text = without_byte_order_mark(text);
  if (json_is_too_deep(text)) fail(kTooDeep);
  root_ = json::parse(text, nullptr, false);
  if (!root_.is_object()) fail("is no glTF: no JSON object");
  const json& asset = root_.value("asset", json());
  const json version = asset.is_object() ? asset.value("version", json()) : json();
  if (!version.is_string() || !version.get<std::string>().starts_with("2."))
    throw OtherGltf(name_ + ": only glTF 2 is read (asset.version)");
  const json buffers = root_.value("buffers", json::array());
  if (!buffers.is_array()) fail("buffers must be an array");
  for (const json& buffer : buffers) buffers_.push_back(bytes_of(buffer, binary, buffers_.empty()));
}

void GltfBuffers::fail(const std::string& reason) const { throw FileError(name_ + ": " + reason); }

std::string_view GltfBuffers::take_chunks(std::string_view content, std::string_view& binary) {
  if (content.size() < kHead + kChunkHead) fail("is cut off");
  const auto version = little_endian<std::uint32_t>(content, 4);
  if (version != 2)
    throw OtherGltf(fmt::format("{}: is glTF {}; only glTF 2 is read", name_, version));
  const std::size_t length = little_endian<std::uint32_t>(content, 8);
  if (length > content.size())
    fail(fmt::format("declares {} bytes, but holds {}", length, content.size()));
  left_over_ = content.size() - length;
  content = content.substr(0, length);
  std::string_view text;
  const auto type_at = [&](std::size_t at) {
    return at + kChunkHead <= content.size() ? content.substr(at + 4, 4) : std::string_view();
  };
  for (std::size_t at = kHead; at + kChunkHead <= content.size();) {
    // Chunks are to begin at multiples of four. Writers that forget it declare the length without
    // the padding, which is there or not.
    const std::size_t aligned = (at + 3) / 4 * 4;
    if (type_at(at) != kBinary && type_at(aligned) == kBinary) at = aligned;
    const std::size_t size = little_endian<std::uint32_t>(content, at);
    const std::string_view type = type_at(at);
    at += kChunkHead;
    if (size > content.size() - at) fail("a chunk is cut off");
    if (type == kJson && text.empty()) text = content.substr(at, size);
    if (type == kBinary && binary.empty()) binary = content.substr(at, size);
    at += size;
  }
  if (text.empty()) fail("has no chunk of JSON");
  return text;
}

std::string GltfBuffers::bytes_of(const json& buffer, std::string_view binary, bool first) const {
  const std::uint64_t length = whole(buffer, "byteLength", 0);
  const json uri = buffer.value("uri", json());
  std::string bytes;
  if (uri.is_null()) {
    if (!first) fail("a buffer has no uri");
    bytes = std::string(binary);
  } else {
    if (!uri.is_string()) fail("the uri of a buffer must be text");
    const std::string text = uri.get<std::string>();
    if (text.starts_with("data:")) {
      const std::size_t comma = text.find(',');
      const auto decoded = comma != std::string::npos && text.substr(0, comma).ends_with(";base64")
                               ? from_base64(std::string_view(text).substr(comma + 1))
                               : std::nullopt;
      if (!decoded) fail("a buffer is not in base64");
      bytes = *decoded;
    } else {
      try {
        bytes = file_content(beside(std::filesystem::path(name_).parent_path(), unescaped(text)));
      } catch (const FileError& error) {
        fail(error.what());
      }
    }
  }
  if (bytes.size() < length)
    fail(fmt::format("a buffer declares {} bytes, but holds {}", length, bytes.size()));
  bytes.resize(static_cast<std::size_t>(length));
  return bytes;
}

std::uint64_t GltfBuffers::whole(const json& object, const char* field,
                                 std::uint64_t fallback) const {
  if (!object.is_object()) fail(fmt::format("an object with {} is expected", field));
  const auto found = object.find(field);
  if (found == object.end()) return fallback;
  if (!found->is_number_unsigned()) fail(fmt::format("{} must be a whole number", field));
  return found->get<std::uint64_t>();
}

const json& GltfBuffers::element(const char* array, std::uint64_t index) const {
  const auto found = root_.find(array);
  if (found == root_.end() || !found->is_array() || index >= found->size() ||
      !(*found)[index].is_object()) {
    fail(fmt::format("{}[{}] does not exist", array, index));
  }
  return (*found)[static_cast<std::size_t>(index)];
}

std::string_view GltfBuffers::view(std::uint64_t index) const {
  const json& view = element("bufferViews", index);
  const std::uint64_t buffer = whole(view, "buffer", buffers_.size());
  if (buffer >= buffers_.size()) fail(fmt::format("buffer {} does not exist", buffer));
  const std::string_view bytes = buffers_[static_cast<std::size_t>(buffer)];
  const std::uint64_t offset = whole(view, "byteOffset", 0), length = whole(view, "byteLength", 0);
  if (offset > bytes.size() || length > bytes.size() - offset)
    fail(fmt::format("bufferViews[{}] reaches beyond its buffer", index));
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

std::vector<double> GltfBuffers::elements(std::uint64_t view_index, const Layout& layout) const {
  const std::string_view bytes = view(view_index);
  const std::uint64_t size = layout.component.size * layout.components;
  const std::uint64_t stride = layout.stride > 0 ? layout.stride : size;
  if (layout.count > 0) {
    const std::uint64_t room = bytes.size();
    const bool fits = layout.offset <= room && size <= room - layout.offset &&
                      (layout.count - 1) <= (room - layout.offset - size) / stride;
    if (!fits) fail(fmt::format("an accessor reaches beyond bufferViews[{}]", view_index));
  }
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(layout.count) * layout.components);
  for (std::uint64_t i = 0; i < layout.count; ++i) {
    const auto at = static_cast<std::size_t>(layout.offset + i * stride);
    for (std::size_t c = 0; c < layout.components; ++c) {
      values.push_back(component_at(bytes, at + c * layout.component.size, layout.component.code));
    }
  }
  return values;
}

std::vector<double> GltfBuffers::read(std::uint64_t index, std::size_t components) const {
  const json& accessor = element("accessors", index);
  const auto component_of = [&](const json& object) {
    const std::uint64_t code = whole(object, "componentType", 0);
    for (const Component& component : kComponents) {
      if (component.code == code) return component;
    }
    fail(fmt::format("componentType {} is not known", code));
  };
  const json type = accessor.value("type", json());
  if (type != (components == 3 ? "VEC3" : "SCALAR"))
    fail(fmt::format("accessors[{}] has another type than its use", index));
  Layout layout{component_of(accessor), components, whole(accessor, "count", 0),
                whole(accessor, "byteOffset", 0), 0};
  std::vector<double> values;
  if (accessor.contains("bufferView")) {
    const std::uint64_t view_index = whole(accessor, "bufferView", 0);
    layout.stride = whole(element("bufferViews", view_index), "byteStride", 0);
    values = elements(view_index, layout);
  } else {
    // Zeros, except where a sparse accessor says otherwise: no more than a file has reason for.
    constexpr std::uint64_t kMostZeros = 100000;
    if (layout.count > kMostZeros) fail(fmt::format("accessors[{}] has no bytes", index));
    values.assign(static_cast<std::size_t>(layout.count) * components, 0.0);
  }
  if (const auto sparse = accessor.find("sparse"); sparse != accessor.end()) {
    const std::uint64_t count = whole(*sparse, "count", 0);
    const json places = sparse->value("indices", json()), given = sparse->value("values", json());
    const std::vector<double> at =
        elements(whole(places, "bufferView", ~0ULL),
                 {component_of(places), 1, count, whole(places, "byteOffset", 0), 0});
    const std::vector<double> to =
        elements(whole(given, "bufferView", ~0ULL),
                 {layout.component, components, count, whole(given, "byteOffset", 0), 0});
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (!(at[i] >= 0.0 && at[i] < static_cast<double>(layout.count)))
        fail(fmt::format("accessors[{}] has a sparse index out of range", index));
      for (std::size_t c = 0; c < components; ++c)
        values[static_cast<std::size_t>(at[i]) * components + c] = to[i * components + c];
    }
  }
  const json normalised = accessor.value("normalized", json(false));
  if (normalised == true && layout.component.largest > 1.0) {
    for (double& value : values) value = std::max(value / layout.component.largest, -1.0);
  }
  return values;
}

}  // namespace tactus::io
