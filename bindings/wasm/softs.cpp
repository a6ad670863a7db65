// Deformables: made from scenes, pulled, stepped, and seen through arrays of numbers.
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "bindings/wasm/body_numbers.hpp"
#include "bindings/wasm/registry.hpp"
#include "tactus/io/html/scene_picture.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/run/live_soft.hpp"
#include "tactus/io/run/live_world.hpp"
#include "tactus/io/run/soft_pictures.hpp"

namespace tactus::wasm {
namespace {

using io::LiveSoft;
using nlohmann::json;

struct Seen {
  explicit Seen(std::string_view scene) : live(scene) {}
  LiveSoft live;
  std::vector<double> positions, energies;
  std::vector<BodyNumbers> poses;
  std::vector<ContactNumbers> contacts;
};

Registry<std::unique_ptr<Seen>>& softs() {
  static Registry<std::unique_ptr<Seen>> all;
  return all;
}

LiveSoft& soft_at(int number) { return softs().at(number)->live; }

void fill_positions(Seen& seen) {
  seen.positions.clear();
  const soft::DeformableWorld& world = seen.live.world();
  for (soft::DeformableId b = 0; b < world.bodies(); ++b) {
    for (const Vec3& v : world.positions(b)) {
      for (const double x : {v.x, v.y, v.z}) seen.positions.push_back(x);
    }
  }
}

void fill_energies(Seen& seen) {
  seen.energies.clear();
  const soft::DeformableWorld& world = seen.live.world();
  for (soft::DeformableId b = 0; b < world.bodies(); ++b) {
    const std::vector<double> own = world.strain_energy(b);
    seen.energies.insert(seen.energies.end(), own.begin(), own.end());
  }
}

// Obstacles are in the order of the scene's bodies.
void fill_poses(Seen& seen) {
  seen.poses.clear();
  const io::Scene& scene = seen.live.scene();
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    const Pose pose = seen.live.world().obstacle_pose(i);
    seen.poses.push_back(
        body_numbers(pose.position(), to_quaternion(pose.rotation()), scene.bodies[i].scale));
  }
}

void fill_contacts(Seen& seen) {
  seen.contacts.clear();
  const auto vector = [](const std::array<float, 3>& v) { return Vec3{v[0], v[1], v[2]}; };
  for (const io::ContactSample& c : io::contacts_of(seen.live.world(), seen.live.rigid(), {}))
    seen.contacts.push_back(contact_numbers(c.bodies[0], c.bodies[1], vector(c.position),
                                            vector(c.normal), c.depth, c.normal_force));
}

// The scene as JSON, which a page needs before it draws the first picture.
std::string picture_of(const LiveSoft& live) {
  const io::Scene& scene = live.scene();
  const soft::DeformableWorld& world = live.world();
  json bodies = json::array();
  Aabb stage{{0, 0, 0}, {0, 0, 0}};
  std::size_t first = 0;
  for (soft::DeformableId b = 0; b < world.bodies(); ++b) {
    json triangles = json::array();
    for (const auto& t : world.surface(b)) {
      for (const std::uint32_t corner : t) triangles.push_back(corner);
    }
    const auto x = world.positions(b);
    for (const Vec3& v : x)
      stage = first == 0 && &v == x.data() ? Aabb{v, v} : merge(stage, {v, v});
    bodies.push_back({{"name", scene.deformables[b].name},
                      {"first", first},
                      {"vertices", x.size()},
                      {"solid", !scene.deformables[b].definition.tetrahedra.empty()},
                      {"young", scene.deformables[b].definition.material.young},
                      {"triangles", std::move(triangles)}});
    first += x.size();
  }
  for (const io::SceneBody& body : scene.bodies) {
    const Aabb box = bounding_box(body.definition.shape, body.definition.pose);
    if (is_finite(box.lower) && is_finite(box.upper)) stage = merge(stage, box);
  }
  return json{{"title", scene.title},
              {"step_rate", scene.step_rate},
              {"stage",
               {{"lower", io::vector_to_json(stage.lower)},
                {"upper", io::vector_to_json(stage.upper)},
                {"mark_size", io::mark_size(scene)}}},
              {"soft", std::move(bodies)},
              {"shapes", io::shapes_to_json(scene)},
              {"bodies", io::bodies_to_json(scene)}}
      .dump();
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT int tactus_soft_open(const char* scene, int size) {
  return guarded(0, [&] {
    const std::string_view text(scene, static_cast<std::size_t>(size));
    return softs().add(std::make_unique<Seen>(text));
  });
}

TACTUS_EXPORT void tactus_soft_close(int soft) { softs().remove(soft); }

TACTUS_EXPORT int tactus_soft_act(int soft, const char* act, int size) {
  return guarded(0, [&] {
    soft_at(soft).act(std::string_view(act, static_cast<std::size_t>(size)));
    return 1;
  });
}

TACTUS_EXPORT int tactus_soft_step(int soft, int count) {
  return guarded(0, [&] {
    for (int i = 0; i < count; ++i) soft_at(soft).step();
    return 1;
  });
}

// Finds the vertices of all bodies, one after the other: three numbers each at
// tactus_soft_positions(), and with `energies` the density of the elastic energy at
// tactus_soft_energies(). Returns the number of vertices, or -1.
TACTUS_EXPORT int tactus_soft_find(int soft, int energies) {
  return guarded(-1, [&] {
    Seen& seen = *softs().at(soft);
    fill_positions(seen);
    if (energies != 0) fill_energies(seen);
    return static_cast<int>(seen.positions.size() / 3);
  });
}

TACTUS_EXPORT const double* tactus_soft_positions(int soft) {
  return guarded<const double*>(nullptr, [&] { return softs().at(soft)->positions.data(); });
}

TACTUS_EXPORT const double* tactus_soft_energies(int soft) {
  return guarded<const double*>(nullptr, [&] { return softs().at(soft)->energies.data(); });
}

TACTUS_EXPORT int tactus_soft_bodies(int soft) {
  return guarded(-1, [&] { return static_cast<int>(soft_at(soft).scene().bodies.size()); });
}

// Eight numbers of each rigid body, in the order of the scene.
TACTUS_EXPORT const double* tactus_soft_poses(int soft) {
  return guarded<const double*>(nullptr, [&] {
    Seen& seen = *softs().at(soft);
    fill_poses(seen);
    return numbers(seen.poses);
  });
}

// Ten numbers per contact of the last step at tactus_soft_contacts(); their number, or -1.
TACTUS_EXPORT int tactus_soft_find_contacts(int soft) {
  return guarded(-1, [&] {
    Seen& seen = *softs().at(soft);
    fill_contacts(seen);
    return static_cast<int>(seen.contacts.size());
  });
}

TACTUS_EXPORT const double* tactus_soft_contacts(int soft) {
  return guarded<const double*>(nullptr, [&] { return numbers(softs().at(soft)->contacts); });
}

// Step, time, vertices, elements, contacts, least gap, sweeps, rounds, converged, corrections, held
// back, kinetic, elastic, contact and potential energy, that of rigid bodies, milliseconds:
// 17 numbers.
TACTUS_EXPORT int tactus_soft_statistics(int soft, double* out) {
  return guarded(0, [&] {
    const soft::DeformableStatistics& s = soft_at(soft).world().statistics();
    for (const double x :
         {static_cast<double>(soft_at(soft).world().step_count()), soft_at(soft).world().time(),
          static_cast<double>(s.vertices), static_cast<double>(s.elements),
          static_cast<double>(s.contacts), s.least_gap, static_cast<double>(s.sweeps),
          static_cast<double>(s.rounds), s.converged ? 1.0 : 0.0,
          static_cast<double>(s.corrections), s.held_back ? 1.0 : 0.0, s.kinetic_energy,
          s.elastic_energy, s.contact_energy, s.potential_energy, s.rigid_energy, s.total_ms}) {
      *out++ = x;
    }
    return 1;
  });
}

// Edges that meet a triangle now, or -1.
TACTUS_EXPORT int tactus_soft_crossings(int soft) {
  return guarded(-1, [&] { return static_cast<int>(soft_at(soft).world().crossings().size()); });
}

TACTUS_EXPORT const char* tactus_soft_picture(int soft) {
  return text_of([&] { return picture_of(soft_at(soft)); });
}

TACTUS_EXPORT const char* tactus_soft_line(int soft) {
  return text_of([&] { return soft_at(soft).line(); });
}

TACTUS_EXPORT const char* tactus_soft_hash(int soft) {
  return text_of([&] { return io::hash_text(soft_at(soft).state_hash()); });
}
