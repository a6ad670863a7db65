#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/robot/collision_data.hpp"

namespace tactus {
using namespace detail;
namespace {

constexpr std::size_t kMostPairs = 10000000;

std::string too_many(std::size_t count) {
  return std::to_string(count) + " are more than " + std::to_string(kMostPairs);
}

CollisionItem item_of(const RobotBody& body, std::uint32_t frame, std::int32_t link,
                      std::size_t k) {
  CollisionItem item{&body.shape, body.pose, frame, link, static_cast<std::uint32_t>(k), {}};
  item.capsule = placed(bounding_capsule(body.shape), body.pose);
  item.size = norm(body.pose.position()) + bounding_radius(body.shape);
  const auto* mesh = std::get_if<Mesh>(&body.shape.geometry());
  item.mesh = mesh != nullptr;
  item.bare = mesh != nullptr && !mesh->closed();
  return item;
}

FrameChain chain_between(const RobotData& robot, std::uint32_t a, std::uint32_t b) {
  FrameChain chain;
  const auto climb = [&](std::uint32_t& frame, std::vector<std::uint32_t>& list) {
    if (robot.frames[frame].motion != FrameMotion::none) list.push_back(frame);
    frame = static_cast<std::uint32_t>(robot.frames[frame].parent);
  };
  while (a != b) {
    if (robot.depth[a] >= robot.depth[b]) {
      climb(a, chain.of_a);
    } else {
      climb(b, chain.of_b);
    }
  }
  return chain;
}

/// Pairs of items of a pair of links or of a link and the obstacles, all moved by one chain.
class PairBuilder {
 public:
  explicit PairBuilder(CollisionData& data) : data_(data) {}

  void add(std::uint32_t first_a, std::uint32_t end_a, std::uint32_t first_b, std::uint32_t end_b) {
    if (first_a == end_a || first_b == end_b) return;
    const std::uint32_t fa = data_.items[first_a].frame, fb = data_.items[first_b].frame;
    const auto [at, is_new] = known_.try_emplace({fa, fb}, data_.chains.size());
    if (is_new) data_.chains.push_back(chain_between(RobotAccess::data(data_.robot), fa, fb));
    const std::size_t count =
        data_.item_pairs.size() + std::size_t{end_a - first_a} * (end_b - first_b);
    if (count > kMostPairs) throw InvalidInput("pairs", too_many(count));
    for (std::uint32_t a = first_a; a < end_a; ++a)
      for (std::uint32_t b = first_b; b < end_b; ++b)
        data_.item_pairs.push_back({a, b, static_cast<std::uint32_t>(at->second)});
  }

 private:
  CollisionData& data_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known_;
};

}  // namespace

std::vector<RobotPair> movable_pairs(const Robot& robot) {
  const RobotData& data = RobotAccess::data(robot);
  const std::size_t n = data.links.size();
  const std::vector<std::int32_t> group = rigid_groups(data);
  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
    return data.link_frame[i] < data.link_frame[k];
  });
  // The nearest link above that has bodies.
  std::vector<std::int32_t> anchor(n, -1);
  std::vector<std::uint32_t> bodied;
  for (const std::uint32_t link : order) {
    const std::int32_t above = data.joint_above[link];
    if (above < 0) continue;
    const std::uint32_t parent = data.joints[static_cast<std::size_t>(above)].parent;
    anchor[link] =
        data.links[parent].bodies.empty() ? anchor[parent] : static_cast<std::int32_t>(parent);
  }
  for (std::uint32_t i = 0; i < n; ++i)
    if (!data.links[i].bodies.empty()) bodied.push_back(i);
  if (bodied.size() * (bodied.size() - 1) / 2 > kMostPairs && !bodied.empty())
    throw InvalidInput("pairs", too_many(bodied.size() * (bodied.size() - 1) / 2));
  std::vector<RobotPair> pairs;
  for (std::size_t i = 0; i < bodied.size(); ++i) {
    for (std::size_t k = i + 1; k < bodied.size(); ++k) {
      const std::uint32_t a = bodied[i], b = bodied[k];
      const bool joined =
          anchor[a] == static_cast<std::int32_t>(b) || anchor[b] == static_cast<std::int32_t>(a);
      const int obstacles = int{data.links[a].obstacle} + int{data.links[b].obstacle};
      if (obstacles == 2 || (joined && obstacles == 0) || group[a] == group[b]) continue;
      pairs.push_back({a, b});
    }
  }
  return pairs;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as the other constructor takes it
RobotCollision::RobotCollision(Robot robot) : RobotCollision(robot, movable_pairs(robot)) {}

RobotCollision::RobotCollision(Robot robot, std::vector<RobotPair> pairs,
                               std::vector<RobotBody> obstacles) {
  const auto data =
      std::make_shared<CollisionData>(std::move(robot), std::move(pairs), std::move(obstacles));
  const RobotData& tree = RobotAccess::data(data->robot);
  const std::size_t n = tree.links.size();
  std::vector<std::uint32_t> first(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < tree.links[i].bodies.size(); ++k)
      data->items.push_back(
          item_of(tree.links[i].bodies[k], tree.link_frame[i], static_cast<std::int32_t>(i), k));
    first[i + 1] = static_cast<std::uint32_t>(data->items.size());
  }
  for (std::size_t k = 0; k < data->obstacles.size(); ++k) {
    if (!is_finite(data->obstacles[k].pose))
      throw InvalidInput("obstacles[" + std::to_string(k) + "].pose", "not finite");
    data->items.push_back(item_of(data->obstacles[k], 0, -1, k));
  }
  PairBuilder builder(*data);
  for (std::size_t i = 0; i < data->pairs.size(); ++i) {
    const auto [a, b] = data->pairs[i];
    const std::string field = "pairs[" + std::to_string(i) + "]";
    if (a >= n || b >= n) throw InvalidInput(field, "no link " + std::to_string(std::max(a, b)));
    if (a == b) throw InvalidInput(field, "pairs a link with itself");
    builder.add(first[a], first[a + 1], first[b], first[b + 1]);
  }
  const std::vector<std::int32_t> group = rigid_groups(tree);
  const auto end = static_cast<std::uint32_t>(data->items.size());
  for (std::size_t i = 0; i < n; ++i)
    if (group[i] >= 0 && !tree.links[i].obstacle)
      builder.add(first[i], first[i + 1], first[n], end);
  data_ = data;
}

const Robot& RobotCollision::robot() const noexcept { return data_->robot; }
const std::vector<RobotPair>& RobotCollision::pairs() const noexcept { return data_->pairs; }
const std::vector<RobotBody>& RobotCollision::obstacles() const noexcept {
  return data_->obstacles;
}
std::size_t RobotCollision::body_pairs() const noexcept { return data_->item_pairs.size(); }

}  // namespace tactus
