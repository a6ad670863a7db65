#include "tactus/io/format/gltf/gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/io/file/welder.hpp"
#include "tactus/io/format/gltf/gltf_buffers.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

// How a node places its mesh in the scene, or in its parent.
struct Placement {
  Mat3 linear = Mat3::identity();
  Vec3 shift;

  Vec3 of(const Vec3& p) const {
    return Vec3{dot(linear.row[0], p), dot(linear.row[1], p), dot(linear.row[2], p)} + shift;
  }
  bool mirrors() const { return dot(cross(linear.row[0], linear.row[1]), linear.row[2]) < 0.0; }
};

Placement operator*(const Placement& a, const Placement& b) {
  Placement c;
  for (int i = 0; i < 3; ++i) {
    c.linear.row[i] = b.linear.row[0] * a.linear.row[i].x + b.linear.row[1] * a.linear.row[i].y +
                      b.linear.row[2] * a.linear.row[i].z;
  }
  c.shift = a.of(b.shift);
  return c;
}

class GltfParser {
 public:
  GltfParser(std::string_view content, FileNotes& notes)
      : file_(content, notes.name()), notes_(notes) {}

  /// All nodes as one mesh, or each that has triangles as one of its own.
  std::vector<NamedMesh> run(bool apart) {
    apart_ = apart;
    if (file_.left_over() > 0)
      note(fmt::format("{} bytes behind the end are left out", file_.left_over()));
    check_extensions();
    const json nodes = file_.root().value("nodes", json::array());
    if (!nodes.is_array()) file_.fail("nodes must be an array");
    placed_.assign(nodes.size(), false);
    for (const std::uint64_t node : roots(nodes)) add_node(node);
    const bool all = std::find(placed_.begin(), placed_.end(), false) == placed_.end();
    if (!has_scenes() && !all) file_.fail("nodes stand in a circle");
    if (!apart_) objects_.push_back({"", welder_.take()});
    return std::move(objects_);
  }

 private:
  struct Open {
    std::uint64_t node;
    Placement parent;
  };

  void note(const std::string& text) { notes_.add(0, text); }

  void check_extensions() const {
    const json required = file_.root().value("extensionsRequired", json::array());
    for (const json& extension : required) {
      const std::string name = extension.is_string() ? extension.get<std::string>() : "?";
      if (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression" ||
          name == "EXT_mesh_gpu_instancing") {
        throw OtherGltf(notes_.name() + ": needs the extension " + name + ", which is not read");
      }
    }
  }

  std::vector<std::uint64_t> indices_of(const json& object, const char* field) const {
    std::vector<std::uint64_t> out;
    const auto found = object.find(field);
    if (found == object.end()) return out;
    if (!found->is_array()) file_.fail(fmt::format("{} must be an array", field));
    for (const json& index : *found) {
      if (!index.is_number_unsigned()) file_.fail(fmt::format("{} must be indices", field));
      out.push_back(index.get<std::uint64_t>());
    }
    return out;
  }

  bool has_scenes() const {
    const auto scenes = file_.root().find("scenes");
    return scenes != file_.root().end() && !scenes->empty();
  }

  // Nodes of the scene; without one, those that are nobody's children.
  std::vector<std::uint64_t> roots(const json& nodes) const {
    const json& root = file_.root();
    if (has_scenes())
      return indices_of(file_.element("scenes", file_.whole(root, "scene", 0)), "nodes");
    std::vector<bool> is_child(nodes.size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const std::uint64_t child : indices_of(file_.element("nodes", i), "children")) {
        if (child < nodes.size()) is_child[static_cast<std::size_t>(child)] = true;
      }
    }
    std::vector<std::uint64_t> out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!is_child[i]) out.push_back(i);
    }
    return out;
  }

  // `count` numbers of a field; false where there is none.
  bool numbers(const json& node, const char* field, std::size_t count, double* out) const {
    const auto found = node.find(field);
    if (found == node.end()) return false;
    bool valid = found->is_array() && found->size() == count;
    for (std::size_t i = 0; valid && i < count; ++i) {
      valid = (*found)[i].is_number();
      if (valid) out[i] = (*found)[i].get<double>();
      valid = valid && std::isfinite(out[i]);
    }
    if (!valid) file_.fail(fmt::format("{} of a node must be {} numbers", field, count));
    return true;
  }

  Placement placement_of(const json& node) const {
    Placement out;
    std::array<double, 16> m{};
    if (numbers(node, "matrix", 16, m.data())) {
      for (std::size_t i = 0; i < 3; ++i) out.linear.row[i] = {m[i], m[4 + i], m[8 + i]};
      out.shift = {m[12], m[13], m[14]};
      return out;
    }
    std::array<double, 4> q{0.0, 0.0, 0.0, 1.0};
    if (numbers(node, "rotation", 4, q.data())) {
      const double length = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
      if (!(std::fabs(length - 1.0) < 1e-3)) file_.fail("a rotation must be a unit quaternion");
      for (double& part : q) part /= length;
    }
    std::array<double, 3> s{1.0, 1.0, 1.0}, t{};
    numbers(node, "scale", 3, s.data());
    numbers(node, "translation", 3, t.data());
    const auto [x, y, z, w] = q;
    out.linear.row[0] = {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)};
    out.linear.row[1] = {2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)};
    out.linear.row[2] = {2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)};
    for (Vec3& row : out.linear.row) row = {row.x * s[0], row.y * s[1], row.z * s[2]};
    out.shift = {t[0], t[1], t[2]};
    return out;
  }

  // Depth first, in the order of the file, without recursion: chains may be long.
  void add_node(std::uint64_t root) {
    std::vector<Open> open{{root, Placement()}};
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      const json& node = file_.element("nodes", next.node);
      if (placed_[static_cast<std::size_t>(next.node)])
        file_.fail(fmt::format("nodes[{}] has two parents", next.node));
      placed_[static_cast<std::size_t>(next.node)] = true;
      const Placement here = next.parent * placement_of(node);
      if (node.contains("mesh")) {
        if (node.contains("skin")) note("skins are left out: meshes stand as their nodes do");
        const json& mesh = file_.element("meshes", file_.whole(node, "mesh", 0));
        add_mesh(mesh, here);
        if (apart_) end_object(node, mesh);
      }
      const std::vector<std::uint64_t> children = indices_of(node, "children");
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        open.push_back({*child, here});
    }
  }

  // Takes what has been added since the last object as the node's; many nodes may place one mesh.
  void end_object(const json& node, const json& mesh) {
    NamedMesh object{name_of(node), std::exchange(welder_, Welder()).take()};
    if (object.name.empty()) object.name = name_of(mesh);
    if (!object.mesh.triangles.empty()) objects_.push_back(std::move(object));
  }
  // Files hold names of one line.
  std::string name_of(const json& named) {
    const auto found = named.find("name");
    if (found == named.end()) return {};
    if (!found->is_string()) file_.fail("a name must be text");
    auto name = found->get<std::string>();
    const auto is_control = [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (std::any_of(name.begin(), name.end(), is_control)) {
      note("control characters of names become spaces");
      std::replace_if(name.begin(), name.end(), is_control, ' ');
    }
    return name;
  }

  void add_mesh(const json& mesh, const Placement& placement) {
    const auto primitives = mesh.find("primitives");
    if (primitives == mesh.end() || !primitives->is_array()) file_.fail("a mesh has no primitives");
    for (const json& primitive : *primitives) {
      const std::uint64_t mode = file_.whole(primitive, "mode", 4);
      if (mode < 4) {
        note("points and lines are left out");
        continue;
      }
      if (mode > 6) file_.fail(fmt::format("mode {} of a primitive is not known", mode));
      const json attributes = primitive.value("attributes", json::object());
      if (!attributes.is_object() || !attributes.contains("POSITION")) {
        note("a primitive without places is left out");
        continue;
      }
      if (primitive.contains("targets")) note("morph targets are left out");
      add_primitive(primitive, attributes, mode, placement);
    }
  }

  void add_primitive(const json& primitive, const json& attributes, std::uint64_t mode,
                     const Placement& placement) {
    const std::vector<double> places = file_.read(file_.whole(attributes, "POSITION", 0), 3);
    std::vector<std::uint32_t> vertices;
    vertices.reserve(places.size() / 3);
    for (std::size_t i = 0; i + 2 < places.size(); i += 3) {
      const Vec3 place = placement.of({places[i], places[i + 1], places[i + 2]});
      if (!is_finite(place)) file_.fail(fmt::format("vertex {} is not finite", i / 3));
      vertices.push_back(welder_.index(place));
    }
    std::vector<std::uint32_t> corners;
    if (primitive.contains("indices")) {
      for (const double index : file_.read(file_.whole(primitive, "indices", 0), 1)) {
        if (!(index >= 0.0 && index < static_cast<double>(vertices.size()) &&
              std::floor(index) == index)) {
          file_.fail(fmt::format("index {} is out of range ({} vertices)", index, vertices.size()));
        }
        corners.push_back(vertices[static_cast<std::size_t>(index)]);
      }
    } else {
      corners = std::move(vertices);
    }
    const bool mirrored = placement.mirrors();
    const std::size_t step = mode == 4 ? 3 : 1;
    if (mode == 4 && corners.size() % 3 != 0) note("corners beyond whole triangles are left out");
    for (std::size_t i = 0; i + 2 < corners.size(); i += step) {
      std::array<std::uint32_t, 3> t{corners[mode == 6 ? 0 : i], corners[i + 1], corners[i + 2]};
      const bool turned = mode == 5 && i % 2 != 0;
      if (turned != mirrored) std::swap(t[1], t[2]);
      welder_.add(t);
    }
  }

  GltfBuffers file_;
  FileNotes& notes_;
  Welder welder_;  ///< of all nodes, or of this one
  std::vector<NamedMesh> objects_;
  bool apart_ = false;
  std::vector<bool> placed_;
};

}  // namespace

namespace {
std::vector<NamedMesh> parse(std::string_view content, FileNotes& notes, bool apart) {
  try {
    return GltfParser(content, notes).run(apart);
  } catch (const nlohmann::json::exception& error) {
    throw FileError(notes.name() + ": " + error.what());
  }
}
}  // namespace

TriangleMesh parse_gltf(std::string_view content, FileNotes& notes) {
  return std::move(parse(content, notes, false).front().mesh);
}

std::vector<NamedMesh> parse_gltf_objects(std::string_view content, FileNotes& notes) {
  return parse(content, notes, true);
}

}  // namespace tactus::io
