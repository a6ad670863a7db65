#include <algorithm>

#include "tactus/rigid/joint/joint_island.hpp"

namespace tactus::detail {
namespace {

/// Joints and the bodies that they share and move.
class JointGraph {
 public:
  JointGraph(std::span<const SteppedJoint> joints, std::span<const Body> bodies)
      : joints_(joints), bodies_(bodies), of_body_(bodies.size()), seen_(joints.size(), 0) {
    for (std::uint32_t i = 0; i < joints.size(); ++i) {
      for (const std::uint32_t body : {joints[i].body_a, joints[i].body_b})
        if (bodies[body].is_awake()) of_body_[body].push_back(i);
    }
  }

  /// Calls `f` for each joint that shares a moving body with this one, body by body.
  template <class F>
  void each_neighbour(std::uint32_t joint, F&& f) const {
    for (const std::uint32_t body : {joints_[joint].body_a, joints_[joint].body_b}) {
      if (!bodies_[body].is_awake()) continue;
      for (const std::uint32_t other : of_body_[body])
        if (other != joint) f(other);
    }
  }

  /// Do these joints, of one island, make loops? Bodies that do not move count as one.
  bool is_closed(std::span<const std::uint32_t> island) const {
    std::vector<std::uint32_t> moving;
    bool held = false;
    for (const std::uint32_t joint : island) {
      for (const std::uint32_t body : {joints_[joint].body_a, joints_[joint].body_b}) {
        if (bodies_[body].is_awake())
          moving.push_back(body);
        else
          held = true;
      }
    }
    std::sort(moving.begin(), moving.end());
    const auto count = std::unique(moving.begin(), moving.end()) - moving.begin();
    return island.size() + 1 > static_cast<std::size_t>(count) + (held ? 1 : 0);
  }

  /// All joints that hang together with this one, nearest first.
  std::vector<std::uint32_t> breadth_first(std::uint32_t start) {
    std::vector<std::uint32_t> order{start};
    seen_[start] = ++search_;
    for (std::size_t next = 0; next < order.size(); ++next) {
      each_neighbour(order[next], [&](std::uint32_t other) {
        if (seen_[other] == search_) return;
        seen_[other] = search_;
        order.push_back(other);
      });
    }
    return order;
  }

 private:
  std::span<const SteppedJoint> joints_;
  std::span<const Body> bodies_;
  std::vector<std::vector<std::uint32_t>> of_body_;
  std::vector<std::uint32_t> seen_;  ///< by joint: the last search that met it
  std::uint32_t search_ = 0;
};

}  // namespace

// Joints that lie far from each other come early and late: from one end of the island to the other,
// and backwards, so that what branches off is eliminated before what it hangs on (george1981sparse,
// the reverse order of Cuthill and McKee).
std::vector<JointIsland> find_islands(std::span<const SteppedJoint> joints,
                                      std::span<const Body> bodies) {
  JointGraph graph(joints, bodies);
  std::vector<JointIsland> islands;
  std::vector<char> known(joints.size(), 0);
  std::vector<std::uint32_t> place(joints.size());
  for (std::uint32_t start = 0; start < joints.size(); ++start) {
    if (known[start] != 0 || !(joints[start].moves_a || joints[start].moves_b)) continue;
    std::vector<std::uint32_t> order = graph.breadth_first(graph.breadth_first(start).back());
    std::reverse(order.begin(), order.end());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      known[order[k]] = 1;
      place[order[k]] = k;
    }
    std::vector<std::uint32_t> reach(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      reach[k] = k;
      graph.each_neighbour(
          order[k], [&](std::uint32_t other) { reach[k] = std::min(reach[k], place[other]); });
    }
    const bool closed = graph.is_closed(order);
    islands.emplace_back(std::move(order), std::move(reach), closed);
  }
  return islands;
}

}  // namespace tactus::detail
