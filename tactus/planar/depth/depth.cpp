#include "tactus/planar/depth/depth.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "tactus/planar/depth/deep_inside.hpp"
#include "tactus/planar/depth/exact_place.hpp"

namespace tactus::detail {
namespace {

constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53, half an ulp of 1
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Error of a computed place on a convolution segment, in units of the largest coordinate: ends are
// differences of two coordinates and the shift (3 roundings each), the foot a quotient of sums of
// products (some 10 more), all of numbers at most four times the scale.
constexpr double kPlaceError = 64.0 * kUnit;
// How far candidates are pushed into the free side, in the same unit: as far as their places err
// mostly, else well above the bound of that.
constexpr double kPushes[] = {24.0 * kUnit, 256.0 * kUnit};

double distance_to(const Vec2& from, const Vec2& to, Vec2& nearest) {
  const Vec2 s = to - from;
  const double t = -dot(from, s) / dot(s, s);
  nearest = t <= 0.0 ? from : (t >= 1.0 ? to : from + s * t);
  if (t > 0.0 && t < 1.0) return std::fabs(cross(from, s)) / norm(s);
  return norm(nearest);
}

class DepthSearch {
 public:
  DepthSearch(const Boundary& a, const Boundary& b, const Vec2& shift)
      : a_(a),
        b_(b),
        shift_(shift),
        exact_(a, b, shift),
        is_exact_(exact_.in_range()),
        inside_a_(a),
        inside_b_(b) {
    for (const Vec2& p : b.points) inner_.push_back({p, false});
    for (const Vec2& p : a.points) inner_.push_back({p, true});
    for (const Boundary* side : {&a, &b}) {
      const Box2& box = side->tree.box();
      for (const Vec2& p : {box.low, box.high}) {
        scale_ = std::fmax(scale_, std::fmax(std::fabs(p.x), std::fabs(p.y)));
      }
    }
    scale_ = std::fmax(scale_, std::fmax(std::fabs(shift.x), std::fabs(shift.y)));
  }

  PlanarDepth run() {
    collect();
    std::sort(slides_.begin(), slides_.end(), [](const Slide& x, const Slide& y) {
      if (x.distance != y.distance) return x.distance < y.distance;
      if (x.edge_of_a != y.edge_of_a) return x.edge_of_a;
      return x.edge != y.edge ? x.edge < y.edge : x.corner < y.corner;
    });
    for (const Slide& s : slides_) ways_.push_back({box_of(s.from, s.to), norm(s.to - s.from)});
    for (std::size_t i = 0; i < slides_.size(); ++i) {
      test_crossings_below(slides_[i].distance);
      if (slides_[i].distance - kPlaceError * scale_ > out_.upper) break;
      test_nearest(i);
      for (std::size_t j = 0; j < i; ++j) add_crossing(i, j);
    }
    test_crossings_below(kInfinity);
    if (!(out_.upper < kInfinity)) part_boxes();
    out_.lower = std::fmax(0.0, std::fmin(out_.lower, out_.upper));
    return out_;
  }

 private:
  struct Way {
    Box2 box;
    double length;
  };
  /// The place where two slides cross, not yet tested.
  struct Crossing {
    double distance;
    Vec2 place;
    double error;
    std::size_t first, second;
    bool operator<(const Crossing& o) const {  // the heap's top is the nearest
      if (distance != o.distance) return distance > o.distance;
      return first != o.first ? first > o.first : second > o.second;
    }
  };

  /// A corner, or a point inside, of one body.
  struct Inner {
    Vec2 point;
    bool of_a;
  };

  // Edge directions between those of the edges at a convex corner of the other region, turned half
  // around. Straight corners are left out: their neighbours serve.
  static bool corner_faces(const Ray& edge, const Ray& in, const Ray& out) {
    return turn(in, out) > 0 && turn(in, edge) >= 0 && turn(edge, out) >= 0;
  }

  void collect() {
    // Corner j of B on edge i of A: the translation is the place on A less the corner.
    const auto add_all = [&](const Boundary& edges, const Boundary& corners, bool edge_of_a) {
      for (std::uint32_t j = 0; j < corners.size(); ++j) {
        const Vec2& p = corners.points[j];
        const Ray in{p, corners.points[corners.previous[j]]},
            out{corners.points[corners.next[j]], p};
        if (turn(in, out) <= 0) continue;
        for (std::uint32_t i = 0; i < edges.size(); ++i) {
          if (!corner_faces({edges.start(i), edges.end(i)}, in, out)) continue;
          add_slide(edges, i, p, j, edge_of_a);
        }
      }
    };
    add_all(a_, b_, true);
    add_all(b_, a_, false);
  }

  void add_slide(const Boundary& edges, std::uint32_t i, const Vec2& p, std::uint32_t j,
                 bool edge_of_a) {
    Slide s;
    s.edge = i;
    s.corner = j;
    s.edge_of_a = edge_of_a;
    s.from = edge_of_a ? (edges.start(i) - p) - shift_ : (p - edges.start(i)) - shift_;
    s.to = edge_of_a ? (edges.end(i) - p) - shift_ : (p - edges.end(i)) - shift_;
    Vec2 nearest;
    s.distance = s.from == s.to ? norm(s.from) : distance_to(s.from, s.to, nearest);
    slides_.push_back(s);
  }

  Vec2 outward(const Slide& s) const {
    const Vec2 d = s.to - s.from;
    const double length = norm(d);
    return length > 0.0 ? Vec2{d.y / length, -d.x / length} : Vec2{};
  }

  // True, and the upper bound lowered, when a place next to the candidate parts the bodies: clear
  // of each other, since a fit that still touches may have no room around it.
  bool accept(const Vec2& place, const Vec2& direction) {
    const double length = norm(direction);
    if (!(length > 0.0)) return false;
    for (const double push : kPushes) {
      if (accept_place(place + direction * (push * scale_ / length))) return true;
    }
    return false;
  }

  bool accept_place(const Vec2& t) {
    // The moved boundary is that of the exact sum of shift and t, rounded once to one vector.
    const Vec2 total = shift_ + t;
    if (closed_sets_meet(a_, b_, total)) return false;
    const Vec2 exact = total - shift_;
    const double upper = norm(exact) * (1.0 + 4.0 * kUnit) + 2.0 * kUnit * scale_;
    if (upper < out_.upper) {
      out_.upper = upper;
      out_.translation = exact;
    }
    return true;
  }

  void test_nearest(std::size_t index) {
    const Slide& s = slides_[index];
    Vec2 place;
    if (s.from == s.to) {
      place = s.from;
    } else {
      distance_to(s.from, s.to, place);
    }
    const double error = kPlaceError * scale_;
    if (is_covered(place, error)) return;
    if (accept(place, outward(s)) || accept(place, place) || !is_exact_) {
      out_.lower = std::fmin(out_.lower, s.distance - error);
      return;
    }
    decide(exact_.nearest(s));
  }

  // What is neither proved covered nor proved free by doubles: a fit with little room or none.
  void decide(const ExactPlace& place) {
    if (!exact_.has_room(place, kPlaceError * scale_)) return;
    const double length = norm(place.rounded), error = 16.0 * kUnit * length;
    out_.lower = std::fmin(out_.lower, length - error);
    if (!(length + error < out_.upper)) return;
    out_.upper = length + error;
    out_.translation = place.rounded;
  }

  // Where no place was proved to be free, rounding has hidden all: out of the other's box along the
  // axis that is shortest, and from no way on.
  void part_boxes() {
    const Box2 &a = a_.tree.box(), b{b_.tree.box().low + shift_, b_.tree.box().high + shift_};
    const double push = 16.0 * kUnit * scale_;
    for (const Vec2& t :
         {Vec2{(a.high.x - b.low.x) + push, 0.0}, Vec2{(a.low.x - b.high.x) - push, 0.0},
          Vec2{0.0, (a.high.y - b.low.y) + push}, Vec2{0.0, (a.low.y - b.high.y) - push}}) {
      accept_place(t);
    }
    if (!(out_.lower < kInfinity)) out_.lower = 0.0;
  }

  void add_crossing(std::size_t i, std::size_t j) {
    const double slack = kPlaceError * scale_;
    const Box2 &one = ways_[i].box, &other = ways_[j].box;
    // Which of the four fails is not foreseeable: no branches.
    if ((one.low.x - slack > other.high.x) | (other.low.x > one.high.x + slack) |
        (one.low.y - slack > other.high.y) | (other.low.y > one.high.y + slack)) {
      return;
    }
    const Slide &s = slides_[i], &r = slides_[j];
    const Vec2 d = s.to - s.from, e = r.to - r.from, gap = r.from - s.from;
    if (s.shares_end(r)) return;
    const double d_length = ways_[i].length, e_length = ways_[j].length;
    // All of one segment lies on one side of the other's line, by more than the error of places.
    const auto apart = [&](const Vec2& p, const Vec2& q, const Vec2& o, const Vec2& u, double n) {
      const double x = cross(u, p - o), y = cross(u, q - o), least = slack * n;
      return (x > least && y > least) || (x < -least && y < -least);
    };
    if (apart(r.from, r.to, s.from, d, d_length) || apart(s.from, s.to, r.from, e, e_length)) {
      return;
    }
    if (turn(ray_of(s), ray_of(r)) == 0) return;
    const double area = cross(d, e), sine = std::fabs(area) / (d_length * e_length);
    // Both lines are known to `slack`, so their crossing is to slack / sine.
    const double error = sine > 0.0 ? 4.0 * slack / sine : kInfinity;
    const double floor = std::fmax(s.distance, r.distance);
    if (!(error < 1e-6 * scale_)) {
      if (s.distance > out_.upper) return;
      crossings_.push_back({floor, {}, kInfinity, i, j});
    } else {
      const Vec2 place = s.from + d * (cross(gap, e) / area);
      const double far = std::fmax(floor, norm(place));
      if (far - error > out_.upper) return;
      crossings_.push_back({far, place, error, i, j});
    }
    std::push_heap(crossings_.begin(), crossings_.end());
  }

  Ray ray_of(const Slide& s) const {
    const Boundary& edges = s.edge_of_a ? a_ : b_;
    return s.edge_of_a ? Ray{edges.start(s.edge), edges.end(s.edge)}
                       : Ray{edges.end(s.edge), edges.start(s.edge)};
  }

  void test_crossings_below(double distance) {
    while (!crossings_.empty() && crossings_.front().distance <= distance) {
      const Crossing c = crossings_.front();
      std::pop_heap(crossings_.begin(), crossings_.end());
      crossings_.pop_back();
      if (c.distance - kPlaceError * scale_ > out_.upper) continue;
      const Slide &s = slides_[c.first], &r = slides_[c.second];
      const double floor = std::fmax(s.distance, r.distance) - kPlaceError * scale_;
      const bool known = c.error < kInfinity;
      if (known && is_covered(c.place, c.error)) continue;
      if (!(known && accept_crossing(c, s, r)) && is_exact_) {
        const std::optional<ExactPlace> place = exact_.crossing(s, r);
        const bool covered = place && !known && is_covered(place->rounded, kPlaceError * scale_);
        if (place && !covered) decide(*place);
        continue;
      }
      out_.lower = std::fmin(out_.lower, known ? std::fmax(floor, c.distance - c.error) : floor);
    }
  }

  // The wedge that both leave free, then what only one of them leaves free.
  bool accept_crossing(const Crossing& c, const Slide& s, const Slide& r) {
    const Vec2 u = outward(s), v = outward(r);
    for (const Vec2& direction : {u + v, u, v, c.place}) {
      if (accept(c.place, direction)) return true;
    }
    return false;
  }

  // Proves that the interiors meet for every translation within `error` of the place: a corner or
  // an inner point of one lies deeper in the other than any of them moves it, edges cross by more,
  // or some point of the plane is that deep in both. Points that have covered are asked first, the
  // last one before all.
  bool is_covered(const Vec2& place, double error) {
    const Vec2 total = shift_ + place;
    const double margin = 2.0 * error + 16.0 * kUnit * scale_;
    if (inner_covers(0, total, margin)) return true;
    if (!has_middles_) {
      has_middles_ = true;
      const std::size_t corners = inner_.size();
      add_middles(b_, inside_b_, false);
      add_middles(a_, inside_a_, true);
      if (inner_covers(corners, total, margin)) return true;
    }
    return edges_cross(total, margin) || common_probe(total, margin);
  }

  bool inner_covers(std::size_t first, const Vec2& total, double margin) {
    for (std::size_t k = first; k < inner_.size(); ++k) {
      const Inner& p = inner_[k];
      const bool holds = p.of_a ? inside_b_.holds(p.point - total, margin)
                                : inside_a_.holds(p.point + total, margin);
      if (!holds) continue;
      const auto at = inner_.begin() + static_cast<std::ptrdiff_t>(k);
      std::rotate(inner_.begin(), at, at + 1);
      return true;
    }
    return false;
  }

  // Half way from the middle of each edge to what lies opposite. Where edges of both bodies lie on
  // one another, corners lie on edges and prove nothing.
  void add_middles(const Boundary& boundary, const DeepInside& inside, bool of_a) {
    for (std::size_t i = 0; i < boundary.size(); ++i) {
      const Vec2 u = boundary.end(i) - boundary.start(i), inwards{-u.y, u.x};
      const Vec2 middle = (boundary.start(i) + boundary.end(i)) * 0.5;
      double far = kInfinity;
      for (std::size_t k = 0; k < boundary.size(); ++k) {
        const Vec2 p = boundary.start(k) - middle, q = boundary.end(k) - middle;
        const double left = cross(inwards, p), right = cross(inwards, q);
        if (k == i || (left > 0.0) == (right > 0.0)) continue;
        const double part = left / (left - right);
        const double ahead = dot(inwards, p + (q - p) * part);
        if (ahead > 0.0) far = std::fmin(far, ahead);
      }
      const Vec2 point = middle + inwards * (0.5 * far / dot(u, u));
      if (inside.holds(point, 16.0 * kUnit * scale_)) inner_.push_back({point, of_a});
    }
  }

  bool edges_cross(const Vec2& total, double margin) const {
    for (std::size_t j = 0; j < b_.size(); ++j) {
      const Vec2 q0 = b_.start(j) + total, q1 = b_.end(j) + total, v = q1 - q0;
      const Box2 box = box_of(q0, q1);
      const double v_margin = margin * norm(v);
      const bool cross_by_far = a_.tree.visit(
          [&](const Box2& node) { return node.meets(box); },
          [&](std::size_t i) {
            const Vec2 p0 = a_.start(i), p1 = a_.end(i), u = p1 - p0;
            const double u_margin = margin * norm(u);
            const double a0 = cross(v, p0 - q0), a1 = cross(v, p1 - q0);
            if (!(std::fabs(a0) > v_margin && std::fabs(a1) > v_margin && (a0 > 0.0) != (a1 > 0.0)))
              return false;
            const double b0 = cross(u, q0 - p0), b1 = cross(u, q1 - p0);
            return std::fabs(b0) > u_margin && std::fabs(b1) > u_margin && (b0 > 0.0) != (b1 > 0.0);
          });
      if (cross_by_far) return true;
    }
    return false;
  }

  // For boundaries that run along each other with the interiors on the same side.
  bool common_probe(const Vec2& total, double margin) const {
    const double inset = 4.0 * margin;
    const auto any = [&](const Boundary& boundary, const Vec2& shift) {
      for (std::size_t i = 0; i < boundary.size(); ++i) {
        const Vec2 u = boundary.end(i) - boundary.start(i);
        const Vec2 inwards = Vec2{-u.y, u.x} * (inset / norm(u));
        const Vec2 p = (boundary.start(i) + shift) + u * 0.5 + inwards;
        if (inside_a_.holds(p, margin) && inside_b_.holds(p - total, margin)) return true;
      }
      return false;
    };
    return any(a_, {}) || any(b_, total);
  }

  const Boundary& a_;
  const Boundary& b_;
  Vec2 shift_;
  ExactPair exact_;
  bool is_exact_;
  DeepInside inside_a_, inside_b_;
  double scale_ = 0.0;
  std::vector<Slide> slides_;
  std::vector<Way> ways_;  ///< of the slides
  std::vector<Crossing> crossings_;
  std::vector<Inner> inner_;  ///< in the order in which they are asked
  bool has_middles_ = false;
  PlanarDepth out_{kInfinity, kInfinity, {}};
};

}  // namespace

PlanarDepth depth(const Boundary& a, const Boundary& b, const Vec2& shift) {
  return DepthSearch(a, b, shift).run();
}

}  // namespace tactus::detail
