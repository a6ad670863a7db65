#include "tactus/check/examiner.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/check/apart.hpp"
#include "tactus/check/depth.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/shape/access.hpp"
#include "tactus/shape/membership.hpp"

namespace tactus::detail {
namespace {

// Squares and products of three lengths of this range are normal numbers.
constexpr double kLeastLength = 1e-90, kLargestLength = 1e90;
// World coordinates are rounded where points are written, and where they are read.
constexpr double kWorldRoundings = 8.0;
// Pairs of parts that are looked at.
constexpr std::size_t kMostPairs = 16000000;

double longest(const std::vector<Part>& parts) {
  double most = 0.0;
  for (const Part& part : parts) most = std::max(most, part.reach);
  return most;
}

bool is_permutation_of(const std::vector<std::uint32_t>& order, std::size_t count) {
  if (order.size() != count) return false;
  std::vector<char> seen(count, 0);
  for (const std::uint32_t i : order) {
    if (i >= count || seen[i]) return false;
    seen[i] = 1;
  }
  return true;
}

// Is it the one point at its own origin?
bool is_origin(const Part& part) {
  const auto at_origin = [](const std::vector<Vec3>& points) {
    return std::all_of(points.begin(), points.end(), [](const Vec3& p) { return p == Vec3{}; });
  };
  if (part.mesh != nullptr) return at_origin(part.mesh->mesh().vertices);
  if (const auto* convex = std::get_if<Convex>(&part.shape->geometry()))
    return part.shape->rounding_radius() == 0.0 && at_origin(convex->hull().vertices);
  if (!part.shape->is_convex_body()) return false;
  const Core& core = core_of(*part.shape);
  return core.radius == 0.0 && core.half == Vec3{} && !part.is(ShapeType::custom);
}

}  // namespace

Examiner::Examiner(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const Certificate* certificate)
    : origin_(pose_a.position()), a_(parts_of(a)), b_(parts_of(b)), certificate_(certificate) {
  pair_.a = detail::unchecked_pose({}, pose_a.rotation());
  pair_.b = detail::unchecked_pose(pose_b.position() - origin_, pose_b.rotation());
  const double sizes = longest(a_) + longest(b_);
  lengths_ = sizes + norm(pair_.b.position());
  const double world = max_abs(pose_a.position()) + max_abs(pose_b.position()) + sizes;
  slack_ = kAllowed * kUnit * lengths_;
  world_slack_ = slack_ + kWorldRoundings * kUnit * world;
  // Squares underflow to nothing before lengths do.
  bool points = lengths_ == 0.0 && max_abs(pair_.b.position()) == 0.0;
  for (const std::vector<Part>* parts : {&a_, &b_}) {
    for (const Part& part : *parts) {
      points &= is_origin(part);
      has_mesh_ |= part.mesh != nullptr;
      has_custom_ |= part.is(ShapeType::custom);
    }
  }
  in_range_ = points || (lengths_ > kLeastLength && lengths_ + world < kLargestLength);
  if (certificate_ != nullptr) take_orders();
}

void Examiner::take_orders() {
  const auto take = [](const std::vector<Certificate::Order>& orders, std::vector<Part>& parts) {
    for (const Certificate::Order& order : orders) {
      for (Part& part : parts) {
        if (part.index == order.part && part.mesh != nullptr &&
            is_permutation_of(order.triangles, part.pieces()))
          part.order = order.triangles;
      }
    }
  };
  take(certificate_->order_a, a_);
  take(certificate_->order_b, b_);
}

void Examiner::set_motion(const RigidMotion& a, const RigidMotion& b) {
  pair_.motion_a = a;
  pair_.motion_b = b;
  // A translation that both share moves nothing against anything.
  if (a.linear == b.linear) pair_.motion_a.linear = pair_.motion_b.linear = Vec3{};
  const double way = norm(a.linear) + norm(b.linear) + norm(a.angular) * longest(a_) +
                     norm(b.angular) * longest(b_);
  lengths_ += way;
  slack_ += kAllowed * kUnit * way;
  world_slack_ += kAllowed * kUnit * way;
  in_range_ = in_range_ && way < kLargestLength;
}

double Examiner::proved_lower(const Vec3& n, double time, double roundings) const {
  if (a_.size() * b_.size() > kMostPairs) return -kInfinity;
  Certificate::Apart by_normal;
  by_normal.steps.push_back({Certificate::Step::Kind::apart, 0, 0.0, n});
  std::vector<double> known(a_.size() * b_.size());
  for (std::size_t i = 0; i < a_.size(); ++i) {
    for (std::size_t j = 0; j < b_.size(); ++j)
      known[i * b_.size() + j] = proved_separation(pair_, a_[i], b_[j], by_normal, time, roundings);
  }
  if (certificate_ != nullptr) {
    for (const Certificate::Apart& apart : certificate_->apart) {
      const Part *x = part_of_a(apart.part_a), *y = part_of_b(apart.part_b);
      if (x == nullptr || y == nullptr) continue;
      double& best = known[static_cast<std::size_t>(x - a_.data()) * b_.size() +
                           static_cast<std::size_t>(y - b_.data())];
      best = std::max(best, proved_separation(pair_, *x, *y, apart, time, roundings));
    }
  }
  return *std::min_element(known.begin(), known.end());
}

double Examiner::proved_lower_of_unions(const Vec3& n) const {
  // One direction for all parts; or one translation, after which each pair is apart along its own.
  const double straight = lower_after({}, n);
  if (certificate_ == nullptr || certificate_->apart.empty()) return straight;
  return std::max(straight, lower_after(certificate_->apart.front().shift, n));
}

double Examiner::lower_after(const Vec3& shift, const Vec3& n) const {
  if (a_.size() * b_.size() > kMostPairs) return -kInfinity;
  Certificate::Apart by_normal;
  by_normal.shift = shift;
  by_normal.steps.push_back({Certificate::Step::Kind::apart, 0, 0.0, n});
  double least = kInfinity;
  for (const Part& x : a_) {
    for (const Part& y : b_) {
      double best = proved_separation(pair_, x, y, by_normal, 0.0);
      for (const Certificate::Apart& apart : certificate_listed()) {
        if (shift == Vec3{} || apart.shift != shift) continue;
        if (apart.part_a == x.index && apart.part_b == y.index)
          best = std::max(best, proved_separation(pair_, x, y, apart, 0.0));
      }
      least = std::min(least, best);
    }
  }
  return least;
}

std::span<const Certificate::Apart> Examiner::certificate_listed() const {
  return certificate_ != nullptr ? std::span<const Certificate::Apart>(certificate_->apart)
                                 : std::span<const Certificate::Apart>();
}

double Examiner::proved_depth(double wanted, bool of_unions, std::string& reason) const {
  reason = "a depth needs a certificate";
  if (certificate_ == nullptr) return kInfinity;
  const double depth =
      detail::proved_depth(pair_, a_, b_, *certificate_, origin_, -wanted, of_unions, reason);
  if (depth > -kInfinity) reason = "the certificate proves less";
  return -depth;
}

const Part* Examiner::part_of_a(std::int32_t index) const { return find_part(a_, index); }
const Part* Examiner::part_of_b(std::int32_t index) const { return find_part(b_, index); }

double Examiner::outside(bool of_a, const Part* part, const Pose& pose, const Vec3& world) const {
  const Vec3 in_body = pose.to_local(local(world));
  double least = kInfinity;
  for (const Part& p : of_a ? a_ : b_) {
    if (part != nullptr && part != &p) continue;
    least = std::min(least, distance_outside(*p.shape, p.in_body.to_local(in_body)));
  }
  return least;
}

}  // namespace tactus::detail
