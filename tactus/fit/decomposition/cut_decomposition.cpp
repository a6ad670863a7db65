#include "tactus/fit/decomposition/cut_decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core.hpp"
#include "tactus/math/symmetric_eigen.hpp"

namespace tactus::detail::fit {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Planes per direction; rounds of refinement, of the best few planes; parts thinner than this (of
// the unit) are not cut across.
constexpr int kSteps = 10;
constexpr int kRounds = 2;
constexpr std::size_t kRefined = 3;
constexpr double kThin = 0.02;
// Cuts take off no thinner slices, of the unit: they would never end where the coarse estimate sees
// an error that is none.
constexpr double kSlice = 0.002;
// Weight of the hulls' volume, which must shrink to the body's, beside that of 1 for the error
// above the bound; both in the unit.
constexpr double kVolumeWeight = 0.3;
constexpr int kTurns = 8;

struct Candidate {
  Plane plane;
  double cost = kNever;
};

struct Range {
  double low, high;
};

Range range_along(const ConvexHull& hull, const Vec3& direction) {
  Range r{kNever, -kNever};
  for (const Vec3& v : hull.vertices) {
    r.low = std::min(r.low, dot(direction, v));
    r.high = std::max(r.high, dot(direction, v));
  }
  return r;
}

bool cuts_a_slice(const PartJudge& judge, const Part& part, const Plane& plane) {
  const Range r = range_along(part.hull, plane.normal);
  return std::min(plane.offset - r.low, r.high - plane.offset) < kSlice * judge.unit();
}

void sort_by_cost(std::vector<Candidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& x, const Candidate& y) { return x.cost < y.cost; });
}

class Search {
 public:
  Search(const PartJudge& judge, int threads, const std::atomic<bool>* cancel)
      : judge_(judge), threads_(threads), cancel_(cancel) {}

  std::optional<Plane> best(const Part& part) const {
    std::vector<Candidate> found = try_all(part, planes(part));
    for (int round = 0; round < kRounds && !found.empty(); ++round) {
      const std::vector<Candidate> finer = try_all(part, between(part, found, round));
      found.insert(found.end(), finer.begin(), finer.end());
      sort_by_cost(found);
    }
    while (!found.empty() && found.back().cost == kNever) found.pop_back();
    if (found.empty()) return std::nullopt;
    return found.front().plane;
  }

 private:
  // Measure of how much parts still have to be cut: volume of their hulls, error above the bound.
  // The largest error counts, not the sum: else slices that are nothing but harmless would be
  // better than halves that both want another cut.
  struct Left {
    double volume = 0.0, error = 0.0;
    double cost() const { return kVolumeWeight * volume + error; }
    void add(const Left& other) {
      volume += other.volume;
      error = std::max(error, other.error);
    }
  };

  Left left(const Part& part) const {
    const double u = judge_.unit();
    return {part.error.volume / (u * u * u), std::max(0.0, part.error.worst() - part.allowed) / u};
  }

  // A part that falls apart counts as what it falls into.
  Left left_in_pieces(const Part& part) const {
    const Left whole = left(part);
    if (part.good()) return whole;
    Left sum;
    for (const Part& island : judge_.islands(part, true)) sum.add(left(island));
    return sum.volume > 0.0 && sum.cost() < whole.cost() ? sum : whole;
  }

  double cost_after(const Part& part, const Plane& plane) const {
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return kNever;
    if (cuts_a_slice(judge_, part, plane)) return kNever;
    const auto [below, above] = judge_.split(part, plane);
    if (below.hull.vertices.empty() || above.hull.vertices.empty()) return kNever;
    Left both = left_in_pieces(below);
    both.add(left_in_pieces(above));
    return both.cost();
  }

  // Cheapest first.
  std::vector<Candidate> try_all(const Part& part, const std::vector<Plane>& planes) const {
    std::vector<Candidate> candidates(planes.size());
    parallel_for(
        planes.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            candidates[i] = {planes[i], cost_after(part, planes[i])};
        },
        threads_);
    sort_by_cost(candidates);
    return candidates;
  }

  std::vector<Plane> planes(const Part& part) const {
    std::vector<Plane> all;
    for (const Vec3& normal : directions(part)) {
      const Range r = range_along(part.hull, normal);
      if (r.high - r.low < kThin * judge_.unit()) continue;
      for (int i = 1; i <= kSteps; ++i)
        all.push_back({normal, r.low + (r.high - r.low) * i / (kSteps + 1)});
      if (part.error.fill > part.allowed) all.push_back({normal, dot(normal, part.error.fill_at)});
      if (part.error.bulge > part.allowed)
        all.push_back({normal, dot(normal, part.error.bulge_at)});
    }
    return all;
  }

  // On both sides of the best planes, nearer from round to round.
  std::vector<Plane> between(const Part& part, const std::vector<Candidate>& best,
                             int round) const {
    std::vector<Plane> all;
    for (std::size_t i = 0; i < std::min(kRefined, best.size()); ++i) {
      const Plane& plane = best[i].plane;
      const Range r = range_along(part.hull, plane.normal);
      const double step = (r.high - r.low) / (kSteps + 1) / (round == 0 ? 2.0 : 6.0);
      all.push_back({plane.normal, plane.offset - step});
      all.push_back({plane.normal, plane.offset + step});
    }
    return all;
  }

  static std::vector<Vec3> directions(const Part& part) {
    std::vector<Vec3> all{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const std::vector<Vec3>& points = part.hull.vertices;
    Vec3 mean;
    for (const Vec3& p : points) mean += p;
    mean = mean / static_cast<double>(points.size());
    Mat3 spread = Mat3::zero();
    for (const Vec3& p : points) spread = spread + outer(p - mean, p - mean);
    const Mat3 axes = symmetric_eigen(spread).vectors;
    for (int k = 0; k < 3; ++k) all.push_back(axes.column(k));
    return all;
  }

  const PartJudge& judge_;
  int threads_;
  const std::atomic<bool>* cancel_;
};

// Across the longest side of the box about the axes.
std::optional<Plane> through_middle(const PartJudge& judge, const Part& part) {
  std::optional<Plane> best;
  double longest = 4.0 * kSlice * judge.unit();
  for (int k = 0; k < 3; ++k) {
    Vec3 normal;
    normal[k] = 1.0;
    const Range r = range_along(part.hull, normal);
    if (r.high - r.low <= longest) continue;
    longest = r.high - r.low;
    best = Plane{normal, 0.5 * (r.low + r.high)};
  }
  return best;
}

std::optional<Plane> through_cavity(const PartJudge& judge, const Part& part) {
  const bool open = part.error.bulge > part.error.fill;
  const Vec3 at = open ? part.error.bulge_at : part.error.fill_at;
  const Vec3 up = open ? part.error.bulge_normal : part.error.fill_normal;
  const Vec3 first = any_perpendicular(up), second = cross(up, first);
  std::optional<Plane> best;
  double least = kNever;
  for (int turn = 0; turn < kTurns; ++turn) {
    // A walk around the square instead of the circle: no sines.
    const double s = 4.0 * turn / kTurns - 1.0;
    const Vec3 normal = normalized(s < 1.0 ? first * s + second : first - second * (s - 2.0));
    const Plane plane{normal, dot(normal, at)};
    if (cuts_a_slice(judge, part, plane)) continue;
    const auto [below, above] = judge.split(part, plane);
    if (below.hull.vertices.empty() || above.hull.vertices.empty()) continue;
    const double error = std::max(below.error.worst(), above.error.worst());
    if (error < least) {
      least = error;
      best = plane;
    }
  }
  return best ? best : through_middle(judge, part);
}

}  // namespace

ChoosePlane plane_by_search(const PartJudge& judge, int threads, const std::atomic<bool>* cancel) {
  return [search = Search(judge, threads, cancel)](const Part& part) { return search.best(part); };
}

ChoosePlane plane_through_cavity(const PartJudge& judge) {
  return [&judge](const Part& part) { return through_cavity(judge, part); };
}

void cut_parts(const PartJudge& judge, const ChoosePlane& choose, std::size_t at_most,
               const std::function<bool(const std::vector<Part>&)>& go_on,
               std::vector<Part>& parts) {
  while (parts.size() < at_most && go_on(parts)) {
    Part* worst = nullptr;
    for (Part& part : parts) {
      if (part.good() || part.stuck) continue;
      if (worst == nullptr || part.error.worst() > worst->error.worst()) worst = &part;
    }
    if (worst == nullptr) return;
    std::vector<Part> pieces = judge.islands(*worst);
    if (pieces.empty()) {
      const std::optional<Plane> plane = choose(*worst);
      if (!plane) {
        worst->stuck = true;
        continue;
      }
      auto [below, above] = judge.split(*worst, *plane);
      pieces.push_back(std::move(below));
      pieces.push_back(std::move(above));
    }
    *worst = std::move(pieces[0]);
    parts.insert(parts.end(), std::make_move_iterator(pieces.begin() + 1),
                 std::make_move_iterator(pieces.end()));
  }
}

}  // namespace tactus::detail::fit
