#include "tactus/rigid/body/pair_rules.hpp"

#include <algorithm>
#include <iterator>

namespace tactus::detail {

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

bool PairRules::may_touch(const Body& a, const Body& b) const {
  return (a.is_dynamic() || b.is_dynamic()) && can_touch(a.filter(), b.filter()) &&
         !std::binary_search(untouchable_.begin(), untouchable_.end(), IdPair{a.id(), b.id()});
}

bool PairRules::may_push(const Body& a, const Body& b) const {
  return !a.is_sensor() && !b.is_sensor() && may_touch(a, b);
}

SurfacePair PairRules::surface(const Material& a, const Material& b) const {
  const auto found = surfaces_.find(std::minmax(a.kind, b.kind));
  return found == surfaces_.end() ? combine(a, b) : found->second;
}

}  // namespace tactus::detail
