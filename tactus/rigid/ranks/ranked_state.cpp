#include "tactus/rigid/ranks/ranked_state.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tactus::detail {
namespace {

/// The state goes in parts of so many bodies each, with the pairs whose first bodies they are.
constexpr std::size_t kPart = 2048;

/// A pair with all that belongs to it.
struct Gathered {
  PairMemory memory;
  std::vector<ManifoldMemory> manifolds;
  std::vector<ContactPointMemory> points;
};

void write(const WorldState& state, const PairMemory& pair, Parcel& parcel) {
  parcel.add(pair.body_a);
  parcel.add(pair.body_b);
  parcel.add(pair.image);
  parcel.add_text(pair.cache.empty() ? std::string() : pair.cache.to_bytes());
  parcel.add(pair.count);
  for (std::uint32_t i = pair.first; i < pair.first + pair.count; ++i) {
    const ManifoldMemory& manifold = state.manifolds[i];
    parcel.add(manifold);
    for (std::uint32_t k = manifold.first; k < manifold.first + manifold.count; ++k)
      parcel.add(state.points[k]);
  }
}

Gathered read(ParcelReader& reader) {
  Gathered pair;
  pair.memory.body_a = reader.read<BodyId>();
  pair.memory.body_b = reader.read<BodyId>();
  pair.memory.image = reader.read<Periods>();
  const std::string cache = reader.read_text();
  if (!cache.empty()) pair.memory.cache = QueryCache::from_bytes(cache);
  pair.memory.count = reader.read<std::uint32_t>();
  for (std::uint32_t i = 0; i < pair.memory.count; ++i) {
    const auto manifold = reader.read<ManifoldMemory>();
    pair.manifolds.push_back(manifold);
    for (std::uint32_t k = 0; k < manifold.count; ++k)
      pair.points.push_back(reader.read<ContactPointMemory>());
  }
  return pair;
}

void append(Gathered&& pair, WorldState& all) {
  pair.memory.first = static_cast<std::uint32_t>(all.manifolds.size());
  auto first = static_cast<std::uint32_t>(all.points.size());
  for (ManifoldMemory& manifold : pair.manifolds)
    manifold.first = std::exchange(first, first + manifold.count);
  all.pairs.push_back(std::move(pair.memory));
  all.manifolds.insert(all.manifolds.end(), pair.manifolds.begin(), pair.manifolds.end());
  all.points.insert(all.points.end(), pair.points.begin(), pair.points.end());
}

/// Bodies of which this rank tells: one that is not dynamic is the same everywhere.
std::vector<BodyMotion> told_of(const RankRegion& region, std::span<const Body> bodies) {
  std::vector<BodyMotion> told;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool mine =
        bodies[i].is_dynamic() && !region.knows_all() ? region.is_home(i) : region.me() == 0;
    if (mine) told.push_back(bodies[i].motion());
  }
  return told;
}

/// Adds a part, as ranks have sent it, in the order of one rank.
void append(const std::vector<std::string>& messages, WorldState& all) {
  std::vector<Gathered> pairs;
  const auto first = static_cast<std::ptrdiff_t>(all.bodies.size());
  for (const std::string& message : messages) {
    ParcelReader reader(message);
    while (reader.read<bool>()) all.bodies.push_back(reader.read<BodyMotion>());
    while (!reader.at_end()) pairs.push_back(read(reader));
  }
  std::sort(all.bodies.begin() + first, all.bodies.end(),
            [](const BodyMotion& x, const BodyMotion& y) { return x.id < y.id; });
  const auto key = [](const Gathered& p) {
    return std::tie(p.memory.body_a, p.memory.body_b, p.memory.image);
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const Gathered& x, const Gathered& y) { return key(x) < key(y); });
  for (Gathered& pair : pairs) append(std::move(pair), all);
}

}  // namespace

WorldState gather_state(const RankRegion& region, std::span<const Body> bodies, WorldState own) {
  Exchange& exchange = region.exchange();
  const bool on_first = region.saves_on_first();
  const std::vector<BodyMotion> told = told_of(region, bodies);
  const bool takes = !on_first || exchange.rank() == 0;
  WorldState all;
  // All else than bodies and pairs is the same on all ranks.
  std::tie(all.step, all.next_id, all.stiffening, all.next_joint, all.joints) =
      std::tie(own.step, own.next_id, own.stiffening, own.next_joint, own.joints);
  auto body = told.begin();
  auto pair = own.pairs.cbegin();
  const std::size_t count = region.knows_all() ? bodies.size() : region.table().size();
  for (std::size_t past = kPart;; past += kPart) {
    const bool last = past >= count;
    const BodyId end = last                 ? std::numeric_limits<BodyId>::max()
                       : region.knows_all() ? bodies[past].id()
                                            : region.table().id(past);
    Parcel mine;
    for (; body != told.end() && body->id < end; ++body) {
      mine.add(true);
      mine.add(*body);
    }
    mine.add(false);
    for (; pair != own.pairs.cend() && pair->body_a < end; ++pair) write(own, *pair, mine);
    const std::vector<std::string> messages =
        on_first ? exchange.gather_on_first(mine.take()) : exchange.gather(mine.take());
    append(messages, all);
    if (last) return takes ? std::move(all) : std::move(own);
  }
}

}  // namespace tactus::detail
