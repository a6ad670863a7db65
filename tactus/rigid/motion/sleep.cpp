#include "tactus/rigid/motion/sleep.hpp"

#include <algorithm>

#include "tactus/rigid/body/body_access.hpp"

namespace tactus::detail {

bool stirs(const Body& body) {
  return body.is_awake() ||
         (body.type() == BodyType::kinematic &&
          (body.linear_velocity() != Vec3{} || body.angular_velocity() != Vec3{}));
}

/// Each is named by its first body, so that nothing depends on the order of the links.
void Sleep::find_groups(std::span<const Body> bodies, std::span<const Link> links) {
  groups_.reset(bodies.size());
  for (const Link& link : links) {
    if (!bodies[link.a].is_dynamic() || !bodies[link.b].is_dynamic()) continue;
    groups_.join(link.a, link.b);
  }
  marked_.assign(bodies.size(), 0);
}

void Sleep::wake(std::span<Body> bodies, std::span<const Link> links,
                 std::span<const std::uint32_t> disturbed) {
  find_groups(bodies, links);
  std::vector<char> stirred(bodies.size(), 0);
  for (const std::uint32_t body : disturbed) stirred[body] = 1;
  const auto mark = [&](std::uint32_t body) { marked_[groups_.least_of(body)] = 1; };
  for (const std::uint32_t body : disturbed) mark(body);
  for (const Link& link : links) {
    if (stirred[link.a] != 0) mark(link.b);
    if (stirred[link.b] != 0) mark(link.a);
  }
  if (sharing_ != nullptr) sharing_->share_marks(groups_, marked_);
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].is_asleep() && marked_[groups_.least_of(i)] != 0)
      BodyAccess::set_rest_time(bodies[i], 0.0);
}

void Sleep::settle(std::span<Body> bodies, std::span<const Link> links,
                   const WorldSettings& settings) {
  find_groups(bodies, links);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    Body& body = bodies[i];
    if (!body.is_awake()) continue;
    const double speed =
        norm(body.linear_velocity()) + norm(body.angular_velocity()) * body.radius();
    const bool slow = speed < settings.sleep_speed * body.size();
    BodyAccess::set_rest_time(body, slow ? body.motion().rest_time + settings.time_step : 0.0);
    if (body.motion().rest_time < settings.sleep_time) marked_[groups_.least_of(i)] = 1;
  }
  for (const Link& link : links) {
    for (const auto [led, body] : {Link{link.a, link.b}, Link{link.b, link.a}})
      if (!bodies[led].is_dynamic() && stirs(bodies[led])) marked_[groups_.least_of(body)] = 1;
  }
  if (sharing_ != nullptr) sharing_->share_marks(groups_, marked_);
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].is_awake() && marked_[groups_.least_of(i)] == 0)
      BodyAccess::fall_asleep(bodies[i]);
}

}  // namespace tactus::detail
