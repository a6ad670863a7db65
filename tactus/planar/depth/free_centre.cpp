#include "tactus/planar/depth/free_centre.hpp"

#include <algorithm>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Error of a place on an edge moved aside, or on a circle, in units of the largest coordinate: the
// unit normal errs by 4 roundings, its multiple, the sum and the foot by some 10 more.
constexpr double kPlaceError = 48.0 * kUnit;
// Clearance that a clear place must have, in units of the largest coordinate: the foot errs by 4
// roundings, the distance by 2 more.
constexpr double kClear = 12.0 * kUnit;
// How far candidates are pushed away from what they touch; and how far out where that is not
// enough.
constexpr double kPush = 24.0 * kUnit;
constexpr double kPushes[] = {kPush, 16.0 * kPush, 1024.0 * kPush, 65536.0 * kPush};
// From the widest bracket to one rounding.
constexpr int kHalvings = 60;
// Crossings that are known less well than this, relative to the scale, only end the lower bound.
constexpr double kVague = 1e-6;

/// Where the disc's centre may be when it touches one edge (a segment), or one corner (a circle).
struct Element {
  Vec2 from, to;                     ///< of a circle both are its centre
  Vec2 nearest;                      ///< to the disc's centre
  double distance = 0.0;             ///< of the nearest place
  std::uint32_t edge = 0;            ///< of a corner: one that starts or ends there
  std::uint32_t start = 0, end = 0;  ///< corners of the edge; of a circle both the same
  bool circle = false;
};

class Search {
 public:
  Search(const Edges& edges, const Vec2& centre, double radius)
      : edges_(edges), centre_(centre), radius_(radius) {
    scale_ = std::fmax(largest(edges.tree().box()), std::fmax(largest(centre), radius));
  }

  FreeCentre run() {
    collect();
    std::sort(elements_.begin(), elements_.end(), [](const Element& x, const Element& y) {
      if (x.distance != y.distance) return x.distance < y.distance;
      if (x.circle != y.circle) return y.circle;
      if (x.edge != y.edge) return x.edge < y.edge;
      return x.from.x != y.from.x ? x.from.x < y.from.x : x.from.y < y.from.y;
    });
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      test_crossings_below(elements_[i].distance);
      if (elements_[i].distance - kPlaceError * scale_ > out_.upper) break;
      test(elements_[i].nearest, kPlaceError * scale_, elements_[i].distance);
      for (std::size_t j = 0; j < i; ++j) add_crossings(elements_[i], elements_[j]);
    }
    test_crossings_below(kInfinity);
    if (!(out_.upper < kInfinity)) leave_box();
    tighten();
    out_.lower = std::fmax(0.0, std::fmin(out_.lower, out_.upper));
    return out_;
  }

 private:
  struct Crossing {
    double distance;
    Vec2 place;
    double error;
    bool operator<(const Crossing& o) const {  // the heap's top is the nearest
      if (distance != o.distance) return distance > o.distance;
      return place.x != o.place.x ? place.x > o.place.x : place.y > o.place.y;
    }
  };

  void collect() {
    const auto corners = static_cast<std::uint32_t>(edges_.points().size());
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
      const Vec2 p = edges_.start(i), q = edges_.end(i), s = q - p;
      const double length = norm(s);
      if (!(length > 0.0)) continue;
      const Vec2 right = Vec2{s.y, -s.x} * (radius_ / length);
      Element e;
      e.edge = e.start = i;
      e.end = edges_.region() != nullptr ? edges_.region()->next[i] : (i + 1) % corners;
      add_segment(e, p + right, q + right);
      if (edges_.region() == nullptr) add_segment(e, p - right, q - right);
    }
    for (std::uint32_t k = 0; k < corners; ++k) {
      const Vec2& p = edges_.points()[k];
      if (const Boundary* region = edges_.region()) {
        if (orientation(region->points[region->previous[k]], p, region->end(k)) < 0) continue;
      } else if (k > 0 && p == edges_.points()[k - 1]) {
        continue;
      }
      Element e;
      e.circle = true;
      e.edge = e.start = e.end = k;
      e.from = e.to = p;
      const Vec2 d = centre_ - p;
      const double length = norm(d);
      e.nearest = p + (length > 0.0 ? d * (radius_ / length) : Vec2{radius_, 0.0});
      e.distance = std::fabs(radius_ - length);
      elements_.push_back(e);
    }
  }

  void add_segment(Element e, const Vec2& from, const Vec2& to) {
    e.from = from;
    e.to = to;
    e.nearest = foot_on(centre_, from, to);
    e.distance = norm(e.nearest - centre_);
    elements_.push_back(e);
  }

  // Tells apart: clear, even pushed; or met wherever within `error` the place really is.
  void test(const Vec2& place, double error, double floor) {
    const double slack = kPlanarDistanceError * scale_;
    const double reach = radius_ + slack + error;
    const double clear = clearance(edges_, place, reach);
    if (clear < radius_ - error - slack) return;
    out_.lower = std::fmin(out_.lower, std::fmax(floor - error, norm(place - centre_) - error));
    if (accept(cleared(place))) return;
    // Edges on both sides: out along the way that was taken.
    const Vec2 way = place - centre_;
    const double length = norm(way);
    for (const double push : kPushes) {
      if (!(length > 0.0) || accept(place + way * (push * scale_ / length))) return;
    }
  }

  bool accept(const Vec2& place) {
    const double slack = kClear * scale_;
    if (clearance(edges_, place, radius_ + 2.0 * slack) < radius_ + slack) return false;
    const double upper = norm(place - centre_) * (1.0 + 4.0 * kUnit) + 2.0 * slack;
    if (upper < out_.upper) {
      out_.upper = upper;
      out_.place = place;
    }
    return true;
  }

  // Where no place was proved to be clear, rounding has hidden all: out of the box, and from no way
  // on.
  void leave_box() {
    const Box2& box = edges_.tree().box();
    const double aside = radius_ + 2.0 * kPush * scale_;
    for (const Vec2& place :
         {Vec2{box.high.x + aside, centre_.y}, Vec2{box.low.x - aside, centre_.y},
          Vec2{centre_.x, box.high.y + aside}, Vec2{centre_.x, box.low.y - aside}}) {
      accept(place);
    }
    if (!(out_.lower < kInfinity)) out_.lower = 0.0;
  }

  // A place that was pushed out farther than it takes: back along its way to where it is clear by
  // the least that is accepted, so that disc and edge meet there.
  void tighten() {
    const Vec2 way = out_.place - centre_;
    const double length = norm(way);
    if (!(out_.upper < kInfinity) || !(length > 0.0)) return;
    if (clearance(edges_, out_.place) <= radius_ + 2.0 * kPush * scale_) return;
    double low = std::fmin(1.0, std::fmax(0.0, out_.lower / length)), high = 1.0;
    for (int k = 0; k < kHalvings && (high - low) * length > kUnit * scale_; ++k) {
      const double middle = 0.5 * (low + high);
      (accept(centre_ + way * middle) ? high : low) = middle;
    }
  }

  // By the least step, to first order, to where every edge is farther than `kPush` beyond the
  // radius; the place itself when edges on both sides leave none.
  Vec2 cleared(const Vec2& place) const {
    const double least = radius_ + kPush * scale_, reach = least + kPush * scale_;
    struct HalfPlane {
      Vec2 normal;
      double offset;
    };
    std::vector<HalfPlane> sides;
    const Box2 box = box_of(place - Vec2{reach, reach}, place + Vec2{reach, reach});
    edges_.tree().visit([&](const Box2& node) { return node.meets(box); },
                        [&](std::size_t i) {
                          const Vec2 d = place - foot_on(place, edges_.start(i), edges_.end(i));
                          const double length = norm(d);
                          if (length > 0.0 && length <= reach)
                            sides.push_back({d / length, least - length});
                          return false;
                        });
    Vec2 step;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto& [normal, offset] = sides[i];
      if (dot(normal, step) >= offset) continue;
      const Vec2 base = normal * offset, along{-normal.y, normal.x};
      double low = -kInfinity, high = kInfinity;
      for (std::size_t j = 0; j < i; ++j) {
        const double slope = dot(sides[j].normal, along);
        const double missing = sides[j].offset - dot(sides[j].normal, base);
        if (slope > 0.0) low = std::fmax(low, missing / slope);
        if (slope < 0.0) high = std::fmin(high, missing / slope);
        if (slope == 0.0 && missing > 0.0) return place;
      }
      if (low > high) return place;
      step = base + along * std::fmin(std::fmax(0.0, low), high);
    }
    return norm(step) <= kPushes[3] * scale_ ? place + step : place;
  }

  void add_crossings(const Element& s, const Element& r) {
    // Tangent where they share a corner, or inside the strip of the edge between two corners.
    if (s.circle != r.circle) {
      const Element &edge = s.circle ? r : s, &corner = s.circle ? s : r;
      if (corner.start == edge.start || corner.start == edge.end) return;
      return cross_circle(edge, corner);
    }
    if (!s.circle) return cross_lines(s, r);
    const Vec2 d = r.from - s.from;
    const double length = norm(d);
    if (!(length > 0.0) || joined(s.start, r.start)) return;
    const Vec2 aside = Vec2{-d.y, d.x} / length;
    add_pair(s.from + d * 0.5, aside, 0.5 * length);
  }

  bool joined(std::uint32_t j, std::uint32_t k) const {
    if (const Boundary* region = edges_.region()) {
      return region->next[j] == k || region->next[k] == j;
    }
    const auto n = static_cast<std::uint32_t>(edges_.points().size());
    return (j + 1 == k || k + 1 == j) || (edges_.closed() && (j + 1) % n == k % n) ||
           (edges_.closed() && (k + 1) % n == j % n);
  }

  void cross_circle(const Element& edge, const Element& corner) {
    const Vec2 s = edge.to - edge.from, u = s / norm(s), o = corner.from - edge.from;
    const double along = dot(o, u), height = std::fabs(cross(u, o));
    const double reach = radius_ + kPlaceError * scale_, length = norm(s);
    if (height > reach || along < -reach || along > length + reach) return;
    add_pair(edge.from + u * along, u, height);
  }

  // Both places at distance `radius` from a centre whose foot on their line is `height` away.
  void add_pair(const Vec2& foot, const Vec2& direction, double height) {
    const double slack = kPlaceError * scale_;
    if (height > radius_ + slack) return;
    const double square = (radius_ - height) * (radius_ + height);
    const double half = std::sqrt(std::fmax(0.0, square));
    const double error = std::fmin(2.0 * std::sqrt(2.0 * (radius_ + slack) * slack),
                                   half > 0.0 ? 4.0 * slack * (1.0 + radius_ / half) : scale_);
    for (const double side : {half, -half}) push(foot + direction * side, error);
  }

  void cross_lines(const Element& s, const Element& r) {
    const double slack = kPlaceError * scale_;
    const Vec2 d = s.to - s.from, e = r.to - r.from, gap = r.from - s.from;
    const double area = cross(d, e), product = norm(d) * norm(e);
    const double sine = product > 0.0 ? std::fabs(area) / product : 0.0;
    // Lines that are parallel to rounding never cross alone: their ends are crossings of others.
    if (sine <= 8.0 * kUnit) return;
    const double t = cross(gap, e) / area, w = cross(gap, d) / area;
    const double error = 4.0 * slack / sine;
    const double over_d = error / norm(d), over_e = error / norm(e);
    if (t < -over_d || t > 1.0 + over_d || w < -over_e || w > 1.0 + over_e) return;
    push(s.from + d * t, error);
  }

  void push(const Vec2& place, double error) {
    const double distance = norm(place - centre_);
    if (distance - error > out_.upper) return;
    crossings_.push_back({distance, place, error});
    std::push_heap(crossings_.begin(), crossings_.end());
  }

  void test_crossings_below(double distance) {
    while (!crossings_.empty() && crossings_.front().distance <= distance) {
      const Crossing c = crossings_.front();
      std::pop_heap(crossings_.begin(), crossings_.end());
      crossings_.pop_back();
      if (c.distance - c.error > out_.upper) continue;
      if (c.error > kVague * scale_) {
        if (clearance(edges_, c.place) < radius_ - c.error) continue;
        out_.lower = std::fmin(out_.lower, c.distance - c.error);
        continue;
      }
      test(c.place, c.error, 0.0);
    }
  }

  const Edges& edges_;
  Vec2 centre_;
  double radius_, scale_ = 0.0;
  std::vector<Element> elements_;
  std::vector<Crossing> crossings_;
  FreeCentre out_{kInfinity, kInfinity, {}};
};

}  // namespace

double clearance(const Edges& edges, const Vec2& p, double limit) {
  const double d = std::sqrt(edges.nearest(p, limit * limit).squared);
  if (edges.region() == nullptr) return d;
  return location(p, *edges.region(), {}) > 0 ? -d : d;
}

FreeCentre free_centre(const Edges& edges, const Vec2& centre, double radius) {
  return Search(edges, centre, radius).run();
}

}  // namespace tactus::detail
