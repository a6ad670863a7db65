#include "tactus/core/constants.hpp"
#include "tactus/planar/motion/swept_point.hpp"

namespace tactus::planar {
namespace {

using detail::Edges;
using detail::kUnit;
using detail::largest;

// Roundings of placing, moving and measuring, in units of the largest coordinate.
constexpr double kSlack = 64.0 * kUnit;
// Speed away from the contour that a reflected velocity gains, relative to it: above its rounding.
constexpr double kAway = 32.0 * kUnit;
// Approaches slower than so many steps of gravity do not bounce.
constexpr double kRest = 2.0;

void check(const Ball& ball, double dt, const BallSettings& settings) {
  if (!(ball.radius >= 0.0 && std::isfinite(ball.radius))) {
    throw InvalidInput("radius", "must be finite and not negative");
  }
  if (!is_finite(ball.position)) throw InvalidInput("position", "must be finite");
  if (!is_finite(ball.velocity)) throw InvalidInput("velocity", "must be finite");
  if (!(dt >= 0.0 && std::isfinite(dt)))
    throw InvalidInput("dt", "must be finite and not negative");
  if (!is_finite(settings.gravity)) throw InvalidInput("gravity", "must be finite");
  if (!(settings.restitution >= 0.0 && settings.restitution <= 1.0)) {
    throw InvalidInput("restitution", "must be from 0 to 1");
  }
}

struct Meeting {
  double part = detail::kInfinity;  ///< of the way
  std::size_t contour = 0, segment = 0;
  Vec2 normal;
};

Meeting first_meeting(const Ball& ball, std::span<const PlacedContour> contours, const Vec2& way) {
  Meeting first;
  for (std::size_t k = 0; k < contours.size(); ++k) {
    const Pose2& pose = contours[k].pose;
    const Edges edges(*contours[k].contour);
    const Vec2 from = pose.to_local(ball.position);
    const double scale = largest(edges.tree().box()) + largest(ball.position) +
                         largest(pose.position()) + largest(way) + ball.radius;
    detail::SweptHit hit;
    hit.time = first.part;
    detail::sweep({from, pose.direction_to_local(way), ball.radius, kSlack * scale}, edges, hit,
                  true);
    if (hit.time < first.part) {
      first = {hit.time, k, hit.edge, pose.direction_to_world(hit.normal)};
    }
  }
  return first;
}

// At the normal; the part along it is negative before and not after.
Vec2 reflected(const Vec2& velocity, const Vec2& normal, double restitution) {
  const double along = dot(velocity, normal);
  const Vec2 out = along < 0.0 ? velocity - normal * ((1.0 + restitution) * along) : velocity;
  return out + normal * (kAway * norm(velocity));
}

Vec2 without_pressure(const Vec2& gravity, const Vec2& normal) {
  return gravity - normal * std::fmin(0.0, dot(gravity, normal));
}

}  // namespace

Status advance(Ball& ball, std::span<const PlacedContour> contours, double dt,
               const BallSettings& settings, std::vector<Bounce>* bounces) {
  check(ball, dt, settings);
  if (bounces != nullptr) bounces->clear();
  const double slow = kRest * norm(settings.gravity) * dt;
  Vec2 gravity = settings.gravity;
  double left = dt;
  for (int bounce = 0; bounce <= settings.max_bounces; ++bounce) {
    const Vec2 way = ball.velocity * left + gravity * (0.5 * left * left);
    if (!is_finite(way)) return Status::precision_limit;
    const Meeting m = first_meeting(ball, contours, way);
    if (!(m.part <= 1.0)) {
      ball.position = ball.position + way;
      ball.velocity = ball.velocity + gravity * left;
      return Status::converged;
    }
    if (bounce == settings.max_bounces) break;
    const double flown = m.part * left;
    ball.position = ball.position + way * m.part;
    const Vec2 arrived = ball.velocity + gravity * flown;
    const bool rests = -dot(arrived, m.normal) < slow;
    ball.velocity = reflected(arrived, m.normal, rests ? 0.0 : settings.restitution);
    // The contour that the ball rests on carries it to the end of the step.
    if (rests) gravity = without_pressure(gravity, m.normal);
    left -= flown;
    if (bounces != nullptr) {
      bounces->push_back(
          {dt - left, ball.position - m.normal * ball.radius, m.normal, m.contour, m.segment});
    }
  }
  return Status::iteration_limit;
}

}  // namespace tactus::planar
