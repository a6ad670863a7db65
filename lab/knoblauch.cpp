#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "lab/experiment.hpp"
#include "tactus/ccd.hpp"
#include "tactus/deform.hpp"

namespace tactus::detail::lab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kSteps = 120;
constexpr double kStep = 1.0 / 60.0;

double milliseconds_since(Clock::time_point start) {
  return 1e3 * std::chrono::duration<double>(Clock::now() - start).count();
}

/// One of the source's four experiments, and its figures: min, max, mean of the continuous and of
/// the discrete test, in ms.
struct Trial {
  const char* name;
  double speed;  ///< of the tetrahedron; 0: five bodies fall on each other
  double source[6];
};
constexpr Trial kTrials[] = {{"slow", 2.0, {13.7, 36.5, 17.1, 0.75, 3.37, 1.57}},
                             {"fast", 12.0, {13.5, 40.7, 18.0, 0.78, 2.00, 1.81}},
                             {"very fast", 200.0, {13.4, 40.4, 18.9, 0.75, 0.86, 0.78}},
                             {"five bodies", 0.0, {43.7, 81.3, 55.5, 7.3, 13.8, 9.7}}};

DeformableDefinition solid(const TetrahedralMesh& mesh, const Vec3& place) {
  DeformableDefinition d;
  d.vertices = mesh.vertices;
  d.tetrahedra = mesh.tetrahedra;
  d.pose = Pose::translation(place);
  return d;
}

/// A plate of 480 surface triangles, held at its rim.
DeformableDefinition membrane() {
  DeformableDefinition d = solid(tetrahedral_box({1.0, 1.0, 0.05}, {10, 10, 1}), {});
  for (std::uint32_t i = 0; i < d.vertices.size(); ++i) {
    const Vec3& v = d.vertices[i];
    if (std::fabs(v.x) > 0.49 || std::fabs(v.y) > 0.49) d.fixed.push_back(i);
  }
  return d;
}

DeformableDefinition tetrahedron(double speed) {
  DeformableDefinition d = solid(
      {{{-0.1, -0.1, 0.1}, {0.1, -0.1, 0.1}, {0.0, 0.1, 0.1}, {0.01, 0.0, -0.1}}, {{1, 0, 2, 3}}},
      {0.013, 0.017, 0.7});
  d.linear_velocity = {0.0, 0.0, -speed};
  return d;
}

/// A rounded body of 572 surface triangles.
DeformableDefinition rounded_body(const Vec3& place) {
  TetrahedralMesh mesh = tetrahedral_box({2.0, 2.0, 2.0}, {5, 9, 7});
  for (Vec3& v : mesh.vertices) {
    const double xx = v.x * v.x, yy = v.y * v.y, zz = v.z * v.z;
    const Vec3 round{v.x * std::sqrt(1.0 - yy / 2.0 - zz / 2.0 + yy * zz / 3.0),
                     v.y * std::sqrt(1.0 - zz / 2.0 - xx / 2.0 + zz * xx / 3.0),
                     v.z * std::sqrt(1.0 - xx / 2.0 - yy / 2.0 + xx * yy / 3.0)};
    v = (v * 0.4 + round * 0.6) * 0.2;
  }
  return solid(mesh, place);
}

DeformableWorld make_world(const Trial& trial, bool contacts, int threads) {
  DeformableSettings settings;
  settings.time_step = kStep;
  settings.contacts = contacts;
  settings.max_threads = threads;
  if (trial.speed > 0.0) settings.gravity = {};
  DeformableWorld world(settings);
  if (trial.speed > 0.0) {
    world.add(membrane());
    world.add(tetrahedron(trial.speed));
  } else {
    for (int k = 0; k < 5; ++k) {
      DeformableDefinition d = rounded_body({0.05 * (k % 2),
                                             0.04 * (k > 3   ? 2
                                                     : k > 1 ? 1
                                                             : 0),
                                             0.6 * k});
      d.linear_velocity = {0.0, 0.0, -0.5 * k};
      world.add(d);
    }
    world.add_obstacle({HalfSpace({0.0, 0.0, 1.0}, -0.5)});
  }
  return world;
}

/// The places of all bodies.
struct Picture {
  std::vector<std::vector<Vec3>> x;
  explicit Picture(const DeformableWorld& world) {
    for (DeformableId b = 0; b < world.bodies(); ++b) {
      const std::span<const Vec3> p = world.positions(b);
      x.emplace_back(p.begin(), p.end());
    }
  }
};

Aabb box_of(std::span<const Vec3> a, std::span<const Vec3> b) {
  Aabb box{a[0], a[0]};
  for (const std::span<const Vec3> list : {a, b}) {
    for (const Vec3& v : list) box = merge(box, {v, v});
  }
  return box;
}

/// Time of the first contact on the way between two pictures; infinite without any.
double first_contact(const DeformableWorld& world, const Picture& start, const Picture& end,
                     int threads) {
  double first = std::numeric_limits<double>::infinity();
  std::vector<Aabb> boxes;
  boxes.reserve(start.x.size());
  for (std::size_t b = 0; b < start.x.size(); ++b) boxes.push_back(box_of(start.x[b], end.x[b]));
  SurfaceCcdOptions options;
  options.max_threads = threads;
  for (DeformableId a = 0; a < start.x.size(); ++a) {
    for (DeformableId b = 0; b < a; ++b) {
      if (!overlaps(boxes[a], boxes[b])) continue;
      const SurfaceImpacts found =
          surface_impacts({start.x[a], end.x[a], world.surface(a)},
                          {start.x[b], end.x[b], world.surface(b)}, options);
      if (!found.impacts.empty()) first = std::fmin(first, found.impacts.front().contact.time);
    }
  }
  return first;
}

std::vector<PointPenetration> penetrations(std::span<const DeformableDefinition> definitions,
                                           const DeformableWorld& world, const Picture& now) {
  std::vector<TetrahedralBody> bodies;
  bodies.reserve(now.x.size());
  for (DeformableId b = 0; b < now.x.size(); ++b)
    bodies.push_back({now.x[b], definitions[b].tetrahedra, world.surface(b)});
  return points_in_tetrahedra(bodies);
}

std::vector<DeformableDefinition> definitions_of(const Trial& trial) {
  if (trial.speed > 0.0) return {membrane(), tetrahedron(trial.speed)};
  return std::vector<DeformableDefinition>(5, rounded_body({}));
}

/// What one test saw, and what its steps took.
struct Watched {
  bool hit = false;
  int step = 0;
  std::vector<double> milliseconds, alone;

  double at(double share) const {
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }
};
double mean(const std::vector<double>& list) {
  double sum = 0.0;
  for (const double v : list) sum += v;
  return sum / static_cast<double>(list.size());
}

/// The source's run: deformation without response, a test of each step, frozen at the first hit:
/// by the continuous test at the place of contact, by the discrete one at the interval's end.
Watched watch(const Trial& trial, bool continuous, int threads) {
  DeformableWorld world = make_world(trial, false, threads);
  const std::vector<DeformableDefinition> definitions = definitions_of(trial);
  Watched out;
  for (int k = 0; k < kSteps; ++k) {
    const Picture start(world);
    const DeformableState before = world.save();
    const Clock::time_point begin = Clock::now();
    world.step();
    const double deformation = milliseconds_since(begin);
    const Picture end(world);
    const Clock::time_point test = Clock::now();
    double time = std::numeric_limits<double>::infinity();
    if (continuous) {
      time = first_contact(world, start, end, threads);
    } else if (!penetrations(definitions, world, end).empty()) {
      time = 1.0;
    }
    const double alone = milliseconds_since(test);
    out.alone.push_back(alone);
    out.milliseconds.push_back(deformation + alone);
    if (!(time <= 1.0)) continue;
    if (!out.hit) {
      out.hit = true;
      out.step = k;
    }
    // Frozen: at the place of contact, without motion.
    DeformableState frozen = before;
    for (std::size_t i = 0, b = 0; b < start.x.size(); ++b) {
      for (std::size_t v = 0; v < start.x[b].size(); ++v, ++i) {
        frozen.positions[i] = start.x[b][v] + (end.x[b][v] - start.x[b][v]) * time;
        frozen.velocities[i] = {};
      }
    }
    world.restore(frozen);
  }
  return out;
}

double lowest(std::span<const Vec3> x) {
  double z = std::numeric_limits<double>::infinity();
  for (const Vec3& v : x) z = std::fmin(z, v.z);
  return z;
}
double highest(std::span<const Vec3> x) {
  double z = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : x) z = std::fmax(z, v.z);
  return z;
}

/// Does the tetrahedron end below the membrane, when the discrete test's points are pushed out by
/// their depth in each step until they have left?
bool falls_through_with_depths(const Trial& trial, int threads) {
  DeformableWorld world = make_world(trial, false, threads);
  const std::vector<DeformableDefinition> definitions = definitions_of(trial);
  for (int k = 0; k < kSteps; ++k) {
    world.step();
    const Picture now(world);
    const std::vector<PointPenetration> inside = penetrations(definitions, world, now);
    if (inside.empty()) continue;
    DeformableState state = world.save();
    std::vector<std::size_t> first(1, 0);
    for (const std::vector<Vec3>& x : now.x) first.push_back(first.back() + x.size());
    for (const PointPenetration& p : inside) {
      const std::size_t i = first[p.body] + p.vertex;
      if (state.held[i] != 0) continue;
      state.positions[i] += p.direction * p.depth;
      const double along = dot(state.velocities[i], p.direction);
      if (along < 0.0) state.velocities[i] -= p.direction * along;
    }
    world.restore(state);
  }
  return highest(world.positions(1)) < lowest(world.positions(0));
}

/// The library's own response: what passes, and what crosses.
struct Response {
  bool fell_through = false;
  std::size_t crossings = 0;
};
Response respond(const Trial& trial, int threads) {
  DeformableWorld world = make_world(trial, true, threads);
  Response out;
  for (int k = 0; k < kSteps; ++k) {
    world.step();
    out.crossings += world.crossings().size();
  }
  if (trial.speed > 0.0)
    out.fell_through = lowest(world.positions(1)) < lowest(world.positions(0)) - 0.05;
  return out;
}

void add_rows(const Trial& trial, const Watched& c, const Watched& d, Table& times) {
  for (int k = 0; k < 2; ++k) {
    const Watched& w = k == 0 ? c : d;
    const double* source = trial.source + 3 * k;
    times.rows.push_back({trial.name, k == 0 ? "continuous" : "discrete",
                          w.hit ? "step " + std::to_string(w.step) : "nothing", w.at(0.0),
                          w.at(1.0), mean(w.milliseconds), w.at(0.5), mean(w.alone), source[0],
                          source[1], source[2]});
  }
}

void add_series(const Watched& w, const std::string& name, Plot& plot) {
  Plot::Series s{name, {}};
  for (std::size_t k = 0; k < w.milliseconds.size(); ++k)
    s.points.emplace_back(static_cast<double>(k + 1), w.milliseconds[k]);
  plot.series.push_back(std::move(s));
}

}  // namespace

Report run_knoblauch(const Settings& settings) {
  Report report;
  report.name = "knoblauch";
  report.title = "The four experiments of Knoblauch";
  report.text =
      "A tetrahedron flies against a membrane (484 surface triangles together) at three speeds, "
      "and "
      "five bodies of 572 surface triangles each fall on each other. As in *knoblauch2005*, bodies "
      "deform without response until a test sees a contact; they are then frozen, by the "
      "continuous "
      "test at the place of contact, by the discrete one (vertices in tetrahedra) at the "
      "interval's "
      "end, and the tests go on. Times hold deformation and test, in milliseconds per step; `test` "
      "is the test alone. Then the responses are on: vertices are pushed out by their depths, "
      "found "
      "anew in each step; or the library's own contacts hold "
      "([how](../algorithms/deformable.md)).\n";
  Table times{"Time per step, ms",
              {"experiment", "test", "first hit", "min", "max", "mean", "median", "test",
               "source: min", "max", "mean"},
              {}};
  Table responses{"With responses on",
                  {"experiment", "pushed out by depths", "own contacts", "edges through triangles"},
                  {}};
  Plot plot{"knoblauch.svg", "Five bodies: time per step", "step", "ms", {}};
  double missed = 0.0, passed = 0.0, crossings = 0.0, worst_ratio = 0.0, blind = 1.0;
  for (const Trial& trial : kTrials) {
    const Watched c = watch(trial, true, settings.threads);
    const Watched d = watch(trial, false, settings.threads);
    add_rows(trial, c, d, times);
    missed += c.hit ? 0.0 : 1.0;
    worst_ratio = std::fmax(worst_ratio, c.at(0.5) / d.at(0.5));
    const Response own = respond(trial, settings.threads);
    passed += own.fell_through ? 1.0 : 0.0;
    crossings += static_cast<double>(own.crossings);
    std::string by_depth = "not asked";
    if (trial.speed > 0.0) {
      by_depth = falls_through_with_depths(trial, settings.threads) ? "falls through" : "is held";
      if (trial.speed > 100.0 && !d.hit) blind = 0.0;
    } else {
      add_series(c, "continuous", plot);
      add_series(d, "discrete", plot);
    }
    responses.rows.push_back(
        {trial.name, by_depth,
         trial.speed > 0.0 ? (own.fell_through ? "falls through" : "is held") : "stand",
         std::to_string(own.crossings)});
  }
  report.tables = {times, responses};
  report.plots = {plot};
  report.bars = {{"experiments that the continuous test does not see", missed, 0.0},
                 {"the very fast tetrahedron, seen by the discrete test", blind, 0.0},
                 {"tetrahedra that pass the membrane, own contacts", passed, 0.0},
                 {"edges through triangles after a step, own contacts", crossings, 0.0},
                 {"continuous over discrete, median per step with deformation", worst_ratio, 2.0}};
  return report;
}

}  // namespace tactus::detail::lab
