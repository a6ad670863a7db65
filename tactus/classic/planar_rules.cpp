#include "tactus/classic.hpp"
#include "tactus/planar/region/edges.hpp"
#include "tactus/planar/touch/angle_of.hpp"

// The rules of advancedgamesphysics as they are written; names of vectors are the source's.
namespace tactus {
namespace {

double literal_angle(const planar::Vec2& d) {
  const double length = norm(d);
  if (!(length > 0.0)) return 0.0;
  // The arc tangent of a quotient cannot tell a direction from the opposite one.
  const bool left = d.x < 0.0 || (d.x == 0.0 && d.y < 0.0);
  return detail::angle_of((left ? -d : d) / length);
}

/// A body in the world.
struct Placed {
  std::vector<planar::Vec2> points;
  std::vector<std::size_t> next;
  planar::Vec2 centroid;
  double radius = 0.0;

  explicit Placed(const LiteralBody& body) {
    for (const planar::Contour& contour : body.region->contours()) {
      const std::size_t first = points.size(), count = contour.points().size();
      for (std::size_t i = 0; i < count; ++i) {
        points.push_back(body.pose.to_world(contour.points()[i]));
        next.push_back(first + (i + 1 == count ? 0 : i + 1));
      }
    }
    centroid = body.pose.to_world(body.region->mass().centroid);
    radius = body.region->bounding_radius();
  }
};

class Collision {
 public:
  Collision(std::span<const LiteralBody> bodies, const LiteralRules& rules) : rules_(rules) {
    for (const LiteralBody& body : bodies) bodies_.emplace_back(body);
  }

  LiteralVerdict run() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t k = i + 1; k < bodies_.size(); ++k) {
        pair(i, k);
        if (rules_.both) pair(k, i);
      }
    }
    out_.collision = !out_.hits.empty();
    return std::move(out_);
  }

 private:
  void pair(std::size_t initiator, std::size_t opponent) {
    const Placed &one = bodies_[initiator], &other = bodies_[opponent];
    const std::size_t tests = one.points.size() * other.points.size();
    out_.tests_all += tests;
    const planar::Vec2 d = other.centroid - one.centroid;
    if (rules_.circles && norm(d) > one.radius + other.radius) return;
    out_.tests_after_circles += tests;
    const std::vector<bool> active = facing(initiator, opponent);
    const std::vector<bool> opposite = facing(opponent, initiator);
    for (std::size_t j = 0; j < one.points.size(); ++j) {
      if (!active[j]) continue;
      out_.active.push_back({initiator, opponent, j, one.points[j]});
      for (std::size_t i = 0; i < other.points.size(); ++i) {
        if (!opposite[i] && !opposite[other.next[i]]) continue;
        ray(initiator, j, opponent, i);
      }
    }
  }

  // The points of `body` that are not farther from the opponent's centroid than its own is, along
  // the line of both centroids.
  std::vector<bool> facing(std::size_t body, std::size_t opponent) const {
    const planar::Vec2 from = bodies_[opponent].centroid, d = bodies_[body].centroid - from;
    std::vector<bool> kept(bodies_[body].points.size(), true);
    for (std::size_t i = 0; i < kept.size() && rules_.culling; ++i) {
      const planar::Vec2 q = bodies_[body].points[i] - from;
      kept[i] = !(dot(d, q) > dot(d, d));
    }
    return kept;
  }

  void ray(std::size_t initiator, std::size_t j, std::size_t opponent, std::size_t i) {
    const Placed &one = bodies_[initiator], &other = bodies_[opponent];
    ++out_.tests_made;
    const planar::Vec2 r = one.points[j] - one.centroid;
    const planar::Vec2 s = other.points[other.next[i]] - other.points[i];
    const planar::Vec2 q = other.points[i] - one.centroid;
    // Parallel ones divide by zero: the comparisons then fail.
    const double denominator = s.x * r.y - r.x * s.y;
    const double mu = (s.x * q.y - q.x * s.y) / denominator;
    const double lambda = (r.x * q.y - q.x * r.y) / denominator;
    if (!(lambda >= 0.0 && lambda <= 1.0 && mu >= 0.0 && mu <= 1.0)) return;
    out_.hits.push_back({initiator, j, opponent, i, one.centroid, one.points[j],
                         other.points[i] + s * lambda, lambda, mu});
  }

  LiteralRules rules_;
  std::vector<Placed> bodies_;
  LiteralVerdict out_;
};

/// One segment of the contour and the circle's centre, both in the contour's frame.
struct Seen {
  planar::Vec2 start, end, centre;
  double length = 0.0, part = 0.0;

  Seen(const planar::Contour& contour, std::size_t i, const planar::Vec2& place)
      : start(contour.start(i)), end(contour.end(i)), centre(place) {
    // A segment of no length divides by zero: all comparisons of its part fail.
    length = norm(end - start);
    part = dot(end - start, centre - start) / length;
  }
  bool before() const { return part < 0.0; }
  bool beyond() const { return part > length; }
  bool above() const { return 0.0 <= part && part <= length; }
  double distance() const { return std::fabs(cross(centre - start, end - start)) / length; }
  planar::Vec2 foot() const { return start + (end - start) * (part / length); }
};

}  // namespace

void literal_touches(const planar::Circle& circle, const planar::Pose2& pose_circle,
                     const planar::Contour& contour, const planar::Pose2& pose_contour,
                     std::vector<LiteralTouch>& out) {
  out.clear();
  const planar::Vec2 centre = pose_contour.to_local(pose_circle.position());
  const std::size_t n = contour.segments();
  const auto add = [&](std::size_t i, const Seen& seen, const planar::Vec2& place, double distance,
                       bool corner) {
    if (!(distance <= circle.radius())) return;
    out.push_back({true, true, i, seen.part, distance, pose_contour.to_world(place),
                   literal_angle(pose_contour.direction_to_world(centre - place)), corner});
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Seen seen(contour, i, centre);
    const bool first = i == 0, last = i + 1 == n;
    if (seen.above()) add(i, seen, seen.foot(), seen.distance(), false);
    // A corner belongs to the segment that starts there; the end of an open contour to its last.
    const bool is_start = !contour.closed() && first;
    if (seen.before() && (is_start || Seen(contour, first ? n - 1 : i - 1, centre).beyond()))
      add(i, seen, seen.start, norm(centre - seen.start), true);
    if (seen.beyond() && !contour.closed() && last)
      add(i, seen, seen.end, norm(centre - seen.end), true);
  }
}

LiteralTouch literal_touch(const planar::Circle& circle, const planar::Pose2& pose_circle,
                           const planar::Contour& contour, const planar::Pose2& pose_contour,
                           bool corners) noexcept {
  LiteralTouch best;
  const planar::Vec2 centre = pose_contour.to_local(pose_circle.position());
  for (std::size_t i = 0; i < contour.segments(); ++i) {
    const planar::Vec2 o = centre - contour.start(i), s = contour.end(i) - contour.start(i);
    const double length = norm(s);
    // A segment of no length divides by zero: all comparisons fail.
    const double part = dot(s, o) / length;
    double distance = std::fabs(cross(o, s)) / length;
    planar::Vec2 place = contour.start(i) + s * (part / length);
    bool corner = false;
    if (!(0.0 <= part && part <= length)) {
      corner = part < 0.0 || part > length;
      if (!corners || !corner) continue;
      place = part < 0.0 ? contour.start(i) : contour.end(i);
      distance = norm(centre - place);
    }
    if (best.found && !(distance < best.distance)) continue;
    best.found = true;
    best.segment = i;
    best.part = part;
    best.distance = distance;
    best.corner = corner;
    best.point = pose_contour.to_world(place);
    best.angle = literal_angle(pose_contour.direction_to_world(centre - place));
  }
  best.touching = best.found && best.distance <= circle.radius();
  return best;
}

LiteralVerdict literal_collision(std::span<const LiteralBody> bodies, const LiteralRules& rules) {
  return Collision(bodies, rules).run();
}

}  // namespace tactus
