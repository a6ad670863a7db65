#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::io {

/// The JSON of a glTF file and the bytes that its accessors read.
class GltfBuffers {
 public:
  /// Takes a `.gltf` or `.glb` file apart and reads the buffers that it names. Throws FileError.
  GltfBuffers(std::string_view content, const std::string& name);

  const nlohmann::json& root() const { return root_; }
  /// Bytes behind the end that the header declares.
  std::size_t left_over() const { return left_over_; }

  /// The components of all elements of an accessor, one after the other, sparse ones put in their
  /// places and normalised ones scaled; `components` per element are expected.
  std::vector<double> read(std::uint64_t accessor, std::size_t components) const;

  /// Element `index` of an array of the root; an error where it does not exist.
  const nlohmann::json& element(const char* array, std::uint64_t index) const;
  /// A whole number of an object, `fallback` where there is none.
  std::uint64_t whole(const nlohmann::json& object, const char* field,
                      std::uint64_t fallback) const;
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  struct Layout;

  std::string_view take_chunks(std::string_view content, std::string_view& binary);
  std::string bytes_of(const nlohmann::json& buffer, std::string_view binary, bool first) const;
  std::string_view view(std::uint64_t index) const;
  std::vector<double> elements(std::uint64_t view_index, const Layout& layout) const;

  std::string name_;
  nlohmann::json root_;
  std::vector<std::string> buffers_;
  std::size_t left_over_ = 0;
};

}  // namespace tactus::io
