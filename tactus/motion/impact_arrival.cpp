#include "tactus/motion/impact_arrival.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// The first pose tried for a proof of overlap is deeper than rounding by this factor; each is this
// much farther ahead than the one before.
constexpr double kDeeper = 8.0, kFarther = 4.0;
constexpr int kMostProbes = 40, kMostHalvings = 60;

class ContactProof {
 public:
  ContactProof(MovingPair& pair, const ImpactQuestion& question)
      : pair_(pair), question_(question) {}

  /// A time of proved overlap, infinite when none is found. `ahead`: the first one to try.
  double find(double from, double ahead) {
    double before = from;
    for (int probe = 0; probe < kMostProbes && may_look(); ++probe, ahead *= kFarther) {
      const double t = std::min(std::max(from + ahead, from * (1.0 + kEpsilon)), 1.0);
      if (overlaps(t)) return earlier(before, t);
      if (t >= 1.0) break;
      before = t;
    }
    return kInfinity;
  }

 private:
  bool may_look() const { return pair_.looks() < question_.most_looks; }

  bool overlaps(double t) {
    const DistanceResult d = pair_.distance_at(t, question_.options, nullptr);
    return d.upper < -pair_.rounding(t);
  }

  double earlier(double before, double after) {
    for (int i = 0; i < kMostHalvings && may_look(); ++i) {
      const double middle = before + 0.5 * (after - before);
      if ((after - before) * question_.speed <= question_.width ||
          !(middle > before && middle < after))
        break;
      (overlaps(middle) ? after : before) = middle;
    }
    return after;
  }

  MovingPair& pair_;
  const ImpactQuestion& question_;
};

}  // namespace

CastResult impact_of_near(ImpactPair& two, const Vec3& offset, const ImpactQuestion& q) {
  MovingPair& pair = two.pair;
  CastResult r;
  r.time = pair.time();
  const DistanceResult d = pair.distance_at(r.time, q.options, nullptr);
  r.distance = d.distance;
  r.normal = d.normal;
  r.point_a = d.point_a;
  r.point_b = d.point_b;
  r.unique = d.unique;
  r.method = d.method;
  const double depth = kDeeper * pair.rounding(r.time);
  const double approach = pair.approach(d, r.time);
  const double speed = approach > kEpsilon * q.speed ? approach : q.speed;
  r.time_upper = speed > 0.0
                     ? ContactProof(pair, q).find(r.time, (std::max(d.upper, 0.0) + depth) / speed)
                     : kInfinity;
  if (r.time_upper < kInfinity) r.hit = Overlap::yes;
  const bool narrow = r.hit == Overlap::yes && (r.time_upper - r.time) * q.speed <= q.width;
  r.status = narrow                        ? Status::converged
             : pair.looks() < q.most_looks ? Status::precision_limit
                                           : Status::iteration_limit;
  // The pair's origin is that of its first body at that time.
  const Vec3 origin = pair.a().motion().linear * r.time + (two.swapped ? offset : Vec3{});
  r.point_a += origin;
  r.point_b += origin;
  if (!two.swapped) return r;
  r.normal = -r.normal;
  std::swap(r.point_a, r.point_b);
  return r;
}

}  // namespace tactus::detail
