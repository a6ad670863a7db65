#include "apps/tactus/robot/decomposed.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/tactus/output.hpp"
#include "tactus/core.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::app {
namespace {

using nlohmann::ordered_json;

/// Convex parts of meshes by what they were made of.
class PartsCache {
 public:
  PartsCache(std::filesystem::path file, double concavity)
      : file_(std::move(file)), concavity_(concavity) {
    if (file_.empty() || !std::filesystem::exists(file_)) return;
    const std::string text = io::file_content(file_);
    try {
      known_ = io::parse_json(text);
    } catch (const InvalidInput& error) {
      throw FileError(file_.string() + ": " + error.what() + " (delete it to make it anew)");
    }
    if (!known_.is_object()) throw FileError(file_.string() + ": is no cache of --decompose");
  }

  std::vector<Shape> parts_of(const TriangleMesh& mesh) {
    const std::string key = key_of(mesh);
    if (!known_.contains(key)) {
      known_[key] = made_anew(mesh);
      grown_ = true;
    }
    std::vector<Shape> parts;
    try {
      for (const auto& part : known_[key]) parts.push_back(io::shape_from_json(part));
    } catch (const InvalidInput& error) {
      throw FileError(file_.string() + ": " + error.what() + " (delete it to make it anew)");
    }
    return parts;
  }

  void keep() const {
    if (!grown_ || file_.empty()) return;
    io::write_atomically(file_, io::json_dump(known_) + "\n");
    wrote(file_.string());
  }

 private:
  std::string key_of(const TriangleMesh& mesh) const {
    detail::Fnv1a hash;
    hash.add(concavity_);
    for (const Vec3& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) hash.add(v[axis]);
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle) hash.add(std::uint64_t{corner});
    return fmt::format("{:016x}", hash.value());
  }

  nlohmann::json made_anew(const TriangleMesh& mesh) const {
    fit::DecomposeOptions options;
    options.concavity = concavity_;
    nlohmann::json parts = nlohmann::json::array();
    const Compound compound = fit::decompose(mesh, options).compound();
    for (const Compound::Part& part : compound.parts())
      parts.push_back(io::shape_to_json(part.shape));
    return parts;
  }

  std::filesystem::path file_;
  double concavity_;
  nlohmann::json known_ = nlohmann::json::object();
  bool grown_ = false;
};

}  // namespace

Robot decomposed(const Robot& robot, double concavity, const std::filesystem::path& cache) {
  PartsCache parts(cache, concavity);
  std::vector<RobotLink> links = robot.links();
  for (RobotLink& link : links) {
    std::vector<RobotBody> bodies;
    for (RobotBody& body : link.bodies) {
      const auto* mesh = std::get_if<Mesh>(&body.shape.geometry());
      if (mesh == nullptr) {
        bodies.push_back(std::move(body));
        continue;
      }
      for (const Shape& part : parts.parts_of(mesh->mesh()))
        bodies.push_back({part, body.pose, body.name});
    }
    link.bodies = std::move(bodies);
  }
  parts.keep();
  return {robot.name(), std::move(links), robot.joints()};
}

}  // namespace tactus::app
