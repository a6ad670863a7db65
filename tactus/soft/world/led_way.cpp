#include "tactus/soft/world/led_way.hpp"

namespace tactus::detail {

LedWay::LedWay(const SoftWorldData& data, const StepProblem& problem, const RigidCourses& rigid,
               std::vector<Vec3>& wanted)
    : data_(data),
      problem_(problem),
      rigid_(rigid),
      share_(data.obstacles.size(), 0.0),
      before_(share_) {
  for (std::size_t i = 0; i < data.positions.size(); ++i)
    any_ = any_ || (data.held[i] != 0 && wanted[i] != problem.start[i]);
  for (std::size_t o = 0; o < share_.size(); ++o) {
    place(o, 1.0, wanted);
    const RigidBlock* block = rigid.block_of(o);
    if (block != nullptr && !block->led) {
      share_[o] = 1.0;
    } else {
      any_ = any_ || !rests(o);
    }
  }
}

void LedWay::place(std::size_t o, double share, std::vector<Vec3>& x) const {
  if (const RigidBlock* block = rigid_.block_of(o)) {
    block->put(between(block->start, block->wanted, share), x);
    return;
  }
  const SoftWorldData::Obstacle& obstacle = data_.obstacles[o];
  const Pose pose =
      moved(obstacle.pose, obstacle.motion, obstacle.time + share * data_.settings.time_step);
  for (std::size_t i = 0; i < obstacle.mesh.vertices.size(); ++i)
    x[obstacle.first + i] = pose.to_world(obstacle.mesh.vertices[i]);
}

bool LedWay::rests(std::size_t obstacle) const {
  if (const RigidBlock* block = rigid_.block_of(obstacle)) return block->start == block->wanted;
  const RigidMotion& m = data_.obstacles[obstacle].motion;
  return m.linear == Vec3{} && m.angular == Vec3{};
}

void LedWay::set_shares(std::span<const double> shares) {
  for (std::size_t o = 0; o < share_.size(); ++o) {
    const RigidBlock* block = rigid_.block_of(o);
    if (block == nullptr || block->led) share_[o] = shares[data_.bodies.size() + o];
  }
}

void LedWay::go_to_end(std::vector<Vec3>& x) {
  share_.assign(share_.size(), 1.0);
  for (std::size_t o = 0; o < share_.size(); ++o) place(o, 1.0, x);
}

void LedWay::advance(std::span<const Vec3> wanted, std::span<const Vec3> reference,
                     std::span<const double> bounds, std::vector<Vec3>& x) {
  before_ = share_;
  moved_ = false;
  arrived_ = true;
  for (std::size_t i = 0; i < problem_.model->free_vertices; ++i) {
    if (data_.held[i] == 0 || wanted[i] == x[i]) continue;
    moved_ = true;
    const Vec3 way = wanted[i] - reference[i];
    const double length = norm(way), bound = bounds[i];
    if (length <= bound) {
      x[i] = wanted[i];
    } else {
      x[i] = reference[i] + way * (bound / length * (1.0 - 1e-9));
      arrived_ = false;
    }
  }
  for (std::size_t o = 0; o < share_.size(); ++o) {
    if (share_[o] < 1.0) advance_obstacle(o, wanted, reference, bounds, x);
  }
}

void LedWay::advance_obstacle(std::size_t o, std::span<const Vec3> wanted,
                              std::span<const Vec3> reference, std::span<const double> bounds,
                              std::vector<Vec3>& x) {
  const SoftWorldData::Obstacle& obstacle = data_.obstacles[o];
  if (obstacle.mesh.vertices.empty() || wanted[obstacle.first] == x[obstacle.first]) {
    if (obstacle.mesh.vertices.empty() || rests(o)) {
      share_[o] = 1.0;
      return;
    }
  }
  moved_ = true;
  const auto fits = [&] {
    for (std::size_t i = 0; i < obstacle.mesh.vertices.size(); ++i) {
      const std::size_t v = obstacle.first + i;
      if (norm(x[v] - reference[v]) > bounds[v] * (1.0 - 1e-9)) return false;
    }
    return true;
  };
  double way = 1.0 - before_[o];
  share_[o] = 1.0;
  place(o, share_[o], x);
  for (int k = 0; k < 12 && !fits(); ++k) {
    way *= 0.5;
    share_[o] = k == 11 ? before_[o] : before_[o] + way;
    place(o, share_[o], x);
  }
  if (share_[o] < 1.0) arrived_ = false;
}

void LedWay::wait(std::vector<Vec3>& x) {
  for (std::size_t o = 0; o < share_.size(); ++o) {
    if (share_[o] == before_[o]) continue;
    share_[o] = before_[o];
    place(o, share_[o], x);
    arrived_ = false;
  }
}

}  // namespace tactus::detail
