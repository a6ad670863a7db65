#include "tactus/rigid/world/contact_report.hpp"

#include <algorithm>
#include <utility>

#include "tactus/math/exact_sum.hpp"

namespace tactus::detail {

void collect_contacts(std::span<const Body> bodies, const ContactSet& contacts,
                      std::vector<Contact>& out) {
  out.clear();
  contacts.for_each_touching_pair(
      [&](std::span<const ContactPatch> patches, std::span<const PatchImpulses> impulses) {
        for (std::size_t i = 0; i < patches.size(); ++i) {
          const ContactPatch& patch = patches[i];
          for (std::size_t k = 0; k < patch.manifold.span().size(); ++k) {
            const ContactPoint& point = patch.manifold.points[k];
            out.push_back({bodies[patch.body_a].id(), bodies[patch.body_b].id(),
                           (point.point_a + point.point_b) * 0.5, patch.manifold.normal,
                           point.depth, impulses[i].normal[k], impulses[i].friction[k]});
          }
        }
      });
}

namespace {

/// Measures of contacts, in any order.
struct Touches {
  int pairs = 0, touching = 0, points = 0;
  double deepest = 0.0, relative = 0.0;
  ExactSum relative_depths;

  void add(const Touches& other) {
    pairs += other.pairs;
    touching += other.touching;
    points += other.points;
    deepest = std::max(deepest, other.deepest);
    relative = std::max(relative, other.relative);
    relative_depths.add(other.relative_depths);
  }
};

}  // namespace

void measure_contacts(const ContactSet& contacts, const RankRegion* region, StepStatistics& out) {
  Touches all;
  all.pairs = static_cast<int>(contacts.pair_count());
  contacts.for_each_touching_pair([&](std::span<const ContactPatch> patches, auto&&) {
    double deepest = -1.0;
    for (const ContactPatch& patch : patches) {
      for (const ContactPoint& point : patch.manifold.span()) {
        deepest = std::max(deepest, point.depth);
        if (point.depth >= 0.0) ++all.points;
      }
    }
    if (deepest < 0.0) return;
    ++all.touching;
    const double relative = deepest / patches.front().size;
    all.relative_depths.add(relative);
    all.deepest = std::max(all.deepest, deepest);
    all.relative = std::max(all.relative, relative);
  });
  if (region != nullptr) {
    const Touches mine = std::exchange(all, {});
    for (const Touches& theirs : region->gather(mine)) all.add(theirs);
  }
  out.candidate_pairs = all.pairs;
  out.contacts = all.touching;
  out.contact_points = all.points;
  out.deepest_penetration = all.deepest;
  out.deepest_relative_penetration = all.relative;
  if (out.contacts > 0) out.mean_relative_penetration = all.relative_depths.value() / out.contacts;
}

}  // namespace tactus::detail
