#include "tactus/rigid/world/contact_report.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "tactus/math/exact_sum.hpp"

namespace tactus::detail {

void ReportedContacts::forget(std::span<const BodyId> ids) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (names_one_of(list[i], ids)) continue;
    list[kept] = list[i];
    if (!images.empty()) images[kept] = images[i];
    ++kept;
  }
  list.resize(kept);
  if (!images.empty()) images.resize(kept);
}

void ReportedContacts::gather(const RankRegion& region, bool to_first) {
  struct Reported {
    Contact contact;
    Periods image;
  };
  // The first rank may have them all already, or every one.
  if (on_first ? to_first : whole) return;
  Parcel mine;
  if (!on_first || whole)
    for (std::size_t i = 0; i < list.size(); ++i) mine.add(Reported{list[i], images[i]});
  Exchange& exchange = region.exchange();
  const std::vector<std::string> messages =
      to_first ? exchange.gather_on_first(mine.take()) : exchange.gather(mine.take());
  if (messages.empty()) {
    on_first = true;
    return;
  }
  std::vector<Reported> all;
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) all.push_back(reader.read<Reported>());
  }
  // All points of a pair are of one rank, and in their order.
  std::stable_sort(all.begin(), all.end(), [](const Reported& x, const Reported& y) {
    return std::tie(x.contact.body_a, x.contact.body_b, x.image) <
           std::tie(y.contact.body_a, y.contact.body_b, y.image);
  });
  clear();
  on_first = to_first;
  for (const Reported& reported : all) {
    list.push_back(reported.contact);
    images.push_back(reported.image);
  }
}

void collect_contacts(std::span<const Body> bodies, const ContactSet& contacts, double time,
                      const RankRegion* region, ReportedContacts& out) {
  out.clear();
  out.whole = region == nullptr;
  if (region != nullptr) {
    for (const ContactPair& pair : contacts.memory().now().pairs)
      for (const ContactPatch& patch : contacts.all_patches().subspan(pair.first, pair.count))
        out.images.insert(out.images.end(), patch.manifold.span().size(), pair.image);
  }
  contacts.for_each_touching_pair([&](std::span<const ContactPatch> patches,
                                      std::span<const PatchImpulses> impulses) {
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const ContactPatch& patch = patches[i];
      const double pull = patch.pull() * time;
      for (std::size_t k = 0; k < patch.manifold.span().size(); ++k) {
        const ContactPoint& point = patch.manifold.points[k];
        out.list.push_back({bodies[patch.body_a].id(), bodies[patch.body_b].id(),
                            (point.point_a + point.point_b) * 0.5, patch.manifold.normal,
                            point.depth, impulses[i].normal[k] - (patch.sticks(point) ? pull : 0.0),
                            impulses[i].friction[k]});
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
