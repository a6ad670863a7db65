#include "tactus/soft/contact/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tactus/ccd.hpp"

namespace tactus::detail {
namespace {

// Two primitives that move by at most this part of their distance each stay apart, and keep
// 1 - 2 * kShare of it: far more than any rounding.
constexpr double kShare = 0.4;
// As `kShare`, of a vertex's distance from a half-space, which does not move.
constexpr double kFloorShare = 0.8;

struct Gap {
  Vec3 way;  ///< from the second primitive to the first
  double distance;
};

NearestWeights nearest(const PrimitivePair& p, std::span<const Vec3> x) {
  return p.edges ? nearest_edges(x[p.v[0]], x[p.v[1]], x[p.v[2]], x[p.v[3]])
                 : nearest_vertex_face(x[p.v[0]], x[p.v[1]], x[p.v[2]], x[p.v[3]]);
}

Gap gap_of(const PrimitivePair& p, const NearestWeights& n, std::span<const Vec3> x) {
  // Relative to one of the vertices: far from the origin no digits are lost.
  const Vec3 base = x[p.v[0]];
  Vec3 way;
  for (std::size_t k = 1; k < 4; ++k) way += (x[p.v[k]] - base) * n.w[k];
  return {way, norm(way)};
}

/// Energy of friction over its bound, of a slip y: y^2 / e - y^3 / (3 e^2) up to e, then y - e / 3.
double slip_energy(double y, double e) {
  return y < e ? y * y / e - y * y * y / (3.0 * e * e) : y - e / 3.0;
}
/// Derivative of `slip_energy`, divided by y.
double slip_slope(double y, double e) { return y < e ? 2.0 / e - y / (e * e) : 1.0 / y; }

}  // namespace

CcdResult swept(const PrimitivePair& pair, std::span<const Vec3> x0, std::span<const Vec3> x1,
                const CcdOptions& options) {
  const auto& v = pair.v;
  if (pair.edges) {
    return edge_edge(
        {{x0[v[0]], x0[v[1]]}, {x0[v[2]], x0[v[3]]}, {x1[v[0]], x1[v[1]]}, {x1[v[2]], x1[v[3]]}},
        options);
  }
  return vertex_face(
      {x0[v[0]], {x0[v[1]], x0[v[2]], x0[v[3]]}, x1[v[0]], {x1[v[1]], x1[v[2]], x1[v[3]]}},
      options);
}

double Barrier::energy(double k, double d) const {
  if (d >= r) return 0.0;
  if (d >= 0.5 * r) return 0.5 * k * ((r - d) * (r - d));
  // The logarithm by halvings and the series of atanh: the same bits on every machine.
  double ratio = d / r;
  double halvings = 0.0;
  while (ratio < 0.5 && halvings < 2000.0) {
    ratio *= 2.0;
    halvings += 1.0;
  }
  const double z = (ratio - 1.0) / (ratio + 1.0), zz = z * z;
  double sum = 0.0;
  for (int i = 35; i >= 1; i -= 2) sum = sum * zz + 1.0 / i;
  constexpr double kLog2 = 0.69314718055994530942;
  // ln(d / r) + ln 2 = ln of d over half of r.
  const double log_half = 2.0 * z * sum - halvings * kLog2 + kLog2;
  return k * (r * r) * (0.125 - 0.25 * log_half);
}

double Barrier::slope(double k, double d) const {
  if (d >= r) return 0.0;
  return d >= 0.5 * r ? -k * (r - d) : -0.25 * k * (r * r) / d;
}

double Barrier::curvature(double k, double d) const {
  if (d >= r) return 0.0;
  return d >= 0.5 * r ? k : 0.25 * k * (r * r) / (d * d);
}

void Contacts::clear(std::size_t vertices) {
  near_.clear();
  active_.clear();
  bounds_.assign(vertices, std::numeric_limits<double>::infinity());
  first_.assign(vertices + 1, 0);
  of_vertex_.clear();
  least_gap_ = std::numeric_limits<double>::infinity();
}

double Contacts::distance_of(const Near& n, std::span<const Vec3> x) {
  return n.floor ? dot(n.normal, x[n.pair.v[0]]) - n.offset
                 : gap_of(n.pair, nearest(n.pair, x), x).distance;
}

Vec3 Contacts::slip_of(const Near& n, std::span<const Vec3> x, std::span<const Vec3> start) {
  Vec3 slip;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n.count()); ++k)
    slip += (x[n.pair.v[k]] - start[n.pair.v[k]]) * n.weights[k];
  return slip - n.normal * dot(n.normal, slip);
}

void Contacts::search(const SurfaceSet& set, std::span<const Vec3> x, double reach,
                      std::span<const double> stiffness, std::span<const double> friction,
                      const Settings& settings) {
  settings_ = settings;
  clear(x.size());
  const Barrier barrier{settings_.r};
  const auto found =
      search_pairs<std::vector<Near>>(set, x, x, 0.5 * reach, settings.max_threads,
                                      [&](const PrimitivePair& p, std::vector<Near>& mine) {
                                        const NearestWeights w = nearest(p, x);
                                        const Gap g = gap_of(p, w, x);
                                        if (!(g.distance < reach)) return;
                                        const std::uint32_t a = set.body_of[p.v[0]];
                                        const std::uint32_t b = set.body_of[p.v[p.edges ? 2 : 1]];
                                        Near n;
                                        n.pair = p;
                                        n.distance = g.distance;
                                        n.stiffness = std::fmin(stiffness[a], stiffness[b]);
                                        n.friction = std::sqrt(friction[a] * friction[b]);
                                        n.weights = {w.w[0], w.w[1], w.w[2], w.w[3]};
                                        n.normal = normalized(g.way, {0.0, 0.0, 1.0});
                                        n.force = -barrier.slope(n.stiffness, g.distance);
                                        mine.push_back(n);
                                      });
  for (const std::vector<Near>& list : found) near_.insert(near_.end(), list.begin(), list.end());
  for (const std::uint32_t v : set.kept_out) {
    // Vertices within solids are in no other pairs: half-spaces alone bound their moves.
    double& bound = bounds_[v];
    for (const Floor& f : set.floors) {
      const double d = f.distance(x[v]);
      if (!(d < reach)) {
        bound = std::fmin(bound, kFloorShare * d);
        continue;
      }
      Near n;
      n.pair.v = {v, v, v, v};
      n.floor = true;
      n.offset = f.offset;
      n.floor_body = f.body;
      n.distance = d;
      n.stiffness = stiffness[set.body_of[v]];
      n.friction = std::sqrt(friction[set.body_of[v]] * friction[f.body]);
      n.weights = {1.0, 0.0, 0.0, 0.0};
      n.normal = f.normal;
      n.force = -barrier.slope(n.stiffness, d);
      near_.push_back(n);
    }
  }
  finish(set, reach);
}

void Contacts::finish(const SurfaceSet& set, double reach) {
  // Pairs that were not found are farther apart than `reach`.
  const double widest = 0.5 * (reach - settings_.r);
  for (const std::uint32_t v : set.vertices) bounds_[v] = widest;
  for (const Near& n : near_) {
    least_gap_ = std::fmin(least_gap_, n.distance);
    const double share = (n.floor ? kFloorShare : kShare) * n.distance;
    for (int k = 0; k < n.count(); ++k) {
      double& bound = bounds_[n.pair.v[static_cast<std::size_t>(k)]];
      bound = std::fmin(bound, share);
    }
  }
  for (const Near& n : near_) {
    double most = 0.0;
    for (int k = 0; k < n.count(); ++k)
      most = std::fmax(most, bounds_[n.pair.v[static_cast<std::size_t>(k)]]);
    if (n.distance - 2.0 * most < settings_.r) active_.push_back(n);
  }
  for (const Near& n : active_) {
    for (int k = 0; k < n.count(); ++k) ++first_[n.pair.v[static_cast<std::size_t>(k)] + 1];
  }
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) first_[i + 1] += first_[i];
  of_vertex_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < active_.size(); ++i) {
    for (int k = 0; k < active_[i].count(); ++k) {
      const std::uint32_t v = active_[i].pair.v[static_cast<std::size_t>(k)];
      of_vertex_[next[v]++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k)};
    }
  }
}

void Contacts::add_energy(const Near& n, std::span<const Vec3> x, std::span<const Vec3> start,
                          bool with_friction, double& sum) const {
  sum += Barrier{settings_.r}.energy(n.stiffness, distance_of(n, x));
  if (with_friction && n.friction * n.force > 0.0)
    sum += n.friction * n.force * slip_energy(norm(slip_of(n, x, start)), settings_.slip);
}

double Contacts::energy(std::span<const Vec3> x, std::span<const Vec3> start,
                        bool with_friction) const {
  double sum = 0.0;
  for (const Near& n : active_) add_energy(n, x, start, with_friction, sum);
  return sum;
}

double Contacts::energy_of(std::span<const std::uint32_t> pairs, std::span<const Vec3> x,
                           std::span<const Vec3> start) const {
  double sum = 0.0;
  for (const std::uint32_t i : pairs) add_energy(active_[i], x, start, true, sum);
  return sum;
}

double Contacts::energy_at(std::uint32_t vertex, std::span<const Vec3> x,
                           std::span<const Vec3> start) const {
  double sum = 0.0;
  for (std::uint32_t i = first_[vertex]; i < first_[vertex + 1]; ++i)
    add_energy(active_[of_vertex_[i][0]], x, start, true, sum);
  return sum;
}

void Contacts::touching(std::span<const Vec3> x, std::span<const Vec3> start,
                        std::span<const std::uint32_t> body_of,
                        std::vector<DeformableContact>& contacts) const {
  contacts.clear();
  const Barrier barrier{settings_.r};
  for (const Near& n : active_) {
    const auto& v = n.pair.v;
    const NearestWeights w = n.floor ? NearestWeights{1.0, 0.0, 0.0, 0.0} : nearest(n.pair, x);
    const double height = n.floor ? distance_of(n, x) : 0.0;
    const Gap g = n.floor ? Gap{n.normal * height, height} : gap_of(n.pair, w, x);
    if (!(g.distance < settings_.r)) continue;
    DeformableContact c{body_of[v[0]], n.floor ? n.floor_body : body_of[n.sides()[1]], {}, {},
                        g.distance,    -barrier.slope(n.stiffness, g.distance),        {}};
    c.point = x[v[0]] * w.w[0] - g.way * 0.5;
    if (n.pair.edges) c.point += x[v[1]] * w.w[1];
    c.normal = n.floor ? -n.normal : -normalized(g.way, n.normal);
    if (n.friction * n.force > 0.0) {
      const Vec3 slip = slip_of(n, x, start);
      c.friction_force = slip * (n.friction * n.force * slip_slope(norm(slip), settings_.slip));
    }
    if (c.body_a > c.body_b) {
      std::swap(c.body_a, c.body_b);
      c.normal = -c.normal;
      c.friction_force = -c.friction_force;
    }
    contacts.push_back(c);
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const DeformableContact& a, const DeformableContact& b) {
                     return std::pair(a.body_a, a.body_b) < std::pair(b.body_a, b.body_b);
                   });
}

void Contacts::add(std::uint32_t vertex, std::span<const Vec3> x, std::span<const Vec3> start,
                   LocalModel& model) const {
  const Barrier barrier{settings_.r};
  for (std::uint32_t i = first_[vertex]; i < first_[vertex + 1]; ++i) {
    const Near& n = active_[of_vertex_[i][0]];
    const std::size_t corner = of_vertex_[i][1];
    double d = 0.0, weight = 1.0;
    Vec3 normal = n.normal;
    if (n.floor) {
      d = dot(n.normal, x[vertex]) - n.offset;
    } else {
      const NearestWeights w = nearest(n.pair, x);
      const Gap g = gap_of(n.pair, w, x);
      d = g.distance;
      weight = w.w[corner];
      if (d > 0.0) normal = g.way / d;
    }
    if (d < settings_.r && d > 0.0 && weight != 0.0) {
      model.gradient += normal * (weight * barrier.slope(n.stiffness, d));
      model.add_outer(normal, weight * weight * barrier.curvature(n.stiffness, d));
    }
    const double lagged = n.weights[corner];
    if (n.friction * n.force > 0.0 && lagged != 0.0) {
      const Vec3 slip = slip_of(n, x, start);
      const double factor = n.friction * n.force * slip_slope(norm(slip), settings_.slip);
      model.gradient += slip * (lagged * factor);
      const double across = lagged * lagged * factor;
      model.add_diagonal(across);
      model.add_outer(n.normal, -across);
    }
  }
}

std::array<Contacts::Touch, 2> Contacts::touches(std::uint32_t pair, std::uint32_t first,
                                                 std::uint32_t last, std::span<const Vec3> x,
                                                 std::span<const Vec3> start) const {
  const Barrier barrier{settings_.r};
  const Near& n = active_[pair];
  std::array<Touch, 2> out;
  const NearestWeights w = n.floor ? NearestWeights{1.0, 0.0, 0.0, 0.0} : nearest(n.pair, x);
  const double height = n.floor ? distance_of(n, x) : 0.0;
  const Gap g = n.floor ? Gap{n.normal * height, height} : gap_of(n.pair, w, x);
  // The body's weights sum up to 1 or -1: their point, and the side on which it is.
  double side = 0.0, lagged = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint32_t v = n.pair.v[k];
    if (v < first || v >= last) continue;
    side += w.w[k];
    lagged += n.weights[k];
    out[0].point += x[v] * w.w[k];
    out[1].point += x[v] * n.weights[k];
  }
  side = side < 0.0 ? -1.0 : 1.0;
  out[0].point *= side;
  out[1].point *= lagged < 0.0 ? -1.0 : 1.0;
  if (g.distance < settings_.r && g.distance > 0.0) {
    const Vec3 normal = g.way / g.distance;
    out[0].model.gradient = normal * (side * barrier.slope(n.stiffness, g.distance));
    out[0].model.add_outer(normal, barrier.curvature(n.stiffness, g.distance));
  }
  if (n.friction * n.force > 0.0) {
    const Vec3 slip = slip_of(n, x, start);
    const double factor = n.friction * n.force * slip_slope(norm(slip), settings_.slip);
    out[1].model.gradient = slip * (side * factor);
    out[1].model.add_diagonal(factor);
    out[1].model.add_outer(n.normal, -factor);
  }
  return out;
}

bool Contacts::any_impact(std::span<const Vec3> x0, std::span<const Vec3> x1) const {
  for (const Near& n : near_) {
    if (n.floor) {
      if (!(distance_of(n, x1) > 0.0)) return true;
    } else if (swept(n.pair, x0, x1).hit) {
      return true;
    }
  }
  return false;
}

}  // namespace tactus::detail
