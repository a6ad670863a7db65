#include "tactus/rigid/character/walk.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/math/sine.hpp"
#include "tactus/math/turned.hpp"

namespace tactus::detail {
namespace {

/// An obstacle nearer than this part of the gap is left before the step: a little less than ways
/// keep free, so that none is undone.
constexpr double kTooNear = 0.74;
/// Ground within so many gaps is stood on: an update that ends on ground leaves one gap.
constexpr double kStandsOn = 1.1;
/// Ground is looked for so deep, in gaps: on steep edges the gap along the normal is less.
constexpr double kLookBelow = 8.0;
/// Least rise of a character that takes off, in gaps, so that it does not stand any more.
constexpr double kTakeOff = 0.25;
/// Ways that leave an overlap, and hits of a step, at most.
constexpr int kMostWaysOut = 32, kMostHits = 16;
/// A body that was met is left at this part of the speed, so that rounding does not meet it again.
constexpr double kLeave = 1e-5;
/// A weight accelerates what bears it by at most so much of the gravity.
constexpr double kMostFalls = 8.0;
/// A velocity breaks a bound by more than this part of the speeds: the character is crushed.
constexpr double kCrushed = 1e-3;
/// A way, relative to the gap, that is none.
constexpr double kNoWay = 1e-6;
/// A step is taken by at least so many gaps, where a shorter one would not reach its top.
constexpr double kOntoStep = 2.0;

}  // namespace

Walk::Walk(World& world, const Body& body, const CharacterSettings& settings,
           std::span<const BodyId> waiting)
    : world_(world),
      body_(body),
      settings_(settings),
      around_(world, body, settings.gap, waiting),
      up_(normalized(settings.up)),
      step_(world.settings().time_step),
      least_level_(sine_cosine(settings.max_slope).cosine),
      force_left_(settings.max_force * step_),
      start_(body.pose().position()),
      place_(start_) {}

double Walk::reach_of(const Vec3& velocity) const {
  return norm(velocity) * step_ + 2.0 * settings_.step_height + 2.0 * kLookBelow * settings_.gap;
}

/// Height of the lowest point.
double Walk::foot_of(const Vec3& place) const {
  return dot(place, up_) - support_value(body_.shape(), body_.pose().direction_to_local(-up_));
}

/// Leaves what is too near, by the shortest way out of all at once; again, while that helps.
void Walk::leave() {
  const double gap = settings_.gap;
  for (int i = 0; i < kMostWaysOut; ++i) {
    around_.find(place_, reach_of({}));
    std::vector<VelocityBound> bounds;
    auto& obstacles = around_.obstacles();
    for (const Surroundings::Near& near : around_.nearer_than(place_, kTooNear * gap)) {
      bounds.push_back({near.normal, gap - near.gap});
      // These are left, whatever the casts say of them.
      obstacles[near.obstacle].inside = true;
    }
    if (bounds.empty()) return;
    const Vec3 way = nearest_velocity({}, bounds);
    const Vec3 done = way * around_.free_part(place_, way, 0.0);
    if (!(norm(done) > kNoWay * gap)) break;
    place_ += done;
    given_ += done;
  }
  around_.find(place_, reach_of({}));
}

/// The ground at the start, and its velocity: along the arc where it turns.
void Walk::find_ground() {
  const auto ground =
      around_.ground_below(place_, up_, kLookBelow * settings_.gap, least_level_, 0.0);
  if (!ground || !ground->carries) return;
  if (ground->distance(up_) > kStandsOn * settings_.gap) return;
  walks_ = true;
  const Surroundings::Obstacle& obstacle = around_.obstacles()[ground->obstacle];
  const Vec3 foot = place_ + up_ * dot(up_, ground->point - place_);
  const Vec3 there =
      around_.pose_of(obstacle, step_).to_world(obstacle.body->pose().to_local(foot));
  carry_ = (there - foot) * (1.0 / step_) + obstacle.body->belt_velocity_at(foot);
  around_.set_carrier(obstacle.body->id());
  report_.ground_velocity = carry_;
  report_.ground_spin = obstacle.motion.angular;
  if (dot(ground->normal, up_) >= least_level_)
    touches_.push_back({Kind::ground, ground->normal, carry_, 0.0});
  if (obstacle.body->is_dynamic()) press(*ground);
}

/// Speed per impulse of a body at a point along a unit direction.
double Walk::mobility(const Body& body, const Vec3& point, const Vec3& along) {
  const Mat3 inverse_inertia = to_world_axes(body.inverse_inertia(), body.pose().rotation());
  const Vec3 moment = cross(point - body.center_of_mass(), along);
  return body.inverse_mass() + dot(moment, inverse_inertia * moment);
}

/// The weight on a moving body below, which does not throw about what nothing holds.
void Walk::press(const Surroundings::Ground& ground) {
  const Body& body = *around_.obstacles()[ground.obstacle].body;
  const Vec3 pull = world_.settings().gravity * body_.gravity_scale();
  const double size = norm(pull);
  if (!(size > 0.0)) return;
  const Vec3 along = pull * (1.0 / size);
  const Vec3 point =
      around_.middle_of_touch({ground.obstacle, 0.0, ground.normal, ground.point, {}}, place_, 0.0);
  const double bears = kMostFalls / mobility(body, point, along);
  world_.apply_force(body.id(), pull * std::min(settings_.mass, bears), point);
}

void Walk::choose_wish(const CharacterInput& input) {
  const Vec3 wanted = level(input.velocity);
  if (walks_) {
    wish_ = carry_ + wanted;
    if (input.jump > 0.0) {
      walks_ = false;
      // The mean velocity of a step of free fall that begins with that of the jump.
      const Vec3 fall = world_.settings().gravity * (body_.gravity_scale() * 0.5 * step_);
      const double speed = input.jump + dot(up_, fall);
      wish_ += up_ * input.jump + (speed > 0.0 ? fall : Vec3{});
      touches_.clear();
      take_off();
    }
    return;
  }
  wish_ = body_.linear_velocity();
  const Vec3 change = wanted - level(wish_);
  const double size = norm(change), most = settings_.air_acceleration * step_;
  wish_ += size > most ? change * (most / size) : change;
  wish_ += world_.settings().gravity * (body_.gravity_scale() * step_);
}

/// A character that jumped must not stand on its ground in the next step, however short that is.
void Walk::take_off() {
  const double lacks = kTakeOff * settings_.gap - dot(wish_ - carry_, up_) * step_;
  if (!(lacks > 0.0)) return;
  const Vec3 rise = up_ * (lacks * around_.free_part(place_, up_ * lacks, 0.0));
  place_ += rise;
  given_ += rise;
}

void Walk::add_bounds(const Touch& touch, std::vector<VelocityBound>& bounds) const {
  bounds.push_back({touch.normal, dot(touch.normal, touch.velocity) + touch.outwards});
  // Steep ground is a wall to what would climb it.
  if (touch.kind != Kind::wall) return;
  const Vec3 outwards = level(touch.normal);
  const double length = norm(outwards);
  if (!(length > kMostCosine)) return;
  const Vec3 normal = outwards * (1.0 / length);
  bounds.push_back({normal, dot(normal, touch.velocity) + touch.outwards});
}

/// The level velocity within the walls that is nearest to the wanted one, and what the ground makes
/// of it: uphill or downhill at the same level speed.
Vec3 Walk::along_ground(std::vector<VelocityBound>& all) const {
  std::vector<VelocityBound> walls;
  for (const Touch& touch : touches_) {
    add_bounds(touch, all);
    const Vec3 outwards = level(touch.normal);
    const double length = norm(outwards);
    if (touch.kind == Kind::ground || !(length > kMostCosine)) continue;
    const Vec3 normal = outwards * (1.0 / length);
    walls.push_back({normal, dot(normal, level(touch.velocity)) + touch.outwards});
  }
  const Vec3 along = nearest_velocity(level(wish_), walls);
  bool any = false;
  double rise = dot(wish_, up_);
  for (const Touch& touch : touches_) {
    if (touch.kind != Kind::ground) continue;
    const double needed =
        (dot(touch.normal, touch.velocity - along) + touch.outwards) / dot(touch.normal, up_);
    rise = any ? std::max(rise, needed) : needed;
    any = true;
  }
  return along + up_ * rise;
}

Vec3 Walk::velocity_within() {
  std::vector<VelocityBound> all;
  Vec3 wanted = wish_;
  if (walks_) {
    wanted = along_ground(all);
    if (!(worst_break(wanted, all) > kLeave * (norm(wanted) + norm(carry_)))) return wanted;
  } else {
    for (const Touch& touch : touches_) add_bounds(touch, all);
  }
  const Vec3 v = nearest_velocity(wanted, all);
  double speed = norm(v) + norm(wanted);
  for (const Touch& touch : touches_) speed = std::max(speed, norm(touch.velocity));
  crushed_ = crushed_ || worst_break(v, all) > kCrushed * speed;
  return v;
}

/// Pushes a moving body that is in the way until it moves as fast, or no force is left.
void Walk::push(Surroundings::Obstacle& obstacle, const Surroundings::Hit& hit,
                const Vec3& velocity, const Vec3& point) {
  const Body& body = *obstacle.body;
  const double approach = -dot(hit.normal, velocity - body.velocity_at(point));
  if (!body.is_dynamic() || !(approach > 0.0) || !(force_left_ > 0.0)) return;
  const double impulse = std::min(approach / mobility(body, point, hit.normal), force_left_);
  force_left_ -= impulse;
  world_.apply_impulse(body.id(), hit.normal * -impulse, point);
  around_.predict(obstacle);
}

/// Takes a hit up as a bound.
void Walk::meet(const Surroundings::Hit& hit, const Vec3& velocity, double time) {
  Surroundings::Obstacle& obstacle = around_.obstacles()[hit.obstacle];
  const double rise = dot(hit.normal, up_);
  const Kind kind = rise >= least_level_ ? Kind::ground : rise < 0.0 ? Kind::ceiling : Kind::wall;
  Vec3 moves = hit.velocity;
  if (around_.may_be_stopped(obstacle)) {
    if (kind != Kind::ground)
      push(obstacle, hit, velocity, around_.middle_of_touch(hit, place_, time));
    moves = obstacle.body->velocity_at(hit.point);
    // It makes room for the next step, not for this one.
    moves -= hit.normal * std::min(dot(hit.normal, moves), 0.0);
  }
  report_.hindered = report_.hindered || kind != Kind::ground;
  touches_.push_back({kind, hit.normal, moves, kLeave * (norm(velocity) + norm(moves))});
}

/// Moves through the time of the step, from hit to hit.
void Walk::move() {
  const auto& obstacles = around_.obstacles();
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    if (!obstacles[i].inside) continue;
    // Out of what it overlaps, never farther in.
    for (const Surroundings::Near& near : around_.nearer_than(place_, 0.0)) {
      if (near.obstacle == i)
        touches_.push_back({Kind::wall, near.normal, obstacles[i].motion.linear, 0.0});
    }
  }
  double time = 0.0;
  for (int hits = 0; hits < kMostHits; ++hits) {
    const Vec3 velocity = velocity_within();
    const double left = step_ - time;
    const auto hit = around_.first_hit(place_, velocity, time, left);
    if (!hit) {
      place_ += velocity * left;
      return;
    }
    const double approach = -dot(hit->normal, velocity - hit->velocity);
    const double lacks = settings_.gap - around_.obstacles()[hit->obstacle].growth;
    const double back = approach > 0.0 ? lacks / (approach * left) : 1.0;
    const double part = std::max(hit->time - back, 0.0);
    place_ += velocity * (left * part);
    time += left * part;
    meet(*hit, velocity, time);
  }
}

/// Tries what the walls took away of the way again, from a step's height.
void Walk::climb() {
  if (!walks_ || !report_.hindered || !(settings_.step_height > 0.0)) return;
  const Vec3 lost = level(wish_ * step_ - (place_ - start_ - given_));
  const double length = norm(lost);
  if (!(length > kNoWay * settings_.gap)) return;
  if (climb_by(lost)) return;
  const double least = kOntoStep * settings_.gap;
  if (length < least) climb_by(lost * (least / length));
}

bool Walk::climb_by(const Vec3& forward) {
  const Vec3 rise = up_ * settings_.step_height;
  const Vec3 raised = place_ + rise * around_.free_part(place_, rise, step_);
  const double height = dot(raised - place_, up_);
  if (!(height > settings_.gap)) return false;
  const double part = around_.free_part(raised, forward, step_);
  if (!(part * norm(forward) > kNoWay * settings_.gap)) return false;
  const Vec3 beyond = raised + forward * part;
  const auto ground =
      around_.ground_below(beyond, up_, height + settings_.gap, least_level_, step_);
  if (!ground || !ground->carries) return false;
  // A round foot would climb any edge bit by bit: what counts is how high that lies.
  const double top = dot(ground->point, up_) - (foot_of(place_) - settings_.gap);
  if (top > settings_.step_height + settings_.gap) return false;
  const double keeps = settings_.gap / std::max(dot(ground->normal, up_), kMostCosine);
  const Vec3 down = up_ * -std::max(ground->height - keeps, 0.0);
  if (around_.free_part(beyond, down, step_) < 1.0) return false;
  const Vec3 landed = beyond + down;
  const double climbed = dot(landed - place_, up_);
  if (climbed > settings_.step_height || around_.is_nearer(landed, kTooNear * settings_.gap, step_))
    return false;
  given_ += up_ * climbed;
  place_ = landed;
  report_.climbed = std::max(climbed, 0.0);
  return true;
}

/// The ground at the end; a character that walks follows it down.
void Walk::follow_down() {
  const double gap = settings_.gap;
  const double depth = (walks_ ? settings_.step_height : 0.0) + kLookBelow * gap;
  const auto ground = around_.ground_below(place_, up_, depth, least_level_, step_);
  if (!ground) return;
  const double keeps = gap / std::max(dot(ground->normal, up_), kMostCosine);
  const double sinks = ground->height - keeps;
  if (walks_ && ground->carries && sinks <= settings_.step_height) {
    // Or back up to the gap where it is less; as far as what stands beside it lets it.
    const Vec3 way = up_ * (-sinks * around_.free_part(place_, up_ * -sinks, step_));
    place_ += way;
    if (norm(way) > gap) given_ += way;
    if (norm(way) < std::fabs(sinks) - (kStandsOn - 1.0) * keeps) return;
  } else if (sinks > (kStandsOn - 1.0) * keeps) {
    return;
  }
  ended_on_ = ground->carries;
  report_.support = ended_on_ ? CharacterSupport::ground : CharacterSupport::slope;
  report_.ground = around_.obstacles()[ground->obstacle].body->id();
  report_.ground_point = ground->point;
  report_.ground_normal = ground->normal;
}

/// The velocity is that of the motion; what was given beside it is done at once.
void Walk::finish() {
  report_.way = place_ - start_;
  const Vec3 velocity = (report_.way - given_) * (1.0 / step_);
  if (given_ != Vec3{})
    world_.set_pose(body_.id(), unchecked_pose(start_ + given_, body_.pose().rotation()));
  world_.set_velocity(body_.id(), velocity, {});
  const auto& obstacles = around_.obstacles();
  report_.stuck = crushed_ ||
                  std::any_of(obstacles.begin(), obstacles.end(),
                              [](const Surroundings::Obstacle& o) { return o.inside; }) ||
                  around_.is_nearer(place_, kNoWay * settings_.gap, step_);
}

CharacterReport Walk::run(const CharacterInput& input) {
  leave();
  find_ground();
  choose_wish(input);
  around_.find(place_, reach_of(wish_));
  move();
  climb();
  follow_down();
  finish();
  return report_;
}

}  // namespace tactus::detail
