// tactus_peers_broad: update and all pairs of many moving boxes, beside a plain cell list, FCL's
// dynamic tree and Bullet's, one thread.

#ifdef TACTUS_PEER_BULLET
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#endif
#ifdef TACTUS_PEER_FCL
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/sphere.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/core/random.hpp"
#include "tactus/io/format/machine.hpp"

namespace tactus::detail::bench {
namespace {

constexpr double kFill = 0.1;     // volume of the spheres in that of their room
constexpr double kMotion = 0.01;  // way per step in diameters
// Relative to FCL and Bullet, to the cell list from 100,000 bodies on, and of 1M to 1k per body.
constexpr double kGoalTrees = 0.8, kGoalCells = 1.0, kGoalGrowth = 3.5;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Spheres that fly about a cube.
struct Room {
  std::vector<BroadEntry> entries;
  std::vector<double> radii;
  std::vector<Vec3> steps;
  double side = 0.0;

  Room(std::size_t count, double ratio) {
    Random random(1);
    double volume = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      radii.push_back(std::exp(random.uniform(0.0, std::log(ratio))));
      volume += 4.0 / 3.0 * 3.14159265358979 * radii[i] * radii[i] * radii[i];
    }
    side = std::cbrt(volume / kFill);
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 center, way;
      for (int axis = 0; axis < 3; ++axis) {
        center[axis] = random.uniform(0.0, side);
        way[axis] = random.uniform(-1.0, 1.0);
      }
      const Vec3 r{radii[i], radii[i], radii[i]};
      entries.push_back({i, {center - r, center + r}});
      steps.push_back(normalized(way) * (kMotion * 2.0 * radii[i]));
    }
  }
  void move() {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Aabb& box = entries[i].box;
      for (int axis = 0; axis < 3; ++axis) {
        if (box.lower[axis] < 0.0) steps[i][axis] = std::fabs(steps[i][axis]);
        if (box.upper[axis] > side) steps[i][axis] = -std::fabs(steps[i][axis]);
      }
      box.lower += steps[i];
      box.upper += steps[i];
    }
  }
};

/// A contestant: `find` updates its boxes and returns the number of pairs.
class Finder {
 public:
  virtual ~Finder() = default;
  virtual void begin(const Room& room) = 0;
  virtual std::size_t find(const Room& room) = 0;
};

template <class T>
class Ours final : public Finder {
 public:
  explicit Ours(T broad) : broad_(std::move(broad)) {}
  void begin(const Room&) override {}
  std::size_t find(const Room& room) override {
    broad_.find_pairs(room.entries, pairs_);
    return pairs_.size();
  }

 private:
  T broad_;
  std::vector<BroadPair> pairs_;
};

/// A cell list as one writes it in an afternoon: cells as wide as the largest box, a list in each,
/// half of the neighbours visited; the pairs sorted if wanted.
class CellList final : public Finder {
 public:
  explicit CellList(bool sorted) : sorted_(sorted) {}
  void begin(const Room&) override {}
  std::size_t find(const Room& room) override {
    enter(room.entries);
    pairs_.clear();
    for (int z = 0; z < n_[2]; ++z) {
      for (int y = 0; y < n_[1]; ++y) {
        for (int x = 0; x < n_[0]; ++x) visit(room.entries, x, y, z);
      }
    }
    if (sorted_) std::sort(pairs_.begin(), pairs_.end());
    return pairs_.size();
  }

 private:
  void enter(const std::vector<BroadEntry>& entries) {
    Vec3 low = entries[0].box.lower, high = low;
    double size = 0.0;
    for (const BroadEntry& e : entries) {
      size = std::max(size, max_abs(e.box.upper - e.box.lower));
      low = component_min(low, e.box.lower);
      high = component_max(high, e.box.lower);
    }
    size *= 1.0 + 1e-12;
    for (int k = 0; k < 3; ++k) n_[k] = static_cast<int>((high[k] - low[k]) / size) + 1;
    head_.assign(static_cast<std::size_t>(n_[0]) * n_[1] * n_[2], -1);
    next_.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Vec3 place = (entries[i].box.lower - low) / size;
      int& head = head_[cell(static_cast<int>(place.x), static_cast<int>(place.y),
                             static_cast<int>(place.z))];
      next_[i] = head;
      head = static_cast<int>(i);
    }
  }
  std::size_t cell(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * n_[1] + y) * n_[0] + x;
  }
  void visit(const std::vector<BroadEntry>& entries, int x, int y, int z) {
    for (int i = head_[cell(x, y, z)]; i >= 0; i = next_[i]) {
      compare(entries, i, next_[i]);
      for (int d = 14; d < 27; ++d) {
        const int nx = x + d % 3 - 1, ny = y + d / 3 % 3 - 1, nz = z + d / 9 - 1;
        if (nx >= 0 && ny >= 0 && nx < n_[0] && ny < n_[1] && nz < n_[2])
          compare(entries, i, head_[cell(nx, ny, nz)]);
      }
    }
  }
  void compare(const std::vector<BroadEntry>& entries, int i, int first) {
    for (int j = first; j >= 0; j = next_[j]) {
      if (overlaps(entries[i].box, entries[j].box))
        pairs_.push_back(
            {std::min(entries[i].id, entries[j].id), std::max(entries[i].id, entries[j].id)});
    }
  }

  bool sorted_;
  int n_[3] = {1, 1, 1};
  std::vector<int> head_, next_;
  std::vector<BroadPair> pairs_;
};

#ifdef TACTUS_PEER_FCL
class Fcl final : public Finder {
 public:
  void begin(const Room& room) override {
    for (std::size_t i = 0; i < room.entries.size(); ++i) {
      const auto sphere = std::make_shared<fcl::Sphered>(room.radii[i]);
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(sphere));
    }
    place(room);
    std::vector<fcl::CollisionObjectd*> all;
    for (const auto& object : objects_) all.push_back(object.get());
    manager_.registerObjects(all);
    manager_.setup();
  }
  std::size_t find(const Room& room) override {
    place(room);
    manager_.update();
    std::size_t count = 0;
    manager_.collide(&count, [](fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* data) {
      ++*static_cast<std::size_t*>(data);
      return false;
    });
    return count;
  }

 private:
  void place(const Room& room) {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const Aabb& box = room.entries[i].box;
      const Vec3 center = (box.lower + box.upper) * 0.5;
      objects_[i]->setTranslation({center.x, center.y, center.z});
      objects_[i]->computeAABB();
    }
  }
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};
#endif

#ifdef TACTUS_PEER_BULLET
/// Pairs of boxes that it keeps a little larger.
class Bullet final : public Finder {
 public:
  ~Bullet() override {
    for (btBroadphaseProxy* proxy : proxies_) broad_.destroyProxy(proxy, nullptr);
  }
  void begin(const Room& room) override {
    for (const BroadEntry& e : room.entries)
      proxies_.push_back(broad_.createProxy(to_bullet(e.box.lower), to_bullet(e.box.upper), 0, this,
                                            1, -1, nullptr));
  }
  std::size_t find(const Room& room) override {
    for (std::size_t i = 0; i < proxies_.size(); ++i) {
      const Aabb& box = room.entries[i].box;
      broad_.setAabb(proxies_[i], to_bullet(box.lower), to_bullet(box.upper), nullptr);
    }
    broad_.calculateOverlappingPairs(nullptr);
    return static_cast<std::size_t>(broad_.getOverlappingPairCache()->getNumOverlappingPairs());
  }

 private:
  static btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
  btDbvtBroadphase broad_;
  std::vector<btBroadphaseProxy*> proxies_;
};
#endif

struct Measured {
  double ms = std::numeric_limits<double>::quiet_NaN();
  std::size_t pairs = 0;
};

/// Mean time of some steps after the first: a structure may do its work in some steps only.
Measured measure(Finder& finder, std::size_t count, double ratio) {
  Room room(count, ratio);
  finder.begin(room);
  finder.find(room);
  Measured result{0.0, 0};
  const std::size_t steps = std::clamp<std::size_t>(800000 / count, 8, 100);
  for (std::size_t step = 0; step < steps; ++step) {
    room.move();
    const double start = cpu_seconds();
    result.pairs = finder.find(room);
    result.ms += 1e3 * (cpu_seconds() - start) / static_cast<double>(steps);
  }
  return result;
}

void print_cell(double value) {
  if (std::isnan(value)) {
    std::printf(" - |");
  } else {
    std::printf(value < 0.1 ? " %.3f |" : value < 10.0 ? " %.2f |" : " %.0f |", value);
  }
  std::fflush(stdout);
}

/// Does the row keep what is asked? Ratios that are not measured do not count.
bool keeps(double ours, double fcl, double bullet, double cells, std::size_t count) {
  return !(ours > kGoalTrees * fcl) && !(ours > kGoalTrees * bullet) &&
         !(count >= 100000 && ours > kGoalCells * cells);
}

void run(std::size_t most) {
  std::printf(
      "| spheres | number | pairs | Tactus | its tree | its sweep | cell list | sorted | FCL | "
      "Bullet | to FCL | to Bullet | to sorted cells | bar |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const double ratio : {1.0, 100.0}) {
    double smallest = 0.0, largest = 0.0;
    for (std::size_t count = 1000; count <= most; count *= 10) {
      std::printf("| %s | %zu |", ratio > 1.0 ? "radii 1:100" : "equal", count);
      const Measured ours =
          measure(*std::make_unique<Ours<AutoBroadPhase>>(AutoBroadPhase(1)), count, ratio);
      std::printf(" %zu |", ours.pairs);
      print_cell(ours.ms);
      print_cell(measure(*std::make_unique<Ours<DynamicTree>>(DynamicTree(1)), count, ratio).ms);
      Measured sweep, fcl, bullet;
      if (count <= 10000)
        sweep = measure(*std::make_unique<Ours<SweepAndPrune>>(SweepAndPrune()), count, ratio);
      print_cell(sweep.ms);
      print_cell(measure(*std::make_unique<CellList>(false), count, ratio).ms);
      const Measured cells = measure(*std::make_unique<CellList>(true), count, ratio);
      print_cell(cells.ms);
#ifdef TACTUS_PEER_FCL
      fcl = measure(*std::make_unique<Fcl>(), count, ratio);
#endif
      print_cell(fcl.ms);
#ifdef TACTUS_PEER_BULLET
      bullet = measure(*std::make_unique<Bullet>(), count, ratio);
#endif
      print_cell(bullet.ms);
      print_cell(ours.ms / fcl.ms);
      print_cell(ours.ms / bullet.ms);
      print_cell(ours.ms / cells.ms);
      std::printf(" %s |\n",
                  keeps(ours.ms, fcl.ms, bullet.ms, cells.ms, count) ? "kept" : "missed");
      if (cells.pairs != ours.pairs) std::printf("The cell list found %zu pairs.\n", cells.pairs);
      (count == 1000 ? smallest : largest) = ours.ms / static_cast<double>(count);
    }
    std::fprintf(stderr, "%s: per body, the most to 1000: %.2f\n",
                 ratio > 1.0 ? "radii 1:100" : "equal", largest / smallest);
    if (most >= 1000000)
      std::printf("| | | per body, 1M to 1k: | %.2f | | | | | | | | | | %s |\n", largest / smallest,
                  largest <= kGoalGrowth * smallest ? "kept" : "missed");
  }
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int argc, char** argv) {
  std::size_t most = 100000;
  if (argc == 2 && std::strcmp(argv[1], "--million") == 0) {
    most = 1000000;
  } else if (argc == 3 && std::strcmp(argv[1], "--most") == 0) {
    most = std::strtoull(argv[2], nullptr, 10);
  } else if (argc != 1) {
    std::fprintf(stderr, "usage: tactus_peers_broad [--million | --most N]\n");
    return 2;
  }
  std::printf(
      "# Speed of the broad phase\n\n"
      "Printed by `tactus_peers_broad%s` (`make bench`) on %s, %s.\n\n"
      "Milliseconds of processor time, one thread, for the update of all boxes and all pairs; the "
      "mean of several steps. Spheres fill 10 %% of a cube and move by 1 %% of their diameter per "
      "step; they are equal, or their radii lie between 1 and 100, uniform in the logarithm.\n"
      "Tactus is `AutoBroadPhase`: pairs ordered by ids. The cell list is a plain one (cells as "
      "wide as the largest box, a linked list in each): its pairs come in no order, or sorted by "
      "the standard library. FCL is its dynamic tree with `update()`, which counts the pairs in a "
      "callback; Bullet its `btDbvtBroadphase`, which keeps the pairs of slightly larger boxes.\n"
      "The bar: at most %.1f of FCL and of Bullet; at most %.1f of the sorted cell list from "
      "100,000 spheres on; per sphere at 1M at most %.1f times that at 1k.\n\n",
      most == 1000000 ? " --million" : "", tactus::io::today().c_str(),
      tactus::io::machine_name().c_str(), tactus::detail::bench::kGoalTrees,
      tactus::detail::bench::kGoalCells, tactus::detail::bench::kGoalGrowth);
  tactus::detail::bench::run(most);
  return 0;
}
