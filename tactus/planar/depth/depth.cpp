#include "tactus/planar/depth/depth.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "tactus/core/constants.hpp"
#include "tactus/planar/depth/box_index.hpp"
#include "tactus/planar/depth/covered.hpp"
#include "tactus/planar/depth/nearest_slides.hpp"
#include "tactus/planar/region/edges.hpp"

namespace tactus::detail {
namespace {

// Error of a computed place on a convolution segment, in units of the largest coordinate: ends are
// differences of two coordinates and the shift (3 roundings each), the foot a quotient of sums of
// products (some 10 more), all of numbers at most four times the scale.
constexpr double kPlaceError = 64.0 * kUnit;
// How far candidates are pushed into the free side, in the same unit: as far as their places err
// mostly, else well above the bound of that.
constexpr double kPushes[] = {24.0 * kUnit, 256.0 * kUnit};

class DepthSearch {
 public:
  DepthSearch(const Boundary& a, const Boundary& b, const Vec2& shift)
      : a_(a),
        b_(b),
        shift_(shift),
        scale_(scale_of(a, b, shift)),
        exact_(a, b, shift),
        is_exact_(exact_.in_range()),
        nearest_(a, b, shift, kPlaceError * scale_),
        is_covered_(a, b, scale_),
        // A slide is a difference of corners, and shifted.
        index_(8.0 * scale_) {}

  PlanarDepth run() {
    slides_.reserve(64);
    lengths_.reserve(64);
    while (const std::optional<Slide> next = nearest_.next()) {
      test_crossings_below(next->distance);
      if (next->distance - kPlaceError * scale_ > out_.upper) break;
      slides_.push_back(*next);
      lengths_.push_back(norm(next->to - next->from));
      test_nearest(*next);
      add_crossings(slides_.size() - 1);
    }
    test_crossings_below(kInfinity);
    if (!(out_.upper < kInfinity)) part_boxes();
    out_.lower = std::fmax(0.0, std::fmin(out_.lower, out_.upper));
    out_.work = nearest_.work() + is_covered_.work() + pairs_;
    return out_;
  }

 private:
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

  static double scale_of(const Boundary& a, const Boundary& b, const Vec2& shift) {
    const double of_boxes = std::fmax(largest(a.tree.box()), largest(b.tree.box()));
    return std::fmax(of_boxes, largest(shift));
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

  void test_nearest(const Slide& s) {
    Vec2 place;
    if (s.from == s.to) {
      place = s.from;
    } else {
      distance_to(s.from, s.to, place);
    }
    const double error = kPlaceError * scale_;
    if (is_covered_at(place, error)) return;
    if (accept(place, outward(s)) || accept(place, place) || !is_exact_) {
      out_.lower = std::fmin(out_.lower, s.distance - error);
      return;
    }
    decide(exact_.nearest(s));
  }

  // Decides exactly on a translation that doubles prove neither covered nor free: a fit with little
  // room or none.
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

  // Adds the crossings of slide i, the last one, with those before it whose boxes it meets.
  void add_crossings(std::size_t i) {
    const double slack = kPlaceError * scale_;
    const Box2 box = box_of(slides_[i].from, slides_[i].to);
    index_.visit({box.low - Vec2{slack, slack}, box.high + Vec2{slack, slack}},
                 [&](std::uint32_t j) { add_crossing(i, j); });
    index_.add(box);
  }

  void add_crossing(std::size_t i, std::size_t j) {
    ++pairs_;
    const double slack = kPlaceError * scale_;
    const Slide &s = slides_[i], &r = slides_[j];
    const Vec2 d = s.to - s.from, e = r.to - r.from, gap = r.from - s.from;
    if (s.shares_end(r)) return;
    const double d_length = lengths_[i], e_length = lengths_[j];
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
      const double distance = std::fmax(floor, norm(place));
      if (distance - error > out_.upper) return;
      crossings_.push_back({distance, place, error, i, j});
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
      if (known && is_covered_at(c.place, c.error)) continue;
      if (!(known && accept_crossing(c, s, r)) && is_exact_) {
        const std::optional<ExactPlace> place = exact_.crossing(s, r);
        const bool covered = place && !known && is_covered_at(place->rounded, kPlaceError * scale_);
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

  bool is_covered_at(const Vec2& place, double error) { return is_covered_(shift_ + place, error); }

  const Boundary& a_;
  const Boundary& b_;
  Vec2 shift_;
  double scale_;
  ExactPair exact_;
  bool is_exact_;
  NearestSlides nearest_;
  Covered is_covered_;
  BoxIndex index_;  ///< of the slides
  std::vector<Slide> slides_;
  std::vector<double> lengths_;  ///< of the slides
  std::vector<Crossing> crossings_;
  std::size_t pairs_ = 0;  ///< of slides that have been compared
  PlanarDepth out_{kInfinity, kInfinity, {}, 0};
};

}  // namespace

PlanarDepth depth(const Boundary& a, const Boundary& b, const Vec2& shift) {
  return DepthSearch(a, b, shift).run();
}

}  // namespace tactus::detail
