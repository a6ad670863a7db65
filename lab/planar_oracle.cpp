#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "lab/experiment.hpp"
#include "lab/planar_cases.hpp"
#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/core/random.hpp"
#include "tactus/planar.hpp"

// Source: docs/algorithms/planar-depth.md.

namespace tactus::detail::lab {
namespace {

// Per index: circles against contours, and pairs of regions asked for overlap and distance.
constexpr int kCircles = 100, kRegions = 10;
// Allowed error of places and depths, and width of brackets, relative to the size.
constexpr long double kPlace = 1e-14L, kWidth = 1e-12L;
// Touches so near the reach, relative to the size, may be there or not.
constexpr long double kUnsure = 1e-14L;
constexpr std::size_t kGrain = 4;

/// Counts and worst error of one kind of case.
struct Found {
  double cases = 0.0, positive = 0.0, wrong = 0.0, wide = 0.0;
  long double worst = 0.0L;  ///< error, or width of a bracket, relative to the size

  Found& operator+=(const Found& o) {
    cases += o.cases;
    positive += o.positive;
    wrong += o.wrong;
    wide += o.wide;
    worst = std::max(worst, o.worst);
    return *this;
  }
};

enum Kind : std::uint8_t {
  touching_circles,
  overlapping_circles,
  overlapping_regions,
  overlapping_turned,
  distance_of_regions,
  distance_turned,
  depth_of_regions,
  depth_turned,
  kind_count
};

struct Tally {
  std::array<Found, kind_count> found;
  std::vector<Incident> incidents;

  Tally& operator+=(Tally&& o) {
    for (std::size_t k = 0; k < found.size(); ++k) found[k] += o.found[k];
    incidents.insert(incidents.end(), o.incidents.begin(), o.incidents.end());
    return *this;
  }
};

std::string text_of(double v) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", v);
  return buffer;
}
std::string text_of(std::span<const Vec2> points) {
  std::string out = "[";
  for (const Vec2& p : points) {
    out += (out.size() > 1 ? ",[" : "[") + text_of(p.x) + "," + text_of(p.y) + "]";
  }
  return out + "]";
}
std::string text_of(const Region& region) {
  std::string out = R"({"type":"region","outer":)" + text_of(region.contours()[0].points());
  for (std::size_t k = 1; k < region.contours().size(); ++k) {
    out += (k == 1 ? ",\"holes\":[" : ",") + text_of(region.contours()[k].points());
  }
  return out + (region.contours().size() > 1 ? "]}" : "}");
}
std::string pose_text(const Vec2& at, double angle) {
  return "[" + text_of(at.x) + "," + text_of(at.y) + "," + text_of(angle) + "]";
}

// The touches in their order; those within `unsure` of the reach may be missing.
bool same_touches(const std::vector<Touch>& found, const std::vector<TrueTouch>& truth,
                  const Scale& scale, double radius, const GridPoint& offset, long double size,
                  long double& worst) {
  std::size_t i = 0;
  for (const TrueTouch& t : truth) {
    if (i < found.size() && found[i].segment == t.segment) {
      const Touch& f = found[i++];
      if (f.kind != t.kind && !t.kind_optional) return false;
      const long double far =
          static_cast<long double>(std::max(std::llabs(offset.x), std::llabs(offset.y)));
      const long double x = scale.back(f.point.x) - static_cast<long double>(offset.x) - t.x;
      const long double y = scale.back(f.point.y) - static_cast<long double>(offset.y) - t.y;
      const long double depth = scale.back(radius) - t.distance - scale.back(f.depth);
      // Places of the world round with the offset, depths do not.
      worst = std::max({worst, std::fabs(x) / (size + far), std::fabs(y) / (size + far),
                        std::fabs(depth) / size, std::fabs(scale.back(f.part) - t.part) / size});
      if (std::fabs(std::hypot(f.normal.x, f.normal.y) - 1.0) > 1e-15) return false;
    } else if (!t.optional) {
      return false;
    }
  }
  return i == found.size();
}

void judge_circle(Random& random, Tally& tally) {
  constexpr int kBits[] = {kCoarse, kSmall, kMiddle, kFine};
  const int bits = kBits[random.below(4)];
  constexpr int kExponents[] = {0, 100, -100, -290};
  const std::uint32_t choice = random.below(8);
  const Scale scale(choice < 4 ? kExponents[choice] : -bits);
  const GridRing ring = any_contour(random, bits);
  if (std::all_of(ring.begin(), ring.end(), [&](const GridPoint& p) { return p == ring[0]; })) {
    return;
  }
  const bool closed = random.below(2) == 0;
  const GridPoint centre = any_centre(random, ring, bits);
  // 1e4 times the size away, where the sums are still doubles.
  const std::int64_t far = bits < kFine && random.below(4) == 0 ? (std::int64_t{10007} << bits) : 0;
  const GridPoint offset{far, -far};
  const std::int64_t reach = in_grid(random, bits) / (1 + random.below(8));
  const double radius = scale(reach);
  long double size = static_cast<long double>(reach);
  for (const GridPoint& p : {centre, ring[0]}) {
    size = std::max(
        {size, std::fabs(static_cast<long double>(p.x)), std::fabs(static_cast<long double>(p.y))});
  }
  for (const GridPoint& p : ring) {
    size = std::max(
        {size, std::fabs(static_cast<long double>(p.x)), std::fabs(static_cast<long double>(p.y))});
  }
  const Contour contour(scale(ring), closed, Crossings::accept);
  const Pose2 pose(scale(offset), 0.0), at(scale(plus(centre, offset)), 0.0);
  std::vector<Touch> touched;
  touches(Circle(radius), at, contour, pose, touched);
  const auto truth =
      true_touches(ring, closed, centre, static_cast<long double>(reach), kUnsure * size);
  Found& found = tally.found[touching_circles];
  found.cases += 1.0;
  found.positive += touched.empty() ? 0.0 : 1.0;
  long double worst = 0.0L;
  const bool same = same_touches(touched, truth, scale, radius, offset, size, worst);
  found.worst = std::max(found.worst, worst);
  bool wrong = !same || !(worst <= kPlace);
  found.wrong += wrong ? 1.0 : 0.0;

  Found& overlapping = tally.found[overlapping_circles];
  const bool truly = true_circle_overlap(ring, closed, centre, reach);
  const bool told = overlap(Circle(radius), at, contour, pose);
  overlapping.cases += 1.0;
  overlapping.positive += truly ? 1.0 : 0.0;
  overlapping.wrong += told != truly ? 1.0 : 0.0;
  wrong = wrong || told != truly;
  if (!wrong) return;
  tally.incidents.push_back(
      {1.0, told != truly ? "overlap of a circle" : "touches",
       R"({"a":{"type":"circle","radius":)" + text_of(radius) + R"(},"pose_a":)" +
           pose_text(at.position(), 0.0) + R"(,"b":{"type":"contour","closed":)" +
           (closed ? "true" : "false") + R"(,"points":)" + text_of(contour.points()) +
           R"(},"pose_b":)" + pose_text(pose.position(), 0.0) + R"(,"ask":"touches"})"});
}

// --- regions ---

void note(Tally& tally, const char* reason, const Region& a, const Vec2& at_a, double angle_a,
          const Region& b, const Vec2& at_b, double angle_b, const char* ask) {
  tally.incidents.push_back({1.0, reason,
                             R"({"a":)" + text_of(a) + R"(,"pose_a":)" + pose_text(at_a, angle_a) +
                                 R"(,"b":)" + text_of(b) + R"(,"pose_b":)" +
                                 pose_text(at_b, angle_b) + R"(,"ask":")" + ask + R"("})"});
}

// The bracket holds the truth, and is no wider than need be.
bool judge_bracket(long double lower, long double upper, long double truth, long double size,
                   Found& found) {
  const long double slack = 1e-18L * size;
  const bool right = lower <= truth + slack && truth - slack <= upper;
  found.wrong += right ? 0.0 : 1.0;
  found.wide += upper - lower > kWidth * size ? 1.0 : 0.0;
  if (upper - lower <= kWidth * size) found.worst = std::max(found.worst, (upper - lower) / size);
  return right;
}

void judge_region(Random& random, Tally& tally) {
  const std::uint32_t grid = random.below(8);
  const int bits = grid < 3 ? kCoarse : (grid < 7 ? kSmall : kFine);
  const Pair p = any_pair(random, bits, random.below(2) == 0);
  constexpr int kExponents[] = {0, 80, -80};
  const std::uint32_t exponent = random.below(6);
  const Scale scale(exponent < 3 ? kExponents[exponent] : -bits);
  const Region a = scale(p.a), b = scale(p.b);
  const std::int64_t far = bits < kFine && random.below(4) == 0 ? (std::int64_t{10007} << bits) : 0;
  const GridPoint offset{-far, far};
  const Pose2 pose_a(scale(offset), 0.0), pose_b(scale(plus(p.shift, offset)), 0.0);
  const GridRings b_there = moved(p.b, p.shift);
  const bool truth = true_overlap(p.a, b_there, bits <= kSmall);
  Found& found = tally.found[overlapping_regions];
  found.cases += 1.0;
  found.positive += truth ? 1.0 : 0.0;
  const bool told = overlap(a, pose_a, b, pose_b);
  if (told != truth) {
    found.wrong += 1.0;
    note(tally, "overlap", a, pose_a.position(), 0.0, b, pose_b.position(), 0.0, "overlap");
  }
  if (truth) return;
  Found& apart = tally.found[distance_of_regions];
  const PlanarResult r = distance(a, pose_a, b, pose_b);
  const long double right = true_distance(p.a, b_there);
  const long double size = std::max(size_of(p.a), size_of(p.b)) + right;
  apart.cases += 1.0;
  apart.positive += right == 0.0L ? 1.0 : 0.0;
  if (!judge_bracket(scale.back(r.lower), scale.back(r.upper), right, size, apart) ||
      r.lower > r.distance || r.distance > r.upper) {
    note(tally, "distance", a, pose_a.position(), 0.0, b, pose_b.position(), 0.0, "distance");
  }
}

void judge_depth(Random& random, Tally& tally) {
  const int bits = random.below(2) == 0 ? kCoarse : kSmall;
  const Pair p = any_pair(random, bits, false);
  const Scale scale(-bits);
  const Region a = scale(p.a), b = scale(p.b);
  const Pose2 pose_b(scale(p.shift), 0.0);
  const GridRings b_there = moved(p.b, p.shift);
  const PlanarResult r = distance(a, {}, b, pose_b);
  if (!(r.distance < 0.0)) return;
  const long double size = std::max(size_of(p.a), size_of(p.b));
  // The reference searches up to the answer's upper bound, and is infinite where that is too small.
  const long double upper = scale.back(-r.lower), lower = scale.back(-r.upper);
  const long double truth = true_depth(p.a, b_there, upper * (1.0L + 1e-12L) + 1e-12L * size, true);
  Found& found = tally.found[depth_of_regions];
  found.cases += 1.0;
  found.positive += r.status == Status::converged ? 1.0 : 0.0;
  if (!judge_bracket(lower, upper, truth, size, found)) {
    note(tally, "depth", a, {}, 0.0, b, pose_b.position(), 0.0, "distance");
  }
}

// Whole numbers of 2^-56, where the coordinates are that.
constexpr int kTurned = 56;
bool to_grid(const Vec2& v, GridPoint& out) {
  const double x = std::ldexp(v.x, kTurned), y = std::ldexp(v.y, kTurned);
  out = {static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)};
  return std::fabs(x) < 1e18 && std::fabs(y) < 1e18 && static_cast<double>(out.x) == x &&
         static_cast<double>(out.y) == y;
}

struct Real2 {
  long double x, y;
};

Real2 placed(const Pose2& pose, const Vec2& p) {
  const long double c = pose.cosine(), s = pose.sine(), x = p.x, y = p.y;
  return {c * x - s * y + static_cast<long double>(pose.position().x),
          s * x + c * y + static_cast<long double>(pose.position().y)};
}

long double point_distance(const Real2& p, const Real2& q0, const Real2& q1) {
  const long double ux = q1.x - q0.x, uy = q1.y - q0.y, px = p.x - q0.x, py = p.y - q0.y;
  const long double t = std::clamp((px * ux + py * uy) / (ux * ux + uy * uy), 0.0L, 1.0L);
  return std::hypot(px - t * ux, py - t * uy);
}

long double turned_distance(const Region& a, const Pose2& pose_a, const Region& b,
                            const Pose2& pose_b) {
  const auto segments = [](const Region& region, const Pose2& pose) {
    std::vector<std::array<Real2, 2>> out;
    for (const Contour& c : region.contours()) {
      for (std::size_t i = 0; i < c.segments(); ++i) {
        out.push_back({placed(pose, c.start(i)), placed(pose, c.end(i))});
      }
    }
    return out;
  };
  const auto of_a = segments(a, pose_a), of_b = segments(b, pose_b);
  long double least = std::numeric_limits<long double>::infinity();
  for (const auto& s : of_a) {
    for (const auto& r : of_b) {
      least = std::min({least, point_distance(s[0], r[0], r[1]), point_distance(s[1], r[0], r[1]),
                        point_distance(r[0], s[0], s[1]), point_distance(r[1], s[0], s[1])});
    }
  }
  return least;
}

// Both turned: overlap and depth are those of B's corners as they are rounded into A's frame.
void judge_turned(Random& random, bool deep, Tally& tally) {
  const Pair p = any_pair(random, random.below(2) == 0 ? kCoarse : kSmall, !deep);
  const Scale scale(-p.bits);
  const Region a = scale(p.a), b = scale(p.b);
  constexpr double kQuarter = kTwoPi / 4.0;
  const double turn_a = random.below(3) == 0 ? kQuarter : random.uniform(-4.0, 4.0);
  const double turn_b = random.below(3) == 0 ? kQuarter : random.uniform(-4.0, 4.0);
  const Vec2 at = scale(p.shift);
  const Pose2 pose_a(Vec2{0.25, -0.5}, turn_a), pose_b(Vec2{0.25, -0.5} + at, turn_b);
  const Pose2 pose = Pose2::relative(pose_a, pose_b);
  GridRings a_there, b_there;
  GridPoint shift;
  bool exact = to_grid(pose.position(), shift);
  for (const Contour& c : a.contours()) {
    a_there.emplace_back();
    for (const Vec2& v : c.points()) exact = to_grid(v, a_there.back().emplace_back()) && exact;
  }
  for (const Contour& c : b.contours()) {
    b_there.emplace_back();
    for (const Vec2& v : c.points()) {
      GridPoint& q = b_there.back().emplace_back();
      exact = to_grid(pose.turned() ? pose.direction_to_world(v) : v, q) && exact;
      q = plus(q, shift);
    }
  }
  if (!exact) return;
  const PlanarResult r = distance(a, pose_a, b, pose_b);
  if (deep) {
    if (!(r.distance < 0.0)) return;
    const Scale back(-kTurned);
    const long double size = size_of(a_there);
    const long double upper = back.back(-r.lower), lower = back.back(-r.upper);
    const long double truth =
        true_depth(a_there, b_there, upper * (1.0L + 1e-12L) + 1e-12L * size, false);
    Found& found = tally.found[depth_turned];
    found.cases += 1.0;
    found.positive += r.status == Status::converged ? 1.0 : 0.0;
    if (!judge_bracket(lower, upper, truth, size, found)) {
      note(tally, "depth, turned", a, pose_a.position(), turn_a, b, pose_b.position(), turn_b,
           "distance");
    }
    return;
  }
  const bool truth = true_overlap(a_there, b_there, false);
  const bool told = overlap(a, pose_a, b, pose_b);
  Found& found = tally.found[overlapping_turned];
  found.cases += 1.0;
  found.positive += truth ? 1.0 : 0.0;
  if (told != truth) {
    found.wrong += 1.0;
    note(tally, "overlap, turned", a, pose_a.position(), turn_a, b, pose_b.position(), turn_b,
         "overlap");
  }
  if (truth) return;
  Found& apart = tally.found[distance_turned];
  const long double right = turned_distance(a, pose_a, b, pose_b);
  apart.cases += 1.0;
  if (!judge_bracket(r.lower, r.upper, right, 1.0L + right, apart)) {
    note(tally, "distance, turned", a, pose_a.position(), turn_a, b, pose_b.position(), turn_b,
         "distance");
  }
}

void judge(std::uint64_t seed, std::uint64_t index, Tally& tally) {
  Random random(seed * 1000003ULL + 17ULL, index);
  for (int k = 0; k < kCircles; ++k) judge_circle(random, tally);
  for (int k = 0; k < kRegions; ++k) judge_region(random, tally);
  judge_turned(random, false, tally);
  judge_depth(random, tally);
  if (index % 4 == 0) judge_turned(random, true, tally);
}

Report report_of(const Settings& settings, Tally&& tally) {
  Report report;
  report.name = "planar-oracle";
  report.title = "Answers in the plane beside exact references";
  report.text =
      "Seed " + std::to_string(settings.seed) + ", " + std::to_string(settings.pairs) +
      " times: " + std::to_string(kCircles) + " circles against contours, " +
      std::to_string(kRegions) +
      " pairs of regions for overlap and distance, one of overlapping regions for its depth, one "
      "turned,\nand every fourth time the depth of a turned one. The references decide by whole "
      "numbers (`lab/planar_truth.hpp`): touches segment by segment, overlap by all\npieces of "
      "both boundaries, depth by the differences of all pairs of triangles. Grids of 3, 15, 36 and "
      "51 bits, scales of 2^-290 to 2^100, circles and regions up to\n1e4 sizes from the origin. "
      "*wrong*: another verdict, kind or order, a place or depth off by more than 1e-14 of the "
      "size, or a bracket without the truth. *wide*:\nbrackets above 1e-12 of the size. *worst*: "
      "error, or width of the brackets that are not wide, relative to the size.";
  const char* names[] = {"touches of circles", "overlap of circles", "overlap", "overlap, turned",
                         "distance",           "distance, turned",   "depth",   "depth, turned"};
  const char* counted[] = {"touching", "overlapping", "overlapping", "overlapping",
                           "touching", "-",           "converged",   "converged"};
  Table table{"Cases", {"question", "cases", "of these", "", "wrong", "wide", "worst"}, {}};
  for (std::size_t k = 0; k < tally.found.size(); ++k) {
    const Found& f = tally.found[k];
    table.rows.push_back(
        {names[k], f.cases, f.positive, counted[k], f.wrong, f.wide, static_cast<double>(f.worst)});
    report.bars.push_back({std::string(names[k]) + ", wrong", f.wrong, 0.0});
  }
  report.bars.push_back(
      {"wide depths", tally.found[depth_of_regions].wide + tally.found[depth_turned].wide, 0.0});
  report.tables = {table};
  report.incidents = std::move(tally.incidents);
  rank(report.incidents);
  return report;
}

}  // namespace

Report run_planar_oracle(const Settings& settings) {
  constexpr std::size_t kRound = 256;
  Tally all;
  for (std::uint64_t first = 0; first < settings.pairs; first += kRound) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(kRound, settings.pairs - first));
    std::vector<Tally> chunks((size + kGrain - 1) / kGrain);
    parallel_for(
        size, kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            judge(settings.seed, first + i, chunks[begin / kGrain]);
          }
        },
        settings.threads);
    for (Tally& chunk : chunks) all += std::move(chunk);
    settings.progress(first + size, settings.pairs);
  }
  return report_of(settings, std::move(all));
}

}  // namespace tactus::detail::lab
