#ifdef TACTUS_WITH_TINYXML2

#include "tactus/io/robot/xml/robot_shapes.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

using std::filesystem::path;

/// Folders that the environment lists.
std::vector<path> listed_folders() {
  std::vector<path> folders;
  for (const char* const name : {"ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH"}) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread of the library sets the environment
    const char* value = std::getenv(name);
    std::string_view rest = value != nullptr ? value : "";
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return folders;
}

class Finder {
 public:
  Finder(std::vector<std::string>& tried, NamedPlace kind) : tried_(tried), kind_(kind) {}

  bool take(const path& file) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error) ||
        (kind_ == NamedPlace::file_or_folder && std::filesystem::is_directory(file, error))) {
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
  NamedPlace kind_;
};

}  // namespace

std::optional<path> find_named(const std::string& name, const path& folder,
                               const RobotReadOptions& options, std::vector<std::string>& tried,
                               NamedPlace kind) {
  Finder finder(tried, kind);
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

std::string not_found(const std::string& name, const std::vector<std::string>& tried) {
  std::string reason = "no file " + quoted_word(name);
  if (!tried.empty()) reason += " (looked for " + tried.front();
  if (tried.size() > 1) reason += " and " + std::to_string(tried.size() - 1) + " other places";
  if (!tried.empty()) reason += ")";
  return reason;
}

std::optional<Shape> RobotShapes::mesh(const ElementPlace& element, const std::string& name,
                                       const Vec3& scale, const path& folder) {
  if (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) element.fail("scale must not be zero");
  const std::tuple<std::string, std::string, double, double, double> key(folder.string(), name,
                                                                         scale.x, scale.y, scale.z);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  std::vector<std::string> tried;
  const auto file = find_named(name, folder, options_, tried);
  if (!file) {
    const std::string reason = not_found(name, tried);
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
