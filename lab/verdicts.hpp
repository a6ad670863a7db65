#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/report.hpp"
#include "lab/speeds.hpp"

/// The verdicts of experiments as functions of what they have counted, so that tests can hand in
/// figures that must fail.
namespace tactus::detail::lab {

/// `planar`: sums over all kinds of contours.
struct PlanarFigures {
  double verdicts_refuted = 0.0;  ///< overlaps and gaps of ours that the checker refutes
  double touches_refuted = 0.0;   ///< circles whose touches the checker does not prove
  double unproved_share = 0.0;    ///< of the verdicts, too near to touching
  double other_places = 0.0;      ///< circles for which the source's rule names other touches
};
std::vector<Bar> bars_of(const PlanarFigures& figures);

/// `gas`: one way to move it.
struct GasFigures {
  std::string way;       ///< put before the names of the bars
  Moments off;           ///< theory, in standard errors at fixed energy
  double drift = 0.0;    ///< of the energy, relative
  double at_most = 0.0;  ///< the drift that is allowed
};
std::vector<Bar> bars_of(const GasFigures& figures);
/// Microseconds of one processor per collision.
Bar bar_of_gas_speed(double microseconds);

/// `pile`: one kind of bodies, moved in one way; worst over the seeds, NaN where it does not apply.
struct PileFigures {
  std::string name;      ///< of bodies and way
  bool patches = true;   ///< all contact points, as by default, instead of one
  double fastest = 0.0;  ///< rms speed over the last second, sizes per second
  double least = 0.0;    ///< solid fraction, percent
  double most = 0.0;
  double deepest = 0.0;     ///< mean penetration, of size
  double disagree = 0.0;    ///< pairs about which the detectors disagree
  double difference = 0.0;  ///< largest between their depths, of size
  double expected[2] = {};  ///< the fraction lies between these, percent
  bool few = false;         ///< so few bodies that one wedge between the walls may load them all
};
/// A pile of one contact point for each pair is only asked whether the detectors agree: the
/// source's conjecture says that it is worse.
std::vector<Bar> bars_of(const PileFigures& figures);
/// Solid fractions in percent of the same bodies: by search and by closed form they are alike
/// within 2 points times `scatter`, one contact point lies denser than patches. NaN: too few
/// bodies.
Bar bar_of_detectors(const std::string& name, double iterative, double closed, double scatter);
Bar bar_of_one_point(double one_point, double patches);

/// `table10`: one row.
struct SpeedFigures {
  std::string name;
  double disagree = 0.0;          ///< pairs on which search and closed form disagree
  double slower_iterative = 0.0;  ///< our time over the source's
  double slower_closed = 0.0;
};
std::vector<Bar> bars_of(std::span<const SpeedFigures> rows);

/// `boxes`: worst and mean values over all bodies.
struct BoxFigures {
  double exact =
      0.0;  ///< volume above what is proved to be the least, hulls of up to 2,000 corners
  double searched = 0.0;      ///< the same beyond
  double above_others = 0.0;  ///< volume of the best box above that of another rung
  /// Mean volumes over the best: along the principal axes of the points, of the hull's corners, of
  /// the hull's surface.
  double points = 1.0, corners = 1.0, surface = 1.0;
  double seconds = 0.0;  ///< of the best box, slowest body
};
std::vector<Bar> bars_of(const BoxFigures& figures);

/// `stopping`: sums over all eps, and worst values.
struct StoppingFigures {
  double aborts = 0.0, missed = 0.0;  ///< ours
  /// Counts of the literal form, and those of the source for its own pairs.
  double literal_aborts = 0.0, literal_missed = 0.0;
  double source_aborts = 0.0, source_missed = 0.0;
  double largest_normal = 0.0;  ///< error of ours, degrees
  double slope = 0.5;           ///< exponent of eps in the literal form's normal error
};
std::vector<Bar> bars_of(const StoppingFigures& figures);

/// `cast-tolerance`: worst over the kinds of bodies.
struct CastFigures {
  double ratio = 0.0;  ///< time of a cast at 1e-6 over that at 1e-3
  double late = 0.0;   ///< by how much a time of contact is late
};
std::vector<Bar> bars_of(const CastFigures& figures);

/// `tracing`: one kind of shape.
struct TracedShape {
  std::string name;
  double worst = 0.0, bound = 0.0;  ///< pixels
  double wrong = 0.0;               ///< pictures with another number of outlines
  double milliseconds = 0.0;
};
std::vector<Bar> bars_of(std::span<const TracedShape> shapes);

/// `decomposition`: worst over all meshes.
struct DecompositionFigures {
  double missed = 0.0;      ///< meshes on which ours stays above the wanted concavity
  double by_merge = 0.0;    ///< parts of ours over those of the bottom-up method
  double by_outside = 0.0;  ///< the same where its voids do not count
  double by_cavity = 0.0;   ///< over those of the cuts at cavities
  double seconds = 0.0;     ///< of ours
  bool of_files = true;     ///< false: of bodies made for want of files
};
std::vector<Bar> bars_of(const DecompositionFigures& figures);

/// `lennerz`: sums and worst values over all cases.
struct LennerzFigures {
  double disagree = 0.0;      ///< distances that differ between two searches
  double out_of_order = 0.0;  ///< pairs of bodies on which the source's forms come in another order
  double nearest = 0.0;       ///< triangle tests of our best form at a gap of 0.1 %
};
std::vector<Bar> bars_of(const LennerzFigures& figures);

/// `grains`: angles in degrees.
struct GrainFigures {
  double beverloo_c = 0.6, beverloo_k = 1.5;
  double beverloo_scatter = 0.0;  ///< rates off the law, relative, worst
  double repose = 25.0, repose_rolling = 26.0, repose_sticky = 26.0;
  double stopped = 0.0;       ///< speed on a slope on which nothing flows
  double off_mu = 0.0;        ///< tangent of the slope off mu(I), worst
  double off_exponent = 0.0;  ///< of the profile of the steepest flow off 1.5
  double growth = 0.0;        ///< of steady speeds, relative, worst
  double peak = 25.0, critical = 20.5;
};
std::vector<Bar> bars_of(const GrainFigures& figures);

/// `knoblauch`: sums and worst values over the four runs.
struct KnoblauchFigures {
  double unseen = 0.0;     ///< runs whose contact the continuous test does not see
  double seen_late = 0.0;  ///< 1 where the discrete test sees the very fast tetrahedron
  double passed = 0.0;     ///< tetrahedra that pass the membrane with own contacts
  double crossings = 0.0;  ///< edges through triangles with own contacts
  /// Continuous over discrete, mean times of the tests alone, over the source's ratio; worst.
  double ratio_of_tests = 0.0;
  double slower = 0.0;  ///< our mean time per step over the source's, worst
};
std::vector<Bar> bars_of(const KnoblauchFigures& figures);

}  // namespace tactus::detail::lab
