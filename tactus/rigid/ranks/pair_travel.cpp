#include "tactus/rigid/ranks/pair_travel.hpp"

#include <algorithm>
#include <tuple>

namespace tactus::detail {

void write_pair(const ContactLists& lists, const ContactPair& pair, Parcel& parcel) {
  parcel.add(pair.body_a);
  parcel.add(pair.body_b);
  parcel.add(pair.image);
  parcel.add(pair.rests);
  parcel.add(pair.met);
  parcel.add_text(pair.cache.empty() ? std::string() : pair.cache.to_bytes());
  parcel.add(pair.count);
  // The geometry of those that rest may be kept; after `restore` there is none.
  const bool whole = pair.rests && lists.patches.size() == lists.keys.size();
  parcel.add(whole);
  for (std::uint32_t i = pair.first; i < pair.first + pair.count; ++i) {
    parcel.add(lists.keys[i]);
    parcel.add(lists.impulses[i]);
    if (whole) parcel.add(lists.patches[i]);
  }
}

void PairArrivals::read(ParcelReader& reader) {
  any_ = true;
  // Patches that were restored have no geometry.
  lists_.patches.resize(lists_.keys.size());
  ContactPair& pair = lists_.pairs.emplace_back();
  pair.body_a = reader.read<BodyId>();
  pair.body_b = reader.read<BodyId>();
  pair.image = reader.read<Periods>();
  pair.rests = reader.read<bool>();
  pair.met = reader.read<bool>();
  const std::string cache = reader.read_text();
  if (!cache.empty()) pair.cache = QueryCache::from_bytes(cache);
  pair.guest = true;
  pair.first = static_cast<std::uint32_t>(lists_.keys.size());
  pair.count = reader.read<std::uint32_t>();
  const bool whole = reader.read<bool>();
  for (std::uint32_t i = 0; i < pair.count; ++i) {
    lists_.keys.push_back(reader.read<PatchKey>());
    lists_.impulses.push_back(reader.read<PatchImpulses>());
    lists_.patches.push_back(whole ? reader.read<ContactPatch>() : ContactPatch{});
  }
}

void PairArrivals::end() {
  if (!any_) return;
  const auto key = [](const ContactPair& p) { return std::tuple(p.body_a, p.body_b, p.image); };
  std::sort(lists_.pairs.begin(), lists_.pairs.end(),
            [&](const ContactPair& x, const ContactPair& y) {
              // One that was here before, too, has come back: the guest is what counts.
              return key(x) != key(y) ? key(x) < key(y) : x.guest > y.guest;
            });
}

}  // namespace tactus::detail
