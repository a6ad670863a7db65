#include "tactus/rigid/character/surroundings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tactus/query.hpp"

namespace tactus::detail {
namespace {

/// A one-way body meets what comes from within this cosine of its direction.
constexpr double kOnItsSide = 0.5;
/// Casts keep this part of the gap free; where less is free at the start, this part of that, so
/// that none begins in touch. Bumps of the ground that are lower than the rest are not felt.
constexpr double kKept = 0.75, kKeptOfLess = 0.999;
/// Grounds whose heights differ by less than this part of the gap are at the same height.
constexpr double kSameHeight = 0.02;
/// The top of an edge is looked for so far behind it, in gaps.
constexpr double kBehindEdge = 0.2;
/// A patch belongs to a hit whose normal agrees to this cosine.
constexpr double kSameNormal = 0.9;
/// Patches of a body that are looked at at the same time.
constexpr std::size_t kMostPatches = 16;

bool is_answer(const CastResult& r) {
  return r.hit != Overlap::no && r.status != Status::unsupported &&
         r.status != Status::invalid_input;
}

/// Signed distance, or that of the surface of what has no inside.
DistanceResult gap_between(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           double farthest) {
  QueryOptions options;
  options.max_distance = farthest;
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  if (r.status != Status::unsupported) return r;
  options.signed_distance = false;
  return distance(a, pose_a, b, pose_b, options);
}

}  // namespace

Surroundings::Surroundings(const World& world, const Body& character, double gap,
                           std::span<const BodyId> waiting)
    : world_(world),
      character_(character),
      waiting_(waiting),
      rotation_(character.pose().rotation()),
      gap_(gap),
      radius_(character.radius()),
      step_(world.settings().time_step) {}

bool Surroundings::may_meet(const Body& body) const {
  return body.id() != character_.id() && !body.is_sensor() &&
         can_touch(body.filter(), character_.filter());
}

Pose Surroundings::pose_of(const Obstacle& obstacle, double at) const {
  return obstacle.body->type() == BodyType::fixed
             ? obstacle.body->pose()
             : pose_at(obstacle.body->pose(), obstacle.motion, at);
}

Vec3 Surroundings::velocity_of(const Obstacle& obstacle, const Vec3& point, double at) const {
  return velocity_at(obstacle.motion, point - pose_of(obstacle, at).position());
}

void Surroundings::predict(Obstacle& obstacle) const {
  const Body& body = *obstacle.body;
  obstacle.motion = {};
  if (std::find(waiting_.begin(), waiting_.end(), body.id()) != waiting_.end()) return;
  obstacle.motion = {body.velocity_at(body.pose().position()), body.angular_velocity()};
}

void Surroundings::find(const Vec3& place, double reach) {
  obstacles_.clear();
  for (const Body& body : world_.bodies()) {
    if (!may_meet(body)) continue;
    Obstacle obstacle{&body, {}, character_.shape()};
    predict(obstacle);
    const double travel = norm(body.linear_velocity()) * step_;
    const double most = (body.radius() + radius_) + (reach + travel);
    if (squared_norm(body.center_of_mass() - place) > most * most) continue;
    const DistanceResult r = gap_between(character_.shape(), placed_at(place), body.shape(),
                                         body.pose(), reach + travel + gap_);
    if (r.status == Status::unsupported || r.status == Status::invalid_input) continue;
    obstacle.inside = !(r.lower > 0.0);
    // A character in a one-way body passes through it.
    if (obstacle.inside && body.one_way()) continue;
    obstacle.growth = std::min(kKept * gap_, kKeptOfLess * std::max(r.lower, 0.0));
    obstacle.grown = Shape(character_.shape());
    if (obstacle.growth > 0.0) {
      std::visit(
          [&](const auto& geometry) {
            obstacle.grown =
                Shape(geometry, character_.shape().rounding_radius() + obstacle.growth);
          },
          character_.shape().geometry());
    }
    obstacles_.push_back(std::move(obstacle));
  }
}

bool Surroundings::lets_through(const Obstacle& obstacle, const Vec3& normal, double at) const {
  const auto side = obstacle.body->one_way();
  return side && dot(pose_of(obstacle, at).direction_to_world(*side), normal) < kOnItsSide;
}

std::optional<Surroundings::Hit> Surroundings::hit_of(std::size_t i, const Vec3& place,
                                                      const Vec3& velocity, double since,
                                                      double duration, bool moving) const {
  const Obstacle& obstacle = obstacles_[i];
  if (obstacle.inside) return std::nullopt;
  const Body& body = *obstacle.body;
  const Pose start = placed_at(place), pose = pose_of(obstacle, since);
  const RigidMotion motion =
      moving ? RigidMotion{obstacle.motion.linear * duration, obstacle.motion.angular * duration}
             : RigidMotion{};
  const CastResult r =
      motion.angular == Vec3{}
          ? cast(obstacle.grown, start, velocity * duration, body.shape(), pose, motion.linear)
          : impact(obstacle.grown, start, {velocity * duration, {}}, body.shape(), pose, motion);
  if (!is_answer(r)) return std::nullopt;
  const double at = since + r.time * duration;
  if (lets_through(obstacle, -r.normal, at)) return std::nullopt;
  return Hit{i, r.time, -r.normal, r.point_b,
             moving ? velocity_of(obstacle, r.point_b, at) : Vec3{}};
}

std::optional<Surroundings::Hit> Surroundings::first_hit(const Vec3& place, const Vec3& velocity,
                                                         double since, double duration) const {
  std::optional<Hit> first;
  const auto take = [&](const std::optional<Hit>& hit) {
    if (hit && (!first || hit->time < first->time)) first = hit;
  };
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    take(hit_of(i, place, velocity, since, duration, true));
    if (may_be_stopped(obstacles_[i])) take(hit_of(i, place, velocity, 0.0, duration, false));
  }
  return first;
}

std::optional<Surroundings::Hit> Surroundings::first_standing(const Vec3& place, const Vec3& way,
                                                              double at) const {
  std::optional<Hit> first;
  const auto take = [&](const std::optional<Hit>& hit) {
    if (hit && (!first || hit->time < first->time)) first = hit;
  };
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    take(hit_of(i, place, way, at, 1.0, false));
    if (may_be_stopped(obstacles_[i])) take(hit_of(i, place, way, 0.0, 1.0, false));
  }
  return first;
}

double Surroundings::free_part(const Vec3& place, const Vec3& way, double at) const {
  const auto hit = first_standing(place, way, at);
  if (!hit) return 1.0;
  const double approach = -dot(hit->normal, way);
  const double lacks = gap_ - obstacles_[hit->obstacle].growth;
  return approach > 0.0 ? std::max(hit->time - lacks / approach, 0.0) : 0.0;
}

/// Ground carries by its slope; an edge of it by that of the face behind the edge.
bool Surroundings::carries(const Obstacle& obstacle, const Vec3& normal, const Vec3& point,
                           const Vec3& up, double level, double at) const {
  const double slope = dot(normal, up);
  if (slope >= level) return true;
  const Vec3 outwards = normal - up * slope;
  const double length = norm(outwards);
  if (!(slope > 0.0) || !(length > 0.0)) return false;
  const double behind = kBehindEdge * gap_;
  const Vec3 from = point - outwards * (behind / length) + up * gap_;
  // On a slope that just carries the top lies this much below.
  const double most = gap_ + 2.0 * behind * std::sqrt(1.0 - level * level) / level;
  const CastResult r = ray_cast(obstacle.body->shape(), pose_of(obstacle, at), from, -up, most);
  return is_answer(r) && r.time > 0.0 && dot(r.normal, up) >= level;
}

/// The ground that an obstacle gives, found by the grown shape, as ways are. Where faces meet, the
/// normal of the cast may be any between those of their edges: that of the distance there is the
/// one of the faces.
std::optional<Surroundings::Ground> Surroundings::ground_of(std::size_t i, const Vec3& place,
                                                            const Vec3& up, double depth,
                                                            double level, double at) const {
  const Obstacle& obstacle = obstacles_[i];
  if (obstacle.inside) return std::nullopt;
  const Pose pose = pose_of(obstacle, at);
  const Shape& shape = obstacle.body->shape();
  const CastResult r = cast(obstacle.grown, placed_at(place), up * -depth, shape, pose, {});
  if (!is_answer(r) || lets_through(obstacle, -r.normal, at)) return std::nullopt;
  Ground ground{i, r.time * depth, -r.normal, r.point_b, false};
  const DistanceResult near = gap_between(character_.shape(), placed_at(place - up * ground.height),
                                          shape, pose, 2.0 * gap_);
  if (near.distance > 0.0 && dot(near.normal, up) < 0.0) {
    ground.normal = -near.normal;
    ground.point = near.point_b;
  }
  ground.height += obstacle.growth / std::max(dot(ground.normal, up), kMostCosine);
  ground.carries = carries(obstacle, ground.normal, ground.point, up, level, at);
  return ground;
}

std::optional<Surroundings::Ground> Surroundings::ground_below(const Vec3& place, const Vec3& up,
                                                               double depth, double level,
                                                               double at) const {
  const double same = kSameHeight * gap_;
  std::optional<Ground> found;
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const auto ground = ground_of(i, place, up, depth, level, at);
    if (!ground || (found && ground->height > found->height + same)) continue;
    if (!found || ground->height < found->height - same) {
      found = ground;
      continue;
    }
    // At the same height the more level one that carries.
    const double height = std::min(ground->height, found->height);
    const bool better = ground->carries == found->carries
                            ? dot(ground->normal, up) > dot(found->normal, up)
                            : ground->carries;
    if (better) found = ground;
    found->height = height;
  }
  return found;
}

std::vector<Surroundings::Near> Surroundings::nearer_than(const Vec3& place, double gap) const {
  std::vector<Near> found;
  std::array<Manifold, kMostPatches> patches;
  QueryOptions options;
  options.margin = options.max_distance = gap;
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const Obstacle& obstacle = obstacles_[i];
    const int count = contacts(character_.shape(), placed_at(place), obstacle.body->shape(),
                               obstacle.body->pose(), patches, options)
                          .manifolds;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const ContactPoint& point : patches[k].span()) nearest = std::min(nearest, -point.depth);
      if (nearest < gap && !lets_through(obstacle, -patches[k].normal, 0.0))
        found.push_back({-patches[k].normal, nearest, i});
    }
  }
  return found;
}

Vec3 Surroundings::middle_of_touch(const Hit& hit, const Vec3& place, double at) const {
  const Obstacle& obstacle = obstacles_[hit.obstacle];
  std::array<Manifold, kMostPatches> patches;
  QueryOptions options;
  options.margin = options.max_distance = 2.0 * gap_;
  const int count = contacts(character_.shape(), placed_at(place), obstacle.body->shape(),
                             pose_of(obstacle, at), patches, options)
                        .manifolds;
  Vec3 middle = hit.point;
  double best = kSameNormal;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    const double agreement = -dot(patches[k].normal, hit.normal);
    if (!(agreement > best)) continue;
    best = agreement;
    middle = {};
    for (const ContactPoint& point : patches[k].span())
      middle += point.point_b * (1.0 / patches[k].count);
  }
  return middle;
}

bool Surroundings::is_nearer(const Vec3& place, double gap, double at) const {
  return std::any_of(obstacles_.begin(), obstacles_.end(), [&](const Obstacle& obstacle) {
    const Pose pose = pose_of(obstacle, at);
    const DistanceResult r =
        gap_between(character_.shape(), placed_at(place), obstacle.body->shape(), pose, gap);
    return r.distance < gap && !lets_through(obstacle, -r.normal, at);
  });
}

}  // namespace tactus::detail
