// Files of meshes and recordings; hulls, boxes and decompositions.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/wasm/numbers/hulls.hpp"
#include "bindings/wasm/registry.hpp"
#include "tactus/fit.hpp"
#include "tactus/io/format/surface_facts.hpp"
#include "tactus/io/format/write/writers.hpp"
#include "tactus/io/html/scene_picture.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/mesh.hpp"
#include "tactus/query.hpp"

namespace tactus::wasm {
namespace {

using nlohmann::json;

Registry<std::shared_ptr<const TriangleMesh>>& surfaces() {
  static Registry<std::shared_ptr<const TriangleMesh>> all;
  return all;
}

/// The mesh of a file's bytes; messages call it by its name.
TriangleMesh read_bytes(std::string_view name, std::string_view bytes) {
  const std::filesystem::path file =
      std::filesystem::path("/tmp") / std::filesystem::path(name).filename();
  // No stream of the standard library: those take 25 kB of the module, gzipped, for locales.
  if (std::FILE* out = std::fopen(file.c_str(), "wb"); out != nullptr) {
    std::fwrite(bytes.data(), 1, bytes.size(), out);
    std::fclose(out);
  }
  std::error_code ignored;
  try {
    TriangleMesh mesh = io::read_mesh(file);
    std::filesystem::remove(file, ignored);
    return mesh;
  } catch (const std::exception& error) {
    std::filesystem::remove(file, ignored);
    const std::string text = error.what(), place = "/tmp/";
    throw FileError(text.rfind(place, 0) == 0 ? text.substr(place.size()) : text);
  }
}

// The parts of the last decomposition, for a file of them.
struct LastParts {
  int surface = 0;
  std::vector<ConvexHull> hulls;
};

LastParts& last_parts() {
  static LastParts parts;
  return parts;
}

json hull_json(const ConvexHull& hull) {
  json out = {{"dimension", hull.dimension},
              {"vertices", hull.vertices.size()},
              {"faces", hull.faces.size()}};
  if (hull.dimension == 3) {
    out["volume"] = mass_properties(hull).volume;
    out["picture"] = io::shape_picture(Shape(Convex(hull.vertices)));
  }
  return out;
}

std::string hull_of(const TriangleMesh& mesh) {
  const ConvexHull hull = convex_hull(mesh.vertices);
  json out = hull_json(hull);
  const HullCheck check = check_hull(mesh.vertices, hull);
  out["proved"] = check.ok();
  return out.dump();
}

json box_json(const fit::OrientedBox& box) {
  const Quat q = to_quaternion(box.pose().rotation());
  return {{"method", std::string(to_string(box.method))},
          {"center", io::vector_to_json(box.center)},
          {"size", io::vector_to_json(box.half * 2.0)},
          {"quaternion", {q.w, q.x, q.y, q.z}},
          {"volume", box.volume()}};
}

std::string boxes_of(const TriangleMesh& mesh) {
  const ConvexHull hull = convex_hull(mesh.vertices);
  json boxes = json::array({box_json(fit::box_along(mesh.vertices, Mat3::identity())),
                            box_json(fit::box_of_points(mesh.vertices)),
                            box_json(fit::box_of_hull_vertices(mesh.vertices, hull))});
  const fit::MinimumBox least = fit::minimum_box(mesh.vertices, hull);
  boxes.push_back(box_json(least.box));
  boxes.back()["lower"] = least.lower;
  return json({{"boxes", std::move(boxes)}}).dump();
}

std::string decomposition_of(int surface, double concavity, int most) {
  const TriangleMesh& mesh = *surfaces().at(surface);
  fit::DecomposeOptions options;
  options.concavity = concavity;
  options.max_parts = static_cast<std::uint32_t>(most);
  fit::ConvexDecomposition d = fit::decompose(mesh, options);
  json parts = json::array();
  for (const ConvexHull& part : d.parts)
    parts.push_back(io::shape_picture(Shape(Convex(part.vertices))));
  const json out = {{"status", std::string(to_string(d.status))},
                    {"lower", d.concavity_lower()},
                    {"upper", d.concavity_upper()},
                    {"closed", d.closed},
                    {"parts", std::move(parts)}};
  last_parts() = {surface, std::move(d.parts)};
  return out.dump();
}

io::NamedMesh object_of(std::string name, const ConvexHull& hull) {
  const std::vector<std::uint32_t> corners = triangles_of(hull);
  io::NamedMesh object{std::move(name), {hull.vertices, {}}};
  for (std::size_t i = 0; i < corners.size(); i += 3)
    object.mesh.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
  return object;
}

Shape compound_of(const std::vector<ConvexHull>& hulls) {
  std::vector<Compound::Part> parts;
  for (const ConvexHull& hull : hulls) parts.push_back({Shape(Convex(hull.vertices)), Pose()});
  return Shape(Compound(std::move(parts)));
}

/// Hulls as one object or several, as the file's ending asks.
std::string file_of(const std::vector<io::NamedMesh>& objects, const Shape& shape,
                    std::string_view ending) {
  if (ending == "json") return io::json_dump(io::shape_to_json(shape)) + "\n";
  io::require_writable(objects);
  if (ending == "stl") return io::stl_content(objects);
  if (ending == "glb") return io::glb_content(objects);
  throw InvalidInput("ending", "unknown: known are stl, glb, json");
}

/// The bytes of a file of the surface, its hull, or the parts found last.
std::string file_of(int surface, std::string_view what, std::string_view ending) {
  const TriangleMesh& mesh = *surfaces().at(surface);
  if (what == "surface") return file_of({{"surface", mesh}}, Shape(Mesh(mesh)), ending);
  if (what == "hull") {
    const ConvexHull hull = convex_hull(mesh.vertices);
    return file_of({object_of("hull", hull)}, Shape(Convex(hull.vertices)), ending);
  }
  if (what != "parts") throw InvalidInput("what", "unknown: known are surface, hull, parts");
  const LastParts& last = last_parts();
  if (last.surface != surface) throw InvalidInput("what", "parts are to be found before");
  std::vector<io::NamedMesh> objects;
  for (const ConvexHull& hull : last.hulls)
    objects.push_back(object_of("part_" + std::to_string(objects.size() + 1), hull));
  return file_of(objects, compound_of(last.hulls), ending);
}

std::string distance_of(const TriangleMesh& a, const Pose& pose_a, const TriangleMesh& b,
                        const Pose& pose_b) {
  const DistanceResult r = distance(Shape(Mesh(a)), pose_a, Shape(Mesh(b)), pose_b);
  return json({{"status", std::string(to_string(r.status))},
               {"distance", r.distance},
               {"lower", r.lower},
               {"upper", r.upper},
               {"normal", io::vector_to_json(r.normal)},
               {"point_a", io::vector_to_json(r.point_a)},
               {"point_b", io::vector_to_json(r.point_b)}})
      .dump();
}

std::string describe(const TriangleMesh& mesh) {
  Vec3 lower = mesh.vertices.at(0), upper = lower;
  for (const Vec3& v : mesh.vertices) {
    lower = component_min(lower, v);
    upper = component_max(upper, v);
  }
  return json({{"vertices", mesh.vertices.size()},
               {"triangles", mesh.triangles.size()},
               {"lower", io::vector_to_json(lower)},
               {"upper", io::vector_to_json(upper)},
               {"picture", io::shape_picture(Shape(Mesh(mesh)))}})
      .dump();
}

std::string_view view_of(const char* text, int size) {
  return {text, static_cast<std::size_t>(size)};
}

Pose read_pose(const double* p) { return {{p[0], p[1], p[2]}, Quat{p[3], p[4], p[5], p[6]}}; }

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

// The name's ending decides on the format.
TACTUS_EXPORT int tactus_surface_open(const char* name, int name_size, const char* bytes,
                                      int size) {
  return guarded(0, [&] {
    auto mesh = read_bytes(view_of(name, name_size), view_of(bytes, size));
    return surfaces().add(std::make_shared<const TriangleMesh>(std::move(mesh)));
  });
}

TACTUS_EXPORT void tactus_surface_close(int surface) { surfaces().remove(surface); }

TACTUS_EXPORT const char* tactus_surface_picture(int surface) {
  return text_of([&] { return describe(*surfaces().at(surface)); });
}

TACTUS_EXPORT const char* tactus_surface_report(int surface) {
  return text_of([&] { return io::surface_facts(*surfaces().at(surface)).dump(); });
}

TACTUS_EXPORT const char* tactus_surface_hull(int surface) {
  return text_of([&] { return hull_of(*surfaces().at(surface)); });
}

TACTUS_EXPORT const char* tactus_surface_boxes(int surface) {
  return text_of([&] { return boxes_of(*surfaces().at(surface)); });
}

TACTUS_EXPORT const char* tactus_surface_parts(int surface, double concavity, int most) {
  return text_of([&] { return decomposition_of(surface, concavity, most); });
}

// The bytes of a file: `what` is surface, hull, or parts; the ending stl, glb, or json.
TACTUS_EXPORT const char* tactus_surface_file(int surface, const char* what, int what_size,
                                              const char* ending, int ending_size) {
  return text_of(
      [&] { return file_of(surface, view_of(what, what_size), view_of(ending, ending_size)); });
}

TACTUS_EXPORT const char* tactus_surface_distance(int a, const double* pose_a, int b,
                                                  const double* pose_b) {
  return text_of([&] {
    return distance_of(*surfaces().at(a), read_pose(pose_a), *surfaces().at(b), read_pose(pose_b));
  });
}

// The blocks of a page that plays the recording of a scene (tactus::io::html_page).
TACTUS_EXPORT const char* tactus_recording(const char* scene, int scene_size, const char* bytes,
                                           int size) {
  return text_of([&] {
    const io::Scene read = io::scene_from_json(io::parse_json(view_of(scene, scene_size)), {});
    const io::Recording recording = io::parse_recording(view_of(bytes, size), "recording");
    if (recording.fingerprint != read.fingerprint)
      throw InvalidInput("recording", "is of another scene");
    return io::html_page(read, recording, "<!--recording-->");
  });
}
