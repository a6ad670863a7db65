#include <algorithm>

#include "tactus/check/planar/body.hpp"

// The claims of planar touches.
namespace tactus {
namespace {

using namespace detail;

const Contour& contour_of(const PlanarShape& shape, std::size_t k) {
  if (const Contour* contour = std::get_if<Contour>(&shape)) return *contour;
  return std::get<Region>(shape).contours()[k];
}

}  // namespace

CheckReport check(const Circle& circle, const Pose2& pose_circle, const PlanarShape& other,
                  const Pose2& pose, std::span<const Touch> touches, double threshold) noexcept {
  CheckReport report;
  const double unit = planar_unit(circle, pose_circle, other, pose);
  const double slack =
      (kAllowed + kEvaluation) * unit +
      8.0 * (norm(pose.position()) + norm(pose_circle.position())) / 9007199254740992.0;
  const PlanarBody body(other, pose, pose.position());
  const Vec2 centre = pose_circle.position() - pose.position();
  const bool inside = place_of(body, centre, kEvaluation * unit) > 0 && body.solid;
  const auto decide = [&](Claim claim, bool holds, std::string_view reason) {
    report.set(claim, holds ? Proof::proved : Proof::refuted, reason);
  };
  for (const Touch& t : touches) {
    const Contour& contour = contour_of(other, t.contour);
    const Vec2 place = t.point - pose.position(), way = centre - place;
    const bool named = t.segment < contour.segments();
    decide(Claim::points, named, "no such segment");
    if (!named) continue;
    const Vec2 from = pose.direction_to_world(contour.start(t.segment));
    const Vec2 to = pose.direction_to_world(contour.end(t.segment));
    decide(Claim::points,
           segment_distance(place, place, from, to) <= slack &&
               std::fabs(norm(place - from) - t.part) <= slack,
           "not there on the segment");
    const double sign = inside ? -1.0 : 1.0, far = sign * norm(way);
    decide(Claim::value,
           std::fabs(t.depth - (circle.radius() - far)) <= slack && t.depth >= -threshold - slack,
           "not so deep");
    decide(Claim::normal,
           std::fabs(norm(t.normal) - 1.0) <= 64.0 / 9007199254740992.0 &&
               norm(way - t.normal * far) <= slack,
           "not from the place to the centre");
  }
  // The nearest place of all is told, when it is near enough.
  const double depth = circle.radius() - boundary_distance(body, centre) * (inside ? -1.0 : 1.0);
  const bool told = std::any_of(touches.begin(), touches.end(), [&](const Touch& t) {
    return std::fabs(t.depth - depth) <= slack;
  });
  decide(Claim::contacts, told || depth <= slack - threshold, "the nearest place is missing");
  report.finish();
  return report;
}

}  // namespace tactus
