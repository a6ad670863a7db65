// Worlds of rigid bodies: made from scenes, acted on, stepped, and seen through arrays of numbers.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "bindings/wasm/body_numbers.hpp"
#include "bindings/wasm/registry.hpp"
#include "tactus/io/html/scene_picture.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/run/live_world.hpp"

namespace tactus::wasm {
namespace {

using io::LiveWorld;
using nlohmann::json;

struct Seen {
  explicit Seen(std::string_view scene) : live(scene) {}
  LiveWorld live;
  std::vector<BodyNumbers> poses;
  std::vector<ContactNumbers> contacts;
  std::map<int, io::LiveMoment> moments;
  int last_moment = 0;
};

Registry<std::unique_ptr<Seen>>& worlds() {
  static Registry<std::unique_ptr<Seen>> all;
  return all;
}

LiveWorld& world_at(int number) { return worlds().at(number)->live; }

Pose pose_of(const io::SceneBody& body, const RigidWorld& world) {
  const BodyId id = body.definition.id;
  return world.contains(id) ? world.body(id).pose() : body.definition.pose;
}

// Both lists are in the order of the ids.
void fill_poses(Seen& seen) {
  const io::Scene& scene = seen.live.scene();
  seen.poses.resize(scene.bodies.size());
  const std::span<const Body> there = seen.live.world().bodies();
  auto next = there.begin();
  BodyNumbers* out = seen.poses.data();
  for (const io::SceneBody& body : scene.bodies) {
    if (next != there.end() && next->id() == body.definition.id) {
      *out++ = body_numbers(next->pose().position(), next->motion().orientation, body.scale);
      ++next;
    } else {
      const Pose& pose = body.definition.pose;
      *out++ = body_numbers(pose.position(), to_quaternion(pose.rotation()), 0.0);
    }
  }
}

void fill_contacts(Seen& seen) {
  seen.contacts.clear();
  seen.contacts.reserve(seen.live.world().contacts().size());
  for (const Contact& c : seen.live.world().contacts())
    seen.contacts.push_back(
        contact_numbers(c.body_a - 1, c.body_b - 1, c.point, c.normal, c.depth, c.normal_impulse));
}

void find_forces(const RigidWorld& world, std::vector<double>& out) {
  out.clear();
  const double rate = 1.0 / world.contact_time();
  for (const Contact& c : world.contacts()) {
    const Vec3 force = (c.normal * c.normal_impulse + c.friction_impulse) * rate;
    out.insert(out.end(), {force.x, force.y, force.z});
  }
}

io::LiveMoment& moment_of(Seen& seen, int number) {
  const auto kept = seen.moments.find(number);
  if (kept == seen.moments.end()) throw InvalidInput("snapshot", "was forgotten, or never taken");
  return kept->second;
}

/// The box of all bounded bodies, where they are now.
Aabb stage_of(const LiveWorld& live) {
  Aabb all{{-1, -1, -1}, {1, 1, 1}};
  bool first = true;
  for (const io::SceneBody& body : live.scene().bodies) {
    const Aabb box = bounding_box(body.definition.shape, pose_of(body, live.world()));
    if (!is_finite(box.lower) || !is_finite(box.upper)) continue;
    all = first ? box : merge(all, box);
    first = false;
  }
  return all;
}

// The scene as JSON, which a page needs before it draws the first picture.
std::string picture_of(const LiveWorld& live) {
  const io::Scene& scene = live.scene();
  const double pull = norm(scene.world.gravity);
  const Vec3 up = pull > 0.0 ? -scene.world.gravity / pull : Vec3{0.0, 0.0, 1.0};
  const Aabb stage = stage_of(live);
  double sum = 0.0;
  int count = 0;
  for (const io::SceneBody& body : scene.bodies) {
    if (body.definition.type != BodyType::dynamic_body) continue;
    sum += extent(body.definition.shape);
    ++count;
  }
  json out = {{"title", scene.title},
              {"up", io::vector_to_json(up)},
              {"stage",
               {{"lower", io::vector_to_json(stage.lower)},
                {"upper", io::vector_to_json(stage.upper)},
                {"body_size", count > 0 ? sum / count : 1.0}}},
              {"settings",
               {{"gravity", io::vector_to_json(scene.world.gravity)},
                {"substeps", scene.world.substeps},
                {"step_rate", scene.step_rate}}},
              {"shapes", io::shapes_to_json(scene)},
              {"bodies", io::bodies_to_json(scene)}};
  if (scene.recording.view) {
    out["view"] = {{"from", io::vector_to_json(scene.recording.view->from)},
                   {"to", io::vector_to_json(scene.recording.view->to)}};
  }
  return out.dump();
}

// All that a person may want to know of one body.
std::string values_of(const LiveWorld& live, int index) {
  const auto& bodies = live.scene().bodies;
  if (index < 0 || static_cast<std::size_t>(index) >= bodies.size())
    throw InvalidInput("body", "is none of this world");
  const io::SceneBody& known = bodies[static_cast<std::size_t>(index)];
  const Body& body = live.world().body(known.definition.id);
  int contacts = 0;
  double depth = 0.0, impulse = 0.0;
  for (const Contact& c : live.world().contacts()) {
    if (c.body_a != body.id() && c.body_b != body.id()) continue;
    if (c.depth >= 0.0) ++contacts;
    depth = std::max(depth, c.depth);
    impulse += c.normal_impulse;
  }
  const json out = {{"name", known.name},
                    {"shape", live.scene().shapes[known.shape].name},
                    {"type", std::string(to_string(body.type()))},
                    {"mass", body.mass().mass},
                    {"position", io::vector_to_json(body.center_of_mass())},
                    {"linear_velocity", io::vector_to_json(body.linear_velocity())},
                    {"angular_velocity", io::vector_to_json(body.angular_velocity())},
                    {"kinetic_energy", body.is_dynamic() ? body.kinetic_energy() : 0.0},
                    {"friction", body.material().friction},
                    {"restitution", body.material().restitution},
                    {"contact_points", contacts},
                    {"deepest", depth},
                    {"normal_impulse", impulse}};
  return out.dump();
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT int tactus_world_open(const char* scene, int size) {
  return guarded(0, [&] {
    const std::string_view text(scene, static_cast<std::size_t>(size));
    return worlds().add(std::make_unique<Seen>(text));
  });
}

TACTUS_EXPORT void tactus_world_close(int world) { worlds().remove(world); }

TACTUS_EXPORT int tactus_world_act(int world, const char* act, int size) {
  return guarded(0, [&] {
    world_at(world).act(std::string_view(act, static_cast<std::size_t>(size)));
    return 1;
  });
}

TACTUS_EXPORT int tactus_world_step(int world, int count) {
  return guarded(0, [&] {
    for (int i = 0; i < count; ++i) world_at(world).step();
    return 1;
  });
}

TACTUS_EXPORT int tactus_world_bodies(int world) {
  return guarded(-1, [&] { return static_cast<int>(world_at(world).scene().bodies.size()); });
}

// Eight numbers per body, in the order of the bodies; stands until the next call.
TACTUS_EXPORT const double* tactus_world_poses(int world) {
  return guarded<const double*>(nullptr, [&] {
    Seen& seen = *worlds().at(world);
    fill_poses(seen);
    return numbers(seen.poses);
  });
}

// Ten numbers per contact point at tactus_world_contacts(); their number, or -1.
TACTUS_EXPORT int tactus_world_find_contacts(int world) {
  return guarded(-1, [&] {
    Seen& seen = *worlds().at(world);
    fill_contacts(seen);
    return static_cast<int>(seen.contacts.size());
  });
}

TACTUS_EXPORT const double* tactus_world_contacts(int world) {
  return guarded<const double*>(nullptr, [&] { return numbers(worlds().at(world)->contacts); });
}

// Three numbers per contact point, in their order, left for tactus_numbers(); -1 where it fails.
TACTUS_EXPORT int tactus_world_find_forces(int world) {
  return guarded(-1, [&] {
    find_forces(world_at(world).world(), last_numbers());
    return static_cast<int>(last_numbers().size());
  });
}

// Step, time, moving bodies, pairs, contact points, deepest and mean penetration, kinetic and
// potential energy, milliseconds of broad phase, narrow phase, solver and all: 13 numbers.
TACTUS_EXPORT int tactus_world_statistics(int world, double* out) {
  return guarded(0, [&] {
    const StepStatistics& s = world_at(world).world().statistics();
    for (const double x :
         {static_cast<double>(s.step), s.time, static_cast<double>(s.moving),
          static_cast<double>(s.candidate_pairs), static_cast<double>(s.contact_points),
          s.deepest_penetration, s.mean_relative_penetration, s.kinetic_energy, s.potential_energy,
          s.broad_ms, s.narrow_ms, s.solve_ms, s.total_ms}) {
      *out++ = x;
    }
    return 1;
  });
}

// Body (index), distance, point in the body's frame (5 numbers): 1, or 0 where the ray meets none.
TACTUS_EXPORT int tactus_world_ray(int world, const double* origin, const double* direction,
                                   double* out) {
  return guarded(0, [&] {
    const RigidWorld& w = world_at(world).world();
    const auto hit = w.ray_cast({origin[0], origin[1], origin[2]},
                                {direction[0], direction[1], direction[2]}, INFINITY);
    if (!hit) return 0;
    const Vec3 local = w.body(hit->body).pose().to_local(hit->point);
    for (const double x :
         {static_cast<double>(hit->body - 1), hit->distance, local.x, local.y, local.z}) {
      *out++ = x;
    }
    return 1;
  });
}

TACTUS_EXPORT const char* tactus_world_picture(int world) {
  return text_of([&] { return picture_of(world_at(world)); });
}

TACTUS_EXPORT const char* tactus_world_body(int world, int body) {
  return text_of([&] { return values_of(world_at(world), body); });
}

TACTUS_EXPORT const char* tactus_world_line(int world) {
  return text_of([&] { return world_at(world).line(); });
}

// The number of a snapshot, or 0.
TACTUS_EXPORT int tactus_world_save(int world) {
  return guarded(0, [&] {
    Seen& seen = *worlds().at(world);
    seen.moments.emplace(seen.last_moment + 1, seen.live.save());
    return ++seen.last_moment;
  });
}

TACTUS_EXPORT double tactus_world_snapshot_bytes(int world, int snapshot) {
  return guarded(
      -1.0, [&] { return static_cast<double>(moment_of(*worlds().at(world), snapshot).bytes()); });
}

TACTUS_EXPORT int tactus_world_restore(int world, int snapshot) {
  return guarded(0, [&] {
    Seen& seen = *worlds().at(world);
    seen.live.restore(moment_of(seen, snapshot));
    return 1;
  });
}

TACTUS_EXPORT int tactus_world_forget(int world, int snapshot) {
  return guarded(0, [&] {
    Seen& seen = *worlds().at(world);
    moment_of(seen, snapshot);
    seen.moments.erase(snapshot);
    return 1;
  });
}

TACTUS_EXPORT const char* tactus_world_hash(int world) {
  return text_of([&] { return io::hash_text(world_at(world).world().state_hash()); });
}
