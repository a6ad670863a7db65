#include "tactus/io/json/json_shape.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/standard_input.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_heightfield.hpp"
#include "tactus/io/json/json_region.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/shape/compound_data.hpp"

namespace tactus::io {
namespace {

using nlohmann::json;

/// Runs a constructor, and names the errors that it throws by their place in the file.
template <class Make>
auto named(const std::string& path, Make make) {
  try {
    return make();
  } catch (const InvalidInput& error) {
    if (path.empty()) throw;
    throw error.within(path);
  }
}

Vec3 read_scale(JsonFields& fields) {
  const json* value = fields.find("scale");
  if (value == nullptr) return {1.0, 1.0, 1.0};
  const std::string path = fields.path_of("scale");
  if (value->is_array()) return JsonFields::to_vector(*value, path);
  const double scale = JsonFields::to_number(*value, path);
  return {scale, scale, scale};
}

std::vector<Vec3> read_vertices(JsonFields& fields) {
  const json& array = fields.array("vertices");
  const std::string path = fields.path_of("vertices");
  std::vector<Vec3> vertices;
  vertices.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    vertices.push_back(JsonFields::to_vector(array[i], JsonFields::path_of(path, i)));
  }
  return vertices;
}

std::uint32_t read_index(const json& value, const std::string& path) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xffffffffU) {
    throw InvalidInput(path, "must be the index of a vertex");
  }
  return value.get<std::uint32_t>();
}

std::vector<std::array<std::uint32_t, 3>> read_triangles(JsonFields& fields) {
  const json& array = fields.array("triangles");
  const std::string path = fields.path_of("triangles");
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangles.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::string place = JsonFields::path_of(path, i);
    if (!array[i].is_array() || array[i].size() != 3) {
      throw InvalidInput(place, "must be an array of three indices");
    }
    triangles.push_back({read_index(array[i][0], JsonFields::path_of(place, 0)),
                         read_index(array[i][1], JsonFields::path_of(place, 1)),
                         read_index(array[i][2], JsonFields::path_of(place, 2))});
  }
  return triangles;
}

/// Scales in place; a reflection turns the triangles over, so that the outside stays outside.
void apply_scale(TriangleMesh& mesh, const Vec3& scale) {
  for (Vec3& vertex : mesh.vertices) vertex = component_product(vertex, scale);
  const bool reflected = (scale.x < 0.0) != ((scale.y < 0.0) != (scale.z < 0.0));
  if (!reflected) return;
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

/// The hull or the surface of scaled data.
Shape make_points_shape(ShapeType type, TriangleMesh mesh, const Vec3& scale, double concavity) {
  apply_scale(mesh, scale);
  if (type == ShapeType::convex) return Convex(mesh.vertices);
  if (concavity == 0.0) return Mesh(std::move(mesh));
  fit::DecomposeOptions options;
  options.concavity = concavity;
  return fit::decompose(mesh, options).compound();
}

/// Is the shape given by a file, rather than by the field that `data` names?
bool is_from_file(JsonFields& fields, const std::string& data) {
  const bool has_file = fields.find("file") != nullptr;
  if (has_file == (fields.find(data) != nullptr))
    throw InvalidInput(fields.path(), "needs either `" + data + "` or `file`");
  return has_file;
}

/// Concavity given by `decompose`; 0 when the mesh stays a mesh.
double read_concavity(JsonFields& fields) {
  const double concavity = fields.number("decompose", 0.0);
  if (fields.find("decompose") != nullptr && !(concavity > 0.0 && concavity <= 1.0))
    throw InvalidInput(fields.path_of("decompose"),
                       "must be a concavity above 0, at most 1, of the model scaled to [-1, 1]");
  return concavity;
}

/// The parts at another scale: by one positive factor any, by three those made of points.
Compound scaled_parts(const Compound& compound, const Vec3& scale, const std::string& place) {
  if (scale == Vec3{1.0, 1.0, 1.0}) return compound;
  if (scale.x == scale.y && scale.y == scale.z && scale.x > 0.0)
    return std::get<Compound>(scaled(compound, scale.x).geometry());
  std::vector<Compound::Part> parts;
  for (const Compound::Part& part : compound.parts()) {
    const ShapeType type = part.shape.type();
    TriangleMesh points;
    if (const auto* mesh = std::get_if<Mesh>(&part.shape.geometry())) points = mesh->mesh();
    if (const auto* hull = std::get_if<Convex>(&part.shape.geometry()))
      points.vertices = hull->hull().vertices;
    if (points.vertices.empty() || part.shape.rounding_radius() > 0.0) {
      throw InvalidInput(place, "must be one positive number, since part " +
                                    std::to_string(parts.size()) + " is a " +
                                    std::string(to_string(type)) + " that cannot be stretched");
    }
    for (Vec3& vertex : points.vertices) vertex = part.pose.to_world(vertex);
    parts.push_back({make_points_shape(type, std::move(points), scale, 0.0), Pose()});
  }
  return Compound(std::move(parts));
}

/// A mesh in its written form.
constexpr std::string_view kHeightfield = "heightfield";

std::optional<ShapeType> type_of(const std::string& name) {
  for (int i = 0; i < kShapeTypes; ++i) {
    const auto type = static_cast<ShapeType>(i);
    if (type != ShapeType::custom && name == to_string(type)) return type;
  }
  return std::nullopt;
}

/// A compound that files know by a name of its own.
constexpr std::string_view kPrism = "prism";

[[noreturn]] void refuse_type(const std::string& name, const std::string& path) {
  std::vector<std::string_view> known;
  for (int i = 0; i < kShapeTypes; ++i) {
    if (static_cast<ShapeType>(i) != ShapeType::custom)
      known.push_back(to_string(static_cast<ShapeType>(i)));
  }
  known.push_back(kPrism);
  known.push_back(kHeightfield);
  throw InvalidInput(path, unknown_name("shape", name, known));
}

Shape read_prism(JsonFields& fields, const std::string& path) {
  const planar::Region region = read_region(fields);
  const double height = fields.number("height");
  fields.finish();
  return named(path, [&] { return fit::extruded(region, height); });
}

/// The fields of the primitives; the geometry's constructor judges the numbers.
Shape::Geometry read_primitive(ShapeType type, JsonFields& fields) {
  const auto radius_and_length = [&fields](auto make) -> Shape::Geometry {
    const double radius = fields.number("radius");
    const double length = fields.number("length");
    return named(fields.path(), [&] { return make(radius, length); });
  };
  switch (type) {
    case ShapeType::sphere: {
      const double radius = fields.number("radius");
      return named(fields.path(), [&] { return Sphere(radius); });
    }
    case ShapeType::box: {
      const Vec3 size = fields.vector("size");
      return named(fields.path(), [&] { return Box(size); });
    }
    case ShapeType::ellipsoid: {
      const Vec3 radii = fields.vector("radii");
      return named(fields.path(), [&] { return Ellipsoid(radii); });
    }
    case ShapeType::capsule:
      return radius_and_length([](double r, double l) { return Capsule(r, l); });
    case ShapeType::cylinder:
      return radius_and_length([](double r, double l) { return Cylinder(r, l); });
    case ShapeType::cone:
      return radius_and_length([](double r, double l) { return Cone(r, l); });
    default: {
      const Vec3 normal = fields.vector("normal");
      const double offset = fields.number("offset");
      return named(fields.path(), [&] { return HalfSpace(normal, offset); });
    }
  }
}

json with_type(const Shape& shape) { return {{"type", to_string(shape.type())}}; }

json vertices_to_json(const std::vector<Vec3>& vertices) {
  json array = json::array();
  for (const Vec3& vertex : vertices) array.push_back(vector_to_json(vertex));
  return array;
}

/// Adds the fields of each geometry to `out`.
struct GeometryWriter {
  json& out;

  void operator()(const Sphere& s) const { out["radius"] = s.radius(); }
  void operator()(const Box& s) const { out["size"] = vector_to_json(s.size()); }
  void operator()(const Capsule& s) const { radius_and_length(s); }
  void operator()(const Cylinder& s) const { radius_and_length(s); }
  void operator()(const Cone& s) const { radius_and_length(s); }
  void operator()(const Ellipsoid& s) const { out["radii"] = vector_to_json(s.radii()); }
  void operator()(const Convex& s) const { out["vertices"] = vertices_to_json(s.hull().vertices); }
  void operator()(const Mesh& s) const {
    out["vertices"] = vertices_to_json(s.mesh().vertices);
    out["triangles"] = s.mesh().triangles;
  }
  void operator()(const HalfSpace& s) const {
    out["normal"] = vector_to_json(s.normal());
    out["offset"] = s.offset();
  }
  void operator()(const Compound& s) const {
    if (const detail::Prism* prism = detail::prism_of(s)) {
      write_prism(*prism);
      return;
    }
    json parts = json::array();
    for (const Compound::Part& part : s.parts()) {
      parts.push_back({{"shape", shape_to_json(part.shape)}, {"pose", pose_to_json(part.pose)}});
    }
    out["parts"] = std::move(parts);
  }
  void operator()(const CustomConvex&) const {
    throw InvalidInput("type", "a custom support function has no written form");
  }

  void write_prism(const detail::Prism& prism) const {
    const auto points = [](const planar::Contour& contour) {
      json list = json::array();
      for (const planar::Vec2& p : contour.points()) list.push_back({p.x, p.y});
      return list;
    };
    out["type"] = "prism";
    const std::span<const planar::Contour> contours = prism.region.contours();
    out["outer"] = points(contours.front());
    for (const planar::Contour& hole : contours.subspan(1)) out["holes"].push_back(points(hole));
    out["height"] = prism.height;
  }

  template <class S>
  void radius_and_length(const S& s) const {
    out["radius"] = s.radius();
    out["length"] = s.length();
  }
};

}  // namespace

ShapeReader::ShapeReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

Shape ShapeReader::read(const json& value) { return read(value, ""); }

Shape ShapeReader::read(const json& value, const std::string& path) {
  JsonFields fields(value, path);
  const std::string name = fields.text("type");
  if (name == kHeightfield) return heightfield_from_json(value, path, folder_);
  if (name == kPrism) return read_prism(fields, path);
  const std::optional<ShapeType> type = type_of(name);
  if (!type) refuse_type(name, fields.path_of("type"));
  switch (*type) {
    case ShapeType::convex:
    case ShapeType::mesh:
      return read_points(value, path, *type);
    case ShapeType::compound:
      return read_compound(value, path);
    default:
      break;
  }
  Shape::Geometry geometry = read_primitive(*type, fields);
  const double rounding = fields.number("rounding", 0.0);
  fields.finish();
  return named(path, [&] {
    return std::visit([&](auto& g) { return Shape(std::move(g), rounding); }, geometry);
  });
}

template <class Make>
Shape ShapeReader::once(const Key& key, const std::string& place, const Make& make) {
  const std::lock_guard lock(mutex_);
  auto found = files_.find(key);
  if (found != files_.end()) return found->second;
  try {
    const Shape made = make();
    return files_.emplace(key, made).first->second;
  } catch (const std::runtime_error& error) {
    throw InvalidInput(place, error.what());
  }
}

void ShapeReader::warn(std::vector<std::string> warnings) {
  const std::lock_guard lock(mutex_);
  for (std::string& text : warnings) {
    if (told_.insert(text).second) warnings_.push_back(std::move(text));
  }
}

std::vector<std::string> ShapeReader::take_warnings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

// One hull for each object of the file.
Compound ShapeReader::hulls_of(const std::filesystem::path& file) {
  std::vector<std::string> warnings;
  const std::vector<NamedMesh> objects = read_objects(file, {UpAxis::as_it_is, &warnings});
  warn(std::move(warnings));
  std::vector<Compound::Part> parts;
  parts.reserve(objects.size());
  for (const NamedMesh& object : objects) parts.push_back({Convex(object.mesh.vertices), Pose()});
  return Compound(std::move(parts));
}

TriangleMesh ShapeReader::load(ShapeType type, const std::filesystem::path& file) {
  std::vector<std::string> warnings;
  const MeshReadOptions options{UpAxis::as_it_is, &warnings};
  TriangleMesh mesh;
  if (type == ShapeType::mesh) {
    mesh = read_mesh(file, options);
  } else {
    mesh.vertices = io::read_points(file, options);
  }
  warn(std::move(warnings));
  return mesh;
}

Shape ShapeReader::read_points(const json& value, const std::string& path, ShapeType type) {
  JsonFields fields(value, path);
  fields.require("type");
  const bool has_file = is_from_file(fields, "vertices");
  const Vec3 scale = read_scale(fields);
  if (type == ShapeType::mesh && (scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0)) {
    throw InvalidInput(fields.path_of("scale"), "must not be zero for a mesh");
  }
  const double concavity = type == ShapeType::mesh ? read_concavity(fields) : 0.0;
  const double rounding = fields.number("rounding", 0.0);

  std::optional<Shape> shape;
  if (!has_file) {
    TriangleMesh mesh;
    mesh.vertices = read_vertices(fields);
    if (type == ShapeType::mesh) mesh.triangles = read_triangles(fields);
    fields.finish();
    shape = named(path, [&] { return make_points_shape(type, std::move(mesh), scale, concavity); });
  } else {
    const std::string file = fields.text("file");
    fields.finish();
    shape = once({type, file, scale.x, scale.y, scale.z, concavity}, fields.path_of("file"), [&] {
      return make_points_shape(type, load(type, beside(folder_, file)), scale, concavity);
    });
  }
  if (rounding == 0.0) return *shape;
  return named(path, [&] {
    return std::visit([&](const auto& g) { return Shape(g, rounding); }, shape->geometry());
  });
}

Shape ShapeReader::read_compound(const json& value, const std::string& path) {
  JsonFields fields(value, path);
  fields.require("type");
  const bool has_file = is_from_file(fields, "parts");
  const Vec3 scale = read_scale(fields);
  const double rounding = fields.number("rounding", 0.0);
  if (has_file) {
    const std::string file = fields.text("file");
    fields.finish();
    const Shape shape =
        once({ShapeType::compound, file, scale.x, scale.y, scale.z, 0.0}, fields.path_of("file"),
             [&] { return scaled_parts(load_compound(beside(folder_, file)), scale, "scale"); });
    return named(path, [&] { return Shape(shape.geometry(), rounding); });
  }
  const json& array = fields.array("parts");
  fields.finish();
  return named(path, [&] {
    const Compound compound(read_parts(array, fields.path_of("parts")));
    return Shape(scaled_parts(compound, scale, "scale"), rounding);
  });
}

std::vector<Compound::Part> ShapeReader::read_parts(const json& array, const std::string& path) {
  std::vector<Compound::Part> parts;
  parts.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    JsonFields part(array[i], JsonFields::path_of(path, i));
    Shape shape = read(part.require("shape"), part.path_of("shape"));
    Pose pose;
    if (const json* given = part.find("pose")) {
      pose = named(part.path_of("pose"), [&] { return pose_from_json(*given); });
    }
    part.finish();
    parts.push_back({std::move(shape), pose});
  }
  return parts;
}

Compound ShapeReader::load_compound(const std::filesystem::path& file) {
  if (file.extension() != ".json") return hulls_of(file);
  const std::filesystem::path place = std::filesystem::weakly_canonical(file);
  if (std::find(open_.begin(), open_.end(), place) != open_.end())
    throw FileError(file.string() + ": is a part of itself");
  const std::string text = file_content(file);
  // Files that it names lie beside it.
  ShapeReader inner(file.parent_path());
  inner.open_ = open_;
  inner.open_.push_back(place);
  try {
    const json value = parse_json(text);
    JsonFields fields(value, "");
    const json& array = fields.array("parts");
    fields.finish();
    Compound compound(inner.read_parts(array, "parts"));
    warn(inner.take_warnings());
    return compound;
  } catch (const InvalidInput& error) {
    throw FileError(file.string() + ": " + error.what());
  }
}

Shape shape_from_json(const json& value, const std::filesystem::path& folder) {
  return ShapeReader(folder).read(value);
}

Pose pose_from_json(const json& value) {
  if (value.is_array()) {
    if (value.size() != 12) throw InvalidInput("", "must have twelve numbers");
    double m[12];
    for (std::size_t i = 0; i < 12; ++i) {
      m[i] = JsonFields::to_number(value[i], JsonFields::path_of("", i));
    }
    return Pose::from_matrix({m[3], m[7], m[11]},
                             {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}});
  }
  if (!value.is_object()) {
    throw InvalidInput("", "must be twelve numbers, or position and quaternion");
  }
  JsonFields fields(value, "");
  const Vec3 position = fields.vector("position", {});
  Quat quaternion;
  if (const json* q = fields.find("quaternion")) {
    if (!q->is_array() || q->size() != 4) {
      throw InvalidInput("quaternion", "must be an array of four numbers");
    }
    quaternion = {JsonFields::to_number((*q)[0], "quaternion[0]"),
                  JsonFields::to_number((*q)[1], "quaternion[1]"),
                  JsonFields::to_number((*q)[2], "quaternion[2]"),
                  JsonFields::to_number((*q)[3], "quaternion[3]")};
  }
  fields.finish();
  return Pose(position, quaternion);
}

json vector_to_json(const Vec3& v) { return json::array({v.x, v.y, v.z}); }

json shape_to_json(const Shape& shape) {
  json out = with_type(shape);
  std::visit(GeometryWriter{out}, shape.geometry());
  if (shape.rounding_radius() > 0.0) out["rounding"] = shape.rounding_radius();
  return out;
}

json pose_to_json(const Pose& pose) {
  const Mat3& r = pose.rotation();
  json out = json::array();
  for (int i = 0; i < 3; ++i) {
    out.insert(out.end(), {r.row[i].x, r.row[i].y, r.row[i].z, pose.position()[i]});
  }
  return out;
}

}  // namespace tactus::io
