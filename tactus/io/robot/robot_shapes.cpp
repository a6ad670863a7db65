#ifdef TACTUS_WITH_TINYXML2

#include "tactus/io/robot/robot_shapes.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

using std::filesystem::path;

/// Folders that ROS_PACKAGE_PATH lists.
std::vector<path> listed_folders() {
  std::vector<path> folders;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread of the library sets the environment
  const char* value = std::getenv("ROS_PACKAGE_PATH");
  std::string_view rest = value != nullptr ? value : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

class Finder {
 public:
  explicit Finder(std::vector<std::string>& tried) : tried_(tried) {}

  bool take(const path& file) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) {
      found = file;
      return true;
    }
    tried_.push_back(file.string());
    return false;
  }
  /// The package as a folder inside of `folder`, or as `folder` itself.
  bool take_in(const path& folder, const std::string& package, const std::string& rest) {
    if (take(folder / package / rest)) return true;
    return folder.filename() == package && take(folder / rest);
  }

  std::optional<path> found;

 private:
  std::vector<std::string>& tried_;
};

}  // namespace

std::optional<path> find_mesh_file(const std::string& name, const path& folder,
                                   const RobotReadOptions& options,
                                   std::vector<std::string>& tried) {
  Finder finder(tried);
  const auto behind = [&](std::string_view scheme) {
    return name.compare(0, scheme.size(), scheme) == 0 ? name.substr(scheme.size()) : std::string();
  };
  if (const std::string file = behind("file://"); !file.empty()) {
    finder.take(file);
    return finder.found;
  }
  std::string inside = behind("package://");
  if (inside.empty()) inside = behind("model://");
  if (inside.empty()) {
    finder.take(folder / name);
    return finder.found;
  }
  const std::size_t slash = inside.find('/');
  const std::string package = inside.substr(0, slash);
  const std::string rest = slash != inside.npos ? inside.substr(slash + 1) : std::string();
  for (const auto& [known, place] : options.packages)
    if (known == package && finder.take(place / rest)) return finder.found;
  for (const path& listed : listed_folders())
    if (finder.take_in(listed, package, rest)) return finder.found;
  std::error_code error;
  path above = std::filesystem::weakly_canonical(folder.empty() ? path(".") : folder, error);
  if (error) above = folder;
  for (;; above = above.parent_path()) {
    if (finder.take_in(above, package, rest)) return finder.found;
    if (above == above.parent_path()) return std::nullopt;
  }
}

std::optional<Shape> RobotShapes::mesh(const XmlElement& element, const std::string& name,
                                       const Vec3& scale) {
  if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) element.fail("scale must not be zero");
  const std::tuple<std::string, double, double, double> key(name, scale.x, scale.y, scale.z);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  std::vector<std::string> tried;
  const auto file = find_mesh_file(name, folder_, options_, tried);
  if (!file) {
    std::string reason = "no file " + quoted_word(name);
    if (!tried.empty()) reason += " (looked for " + tried.front();
    if (tried.size() > 1) reason += " and " + std::to_string(tried.size() - 1) + " other places";
    if (!tried.empty()) reason += ")";
    if (!options_.leave_out_missing) element.fail(reason);
    element.note(reason);
    return std::nullopt;
  }
  try {
    std::vector<std::string> warnings;
    MeshReadOptions reading;
    reading.warnings = &warnings;
    TriangleMesh mesh = read_mesh(*file, reading);
    for (const std::string& warning : warnings) element.note(warning);
    for (Vec3& v : mesh.vertices) v = component_product(v, scale);
    Shape shape = options_.hulls ? Shape(Convex(std::span<const Vec3>(mesh.vertices)))
                                 : Shape(Mesh(std::move(mesh)));
    known_.emplace(key, shape);
    return shape;
  } catch (const FileError& error) {
    if (!options_.leave_out_missing) element.fail(error.what());
    element.note(error.what());
  } catch (const InvalidInput& error) {
    if (!options_.leave_out_missing) element.fail(file->string() + ": " + error.what());
    element.note(file->string() + ": " + error.what());
  }
  return std::nullopt;
}

}  // namespace tactus::io

#endif
