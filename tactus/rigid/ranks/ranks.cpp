#include "tactus/rigid/ranks/ranks.hpp"

#include <algorithm>

#include "tactus/rigid/body/find_body.hpp"

namespace tactus::detail {

void share_carried(RankRegion& region, std::span<const Body> bodies, std::span<Carried> carried) {
  if (region.knows_all()) {
    // Nobody knows who has which neighbours yet.
    Parcel mine;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (carried[i] != Carried::no) mine.add(bodies[i].id());
    for (const std::string& message : region.exchange().gather(mine.take())) {
      ParcelReader reader(message);
      while (!reader.at_end())
        carried[find_body(bodies, reader.read<BodyId>())] = Carried::by_contacts;
    }
    return;
  }
  const std::span<const int> neighbours = region.neighbours();
  std::vector<Parcel> parcels(neighbours.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].is_dynamic() || carried[i] == Carried::no || !region.is_shared(i)) continue;
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const auto knowers = region.knowers(i);
      if (std::binary_search(knowers.begin(), knowers.end(), neighbours[k]))
        parcels[k].add(bodies[i].id());
    }
  }
  std::vector<std::string> messages = messages_of(parcels);
  region.exchange().trade(neighbours, messages);
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (!reader.at_end())
      carried[find_body(bodies, reader.read<BodyId>())] = Carried::by_contacts;
  }
}

}  // namespace tactus::detail
