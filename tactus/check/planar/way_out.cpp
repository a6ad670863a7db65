#include <algorithm>

#include "tactus/check/planar/body.hpp"
#include "tactus/core/constants.hpp"

// The least way out of an overlap, from all places of the boundary between shifts that part the
// bodies and shifts that do not.
namespace tactus::detail {
namespace {

// Rounding of a place on a slide, in units.
constexpr double kPlaceError = 8.0;
// Signs of turns (sine) that a corner and an edge are taken to face each other up to: too many
// slides cost time only.
constexpr double kFacing = 1e-9;
// Crossings of lines that lean less than this (sine) to each other are not looked at: their ends
// are.
constexpr double kParallel = 1e-14;
// How far, in units, an answer's shift may be from where a slide is nearest or two cross; and how
// much those lean to each other (sine), at least.
constexpr double kExtreme = 256.0, kCrossing = 1e-5;
// Slides, and candidates times pairs of segments, beyond which nothing is shown.
constexpr std::size_t kMostSlides = 3000;
constexpr double kMostWork = 4e7;
// Probes: how far from a candidate (of the way, and of the distance to what does not pass there).
constexpr double kProbe = 1e-4, kShare = 0.25;

/// Shifts at which a corner of one lies on an edge of the other; or the centre of a disc on an edge
/// moved aside, or (round) on a circle around `from`.
struct Slide {
  Vec2 from, to;
  bool round = false;
};

class WayOut {
 public:
  WayOut(const PlanarBody& a, const PlanarBody& b, double way, double unit)
      : a_(a), b_(b), way_(way), unit_(unit), error_(kPlaceError * unit) {
    if (a.disc || b.disc) {
      disc_slides(a.disc ? b : a, a.disc ? a : b, a.disc ? -1.0 : 1.0);
    } else {
      region_slides(a, b, 1.0);
      region_slides(b, a, -1.0);
    }
  }

  int least() {
    if (slides_.size() > kMostSlides) return 0;
    for (const Slide& s : slides_) {
      const int found = at(nearest(s), error_);
      if (found <= 0) return found;
    }
    for (std::size_t i = 0; i < slides_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const int found = cross_both(slides_[i], slides_[j]);
        if (found <= 0) return found;
      }
    }
    return 1;
  }

  bool extreme(const Vec2& shift) const {
    const double near = kExtreme * unit_;
    std::vector<Vec2> ways;
    for (const Slide& s : slides_) {
      if (norm(nearest(s) - shift) <= near) return true;
      const Vec2 place = nearest(s, shift);
      if (norm(place - shift) > near) continue;
      const Vec2 out = place - s.from;
      const Vec2 way = s.round ? direction({-out.y, out.x}, {}) : direction(s.from, s.to);
      for (const Vec2& other : ways) {
        if (std::fabs(cross(way, other)) > kCrossing) return true;
      }
      ways.push_back(way);
    }
    return false;
  }

  bool free_beside(const Vec2& shift) { return probe_around(shift, error_) < 0; }

 private:
  // With sign 1: corners of `other` on edges of `own`, so that the place less the corner is the
  // shift of `other`.
  void region_slides(const PlanarBody& own, const PlanarBody& other, double sign) {
    for (std::size_t j = 0; j < other.from.size(); ++j) {
      const std::size_t k = other.before(j);
      if (k == other.from.size()) continue;
      const Vec2 corner = other.from[j];
      const Vec2 in = direction(other.from[k], corner), on = direction(corner, other.to[j]);
      if (cross(in, on) < -kFacing) continue;
      for (std::size_t i = 0; i < own.from.size(); ++i) {
        const Vec2 back = direction(own.to[i], own.from[i]);
        if (cross(in, back) < -kFacing || cross(back, on) < -kFacing) continue;
        add({(own.from[i] - corner) * sign, (own.to[i] - corner) * sign, false});
      }
    }
  }

  void disc_slides(const PlanarBody& edges, const PlanarBody& disc, double sign) {
    const Vec2& centre = disc.from[0];
    const double radius = disc.radius;
    if (edges.disc) {
      radius_ = radius + edges.radius;
      add({(edges.from[0] - centre) * sign, {}, true});
      return;
    }
    radius_ = radius;
    for (std::size_t i = 0; i < edges.from.size(); ++i) {
      const Vec2 &p = edges.from[i], &q = edges.to[i], u = direction(p, q);
      for (const double side : {radius, -radius}) {
        if (side < 0.0 && edges.solid) continue;
        const Vec2 aside = Vec2{u.y, -u.x} * side;
        add({(p + aside - centre) * sign, (q + aside - centre) * sign, false});
      }
      add({(p - centre) * sign, {}, true});
      if (edges.after(i) == edges.from.size()) add({(q - centre) * sign, {}, true});
    }
  }

  void add(const Slide& s) {
    if (norm(nearest(s)) < way_ * (1.0 + 10.0 * kProbe) + 1e3 * error_) slides_.push_back(s);
  }

  static Vec2 direction(const Vec2& from, const Vec2& to) {
    const double length = norm(to - from);
    return length > 0.0 ? (to - from) / length : Vec2{};
  }

  Vec2 nearest(const Slide& s) const { return nearest(s, {}); }
  Vec2 nearest(const Slide& s, const Vec2& p) const {
    if (s.round) {
      const double far = norm(p - s.from);
      return far > 0.0 ? s.from + (p - s.from) * (radius_ / far) : s.from + Vec2{radius_, 0.0};
    }
    const Vec2 way = s.to - s.from;
    const double length = dot(way, way), part = dot(p - s.from, way);
    if (!(part > 0.0)) return s.from;
    return part >= length ? s.to : s.from + way * (part / length);
  }

  int cross_both(const Slide& s, const Slide& r) {
    if (!s.round && !r.round) {
      const Vec2 d = s.to - s.from, e = r.to - r.from, gap = r.from - s.from;
      const double area = cross(d, e), d_long = norm(d), e_long = norm(e);
      const double sine = std::fabs(area) / (d_long * e_long);
      if (!(sine > kParallel)) return 1;
      const double t = cross(gap, e) / area, w = cross(gap, d) / area;
      const double error = 2.0 * error_ / sine, over = error / d_long, beyond = error / e_long;
      if (t < -over || t > 1.0 + over || w < -beyond || w > 1.0 + beyond) return 1;
      return at(s.from + d * t, error);
    }
    // Both places at the distance of the radius from a circle's centre, on a line: the other's, or
    // the one in the middle between two circles.
    const Slide &circle = s.round ? s : r, &other = s.round ? r : s;
    Vec2 foot, along;
    if (other.round) {
      along = direction(circle.from, other.from);
      along = {-along.y, along.x};
      foot = (circle.from + other.from) * 0.5;
    } else {
      along = direction(other.from, other.to);
      foot = other.from + along * dot(along, circle.from - other.from);
    }
    const double height = norm(foot - circle.from);
    if (along == Vec2{} || height > radius_ + error_) return 1;
    const double half = std::sqrt(std::fmax(0.0, (radius_ - height) * (radius_ + height)));
    const double error = std::fmin(4.0 * std::sqrt((radius_ + error_) * error_),
                                   half > 0.0 ? 4.0 * error_ * (1.0 + radius_ / half) : kInfinity);
    for (const double side : {half, -half}) {
      const Vec2 place = foot + along * side;
      if (norm(nearest(other, place) - place) > 2.0 * error) continue;
      const int found = at(place, error);
      if (found <= 0) return found;
    }
    return 1;
  }

  // Nothing near the place is free, or something is.
  int at(const Vec2& place, double error) {
    if (norm(place) >= way_ + error) return 1;
    work_ += static_cast<double>((a_.from.size() + 1) * (b_.from.size() + 1));
    if (work_ > kMostWork) return 0;
    if (meet_by_far(a_, b_.moved(place), unit_ + error / kEvaluation) > 0) return 1;
    // Beyond the way, but for rounding.
    if (norm(place) >= way_ - error) return 1;
    if (a_.disc || b_.disc) {
      const bool free = meet_by_far(a_, b_.moved(place * (1.0 + kProbe)), unit_) < 0;
      return free && norm(place) * (1.0 + kProbe) < way_ - error ? -1 : 0;
    }
    return probe_around(place, error);
  }

  // By the angle; of those that lead the same way one is left.
  static void sort_around(std::vector<Vec2>& ways) {
    std::sort(ways.begin(), ways.end(), [](const Vec2& u, const Vec2& v) {
      const auto turned = [](const Vec2& w) {
        const double part = w.x / (std::fabs(w.x) + std::fabs(w.y));
        return w.y < 0.0 ? 3.0 + part : 1.0 - part;
      };
      return turned(u) < turned(v);
    });
    const auto same = [](const Vec2& u, const Vec2& v) {
      return std::fabs(cross(u, v)) <= kFacing && dot(u, v) > 0.0;
    };
    ways.erase(std::unique(ways.begin(), ways.end(), same), ways.end());
    while (ways.size() > 1 && same(ways.back(), ways.front())) ways.pop_back();
  }

  // One probe in each sector between the slides that pass: a cell is free in all its places or in
  // none. 1: no cell there is free; -1: one is.
  int probe_around(const Vec2& place, double error) {
    double apart = kInfinity;
    std::vector<Vec2> ways;
    for (const Slide& s : slides_) {
      const double far = norm(nearest(s, place) - place);
      if (far > 4.0 * error) {
        apart = std::fmin(apart, far);
        continue;
      }
      for (const Vec2& end : {s.from, s.to}) {
        if (norm(end - place) > 4.0 * error) ways.push_back(direction(place, end));
      }
    }
    if (ways.empty()) return 0;
    sort_around(ways);
    const double reach = std::fmin(kShare * apart, kProbe * (way_ + norm(place)));
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const Vec2 &u = ways[k], &v = ways[k + 1 == ways.size() ? 0 : k + 1];
      const double turn = cross(u, v);
      // Half a turn, more than that, or all around.
      Vec2 middle = turn < 0.0 ? -(u + v) : u + v;
      if (std::fabs(turn) <= kFacing) middle = {-u.y, u.x};
      if (ways.size() == 1) middle = -u;
      const double length = norm(middle);
      if (!(length > 0.0)) return 0;
      work_ += static_cast<double>((a_.from.size() + 1) * (b_.from.size() + 1));
      const int found = meet_by_far(a_, b_.moved(place + middle * (reach / length)), unit_);
      if (found <= 0) return found;
    }
    return 1;
  }

  const PlanarBody& a_;
  const PlanarBody& b_;
  double way_, unit_, error_, radius_ = 0.0, work_ = 0.0;
  std::vector<Slide> slides_;
};

}  // namespace

int overlap_within(const PlanarBody& a, const PlanarBody& b, double way, double unit) {
  if (meet(a, b, unit) <= 0) return 0;
  if (!(way > 0.0)) return 1;
  return WayOut(a, b, way, unit).least();
}

bool is_extreme(const PlanarBody& a, const PlanarBody& b, const Vec2& shift, double unit) {
  return WayOut(a, b, norm(shift) + kExtreme * unit, unit).extreme(shift);
}

bool is_free_beside(const PlanarBody& a, const PlanarBody& b, const Vec2& shift, double unit) {
  const double far = norm(shift);
  return WayOut(a, b, far + 1e-3 * far + 1e6 * unit, unit).free_beside(shift);
}

}  // namespace tactus::detail
