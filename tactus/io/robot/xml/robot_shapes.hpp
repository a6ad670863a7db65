#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tactus/io.hpp"
#include "tactus/io/robot/xml/element_place.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// Kinds of places that a robot description names.
enum class NamedPlace : std::uint8_t { file, file_or_folder };

/// Where a file that a robot description names may lie: `package://NAME/...` and `model://NAME/...`
/// in a package that the options name, below the folders that the environment lists
/// (ROS_PACKAGE_PATH, GZ_SIM_RESOURCE_PATH, SDF_PATH), or beside or above the description;
/// `file://...`; and paths from the description's folder. `tried` receives what was looked at.
std::optional<std::filesystem::path> find_named(const std::string& name,
                                                const std::filesystem::path& folder,
                                                const RobotReadOptions& options,
                                                std::vector<std::string>& tried,
                                                NamedPlace kind = NamedPlace::file);

/// The reason that tells where a file was looked for in vain.
std::string not_found(const std::string& name, const std::vector<std::string>& tried);

/// Meshes of a description, each read once.
class RobotShapes {
 public:
  RobotShapes(std::filesystem::path folder, const RobotReadOptions& options)
      : folder_(std::move(folder)), options_(options) {}

  /// The mesh that `element` names, its coordinates times `scale`. None where it is missing and the
  /// options leave missing ones out, which is noted. Throws FileError with the element's place.
  std::optional<Shape> mesh(const ElementPlace& element, const std::string& name,
                            const Vec3& scale) {
    return mesh(element, name, scale, folder_);
  }
  /// The mesh that an included description in another `folder` names.
  std::optional<Shape> mesh(const ElementPlace& element, const std::string& name, const Vec3& scale,
                            const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  const RobotReadOptions& options_;
  std::map<std::tuple<std::string, std::string, double, double, double>, Shape> known_;
};

/// Runs a constructor of a shape; its InvalidInput becomes the element's error.
template <class Make>
Shape shape_of(const ElementPlace& element, const Make& make) {
  try {
    return Shape(make());
  } catch (const InvalidInput& error) {
    element.fail(error.what());
  }
}

}  // namespace tactus::io
