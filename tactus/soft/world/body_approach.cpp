#include "tactus/soft/world/body_approach.hpp"

#include <cmath>

#include "tactus/ccd.hpp"

namespace tactus::detail {
namespace {

// Bodies are brought this near to each other without being asked where they want to go, in contact
// distances, and by this part of the way to a contact.
constexpr double kApproach = 0.25, kPartOfWay = 0.8;

/// Two bodies that meet, at this part of the way.
struct Meeting {
  std::uint32_t a, b;
  double time;
};

}  // namespace

std::vector<Vec3> BodyApproach::end_of(std::span<const double> shares) const {
  const SurfaceSet& surfaces = problem_.model->surfaces;
  std::vector<Vec3> end = problem_.start;
  for (std::size_t i = 0; i < problem_.model->free_vertices; ++i) {
    const double share = shares[surfaces.body_of[i]];
    end[i] = share == 1.0 ? wanted_[i] : end[i] + (wanted_[i] - end[i]) * share;
  }
  for (std::size_t b = surfaces.first_obstacle; b < shares.size(); ++b)
    led_.place(b - surfaces.first_obstacle, shares[b], end);
  return end;
}

bool BodyApproach::shorten(int attempt, std::vector<double>& shares) const {
  const std::vector<Vec3>& x0 = problem_.start;
  const std::vector<Vec3> x1 = end_of(shares);
  const double near = kApproach * contact_distance_;
  CcdOptions options;
  options.min_separation = near;
  const SurfaceSet& set = problem_.model->surfaces;
  const auto found = search_pairs<std::vector<Meeting>>(
      set, x0, x1, 0.5 * near * (1.0 + 1e-12), problem_.max_threads,
      [&](const PrimitivePair& p, std::vector<Meeting>& mine) {
        const auto& v = p.v;
        const CcdResult r = swept(p, x0, x1, options);
        if (r.hit) mine.push_back({set.body_of[v[0]], set.body_of[v[p.edges ? 2 : 1]], r.time});
      });
  std::vector<double> factor(shares.size(), 1.0);
  bool any = false;
  const auto meet = [&](std::uint32_t body, double time) {
    any = true;
    const double f = attempt == 0 ? kPartOfWay * time : (attempt < 6 ? 0.5 : 0.0);
    factor[body] = std::fmin(factor[body], f);
  };
  for (const std::vector<Meeting>& list : found) {
    for (const Meeting& m : list) {
      meet(m.a, m.time);
      meet(m.b, m.time);
    }
  }
  for (const std::uint32_t v : set.kept_out) {
    for (const Floor& f : set.floors) {
      const double d0 = f.distance(x0[v]), d1 = f.distance(x1[v]);
      if (d1 > near || d1 >= d0) continue;
      meet(set.body_of[v], std::fmax(0.0, (d0 - near) / (d0 - d1)));
    }
  }
  for (std::size_t b = 0; b < shares.size(); ++b) shares[b] *= factor[b];
  return any;
}

std::vector<double> BodyApproach::shares() const {
  std::vector<double> shares(problem_.model->stiffness.size(), 1.0);
  const std::size_t most = shares.size() + 8;
  for (std::size_t attempt = 0; attempt < most; ++attempt) {
    if (!shorten(static_cast<int>(attempt), shares)) return shares;
  }
  shares.assign(shares.size(), 0.0);
  return shares;
}

}  // namespace tactus::detail
