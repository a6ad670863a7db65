#include "tactus/io/scene/deformables.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tactus/core/hash.hpp"
#include "tactus/io/file/standard_input.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/io/scene/read_box.hpp"
#include "tactus/io/scene/responses.hpp"
#include "tactus/io/scene/scene_json.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

constexpr std::int64_t kMostCells = 1'000'000;

Vec3 scale_of(JsonFields& fields) {
  const json* value = fields.find("scale");
  if (value == nullptr) return {1.0, 1.0, 1.0};
  if (value->is_array()) return JsonFields::to_vector(*value, fields.path_of("scale"));
  const double s = JsonFields::to_number(*value, fields.path_of("scale"));
  return {s, s, s};
}

void scale_by(const Vec3& scale, const std::string& path, std::vector<Vec3>& vertices) {
  if (!(scale.x > 0.0 && scale.y > 0.0 && scale.z > 0.0))
    throw InvalidInput(path, "must be positive");
  for (Vec3& v : vertices) v = component_product(v, scale);
}

std::array<int, 3> cells_of(const json& value, const std::string& path, std::size_t count) {
  if (!value.is_array() || value.size() != count)
    throw InvalidInput(path, "must be " + std::to_string(count) + " whole numbers");
  std::array<int, 3> cells{1, 1, 1};
  for (std::size_t k = 0; k < count; ++k) {
    if (!value[k].is_number_integer() || value[k].get<std::int64_t>() < 1 ||
        value[k].get<std::int64_t>() > kMostCells)
      throw InvalidInput(JsonFields::path_of(path, k), "must be a whole number from 1 to 1000000");
    cells[k] = value[k].get<int>();
  }
  return cells;
}

/// A flat rectangle in the plane z = 0, its squares divided crosswise in turns.
void make_sheet(JsonFields& fields, soft::DeformableDefinition& d) {
  const json& size = fields.require("size");
  if (!size.is_array() || size.size() != 2)
    throw InvalidInput(fields.path_of("size"), "must be two numbers");
  const double width =
      JsonFields::to_number(size[0], JsonFields::path_of(fields.path_of("size"), 0));
  const double depth =
      JsonFields::to_number(size[1], JsonFields::path_of(fields.path_of("size"), 1));
  if (!(width > 0.0 && depth > 0.0)) throw InvalidInput(fields.path_of("size"), "must be positive");
  const std::array<int, 3> cells = cells_of(fields.require("cells"), fields.path_of("cells"), 2);
  const int nx = cells[0], ny = cells[1];
  if (static_cast<std::int64_t>(nx) * ny > kMostCells)
    throw InvalidInput(fields.path_of("cells"), "must be at most 1000000 in all");
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i)
      d.vertices.push_back({width * (i / static_cast<double>(nx) - 0.5),
                            depth * (j / static_cast<double>(ny) - 0.5), 0.0});
  }
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (nx + 1) + i); };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), e = at(i, j + 1);
      if ((i + j) % 2 == 0) {
        d.triangles.push_back({a, b, c});
        d.triangles.push_back({a, c, e});
      } else {
        d.triangles.push_back({a, b, e});
        d.triangles.push_back({b, c, e});
      }
    }
  }
}

void take(soft::TetrahedralMesh mesh, soft::DeformableDefinition& d) {
  d.vertices = std::move(mesh.vertices);
  d.tetrahedra = std::move(mesh.tetrahedra);
}

soft::TetrahedralMesh listed_tetrahedra(JsonFields& fields) {
  soft::TetrahedralMesh mesh;
  fields.require("vertices");
  fields.require("tetrahedra");
  const json &vertices = fields.array("vertices"), &tetrahedra = fields.array("tetrahedra");
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    mesh.vertices.push_back(
        JsonFields::to_vector(vertices[i], JsonFields::path_of(fields.path_of("vertices"), i)));
  }
  for (std::size_t i = 0; i < tetrahedra.size(); ++i) {
    const std::string path = JsonFields::path_of(fields.path_of("tetrahedra"), i);
    if (!tetrahedra[i].is_array() || tetrahedra[i].size() != 4)
      throw InvalidInput(path, "must be the numbers of four vertices");
    auto& corners = mesh.tetrahedra.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      const json& corner = tetrahedra[i][k];
      if (!corner.is_number_unsigned() || corner.get<std::uint64_t>() >= mesh.vertices.size())
        throw InvalidInput(JsonFields::path_of(path, k), "there is no such vertex");
      corners[k] = corner.get<std::uint32_t>();
    }
  }
  validate(mesh);
  return mesh;
}

void read_structure(const json& object, const std::string& path,
                    const std::filesystem::path& folder, soft::DeformableDefinition& d) {
  JsonFields fields(object, path);
  const std::string type = fields.text("type");
  const auto file = [&] { return beside(folder, fields.text("file")); };
  try {
    if (type == "box") {
      take(soft::tetrahedral_box(fields.vector("size"),
                                 cells_of(fields.require("cells"), fields.path_of("cells"), 3),
                                 fields.number("roundness", 0.0)),
           d);
    } else if (type == "sphere") {
      take(soft::tetrahedral_sphere(fields.number("radius"), fields.number("edge")), d);
    } else if (type == "sheet") {
      make_sheet(fields, d);
    } else if (type == "tetrahedra") {
      take(fields.find("file") != nullptr ? read_tetrahedra(file()) : listed_tetrahedra(fields), d);
      scale_by(scale_of(fields), fields.path_of("scale"), d.vertices);
    } else if (type == "fill" || type == "surface") {
      TriangleMesh mesh = read_mesh(file());
      scale_by(scale_of(fields), fields.path_of("scale"), mesh.vertices);
      if (type == "fill") {
        take(soft::fill_with_tetrahedra(Mesh(std::move(mesh)), fields.number("edge")), d);
      } else {
        d.vertices = std::move(mesh.vertices);
        d.triangles = std::move(mesh.triangles);
      }
    } else {
      throw InvalidInput("type", "must be box, sphere, fill, tetrahedra, sheet or surface");
    }
  } catch (const FileError& error) {
    throw InvalidInput(fields.path_of("file"), error.what());
  } catch (const InvalidInput& error) {
    // Errors that `fields` throws have their path already.
    if (error.field().starts_with(path)) throw;
    throw error.within(path);
  }
  fields.finish();
}

void read_material(const json& object, const std::string& path, soft::DeformableMaterial& m) {
  JsonFields fields(object, path);
  const std::string model = fields.text("model", std::string(to_string(m.model)));
  m.model = choice_of<soft::DeformableModel>(model, fields.path_of("model"));
  m.density = fields.number("density", m.density);
  m.young = fields.number("young", m.young);
  m.poisson = fields.number("poisson", m.poisson);
  m.damping = fields.number("damping", m.damping);
  m.friction = fields.number("friction", m.friction);
  m.thickness = fields.number("thickness", m.thickness);
  m.bending = fields.number("bending", m.bending);
  fields.finish();
  try {
    validate(m);
  } catch (const InvalidInput& error) {
    throw error.within(path);
  }
}

LedVertices read_led(const json& object, const std::string& path,
                     const soft::DeformableDefinition& d) {
  JsonFields fields(object, path);
  LedVertices led;
  const json& inside = fields.require("inside");
  JsonFields box(inside, fields.path_of("inside"));
  const auto [lower, upper] = read_box(box);
  box.finish();
  led.linear_velocity = fields.vector("linear_velocity", {});
  led.angular_velocity = fields.vector("angular_velocity", {});
  led.center = fields.vector("center", {});
  led.until = fields.number("until", led.until);
  if (led.until < 0.0) throw InvalidInput(fields.path_of("until"), "must not be negative");
  fields.finish();
  for (std::uint32_t i = 0; i < d.vertices.size(); ++i) {
    const Vec3 p = d.pose.to_world(d.vertices[i]);
    if (overlaps(Aabb{lower, upper}, Aabb{p, p})) {
      led.vertices.push_back(i);
      led.places.push_back(p);
    }
  }
  if (led.vertices.empty()) throw InvalidInput(path, "there is no vertex inside");
  return led;
}

void add_obstacle(const SceneBody& body, const World* rigid, soft::DeformableWorld& world) {
  const BodyDefinition& d = body.definition;
  if (body.first_step > 0)
    throw InvalidInput("", "in a scene with deformables rigid bodies are there from the start");
  if (d.type != BodyType::fixed && rigid != nullptr) {
    world.add_obstacle(*rigid, d.id);
    return;
  }
  if (d.type == BodyType::dynamic_body)
    throw InvalidInput("type", "a moving body needs a rigid world beside the deformables");
  soft::ObstacleDefinition obstacle{d.shape, d.pose, {}, d.material.friction};
  if (d.type == BodyType::kinematic) obstacle.motion = {d.linear_velocity, d.angular_velocity};
  world.add_obstacle(obstacle);
}

/// The response, and no field of contacts beside one that has none.
soft::DeformableResponse read_response(JsonFields& fields) {
  using R = soft::DeformableResponse;
  const R response = choice_of<R>(fields.text("response", std::string(to_string(R::continuous))),
                                  fields.path_of("response"));
  if (response == R::continuous) return response;
  for (const char* name : {"rounds", "contact_distance", "contact_stiffness", "slip_speed"}) {
    if (fields.find(name) != nullptr) {
      throw InvalidInput(fields.path_of(name), "is of contacts, which the response " +
                                                   std::string(to_string(response)) +
                                                   " has none of");
    }
  }
  return response;
}

}  // namespace

void read_deformable_settings(const json& object, Scene& scene) {
  JsonFields fields(object, "deformable");
  soft::DeformableSettings& s = scene.deformable;
  s.gravity = scene.world.gravity;
  s.time_step = scene.world.time_step;
  scene.response = read_response(fields);
  s.contacts = scene.response == soft::DeformableResponse::continuous;
  s.sweeps = static_cast<int>(fields.integer("sweeps", 1, 10'000'000, s.sweeps));
  s.rounds = static_cast<int>(fields.integer("rounds", 1, 10'000, s.rounds));
  s.tolerance = fields.number("tolerance", s.tolerance);
  s.contact_distance = fields.number("contact_distance", s.contact_distance);
  s.contact_stiffness = fields.number("contact_stiffness", s.contact_stiffness);
  s.slip_speed = fields.number("slip_speed", s.slip_speed);
  s.air_damping = fields.number("air_damping", s.air_damping);
  fields.finish();
  try {
    validate(s);
  } catch (const InvalidInput& error) {
    throw error.within("deformable");
  }
}

SceneDeformable read_deformable(const json& object, const std::string& path,
                                const std::filesystem::path& folder) {
  JsonFields fields(object, path);
  SceneDeformable body;
  body.name = fields.text("name", path);
  soft::DeformableDefinition& d = body.definition;
  read_structure(fields.require("structure"), fields.path_of("structure"), folder, d);
  if (const json* material = fields.find("material"))
    read_material(*material, fields.path_of("material"), d.material);
  if (const json* pose = fields.find("pose")) {
    try {
      d.pose = pose_from_json(*pose);
    } catch (const InvalidInput& error) {
      throw error.within(fields.path_of("pose"));
    }
  }
  d.linear_velocity = fields.vector("linear_velocity", {});
  const json& led = fields.array("led");
  for (std::size_t i = 0; i < led.size(); ++i)
    body.led.push_back(read_led(led[i], JsonFields::path_of(fields.path_of("led"), i), d));
  fields.finish();
  return body;
}

std::unique_ptr<World> build_rigid_world(const Scene& scene) {
  const auto moves = [](const SceneBody& b) { return b.definition.type == BodyType::dynamic_body; };
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), moves)) return nullptr;
  auto world = std::make_unique<World>(scene.world);
  fill_world(scene, *world);
  return world;
}

soft::DeformableWorld build_deformable_world(const Scene& scene, const World* rigid) {
  soft::DeformableWorld world(scene.deformable);
  for (const SceneDeformable& body : scene.deformables) {
    soft::DeformableDefinition definition = body.definition;
    for (const LedVertices& led : body.led)
      definition.fixed.insert(definition.fixed.end(), led.vertices.begin(), led.vertices.end());
    try {
      world.add(definition);
    } catch (const InvalidInput& error) {
      throw error.within(body.name);
    }
  }
  for (const SceneBody& body : scene.bodies) {
    try {
      add_obstacle(body, rigid, world);
    } catch (const InvalidInput& error) {
      throw error.within(body.name);
    }
  }
  return world;
}

void lead_vertices(const Scene& scene, soft::DeformableWorld& world) {
  const double end = static_cast<double>(world.step_count() + 1) * world.settings().time_step;
  for (std::size_t b = 0; b < scene.deformables.size(); ++b) {
    for (const LedVertices& led : scene.deformables[b].led) {
      const double t = end < led.until ? end : led.until;
      const Mat3 turn = rotation_by(led.angular_velocity * t);
      for (std::size_t i = 0; i < led.vertices.size(); ++i) {
        const Vec3 place = led.center + turn * (led.places[i] - led.center);
        world.lead(static_cast<soft::DeformableId>(b), led.vertices[i],
                   place + led.linear_velocity * t);
      }
    }
  }
}

const soft::DeformableStatistics& step_deformables(const Scene& scene, soft::DeformableWorld& world,
                                                   World* rigid) {
  lead_vertices(scene, world);
  if (scene.response != soft::DeformableResponse::continuous) {
    step_with_response(scene, world);
    return world.statistics();
  }
  return rigid == nullptr ? world.step() : world.step(*rigid);
}

std::uint64_t state_hash(const soft::DeformableWorld& world, const World* rigid) {
  if (rigid == nullptr) return world.state_hash();
  detail::Fnv1a hash;
  hash.add(world.state_hash());
  hash.add(rigid->state_hash());
  return hash.value();
}

}  // namespace tactus::io
