#include "tactus/rigid/ranks/ranked_seams.hpp"

#include <algorithm>
#include <tuple>

#include "tactus/rigid/body/find_body.hpp"

namespace tactus::detail {
namespace {

PatchName name_of(const ContactSet::Guest& guest) {
  return {guest.body_a, guest.body_b, guest.image, guest.place};
}

bool is_ball(const Body& body) { return body.shape().type() == ShapeType::sphere; }

}  // namespace

/// Ranks that know a body of the patch, unless its partner is a ball; `on_seams`: of those on seams
/// alone.
std::vector<int> RankedSeams::knowers_of_sides(std::span<const Body> bodies,
                                               const ContactPatch& patch,
                                               const ContactSet* on_seams) const {
  std::vector<int> ranks;
  for (const auto& [body, other] :
       {std::pair(patch.body_a, patch.body_b), std::pair(patch.body_b, patch.body_a)}) {
    if (!bodies[body].is_dynamic() || !region_.is_shared(body) || is_ball(bodies[other])) continue;
    if (on_seams != nullptr && !on_seams->seams().is_on_seam(body)) continue;
    const auto knowers = region_.knowers(body);
    ranks.insert(ranks.end(), knowers.begin(), knowers.end());
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::erase(ranks, region_.me());
  return ranks;
}

std::vector<int> RankedSeams::concerned(const ContactSet& contacts, std::span<const Body> bodies,
                                        std::uint32_t patch) const {
  return knowers_of_sides(bodies, contacts.all_patches()[patch], &contacts);
}

void RankedSeams::judge(ContactSet& contacts, std::span<const Body> bodies) {
  const Exchange::About about(region_.exchange(), Exchange::Topic::bodies);
  const std::span<const int> neighbours = region_.neighbours();
  const auto place_of = [&](int rank) {
    return static_cast<std::size_t>(std::lower_bound(neighbours.begin(), neighbours.end(), rank) -
                                    neighbours.begin());
  };
  std::vector<Parcel> parcels(neighbours.size());
  const auto patches = contacts.all_patches();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    for (const int rank : knowers_of_sides(bodies, patches[i], nullptr)) {
      parcels[place_of(rank)].add(contacts.name_of(i));
      parcels[place_of(rank)].add(patches[i]);
    }
  }
  std::vector<std::string> messages = messages_of(parcels);
  region_.exchange().trade(neighbours, messages);
  std::vector<std::pair<ContactSet::Guest, ContactPatch>> guests;
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      const auto guest = reader.read<ContactSet::Guest>();
      auto patch = reader.read<ContactPatch>();
      const std::size_t a = find_body(bodies, guest.body_a), b = find_body(bodies, guest.body_b);
      // No patch is judged here of a body whose partners are not known here.
      if (std::max(a, b) >= bodies.size()) continue;
      patch.body_a = static_cast<std::uint32_t>(a);
      patch.body_b = static_cast<std::uint32_t>(b);
      guests.emplace_back(guest, patch);
    }
  }
  std::sort(guests.begin(), guests.end(),
            [](const auto& x, const auto& y) { return name_of(x.first) < name_of(y.first); });
  std::vector<ContactSet::Guest> names;
  std::vector<ContactPatch> copies;
  for (const auto& [name, patch] : guests) {
    names.push_back(name);
    copies.push_back(patch);
  }
  contacts.judge_seams(bodies, std::move(names), std::move(copies));
  share_dropped(contacts, bodies);
}

/// The copies of patches that were dropped lose their points, too.
void RankedSeams::share_dropped(ContactSet& contacts, std::span<const Body> bodies) {
  const std::span<const int> neighbours = region_.neighbours();
  std::vector<Parcel> parcels(neighbours.size());
  const auto patches = contacts.all_patches();
  bool any = false;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (!patches[i].covered) continue;
    for (const int rank : knowers_of_sides(bodies, patches[i], nullptr)) {
      const auto k = std::lower_bound(neighbours.begin(), neighbours.end(), rank);
      parcels[static_cast<std::size_t>(k - neighbours.begin())].add(name_of(contacts.name_of(i)));
      any = true;
    }
  }
  if (!region_.exchange().any(any)) return;
  std::vector<std::string> messages = messages_of(parcels);
  region_.exchange().trade(neighbours, messages);
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end())
      if (ContactPatch* copy = guest(contacts, reader.read<PatchName>())) copy->manifold.count = 0;
  }
}

ContactPatch* RankedSeams::guest(ContactSet& contacts, const PatchName& name) const {
  const auto names = contacts.guest_names();
  const auto found =
      std::lower_bound(names.begin(), names.end(), name,
                       [](const auto& x, const PatchName& y) { return name_of(x) < y; });
  if (found == names.end() || name_of(*found) != name) return nullptr;
  return &contacts.guests()[static_cast<std::size_t>(found - names.begin())];
}

void RankedSeams::renew(ContactPatch& guest, const ContactPatch& found) {
  const std::uint32_t a = guest.body_a, b = guest.body_b;
  guest = found;
  guest.body_a = a;
  guest.body_b = b;
}

}  // namespace tactus::detail
