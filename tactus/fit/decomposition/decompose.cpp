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
#include "tactus/fit/decomposition/merging.hpp"
#include "tactus/fit/decomposition/part.hpp"
#include "tactus/mesh.hpp"

namespace tactus {
using namespace detail;
using namespace detail::fit;
namespace {

constexpr std::array<std::pair<DecompositionMethod, std::string_view>, 3> kMethods{
    {{DecompositionMethod::modern, "modern"},
     {DecompositionMethod::merge, "merge"},
     {DecompositionMethod::cavity, "cavity"}}};

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

void check(const DecomposeOptions& options) {
  if (!(options.concavity > 0.0 && std::isfinite(options.concavity)))
    throw InvalidInput("concavity", "must be positive and finite");
  if (options.max_parts == 0) throw InvalidInput("max_parts", "must not be 0");
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
      : solid_(solid), options_(options), judge_(solid, options.threads) {}

  void go(ConvexDecomposition& out) {
    if (options_.method == DecompositionMethod::merge) {
      by_boxes(out);
    } else {
      by_cuts(out);
    }
    if (cancelled()) {
      out.status = DecompositionStatus::cancelled;
    } else if (out.measured.upper() <= bound()) {
      out.status = DecompositionStatus::reached;
    } else {
      // Cuts end at a number of their own, with parts left to be used.
      const bool full = limited_ && out.parts.size() >= options_.max_parts;
      out.status = full ? DecompositionStatus::part_limit : DecompositionStatus::stuck;
    }
  }

 private:
  double bound() const { return options_.concavity * solid_.unit(); }
  bool cancelled() const {
    return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed);
  }
  void tell(std::size_t parts, double done) const {
    if (options_.progress) options_.progress(static_cast<std::uint32_t>(parts), done);
  }

  MergePlan plan(MergeOrder order) const {
    MergePlan plan;
    plan.order = order;
    plan.threads = options_.threads;
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
    const auto pairs = near_pairs(parts, std::numeric_limits<double>::infinity());
    return merge_parts(judge_, std::move(parts), pairs, forced);
  }

  // Keeps what is nearer to the bound; among what is within it, the fewer parts.
  void keep(std::vector<ConvexHull> hulls, ConvexDecomposition& out) {
    Concavity measured = measure_concavity(solid_, hulls, kMeasure * bound(), options_.threads);
    if (measured.lower() <= bound() && measured.upper() > bound())
      measured = measure_concavity(solid_, hulls, kFineMeasure * bound(), options_.threads);
    last_ = measured;
    const bool fits = measured.upper() <= bound(), fitted = out.measured.upper() <= bound();
    const bool better =
        fits && fitted ? hulls.size() < out.parts.size() : measured.upper() < out.measured.upper();
    if (!out.parts.empty() && !better) return;
    out.parts = std::move(hulls);
    out.measured = measured;
  }

  void by_cuts(ConvexDecomposition& out) {
    const bool search = options_.method == DecompositionMethod::modern;
    const ChoosePlane choose =
        search ? plane_by_search(judge_, options_.threads) : plane_through_cavity(judge_);
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
    keep(merging.hulls(std::max(high, merging.fewest()), options_.threads), out);
    if (last_.upper() > bound()) return;
    limited_ = false;
    while (high - low > 1 && !cancelled()) {
      const std::size_t middle = low + (high - low) / 2;
      keep(merging.hulls(middle, options_.threads), out);
      (last_.upper() <= bound() ? high : low) = middle;
    }
  }

  const Solid& solid_;
  const DecomposeOptions& options_;
  PartJudge judge_;
  Concavity last_;  ///< measured last
  bool limited_ = false;
};

}  // namespace

std::string_view to_string(DecompositionMethod method) {
  for (const auto& [value, name] : kMethods) {
    if (value == method) return name;
  }
  return "modern";
}

std::optional<DecompositionMethod> decomposition_method_from(std::string_view name) {
  for (const auto& [value, text] : kMethods) {
    if (text == name) return value;
  }
  return std::nullopt;
}

std::string_view to_string(DecompositionStatus status) {
  switch (status) {
    case DecompositionStatus::reached:
      return "reached";
    case DecompositionStatus::part_limit:
      return "part_limit";
    case DecompositionStatus::stuck:
      return "stuck";
    case DecompositionStatus::cancelled:
      return "cancelled";
  }
  return "stuck";
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

}  // namespace tactus
