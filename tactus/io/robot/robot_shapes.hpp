#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "tactus/io.hpp"
#include "tactus/io/robot/xml_element.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

/// Where a mesh that a robot description names may lie: `package://NAME/...` and `model://NAME/...`
/// in a package that the options name, below ROS_PACKAGE_PATH, or beside or above the description;
/// `file://...`; and paths from the description's folder. `tried` receives what was looked at.
std::optional<std::filesystem::path> find_mesh_file(const std::string& name,
                                                    const std::filesystem::path& folder,
                                                    const RobotReadOptions& options,
                                                    std::vector<std::string>& tried);

/// Meshes of a description, each read once.
class RobotShapes {
 public:
  RobotShapes(std::filesystem::path folder, const RobotReadOptions& options)
      : folder_(std::move(folder)), options_(options) {}

  /// The mesh that `element` names, its coordinates times `scale`. None where it is missing and the
  /// options leave missing ones out, which is noted. Throws FileError with the element's place.
  std::optional<Shape> mesh(const XmlElement& element, const std::string& name, const Vec3& scale);

 private:
  std::filesystem::path folder_;
  const RobotReadOptions& options_;
  std::map<std::tuple<std::string, double, double, double>, Shape> known_;
};

/// Runs a constructor of a shape; its InvalidInput becomes the element's error.
template <class Make>
Shape shape_of(const XmlElement& element, const Make& make) {
  try {
    return Shape(make());
  } catch (const InvalidInput& error) {
    element.fail(error.what());
  }
}

}  // namespace tactus::io
