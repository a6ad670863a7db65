#include "tactus/soft/world/group_motion.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/ccd.hpp"
#include "tactus/math/turned.hpp"
#include "tactus/soft/world/world_data.hpp"

namespace tactus::detail {
namespace {

// Groups that come near others on the way as a whole: so often their ways are shortened, at first
// to this part of the way to the first contact, then to halves, at last to nothing.
constexpr int kShortenings = 4;
constexpr double kPartOfWay = 0.8;
constexpr std::uint32_t kNoGroup = 0xffffffffu;

}  // namespace

BodyLinks::BodyLinks(const StepProblem& problem)
    : before_(problem.model->stiffness.size()),
      free_(before_.size(), 1),
      on_floor_(before_.size(), 0) {
  const SurfaceSet& surfaces = problem.model->surfaces;
  for (std::uint32_t b = 0; b < before_.size(); ++b) before_[b] = b;
  for (std::size_t b = surfaces.first_obstacle; b < free_.size(); ++b) free_[b] = 0;
  for (const RigidBlock& b : problem.blocks) free_[b.body] = b.led ? 0 : 1;
  for (std::size_t i = 0; i < problem.model->free_vertices; ++i) {
    if (problem.led[i] != 0) free_[surfaces.body_of[i]] = 0;
  }
}

void BodyLinks::note(const SurfaceSet& surfaces, std::span<const Contacts::Near> active) {
  for (const Contacts::Near& n : active) {
    const auto [v, w] = n.sides();
    const std::uint32_t a = surfaces.body_of[v], b = surfaces.body_of[w];
    if (n.floor) {
      on_floor_[a] = 1;
      continue;
    }
    const std::uint32_t x = first_of(a), y = first_of(b);
    before_[std::max(x, y)] = std::min(x, y);
  }
}

std::uint32_t BodyLinks::first_of(std::uint32_t body) const {
  while (before_[body] != body) body = before_[body];
  return body;
}

std::vector<char> BodyLinks::held() const {
  std::vector<char> held(before_.size(), 0);
  for (std::uint32_t b = 0; b < before_.size(); ++b) {
    if (on_floor_[b] != 0 || free_[b] == 0) held[first_of(b)] = 1;
  }
  return held;
}

GroupMotion motion_of(std::span<const GroupMember> members, const Mat3& inertia, const Vec3& spin) {
  GroupMotion g;
  g.inertia = inertia;
  g.angular = spin;
  Vec3 moment;
  // Relative to one of them: far from the origin no digits are lost.
  const Vec3 base = members.front().place;
  for (const GroupMember& m : members) {
    g.mass += m.mass;
    moment += (m.place - base) * m.mass;
    g.linear += m.velocity * m.mass;
  }
  g.center = base + moment / g.mass;
  const Vec3 mean = g.linear / g.mass;
  for (const GroupMember& m : members) {
    const Vec3 arm = m.place - g.center;
    g.angular += cross(arm, (m.velocity - mean) * m.mass);
    g.inertia = g.inertia + (Mat3::identity() * squared_norm(arm) - outer(arm, arm)) * m.mass;
  }
  return g;
}

std::vector<Party> SoftStep::free_groups() const {
  const SurfaceSet& surfaces = model_.surfaces;
  const std::vector<char> held = links_.held();
  std::vector<Party> all(held.size()), groups;
  for (std::uint32_t i = 0; i < model_.free_vertices; ++i)
    all[links_.first_of(surfaces.body_of[i])].vertices.push_back(i);
  for (std::uint32_t k = 0; k < problem_.blocks.size(); ++k)
    all[links_.first_of(problem_.blocks[k].body)].blocks.push_back(k);
  for (std::uint32_t b = 0; b < all.size(); ++b) {
    if (held[b] != 0) continue;
    const bool one_body = all[b].vertices.empty() && all[b].blocks.size() == 1;
    if (one_body && !courses_[all[b].blocks.front()].touched) continue;
    if (!all[b].vertices.empty() || !all[b].blocks.empty()) groups.push_back(std::move(all[b]));
  }
  return groups;
}

GroupMotion SoftStep::wanted_motion(const Party& group) const {
  const double h = problem_.time_step;
  // Where nothing has moved, gravity has done nothing either.
  const Vec3 gained = out_.was_stopped ? Vec3{} : problem_.gravity * h;
  std::vector<GroupMember> members;
  Vec3 spin;
  for (const std::uint32_t i : group.vertices) {
    const Vec3 velocity = problem_.velocity[i] + gained;
    members.push_back({model_.masses[i], problem_.start[i] + velocity * h, velocity});
  }
  for (const std::uint32_t k : group.blocks) {
    // The rigid step without the load that it has handed on.
    const RigidBlock& b = problem_.blocks[k];
    const Body& body = *courses_[k].body;
    const Vec3 less = b.force * (h / b.mass);
    members.push_back({b.mass, b.wanted[0] - less * h, body.linear_velocity() - less});
    spin += body.spin() - b.torque * h;
  }
  return motion_of(members, Mat3::zero(), spin);
}

GroupMotion SoftStep::present_motion(const Party& group) const {
  std::vector<GroupMember> members;
  members.reserve(group.vertices.size() + group.blocks.size());
  Mat3 inertia = Mat3::zero();
  Vec3 spin;
  for (const std::uint32_t i : group.vertices)
    members.push_back({model_.masses[i], x_[i], data_.velocities[i]});
  for (const std::uint32_t k : group.blocks) {
    const RigidBlock& b = problem_.blocks[k];
    const RigidCourse& c = courses_[k];
    const Mat3 own = to_world_axes(c.body->mass().inertia, axes_of(k));
    members.push_back({b.mass, b.at(x_)[0], c.linear});
    inertia = inertia + own;
    spin += own * c.angular;
  }
  return motion_of(members, inertia, spin);
}

void SoftStep::add_motion(const Party& group, const Vec3& center, const Vec3& velocity,
                          const Vec3& turning) {
  for (const std::uint32_t i : group.vertices)
    data_.velocities[i] += velocity + cross(turning, x_[i] - center);
  for (const std::uint32_t k : group.blocks) {
    courses_[k].linear += velocity + cross(turning, problem_.blocks[k].at(x_)[0] - center);
    courses_[k].angular += turning;
  }
}

void SoftStep::keep_momentum(std::span<const Party> groups) {
  for (const Party& group : groups) {
    const GroupMotion wanted = wanted_motion(group);
    GroupMotion now = present_motion(group);
    now.linear = wanted.linear - now.linear;
    now.angular = wanted.angular - now.angular;
    add_motion(group, now.center, now.velocity(), now.turning());
  }
}

void SoftStep::scale_motion(std::span<const Party> groups, double within, double common) {
  std::vector<GroupMotion> motions;
  for (const Party& group : groups) {
    motions.push_back(present_motion(group));
    const GroupMotion& m = motions.back();
    add_motion(group, m.center, -m.velocity(), -m.turning());
  }
  for (Vec3& v : data_.velocities) v *= within;
  for (RigidCourse& c : courses_) {
    if (!c.touched) continue;
    c.linear *= within;
    c.angular *= within;
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const GroupMotion& m = motions[g];
    add_motion(groups[g], m.center, m.velocity() * common, m.turning() * common);
  }
}

double SoftStep::common_energy(std::span<const Party> groups) const {
  double sum = 0.0;
  for (const Party& group : groups) sum += present_motion(group).energy();
  return sum;
}

std::vector<Vec3> SoftStep::carried(std::span<const Party> groups,
                                    std::span<const Vec3> ways) const {
  std::vector<Vec3> end = x_;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (ways[g] == Vec3{}) continue;
    for (const std::uint32_t i : groups[g].vertices) end[i] += ways[g];
    for (const std::uint32_t k : groups[g].blocks) {
      const RigidBlock& b = problem_.blocks[k];
      const RigidPlace place = b.at(x_);
      b.put({place[0] + ways[g], place[1]}, end);
    }
  }
  return end;
}

bool SoftStep::shorten_ways(int attempt, std::span<const Party> groups,
                            std::span<Vec3> ways) const {
  const SurfaceSet& set = model_.surfaces;
  const double near = contact_distance_;
  const std::vector<Vec3> end = carried(groups, ways);
  std::vector<std::uint32_t> group_of(model_.stiffness.size(), kNoGroup);
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
  options.min_separation = near;
  using Meetings = std::vector<std::pair<PrimitivePair, double>>;
  const auto found =
      search_pairs<Meetings>(set, x_, end, 0.5 * near * (1.0 + 1e-12), data_.settings.max_threads,
                             [&](const PrimitivePair& p, Meetings& mine) {
                               const auto& v = p.v;
                               const std::uint32_t a = group_of[set.body_of[v[0]]],
                                                   b = group_of[set.body_of[v[p.edges ? 2 : 1]]];
                               if (a == b) return;
                               const CcdResult r = swept(p, x_, end, options);
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
      const double d0 = f.distance(x_[v]), d1 = f.distance(end[v]);
      if (d1 <= near && d1 < d0) meet(v, std::fmax(0.0, (d0 - near) / (d0 - d1)));
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) ways[g] *= factor[g];
  return any;
}

bool SoftStep::carry_groups(double least) {
  if (!has_contacts()) return false;
  const std::vector<Party> groups = free_groups();
  std::vector<Vec3> ways;
  bool any = false;
  for (const Party& group : groups) {
    const Vec3 way = wanted_motion(group).center - present_motion(group).center;
    const double rounding = 1e-14 * max_abs(wanted_motion(group).center);
    ways.push_back(norm(way) > std::fmax(least, rounding) ? way : Vec3{});
    any = any || ways.back() != Vec3{};
  }
  if (!any) return false;
  for (int k = 0; k < kShortenings && shorten_ways(k, groups, ways); ++k) {
  }
  std::vector<Vec3> end = carried(groups, ways);
  // Gaps within a group are what they were, but for rounding.
  if (contacts_.any_impact(x_, end)) return false;
  any = end != x_;
  x_ = std::move(end);
  return any;
}

}  // namespace tactus::detail
