#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tactus/check.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/robot/collision_data.hpp"
#include "tactus/robot/motion_bound.hpp"

namespace tactus {
namespace detail {
namespace {

constexpr const char* kNothingSaid = "nothing is said of times after ";

/// Evaluates claims by plain sums over the vertices and joints: it shares the poses with the
/// search, and neither its capsules' gaps, its distances nor its motion bound.
class ClaimChecker {
 public:
  ClaimChecker(const CollisionData& data, const PathSegment& segment, double clearance)
      : data_(data),
        robot_(RobotAccess::data(data.robot)),
        segment_(segment),
        clearance_(clearance) {
    most_ = largest_value(robot_, farthest_values(segment));
  }

  /// Empty, or what of the claim is not proved.
  std::string look_at(const PathClaim& claim) {
    const ItemPair& pair = data_.item_pairs[claim.pair];
    const double middle = claim.begin + 0.5 * (claim.end - claim.begin);
    values_at(segment_, middle, values_);
    most_changes(segment_, claim.begin, claim.end, changes_);
    place(data_, values_.data(), at_);
    if (!(claim.distance - claim.motion > clearance_))
      return "the bodies may come nearer than the clearance";
    if (!(motion_of(pair) + placement_error(data_, pair, most_) <= claim.motion * (1.0 + 1e-12)))
      return "the bodies may move farther";
    if (apart_along(pair, claim.direction) >= claim.distance || proved_by_query(pair, claim))
      return {};
    return "the distance in the middle is not proved";
  }

 private:
  Pose pose_of(const CollisionItem& item) const { return at_.frames[item.frame] * item.pose; }

  double apart_along(const ItemPair& pair, const Vec3& n) const {
    if (!(std::fabs(norm(n) - 1.0) < 1e-12)) return -kInfinity;
    const CollisionItem &a = data_.items[pair.a], &b = data_.items[pair.b];
    const Pose pose_a = pose_of(a), pose_b = pose_of(b);
    const double high = support_value(*a.shape, pose_a.direction_to_local(n));
    const double low = -support_value(*b.shape, pose_b.direction_to_local(-n));
    const double offset = dot(n, pose_b.position() - pose_a.position());
    const double size =
        std::fabs(high) + std::fabs(low) + norm(pose_b.position() - pose_a.position());
    return (low + offset) - high - 64.0 * kUnit * size;
  }

  /// Meshes that no plane parts: a second search, and the checker's proof of its answer, which may
  /// be less than what is claimed as long as it suffices.
  bool proved_by_query(const ItemPair& pair, const PathClaim& claim) const {
    const CollisionItem &a = data_.items[pair.a], &b = data_.items[pair.b];
    const Pose pose_a = pose_of(a), pose_b = pose_of(b);
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    options.signed_distance = !a.bare && !b.bare;
    const DistanceResult r = distance(*a.shape, pose_a, *b.shape, pose_b, options);
    if (!(r.upper >= claim.distance) || !(r.lower - claim.motion > clearance_)) return false;
    const Shape left = a.bare ? bare(*a.shape) : *a.shape,
                right = b.bare ? bare(*b.shape) : *b.shape;
    return check(left, pose_a, right, pose_b, r, &certificate)[Claim::lower] == Proof::proved;
  }

  /// Farthest that a point of the body is from an axis.
  double reach(const CollisionItem& item, const Vec3& origin, const Vec3& axis) const {
    const Pose pose = pose_of(item);
    const auto farthest = [&](const std::vector<Vec3>& points) {
      double square = 0.0;
      for (const Vec3& p : points)
        square = std::max(square, squared_norm(cross(pose.to_world(p) - origin, axis)));
      return std::sqrt(square) + item.shape->rounding_radius();
    };
    if (const auto* hull = std::get_if<Convex>(&item.shape->geometry()))
      return farthest(hull->hull().vertices);
    if (const auto* mesh = std::get_if<Mesh>(&item.shape->geometry()))
      return farthest(mesh->mesh().vertices);
    return reach_from_axis(placed(item.capsule, at_.frames[item.frame]), origin, axis);
  }

  /// Most that points of an item move while the joints of `list`, the next one first, do.
  double moved(const CollisionItem& item, std::span<const std::uint32_t> list) const {
    double sum = 0.0;
    for (const std::uint32_t k : list) {
      const Frame& frame = robot_.frames[k];
      const double change = std::fabs(frame.multiplier) * changes_[frame.coordinate];
      if (change == 0.0) continue;
      const Pose& pose = at_.frames[k];
      const double arm = frame.motion == FrameMotion::turn
                             ? sum + reach(item, pose.position(), pose.rotation() * frame.axis)
                             : 1.0;
      sum += change * arm;
    }
    return sum;
  }

  double motion_of(const ItemPair& pair) const {
    const FrameChain& chain = data_.chains[pair.chain];
    std::vector<std::uint32_t> joints(chain.of_a);
    joints.insert(joints.end(), chain.of_b.rbegin(), chain.of_b.rend());
    const std::vector<std::uint32_t> backwards(joints.rbegin(), joints.rend());
    double best = kInfinity;
    for (std::size_t i = 0; i <= joints.size(); ++i) {
      const std::span<const std::uint32_t> to_a(joints.data(), i),
          to_b(backwards.data(), joints.size() - i);
      best = std::min(best, moved(data_.items[pair.a], to_a) + moved(data_.items[pair.b], to_b));
    }
    return best * (1.0 + 1e-12);
  }

  const CollisionData& data_;
  const RobotData& robot_;
  const PathSegment& segment_;
  double clearance_, most_ = 0.0;
  PlacedRobot at_;
  std::vector<double> values_, changes_;
};

}  // namespace
}  // namespace detail

using namespace detail;

std::string RobotCollision::check_free(const PathSegment& segment, double clearance,
                                       std::span<const PathClaim> claims) const {
  const CollisionData& data = *data_;
  if (segment.size() != robot().coordinates().size()) return "the segment has other coordinates";
  if (!(clearance >= 0.0)) return "the clearance is negative";
  for (const PathPolynomial& p : segment)
    if (!std::isfinite(((p.a + p.b) + p.c) + p.d)) return "the segment is not finite";
  ClaimChecker checker(data, segment, clearance);
  std::vector<const PathClaim*> sorted;
  for (const PathClaim& claim : claims) sorted.push_back(&claim);
  std::stable_sort(sorted.begin(), sorted.end(), [](const PathClaim* x, const PathClaim* y) {
    return x->pair != y->pair ? x->pair < y->pair : x->begin < y->begin;
  });
  std::size_t next = 0;
  for (std::uint32_t pair = 0; pair < data.item_pairs.size(); ++pair) {
    const auto fault_of = [&](const std::string& text, double time) {
      std::string said = "pair ";
      return said.append(std::to_string(pair))
          .append(": ")
          .append(text)
          .append(std::to_string(time));
    };
    double proved = 0.0;
    for (; next < sorted.size() && sorted[next]->pair == pair; ++next) {
      const PathClaim& claim = *sorted[next];
      if (!(claim.begin <= proved) || !(claim.end >= claim.begin))
        return fault_of(kNothingSaid, proved);
      const std::string fault = checker.look_at(claim);
      if (!fault.empty()) return fault_of(fault + ", from time ", claim.begin);
      proved = std::max(proved, claim.end);
    }
    if (!(proved >= 1.0)) return fault_of(kNothingSaid, proved);
  }
  if (next < sorted.size()) return "a claim is about no pair";
  return {};
}

}  // namespace tactus
