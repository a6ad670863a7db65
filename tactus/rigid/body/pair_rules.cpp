#include "tactus/rigid/body/pair_rules.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tactus::detail {
namespace {

/// A one-way body holds what touches it within this cosine of its direction, and is not deeper in
/// it than this part of the smaller body's size: what lies on it overlaps it by far less.
constexpr double kOnItsSide = 0.5, kMostSunk = 0.02;

/// Does the body let the other one through? `out` leads out of it.
bool lets_through(const Body& body, const Pose& pose, const Vec3& out, double depth, double size) {
  const auto side = body.one_way();
  if (!side) return false;
  return dot(pose.direction_to_world(*side), out) < kOnItsSide || depth > kMostSunk * size;
}

/// A coefficient that a rule may have made no number, or negative.
double usable(double x) { return x > 0.0 && std::isfinite(x) ? x : 0.0; }

}  // namespace

void PairRules::exclude(BodyId a, BodyId b) {
  const IdPair pair{std::min(a, b), std::max(a, b)};
  const auto place = std::lower_bound(excluded_.begin(), excluded_.end(), pair);
  if (place == excluded_.end() || *place != pair) excluded_.insert(place, pair);
  find_untouchable();
}

void PairRules::set_jointed(std::vector<IdPair> pairs) {
  jointed_ = std::move(pairs);
  find_untouchable();
}

void PairRules::find_untouchable() {
  untouchable_.clear();
  std::set_union(excluded_.begin(), excluded_.end(), jointed_.begin(), jointed_.end(),
                 std::back_inserter(untouchable_));
}

void PairRules::set_surface(std::uint32_t kind_a, std::uint32_t kind_b,
                            const std::optional<SurfacePair>& surface) {
  const auto key = std::minmax(kind_a, kind_b);
  if (surface)
    surfaces_[key] = *surface;
  else
    surfaces_.erase(key);
}

double PairRules::least_restitution() const {
  double least = 1.0;
  for (const auto& [kinds, surface] : surfaces_) least = std::min(least, surface.restitution);
  return least;
}

bool PairRules::may_touch(const Body& a, const Body& b) const {
  return (a.is_dynamic() || b.is_dynamic() || a.is_sensor() != b.is_sensor()) &&
         can_touch(a.filter(), b.filter()) &&
         !std::binary_search(untouchable_.begin(), untouchable_.end(), IdPair{a.id(), b.id()});
}

bool PairRules::may_push(const Body& a, const Body& b) const {
  return !a.is_sensor() && !b.is_sensor() && may_touch(a, b);
}

ContactTerms PairRules::terms(const FoundContact& contact, double size) const {
  const auto& [a, b, pose_a, pose_b, manifold] = contact;
  ContactTerms terms{surface(a.material(), b.material())};
  if (a.one_way() || b.one_way()) {
    double depth = -std::numeric_limits<double>::infinity();
    for (const ContactPoint& point : manifold.span()) depth = std::max(depth, point.depth);
    terms.ignored = lets_through(a, pose_a, manifold.normal, depth, size) ||
                    lets_through(b, pose_b, -manifold.normal, depth, size);
  }
  if (!rule_) return terms;
  rule_(contact, terms);
  terms.surface.friction = usable(terms.surface.friction);
  terms.surface.restitution = std::min(usable(terms.surface.restitution), 1.0);
  terms.surface.rolling_friction = usable(terms.surface.rolling_friction);
  terms.surface.torsional_friction = usable(terms.surface.torsional_friction);
  terms.surface.adhesion = usable(terms.surface.adhesion);
  return terms;
}

SurfacePair PairRules::surface(const Material& a, const Material& b) const {
  const auto found = surfaces_.find(std::minmax(a.kind, b.kind));
  return found == surfaces_.end() ? combine(a, b) : found->second;
}

}  // namespace tactus::detail
