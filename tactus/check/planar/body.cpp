#include "tactus/check/planar/body.hpp"

#include <algorithm>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Segments of one box.
constexpr std::size_t kRun = 16;

struct Box {
  double low_x = kInfinity, low_y = kInfinity, high_x = -kInfinity, high_y = -kInfinity;
  void add(const Vec2& p) {
    low_x = std::min(low_x, p.x);
    low_y = std::min(low_y, p.y);
    high_x = std::max(high_x, p.x);
    high_y = std::max(high_y, p.y);
  }
  double distance(const Box& o) const {
    const double x = std::max({0.0, low_x - o.high_x, o.low_x - high_x});
    const double y = std::max({0.0, low_y - o.high_y, o.low_y - high_y});
    return std::max(x, y);
  }
};

std::vector<Box> runs_of(const PlanarBody& body) {
  std::vector<Box> boxes((body.from.size() + kRun - 1) / kRun);
  for (std::size_t i = 0; i < body.from.size(); ++i) {
    boxes[i / kRun].add(body.from[i]);
    boxes[i / kRun].add(body.to[i]);
  }
  return boxes;
}

double point_distance(const Vec2& p, const Vec2& q0, const Vec2& q1) {
  const Vec2 s = q1 - q0, o = p - q0;
  const double length = dot(s, s), t = dot(o, s);
  if (!(t > 0.0)) return norm(o);
  if (t >= length) return norm(p - q1);
  return std::fabs(cross(s, o)) / std::sqrt(length);
}

}  // namespace

PlanarBody::PlanarBody(const PlanarShape& shape, const Pose2& pose, const Vec2& origin) {
  const Vec2 at = pose.position() - origin;
  const auto rounds = [](double x, double y, double sum) {
    const double back = sum - x;
    return back != y || sum - back != x;
  };
  exact = !pose.turned() && !rounds(at.x, origin.x, pose.position().x) &&
          !rounds(at.y, origin.y, pose.position().y);
  const auto place = [&](const Vec2& p) {
    const Vec2 turned = pose.direction_to_world(p), out = turned + at;
    exact = exact && !rounds(turned.x, at.x, out.x) && !rounds(turned.y, at.y, out.y);
    return out;
  };
  const auto add = [&](const Contour& c, bool reversed) {
    firsts.push_back(from.size());
    const std::size_t n = c.segments();
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = reversed ? n - 1 - k : k;
      const Vec2 p = place(c.start(i)), q = place(c.end(i));
      if (p == q) continue;
      from.push_back(reversed ? q : p);
      to.push_back(reversed ? p : q);
    }
    // Turned and moved far away, all points may round to one.
    if (from.size() == firsts.back()) {
      from.push_back(place(c.start(0)));
      to.push_back(from.back());
    }
    rings.push_back(from[firsts.back()]);
  };
  if (const Circle* circle = std::get_if<Circle>(&shape)) {
    from = to = rings = {place({})};
    firsts = {0};
    radius = circle->radius();
    solid = disc = true;
  } else if (const Contour* contour = std::get_if<Contour>(&shape)) {
    add(*contour, false);
  } else {
    const Region& region = std::get<Region>(shape);
    for (std::size_t k = 0; k < region.contours().size(); ++k) {
      add(region.contours()[k], region.interior_is_right(k));
    }
    solid = true;
  }
}

std::size_t PlanarBody::before(std::size_t segment) const {
  const auto next = std::upper_bound(firsts.begin(), firsts.end(), segment);
  const std::size_t end = next == firsts.end() ? from.size() : *next;
  const std::size_t k = segment == *(next - 1) ? end - 1 : segment - 1;
  return to[k] == from[segment] ? k : from.size();
}

std::size_t PlanarBody::after(std::size_t segment) const {
  const auto next = std::upper_bound(firsts.begin(), firsts.end(), segment);
  const std::size_t end = next == firsts.end() ? from.size() : *next;
  const std::size_t k = segment + 1 == end ? *(next - 1) : segment + 1;
  return from[k] == to[segment] ? k : from.size();
}

PlanarBody PlanarBody::moved(const Vec2& way) const {
  PlanarBody out = *this;
  for (auto* points : {&out.from, &out.to, &out.rings}) {
    for (Vec2& p : *points) p = p + way;
  }
  out.exact = false;
  return out;
}

double segment_distance(const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1) {
  const Vec2 u = p1 - p0, v = q1 - q0;
  const double a0 = cross(v, p0 - q0), a1 = cross(v, p1 - q0);
  const double b0 = cross(u, q0 - p0), b1 = cross(u, q1 - p0);
  if ((a0 < 0.0) != (a1 < 0.0) && (b0 < 0.0) != (b1 < 0.0)) return 0.0;
  return std::min({point_distance(p0, q0, q1), point_distance(p1, q0, q1),
                   point_distance(q0, p0, p1), point_distance(q1, p0, p1)});
}

double boundary_distance(const PlanarBody& body, const Vec2& p) {
  double least = kInfinity;
  for (std::size_t i = 0; i < body.from.size(); ++i) {
    least = std::min(least, point_distance(p, body.from[i], body.to[i]));
  }
  return std::fabs(least - body.radius);
}

double least_distance(const PlanarBody& a, const PlanarBody& b, double bound) {
  const std::vector<Box> runs_a = runs_of(a), runs_b = runs_of(b);
  const double radii = a.radius + b.radius;
  double least = kInfinity;
  for (std::size_t k = 0; k < runs_a.size(); ++k) {
    for (std::size_t m = 0; m < runs_b.size(); ++m) {
      const double apart = runs_a[k].distance(runs_b[m]) - radii;
      if (apart >= bound || apart >= least) continue;
      for (std::size_t i = k * kRun; i < std::min(a.from.size(), (k + 1) * kRun); ++i) {
        for (std::size_t j = m * kRun; j < std::min(b.from.size(), (m + 1) * kRun); ++j) {
          least = std::min(least, segment_distance(a.from[i], a.to[i], b.from[j], b.to[j]) - radii);
        }
      }
    }
  }
  return least;
}

int place_of(const PlanarBody& body, const Vec2& p, double margin) {
  if (!body.solid) return boundary_distance(body, p) > margin ? -1 : 0;
  if (body.disc) {
    const double depth = body.radius - norm(p - body.from[0]);
    return depth > margin ? 1 : (depth < -margin ? -1 : 0);
  }
  if (!(boundary_distance(body, p) > margin)) return 0;
  // Farther from all edges than the signs below err by.
  bool inside = false;
  for (std::size_t i = 0; i < body.from.size(); ++i) {
    const Vec2 &q0 = body.from[i], &q1 = body.to[i];
    if ((q0.y <= p.y) == (q1.y <= p.y)) continue;
    if ((cross(q1 - q0, p - q0) > 0.0) == (q0.y < q1.y)) inside = !inside;
  }
  return inside ? 1 : -1;
}

double normal_slack(const PlanarBody& a, const PlanarBody& b, double off) {
  double slack = 1e-12;
  for (const PlanarBody* body : {&a, &b}) {
    if (body->disc && body->radius > 0.0) slack = std::max(slack, 1e-12 + off / body->radius);
  }
  return slack;
}

std::vector<Vec2> normals_at(const PlanarBody& a, const PlanarBody& b, const Vec2& place,
                             double near, bool both_sides) {
  std::vector<Vec2> normals;
  for (const PlanarBody* body : {&a, &b}) {
    const double sign = body == &a ? 1.0 : -1.0;
    if (!both_sides && !body->solid && (body == &b || b.solid) && !a.disc && !b.disc) continue;
    if (body->disc) {
      const Vec2 out = place - body->from[0];
      const double far = norm(out);
      if (far > 1e3 * near) normals.push_back(out * (sign / far));
      continue;
    }
    double least = kInfinity;
    for (std::size_t i = 0; i < body->from.size(); ++i) {
      least = std::min(least, point_distance(place, body->from[i], body->to[i]));
    }
    for (std::size_t i = 0; i < body->from.size(); ++i) {
      const Vec2 s = body->to[i] - body->from[i];
      const double length = norm(s);
      if (!(length > 0.0)) continue;
      if (point_distance(place, body->from[i], body->to[i]) > least + near) continue;
      normals.push_back(Vec2{s.y, -s.x} * (sign / length));
      if (both_sides && !body->solid) normals.push_back(-normals.back());
    }
  }
  return normals;
}

bool is_normal_at(const PlanarBody& a, const PlanarBody& b, const Vec2& place, const Vec2& normal,
                  double near, double slack, bool both_sides) {
  for (const Vec2& n : normals_at(a, b, place, near, both_sides)) {
    if (norm(n - normal) <= slack) return true;
  }
  return false;
}

bool is_shortest_way(const PlanarBody& a, const Vec2& on_a, const PlanarBody& b, const Vec2& on_b,
                     const Vec2& normal, double near, double slack) {
  const auto holds = [&](const PlanarBody& body, const Vec2& p, double sign) {
    if (body.disc) {
      const Vec2 out = p - body.from[0];
      const double far = norm(out);
      return body.radius <= near || norm(out * (sign / far) - normal) <= slack + 4.0 * near / far;
    }
    for (std::size_t i = 0; i < body.from.size(); ++i) {
      if (point_distance(p, body.from[i], body.to[i]) > near) continue;
      for (const Vec2& end : {body.from[i], body.to[i]}) {
        const Vec2 along = end - p;
        const double length = norm(along);
        if (length > near && dot(along, normal) * sign > slack * length) return false;
      }
    }
    return true;
  };
  return holds(a, on_a, 1.0) && holds(b, on_b, -1.0);
}

bool is_parting_or_none(const PlanarBody& a, const PlanarBody& b, const Vec2& place,
                        const Vec2& normal, double near, double slack) {
  if (is_shortest_way(a, place, b, place, normal, near, slack)) return true;
  const std::vector<Vec2> all = normals_at(a, b, place, near, false);
  return std::none_of(all.begin(), all.end(), [&](const Vec2& n) {
    return is_shortest_way(a, place, b, place, n, near, slack);
  });
}

bool both_placed(const Pose2& a, const Pose2& b) {
  const Vec2 way = b.position() - a.position();
  return is_finite(a.position()) && is_finite(b.position()) && std::fabs(way.x) <= 1e150 &&
         std::fabs(way.y) <= 1e150;
}

double reach_of(const PlanarShape& shape) {
  if (const Circle* circle = std::get_if<Circle>(&shape)) return circle->radius();
  const auto of = [](const Contour& c) {
    double most = 0.0;
    for (const Vec2& p : c.points()) most = std::max(most, norm(p));
    return most;
  };
  if (const Contour* contour = std::get_if<Contour>(&shape)) return of(*contour);
  return of(std::get<Region>(shape).contours()[0]);
}

double planar_unit(const PlanarShape& a, const Pose2& pose_a, const PlanarShape& b,
                   const Pose2& pose_b) {
  return (reach_of(a) + reach_of(b) + norm(pose_b.position() - pose_a.position())) /
         9007199254740992.0;
}

namespace {

// Some boundary point of one lies inside the other, or all of them certainly do not.
int contained(const PlanarBody& a, const PlanarBody& b, double margin) {
  bool certain = true;
  for (const Vec2& p : a.rings) {
    const int place = b.solid ? place_of(b, p, margin) : -1;
    if (place > 0) return 1;
    certain = certain && place < 0;
  }
  return certain ? -1 : 0;
}

// An edge of one passes through an edge of the other, by more than `margin` on both sides.
bool cross_by(const PlanarBody& a, const PlanarBody& b, double margin) {
  const std::vector<Box> runs_a = runs_of(a), runs_b = runs_of(b);
  const auto through = [&](const Vec2& p0, const Vec2& p1, const Vec2& q0, const Vec2& q1) {
    const Vec2 v = q1 - q0;
    const double far = margin * norm(v), h0 = cross(v, p0 - q0), h1 = cross(v, p1 - q0);
    return (h0 > far && h1 < -far) || (h0 < -far && h1 > far);
  };
  for (std::size_t k = 0; k < runs_a.size(); ++k) {
    for (std::size_t m = 0; m < runs_b.size(); ++m) {
      if (runs_a[k].distance(runs_b[m]) > 0.0) continue;
      for (std::size_t i = k * kRun; i < std::min(a.from.size(), (k + 1) * kRun); ++i) {
        for (std::size_t j = m * kRun; j < std::min(b.from.size(), (m + 1) * kRun); ++j) {
          if (through(a.from[i], a.to[i], b.from[j], b.to[j]) &&
              through(b.from[j], b.to[j], a.from[i], a.to[i])) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

// For boundaries that run along each other: places beside the middles of one's edges, in both.
bool common_place(const PlanarBody& a, const PlanarBody& b, double margin) {
  for (std::size_t i = 0; i < a.from.size(); ++i) {
    const Vec2 s = a.to[i] - a.from[i], middle = (a.from[i] + a.to[i]) * 0.5;
    const double length = norm(s);
    if (!(length > 0.0)) continue;
    for (const double side : {4.0 * margin, -4.0 * margin}) {
      const Vec2 p = middle + Vec2{-s.y, s.x} * (side / length);
      if (place_of(b, p, margin) > 0 && place_of(a, p, margin) > 0) return true;
    }
  }
  return false;
}

}  // namespace

int meet(const PlanarBody& a, const PlanarBody& b, double unit) {
  const int far = meet_by_far(a, b, unit);
  return far != 0 ? far : meet_exactly(a, b);
}

int meet_by_far(const PlanarBody& a, const PlanarBody& b, double unit) {
  const double margin = kEvaluation * unit;
  const int inside = contained(a, b, margin), outside = contained(b, a, margin);
  const double least = least_distance(a, b, 4.0 * margin);
  if (inside < 0 && outside < 0 && least > margin) return -1;
  if (inside > 0 || outside > 0) return 1;
  // A disc that comes nearer to an edge than its radius.
  if ((a.disc || b.disc) && least < -margin) return 1;
  if (cross_by(a, b, margin)) return 1;
  const bool regions = a.solid && b.solid && !a.disc && !b.disc;
  return regions && common_place(a, b, margin) ? 1 : 0;
}

}  // namespace tactus::detail
