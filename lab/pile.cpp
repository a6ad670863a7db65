#include "lab/pile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/bruteforce.hpp"
#include "lab/verdicts.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/rigid/exchange/parts.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

// Source: leemann2017, section 4.2.1, tables 5 to 7, figure 22.

namespace tactus::detail::lab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Diameter of the spheres and edge of the cubes; as in the source, from its bound of 1.049.
constexpr double kSize = 1.2;
// A turned cube is wider by the square root of three; the cells in which bodies start hold it.
constexpr double kCell = 1.8 * kSize;
// Bodies per edge of the base: 3000 spheres come to lie about as high as the base is wide.
constexpr double kBasePerCubeRoot = 0.95;
constexpr double kLongest = 20.0;  // simulated seconds
constexpr double kAtRest = 0.01;   // sizes per second
// Walls order the bodies beside them: this much is left out on all sides, and at the top.
constexpr double kMargin = 2.0 * kSize;
constexpr std::uint64_t kProbes = 200'000;
// The source reports contacts up to this gap.
constexpr double kContactGap = 1e-8;

struct Kind {
  const char* name;
  std::vector<Shape> shapes;  ///< in turn
  /// Iterative and closed form: volume fraction in percent, mean penetration in 1e-3.
  double fraction[2], penetration[2];
  double pairs[2], shared[2];  ///< contact pairs; share with several points, percent
  double expected[2];          ///< ours of 3000, percent: what ten seeds fill, and 3 points more
  std::vector<PileWay> ways;
};

constexpr ContactPoints kPatches = ContactPoints::manifold, kOne = ContactPoints::one;
constexpr double kFriction = 0.5;
constexpr PileWay kIterative{"iterative", Detector::iterative, kPatches, kFriction, true};
constexpr PileWay kClosed{"closed form", Detector::closed_form, kPatches, kFriction, true};
// The source's conjecture, and what else could make cubes lie as dense as its own.
constexpr PileWay kOnePoint{"iterative, one point", Detector::iterative, kOne, kFriction, false};
constexpr PileWay kSmooth{"iterative, no friction", Detector::iterative, kPatches, 0.0, false};
constexpr PileWay kSmoothOne{"iterative, one point, no friction", Detector::iterative, kOne, 0.0,
                             false};

std::vector<Kind> kinds() {
  const double r = kSize / 2.0;
  const Shape ball = Sphere(r), round = Ellipsoid({r, r, r}), cube = Box({kSize, kSize, kSize});
  return {
      {"spheres",
       {ball},
       {59.08, 59.28},
       {0.36, 0.35},
       {kNone, kNone},
       {kNone, kNone},
       {55.0, 64.0},
       {kIterative, kClosed}},
      // They have no closed form.
      {"spherical ellipsoids",
       {round},
       {59.25, kNone},
       {0.37, kNone},
       {kNone, kNone},
       {kNone, kNone},
       {55.0, 64.0},
       {kIterative}},
      {"spheres + cubes",
       {ball, cube},
       {62.83, 62.23},
       {0.57, 0.39},
       {kNone, kNone},
       {kNone, kNone},
       {53.5, 59.5},
       {kIterative, kClosed, kOnePoint}},
      {"cubes",
       {cube},
       {78.96, 71.72},
       {9.50, 2.92},
       {10397, 9891},
       {37.2, 34.6},
       {46.5, 52.5},
       {kIterative, kClosed, kOnePoint, kSmooth, kSmoothOne}},
  };
}

void add_walls(World& world, double base, double friction) {
  const std::pair<Vec3, double> walls[] = {{{0, 0, 1}, 0.0},
                                           {{1, 0, 0}, -base / 2},
                                           {{-1, 0, 0}, -base / 2},
                                           {{0, 1, 0}, -base / 2},
                                           {{0, -1, 0}, -base / 2}};
  for (const auto& [normal, offset] : walls) {
    BodyDefinition wall{.shape = HalfSpace(normal, offset)};
    wall.type = BodyType::fixed;
    wall.material.friction = friction;
    world.add(wall);
  }
}

/// Every body in a cell of its own above the base, at a random place within it and turned at
/// random, in random order.
void add_bodies(World& world, const Kind& kind, std::uint64_t count, double base, double friction,
                Random& random) {
  const auto per_edge = static_cast<std::uint64_t>(std::fmax(1.0, std::floor(base / kCell)));
  const double cell = base / static_cast<double>(per_edge);
  std::vector<std::uint64_t> cells(count);
  for (std::uint64_t i = 0; i < count; ++i) cells[i] = i;
  for (std::uint64_t i = count; i > 1; --i) {
    std::swap(cells[i - 1], cells[random.below(static_cast<std::uint32_t>(i))]);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const Shape& shape = kind.shapes[i % kind.shapes.size()];
    const double play = (kCell - 2.0 * bounding_radius(shape)) / 2.0;
    const auto at = [&](std::uint64_t index) { return (static_cast<double>(index) + 0.5) * cell; };
    const std::uint64_t k = cells[i];
    const Vec3 middle{at(k % per_edge) - base / 2, at(k / per_edge % per_edge) - base / 2,
                      at(k / per_edge / per_edge)};
    const Vec3 offset = fuzz::vector_in(random, -play, play);
    BodyDefinition body{.shape = shape};
    body.material.friction = friction;
    body.pose = Pose(middle + offset, fuzz::rotation(random));
    world.add(body);
  }
}

bool holds(const Body& body, const Vec3& point) {
  const Vec3 local = transpose_times(body.pose().rotation(), point - body.pose().position());
  if (std::holds_alternative<Box>(body.shape().geometry())) {
    return std::fmax(std::fabs(local.x), std::fmax(std::fabs(local.y), std::fabs(local.z))) <=
           kSize / 2;
  }
  return squared_norm(local) <= kSize * kSize / 4;
}

/// Bodies by the cell of their centre, cells as wide as any body.
class Cells {
 public:
  Cells(const World& world, double base) : base_(base), edge_(static_cast<int>(base / kCell) + 2) {
    for (const Body& body : world.bodies()) {
      if (!body.is_dynamic()) continue;
      const std::size_t at = index(body.center_of_mass());
      if (at >= cells_.size()) cells_.resize(at + 1);
      cells_[at].push_back(&body);
    }
  }

  bool filled(const Vec3& point) const {
    for (int k = 0; k < 27; ++k) {
      const int row = k / 3 % 3, layer = k / 9;
      const Vec3 step{double(k % 3 - 1), double(row - 1), double(layer - 1)};
      const std::size_t at = index(point + step * kCell);
      if (at >= cells_.size()) continue;
      for (const Body* body : cells_[at]) {
        if (holds(*body, point)) return true;
      }
    }
    return false;
  }

 private:
  int along(double x) const {
    return std::clamp(static_cast<int>(std::floor((x + base_ / 2) / kCell)) + 1, 0, edge_);
  }
  std::size_t index(const Vec3& p) const {
    const int z = std::max(0, static_cast<int>(std::floor(p.z / kCell)) + 1);
    const auto side = static_cast<std::size_t>(edge_) + 1;
    return (static_cast<std::size_t>(z) * side + static_cast<std::size_t>(along(p.y))) * side +
           static_cast<std::size_t>(along(p.x));
  }

  double base_;
  int edge_;
  std::vector<std::vector<const Body*>> cells_;
};

/// Share of the random points between the margins that lie in a body.
double volume_fraction(const World& world, double base, double margin, Random& random) {
  std::vector<double> heights;
  for (const Body& body : world.bodies()) {
    if (body.is_dynamic()) heights.push_back(body.center_of_mass().z);
  }
  // A tenth of the bodies may lie above the level to which all is filled.
  const auto high = heights.begin() + static_cast<std::ptrdiff_t>(0.9 * double(heights.size() - 1));
  std::nth_element(heights.begin(), high, heights.end());
  const double top = *high - kMargin, side = base / 2 - margin;
  if (!(top > margin) || !(side > 0.0)) return kNone;
  const Cells cells(world, base);
  std::uint64_t inside = 0;
  for (std::uint64_t i = 0; i < kProbes; ++i) {
    const double x = random.uniform(-side, side), y = random.uniform(-side, side);
    inside += cells.filled({x, y, random.uniform(margin, top)}) ? 1 : 0;
  }
  return static_cast<double>(inside) / static_cast<double>(kProbes);
}

void count_contacts(const World& world, Pile& pile) {
  BodyId last_a = kNoBody, last_b = kNoBody;
  std::uint64_t points = 0;
  const auto end_pair = [&] {
    pile.contact_pairs += points > 0 ? 1 : 0;
    pile.shared_pairs += points > 1 ? 1 : 0;
    points = 0;
  };
  for (const Contact& contact : world.contacts()) {
    if (contact.body_a != last_a || contact.body_b != last_b) end_pair();
    last_a = contact.body_a;
    last_b = contact.body_b;
    const bool of_walls = !world.body(last_a).is_dynamic() || !world.body(last_b).is_dynamic();
    points += !of_walls && contact.depth >= -kContactGap ? 1 : 0;
  }
  end_pair();
}

/// A pair by both detectors: iterative and closed form.
struct BothDepths {
  bool disagree = false;
  double difference = 0.0, depths[2] = {};
};
void write(const BothDepths& both, Parcel& parcel) { parcel.add(both); }
void read(ParcelReader& reader, BothDepths& both) { both = reader.read<BothDepths>(); }

/// Every pair of the last broad phase by both detectors, where the bodies are now.
void ask_both_detectors(const Settings& settings, const World& world, Pile& pile) {
  std::vector<std::pair<const Body*, const Body*>> pairs;
  for (const PairMemory& pair : world.save().pairs) {
    const Body &a = world.body(pair.body_a), &b = world.body(pair.body_b);
    if (a.is_dynamic() && b.is_dynamic()) pairs.emplace_back(&a, &b);
  }
  const auto ask_part = [&](const ListPart& part) {
    std::vector<BothDepths> answers;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const auto& [a, b] = pairs[i];
      const BothAnswers both = ask_both(settings, a->shape(), a->pose(), b->shape(), b->pose());
      const double size = io::pair_size(a->shape(), b->shape());
      answers.push_back({disagree(both, size),
                         std::fabs(both.iterative.distance - both.closed.distance) / size,
                         {-both.iterative.distance / size, -both.closed.distance / size}});
    }
    return answers;
  };
  for (const BothDepths& both : make_in_parts<BothDepths>(settings.ranks, pairs.size(), ask_part)) {
    ++pile.pairs;
    pile.disagreements += both.disagree ? 1 : 0;
    pile.differences.push_back(both.difference);
    for (const std::size_t m : {0u, 1u}) pile.depths[m].push_back(both.depths[m]);
  }
}

struct Range {
  double mean = 0.0, scatter = 0.0;
};
Range range_of(const std::vector<Pile>& piles, double Pile::* value) {
  Range range;
  for (const Pile& pile : piles) range.mean += pile.*value / static_cast<double>(piles.size());
  for (const Pile& pile : piles) {
    const double off = pile.*value - range.mean;
    range.scatter += off * off / std::fmax(1.0, static_cast<double>(piles.size()) - 1.0);
  }
  range.scatter = std::sqrt(range.scatter);
  return range;
}

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

/// How many values lie in each bin; the last takes the rest.
Table histogram(const std::string& title, const std::vector<Kind>& all_kinds,
                const std::vector<std::vector<std::vector<double>>>& columns,
                const std::vector<std::string>& suffixes, const std::vector<double>& bounds) {
  Table table;
  table.title = title;
  table.head = {"up to"};
  for (const Kind& kind : all_kinds) {
    for (const std::string& suffix : suffixes) table.head.push_back(kind.name + suffix);
  }
  double below = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k <= bounds.size(); ++k) {
    const double above = k < bounds.size() ? bounds[k] : std::numeric_limits<double>::infinity();
    std::vector<Cell> row{k < bounds.size() ? fmt::format("{:g}", above) : std::string("more")};
    for (const auto& of_kind : columns) {
      for (const std::vector<double>& values : of_kind) {
        row.emplace_back(static_cast<double>(std::count_if(
            values.begin(), values.end(), [&](double v) { return v > below && v <= above; })));
      }
    }
    table.rows.push_back(std::move(row));
    below = above;
  }
  return table;
}

constexpr const char* kText =
    "The protocol of leemann2017 (section 4.2.1): {} bodies of size {} (diameter of a sphere, edge "
    "of "
    "a cube), at random heights and turned at\nrandom, fall into a box with a square base, and are "
    "left alone until the root mean square of their speeds over a second is below {} sizes per\n"
    "second, {} s at most. Each kind is moved by the iterative detector (`epa`) and by closed "
    "forms, "
    "with patches of contact points, friction {}, no restitution; then with one contact point for "
    "each pair,\nand cubes without friction too, to see what makes them lie denser. "
    "{} seed(s) from {} on. `fraction`: share of {} "
    "random points, two sizes away from walls, floor and surface, that lie in a body, in percent "
    "(of\nwhole base: with the walls); `scatter` over the seeds. Penetration: mean over touching "
    "pairs at the end, relative to size; of the source: divided by\nthat size. `several "
    "points`: "
    "share of the touching pairs of bodies with more than one contact point (faces and edges), in "
    "percent. `bound`:\nby how much overlaps can raise the density at most, l^3/(l - 2d)^3, with "
    "that mean penetration. The end states were then asked by both detectors:\niteratively (`epa`) "
    "and by closed form (`closed_form`, `sat`; ellipsoids, which have none, by the default). Piles "
    "of "
    "fewer than 3000 bodies have a small middle, whose\nfraction scatters as the root of 3000 over "
    "their number: the bounds of solid fractions are so much wider; both detectors, and one point "
    "and "
    "patches, are compared by the whole base. Piles of fewer than 150 bodies may overlap twice as "
    "much: one wedge between the walls loads them all.";

}  // namespace

Pile make_pile(const Settings& settings, std::size_t kind_index, std::uint64_t seed,
               const PileWay& way) {
  const Kind kind = kinds()[kind_index];
  Random random(seed, kind_index);
  const double base =
      kSize * std::fmax(4.0, kBasePerCubeRoot * std::cbrt(static_cast<double>(settings.pairs)));
  WorldSettings world_settings;
  world_settings.detector = way.detector;
  world_settings.contact_points = way.points;
  world_settings.max_threads = settings.ranks != nullptr ? 1 : 0;
  World world(world_settings);
  add_walls(world, base, way.friction);
  add_bodies(world, kind, settings.pairs, base, way.friction, random);
  if (settings.ranks != nullptr) StepUndo::share_out(world, *settings.ranks);
  Pile pile;
  const auto per_second = static_cast<std::uint64_t>(std::lround(1.0 / world.settings().time_step));
  for (bool rests = false; !rests && world.time() < kLongest - 1e-9;) {
    double square = 0.0;
    for (std::uint64_t i = 0; i < per_second; ++i) {
      const StepStatistics& s = require_done(world.step());
      square += s.rms_relative_speed * s.rms_relative_speed;
    }
    pile.rms_speed = std::sqrt(square / static_cast<double>(per_second));
    rests = pile.rms_speed < kAtRest;
  }
  if (settings.ranks != nullptr) StepUndo::collect(world);
  pile.seconds = world.time();
  pile.state_hash = world.state_hash();
  pile.penetration = world.statistics().mean_relative_penetration;
  pile.fraction = 100.0 * volume_fraction(world, base, kMargin, random);
  pile.fraction_of_base = 100.0 * volume_fraction(world, base, 0.0, random);
  count_contacts(world, pile);
  ask_both_detectors(settings, world, pile);
  return pile;
}

namespace {

/// A kind moved in one way.
struct Run {
  std::size_t kind = 0;
  PileWay way;
  std::vector<Pile> piles;  ///< by seed
};

std::vector<Run> make_piles(const Settings& settings, const std::vector<Kind>& all_kinds) {
  const std::size_t seeds = static_cast<std::size_t>(settings.seeds);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < all_kinds.size(); ++k) {
    for (const PileWay& way : all_kinds[k].ways) runs.push_back({k, way, std::vector<Pile>(seeds)});
  }
  const std::size_t count = runs.size() * seeds;
  std::uint64_t done = 0;
  std::mutex counting;
  parallel_for(
      count, 1,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          Run& run = runs[i / seeds];
          run.piles[i % seeds] = make_pile(settings, run.kind, settings.seed + i % seeds, run.way);
          const std::scoped_lock lock(counting);
          settings.progress(++done * settings.pairs / count, settings.pairs);
        }
      },
      // Ranks make each pile together.
      settings.ranks != nullptr ? 1 : settings.threads);
  return runs;
}

// Bodies of the source's piles, and of those that are `few`.
constexpr double kOfSource = 3000.0, kFew = 150.0;

// Scatter of the solid fraction over that of 3000 bodies: fewer lie in the middle.
double scatter_of(std::uint64_t bodies) {
  return std::sqrt(kOfSource / static_cast<double>(std::max<std::uint64_t>(bodies, 1)));
}

double density_bound(double d) { return 1.0 / std::pow(1.0 - 2.0 * d, 3.0); }

PileFigures figures_of(const Kind& kind, const Run& run, double scatter) {
  PileFigures f;
  f.name = std::string(kind.name) + ", " + run.way.name;
  f.patches = run.way.judged;
  f.few = scatter > std::sqrt(kOfSource / kFew);
  const double middle = 0.5 * (kind.expected[0] + kind.expected[1]);
  for (const int end : {0, 1}) f.expected[end] = middle + scatter * (kind.expected[end] - middle);
  f.least = std::numeric_limits<double>::infinity();
  f.most = -f.least;
  for (const Pile& pile : run.piles) {
    f.fastest = std::fmax(f.fastest, pile.rms_speed);
    f.deepest = std::fmax(f.deepest, pile.penetration);
    f.disagree += static_cast<double>(pile.disagreements);
    for (const double d : pile.differences) f.difference = std::fmax(f.difference, d);
    // A comparison would lose what is not known.
    f.least = std::isnan(pile.fraction) ? kNone : std::min(f.least, pile.fraction);
    f.most = std::isnan(pile.fraction) ? kNone : std::max(f.most, pile.fraction);
  }
  return f;
}

std::vector<Cell> row_of(const Kind& kind, const Run& run, const PileFigures& f) {
  const auto seeds = static_cast<double>(run.piles.size());
  double pairs = 0.0, several = 0.0;
  for (const Pile& pile : run.piles) {
    pairs += static_cast<double>(pile.contact_pairs) / seeds;
    several += share(pile.shared_pairs, pile.contact_pairs) / seeds;
  }
  const Range fraction = range_of(run.piles, &Pile::fraction);
  const double penetration = range_of(run.piles, &Pile::penetration).mean;
  return {std::string(kind.name),
          std::string(run.way.name),
          fraction.mean,
          fraction.scatter,
          range_of(run.piles, &Pile::fraction_of_base).mean,
          penetration,
          pairs,
          several,
          range_of(run.piles, &Pile::rms_speed).mean,
          range_of(run.piles, &Pile::seconds).mean,
          fmt::format("{:.6f}", density_bound(penetration)),
          f.disagree,
          f.difference};
}

Table source_table(const std::vector<Kind>& all_kinds) {
  Table source;
  source.title = "leemann2017: iterative, closed form";
  source.head = {"bodies", "fraction",      "fraction",      "penetration",    "penetration",
                 "bound",  "contact pairs", "contact pairs", "several points", "several points"};
  for (const Kind& kind : all_kinds) {
    source.rows.push_back({std::string(kind.name), kind.fraction[0], kind.fraction[1],
                           1e-3 * kind.penetration[0] / kSize, 1e-3 * kind.penetration[1] / kSize,
                           fmt::format("{:.3f}", density_bound(1e-3 * kind.penetration[0] / kSize)),
                           kind.pairs[0], kind.pairs[1], kind.shared[0], kind.shared[1]});
  }
  return source;
}

/// The mean fraction of the whole base of a kind moved so; NaN where it was not.
double fraction_of(const std::vector<Run>& runs, std::size_t kind, const PileWay& way) {
  for (const Run& run : runs) {
    if (run.kind == kind && std::string(run.way.name) == way.name)
      return range_of(run.piles, &Pile::fraction_of_base).mean;
  }
  return kNone;
}

void add_comparisons(const std::vector<Kind>& all_kinds, const std::vector<Run>& runs,
                     double scatter, std::vector<Bar>& bars) {
  for (std::size_t k = 0; k < all_kinds.size(); ++k) {
    if (all_kinds[k].ways.size() < 2) continue;
    bars.push_back(bar_of_detectors(all_kinds[k].name, fraction_of(runs, k, kIterative),
                                    fraction_of(runs, k, kClosed), scatter));
  }
  const std::size_t cubes = all_kinds.size() - 1;
  bars.push_back(
      bar_of_one_point(fraction_of(runs, cubes, kOnePoint), fraction_of(runs, cubes, kIterative)));
}

}  // namespace

Report run_pile(const Settings& settings) {
  const std::vector<Kind> all_kinds = kinds();
  const std::vector<Run> runs = make_piles(settings, all_kinds);
  const double scatter = scatter_of(settings.pairs);
  Report report;
  report.name = "pile";
  report.title = "Piles";
  report.text = fmt::format(kText, settings.pairs, kSize, kAtRest, kLongest, kFriction,
                            settings.seeds, settings.seed, kProbes);
  Table ours;
  ours.title = "ours";
  ours.head = {"bodies",      "moved",         "fraction",          "scatter",   "of whole base",
               "penetration", "contact pairs", "several points",    "rms speed", "rest after s",
               "bound",       "disagree",      "largest difference"};
  std::vector<std::vector<std::vector<double>>> differences(all_kinds.size(), {{}});
  std::vector<std::vector<std::vector<double>>> depths(all_kinds.size(), {{}, {}});
  for (const Run& run : runs) {
    const Kind& kind = all_kinds[run.kind];
    const PileFigures figures = figures_of(kind, run, scatter);
    ours.rows.push_back(row_of(kind, run, figures));
    for (const Bar& bar : bars_of(figures)) report.bars.push_back(bar);
    for (const Pile& pile : run.piles) {
      auto& all = differences[run.kind][0];
      all.insert(all.end(), pile.differences.begin(), pile.differences.end());
      // The histogram shows what lies at rest.
      for (std::size_t m = 0; m < 2 && run.way.judged; ++m) {
        auto& one = depths[run.kind][m];
        one.insert(one.end(), pile.depths[m].begin(), pile.depths[m].end());
      }
    }
  }
  add_comparisons(all_kinds, runs, scatter, report.bars);
  report.tables = {
      std::move(ours), source_table(all_kinds),
      histogram("differences of the detectors' depths, relative to size: pairs", all_kinds,
                differences, {""}, {0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-9}),
      histogram("depths (negative: gaps), relative to size: pairs, by both detectors", all_kinds,
                depths, {", iterative", ", closed"},
                {-1e-2, -1e-4, -1e-6, -1e-8, 0.0, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3})};
  return report;
}

}  // namespace tactus::detail::lab
