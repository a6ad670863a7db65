#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tactus/core/hash.hpp"
#include "tactus/soft/contact/crossings.hpp"
#include "tactus/soft/world/world_data.hpp"

namespace tactus::soft {
using namespace detail;
namespace {

// Stiffness of a contact over that of a piece of the body as large as a mean edge: with the usual
// contact distance, a strain of 1 presses the gap to its half.
constexpr double kContactStiffness = 20.0;

void require(bool condition, const std::string& field, const std::string& reason) {
  if (!condition) throw InvalidInput(field, reason);
}

bool positive(double value) { return value > 0.0 && std::isfinite(value); }
bool at_least_zero(double value) { return value >= 0.0 && std::isfinite(value); }

void add(Fnv1a& hash, std::span<const Vec3> vectors) {
  hash.add(static_cast<std::uint64_t>(vectors.size()));
  for (const Vec3& v : vectors) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
  }
}

}  // namespace

void validate(const DeformableSettings& s) {
  require(is_finite(s.gravity), "gravity", "must be finite");
  require(positive(s.time_step), "time_step", "must be finite and positive");
  require(s.sweeps >= 1 && s.sweeps <= 10'000'000, "sweeps", "must lie between 1 and 1e7");
  require(at_least_zero(s.tolerance), "tolerance", "must be finite and not negative");
  require(s.rounds >= 1 && s.rounds <= 10'000, "rounds", "must lie between 1 and 10000");
  require(at_least_zero(s.contact_distance), "contact_distance", "must be finite and not negative");
  require(positive(s.contact_stiffness), "contact_stiffness", "must be finite and positive");
  require(positive(s.slip_speed), "slip_speed", "must be finite and positive");
  require(at_least_zero(s.air_damping), "air_damping", "must be finite and not negative");
  require(s.max_threads >= 0, "max_threads", "must not be negative");
}

std::uint64_t hash(const DeformableState& state) {
  Fnv1a h;
  h.add(state.step);
  add(h, state.positions);
  add(h, state.velocities);
  h.add(static_cast<std::uint64_t>(state.held.size()));
  for (const std::uint8_t b : state.held) h.add(static_cast<std::uint64_t>(b));
  add(h, state.targets);
  h.add(static_cast<std::uint64_t>(state.obstacle_times.size()));
  for (const double t : state.obstacle_times) h.add(t);
  for (const RigidCoupling& c : state.rigid) {
    const Mat3& axes = c.pose.rotation();
    const Vec3 list[] = {axes.row[0],       axes.row[1],  axes.row[2],
                         c.pose.position(), c.load.force, c.load.torque};
    add(h, list);
    h.add(static_cast<std::uint64_t>(c.carried));
  }
  return h.value();
}

}  // namespace tactus::soft

namespace tactus::detail {

const SoftWorldData::BodyPart& SoftWorldData::body(DeformableId id) const {
  require(id < bodies.size(), "id", "there is no body " + std::to_string(id));
  return bodies[id];
}

const SoftWorldData::Obstacle& SoftWorldData::obstacle(std::uint32_t index) const {
  require(index < obstacles.size(), "obstacle", "there is no obstacle " + std::to_string(index));
  return obstacles[index];
}

std::uint32_t SoftWorldData::vertex(DeformableId id, std::uint32_t v) const {
  const BodyPart& b = body(id);
  require(v < b.count, "vertex", "there is no vertex " + std::to_string(v));
  return b.first + v;
}

double SoftWorldData::contact_distance() const {
  if (settings.contact_distance > 0.0) return settings.contact_distance;
  double shortest = std::numeric_limits<double>::infinity();
  for (const BodyPart& b : bodies) shortest = std::fmin(shortest, b.structure.mean_edge);
  return bodies.empty() ? 0.0 : 0.1 * shortest;
}

SoftModel SoftWorldData::make_model() const {
  SoftModel m;
  for (const BodyPart& b : bodies) m.add_body(b.structure, b.friction);
  m.finish_bodies();
  for (double& k : m.stiffness) k *= kContactStiffness * settings.contact_stiffness;
  for (const Obstacle& o : obstacles) {
    if (o.floor) {
      m.add_floor(o.floor->normal(), o.floor->offset(), o.friction);
    } else {
      m.add_obstacle(o.mesh, o.friction);
    }
  }
  return m;
}

void SoftWorldData::prepare() {
  if (!prepared) model = make_model();
  prepared = true;
}

void SoftWorldData::number_obstacles() {
  auto next = static_cast<std::uint32_t>(positions.size());
  for (Obstacle& o : obstacles) {
    o.first = next;
    next += static_cast<std::uint32_t>(o.mesh.vertices.size());
  }
  prepared = examined = false;
}

std::vector<Vec3> SoftWorldData::all_positions() const {
  std::vector<Vec3> x = positions;
  for (const Obstacle& o : obstacles) {
    const Pose pose = pose_at(o.pose, o.motion, o.time);
    for (const Vec3& v : o.mesh.vertices) x.push_back(pose.to_world(v));
  }
  return x;
}

std::vector<SurfaceCrossing> SoftWorldData::crossings() const {
  std::vector<SurfaceCrossing> out;
  if (bodies.empty()) return out;
  const SurfaceSet surfaces = prepared ? model.surfaces : make_model().surfaces;
  const auto first_of = [&](std::uint32_t b) {
    return b < bodies.size() ? bodies[b].first : obstacles[b - bodies.size()].first;
  };
  for (const RawCrossing& raw : find_crossings(surfaces, all_positions())) {
    SurfaceCrossing c;
    c.edge_body = surfaces.body_of[raw.edge[0]];
    for (std::size_t k = 0; k < 2; ++k) c.edge[k] = raw.edge[k] - first_of(c.edge_body);
    if (raw.floor) {
      c.triangle_body = surfaces.floors[raw.face[0]].body;
    } else {
      c.triangle_body = surfaces.body_of[raw.face[0]];
      for (std::size_t k = 0; k < 3; ++k) c.triangle[k] = raw.face[k] - first_of(c.triangle_body);
    }
    out.push_back(c);
  }
  return out;
}

void SoftWorldData::refuse_crossings() {
  if (examined || !settings.contacts) return;
  const std::vector<SurfaceCrossing> found = crossings();
  examined = found.empty();
  if (examined) return;
  const SurfaceCrossing& c = found.front();
  const auto name = [&](std::uint32_t b) {
    return b < bodies.size() ? "bodies[" + std::to_string(b) + "]"
                             : "obstacles[" + std::to_string(b - bodies.size()) + "]";
  };
  const auto text = [](std::uint32_t i) { return std::to_string(i); };
  const bool floor = c.triangle_body >= bodies.size() &&
                     obstacles[c.triangle_body - bodies.size()].floor.has_value();
  const std::string where =
      floor ? "vertex " + text(c.edge[0]) + " lies in " + name(c.triangle_body)
            : "the edge of vertices " + text(c.edge[0]) + ", " + text(c.edge[1]) +
                  " meets the triangle " + text(c.triangle[0]) + ", " + text(c.triangle[1]) + ", " +
                  text(c.triangle[2]) + " of " + name(c.triangle_body);
  throw InvalidInput(name(c.edge_body),
                     where + " at the start (of " + std::to_string(found.size()) + " crossings)");
}

}  // namespace tactus::detail

namespace tactus::soft {

DeformableWorld::DeformableWorld(const DeformableSettings& settings)
    : data_(std::make_unique<Data>()) {
  validate(settings);
  data_->settings = settings;
}
DeformableWorld::~DeformableWorld() = default;
DeformableWorld::DeformableWorld(DeformableWorld&&) noexcept = default;
DeformableWorld& DeformableWorld::operator=(DeformableWorld&&) noexcept = default;

const DeformableSettings& DeformableWorld::settings() const { return data_->settings; }
double DeformableWorld::contact_distance() const { return data_->contact_distance(); }
std::size_t DeformableWorld::bodies() const { return data_->bodies.size(); }
std::size_t DeformableWorld::obstacles() const { return data_->obstacles.size(); }

DeformableId DeformableWorld::add(const DeformableDefinition& definition) {
  Data& d = *data_;
  Data::BodyPart b;
  b.structure = make_structure(definition);
  require(is_finite(definition.pose), "pose", "must be finite");
  require(is_finite(definition.linear_velocity), "linear_velocity", "must be finite");
  for (std::size_t i = 0; i < definition.fixed.size(); ++i) {
    require(definition.fixed[i] < definition.vertices.size(), "fixed[" + std::to_string(i) + "]",
            "there is no vertex " + std::to_string(definition.fixed[i]));
  }
  require(d.positions.size() + definition.vertices.size() < (std::size_t{1} << 31u), "vertices",
          "too many in all");
  b.first = static_cast<std::uint32_t>(d.positions.size());
  b.count = static_cast<std::uint32_t>(definition.vertices.size());
  b.friction = definition.material.friction;
  for (const Vec3& v : definition.vertices) d.positions.push_back(definition.pose.to_world(v));
  d.velocities.resize(d.positions.size(), definition.linear_velocity);
  d.targets.insert(d.targets.end(), d.positions.begin() + b.first, d.positions.end());
  d.held.resize(d.positions.size(), 0);
  for (const std::uint32_t v : definition.fixed) {
    d.held[b.first + v] = 1;
    d.velocities[b.first + v] = {};
  }
  d.bodies.push_back(std::move(b));
  d.number_obstacles();
  return static_cast<DeformableId>(d.bodies.size() - 1);
}

std::uint32_t DeformableWorld::add_obstacle(const ObstacleDefinition& definition) {
  require(at_least_zero(definition.friction), "friction", "must be finite and not negative");
  require(is_finite(definition.pose), "pose", "must be finite");
  require(is_finite(definition.motion), "motion", "must be finite");
  Data::Obstacle o;
  o.pose = definition.pose;
  o.motion = definition.motion;
  o.friction = definition.friction;
  if (const auto* plane = std::get_if<HalfSpace>(&definition.shape.geometry())) {
    require(definition.motion.linear == Vec3{} && definition.motion.angular == Vec3{}, "motion",
            "a half-space stays where it is");
    const Vec3 n = definition.pose.direction_to_world(plane->normal());
    o.floor = HalfSpace(n, plane->offset() + dot(n, definition.pose.position()));
  } else {
    o.mesh = tessellate(definition.shape, definition.tolerance).mesh;
  }
  data_->obstacles.push_back(std::move(o));
  data_->number_obstacles();
  return static_cast<std::uint32_t>(data_->obstacles.size() - 1);
}

std::span<const Vec3> DeformableWorld::positions(DeformableId id) const {
  const Data::BodyPart& b = data_->body(id);
  return {data_->positions.data() + b.first, b.count};
}

std::span<const Vec3> DeformableWorld::velocities(DeformableId id) const {
  const Data::BodyPart& b = data_->body(id);
  return {data_->velocities.data() + b.first, b.count};
}

std::span<const std::array<std::uint32_t, 3>> DeformableWorld::surface(DeformableId id) const {
  return data_->body(id).structure.surface;
}

std::vector<double> DeformableWorld::strain_energy(DeformableId id) const {
  const Data::BodyPart& b = data_->body(id);
  const std::span<const Vec3> x = positions(id);
  std::vector<double> energy(b.count, 0.0), share(b.count, 0.0);
  for (const TetrahedronElement& e : b.structure.tetrahedra) {
    const double value = e.energy(x);
    for (const std::uint32_t v : e.vertices) energy[v] += 0.25 * value;
  }
  for (const TieElement& t : b.structure.ties) {
    const double value = t.energy(x);
    for (int k = 0; k < t.count; ++k)
      energy[t.vertices[static_cast<std::size_t>(k)]] += value / t.count;
  }
  for (std::uint32_t v = 0; v < b.count; ++v) energy[v] /= b.structure.masses[v];
  return energy;
}

Pose DeformableWorld::obstacle_pose(std::uint32_t obstacle) const {
  const Data::Obstacle& o = data_->obstacle(obstacle);
  return pose_at(o.pose, o.motion, o.time);
}

TriangleMesh DeformableWorld::obstacle_surface(std::uint32_t obstacle) const {
  TriangleMesh mesh = data_->obstacle(obstacle).mesh;
  const Pose pose = obstacle_pose(obstacle);
  for (Vec3& v : mesh.vertices) v = pose.to_world(v);
  return mesh;
}

const RigidLoad& DeformableWorld::load(std::uint32_t obstacle) const {
  return data_->obstacle(obstacle).load;
}

void DeformableWorld::lead(DeformableId id, std::uint32_t vertex, const Vec3& target) {
  const std::uint32_t v = data_->vertex(id, vertex);
  require(is_finite(target), "target", "must be finite");
  data_->held[v] = 1;
  data_->targets[v] = target;
}

void DeformableWorld::release(DeformableId id, std::uint32_t vertex) {
  const std::uint32_t v = data_->vertex(id, vertex);
  data_->held[v] = 0;
}

void DeformableWorld::set_velocity(DeformableId id, const Vec3& velocity) {
  const Data::BodyPart& b = data_->body(id);
  require(is_finite(velocity), "velocity", "must be finite");
  for (std::uint32_t v = b.first; v < b.first + b.count; ++v) {
    if (data_->held[v] == 0) data_->velocities[v] = velocity;
  }
}

const DeformableStatistics& DeformableWorld::step() {
  data_->step_or_stay(nullptr);
  return data_->statistics;
}

const DeformableStatistics& DeformableWorld::statistics() const { return data_->statistics; }
double DeformableWorld::time() const {
  return static_cast<double>(data_->step) * data_->settings.time_step;
}
std::uint64_t DeformableWorld::step_count() const { return data_->step; }
std::span<const DeformableContact> DeformableWorld::contacts() const { return data_->contacts; }
std::vector<SurfaceCrossing> DeformableWorld::crossings() const { return data_->crossings(); }

DeformableState DeformableWorld::save() const {
  const Data& d = *data_;
  DeformableState s{d.step, d.positions, d.velocities, d.held, d.targets, {}, {}};
  for (const Data::Obstacle& o : d.obstacles) {
    s.obstacle_times.push_back(o.time);
    if (o.rigid != kNoBody)
      s.rigid.push_back({o.pose, o.load, static_cast<std::uint8_t>(o.carried ? 1 : 0)});
  }
  return s;
}

void DeformableWorld::restore(const DeformableState& s) {
  Data& d = *data_;
  const auto fits = [&](std::size_t size, std::size_t own, const char* field) {
    require(size == own, field,
            "has " + std::to_string(size) + " entries, this world has " + std::to_string(own));
  };
  fits(s.positions.size(), d.positions.size(), "positions");
  fits(s.velocities.size(), d.positions.size(), "velocities");
  fits(s.held.size(), d.positions.size(), "held");
  fits(s.targets.size(), d.positions.size(), "targets");
  fits(s.obstacle_times.size(), d.obstacles.size(), "obstacle_times");
  const auto rigid = std::count_if(d.obstacles.begin(), d.obstacles.end(),
                                   [](const Data::Obstacle& o) { return o.rigid != kNoBody; });
  fits(s.rigid.size(), static_cast<std::size_t>(rigid), "rigid");
  for (const RigidCoupling& c : s.rigid)
    require(is_finite(c.pose) && is_finite(c.load.force) && is_finite(c.load.torque), "rigid",
            "must be finite");
  const auto finite = [](std::span<const Vec3> list, const char* field) {
    for (const Vec3& v : list) require(is_finite(v), field, "must be finite");
  };
  finite(s.positions, "positions");
  finite(s.velocities, "velocities");
  finite(s.targets, "targets");
  for (const double t : s.obstacle_times)
    require(std::isfinite(t), "obstacle_times", "must be finite");
  d.step = s.step;
  d.positions = s.positions;
  d.velocities = s.velocities;
  d.held = s.held;
  d.targets = s.targets;
  auto next = s.rigid.begin();
  for (std::size_t i = 0; i < d.obstacles.size(); ++i) {
    Data::Obstacle& o = d.obstacles[i];
    o.time = s.obstacle_times[i];
    if (o.rigid == kNoBody) continue;
    o.pose = next->pose;
    o.load = next->load;
    o.carried = next->carried != 0;
    ++next;
  }
  d.examined = false;
  d.contacts.clear();
}

std::uint64_t DeformableWorld::state_hash() const { return hash(save()); }

}  // namespace tactus::soft
