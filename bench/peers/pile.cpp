// tactus_peers_pile: piles of settled bodies between walls, stepped by World (as it is set, and
// with 8 substeps) and by Bullet (double, 10 iterations, no sleeping): time per step and body,
// overlap, rest. With --sizes: what a body costs in worlds of 1,000 to 30,000. With --curves: time
// and overlap of several settings of each engine.

#ifdef TACTUS_PEER_BULLET
#include <btBulletDynamicsCommon.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/core/random.hpp"
#include "tactus/io/format/machine.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::bench {
namespace {

constexpr double kStep = 1.0 / 60.0, kFriction = 0.5, kSide = 16.0;
// Steps after settling: all engines take turns, since machines change their speed.
constexpr std::size_t kTurns = 12, kStepsOfTurn = 5;
// Goals: parts of Bullet's time and of its overlap; rms speed of a pile at rest, sizes per second.
constexpr double kGoalTime = 0.45, kGoalOverlap = 1.0 / 20.0, kGoalRest = 0.01;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

enum class Kind { spheres, cubes, mixed };

/// Bodies of size 1 that fall into a room without lid, in layers with some play.
struct Pile {
  std::vector<Shape> shapes;
  std::vector<Vec3> places;
  double side = kSide;

  Pile(Kind kind, int count, double room) : side(room) {
    Random random(5);
    const int columns = static_cast<int>(side / 1.3);
    for (int i = 0; i < count; ++i) {
      const int layer = i / (columns * columns), y = i / columns % columns, x = i % columns;
      const double pitch = side / columns;
      const auto play = [&] { return random.uniform(-0.1, 0.1); };
      places.emplace_back((x + 0.5) * pitch - 0.5 * side + play(),
                          (y + 0.5) * pitch - 0.5 * side + play(), 0.7 + 1.3 * layer);
      const int which = kind == Kind::mixed ? i % 3 : kind == Kind::cubes ? 1 : 0;
      if (which == 0) shapes.emplace_back(Sphere(0.5));
      if (which == 1) shapes.emplace_back(Box({1.0, 1.0, 1.0}));
      if (which == 2) shapes.emplace_back(Cylinder(0.5, 1.0));
    }
  }
};

/// Measurements of a settled pile.
struct Settled {
  double us = 0.0;       ///< per step and body, of the median turn
  double wall_us = 0.0;  ///< the same in wall time
  double overlap = 0.0;  ///< mean depth of pairs of bodies that overlap
  double rms = 0.0;      ///< speed in sizes per second over the measured steps
};

/// Mean depth of overlapping pairs by `distance`, whatever contacts the engine reports.
double mean_overlap(const Pile& pile, const std::vector<Pose>& poses) {
  std::vector<BroadEntry> entries;
  for (std::size_t i = 0; i < poses.size(); ++i)
    entries.push_back({i, bounding_box(pile.shapes[i], poses[i])});
  std::vector<BroadPair> pairs;
  AutoBroadPhase().find_pairs(entries, pairs);
  double sum = 0.0;
  int count = 0;
  for (const BroadPair& p : pairs) {
    const double gap =
        distance(pile.shapes[p.a], poses[p.a], pile.shapes[p.b], poses[p.b]).distance;
    if (gap < 0.0) {
      sum -= gap;
      ++count;
    }
  }
  return count > 0 ? sum / count : 0.0;
}

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void step() = 0;
  virtual std::vector<Pose> poses() const = 0;
  virtual double rms_speed() const = 0;
};

class Ours final : public Engine {
 public:
  Ours(const Pile& pile, WorldSettings settings) {
    settings.time_step = kStep;
    world_ = std::make_unique<World>(settings);
    const double half = 0.5 * pile.side;
    add_wall({0.0, 0.0, 1.0}, 0.0);
    for (const double s : {-1.0, 1.0}) {
      add_wall({s, 0.0, 0.0}, -half);
      add_wall({0.0, s, 0.0}, -half);
    }
    for (std::size_t i = 0; i < pile.shapes.size(); ++i) {
      BodyDefinition body{pile.shapes[i]};
      body.pose = Pose::translation(pile.places[i]);
      body.material.friction = kFriction;
      ids_.push_back(world_->add(body));
    }
  }
  void step() override { last_ = require_done(world_->step()); }
  /// Where another world of the same pile is, with its memory: its steps have the same bits.
  void take_over(const Ours& other) { world_->restore(other.world_->save()); }
  const StepStatistics& last() const { return last_; }
  std::vector<Pose> poses() const override {
    std::vector<Pose> result;
    for (const BodyId id : ids_) result.push_back(world_->body(id).pose());
    return result;
  }
  double rms_speed() const override { return last_.rms_relative_speed; }

 private:
  void add_wall(const Vec3& normal, double offset) {
    BodyDefinition wall{HalfSpace(normal, offset)};
    wall.type = BodyType::fixed;
    wall.material.friction = kFriction;
    world_->add(wall);
  }
  std::unique_ptr<World> world_;
  std::vector<BodyId> ids_;
  StepStatistics last_;
};

#ifdef TACTUS_PEER_BULLET
class Bullet final : public Engine {
 public:
  explicit Bullet(const Pile& pile, int iterations = 10, int parts = 1)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_, &solver_, &configuration_),
        parts_(parts) {
    world_.setGravity({0.0, 0.0, -9.81});
    world_.getSolverInfo().m_numIterations = iterations;
    const double half = 0.5 * pile.side;
    add(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0.0), 0.0, {});
    for (const double s : {-1.0, 1.0}) {
      add(std::make_unique<btStaticPlaneShape>(btVector3(s, 0, 0), -half), 0.0, {});
      add(std::make_unique<btStaticPlaneShape>(btVector3(0, s, 0), -half), 0.0, {});
    }
    fixed_ = bodies_.size();
    for (std::size_t i = 0; i < pile.shapes.size(); ++i) {
      std::unique_ptr<btCollisionShape> shape;
      if (std::holds_alternative<Sphere>(pile.shapes[i].geometry())) {
        shape = std::make_unique<btSphereShape>(0.5);
      } else if (std::holds_alternative<Box>(pile.shapes[i].geometry())) {
        shape = std::make_unique<btBoxShape>(btVector3(0.5, 0.5, 0.5));
      } else {
        shape = std::make_unique<btCylinderShapeZ>(btVector3(0.5, 0.5, 0.5));
      }
      const double mass = 1000.0 * volume(pile.shapes[i]);
      add(std::move(shape), mass, pile.places[i]);
    }
  }
  ~Bullet() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  void step() override {
    for (int i = 0; i < parts_; ++i) world_.stepSimulation(kStep / parts_, 0, kStep / parts_);
  }
  std::vector<Pose> poses() const override {
    std::vector<Pose> result;
    for (std::size_t i = fixed_; i < bodies_.size(); ++i) {
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
    for (std::size_t i = fixed_; i < bodies_.size(); ++i)
      sum += bodies_[i]->getLinearVelocity().length2();
    return std::sqrt(sum / static_cast<double>(bodies_.size() - fixed_));
  }

 private:
  static double volume(const Shape& shape) { return mass_properties(shape).volume; }
  void add(std::unique_ptr<btCollisionShape> shape, double mass, const Vec3& place) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin({place.x, place.y, place.z});
    info.m_friction = std::sqrt(kFriction);  // Bullet multiplies the two
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
  int parts_;  ///< steps of Bullet in a step of 1/60 s
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::size_t fixed_ = 0;
};
#endif

double wall_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// An engine while it is measured.
struct Runner {
  Engine* engine;
  bool wall = false;  ///< else processor time
  std::vector<double> turns = {}, walls = {};
  double squares = 0.0;

  void take_turn() {
    double cpu = 0.0, time = 0.0;
    for (std::size_t i = 0; i < kStepsOfTurn; ++i) {
      const double start = cpu_seconds(), from = wall_seconds();
      engine->step();
      cpu += cpu_seconds() - start;
      time += wall_seconds() - from;
      squares += engine->rms_speed() * engine->rms_speed();
    }
    turns.push_back(wall ? time : cpu);
    walls.push_back(time);
  }
  static double median_us(std::vector<double>& seconds, const Pile& pile) {
    std::sort(seconds.begin(), seconds.end());
    const double median = 0.5 * (seconds[(kTurns - 1) / 2] + seconds[kTurns / 2]);
    return 1e6 * median / static_cast<double>(kStepsOfTurn * pile.shapes.size());
  }
  Settled settled(const Pile& pile) {
    return {median_us(turns, pile), median_us(walls, pile), mean_overlap(pile, engine->poses()),
            std::sqrt(squares / static_cast<double>(kTurns * kStepsOfTurn))};
  }
};

void settle(Engine& engine, int steps) {
  for (int i = 0; i < steps; ++i) engine.step();
}

void print(const char* name, const Settled& s, const StepStatistics* last = nullptr) {
  std::printf("| %s | %.1f | %.1e | %.1e |", name, s.us, s.overlap, s.rms);
  if (last != nullptr)
    std::printf(" %d | %.1f | %.1f | %.1f |", last->substeps, last->broad_ms, last->narrow_ms,
                last->solve_ms);
  else
    std::printf(" | | | |");
  std::printf("\n");
  std::fflush(stdout);
}

#ifdef TACTUS_PEER_BULLET
void print_ratio(const char* name, const Settled& ours, const Settled& peer) {
  const bool kept = ours.us <= kGoalTime * peer.us && ours.overlap <= kGoalOverlap * peer.overlap &&
                    ours.rms < kGoalRest;
  std::printf("| %s | %.2f | %.3f | %s | | | | |\n", name, ours.us / peer.us,
              ours.overlap / peer.overlap, kept ? "kept" : "missed");
}
#endif

/// Time per body in small and large worlds, of balls at the least substeps.
void compare_sizes(int steps) {
  WorldSettings one, two;
  one.load_overlap = two.load_overlap = 0.0;
  one.max_threads = 1;
  two.max_threads = 2;
  std::printf(
      "# Small and large worlds\n\n"
      "Printed by `tactus_peers_pile --sizes --settle %d` (`make bench`) on %s, %s.\n\n"
      "Balls of size 1 fall into a room whose side grows with the cube root of their number (16 "
      "for "
      "3000), friction 0.5, 60 steps per second, %d substeps (`load_overlap` 0). After settling, "
      "%zu turns of %zu steps with one thread and with two: wall time in microseconds per step and "
      "body, of the median turn. Asked: at 30,000 bodies at most 1.3 times that at 1,000; two "
      "threads 1.7 times faster.\n\n"
      "| bodies | us | beside the first | us, two threads | times faster "
      "|\n|---|---|---|---|---|\n",
      steps, io::today().c_str(), io::machine_name().c_str(), one.substeps, kTurns, kStepsOfTurn);
  double first = 0.0;
  for (const int count : {1000, 3000, 10000, 30000}) {
    const Pile pile(Kind::spheres, count, kSide * std::cbrt(count / 3000.0));
    Ours alone(pile, one), shared(pile, two);
    settle(shared, steps);
    alone.take_over(shared);
    Runner runners[] = {{&alone, true}, {&shared, true}};
    for (std::size_t turn = 0; turn < kTurns; ++turn)
      for (Runner& runner : runners) runner.take_turn();
    const double us = Runner::median_us(runners[0].turns, pile);
    const double both = Runner::median_us(runners[1].turns, pile);
    if (first == 0.0) first = us;
    std::printf("| %d | %.1f | %.2f | %.1f | %.2f |\n", count, us, us / first, both, us / both);
    std::fflush(stdout);
  }
}

void compare_engines(int count, int steps) {
  std::printf(
      "# Speed of World\n\n"
      "Printed by `tactus_peers_pile --bodies %d --settle %d` (`make bench`) on %s, %s.\n\n"
      "Bodies of size 1 fall into a room whose side grows with the cube root of their number (16 "
      "for 3000), friction 0.5, 60 steps per second. After settling, %zu turns of %zu steps for "
      "each engine: microseconds of processor time (wall time with two threads) per step and body, "
      "of the median turn; mean depth of overlapping pairs, found by `distance` for all engines; "
      "rms speed in sizes per second; of Tactus, the substeps and milliseconds per step of broad "
      "phase, contacts and solver. 8 substeps: `substeps` 8, `load_overlap` 0. Times faster: by "
      "wall time. Bullet: double precision, 10 iterations, no sleeping. Asked: at most %.2f of "
      "Bullet's time at under %.2f of its overlap, and at rest (rms < %.2f).\n\n"
      "| | us | overlap | rms | substeps | broad | contacts | solver "
      "|\n|---|---|---|---|---|---|---|---|\n",
      count, steps, io::today().c_str(), io::machine_name().c_str(), kTurns, kStepsOfTurn,
      kGoalTime, kGoalOverlap, kGoalRest);
  WorldSettings one, two, few;
  one.max_threads = few.max_threads = 1;
  two.max_threads = 2;
  few.substeps = 8;
  few.load_overlap = 0.0;
  for (const auto& [kind, name] :
       {std::pair{Kind::spheres, "spheres"}, {Kind::cubes, "cubes"}, {Kind::mixed, "mixed"}}) {
    const Pile pile(kind, count, kSide * std::cbrt(count / 3000.0));
    std::printf("| **%s** | | | | | | | |\n", name);
    Ours fine(pile, one), shared(pile, two), coarse(pile, few);
    settle(shared, steps);
    fine.take_over(shared);
    settle(coarse, steps);
    std::vector<Runner> runners = {{&fine}, {&shared, true}, {&coarse}};
#ifdef TACTUS_PEER_BULLET
    Bullet bullet(pile);
    settle(bullet, steps);
    runners.push_back({&bullet});
#endif
    for (std::size_t turn = 0; turn < kTurns; ++turn)
      for (Runner& runner : runners) runner.take_turn();
    std::vector<Settled> settled;
    for (Runner& runner : runners) settled.push_back(runner.settled(pile));
    print("Tactus", settled[0], &fine.last());
    print("Tactus, two threads", settled[1], &shared.last());
    print("Tactus, 8 substeps", settled[2], &coarse.last());
    std::printf("| two threads, times faster | %.2f | | | | | | |\n",
                settled[0].wall_us / settled[1].wall_us);
#ifdef TACTUS_PEER_BULLET
    print("Bullet", settled[3]);
    print_ratio("ratio", settled[0], settled[3]);
    print_ratio("ratio, 8 substeps", settled[2], settled[3]);
#endif
  }
}

/// Figures of Jolt (single precision, AVX2; one and two steps in 1/60 s), measured on an AMD EPYC
/// on 2026-11-28: it is no package of Debian.
struct Quoted {
  const char* name;
  double us, overlap;
};

/// A curve of time over overlap for each engine, by its settings.
void compare_curves(int steps) {
  std::printf(
      "# Time and overlap\n\n"
      "Printed by `tactus_peers_pile --curves --settle %d` (`make bench`) on %s, %s.\n\n"
      "An engine can be made faster at the price of bodies that overlap, so that a time alone says "
      "little. Here each engine runs with several settings on the same settled piles: bodies of "
      "size 1 in a room, friction 0.5, 60 steps per second, no sleeping, one thread. Microseconds "
      "of processor time per step and body, of the median of %zu turns of %zu steps; mean depth of "
      "overlapping pairs in sizes, found by `distance` for all engines; rms speed in sizes per "
      "second. Tactus: `load_overlap` 0 with so many `substeps`, then its defaults, where substeps "
      "follow the load. Bullet: double precision, so many iterations of its solver, so many steps "
      "in 1/60 s. Jolt, single precision, is quoted: one and two steps in 1/60 s, measured on an "
      "AMD EPYC on 2026-11-28, so that its place beside another machine's times is a rough "
      "one.\n\n"
      "![Time over overlap](pile-curves.svg)\n\n"
      "| pile | engine | setting | us | overlap | rms |\n|---|---|---|---|---|---|\n",
      steps, io::today().c_str(), io::machine_name().c_str(), kTurns, kStepsOfTurn);
  struct Heap {
    Kind kind;
    int count;
    const char* name;
    std::array<Quoted, 2> jolt;
  };
  const Heap heaps[] = {
      {Kind::spheres, 3000, "3,000 balls", {{{"1 step", 4.6, 1.9e-2}, {"2 steps", 7.1, 7e-3}}}},
      {Kind::cubes, 1000, "1,000 cubes", {{{"1 step", 1.86, 2e-2}, {"2 steps", 2.4, 1e-2}}}},
      {Kind::mixed, 1000, "1,000 mixed", {{{"1 step", 3.6, 2e-2}, {"2 steps", 5.0, 1e-2}}}}};
  for (const Heap& heap : heaps) {
    const Pile pile(heap.kind, heap.count, kSide * std::cbrt(heap.count / 3000.0));
    const auto measure = [&](const char* engine_name, const std::string& setting, Engine& engine) {
      settle(engine, steps);
      Runner runner{&engine};
      for (std::size_t turn = 0; turn < kTurns; ++turn) runner.take_turn();
      const Settled s = runner.settled(pile);
      std::printf("| %s | %s | %s | %.2f | %.1e | %.1e |\n", heap.name, engine_name,
                  setting.c_str(), s.us, s.overlap, s.rms);
      std::fflush(stdout);
    };
    WorldSettings settings;
    settings.max_threads = 1;
    Ours whole(pile, settings);
    measure("Tactus", "defaults", whole);
    settings.load_overlap = 0.0;
    for (const int substeps : {1, 2, 4, 8, 16}) {
      settings.substeps = substeps;
      Ours ours(pile, settings);
      measure("Tactus", std::to_string(substeps) + (substeps == 1 ? " substep" : " substeps"),
              ours);
    }
#ifdef TACTUS_PEER_BULLET
    for (const auto& [iterations, parts] : {std::pair{4, 1}, {10, 1}, {50, 1}, {10, 2}, {10, 4}}) {
      Bullet bullet(pile, iterations, parts);
      measure("Bullet",
              std::to_string(iterations) + " iterations" +
                  (parts > 1 ? ", " + std::to_string(parts) + " steps" : ""),
              bullet);
    }
#endif
    for (const Quoted& quoted : heap.jolt)
      std::printf("| %s | Jolt, quoted | %s | %.2f | %.1e | |\n", heap.name, quoted.name, quoted.us,
                  quoted.overlap);
  }
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  namespace bench = tactus::detail::bench;
  int count = 3000, settle = 1200;
  bool sizes = false, curves = false;
  for (int i = 1; i < argc; ++i) {
    const bool value = i + 1 < argc;
    if (value && std::strcmp(argv[i], "--bodies") == 0) {
      count = std::atoi(argv[++i]);
    } else if (value && std::strcmp(argv[i], "--settle") == 0) {
      settle = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--sizes") == 0) {
      sizes = true;
    } else if (std::strcmp(argv[i], "--curves") == 0) {
      curves = true;
    } else {
      std::fprintf(stderr,
                   "usage: tactus_peers_pile [--bodies N | --sizes | --curves] [--settle STEPS]\n");
      return 2;
    }
  }
  if (curves)
    bench::compare_curves(settle);
  else if (sizes)
    bench::compare_sizes(settle);
  else
    bench::compare_engines(count, settle);
  return 0;
}
