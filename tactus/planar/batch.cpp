#include <string>

#include "tactus/core.hpp"
#include "tactus/planar.hpp"

namespace tactus::planar {
namespace {

// Some 1 us of the cheapest queries: a thousand still spread over many threads.
constexpr std::size_t kTogether = 32;

void require_places(std::size_t places, std::size_t wanted, const char* field, const char* reason) {
  if (places != wanted) throw InvalidInput(field, reason);
}

void check(std::span<const PlacedRegion> regions, std::span<const PlanarPair> pairs,
           std::size_t results) {
  require_places(results, pairs.size(), "out", "needs one place per pair");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (const std::size_t k : {pairs[i].a, pairs[i].b}) {
      if (k >= regions.size() || regions[k].region == nullptr)
        throw InvalidInput("pairs[" + std::to_string(i) + "]", "refers to no region");
    }
  }
}

template <class Work>
void for_each(std::size_t count, int max_threads, Work&& work) {
  parallel_for(
      count, kTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(i);
      },
      max_threads);
}

template <class Shape>
void touch_all(std::span<const PlacedCircle> circles, const Shape& shape, const Pose2& pose,
               std::span<std::vector<Touch>> out, double threshold, int max_threads) {
  require_places(out.size(), circles.size(), "out", "needs one place per circle");
  for_each(circles.size(), max_threads, [&](std::size_t i) {
    if (!is_finite(circles[i].position)) return out[i].clear();
    touches(circles[i].circle, Pose2(circles[i].position, 0.0), shape, pose, out[i], threshold);
  });
}

}  // namespace

void distance(std::span<const PlacedRegion> regions, std::span<const PlanarPair> pairs,
              std::span<PlanarResult> out, std::span<PlanarCache> caches, int max_threads) {
  check(regions, pairs, out.size());
  if (!caches.empty())
    require_places(caches.size(), pairs.size(), "caches", "needs one place per pair, or none");
  for_each(pairs.size(), max_threads, [&](std::size_t i) {
    const PlacedRegion &a = regions[pairs[i].a], &b = regions[pairs[i].b];
    out[i] = distance(*a.region, a.pose, *b.region, b.pose, caches.empty() ? nullptr : &caches[i]);
  });
}

void contacts(std::span<const PlacedRegion> regions, std::span<const PlanarPair> pairs,
              std::span<PlanarContacts> out, double threshold, int max_threads) {
  check(regions, pairs, out.size());
  for_each(pairs.size(), max_threads, [&](std::size_t i) {
    const PlacedRegion &a = regions[pairs[i].a], &b = regions[pairs[i].b];
    contacts(*a.region, a.pose, *b.region, b.pose, out[i], threshold);
  });
}

void touches(std::span<const PlacedCircle> circles, const Contour& contour,
             const Pose2& pose_contour, std::span<std::vector<Touch>> out, double threshold,
             int max_threads) {
  touch_all(circles, contour, pose_contour, out, threshold, max_threads);
}

void touches(std::span<const PlacedCircle> circles, const Region& region, const Pose2& pose_region,
             std::span<std::vector<Touch>> out, double threshold, int max_threads) {
  touch_all(circles, region, pose_region, out, threshold, max_threads);
}

}  // namespace tactus::planar
