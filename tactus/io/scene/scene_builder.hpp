#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tactus/io.hpp"
#include "tactus/io/json/json_shape.hpp"

namespace tactus::io {

/// Fills a Scene while its file is read: knows the named materials and shapes, and appends bodies.
class SceneBuilder {
 public:
  /// Does the scene keep a body?
  using Keep = std::function<bool(const SceneBody&)>;
  SceneBuilder(Scene& scene, std::filesystem::path folder, Keep keep = {})
      : scene_(scene), shape_reader_(std::move(folder)), keep_(std::move(keep)) {}

  const Scene& scene() const { return scene_; }

  /// The `materials` and `shapes` objects of the file. Throws InvalidInput with the field's path.
  void read_materials(const nlohmann::json& object);
  void read_shapes(const nlohmann::json& object);
  /// The `surface_pairs` list of the file, after the materials.
  void read_surface_pairs(const nlohmann::json& list);

  /// A name or an inline shape; returns its place in Scene::shapes.
  std::size_t shape(const nlohmann::json& value, const std::string& path);
  /// A name, an inline material, or the default one for nullptr.
  Material material(const nlohmann::json* value, const std::string& path) const;

  /// A body of this shape and scale, not yet in the scene.
  SceneBody body(std::string name, std::size_t shape, double scale, const Pose& pose,
                 const Material& material) const;
  /// Appends a body; it gets the next id.
  void add(SceneBody body);
  /// How many were added.
  std::uint64_t count() const { return count_; }

 private:
  Scene& scene_;
  ShapeReader shape_reader_;
  Keep keep_;
  std::uint64_t count_ = 0;
  std::map<std::string, Material> materials_;
  std::map<std::string, std::size_t> shapes_;
};

}  // namespace tactus::io
