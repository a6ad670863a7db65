#include "tactus/rigid/ranks/ranked_sleep.hpp"

#include <algorithm>

#include "tactus/rigid/body/find_body.hpp"

namespace tactus::detail {
namespace {

/// A body and its group, as a rank sees it.
struct Member {
  BodyId body, group;
  bool marked;
};

}  // namespace

bool RankedSleep::share_disturbed(std::vector<std::uint32_t>& disturbed) {
  if (!region_.exchange().any(!disturbed.empty())) return false;
  Parcel mine;
  for (const std::uint32_t body : disturbed) mine.add(bodies_[body].id());
  disturbed.clear();
  for (const std::string& message : region_.exchange().gather(mine.take())) {
    ParcelReader reader(message);
    while (!reader.at_end()) {
      const std::size_t body = find_body(bodies_, reader.read<BodyId>());
      if (body < bodies_.size()) disturbed.push_back(static_cast<std::uint32_t>(body));
    }
  }
  std::sort(disturbed.begin(), disturbed.end());
  disturbed.erase(std::unique(disturbed.begin(), disturbed.end()), disturbed.end());
  return true;
}

/// Each rank tells to which of its groups the bodies belong that others know, and which of these
/// groups are marked; groups with a body in common are one.
void RankedSleep::share_marks(DisjointSets& groups, std::span<char> marked) {
  Parcel mine;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].is_dynamic() || !region_.is_shared(i)) continue;
    const std::uint32_t group = groups.least_of(i);
    mine.add(Member{bodies_[i].id(), bodies_[group].id(), marked[group] != 0});
  }
  std::vector<Member> all;
  for (const std::string& message : region_.exchange().gather(mine.take())) {
    ParcelReader reader(message);
    while (!reader.at_end()) all.push_back(reader.read<Member>());
  }
  std::vector<BodyId> ids;
  for (const Member& member : all) {
    ids.push_back(member.body);
    ids.push_back(member.group);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto place = [&](BodyId id) {
    return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  DisjointSets joined(ids.size());
  for (const Member& member : all) joined.join(place(member.body), place(member.group));
  std::vector<char> any(ids.size(), 0);
  for (const Member& member : all)
    if (member.marked) any[joined.least_of(place(member.body))] = 1;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].is_dynamic() || !region_.is_shared(i)) continue;
    if (any[joined.least_of(place(bodies_[i].id()))] != 0) marked[groups.least_of(i)] = 1;
  }
}

}  // namespace tactus::detail
