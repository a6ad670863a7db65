#include <algorithm>
#include <cmath>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "tactus/check.hpp"
#include "tactus/classic.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"

// Source: leemann2017, section 3.2 (bisection for the distance from which a library sees contact).

namespace tactus::detail::lab {
namespace {

// Configurations per pair of kinds, and halvings of each bisection: to below an ulp of the shift.
constexpr int kPlaces = 16;
constexpr int kPlacesBySource = 4;
constexpr int kHalvings = 100;
// Detection distance of libccd in leemann2017, relative to size.
constexpr double kSourceDistance = 2e-10;

// Relevance of a refused answer, above that of any band.
constexpr double kRefused = 1e3;

struct Named {
  std::string name;
  Shape shape;
};

std::vector<Named> kinds() {
  constexpr int kCorners = 24;
  std::vector<Vec3> corners;
  corners.reserve(kCorners);
  Random random(7);
  for (int i = 0; i < kCorners; ++i) corners.push_back(fuzz::direction(random));
  return {{"sphere", Sphere(1.0)},        {"box", Box({1.5, 2.0, 1.75})},
          {"capsule", Capsule(0.5, 1.0)}, {"cylinder", Cylinder(0.75, 2.0)},
          {"cone", Cone(1.0, 2.0)},       {"ellipsoid", Ellipsoid({0.5, 0.75, 1.0})},
          {"convex", Convex(corners)}};
}

/// Two bodies, one of which slides along a line.
struct Slide {
  const Settings& settings;
  const Named &a, &b;
  Pose pose_a, pose_b;
  Vec3 along;

  Pose at(double shift) const {
    return detail::unchecked_pose(pose_b.position() + along * shift, pose_b.rotation());
  }
  OverlapResult ask(double shift) const {
    return settings.ask_overlap(a.shape, pose_a, b.shape, at(shift));
  }
  bool apart(double shift) const { return ask(shift).overlap == Overlap::no; }
  bool overlapping(double shift) const { return ask(shift).overlap == Overlap::yes; }
  /// The least shift beyond `low` where `holds`, given that it holds at `high`.
  template <class Holds>
  double border(double low, double high, Holds&& holds) const {
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (holds(middle) ? high : low) = middle;
    }
    return high;
  }
};

struct Finding {
  double gap = 0.0;      ///< from the middle of the band to the first gap seen, relative to size
  double overlap = 0.0;  ///< to the first overlap seen
  int refused = 0;       ///< borders whose answers the checker refuses, or no border at all
};

Finding measure(const Slide& slide, double size, std::vector<Incident>& incidents) {
  Finding found;
  const auto refuse = [&](double shift, const std::string& reason) {
    ++found.refused;
    incidents.push_back({kRefused, reason,
                         io::capture(slide.a.shape, slide.pose_a, slide.b.shape, slide.at(shift))});
  };
  // From concentric bodies outwards; the last overlap and the first gap border what is not decided.
  const double far = 4.0 * size;
  if (!slide.overlapping(0.0) || !slide.apart(far)) {
    refuse(slide.overlapping(0.0) ? far : 0.0, "no border between overlap and gap");
    found.gap = found.overlap = far / size;
    return found;
  }
  const double first_gap = slide.border(0.0, far, [&](double s) { return slide.apart(s); });
  const double no_overlap = slide.border(0.0, far, [&](double s) { return !slide.overlapping(s); });
  // The distance itself at both ends: that of a true gap and of a true overlap.
  const double last_overlap = std::nextafter(no_overlap, 0.0);
  for (const double shift : {first_gap, last_overlap}) {
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const Pose pose_b = slide.at(shift);
    const DistanceResult r =
        slide.settings.ask(slide.a.shape, slide.pose_a, slide.b.shape, pose_b, options);
    (shift == first_gap ? found.gap : found.overlap) = std::fabs(r.distance) / size;
    const CheckReport report =
        check(slide.a.shape, slide.pose_a, slide.b.shape, pose_b, r, &certificate);
    if (!report.ok) refuse(shift, "not proved: " + report.failure);
  }
  // Poses between overlap and gap are undecided: if that band is too wide, report its middle.
  if (std::max(found.gap, found.overlap) > kSourceDistance) {
    incidents.push_back(
        {found.gap + found.overlap, "neither gap nor overlap is seen",
         io::capture(slide.a.shape, slide.pose_a, slide.b.shape,
                     slide.at(0.5 * (no_overlap + first_gap)), {}, io::Ask::overlap)});
  }
  if (!(first_gap >= no_overlap)) refuse(first_gap, "a gap inside of an overlap");
  return found;
}

/// The farthest and the nearest gaps between which each of the source's two computations turns from
/// contact to none, by its own parameters; negative in overlap, relative to size.
struct Seen {
  double gap = -1.0,
         overlap = -1.0;  ///< contact is still seen at this gap, or no longer at this depth

  void add(double distance) {
    gap = std::max(gap, distance);
    overlap = std::max(overlap, -distance);
  }
};

/// One of the source's computations, with its stop parameter.
struct Computation {
  std::string name;
  double eps, margin;
  bool portal;

  bool contact(const Slide& s, double shift) const {
    if (portal) {
      PortalOptions options;
      options.tolerance = eps;
      return portal_depths(s.a.shape, s.pose_a, s.b.shape, s.at(shift), options).overlap;
    }
    PolytopeOptions options;
    options.eps = eps;
    options.margin = margin;
    return polytope_depth(s.a.shape, s.pose_a, s.b.shape, s.at(shift), options).collision;
  }
};

std::vector<Computation> computations() {
  std::vector<Computation> all;
  for (const double eps : {1e-4, 1e-6, 1e-8}) {
    for (const double margin : {0.0, 0.01})
      all.push_back({margin > 0.0 ? "GJK, margin 0.01" : "GJK, no margin", eps, margin, false});
    all.push_back({"MPR", eps, 0.0, true});
  }
  return all;
}

/// Where contact ends for the computation; the default query says how far apart that is.
double last_contact(const Slide& slide, const Computation& by, double size) {
  double low = 0.0, high = 4.0 * size;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (by.contact(slide, middle) ? low : high) = middle;
  }
  return distance(slide.a.shape, slide.pose_a, slide.b.shape, slide.at(low)).distance / size;
}

}  // namespace

Report run_detection_distance(const Settings& settings) {
  Report report;
  report.name = "detection-distance";
  report.title = "Smallest gap and overlap";
  report.text =
      "One body slides away from inside the other along a random line; bisection finds the last "
      "overlap and the first gap that\nthe overlap query proves, 16 places for each pair of kinds "
      "(1.5 to 2 in size). Distances relative to size; between the two\nthe answer is \"touching "
      "within rounding\". leemann2017 (section 3.2) found that libccd sees contact within 2e-10 "
      "(its "
      "lengths\nare absolute). `refused`: places where the checker refuses the answer at a border, "
      "or "
      "the borders cross.";
  Table table;
  table.head = {"pair", "first gap", "first overlap", "libccd in leemann2017", "refused"};
  const std::vector<Named> bodies = kinds();
  const std::vector<Computation> by = computations();
  std::vector<Seen> seen(by.size());
  double worst = 0.0;
  int refused = 0;
  std::uint64_t stream = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i; j < bodies.size(); ++j) {
      const Named &a = bodies[i], &b = bodies[j];
      const double size = io::pair_size(a.shape, b.shape);
      Random random(settings.seed, stream++);
      Finding pair;
      for (int k = 0; k < kPlaces; ++k) {
        const Vec3 along = fuzz::direction(random);
        const Quat turn_a = fuzz::rotation(random);
        const Slide slide{settings, a, b, {{}, turn_a}, {{}, fuzz::rotation(random)}, along};
        if (k < kPlacesBySource) {
          for (std::size_t m = 0; m < by.size(); ++m) seen[m].add(last_contact(slide, by[m], size));
        }
        const Finding found = measure(slide, size, report.incidents);
        pair.gap = std::max(pair.gap, found.gap);
        pair.overlap = std::max(pair.overlap, found.overlap);
        pair.refused += found.refused;
      }
      table.rows.push_back({a.name + "-" + b.name, pair.gap, pair.overlap, kSourceDistance,
                            static_cast<double>(pair.refused)});
      worst = std::max({worst, pair.gap, pair.overlap});
      refused += pair.refused;
    }
  }
  rank(report.incidents);
  report.tables.push_back(std::move(table));
  Table own{"The source's computations, contact is seen up to",
            {"computation", "eps", "gap", "overlap without contact", "leemann2017"},
            {}};
  for (std::size_t m = 0; m < by.size(); ++m)
    own.rows.push_back({by[m].name, by[m].eps, seen[m].gap, seen[m].overlap, kSourceDistance});
  report.tables.push_back(std::move(own));
  report.bars = {{"largest distance not told apart, relative to size", worst, kSourceDistance},
                 {"borders refused", static_cast<double>(refused), 0.0}};
  return report;
}

}  // namespace tactus::detail::lab
