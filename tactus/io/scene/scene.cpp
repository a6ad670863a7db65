#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tactus/core/hash.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/scene/acts.hpp"
#include "tactus/io/scene/bodies.hpp"
#include "tactus/io/scene/characters.hpp"
#include "tactus/io/scene/deformables.hpp"
#include "tactus/io/scene/generators.hpp"
#include "tactus/io/scene/joints.hpp"
#include "tactus/io/scene/overrides.hpp"
#include "tactus/io/scene/read_box.hpp"
#include "tactus/io/scene/responses.hpp"
#include "tactus/io/scene/scene_builder.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/query.hpp"
#include "tactus/rigid/joint/joint_images.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Name that scenes have for `WorldSettings::contact_margin`.
constexpr const char* kMarginField = "contact_threshold";

/// The axes along which the world repeats.
void read_periodic(const json& object, WorldSettings& world) {
  JsonFields fields(object, "world.periodic");
  for (std::size_t i = 0; i < world.periodic.size(); ++i) {
    const std::string name(1, static_cast<char>('x' + i));
    const json* range = fields.find(name);
    if (range == nullptr) continue;
    const std::string path = fields.path_of(name);
    if (!range->is_array() || range->size() != 2) throw InvalidInput(path, "must have two entries");
    world.periodic[i] =
        PeriodicAxis{JsonFields::to_number((*range)[0], JsonFields::path_of(path, 0)),
                     JsonFields::to_number((*range)[1], JsonFields::path_of(path, 1))};
  }
  fields.finish();
}

/// An axis by its name, "x" to "z".
int axis_of(JsonFields& fields, const char* name) {
  const std::string text = fields.text(name);
  if (text.size() != 1 || text[0] < 'x' || text[0] > 'z')
    throw InvalidInput(fields.path_of(name), "must be x, y or z");
  return text[0] - 'x';
}

ElasticContacts read_elastic(const json& object) {
  JsonFields fields(object, "world.elastic");
  ElasticContacts elastic;
  elastic.young = fields.number("young");
  elastic.poisson = fields.number("poisson", elastic.poisson);
  elastic.rayleigh_part = fields.number("rayleigh_part", elastic.rayleigh_part);
  fields.finish();
  return elastic;
}

PeriodicShear read_shear(const json& object) {
  JsonFields fields(object, "world.shear");
  PeriodicShear shear;
  shear.flow = axis_of(fields, "flow");
  shear.gradient = axis_of(fields, "gradient");
  shear.rate = fields.number("rate");
  fields.finish();
  return shear;
}

bool is_periodic(const WorldSettings& world) {
  return std::any_of(world.periodic.begin(), world.periodic.end(),
                     [](const auto& axis) { return axis.has_value(); });
}

/// Reads the settings that scenes of contacts have beside gravity and step rate.
void read_contact_settings(JsonFields& fields, WorldSettings& world) {
  world.substeps = static_cast<int>(fields.integer("substeps", 1, 1000, world.substeps));
  world.load_overlap = fields.number("load_overlap", world.load_overlap);
  world.contact_margin = fields.number(kMarginField, world.contact_margin);
  world.contact_frequency = fields.number("contact_frequency", world.contact_frequency);
  world.contact_damping = fields.number("contact_damping", world.contact_damping);
  world.max_push_speed = fields.number("max_push_speed", world.max_push_speed);
  world.restitution_threshold = fields.number("restitution_threshold", world.restitution_threshold);
  world.least_impact = fields.number("least_impact", world.least_impact);
  world.sleep_time = fields.number("sleep_time", world.sleep_time);
  world.sleep_speed = fields.number("sleep_speed", world.sleep_speed);
  world.linear_damping = fields.number("linear_damping", world.linear_damping);
  world.angular_damping = fields.number("angular_damping", world.angular_damping);
  world.detector = fields.choice("detector", world.detector);
  world.contact_points = fields.choice("contact_points", world.contact_points);
  world.plane_contact = fields.choice("plane_contact", world.plane_contact);
  if (const json* shear = fields.find("shear")) world.shear = read_shear(*shear);
  if (const json* elastic = fields.find("elastic")) world.elastic = read_elastic(*elastic);
}

ImpulseSettings read_impulse_settings(JsonFields& fields, const WorldSettings& world) {
  ImpulseSettings impulse;
  impulse.gravity = world.gravity;
  impulse.time_step = world.time_step;
  impulse.periodic = world.periodic;
  impulse.micro_height = fields.number("micro_height", impulse.micro_height);
  impulse.max_events = fields.integer("max_events", 1, JsonFields::kMostWhole, impulse.max_events);
  return impulse;
}

// Steps per unit of time, or the time of a step, which must be one over a whole number: then times
// that are multiples of a step are met exactly.
std::uint64_t read_step_rate(JsonFields& fields) {
  constexpr std::int64_t kMostRate = 1'000'000;
  if (fields.find("time_step") == nullptr)
    return static_cast<std::uint64_t>(fields.integer("step_rate", 1, kMostRate, 60));
  const std::string path = fields.path_of("time_step");
  if (fields.find("step_rate") != nullptr)
    throw InvalidInput(path, "must not be given beside step_rate");
  const double rate = std::round(1.0 / fields.number("time_step"));
  if (!(rate >= 1.0 && rate <= static_cast<double>(kMostRate)) ||
      std::fabs(rate * fields.number("time_step") - 1.0) > 1e-9) {
    throw InvalidInput(path, "must be one over a whole number of steps, at most 1000000");
  }
  return static_cast<std::uint64_t>(rate);
}

void read_world(const json& object, Scene& scene) {
  JsonFields fields(object, "world");
  const std::string type = fields.text("type", "contact");
  if (type == "contact") {
    scene.world = settings_of(fields.choice("quality", Quality::usual));
    scene.world.plane = fields.choice("plane", scene.world.plane);
    // Gravity of a plane lies in it.
    if (scene.world.plane == MotionPlane::xy) scene.world.gravity = {0.0, -9.81, 0.0};
  }
  scene.world.gravity = fields.vector("gravity", scene.world.gravity);
  scene.step_rate = read_step_rate(fields);
  scene.world.time_step = 1.0 / static_cast<double>(scene.step_rate);
  if (const json* periodic = fields.find("periodic")) read_periodic(*periodic, scene.world);
  if (type == "contact") {
    read_contact_settings(fields, scene.world);
  } else if (type == "impulse") {
    scene.impulse = read_impulse_settings(fields, scene.world);
  } else {
    throw InvalidInput(fields.path_of("type"), "must be contact or impulse");
  }
  fields.finish();
  try {
    scene.impulse ? validate(*scene.impulse) : validate(scene.world);
  } catch (const InvalidInput& error) {
    if (error.field() == "contact_margin") {
      throw InvalidInput(std::string("world.") + kMarginField, error.reason());
    }
    throw error.within("world");
  }
}

/// How many ticks of `rate` make one of the wanted rate: one whole number, a divisor of the step
/// rate or not, next to what was asked. `notes` tells when it is not what was asked.
std::uint64_t whole_ticks(double rate, double wanted, const std::string& path,
                          const std::string& of, std::vector<std::string>& notes) {
  if (!(wanted > 0.0)) throw InvalidInput(path, "must be positive");
  const double ticks = rate / wanted;
  constexpr double kMost = 1e15;
  if (ticks > kMost) throw InvalidInput(path, "is too small");
  const double whole = std::fmax(1.0, std::round(ticks));
  if (std::fabs(ticks - whole) > 1e-9 * whole) {
    notes.push_back(path + ": " + json_dump(json(wanted)) + " does not divide " + of + ", " +
                    json_dump(json(rate)) + "; taken: " + json_dump(json(rate / whole)));
  }
  return static_cast<std::uint64_t>(whole);
}

/// The fewest ticks that are at least `least` and divide `rate`, for rates that nobody asked for.
std::uint64_t dividing_ticks(std::uint64_t rate, double least) {
  auto ticks = static_cast<std::uint64_t>(std::ceil(std::fmax(1.0, least - 1e-9)));
  while (ticks < rate && rate % ticks != 0) ++ticks;
  return ticks;
}

// Thirty years of a thousand steps a second: a slip of the pen.
constexpr double kMostSteps = 1e12;

RecordingSettings read_recording(const json& object, std::uint64_t step_rate,
                                 std::vector<std::string>& notes) {
  JsonFields fields(object, "recording");
  RecordingSettings recording;
  const auto rate = static_cast<double>(step_rate);
  recording.duration = fields.number("duration", recording.duration);
  if (recording.duration <= 0.0) {
    throw InvalidInput(fields.path_of("duration"), "must be positive");
  }
  if (recording.duration * rate > kMostSteps)
    throw InvalidInput(fields.path_of("duration"), "takes more than 1e12 steps");
  recording.steps = static_cast<std::uint64_t>(std::ceil(recording.duration * rate - 1e-9));
  constexpr double kPictures = 30.0, kContacts = 10.0;
  recording.steps_per_picture = fields.find("fps") == nullptr
                                    ? dividing_ticks(step_rate, rate / kPictures)
                                    : whole_ticks(rate, fields.number("fps"), fields.path_of("fps"),
                                                  "world.step_rate", notes);
  const double fps = rate / static_cast<double>(recording.steps_per_picture);
  recording.pictures_per_contacts =
      fields.find("contacts_per_second") == nullptr
          ? static_cast<std::uint64_t>(std::fmax(1.0, std::round(fps / kContacts)))
          : whole_ticks(fps, fields.number("contacts_per_second"),
                        fields.path_of("contacts_per_second"), "fps", notes);
  if (const json* value = fields.find("view")) {
    JsonFields view(*value, fields.path_of("view"));
    recording.view = View{view.vector("from"), view.vector("to")};
    view.finish();
  }
  fields.finish();
  return recording;
}

double positive(JsonFields& fields, const char* name) {
  const double value = fields.number(name);
  if (!(value > 0.0)) throw InvalidInput(fields.path_of(name), "must be positive");
  return value;
}

Goal read_goal(const json& object) {
  JsonFields fields(object, "goal");
  Goal goal;
  if (fields.find("rms_speed") != nullptr) goal.rms_speed = positive(fields, "rms_speed");
  if (fields.find("mean_penetration") != nullptr) {
    goal.mean_penetration = positive(fields, "mean_penetration");
  }
  if (const json* value = fields.find("inside")) {
    JsonFields inside(*value, fields.path_of("inside"));
    goal.inside = read_box(inside);
    inside.finish();
  }
  fields.finish();
  return goal;
}

std::unique_ptr<RigidWorld> empty_world(const Scene& scene) {
  std::unique_ptr<RigidWorld> world;
  if (scene.impulse)
    world = std::make_unique<ImpulseWorld>(*scene.impulse);
  else
    world = std::make_unique<World>(scene.world);
  set_surface_pairs(scene, *world);
  return world;
}

/// Adds one body; the world's refusal names it.
void add_body(const SceneBody& body, RigidWorld& world) {
  try {
    world.add(body.definition);
  } catch (const InvalidInput& error) {
    throw error.within(body.name);
  }
}

/// Adds the scene's joints. Scenes with joints are of contacts: their world is a `World`.
void add_joints(const Scene& scene, RigidWorld& world) {
  if (scene.joints.empty()) return;
  auto& jointed = dynamic_cast<World&>(world);
  for (const JointDefinition& joint : scene.joints) jointed.add_joint(joint);
}

/// Adds the bodies that are there at the start, and the joints.
void add_first_bodies(const Scene& scene, RigidWorld& world) {
  for (const SceneBody& body : scene.bodies) {
    if (body.first_step == 0) add_body(body, world);
  }
  add_joints(scene, world);
}

const SceneBody& body_of(const Scene& scene, BodyId id) {
  return scene.bodies[static_cast<std::size_t>(id - 1)];
}

void refuse_overlaps(const Scene& scene, const RigidWorld& world) {
  io::refuse_overlaps(world.overlaps(kStartOverlap),
                      [&](BodyId id) { return body_of(scene, id).name; });
}

/// Moves bodies apart, each pair by its depth and the lighter one farther, until none overlaps; or
/// gives up, and leaves the rest to the contacts.
void separate(RigidWorld& world) {
  constexpr int kMostRounds = 500;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<BodyOverlap> overlaps = world.overlaps(kStartOverlap);
    if (overlaps.empty()) return;
    for (const BodyOverlap& overlap : overlaps) {
      const Body &a = world.body(overlap.body_a), &b = world.body(overlap.body_b);
      const double sum = a.inverse_mass() + b.inverse_mass();
      const Pose pose_b =
          detail::unchecked_pose(b.pose().position() + overlap.shift, b.pose().rotation());
      const DistanceResult r = distance(a.shape(), a.pose(), b.shape(), pose_b);
      if (!(sum > 0.0) || !(r.distance < 0.0)) continue;
      const Vec3 way = r.normal * (-r.distance / sum);
      const auto move = [&](const Body& body, const Vec3& by) {
        if (!body.is_dynamic()) return;
        world.set_pose(body.id(),
                       detail::unchecked_pose(body.pose().position() + by, body.pose().rotation()));
      };
      const Vec3 by_a = way * -a.inverse_mass(), by_b = way * b.inverse_mass();
      move(a, by_a);
      move(b, by_b);
    }
  }
}

/// Canonical text of the document (keys sorted, comments gone) without what leaves the motion
/// alone, and boxes and masses of the bodies, which stand for the mesh files.
class Fingerprint {
 public:
  explicit Fingerprint(json document) {
    for (const char* name : {"$schema", "title", "recording", "goal"}) document.erase(name);
    hash_.add(json_dump(document));
  }
  void add(const SceneBody& body) {
    const Aabb box = bounding_box(body.definition.shape, Pose());
    for (const Vec3& corner : {box.lower, box.upper}) add(corner);
    if (body.definition.type != BodyType::dynamic_body) return;
    try {
      const MassProperties mass = mass_properties(body.definition.shape);
      hash_.add(mass.volume);
      for (int axis = 0; axis < 3; ++axis) hash_.add(mass.inertia(axis, axis));
    } catch (const InvalidInput& error) {
      const auto place = static_cast<std::size_t>(body.definition.id - 1);
      throw InvalidInput(JsonFields::path_of("bodies", place) + ".shape", error.what());
    }
  }
  void add(const SceneDeformable& body) {
    for (const Vec3& v : body.definition.vertices) add(v);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  void add(const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis) hash_.add(v[axis]);
  }
  detail::Fnv1a hash_;
};

void refuse_characters(const Scene& scene) {
  if (scene.characters.empty()) return;
  if (scene.impulse) throw InvalidInput("world.type", "must be contact in a scene with characters");
  if (is_periodic(scene.world))
    throw InvalidInput("world.periodic", "is not for scenes with characters");
  if (!scene.deformables.empty())
    throw InvalidInput("characters", "are not for scenes with deformables");
}

/// The field's value, or the empty object when it is missing.
const json& object_of(JsonFields& fields, const char* name) {
  static const json kEmpty = json::object();
  const json* value = fields.find(name);
  return value == nullptr ? kEmpty : *value;
}

/// Makes the anchors of joints those that a periodic world will take.
void take_near_anchors(Scene& scene) {
  const detail::PeriodicBox space(scene.world.periodic);
  const auto body = [&](BodyId id) {
    const SceneBody& there = body_of(scene, id);
    try {
      return Body(there.definition);
    } catch (const InvalidInput& error) {
      throw error.within(there.name);
    }
  };
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    JointDefinition& joint = scene.joints[i];
    const Body a = body(joint.body_a), b = body(joint.body_b);
    try {
      detail::take_near_anchors(space, a, b, joint);
    } catch (const InvalidInput& error) {
      throw error.within(JsonFields::path_of("joints", i));
    }
  }
}

}  // namespace

void refuse_overlaps(std::span<const BodyOverlap> overlaps,
                     const std::function<std::string(BodyId)>& name) {
  if (overlaps.empty()) return;
  const BodyOverlap& worst = *std::max_element(overlaps.begin(), overlaps.end(),
                                               [](const BodyOverlap& a, const BodyOverlap& b) {
                                                 return a.relative_depth < b.relative_depth;
                                               });
  const std::string first = name(worst.body_a);
  std::string reason =
      "overlaps " + name(worst.body_b) + " at the start, depth " + json_dump(json(worst.depth));
  if (overlaps.size() > 1) {
    reason += " (the deepest of " + std::to_string(overlaps.size()) + " overlapping pairs)";
  }
  throw InvalidInput(first, reason);
}

void set_surface_pairs(const Scene& scene, RigidWorld& world) {
  for (const SceneSurfacePair& pair : scene.surface_pairs)
    world.set_surface_pair(pair.kind_a, pair.kind_b, pair.surface);
}

void read_setup(JsonFields& fields, Scene& scene, SceneBuilder& builder) {
  scene.title = fields.text("title", "");
  read_world(object_of(fields, "world"), scene);
  builder.read_materials(object_of(fields, "materials"));
  builder.read_surface_pairs(fields.array("surface_pairs"));
  builder.read_shapes(object_of(fields, "shapes"));
}

namespace {

Scene scene_from_json(const json& document, const std::filesystem::path& folder,
                      const TakeBody& take) {
  JsonFields fields(document, "");
  Scene scene;
  Fingerprint fingerprint(document);
  SceneBuilder builder(scene, folder, [&](const SceneBody& body) {
    fingerprint.add(body);
    return !take || take(scene, body);
  });
  fields.find("$schema");  // for editors
  read_setup(fields, scene, builder);
  const json& bodies = fields.array("bodies");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    read_body(bodies[i], JsonFields::path_of("bodies", i), builder);
  }
  const json& characters = fields.array("characters");
  for (std::size_t i = 0; i < characters.size(); ++i)
    scene.characters.push_back(
        read_character(characters[i], JsonFields::path_of("characters", i), scene));
  scene.acts = read_acts(fields.array("acts"), scene);
  const json& regions = fields.array("regions");
  for (std::size_t i = 0; i < regions.size(); ++i)
    scene.regions.push_back(read_region(regions[i], JsonFields::path_of("regions", i), builder));
  const json& generators = fields.array("generators");
  for (std::size_t i = 0; i < generators.size(); ++i) {
    generate(generators[i], JsonFields::path_of("generators", i), builder);
  }
  const json& joints = fields.array("joints");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    scene.joints.push_back(read_joint(joints[i], JsonFields::path_of("joints", i), scene));
  }
  read_deformable_settings(object_of(fields, "deformable"), scene);
  const json& deformables = fields.array("deformables");
  for (std::size_t i = 0; i < deformables.size(); ++i) {
    scene.deformables.push_back(
        read_deformable(deformables[i], JsonFields::path_of("deformables", i), folder));
  }
  scene.recording = read_recording(object_of(fields, "recording"), scene.step_rate, scene.notes);
  scene.goal = read_goal(object_of(fields, "goal"));
  fields.finish();
  if (builder.count() == 0 && scene.deformables.empty())
    throw InvalidInput("bodies", "the scene has no body");
  if (scene.impulse && !scene.deformables.empty())
    throw InvalidInput("world.type", "must be contact in a scene with deformables");
  if (scene.impulse && !scene.joints.empty())
    throw InvalidInput("world.type", "must be contact in a scene with joints");
  if (scene.world.elastic && !scene.deformables.empty())
    throw InvalidInput("world.elastic", "is not for scenes with deformables");
  if (is_periodic(scene.world) && !scene.deformables.empty())
    throw InvalidInput("world.periodic", "is not for scenes with deformables");
  refuse_characters(scene);
  refuse_response(scene);
  for (const SceneDeformable& body : scene.deformables) fingerprint.add(body);
  scene.fingerprint = fingerprint.value();
  if (is_periodic(scene.world)) take_near_anchors(scene);
  return scene;
}

}  // namespace

Scene scene_from_json(const json& document, const std::filesystem::path& folder) {
  return scene_from_json(document, folder, {});
}

Scene read_scene(const std::filesystem::path& file, std::span<const std::string> assignments) {
  return read_scene(file, assignments, [](const json&) { return TakeBody(); });
}

Scene read_scene(const std::filesystem::path& file, std::span<const std::string> assignments,
                 const std::function<TakeBody(const json&)>& take) {
  const std::string text = file_content(file);
  try {
    json document = parse_json(text);
    for (const std::string& assignment : assignments) set_value(document, assignment);
    Scene scene = scene_from_json(document, file.parent_path(), take(document));
    if (scene.title.empty()) scene.title = file == "-" ? "scene" : file.stem().string();
    return scene;
  } catch (const InvalidInput& error) {
    throw InvalidInput("", file.string() + ": " + error.what());
  }
}

void fill_world(const Scene& scene, World& world) {
  set_surface_pairs(scene, world);
  add_first_bodies(scene, world);
  refuse_overlaps(scene, world);
}

std::unique_ptr<RigidWorld> build_world(const Scene& scene, StartOverlap overlap) {
  if (!scene.deformables.empty())
    throw InvalidInput("deformables", "belong to a world of deformables");
  std::unique_ptr<RigidWorld> world = empty_world(scene);
  add_first_bodies(scene, *world);
  overlap == StartOverlap::refuse ? refuse_overlaps(scene, *world) : separate(*world);
  return world;
}

void begin_step(const Scene& scene, std::uint64_t step, RigidWorld& world) {
  act_before(scene, step, world);
  if (step > 0) {
    for (const SceneBody& body : scene.bodies) {
      if (body.first_step == step) add_body(body, world);
    }
  }
  move_characters(scene, step, world);
}

std::unique_ptr<RigidWorld> continue_world(const Scene& scene, const WorldState& state) {
  std::unique_ptr<RigidWorld> world = empty_world(scene);
  for (const SceneBody& body : scene.bodies) {
    // After `step` steps the bodies of the steps 0 .. step - 1 have entered.
    if (body.first_step == 0 || body.first_step < state.step) add_body(body, *world);
  }
  add_joints(scene, *world);
  world->restore(state);
  return world;
}

}  // namespace tactus::io
