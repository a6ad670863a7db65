#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// Reads shapes from JSON. A file that many shapes name is read once per scale, and its hull,
/// hierarchy or decomposition built once. Safe to use from many threads at once.
class ShapeReader {
 public:
  /// Paths in `file` fields are relative to `folder`.
  explicit ShapeReader(std::filesystem::path folder = {});

  /// Throws InvalidInput with the path of the field inside `value`: `parts[1].shape.radius: must be
  /// ...`. A file that cannot be read is an error of its field.
  Shape read(const nlohmann::json& value);

  /// Warnings of the mesh files read since the last call, each once (`MeshReadOptions::warnings`).
  std::vector<std::string> take_warnings();

 private:
  /// Type, file, scale, concavity.
  using Key = std::tuple<ShapeType, std::string, double, double, double, double>;

  Shape read(const nlohmann::json& value, const std::string& path);
  Shape read_points(const nlohmann::json& value, const std::string& path, ShapeType type);
  Shape read_compound(const nlohmann::json& value, const std::string& path);
  std::vector<Compound::Part> read_parts(const nlohmann::json& array, const std::string& path);
  Compound load_compound(const std::filesystem::path& file);
  /// The shape of that key, made when it is asked for first; errors are those of the field `place`.
  template <class Make>
  Shape once(const Key& key, const std::string& place, const Make& make);

  /// Remembers warnings that have not been told.
  void warn(std::vector<std::string> warnings);
  TriangleMesh load(ShapeType type, const std::filesystem::path& file);
  Compound hulls_of(const std::filesystem::path& file);

  std::filesystem::path folder_;
  std::recursive_mutex mutex_;
  std::set<std::string> told_;
  std::vector<std::string> warnings_;  ///< not taken yet
  std::map<Key, Shape> files_;
  std::vector<std::filesystem::path> open_;  ///< compound files that are being read
};

/// One shape, with a reader of its own.
Shape shape_from_json(const nlohmann::json& value, const std::filesystem::path& folder = {});

/// Twelve numbers (the 3x4 matrix row by row) or `position` and `quaternion`.
/// Throws InvalidInput with the path of the field inside `value`; an error of the whole has an
/// empty field.
Pose pose_from_json(const nlohmann::json& value);

/// JSON that `shape_from_json` reads back as the same shape, files replaced by their vertices.
/// Throws InvalidInput (`type`) for a custom support function, which has no written form.
nlohmann::json shape_to_json(const Shape& shape);

/// Twelve numbers that `pose_from_json` reads back to the same bits.
nlohmann::json pose_to_json(const Pose& pose);

/// [x, y, z].
nlohmann::json vector_to_json(const Vec3& v);

}  // namespace tactus::io
