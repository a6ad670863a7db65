#include "tactus/rigid/solver/load_sink.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {

void LoadSink::list_supports(std::span<const ContactPatch> patches, std::span<const double> loads,
                             std::span<const Body> bodies, const Vec3& up) {
  const auto upward = [&](std::size_t i) { return dot(patches[i].manifold.normal, up); };
  const auto carried = [&](std::size_t i) {
    return upward(i) > 0.0 ? patches[i].body_b : patches[i].body_a;
  };
  first_.assign(bodies.size() + 1, 0);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (loads[i] > 0.0) ++first_[carried(i) + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  supports_.resize(first_.back());
  std::vector<std::uint32_t>& next = order_;
  next.assign(first_.begin(), first_.end());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (!(loads[i] > 0.0)) continue;
    const std::uint32_t above = carried(i);
    const std::uint32_t below = above == patches[i].body_a ? patches[i].body_b : patches[i].body_a;
    supports_[next[above]++] = {static_cast<std::uint32_t>(i), below,
                                loads[i] * std::fabs(upward(i))};
  }
}

Softness LoadSink::find(std::span<const ContactPatch> patches, std::span<const double> loads,
                        std::span<const double> overlaps, std::span<const Body> bodies,
                        const Vec3& gravity) {
  Softness result;
  for (const double overlap : overlaps) result.overlap = std::max(result.overlap, overlap);
  if (gravity == Vec3{}) return result;
  const Vec3 up = -normalized(gravity);
  list_supports(patches, loads, bodies, up);
  heights_.resize(bodies.size());
  order_.clear();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    heights_[i] = dot(bodies[i].center_of_mass(), up);
    if (bodies[i].is_dynamic() && first_[i + 1] > first_[i]) order_.push_back(i);
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t x, std::uint32_t y) {
    return heights_[x] != heights_[y] ? heights_[x] < heights_[y] : x < y;
  });
  sinks_.assign(bodies.size(), 0.0);
  for (const std::uint32_t body : order_) {
    double sum = 0.0, weights = 0.0;
    for (std::uint32_t k = first_[body]; k < first_[body + 1]; ++k) {
      const Support& s = supports_[k];
      sum += s.weight * (overlaps[s.patch] + sinks_[s.below]);
      weights += s.weight;
    }
    if (weights > 0.0) sinks_[body] = sum / weights;
    result.sink = std::max(result.sink, sinks_[body]);
  }
  return result;
}

}  // namespace tactus::detail
