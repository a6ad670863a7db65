// tactus_peers_terrain: bodies of four kinds on a terrain of triangles, falling and at rest,
// stepped by World and by Bullet (double, 10 iterations, no sleeping): time per step and body,
// overlap, speed, for terrains of a thousand triangles to a million.

#ifdef TACTUS_PEER_BULLET
#include <btBulletDynamicsCommon.h>
#endif
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::bench {
namespace {

constexpr double kStep = 1.0 / 60.0, kFriction = 0.5, kRolling = 0.2, kCell = 1.0, kPitch = 1.25;
// Steps: the bodies fall in the first ones, and lie in those after.
constexpr int kFallFrom = 20, kFallTo = 120, kRestFrom = 600, kRestTo = 660;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Instructions of this thread, where the system counts them; else 0.
class Instructions {
 public:
  Instructions() {
#ifdef __linux__
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof(attributes);
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    counter_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
#endif
  }
  Instructions(const Instructions&) = delete;
  Instructions& operator=(const Instructions&) = delete;
  ~Instructions() {
#ifdef __linux__
    if (counter_ >= 0) close(counter_);
#endif
  }
  double now() const {
    std::uint64_t count = 0;
#ifdef __linux__
    if (counter_ < 0 || read(counter_, &count, sizeof(count)) != sizeof(count)) count = 0;
#endif
    return static_cast<double>(count);
  }

 private:
  int counter_ = -1;
};

/// Height of the ground: waves of several lengths.
double height(double x, double y) {
  return 0.5 * std::sin(0.37 * x + 0.3) * std::cos(0.29 * y) + 0.2 * std::sin(0.9 * x + 0.7 * y) +
         0.05 * std::cos(2.3 * x - 1.9 * y);
}

/// A square of cells about the origin, each of two triangles.
TriangleMesh terrain(int cells) {
  TriangleMesh mesh;
  const double half = 0.5 * kCell * cells;
  for (int y = 0; y <= cells; ++y) {
    for (int x = 0; x <= cells; ++x) {
      const double px = kCell * x - half, py = kCell * y - half;
      mesh.vertices.emplace_back(px, py, height(px, py));
    }
  }
  const auto vertex = [&](int x, int y) { return static_cast<std::uint32_t>(y * (cells + 1) + x); };
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      const std::uint32_t a = vertex(x, y), b = vertex(x + 1, y), c = vertex(x + 1, y + 1),
                          d = vertex(x, y + 1);
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

/// Corners of a rounded body of about a size.
std::vector<Vec3> corners(Random& random, double size) {
  std::vector<Vec3> points;
  for (int i = 0; i < 16; ++i) {
    Vec3 p;
    do {
      const double x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0),
                   z = random.uniform(-1.0, 1.0);
      p = {x, y, z};
    } while (!(norm(p) <= 1.0) || norm(p) < 0.1);
    points.push_back(p * (0.5 * size / norm(p)));
  }
  return points;
}

enum class Kind { balls, boxes, capsules, hulls, mixed };

struct Scene {
  TriangleMesh ground;
  std::vector<Shape> shapes;
  std::vector<std::vector<Vec3>> points;  ///< of the hulls
  std::vector<Pose> places;

  Scene(Kind kind, int count, int cells) : ground(terrain(cells)) {
    Random random(7);
    const int side = static_cast<int>(std::ceil(std::sqrt(count)));
    for (int i = 0; i < count; ++i) {
      const int x = i % side, y = i / side;
      const double size = random.uniform(0.5, 0.9);
      const double px = kPitch * (x - 0.5 * (side - 1)) + random.uniform(-0.1, 0.1);
      const double py = kPitch * (y - 0.5 * (side - 1)) + random.uniform(-0.1, 0.1);
      const double up = random.uniform(1.0, 2.5);
      const double a = random.uniform(-1.0, 1.0), b = random.uniform(-1.0, 1.0),
                   c = random.uniform(-1.0, 1.0), d = random.uniform(0.1, 1.0);
      places.emplace_back(Vec3{px, py, height(px, py) + up}, normalized(Quat{d, a, b, c}));
      const Kind which = kind == Kind::mixed ? static_cast<Kind>(i % 4) : kind;
      points.emplace_back();
      if (which == Kind::balls) shapes.emplace_back(Sphere(0.5 * size));
      if (which == Kind::boxes) shapes.emplace_back(Box({size, 0.8 * size, 0.6 * size}));
      if (which == Kind::capsules) shapes.emplace_back(Capsule(0.25 * size, size));
      if (which != Kind::hulls) continue;
      points.back() = corners(random, size);
      shapes.emplace_back(Convex(points.back()));
    }
  }
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void step() = 0;
  virtual std::vector<Pose> poses() const = 0;
  virtual double rms_speed() const = 0;
};

class Ours final : public Engine {
 public:
  Ours(const Scene& scene, WorldSettings settings) {
    settings.time_step = kStep;
    settings.max_threads = 1;
    world_ = std::make_unique<World>(settings);
    BodyDefinition ground{Mesh(scene.ground)};
    ground.type = BodyType::fixed;
    ground.material.friction = kFriction;
    ground.material.rolling_friction = kRolling;
    world_->add(ground);
    for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
      BodyDefinition body{scene.shapes[i]};
      body.pose = scene.places[i];
      body.material.friction = kFriction;
      body.material.rolling_friction = kRolling;
      ids_.push_back(world_->add(body));
    }
  }
  void step() override { require_done(world_->step()); }
  std::vector<Pose> poses() const override {
    std::vector<Pose> result;
    for (const BodyId id : ids_) result.push_back(world_->body(id).pose());
    return result;
  }
  double rms_speed() const override {
    double sum = 0.0;
    for (const BodyId id : ids_) sum += squared_norm(world_->body(id).linear_velocity());
    return std::sqrt(sum / static_cast<double>(ids_.size()));
  }
  std::uint64_t hash() const { return world_->state_hash(); }

 private:
  std::unique_ptr<World> world_;
  std::vector<BodyId> ids_;
};

#ifdef TACTUS_PEER_BULLET
class Bullet final : public Engine {
 public:
  explicit Bullet(const Scene& scene)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broad_, &solver_, &configuration_) {
    world_.setGravity({0.0, 0.0, -9.81});
    world_.getSolverInfo().m_numIterations = 10;
    for (const Vec3& v : scene.ground.vertices) mesh_.findOrAddVertex({v.x, v.y, v.z}, false);
    for (const auto& t : scene.ground.triangles)
      mesh_.addTriangleIndices(static_cast<int>(t[0]), static_cast<int>(t[1]),
                               static_cast<int>(t[2]));
    add(std::make_unique<btBvhTriangleMeshShape>(&mesh_, true), 0.0, Pose());
    for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
      std::unique_ptr<btCollisionShape> shape;
      const auto& geometry = scene.shapes[i].geometry();
      if (const auto* ball = std::get_if<Sphere>(&geometry)) {
        shape = std::make_unique<btSphereShape>(ball->radius());
      } else if (const auto* box = std::get_if<Box>(&geometry)) {
        const Vec3 half = box->half();
        shape = std::make_unique<btBoxShape>(btVector3(half.x, half.y, half.z));
      } else if (const auto* capsule = std::get_if<Capsule>(&geometry)) {
        shape = std::make_unique<btCapsuleShapeZ>(capsule->radius(), capsule->length());
      } else {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Vec3& p : scene.points[i]) hull->addPoint({p.x, p.y, p.z}, false);
        hull->recalcLocalAabb();
        shape = std::move(hull);
      }
      add(std::move(shape), 1000.0 * mass_properties(scene.shapes[i]).volume, scene.places[i]);
    }
  }
  ~Bullet() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void step() override { world_.stepSimulation(kStep, 0, kStep); }
  std::vector<Pose> poses() const override {
    std::vector<Pose> result;
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const btTransform& t = bodies_[i]->getWorldTransform();
      Mat3 rotation;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) rotation(r, c) = t.getBasis()[r][c];
      }
      const btVector3& p = t.getOrigin();
      result.push_back(Pose::from_matrix({p.x(), p.y(), p.z()}, rotation));
    }
    return result;
  }
  double rms_speed() const override {
    double sum = 0.0;
    for (std::size_t i = 1; i < bodies_.size(); ++i)
      sum += bodies_[i]->getLinearVelocity().length2();
    return std::sqrt(sum / static_cast<double>(bodies_.size() - 1));
  }

 private:
  void add(std::unique_ptr<btCollisionShape> shape, double mass, const Pose& pose) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    const Mat3& m = pose.rotation();
    info.m_startWorldTransform.setBasis(
        {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)});
    info.m_startWorldTransform.setOrigin({pose.position().x, pose.position().y, pose.position().z});
    info.m_friction = std::sqrt(kFriction);  // Bullet multiplies the two
    info.m_rollingFriction = std::sqrt(kRolling);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    shapes_.push_back(std::move(shape));
    world_.addRigidBody(bodies_.back().get());
  }
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btTriangleMesh mesh_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};
#endif

/// Mean depth by which bodies overlap the ground, of those that do: the deepest point of each by
/// `contacts`, whatever the engine reports.
double ground_overlap(const Scene& scene, const Shape& ground, const std::vector<Pose>& poses) {
  double sum = 0.0;
  int count = 0;
  std::vector<Manifold> found(16);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const int manifolds = contacts(ground, Pose(), scene.shapes[i], poses[i], found).manifolds;
    double deepest = 0.0;
    for (int k = 0; k < manifolds; ++k)
      for (const ContactPoint& point : found[static_cast<std::size_t>(k)].span())
        deepest = std::max(deepest, point.depth);
    if (!(deepest > 0.0)) continue;
    sum += deepest;
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

/// Bodies below the ground: their middle is under its triangles by more than their size.
int fallen(const std::vector<Pose>& poses) {
  return static_cast<int>(std::count_if(poses.begin(), poses.end(), [](const Pose& pose) {
    return pose.position().z < height(pose.position().x, pose.position().y) - 1.0;
  }));
}

/// Measurements over some steps.
struct Measured {
  double us = 0.0;         ///< processor time per step and body
  double thousands = 0.0;  ///< of instructions, per step and body
};

/// Its calls are what a profiler is to count.
[[gnu::noinline]] void measured_step(Engine& engine) { engine.step(); }

Measured measure(Engine& engine, const Scene& scene, int steps) {
  const Instructions instructions;
  const double start = cpu_seconds(), first = instructions.now();
  for (int i = 0; i < steps; ++i) measured_step(engine);
  const double all = static_cast<double>(steps) * static_cast<double>(scene.shapes.size());
  return {1e6 * (cpu_seconds() - start) / all, 1e-3 * (instructions.now() - first) / all};
}

void run(const char* name, Engine& engine, const Scene& scene, const Shape& ground) {
  for (int i = 0; i < kFallFrom; ++i) engine.step();
  const Measured fall = measure(engine, scene, kFallTo - kFallFrom);
  for (int i = kFallTo; i < kRestFrom; ++i) engine.step();
  const Measured rest = measure(engine, scene, kRestTo - kRestFrom);
  const std::vector<Pose> poses = engine.poses();
  std::printf("| %s | %.1f | %.1f |", name, fall.us, rest.us);
  for (const double thousands : {fall.thousands, rest.thousands})
    std::printf(thousands > 0.0 ? " %.1f |" : " - |", thousands);
  std::printf(" %.1e | %.1e | %d |\n", ground_overlap(scene, ground, poses), engine.rms_speed(),
              fallen(poses));
  std::fflush(stdout);
}

WorldSettings few_substeps() {
  WorldSettings settings;
  settings.substeps = 4;
  settings.load_overlap = 0.0;
  return settings;
}

void compare(int count, bool large) {
  std::printf(
      "# Bodies on terrains of triangles\n\n"
      "Printed by `tactus_peers_terrain --bodies %d%s` (`make bench`) on %s, %s.\n\n"
      "Balls, boxes, capsules and hulls of 16 vertices, sizes 0.5 to 0.9, fall from 1 to 2.5 above "
      "a ground of waves: cells of side 1, two triangles each. The terrains differ in their extent "
      "alone, so that the same bodies fall on the same triangles. Friction 0.5, rolling friction "
      "0.2, 60 steps per "
      "second, one thread. Microseconds of processor time per step and body and, where the machine "
      "counts them, thousands of instructions: in motion (steps %d to %d) and at rest (steps %d to "
      "%d); mean depth in the ground of the bodies that overlap it, found by `contacts` for all "
      "engines; rms speed; bodies under the ground. 4 substeps: `substeps` 4, `load_overlap` 0. "
      "Bullet: double precision, 10 iterations, no sleeping.\n\n"
      "| | us, motion | us, rest | instructions, motion | rest | overlap | rms | fallen "
      "|\n|---|---|---|---|---|---|---|---|\n",
      count, large ? " --large" : "", io::today().c_str(), io::machine_name().c_str(), kFallFrom,
      kFallTo, kRestFrom, kRestTo);
  const int least = static_cast<int>(std::ceil(kPitch * std::sqrt(count))) + 12;
  for (const int cells : {least, 96, 224, 708}) {
    if (cells > 224 && !large) continue;
    const Scene scene(Kind::mixed, count, cells);
    const Shape ground = Mesh(scene.ground);
    std::printf("| **%zu triangles** | | | | | | | |\n", scene.ground.triangles.size());
    {
      Ours coarse(scene, few_substeps());
      run("Tactus, 4 substeps", coarse, scene, ground);
    }
    {
      Ours fine(scene, WorldSettings());
      run("Tactus", fine, scene, ground);
    }
#ifdef TACTUS_PEER_BULLET
    Bullet bullet(scene);
    run("Bullet", bullet, scene, ground);
#endif
  }
}

/// One world, for a profiler.
void run_one(Kind kind, int count, int cells, int from, int to) {
  const Scene scene(kind, count, cells);
  const Shape ground = Mesh(scene.ground);
  Ours world(scene, few_substeps());
  for (int i = 0; i < from; ++i) world.step();
  const Measured m = measure(world, scene, to - from);
  const std::vector<Pose> poses = world.poses();
  std::printf("us %.2f overlap %.2e rms %.2e fallen %d hash %016llx\n", m.us,
              ground_overlap(scene, ground, poses), world.rms_speed(), fallen(poses),
              static_cast<unsigned long long>(world.hash()));
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  namespace bench = tactus::detail::bench;
  int count = 1000, cells = 96, from = 0, to = 0, kind = static_cast<int>(bench::Kind::mixed);
  bool large = false;
  for (int i = 1; i < argc; ++i) {
    const bool value = i + 1 < argc;
    const auto takes = [&](const char* name, int& number) {
      if (!value || std::strcmp(argv[i], name) != 0) return false;
      number = std::atoi(argv[++i]);
      return true;
    };
    if (std::strcmp(argv[i], "--large") == 0)
      large = true;
    else if (!takes("--bodies", count) && !takes("--cells", cells) && !takes("--from", from) &&
             !takes("--to", to) && !takes("--kind", kind)) {
      std::fprintf(stderr,
                   "usage: tactus_peers_terrain [--bodies N] [--large]\n"
                   "       tactus_peers_terrain --to STEP [--from STEP] [--bodies N] [--cells N] "
                   "[--kind 0..4]\n");
      return 2;
    }
  }
  if (to > 0)
    bench::run_one(static_cast<bench::Kind>(kind), count, cells, from, to);
  else
    bench::compare(count, large);
  return 0;
}
