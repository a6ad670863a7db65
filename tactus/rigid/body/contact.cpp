#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/query/plan/pair_state.hpp"
#include "tactus/rigid/body/periodic.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

/// Largest deviation of a stored orientation's norm from 1: rounding of one normalisation, with
/// room for other writers.
constexpr double kNormTolerance = 1e-9;

void require(bool condition, const char* list, std::size_t entry, const char* reason) {
  if (!condition) throw InvalidInput(std::string(list) + "[" + std::to_string(entry) + "]", reason);
}

/// The hash, for the other types of a state.
class Hasher : public Fnv1a {
 public:
  static constexpr bool kReads = false;
  using Fnv1a::add;
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  void add(std::int32_t number) {
    add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
  }
  void add(std::uint32_t number) { add(static_cast<std::uint64_t>(number)); }
  /// Adds periods of an image; zero adds nothing, so worlds without periods keep their hashes.
  void add(const Periods& periods) {
    if (periods == Periods{}) return;
    for (const std::int32_t number : periods) add(number);
  }
  /// Adds a field of a query cache, in the role of an archive.
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      add(static_cast<double>(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
      add(static_cast<std::uint64_t>(value));
    } else {
      transfer(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (T& value : values) (*this)(value);
  }
};

}  // namespace

void validate(const WorldState& state) {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyMotion& body = state.bodies[i];
    require(body.id != kNoBody && body.id < state.next_id, "bodies", i, "id out of range");
    require(i == 0 || state.bodies[i - 1].id < body.id, "bodies", i, "not in ascending order");
    require(is_finite(body.position) && is_finite(body.linear_velocity) &&
                is_finite(body.angular_velocity) && is_finite(body.linear_ahead) &&
                is_finite(body.angular_ahead) && std::isfinite(body.rest_time) &&
                std::fabs(norm(body.orientation) - 1.0) <= kNormTolerance,
            "bodies", i, "position and velocities must be finite, the orientation unit");
    require(body.rest_time >= 0.0 && (!body.asleep || (body.linear_velocity == Vec3{} &&
                                                       body.angular_velocity == Vec3{})),
            "bodies", i, "the rest time must not be negative, and what sleeps has no velocity");
  }
  require(state.stiffening >= 1.0 && state.stiffening <= kMostStiffening, "stiffening", 0,
          "must lie between 1 and 8");
  for (std::size_t i = 0; i < state.pairs.size(); ++i) {
    const PairMemory& pair = state.pairs[i];
    require(pair.body_a < pair.body_b, "pairs", i, "ids not in ascending order");
    const auto key = [](const PairMemory& p) { return std::tuple(p.body_a, p.body_b, p.image); };
    require(i == 0 || key(state.pairs[i - 1]) < key(pair), "pairs", i, "not in ascending order");
    require(
        pair.first <= state.manifolds.size() && pair.count <= state.manifolds.size() - pair.first,
        "pairs", i, "names manifolds that do not exist");
  }
  for (std::size_t i = 0; i < state.manifolds.size(); ++i) {
    const ManifoldMemory& manifold = state.manifolds[i];
    require(manifold.count <= Manifold::kCapacity && manifold.first <= state.points.size() &&
                manifold.count <= state.points.size() - manifold.first,
            "manifolds", i, "names points that do not exist");
    require(is_finite(manifold.rolling_impulse), "manifolds", i, "the impulse must be finite");
  }
  for (std::size_t i = 0; i < state.points.size(); ++i) {
    const ContactPointMemory& point = state.points[i];
    require(is_finite(point.position) && point.normal_impulse >= 0.0 &&
                std::isfinite(point.normal_impulse) && is_finite(point.friction_impulse),
            "points", i, "numbers must be finite, the normal impulse not negative");
  }
  for (std::size_t i = 0; i < state.joints.size(); ++i) {
    const JointMemory& joint = state.joints[i];
    require(joint.id != kNoJoint && joint.id < state.next_joint, "joints", i, "id out of range");
    require(i == 0 || state.joints[i - 1].id < joint.id, "joints", i, "not in ascending order");
    for (const double impulse : joint.impulses)
      require(std::isfinite(impulse), "joints", i, "impulses must be finite");
    for (const std::int32_t periods : joint.image)
      require(periods > -kMostPeriods && periods < kMostPeriods, "joints", i,
              "the image lies over 1e9 periods away");
  }
}

std::uint64_t hash(const WorldState& state) {
  Hasher hasher;
  hasher.add(state.step);
  hasher.add(state.next_id);
  hasher.add(state.stiffening);
  hasher.add(static_cast<std::uint64_t>(state.bodies.size()));
  for (const BodyMotion& body : state.bodies) {
    hasher.add(body.id);
    hasher.add(body.position);
    hasher.add(body.orientation.w);
    hasher.add(Vec3{body.orientation.x, body.orientation.y, body.orientation.z});
    hasher.add(body.linear_velocity);
    hasher.add(body.angular_velocity);
    hasher.add(body.linear_ahead);
    hasher.add(body.angular_ahead);
    // Worlds whose bodies never rest keep the values that they had before any could fall asleep.
    if (body.rest_time == 0.0 && !body.asleep) continue;
    hasher.add(body.rest_time);
    hasher.add(static_cast<std::uint64_t>(body.asleep ? 1 : 0));
  }
  hasher.add(static_cast<std::uint64_t>(state.pairs.size()));
  for (const PairMemory& pair : state.pairs) {
    hasher.add(pair.body_a);
    hasher.add(pair.body_b);
    // Only reads; `transfer` takes a reference for the sake of archives.
    transfer(hasher, const_cast<QueryCache&>(pair.cache), true);
    hasher.add(pair.count);
    hasher.add(pair.image);
  }
  hasher.add(static_cast<std::uint64_t>(state.manifolds.size()));
  for (const ManifoldMemory& manifold : state.manifolds) {
    hasher.add(manifold.part_a);
    hasher.add(manifold.part_b);
    hasher.add(manifold.count);
    hasher.add(manifold.rolling_impulse);
  }
  hasher.add(static_cast<std::uint64_t>(state.points.size()));
  for (const ContactPointMemory& point : state.points) {
    hasher.add(point.feature);
    hasher.add(point.position);
    hasher.add(point.normal_impulse);
    hasher.add(point.friction_impulse);
  }
  // Worlds that never had a joint keep the values that they had before there were any.
  if (state.next_joint == 1) return hasher.value();
  hasher.add(state.next_joint);
  hasher.add(static_cast<std::uint64_t>(state.joints.size()));
  for (const JointMemory& joint : state.joints) {
    hasher.add(joint.id);
    for (const double impulse : joint.impulses) hasher.add(impulse);
    hasher.add(joint.image);
  }
  return hasher.value();
}

}  // namespace tactus
