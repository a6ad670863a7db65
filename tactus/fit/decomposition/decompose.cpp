#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/fit.hpp"
#include "tactus/fit/decomposition/box_merging.hpp"
#include "tactus/fit/decomposition/concavity.hpp"
#include "tactus/fit/decomposition/cut_decomposition.hpp"
#include "tactus/fit/decomposition/exact_decomposition.hpp"
#include "tactus/fit/decomposition/merging.hpp"
#include "tactus/fit/decomposition/part.hpp"
#include "tactus/fit/decomposition/part_shape.hpp"
#include "tactus/mesh.hpp"

namespace tactus::fit {
using namespace detail;
using namespace detail::fit;
namespace {

// Width of the measured bracket, of the bound; and where the bound is within it.
constexpr double kMeasure = 0.02, kFineMeasure = 0.002;
// The estimates of the search err a little: parts aim at this share of the bound, and at that share
// of their aim where the measurement finds them beyond it. A cut through a cavity lowers the error
// by more than what is asked, so that aiming lower at once costs little.
constexpr double kAim = 0.95, kAimOfCavity = 0.9;
constexpr double kStricter = 0.85, kStrictest = 0.03;
// A part that would have to aim lower than this is left as it was cut: what it leaves open may be
// filled by the parts beside it, one by one within their bounds.
constexpr double kAlone = 0.2;
constexpr int kRounds = 40;
// Boxes of parts that may be joined are at most so far apart, and hulls so near a bad place answer
// for it; of the unit.
constexpr double kNear = 0.1, kAnswers = 0.02;
// Cuts go on beyond the number of parts asked for, since joining follows.
constexpr std::size_t kMostCuts = 512;
// Exact parts are so near to the surface, of the unit; the estimates of the judge are off by no
// more. With so few of them nothing else is tried.
constexpr double kExact = 1e-4, kEstimate = 0.1;
constexpr std::size_t kFewParts = 40;
// The ladder of bounds: its ends, of the unit, each half of the one before. Joins whose estimated
// error is beyond these are not measured: of the bound, and of the unit beside.
constexpr double kTopRung = 0.4, kLastRung = kTopRung / 4096.0;
constexpr double kHopeless = 1.5, kHopelessAnyway = 0.03;

void check(const DecomposeOptions& options) {
  if (!(options.concavity > 0.0 && std::isfinite(options.concavity)))
    throw InvalidInput("concavity", "must be positive and finite");
  if (options.max_parts == 0) throw InvalidInput("max_parts", "must not be 0");
  if (options.max_vertices > 0 && options.max_vertices < 4)
    throw InvalidInput("max_vertices", "must be 0 or at least 4");
}

std::vector<ConvexHull> hulls_of(const std::vector<Part>& parts) {
  std::vector<ConvexHull> hulls;
  hulls.reserve(parts.size());
  for (const Part& part : parts) hulls.push_back(part.hull);
  return hulls;
}

class Run {
 public:
  Run(const Solid& solid, const DecomposeOptions& options)
      : solid_(solid),
        options_(options),
        judge_(solid, options.max_threads, options.cancel),
        bound_(options.concavity * solid.unit()) {}

  void go(ConvexDecomposition& out) {
    if (options_.method == DecompositionMethod::merge) {
      by_boxes(out);
    } else if (options_.method == DecompositionMethod::cavity) {
      by_cuts(out);
    } else if (!by_exact_parts(out)) {
      by_search(out);
    }
    if (cancelled()) {
      out.status = DecompositionStatus::cancelled;
    } else if (out.measured.upper() <= bound()) {
      out.status = DecompositionStatus::reached;
    } else {
      // Cuts end at a number of their own, with parts left to be used.
      const bool full = limited_ && (options_.method == DecompositionMethod::merge ||
                                     out.parts.size() >= options_.max_parts);
      out.status = full ? DecompositionStatus::part_limit : DecompositionStatus::stuck;
    }
  }

 private:
  double bound() const { return bound_; }
  bool cancelled() const {
    return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed);
  }
  void tell(std::size_t parts, double done) const {
    if (options_.progress) options_.progress(static_cast<std::uint32_t>(parts), done);
  }

  MergePlan plan(MergeOrder order) const {
    MergePlan plan;
    plan.order = order;
    plan.threads = options_.max_threads;
    plan.at_least = at_least_;
    plan.cancel = options_.cancel;
    plan.go_on = [this](std::size_t) { return !cancelled(); };
    return plan;
  }

  // Down to the number asked for, whatever it costs, also when cancelled.
  std::vector<Part> at_most(std::vector<Part> parts) {
    if (parts.size() <= options_.max_parts) return parts;
    limited_ = true;
    MergePlan forced = plan(MergeOrder::error);
    forced.bounded = false;
    forced.at_least = options_.max_parts;
    forced.go_on = nullptr;
    forced.cancel = nullptr;
    const auto pairs = near_pairs(parts, std::numeric_limits<double>::infinity());
    return merge_parts(judge_, std::move(parts), pairs, forced);
  }

  // Keeps what is nearer to the bound; among what is within it, the fewer parts.
  // `enough`: a deviation above it is not measured further.
  void keep(std::vector<ConvexHull> hulls, ConvexDecomposition& out,
            double enough = std::numeric_limits<double>::infinity()) {
    if (solid_.closed()) join_flat_hulls(hulls);
    if (options_.max_vertices > 0) limit_vertices(hulls, options_.max_vertices);
    if (hulls.size() < at_least_ && !out.parts.empty()) return;
    const MeasureLimits limits{enough, options_.cancel};
    const auto measure = [&](double width) {
      return measure_concavity(solid_, hulls, width * bound(), options_.max_threads, bound(),
                               limits);
    };
    Concavity measured = measure(kMeasure);
    if (measured.lower() <= bound() && measured.upper() > bound()) measured = measure(kFineMeasure);
    last_ = measured;
    const bool fits = measured.upper() <= bound(), fitted = out.measured.upper() <= bound();
    const bool better =
        fits && fitted ? hulls.size() < out.parts.size() : measured.upper() < out.measured.upper();
    if (!out.parts.empty() && !better) return;
    out.parts = std::move(hulls);
    out.measured = measured;
  }

  // Plain bodies: the exact parts, joined as long as the bound allows. The joins do not depend on
  // the bound, so that a larger one never leaves more parts. False when more may be found by
  // search.
  bool by_exact_parts(ConvexDecomposition& out) {
    const auto go_on = [&] { return !cancelled(); };
    auto exact = exact_decomposition(solid_, go_on);
    if (!exact || exact->empty()) return false;
    const double finest = kExact * solid_.unit();
    if (measure_concavity(solid_, *exact, finest, options_.max_threads).upper() > 2.0 * finest)
      return false;
    std::vector<Part> parts;
    for (const ConvexHull& hull : *exact) parts.push_back(judge_.of_hull(hull));
    const NestedParts nested(judge_, std::move(parts), options_.max_threads, go_on);
    const std::size_t most = std::min<std::size_t>(nested.most(), options_.max_parts);
    for (std::size_t count = nested.fewest(); count <= most && !cancelled(); ++count) {
      tell(count, static_cast<double>(count) / static_cast<double>(nested.most()));
      const bool hopeless = nested.error(count) > bound() + kEstimate * solid_.unit();
      if (nested.most() > kFewParts && count < most && hopeless) continue;
      keep(nested.hulls(count), out,
           count < most ? bound() : std::numeric_limits<double>::infinity());
      if (last_.upper() <= bound()) break;
    }
    if (out.parts.empty()) return false;
    limited_ = out.measured.upper() > bound() && most < nested.most();
    return nested.most() <= kFewParts || cancelled();
  }

  // Bounds on a ladder, from the coarsest one down, each with as many parts at least as the one
  // before. Between two of them the parts of the finer one are joined in an order of their own.
  // Thus a larger bound never leaves more parts.
  void by_search(ConvexDecomposition& out) {
    const double asked = bound_;
    std::size_t fewest = 1;
    ConvexDecomposition found, coarser;
    for (double rung = kTopRung;; rung *= 0.5) {
      bound_ = std::max(rung, kLastRung) * solid_.unit();
      fewest = at_least_;
      coarser = std::exchange(found, {});
      // A run of its own: places that it remembers are of no use to the next one.
      Run run(*this);
      run.by_cuts(found);
      limited_ = run.limited_;
      if (cancelled() || bound_ <= asked || rung <= kLastRung) break;
      at_least_ = std::max(at_least_, found.parts.size());
    }
    if (cancelled() && !coarser.parts.empty() && coarser.measured.upper() < found.measured.upper())
      found = std::move(coarser);
    const bool exact_is_better = out.measured.upper() <= asked && !out.parts.empty() &&
                                 out.parts.size() <= found.parts.size();
    const bool between = bound_ < asked && found.measured.upper() <= bound_ && !cancelled();
    bound_ = asked;
    if (exact_is_better) return;
    if (between) join_between(fewest, found);
    at_least_ = 1;
    const bool better = out.parts.empty() || found.measured.upper() <= asked ||
                        found.measured.upper() < out.measured.upper();
    if (!better) return;
    out.parts = std::move(found.parts);
    out.measured = found.measured;
  }

  // Joins what a finer bound has left as far as the bound allows.
  void join_between(std::size_t fewest, ConvexDecomposition& found) {
    std::vector<Part> parts;
    parts.reserve(found.parts.size());
    for (const ConvexHull& hull : found.parts) parts.push_back(judge_.of_hull(hull));
    const NestedParts nested(judge_, std::move(parts), options_.max_threads,
                             [&] { return !cancelled(); });
    at_least_ = fewest;
    for (std::size_t count = std::max(fewest, nested.fewest());
         count < nested.most() && !cancelled(); ++count) {
      tell(count, 1.0);
      if (nested.error(count) > kHopeless * bound() + kHopelessAnyway * solid_.unit()) continue;
      keep(nested.hulls(count), found, bound());
      if (last_.upper() <= bound()) return;
    }
  }

  void by_cuts(ConvexDecomposition& out) {
    const bool search = options_.method == DecompositionMethod::modern;
    const ChoosePlane choose = search
                                   ? plane_by_search(judge_, options_.max_threads, options_.cancel)
                                   : plane_through_cavity(judge_);
    std::vector<Part> cut{judge_.whole()};
    cut[0].allowed = (search ? kAim : kAimOfCavity) * bound();
    const std::size_t most = search ? kMostCuts : options_.max_parts;
    for (int round = 0; round < kRounds; ++round) {
      cut_parts(
          judge_, choose, most,
          [&](const std::vector<Part>& parts) {
            tell(parts.size(), share_done(parts));
            return !cancelled();
          },
          cut);
      if (cut.size() < at_least_ && !cancelled()) {
        for (Part& part : cut) part.allowed *= kStricter;
        const bool last = round + 1 == kRounds;
        if (!last && std::any_of(cut.begin(), cut.end(), [](const Part& p) { return !p.stuck; }))
          continue;
      }
      std::vector<Part> parts = cut;
      if (search && !cancelled()) {
        auto pairs = near_pairs(parts, kNear * solid_.unit());
        std::erase_if(pairs, [&](const PartPair& pair) {
          return parts[pair.first].alone || parts[pair.second].alone;
        });
        parts = merge_parts(judge_, std::move(parts), pairs, plan(MergeOrder::volume));
      }
      limited_ = cut.size() >= most;
      parts = at_most(std::move(parts));
      keep(hulls_of(parts), out);
      if (cancelled() || last_.upper() <= bound() || limited_) return;
      if (!ask_more(parts, cut)) break;
    }
    // Joined parts may hide from each other what each of them leaves open: then there are more.
    if (search && cut.size() <= options_.max_parts) keep(hulls_of(cut), out);
  }

  // The parts behind a place that is too far off must do better. False when they cannot be asked
  // for more.
  bool ask_more(const std::vector<Part>& parts, std::vector<Part>& cut) {
    const double reach = kAnswers * solid_.unit();
    bool asked_any = false;
    if (last_.bulge.upper > bound()) judge_.remember_outside(last_.bulge.at);
    for (Part& piece : cut) {
      if (holds(piece.hull, last_.bulge.at, reach))
        piece.error = judge_.judge(piece.hull, piece.samples, piece.cuts);
    }
    for (const Deviation* d : {&last_.bulge, &last_.hollow, &last_.fill}) {
      if (d->upper <= bound()) continue;
      for (const Part& part : parts) {
        if (!holds(part.hull, d->at, reach)) continue;
        for (Part& piece : cut) {
          // A piece lies within the part that it was joined to.
          if (holds(part.hull, piece.hull.vertices[0], reach) &&
              std::all_of(piece.hull.vertices.begin(), piece.hull.vertices.end(),
                          [&](const Vec3& v) { return holds(part.hull, v, 1e-9 * reach); })) {
            const double asked = kStricter * std::min(piece.allowed, part.error.worst());
            asked_any = asked_any || piece.allowed > kStrictest * bound();
            piece.alone = piece.alone || asked < kAlone * bound();
            piece.allowed = std::max(asked, kStrictest * bound());
          }
        }
      }
    }
    return asked_any;
  }

  // How much of the surface is in parts that are done.
  static double share_done(const std::vector<Part>& parts) {
    double done = 0.0, all = 0.0;
    for (const Part& part : parts) {
      const auto count = static_cast<double>(part.samples.size());
      all += count;
      if (part.good() || part.stuck) done += count;
    }
    return all > 0.0 ? done / all : 1.0;
  }

  // The groups follow from their volumes alone; what the bound decides is how many there shall be.
  void by_boxes(ConvexDecomposition& out) {
    const auto triangles = solid_.mesh().triangles.size();
    const BoxMerging merging(solid_.mesh(), [&](std::size_t groups) {
      tell(groups, 1.0 - static_cast<double>(groups) / static_cast<double>(triangles));
      return !cancelled();
    });
    // Between a number that is too small and one that is large enough.
    std::size_t low = merging.fewest() - 1;
    std::size_t high = std::min<std::size_t>(options_.max_parts, triangles);
    limited_ = high < triangles;
    keep(merging.hulls(std::max(high, merging.fewest()), options_.max_threads), out);
    if (last_.upper() > bound()) return;
    limited_ = false;
    while (high - low > 1 && !cancelled()) {
      const std::size_t middle = low + (high - low) / 2;
      keep(merging.hulls(middle, options_.max_threads), out);
      (last_.upper() <= bound() ? high : low) = middle;
    }
  }

  const Solid& solid_;
  const DecomposeOptions& options_;
  PartJudge judge_;
  double bound_;              ///< length
  std::size_t at_least_ = 1;  ///< parts, whatever the bound allows
  Concavity last_;            ///< measured last
  bool limited_ = false;
};

}  // namespace

std::string_view to_string(DecompositionMethod method) {
  constexpr std::string_view kNames[] = {"modern", "merge", "cavity"};
  return detail::name_in(kNames, method);
}

std::string_view to_string(DecompositionStatus status) {
  constexpr std::string_view kNames[] = {"reached", "part_limit", "stuck", "cancelled"};
  return detail::name_in(kNames, status);
}

Compound ConvexDecomposition::compound() const {
  std::vector<Compound::Part> placed;
  placed.reserve(parts.size());
  for (const ConvexHull& part : parts) placed.push_back({Shape(Convex(part)), Pose()});
  return Compound(std::move(placed));
}

ConvexDecomposition decompose(const TriangleMesh& mesh, const DecomposeOptions& options) {
  check(options);
  const Solid solid(mesh);
  ConvexDecomposition out;
  out.unit = solid.unit();
  out.closed = solid.closed();
  if (out.closed) out.surface_volume = std::fabs(mass_properties(solid.mesh()).volume);
  Run(solid, options).go(out);
  for (const ConvexHull& part : out.parts) out.parts_volume += mass_properties(part).volume;
  return out;
}

double Concavity::lower() const {
  return std::max(bulge.lower, std::max(hollow.lower, fill.lower));
}
double Concavity::upper() const {
  return std::max(bulge.upper, std::max(hollow.upper, fill.upper));
}

}  // namespace tactus::fit
