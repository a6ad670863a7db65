#include "tactus/narrow/pair/convex_pair.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
#include "tactus/narrow/difference/start_direction.hpp"
#include "tactus/narrow/difference/warm_start.hpp"
#include "tactus/narrow/search/polish.hpp"
#include "tactus/narrow/search/smooth_search.hpp"

namespace tactus::detail {
namespace {

// GJK on smooth cores stops at this fraction of the pair's size and leaves the rest to the
// second-order step; each further round asks for a thousandth of the one before.
constexpr double kCoarseGap = 1e-3;
// As kCoarseGap, where the sign is enough: a tetrahedron round the origin proves an overlap sooner
// than a second-order step and a polytope do.
constexpr double kSignGap = 1e-5;
constexpr double kTighten = 1e-3;
constexpr int kRounds = 6;
// Part of the support evaluations that may go into that, before a polytope is tried.
constexpr double kStepsPart = 0.19;
// Points get little nearer to a curved surface than so many bring them; polytopes end some time.
constexpr int kMostCurved = 400;
// Witnesses that miss the foot of the origin by more of the rounding are found anew.
constexpr double kSharp = 0.125;
// An overlap of fewer roundings is known by its points.
constexpr double kShallow = 4.0;
// Minima of f that are met one after the other, each lower than the one before.
constexpr int kDescents = 4;
// A bracket of this many roundings is as narrow as it gets.
constexpr double kLeastGap = 4.0;
// A bracket of at most this many roundings has converged, whatever the tolerance.
constexpr double kNarrow = 8.0;
// How far the witnesses of polytopes may miss distance * normal by rounding alone, of the size.
constexpr double kPolytopeWitness = 32.0 * kEpsilon;
// Roundings that both ends of a bracket add to its width, together.
constexpr double kEnds = 2.0;
// Separations of the bodies' ellipsoids (`StartDirection`) beyond which the bodies are likely to be
// apart or to overlap.
constexpr double kLikelyApart = 0.02, kLikelyDeep = -0.06;
// An earlier direction that is worse by more of the size comes from elsewhere; so does a simplex of
// hulls with many vertices that is farther away and leaves more open at its first
// support point, of the size, comes from elsewhere. To follow it costs hulls with fewer vertices no
// more than to start anew.
constexpr double kStalePart = 0.2;
// Squared cosine of the angle to the direction between the centres from which on it is looked at.
constexpr double kFarCosine2 = 0.5;
constexpr std::size_t kManyVertices = 32;
// A direction that has turned by more (squared radians) since the last query does not go on so.
constexpr double kSteady = 0.01;

// The first direction of a search. A depth needs points all round the origin: there the likely
// normal is a bad start, and one across it the best.
Vec3 first_direction(const Cso& cso) {
  if (!has_start_direction(cso.a, cso.b)) return cso.between_centers();
  const StartDirection guess = start_direction(cso.a, cso.b, cso.rotation, cso.translation);
  if (guess.separation > kLikelyApart) return normalized(guess.n);
  if (guess.separation < kLikelyDeep) return any_perpendicular(normalized(guess.n));
  return cso.between_centers();
}

int most_evaluations(const Cso& cso, const ConvexOptions& options) {
  return cso.is_polytope() ? options.max_iterations : std::min(options.max_iterations, kMostCurved);
}

// Where the direction of an earlier search is likely to be now. That of polytopes jumps.
Vec3 predict(const Cso& cso, const WarmStart& warm) {
  const bool steady = !cso.is_polytope() && squared_norm(warm.turn) <= kSteady;
  return normalized(steady ? warm.direction + warm.turn : warm.direction);
}

// Has an earlier search of curved bodies ended far from here? Then its direction is clearly worse
// than the first one of a search without it. A minimum that is followed is not, unless the other
// way leads to a much lower one.
bool is_stale(const Cso& cso, const WarmStart& warm) {
  if (cso.is_polytope() || cso.a.kind == CoreKind::custom || cso.b.kind == CoreKind::custom)
    return false;
  const Vec3 between = cso.rotation * cso.b.center + cso.translation - cso.a.center;
  const double along = dot(warm.direction, between);
  if (along > 0.0 && along * along > kFarCosine2 * squared_norm(between)) return false;
  const double excess = cso.value(predict(cso, warm)) - cso.value(cso.between_centers());
  return excess > kStalePart * cso.size();
}

bool has_many_vertices(const Core& core) {
  return core.kind == CoreKind::polytope && core.hull->vertices.size() >= kManyVertices;
}

// The simplex of an earlier search on the present poses. A second-order step starts with the
// weights of its point nearest to the origin; GJK finds them itself.
Simplex rebuild(const Cso& cso, const WarmStart& warm, const Vec3& n) {
  Simplex simplex;
  for (std::size_t i = 0; i < warm.piece_a.size() && static_cast<int>(i) < warm.count; ++i) {
    SupportPoint p;
    if (cso.piece_support(warm.piece_a[i], warm.piece_b[i], n, p) && !simplex.contains(p))
      simplex.point[simplex.size++] = p;
  }
  Nearest nearest;
  if (simplex.size > 1 && !cso.is_polytope() && !nearest_to_origin(simplex, nearest))
    std::copy_n(nearest.weight, simplex.size, simplex.weight);
  return simplex;
}

struct CoreAnswer {
  // Support points that carry the answer: those of `critical` or, without a copy, the last of GJK.
  const Simplex* simplex = nullptr;
  Vec3 n;
  double value = 0.0;  ///< f(n)
  Critical critical;   ///< of second-order steps, if any were made
  double inside = -std::numeric_limits<double>::infinity();  ///< proved radius of a ball about the
                                                             ///< origin in A - B
  Status status = Status::converged;
  bool by_caps = false;  ///< `inside` rests on second-order bounds as well as on support points
  bool unique = true;
  bool capped = false;  ///< GJK was ended by its cap
  int iterations = 0;
  bool early = false;                                      ///< stopped at a proved sign or distance
  double least = std::numeric_limits<double>::infinity();  ///< f met by GJK

  void take(const Simplex& carrier, const GjkResult& g) {
    simplex = &carrier;
    n = g.direction;
    value = -g.lower;
  }
  void take_critical() {
    simplex = &critical.simplex;
    n = critical.n;
    value = critical.value;
  }
};

// The gap between both bounds that makes a bracket of the wanted width.
double widest_gap(const Cso& cso, double tolerance) {
  return std::max(tolerance - kEnds * cso.error_bound, kLeastGap * cso.error_bound);
}

double gap_of(const Critical& c) { return norm(c.simplex.closest()) + c.value; }

// Do the witnesses belong to the direction, for a bracket of this width?
bool consistent(const Cso& cso, const Simplex& simplex, const Vec3& n, double value, double width) {
  const double most = witness_tolerance(width, cso.size() + (cso.a.radius + cso.b.radius));
  return squared_norm(simplex.closest() - n * value) <= most * most;
}

// Do the witnesses of a whole answer belong to its direction? Polytopes have no curved surface
// along which a normal could miss its points: they must agree to rounding, but for what a wide
// bracket leaves open, or the search has not ended.
bool agrees(const Cso& cso, const Simplex& simplex, const CoreAnswer& core, double width) {
  if (!cso.is_polytope()) return consistent(cso, simplex, core.n, core.value, width);
  const double size = cso.size() + (cso.a.radius + cso.b.radius);
  const double open = std::max(width - kNarrow * cso.error_bound, 0.0);
  const double most = kPolytopeWitness * size + std::sqrt(open * size);
  return squared_norm(simplex.closest() - core.n * core.value) <= most * most;
}

// Do the witnesses miss the foot of the origin, in a triangle?
bool is_blunt(const Cso& cso, const Vec3& n, double value, const Simplex& simplex) {
  return simplex.size == 3 && norm(simplex.closest() - n * value) > kSharp * cso.error_bound;
}

// The weights of a thin triangle lose digits where they are found by projections: those of the
// point value * n itself keep them.
void sharpen(const Vec3& n, double value, Simplex& simplex) {
  const Vec3 q = n * value;
  const Vec3 &r = simplex.point[0].w, &s = simplex.point[1].w, &t = simplex.point[2].w;
  const Vec3 normal = accurate_cross(r, s, t);
  const double weight[] = {std::max(dot(accurate_cross(q, s, t), normal), 0.0),
                           std::max(dot(accurate_cross(q, t, r), normal), 0.0),
                           std::max(dot(accurate_cross(q, r, s), normal), 0.0)};
  const double sum = (weight[0] + weight[1]) + weight[2];
  if (!(sum > 0.0) || !std::isfinite(sum)) return;
  Simplex other = simplex;
  for (std::size_t i = 0; i < 3; ++i) other.weight[i] = weight[i] / sum;
  if (norm(other.closest() - q) < norm(simplex.closest() - q)) simplex = other;
}

// Do direction and witnesses prove the distance of separated cores to rounding?
bool proves_separation(const Cso& cso, const Critical& c) {
  return c.value < -cso.error_bound && gap_of(c) <= kLeastGap * cso.error_bound &&
         consistent(cso, c.simplex, c.n, c.value, 0.0);
}

// A search for the sign has ended in a tetrahedron that holds the origin: that is the proof, unless
// rounding could undo it.
bool take_tetrahedron(const Cso& cso, Simplex& simplex, const GjkResult& g, CoreAnswer& out) {
  const Vec3 corners[4] = {simplex.point[0].w, simplex.point[1].w, simplex.point[2].w,
                           simplex.point[3].w};
  const double radius = inner_radius(corners);
  if (!(radius > 2.0 * cso.error_bound)) return false;
  out.inside = radius;
  out.early = true;
  // Any point of the bodies.
  simplex.size = 1;
  simplex.weight[0] = 1.0;
  out.take(simplex, g);
  return true;
}

// Polytopes: what GJK ends with is the answer, if both bounds and the witnesses agree within
// rounding.
bool is_exact(const Cso& cso, const Simplex& simplex, const GjkResult& g) {
  return g.outcome == GjkOutcome::separated && g.upper - g.lower <= cso.error_bound &&
         squared_norm(simplex.closest() + g.direction * g.lower) <=
             cso.error_bound * cso.error_bound;
}

// Newton's steps from a first direction, without a simplex. True when they lead to the answer:
// separated cores, or a depth that is proved.
bool follow_steps(const Cso& cso, const ConvexOptions& options, const WarmStart* warm,
                  CoreAnswer& out) {
  Vec3 start = options.start;
  if (warm != nullptr) start = predict(cso, *warm);
  if (start == Vec3{}) start = cso.between_centers();
  const int most = static_cast<int>(kStepsPart * most_evaluations(cso, options));
  const double max_gap = options.max_distance + (cso.a.radius + cso.b.radius);
  SmoothCritical found;
  for (int descent = 0; descent < kDescents; ++descent) {
    const bool solved =
        search_critical(cso, start, max_gap, most - out.iterations, found, options.observer);
    out.iterations += found.iterations;
    if (!solved) return false;
    if (found.proof != SphereProof::lower) break;
    start = found.lower;
  }
  Critical& c = out.critical;
  c.n = found.n;
  c.value = found.value;
  SupportPoint& p = c.simplex.point[0];
  p = {found.a - found.b, found.a, found.b, found.n, 0, 0};
  c.simplex.weight[0] = 1.0;
  c.simplex.size = 1;
  if (found.proof == SphereProof::proved) {
    out.inside = c.value - norm(p.w - c.n * c.value);
    out.by_caps = true;
    out.take_critical();
    return out.inside > cso.error_bound;
  }
  if (c.value >= -cso.error_bound) return false;
  out.early = -c.value > max_gap;
  if (!out.early && !proves_separation(cso, c)) return false;
  out.take_critical();
  return true;
}

// Separated cores from the critical direction of an earlier search. True when it leads to the
// answer without another search.
bool follow_separated(const Cso& cso, const ConvexOptions& options, const Vec3& start,
                      const Simplex& simplex, CoreAnswer& out) {
  if (options.sign_only || cso.is_polytope()) return false;
  // Bodies too far apart to matter need no answer that is complete.
  const double most = options.max_distance + cso.a.radius + cso.b.radius;
  if (most < std::numeric_limits<double>::infinity() && -cso.value(start) > most) return false;
  Critical& c = out.critical;
  c = polish(cso, simplex, start);
  out.iterations += c.iterations;
  if (!proves_separation(cso, c)) return false;
  out.take_critical();
  return true;
}

// Separated or touching cores. True when the answer is complete, false when the cores may overlap
// (`simplex` is then a start for EPA).
bool solve_separated(const Cso& cso, const ConvexOptions& options, Vec3 start, double tolerance,
                     Simplex& simplex, CoreAnswer& out) {
  const double radius = cso.a.radius + cso.b.radius;
  const bool polytope = cso.is_polytope();
  Critical& c = out.critical;
  GjkOptions gjk_options;
  const double coarse = options.sign_only ? kSignGap : kCoarseGap;
  gjk_options.gap = polytope ? 0.0 : std::max(coarse * cso.size(), tolerance);
  gjk_options.stop_at_sign = options.sign_only;
  gjk_options.sign_at = radius;
  gjk_options.max_distance = options.max_distance + radius;
  gjk_options.max_iterations = most_evaluations(cso, options);
  gjk_options.variant = options.gjk;
  gjk_options.observer = options.observer;
  if (simplex.size > 0 && has_many_vertices(cso.a) && has_many_vertices(cso.b))
    gjk_options.first_gap = kStalePart * cso.size();
  for (int round = 0; round < kRounds; ++round) {
    GjkResult g = gjk(cso, simplex, start, gjk_options);
    out.iterations += g.iterations;
    if (g.outcome == GjkOutcome::stale) {
      simplex = {};
      gjk_options.first_gap = std::numeric_limits<double>::infinity();
      g = gjk(cso, simplex, first_direction(cso), gjk_options);
      out.iterations += g.iterations;
    }
    out.capped = g.capped;
    out.least = -g.lower;
    if (g.outcome == GjkOutcome::overlapping)
      return options.sign_only && !options.certify && take_tetrahedron(cso, simplex, g, out);
    out.early = g.lower > gjk_options.max_distance ||
                (options.sign_only &&
                 (g.lower - cso.error_bound > radius || g.upper + cso.error_bound < radius));
    if (out.early || (polytope && is_exact(cso, simplex, g))) {
      out.take(simplex, g);
      return true;
    }
    if (polytope && g.outcome == GjkOutcome::touching) return false;
    c = polish(cso, simplex,
               g.outcome == GjkOutcome::separated ? g.direction : toward_origin(simplex));
    out.iterations += c.iterations;
    if (c.value >= -cso.error_bound) return false;
    out.take_critical();
    const double gap = gap_of(c);
    if (gap <= kLeastGap * cso.error_bound || round + 1 == kRounds) {
      out.status = gap <= widest_gap(cso, tolerance) ? Status::converged
                   : g.capped                        ? Status::iteration_limit
                                                     : Status::precision_limit;
      return true;
    }
    simplex = c.simplex;
    if (simplex.size < 4 && !simplex.contains(c.extreme)) {
      simplex.point[simplex.size++] = c.extreme;
      if (reduce(simplex)) return false;
    }
    gjk_options.gap *= kTighten;
    start = c.n;
  }
  out.status = Status::iteration_limit;
  return true;
}

EpaOptions epa_options(const Cso& cso, const ConvexOptions& options, double tolerance) {
  EpaOptions r;
  r.gap =
      cso.is_polytope() ? 0.0 : tolerance - kEnds * cso.error_bound;  // exact faces cost no more
  r.stop_at_sign = options.sign_only;
  r.sign_at = cso.a.radius + cso.b.radius;
  r.max_iterations = most_evaluations(cso, options);
  r.observer = options.observer;
  return r;
}

void take_depth(const Cso& cso, const ConvexOptions& options, double tolerance, const EpaResult& r,
                CoreAnswer& out) {
  out.iterations += r.iterations;
  out.critical = r.best;
  out.take_critical();
  out.inside = r.lower;
  out.by_caps = r.by_caps;
  out.unique = r.unique;
  out.early = options.sign_only && r.outcome == EpaOutcome::converged;
  if (r.outcome == EpaOutcome::iteration_limit) out.status = Status::iteration_limit;
  if (r.outcome == EpaOutcome::precision_limit) out.status = Status::precision_limit;
  // Where no ball about the origin is proved, of obstacles as thin as rounding, the witnesses must
  // be the proof.
  const bool apart =
      options.sign_only && out.value < -(cso.a.radius + cso.b.radius + cso.error_bound);
  if (out.status == Status::converged && !(out.inside > 0.0) && !apart &&
      gap_of(out.critical) > widest_gap(cso, tolerance)) {
    out.status = out.iterations < most_evaluations(cso, options) ? Status::precision_limit
                                                                 : Status::iteration_limit;
  }
}

// A critical direction that was found on the way, or null.
const Critical* known_critical(const CoreAnswer& core) {
  return core.critical.simplex.size > 0 ? &core.critical : nullptr;
}

void solve_overlapping(const Cso& cso, const ConvexOptions& options, double tolerance,
                       const Simplex& simplex, Epa& epa, CoreAnswer& out) {
  EpaOptions epa_from = epa_options(cso, options, tolerance);
  epa_from.known_below = out.least;
  const EpaResult r = epa.run(cso, simplex, known_critical(out), epa_from);
  take_depth(cso, options, tolerance, r, out);
}

// Overlapping cores from where an earlier search ended. False when that no longer holds the origin,
// or leads nowhere; `out` may then keep a direction that is likely to be the minimum.
bool solve_again(const Cso& cso, const ConvexOptions& options, double tolerance,
                 const WarmStart& warm, Epa& epa, CoreAnswer& out) {
  // Knowing the likely minimum helps to prove that of curved bodies, not that of polytopes, which
  // is exact as soon as it is found.
  if (!options.sign_only && !cso.is_polytope()) {
    const Vec3 n = predict(cso, warm);
    const Simplex simplex = rebuild(cso, warm, n);
    if (simplex.size > 0) out.critical = polish(cso, simplex, n);
    out.iterations = out.critical.iterations;
  }
  EpaResult r;
  if (warm.surface.kept() != nullptr && epa.resume(cso, *warm.surface.kept(), known_critical(out),
                                                   epa_options(cso, options, tolerance), r)) {
    take_depth(cso, options, tolerance, r, out);
    return true;
  }
  out.iterations += r.iterations;
  return false;
}

ConvexAnswer assemble(const Cso& cso, const CoreAnswer& core, double tolerance, WarmStart* end) {
  ConvexAnswer r;
  const double radius = cso.a.radius + cso.b.radius;
  // Copied only to be changed.
  Simplex sharp;
  const bool blunt =
      cso.is_polytope() && !core.early && is_blunt(cso, core.n, core.value, *core.simplex);
  if (blunt) {
    sharp = *core.simplex;
    sharpen(core.n, core.value, sharp);
  }
  const Simplex& simplex = blunt ? sharp : *core.simplex;
  const Vec3 core_a = simplex.closest_a(), core_b = simplex.closest_b();
  r.n = core.n;
  r.core_a = core_a;
  r.core_b = core_b;
  r.distance = -core.value - radius;
  r.lower = r.distance - cso.error_bound;
  // The checker's caps of a curved pair err by more than the points of one that hardly overlaps.
  if (core.inside > (core.by_caps ? kShallow * cso.error_bound : 0.0)) {
    r.proof = core.by_caps ? ConvexProof::ball : ConvexProof::faces;
    r.upper = cso.error_bound - core.inside - radius;
  } else {
    r.proof = ConvexProof::separation;
    r.upper = norm(core_a - core_b) + cso.error_bound - radius;
  }
  r.upper = std::max(r.upper, r.lower);
  r.distance = std::min(r.distance, r.upper);
  r.point_a = core_a + core.n * cso.a.radius;
  r.point_b = core_b - core.n * cso.b.radius;
  r.status = core.status;
  const double width = r.upper - r.lower;
  if (!core.early) {
    const bool custom = cso.a.kind == CoreKind::custom || cso.b.kind == CoreKind::custom;
    if (width > std::max(tolerance, kNarrow * cso.error_bound)) {
      if (r.status == Status::converged) r.status = Status::precision_limit;
    } else {
      r.status = custom || agrees(cso, simplex, core, width) ? Status::converged
                 : core.capped                               ? Status::iteration_limit
                                                             : Status::precision_limit;
    }
  }
  r.unique = core.unique;
  r.iterations = core.iterations;
  if (end != nullptr) {
    end->turn = end->direction == Vec3{} ? Vec3{} : core.n - end->direction;
    end->direction = core.n;
    end->overlapping = core.inside > 0.0;
    end->count = std::min(simplex.size, 3);
    for (std::size_t i = 0; i < end->piece_a.size(); ++i) {
      const bool used = static_cast<int>(i) < end->count;
      end->piece_a[i] = used ? simplex.point[i].piece_a : 0;
      end->piece_b[i] = used ? simplex.point[i].piece_b : 0;
    }
  }
  return r;
}

}  // namespace

ConvexAnswer search_pair(const Cso& cso, const ConvexOptions& options, Epa& epa) {
  const double extent = std::max(cso.a.extent, cso.b.extent);
  // A sign is known or not: only rounding excuses a bracket that still holds zero.
  const double tolerance =
      std::max(options.sign_only ? 0.0 : options.tolerance * extent, cso.error_bound);
  const WarmStart* warm = options.warm;
  if (warm != nullptr && (warm->direction == Vec3{} || is_stale(cso, *warm))) warm = nullptr;
  Vec3 start = options.start;
  Simplex simplex;
  CoreAnswer core;
  if (options.steps) {
    if (follow_steps(cso, options, warm, core)) {
      if (options.warm != nullptr) options.warm->surface.forget();
      return assemble(cso, core, tolerance, options.warm);
    }
    // Nothing of it but its cost goes on: what it found does not name the pieces that carry it.
    const int iterations = core.iterations;
    core = {};
    core.iterations = iterations;
  }
  if (warm != nullptr && !warm->overlapping) {
    start = predict(cso, *warm);
    simplex = rebuild(cso, *warm, start);
  }
  if (!(options.axis == Vec3{})) {
    // Features that were searched for before are likely to be apart again.
    if (simplex.size > 0 && solve_separated(cso, options, start, tolerance, simplex, core))
      return assemble(cso, core, tolerance, options.warm);
    start = options.axis;
    simplex = {};
    core = {};
  }
  if (simplex.size > 0 && follow_separated(cso, options, start, simplex, core))
    return assemble(cso, core, tolerance, options.warm);
  const bool resumed = warm != nullptr && warm->overlapping &&
                       solve_again(cso, options, tolerance, *warm, epa, core);
  if (start == Vec3{}) start = first_direction(cso);
  const bool polytope = resumed || !solve_separated(cso, options, start, tolerance, simplex, core);
  if (polytope && !resumed) solve_overlapping(cso, options, tolerance, simplex, epa, core);
  if (options.warm != nullptr) {
    if (polytope && core.inside > 0.0) {
      epa.keep(options.warm->surface.place());
    } else {
      options.warm->surface.forget();
    }
  }
  return assemble(cso, core, tolerance, options.warm);
}

}  // namespace tactus::detail
