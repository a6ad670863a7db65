#include "tactus/soft/world/group_motion.hpp"

#include <algorithm>

#include "tactus/soft/world/descent.hpp"

namespace tactus::detail {
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

}  // namespace tactus::detail
