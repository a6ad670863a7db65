#include "lab/verdicts.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail::lab {
namespace {

// Verdicts in the plane so near to touching that the checker cannot tell: at most this share.
constexpr double kUnproved = 0.01;
// Moments of a gas are at most so many standard errors off.
constexpr double kStandardErrors = 4.0;
constexpr double kGasMicroseconds = 10.0;
// Piles: at rest, in sizes per second; mean overlap, of size; largest difference of the detectors'
// depths, of size.
constexpr double kAtRest = 0.01, kMeanOverlap = 1e-4, kMeanOverlapOfFew = 2e-4, kDepths = 1e-12;
// Points of solid fraction: how far piles of two detectors may differ (five times the scatter of
// seeds), and by how much one contact point lies denser at least.
constexpr double kAlike = 2.0, kDenser = 1.0;
// Normals of ellipsoids however deep, degrees (the source: 2); an exponent that is 1/2 in theory.
constexpr double kDeepNormal = 1e-6, kSlope = 0.05;
// The source's ratio of a cast of 1e-6 to one of 1e-3.
constexpr double kCastRatio = 2.8;
constexpr double kTracingMilliseconds = 20.0;
// Boxes: of hulls that are searched exactly (needles and plates reach 2.3e-11), of those that
// branch and bound serves, what rounding tells apart, and a time.
constexpr double kExactBox = 1e-10, kSearchedBox = 1e-3, kEqualBoxes = 1e-12, kBoxSeconds = 2.0;
constexpr double kTriangleTests = 24.0;
constexpr double kMostParts = 0.2, kMostPartsBySource = 0.6, kMostSeconds = 60.0;

void add(std::vector<Bar>& bars, const std::vector<Bar>& more) {
  bars.insert(bars.end(), more.begin(), more.end());
}

}  // namespace

std::vector<Bar> bars_of(const PlanarFigures& f) {
  return {
      {"our verdicts refuted by the checker", f.verdicts_refuted, 0.0},
      {"our touches not proved by the checker", f.touches_refuted, 0.0},
      {"our verdicts too near to touching to be proved, share", f.unproved_share, kUnproved},
      {"circles for which the source's rule names other touches than ours", f.other_places, 0.0}};
}

std::vector<Bar> bars_of(const GasFigures& f) {
  return {{f.way + "drift of the energy, relative", f.drift, f.at_most},
          {f.way + "mean off theory, in standard errors", f.off.mean, kStandardErrors},
          {f.way + "median off theory, in standard errors", f.off.median, kStandardErrors},
          {f.way + "skewness off theory, in standard errors", f.off.skewness, kStandardErrors}};
}

Bar bar_of_gas_speed(double microseconds) {
  return {"microseconds of one processor per collision", microseconds, kGasMicroseconds};
}

std::vector<Bar> bars_of(const PileFigures& f) {
  std::vector<Bar> bars;
  if (f.patches) {
    // Too few bodies have no middle to measure.
    const bool known = !std::isnan(f.least) && !std::isnan(f.most);
    bars = {{f.name + ": rms over the last second, sizes per second", f.fastest, kAtRest},
            {f.name + ": mean penetration, of size", f.deepest,
             f.few ? kMeanOverlapOfFew : kMeanOverlap},
            {f.name + ": percent outside of what it fills",
             known ? std::max({0.0, f.expected[0] - f.least, f.most - f.expected[1]}) : 0.0, 0.0}};
  }
  add(bars, {{f.name + ": pairs about which the detectors disagree", f.disagree, 0.0},
             {f.name + ": largest difference of depths, of size", f.difference, kDepths}});
  return bars;
}

Bar bar_of_detectors(const std::string& name, double iterative, double closed, double scatter) {
  const double off = std::fabs(iterative - closed);
  return {name + ": points of solid fraction between search and closed form",
          std::isnan(off) ? 0.0 : off, kAlike * scatter};
}

Bar bar_of_one_point(double one_point, double patches) {
  const double off = patches - one_point;
  return {"cubes: points by which patches lie denser than one contact point",
          std::isnan(off) ? -kDenser : off, -kDenser};
}

std::vector<Bar> bars_of(std::span<const SpeedFigures> rows) {
  double disagree = 0.0, slowest = 0.0;
  for (const SpeedFigures& row : rows) {
    disagree += row.disagree;
    slowest = std::max({slowest, row.slower_iterative, row.slower_closed});
  }
  return {{"answers that disagree", disagree, 0.0},
          {"slowest of our times relative to leemann2017", slowest, 1.0}};
}

std::vector<Bar> bars_of(const BoxFigures& f) {
  return {
      {"volume of the best box above the least, up to 2,000 corners, proved", f.exact, kExactBox},
      {"volume of the best box above the least, more corners, proved", f.searched, kSearchedBox},
      {"volume of the best box above that of another rung", f.above_others, kEqualBoxes},
      {"mean volume along the surface's axes above that along the points'", f.surface - f.points,
       0.0},
      {"mean volume along the surface's axes above that along the corners'", f.surface - f.corners,
       0.0},
      {"seconds of the best box, slowest", f.seconds, kBoxSeconds}};
}

std::vector<Bar> bars_of(const StoppingFigures& f) {
  return {{"our aborts, all eps", f.aborts, 0.0},
          {"our missed collisions, all eps", f.missed, 0.0},
          {"aborts of the literal form, all eps", f.literal_aborts, f.source_aborts},
          {"missed collisions of the literal form, all eps", f.literal_missed, f.source_missed},
          {"largest error of our normals, degrees", f.largest_normal, kDeepNormal},
          {"exponent of eps in the literal form's normal error, off 1/2", std::fabs(f.slope - 0.5),
           kSlope}};
}

std::vector<Bar> bars_of(const CastFigures& f) {
  return {{"time at 1e-6 over time at 1e-3", f.ratio, kCastRatio},
          {"times of contact that are late", f.late, 0.0}};
}

std::vector<Bar> bars_of(std::span<const TracedShape> shapes) {
  std::vector<Bar> bars;
  double wrong = 0.0, slowest = 0.0;
  for (const TracedShape& shape : shapes) {
    bars.push_back({shape.name + ", worst error in pixels", shape.worst, shape.bound});
    wrong += shape.wrong;
    slowest = std::fmax(slowest, shape.milliseconds);
  }
  bars.push_back({"pictures with other numbers of outlines than they have", wrong, 0.0});
  bars.push_back({"milliseconds of the slowest kind", slowest, kTracingMilliseconds});
  return bars;
}

std::vector<Bar> bars_of(const DecompositionFigures& f) {
  return {{"meshes on which modern stays above 0.05", f.missed, 0.0},
          {"parts of modern by those of merge, worst", f.by_merge, kMostParts},
          {"the same where voids do not count for merge", f.by_outside, kMostPartsBySource},
          {"parts of modern by those of cavity, worst", f.by_cavity,
           f.of_files ? kMostPartsBySource : 1.0},
          {"seconds of modern, slowest", f.seconds, kMostSeconds}};
}

std::vector<Bar> bars_of(const LennerzFigures& f) {
  return {
      {"answers that disagree", f.disagree, 0.0},
      {"pairs on which the source's forms come in another order than its own", f.out_of_order, 0.0},
      {"triangle tests of the best form at a gap of 0.1 %", f.nearest, kTriangleTests}};
}

std::vector<Bar> bars_of(const GrainFigures& f) {
  return {
      {"hopper: C of Beverloo's law, from 0.6", std::fabs(f.beverloo_c - 0.6), 0.1},
      {"hopper: k of Beverloo's law, from 1.5", std::fabs(f.beverloo_k - 1.5), 0.5},
      {"hopper: rates off the law, relative", f.beverloo_scatter, 0.05},
      {"repose: degrees from 25, smooth grains", std::fabs(f.repose - 25.0), 5.0},
      {"repose: degrees by which rolling friction makes it less steep", f.repose - f.repose_rolling,
       0.0},
      {"repose: degrees by which adhesion makes it less steep", f.repose - f.repose_sticky, 0.0},
      {"chute: speed at 18 degrees", f.stopped, 1e-2},
      {"chute: tangent off mu(I), worst", f.off_mu, 0.06},
      {"chute: exponent of the steepest profile off 1.5", f.off_exponent, 0.25},
      {"chute: growth of a steady speed, worst", f.growth, 0.25},
      {"compression: critical angle from 20.5 degrees", std::fabs(f.critical - 20.5), 2.5},
      {"compression: peak not above the critical angle, degrees", f.critical - f.peak, 0.0}};
}

std::vector<Bar> bars_of(const KnoblauchFigures& f) {
  return {{"experiments that the continuous test does not see", f.unseen, 0.0},
          {"the very fast tetrahedron, seen by the discrete test", f.seen_late, 0.0},
          {"tetrahedra that pass the membrane, own contacts", f.passed, 0.0},
          {"edges through triangles after a step, own contacts", f.crossings, 0.0},
          {"continuous over discrete, tests alone, five bodies, over the source's ratio",
           f.ratio_of_tests, 1.0},
          {"mean time per step with the continuous test over the source's, worst", f.slower, 1.0}};
}

}  // namespace tactus::detail::lab
