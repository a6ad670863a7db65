#include "tactus/rigid/ranks/ranks.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

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

WorldState gather_state(RankRegion& region, std::span<const Body> bodies, const WorldState& own) {
  Parcel mine;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    // Bodies that are not dynamic are the same everywhere.
    const bool told =
        bodies[i].is_dynamic() && !region.knows_all() ? region.is_home(i) : region.me() == 0;
    if (!told) continue;
    mine.add(true);
    mine.add(bodies[i].motion());
  }
  mine.add(false);
  for (const PairMemory& pair : own.pairs) {
    mine.add(pair.body_a);
    mine.add(pair.body_b);
    mine.add(pair.image);
    mine.add_text(pair.cache.empty() ? std::string() : pair.cache.to_bytes());
    std::vector<ManifoldMemory> manifolds(own.manifolds.begin() + pair.first,
                                          own.manifolds.begin() + pair.first + pair.count);
    mine.add_list(manifolds);
    for (const ManifoldMemory& manifold : manifolds)
      mine.add_list(
          std::vector<ContactPointMemory>(own.points.begin() + manifold.first,
                                          own.points.begin() + manifold.first + manifold.count));
  }
  struct Gathered {
    PairMemory memory;
    std::vector<ManifoldMemory> manifolds;
    std::vector<std::vector<ContactPointMemory>> points;
  };
  WorldState all = own;
  all.bodies.clear();
  all.pairs.clear();
  all.manifolds.clear();
  all.points.clear();
  std::vector<Gathered> pairs;
  for (const std::string& message : region.exchange().gather(mine.take())) {
    ParcelReader reader(message);
    while (reader.read<bool>()) all.bodies.push_back(reader.read<BodyMotion>());
    while (!reader.at_end()) {
      Gathered& pair = pairs.emplace_back();
      pair.memory.body_a = reader.read<BodyId>();
      pair.memory.body_b = reader.read<BodyId>();
      pair.memory.image = reader.read<Periods>();
      const std::string cache = reader.read_text();
      if (!cache.empty()) pair.memory.cache = QueryCache::from_bytes(cache);
      pair.manifolds = reader.read_list<ManifoldMemory>();
      for (std::size_t i = 0; i < pair.manifolds.size(); ++i)
        pair.points.push_back(reader.read_list<ContactPointMemory>());
    }
  }
  std::sort(all.bodies.begin(), all.bodies.end(),
            [](const BodyMotion& x, const BodyMotion& y) { return x.id < y.id; });
  const auto key = [](const Gathered& p) {
    return std::tie(p.memory.body_a, p.memory.body_b, p.memory.image);
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const Gathered& x, const Gathered& y) { return key(x) < key(y); });
  for (Gathered& pair : pairs) {
    pair.memory.first = static_cast<std::uint32_t>(all.manifolds.size());
    pair.memory.count = static_cast<std::uint32_t>(pair.manifolds.size());
    all.pairs.push_back(pair.memory);
    for (std::size_t i = 0; i < pair.manifolds.size(); ++i) {
      pair.manifolds[i].first = static_cast<std::uint32_t>(all.points.size());
      all.manifolds.push_back(pair.manifolds[i]);
      all.points.insert(all.points.end(), pair.points[i].begin(), pair.points[i].end());
    }
  }
  return all;
}

}  // namespace tactus::detail
