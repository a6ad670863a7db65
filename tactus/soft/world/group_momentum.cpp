#include "tactus/soft/world/group_momentum.hpp"

namespace tactus::detail {

std::vector<Party> GroupMomentum::free_groups() const {
  const SurfaceSet& surfaces = problem_.model->surfaces;
  const std::vector<char> held = links_.held();
  std::vector<Party> all(held.size()), groups;
  for (std::uint32_t i = 0; i < problem_.model->free_vertices; ++i)
    all[links_.first_of(surfaces.body_of[i])].vertices.push_back(i);
  for (std::uint32_t k = 0; k < problem_.blocks.size(); ++k)
    all[links_.first_of(problem_.blocks[k].body)].blocks.push_back(k);
  for (std::uint32_t b = 0; b < all.size(); ++b) {
    if (held[b] != 0) continue;
    const bool one_body = all[b].vertices.empty() && all[b].blocks.size() == 1;
    if (one_body && !rigid_.course(all[b].blocks.front()).touched) continue;
    if (!all[b].vertices.empty() || !all[b].blocks.empty()) groups.push_back(std::move(all[b]));
  }
  return groups;
}

GroupMotion GroupMomentum::wanted(const Party& group) const {
  const double h = problem_.time_step;
  // Where nothing has moved, gravity has done nothing either.
  const Vec3 gained = stopped_ ? Vec3{} : problem_.gravity * h;
  std::vector<GroupMember> members;
  Vec3 spin;
  for (const std::uint32_t i : group.vertices) {
    const Vec3 velocity = problem_.velocity[i] + gained;
    members.push_back({problem_.model->masses[i], problem_.start[i] + velocity * h, velocity});
  }
  for (const std::uint32_t k : group.blocks) {
    // The rigid step without the load that it has handed on.
    const RigidBlock& b = problem_.blocks[k];
    const Body& body = *rigid_.course(k).body;
    const Vec3 less = b.force * (h / b.mass);
    members.push_back({b.mass, b.wanted[0] - less * h, body.linear_velocity() - less});
    spin += body.spin() - b.torque * h;
  }
  return motion_of(members, Mat3::zero(), spin);
}

GroupMotion GroupMomentum::present(const Party& group, std::span<const Vec3> x) const {
  std::vector<GroupMember> members;
  members.reserve(group.vertices.size() + group.blocks.size());
  Mat3 inertia = Mat3::zero();
  Vec3 spin;
  for (const std::uint32_t i : group.vertices)
    members.push_back({problem_.model->masses[i], x[i], velocities_[i]});
  for (const std::uint32_t k : group.blocks) {
    const RigidBlock& b = problem_.blocks[k];
    const RigidCourse& c = rigid_.course(k);
    const Mat3 own = rigid_.inertia_of(k, x);
    members.push_back({b.mass, b.at(x)[0], c.linear});
    inertia = inertia + own;
    spin += own * c.angular;
  }
  return motion_of(members, inertia, spin);
}

void GroupMomentum::add_motion(const Party& group, std::span<const Vec3> x, const Vec3& center,
                               const Vec3& velocity, const Vec3& turning) {
  for (const std::uint32_t i : group.vertices)
    velocities_[i] += velocity + cross(turning, x[i] - center);
  for (const std::uint32_t k : group.blocks) {
    rigid_.add_velocity(k, velocity + cross(turning, problem_.blocks[k].at(x)[0] - center),
                        turning);
  }
}

void GroupMomentum::keep(std::span<const Party> groups, std::span<const Vec3> x) {
  for (const Party& group : groups) {
    const GroupMotion due = wanted(group);
    GroupMotion now = present(group, x);
    now.linear = due.linear - now.linear;
    now.angular = due.angular - now.angular;
    add_motion(group, x, now.center, now.velocity(), now.turning());
  }
}

void GroupMomentum::scale(std::span<const Party> groups, std::span<const Vec3> x, double within,
                          double common) {
  std::vector<GroupMotion> motions;
  for (const Party& group : groups) {
    motions.push_back(present(group, x));
    const GroupMotion& m = motions.back();
    add_motion(group, x, m.center, -m.velocity(), -m.turning());
  }
  for (Vec3& v : velocities_) v *= within;
  rigid_.scale(within);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const GroupMotion& m = motions[g];
    add_motion(groups[g], x, m.center, m.velocity() * common, m.turning() * common);
  }
}

double GroupMomentum::common_energy(std::span<const Party> groups, std::span<const Vec3> x) const {
  double sum = 0.0;
  for (const Party& group : groups) sum += present(group, x).energy();
  return sum;
}

}  // namespace tactus::detail
