#include "tactus/rigid/world/contact_report.hpp"

#include <algorithm>

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

void measure_contacts(const ContactSet& contacts, StepStatistics& out) {
  out.candidate_pairs = static_cast<int>(contacts.pair_count());

  ExactSum relative_depths;
  contacts.for_each_touching_pair([&](std::span<const ContactPatch> patches, auto&&) {
    double deepest = -1.0;
    for (const ContactPatch& patch : patches) {
      for (const ContactPoint& point : patch.manifold.span()) {
        deepest = std::max(deepest, point.depth);
        if (point.depth >= 0.0) ++out.contact_points;
      }
    }
    if (deepest < 0.0) return;
    ++out.contacts;
    const double relative = deepest / patches.front().size;
    relative_depths.add(relative);
    out.deepest_penetration = std::max(out.deepest_penetration, deepest);
    out.deepest_relative_penetration = std::max(out.deepest_relative_penetration, relative);
  });
  if (out.contacts > 0) out.mean_relative_penetration = relative_depths.value() / out.contacts;
}

}  // namespace tactus::detail
