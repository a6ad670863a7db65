#include "tactus/soft/world/group_carrier.hpp"

#include <cmath>
#include <utility>

#include "tactus/ccd.hpp"

namespace tactus::detail {
namespace {

// Groups that come near others on the way as a whole: so often their ways are shortened, at first
// to this part of the way to the first contact, then to halves, at last to nothing.
constexpr int kShortenings = 4;
constexpr double kPartOfWay = 0.8;
constexpr std::uint32_t kNoGroup = 0xffffffffu;

}  // namespace

std::vector<Vec3> GroupCarrier::carried(std::span<const Party> groups, std::span<const Vec3> ways,
                                        std::span<const Vec3> x) const {
  std::vector<Vec3> end(x.begin(), x.end());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (ways[g] == Vec3{}) continue;
    for (const std::uint32_t i : groups[g].vertices) end[i] += ways[g];
    for (const std::uint32_t k : groups[g].blocks) {
      const RigidBlock& b = problem_.blocks[k];
      const RigidPlace place = b.at(x);
      b.put({place[0] + ways[g], place[1]}, end);
    }
  }
  return end;
}

bool GroupCarrier::shorten(int attempt, std::span<const Party> groups, std::span<Vec3> ways,
                           std::span<const Vec3> x) const {
  const SurfaceSet& set = problem_.model->surfaces;
  const std::vector<Vec3> end = carried(groups, ways, x);
  std::vector<std::uint32_t> group_of(problem_.model->stiffness.size(), kNoGroup);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t i : groups[g].vertices) group_of[set.body_of[i]] = g;
    for (const std::uint32_t k : groups[g].blocks) group_of[problem_.blocks[k].body] = g;
  }
  std::vector<double> factor(groups.size(), 1.0);
  bool any = false;
  const auto meet = [&](std::uint32_t vertex, double time) {
    const std::uint32_t g = group_of[set.body_of[vertex]];
    if (g == kNoGroup) return;
    any = true;
    const double f = attempt == 0 ? kPartOfWay * time : (attempt + 1 < kShortenings ? 0.5 : 0.0);
    factor[g] = std::fmin(factor[g], f);
  };
  CcdOptions options;
  options.min_separation = near_;
  using Meetings = std::vector<std::pair<PrimitivePair, double>>;
  const auto found =
      search_pairs<Meetings>(set, x, end, 0.5 * near_ * (1.0 + 1e-12), problem_.max_threads,
                             [&](const PrimitivePair& p, Meetings& mine) {
                               const auto& v = p.v;
                               const std::uint32_t a = group_of[set.body_of[v[0]]],
                                                   b = group_of[set.body_of[v[p.edges ? 2 : 1]]];
                               if (a == b) return;
                               const CcdResult r = swept(p, x, end, options);
                               if (r.hit) mine.emplace_back(p, r.time);
                             });
  for (const Meetings& list : found) {
    for (const auto& [p, time] : list) {
      meet(p.v[0], time);
      meet(p.v[p.edges ? 2 : 1], time);
    }
  }
  for (const std::uint32_t v : set.kept_out) {
    for (const Floor& f : set.floors) {
      const double d0 = f.distance(x[v]), d1 = f.distance(end[v]);
      if (d1 <= near_ && d1 < d0) meet(v, std::fmax(0.0, (d0 - near_) / (d0 - d1)));
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) ways[g] *= factor[g];
  return any;
}

bool GroupCarrier::carry(double least, std::vector<Vec3>& x) const {
  const std::vector<Party> groups = momentum_.free_groups();
  std::vector<Vec3> ways;
  bool any = false;
  for (const Party& group : groups) {
    const Vec3 way = momentum_.wanted(group).center - momentum_.present(group, x).center;
    const double rounding = 1e-14 * max_abs(momentum_.wanted(group).center);
    ways.push_back(norm(way) > std::fmax(least, rounding) ? way : Vec3{});
    any = any || ways.back() != Vec3{};
  }
  if (!any) return false;
  for (int k = 0; k < kShortenings && shorten(k, groups, ways, x); ++k) {
  }
  std::vector<Vec3> end = carried(groups, ways, x);
  // Gaps within a group are what they were, but for rounding.
  if (contacts_.any_impact(x, end)) return false;
  any = end != x;
  x = std::move(end);
  return any;
}

}  // namespace tactus::detail
