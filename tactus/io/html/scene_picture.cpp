#include "tactus/io/html/scene_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/scene/bodies.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Digits of a drawn vertex after the first.
constexpr double kVertexDigits = 5.0;

/// The first picture that shows what is after so many steps, where one is taken every `every`.
std::uint64_t first_picture_at(std::uint64_t step, std::uint64_t every) {
  return (step + every - 1) / every;
}

/// Coordinates one after the other, rounded to a power of ten far below what a picture shows.
json flat_vertices(const std::vector<Vec3>& vertices) {
  double largest = 0.0;
  for (const Vec3& v : vertices) {
    for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, std::fabs(v[axis]));
  }
  const double steps =
      largest > 0.0 ? std::pow(10.0, kVertexDigits - std::floor(std::log10(largest))) : 1.0;
  json array = json::array();
  for (const Vec3& v : vertices) {
    for (int axis = 0; axis < 3; ++axis) array.push_back(std::round(v[axis] * steps) / steps);
  }
  return array;
}

/// Faces of a hull of volume as corner lists; a flat hull shows both of its sides.
json hull_faces(const ConvexHull& hull) {
  json faces = json::array();
  for (const ConvexHull::Face& face : hull.faces) {
    const std::span<const std::uint32_t> corners = hull.corners(face);
    faces.push_back(json(std::vector<std::uint32_t>(corners.begin(), corners.end())));
    if (hull.dimension == 2) {
      faces.push_back(json(std::vector<std::uint32_t>(corners.rbegin(), corners.rend())));
    }
  }
  return faces;
}

/// Appends the drawable parts of a shape.
void append_parts(const Shape& shape, const Pose& pose, json& parts) {
  if (const auto* compound = std::get_if<Compound>(&shape.geometry())) {
    for (const Compound::Part& part : compound->parts()) {
      append_parts(part.shape, pose * part.pose, parts);
    }
    return;
  }
  json part;
  if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    part = {{"type", "convex"},
            {"vertices", flat_vertices(convex->hull().vertices)},
            {"faces", hull_faces(convex->hull())}};
    if (shape.rounding_radius() > 0.0) part["rounding"] = shape.rounding_radius();
  } else if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) {
    part = {{"type", "mesh"},
            {"vertices", flat_vertices(mesh->mesh().vertices)},
            {"faces", mesh->mesh().triangles}};
  } else {
    part = shape_to_json(shape);
  }
  if (!(pose == Pose())) {
    const Quat q = to_quaternion(pose.rotation());
    part["position"] = vector_to_json(pose.position());
    part["quaternion"] = {q.w, q.x, q.y, q.z};
  }
  parts.push_back(std::move(part));
}

}  // namespace

json shape_picture(const Shape& shape) {
  json parts = json::array();
  append_parts(shape, Pose(), parts);
  return parts;
}

json shapes_to_json(const Scene& scene) {
  json shapes = json::array();
  for (const SceneShape& shape : scene.shapes) {
    shapes.push_back({{"name", shape.name}, {"parts", shape_picture(shape.shape)}});
  }
  return shapes;
}

json bodies_to_json(const Scene& scene) {
  json bodies = json::array();
  for (const SceneBody& body : scene.bodies) {
    const bool moving = body.definition.type != BodyType::fixed;
    json entry = {
        {"name", body.name}, {"shape", body.shape}, {"scale", body.scale}, {"moving", moving}};
    if (!moving) {
      const Pose& pose = body.definition.pose;
      const Quat q = to_quaternion(pose.rotation());
      entry["position"] = vector_to_json(pose.position());
      entry["quaternion"] = {q.w, q.x, q.y, q.z};
    }
    if (const std::optional<BodyMass> known = mass_of(body)) entry["mass"] = known->mass;
    if (body.first_step > 0) {
      entry["since"] = first_picture_at(body.first_step, scene.recording.steps_per_picture);
    }
    if (!body.appearance.color.empty()) entry["color"] = body.appearance.color;
    if (body.appearance.opacity < 1.0) entry["opacity"] = body.appearance.opacity;
    bodies.push_back(std::move(entry));
  }
  return bodies;
}

json joints_to_json(const Scene& scene, const RunCheckpoint& run) {
  json joints = json::array();
  std::map<JointId, std::uint64_t> until;
  for (const BrokenJoint& broken : run.broken)
    until[broken.joint] = first_picture_at(broken.step, run.steps_per_picture);
  for (const JointDefinition& joint : scene.joints) {
    json entry = {{"type", to_string(joint.type)},
                  {"a", joint.body_a - 1},
                  {"b", joint.body_b - 1},
                  {"anchor_a", vector_to_json(joint.frame_a.position())},
                  {"anchor_b", vector_to_json(joint.frame_b.position())}};
    const bool has_axis = joint.type == JointType::hinge || joint.type == JointType::slider ||
                          joint.swing.has_value() || joint.twist.has_value();
    if (has_axis) entry["axis"] = vector_to_json(joint.frame_a.rotation().column(2));
    if (joint.type == JointType::distance) entry["line"] = true;
    if (joint.spring) entry["spring"] = true;
    // Their worlds number them in this order.
    if (const auto found = until.find(joints.size() + 1); found != until.end())
      entry["until"] = found->second;
    joints.push_back(std::move(entry));
  }
  return joints;
}

std::vector<std::array<std::uint32_t, 3>> surface_triangles(const soft::DeformableDefinition& d) {
  return d.tetrahedra.empty() ? d.triangles : soft::surface_of({d.vertices, d.tetrahedra});
}

double median_size(const Scene& scene) {
  std::vector<double> sizes;
  for (const SceneBody& body : scene.bodies) {
    const double size = extent(body.definition.shape);
    if (body.definition.type != BodyType::fixed && std::isfinite(size)) sizes.push_back(size);
  }
  if (sizes.empty()) return 1.0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

double mark_size(const Scene& scene) {
  double size = median_size(scene);
  for (const SceneDeformable& body : scene.deformables) {
    const soft::DeformableDefinition& d = body.definition;
    double sum = 0.0, count = 0.0;
    for (const auto& [a, b, c] : surface_triangles(d)) {
      sum += norm(d.vertices[a] - d.vertices[b]) + norm(d.vertices[b] - d.vertices[c]) +
             norm(d.vertices[c] - d.vertices[a]);
      count += 3.0;
    }
    if (count > 0.0) size = std::min(size, 2.0 * sum / count);
  }
  return size;
}

}  // namespace tactus::io
