#include "tactus/narrow/pair/patch_points.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::detail {
namespace {

// Points that are less far apart than this part of the size touch.
constexpr double kTouching = 1e-6;
// Part of the area by which the view's axis may outweigh it, for each point.
constexpr double kOutweighed = 5e-4;
// A fourth point adds at least this part of the area.
constexpr double kWorthwhile = 0.01;
// Points that touch, nearer to each other than this part of the patch, bear one load.
constexpr double kBeside = 0.05;
// Points of a mesh up to this part of the size above its facet are near it.
constexpr double kNearFacet = 1e-3;
// Sets of more points are thinned out to the farthest ones along so many directions.
constexpr int kDirections = 64;
constexpr int kMostSpots = 80;
constexpr double kTurnCosine = 0.99518472667219693, kTurnSine = 0.098017140329560604;

/// A point as seen along n.
struct Spot {
  double x, y, weight;
  int index;
};

/// Points in space, seen from the middle of the first one.
class PointsInSpace {
 public:
  PointsInSpace(const PatchPoint* all, const PatchView& view)
      : all_(all),
        view_(view),
        u_(any_perpendicular(view.n)),
        v_(cross(view.n, u_)),
        origin_(middle(0)),
        axis_x_(dot(view.axis, u_)),
        axis_y_(dot(view.axis, v_)) {}
  Spot seen(int i) const {
    const Vec3 p = middle(i) - origin_;
    return {dot(u_, p), dot(v_, p), 0.0, i};
  }
  double place(int i) const { return dot(view_.axis, middle(i) - origin_); }
  double depth(int i) const { return all_[i].depth; }
  double size() const { return view_.size; }
  double axis_x() const { return axis_x_; }
  double axis_y() const { return axis_y_; }

 private:
  Vec3 middle(int i) const { return (all_[i].a + all_[i].b) * 0.5; }

  const PatchPoint* all_;
  const PatchView& view_;
  Vec3 u_, v_, origin_;
  double axis_x_, axis_y_;
};

/// Points that are seen along n already.
class FlatPoints {
 public:
  FlatPoints(const FlatPoint* all, const FlatView& view) : all_(all), view_(view) {}
  Spot seen(int i) const { return {all_[i].x, all_[i].y, 0.0, i}; }
  double place(int i) const { return all_[i].place; }
  double depth(int i) const { return all_[i].depth; }
  double size() const { return view_.size; }
  double axis_x() const { return view_.axis_x; }
  double axis_y() const { return view_.axis_y; }

 private:
  const FlatPoint* all_;
  const FlatView& view_;
};

// Twice the area, positive counter-clockwise.
template <class Point>
double area(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

template <class Point>
double squared_distance(const Point& a, const Point& b) {
  const double x = b.x - a.x, y = b.y - a.y;
  return x * x + y * y;
}

double squared_distance_to_segment(const Spot& p, const Spot& a, const Spot& b) {
  const double length = squared_distance(a, b);
  const double along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
  if (!(along > 0.0)) return squared_distance(p, a);
  if (!(along < length)) return squared_distance(p, b);
  const double across = area(a, b, p);
  return across * across / length;
}

// Points of this depth touch, or do so as soon as the deepest one.
double touching_depth(double deepest, double size) {
  return std::min(deepest, 0.0) - kTouching * size;
}

// Moves the points that are asked for to the front; returns their number.
template <class Wanted>
int move_to_front(PatchPoint* all, int from, int to, Wanted&& wanted) {
  for (int i = from; i < to; ++i) {
    if (wanted(all[i])) std::swap(all[from++], all[i]);
  }
  return from;
}

// Without symmetries, so that the sums over the corners of regular polygons differ too.
double uneven(double u) { return u * (1.0 + u * (0.9 + u * (0.8 + 0.7 * u))) / 3.4; }

/// Corners of a convex polygon, counter-clockwise; two are a line.
struct Ring {
  Uncleared<Spot, kMostSpots + 1> spot;
  int count = 0;
  const Spot& at(int i) const { return spot[i >= count ? i - count : i]; }
};

template <class Points>
class Choice {
 public:
  explicit Choice(const Points& points) : points_(points), same_(kSameLength * points.size()) {}

  /// Chooses from the points that touch, the first `touching` ones.
  void choose(int touching) {
    Uncleared<Spot, kMostSpots> spot;
    int count = 0;
    if (touching <= kMostSpots) {
      for (int i = 0; i < touching; ++i) spot[count++] = points_.seen(i);
    } else {
      count = farthest(touching, spot.data());
    }
    hull_of(spot.data(), count);
    choose_of_ring(touching);
  }

  /// As `choose`, where the points are corners of a convex polygon, counter-clockwise.
  void choose_of_polygon(int touching) {
    for (int i = 0; i < touching; ++i) ring_.spot[i] = points_.seen(i);
    ring_.count = touching;
    choose_of_ring(touching);
  }

  /// Gives up points beside deeper ones. `all`: how many points the patch extends over.
  void thin_out(int all) {
    weigh();
    double extent = radius_;
    for (int i = 0; i < all; ++i)
      extent = std::max(extent, std::sqrt(squared_distance(center_, seen(i))));
    const double beside = kBeside * extent;
    for (int i = 0; i < count_; ++i) {
      for (int k = count_ - 1; k > i; --k) {
        if (squared_distance(kept_[i], kept_[k]) > beside * beside) continue;
        if (bears_more(kept_[k], kept_[i])) kept_[i] = kept_[k];
        for (int next = k; next + 1 < count_; ++next) kept_[next] = kept_[next + 1];
        --count_;
      }
    }
  }

  /// Fills up with points of a range: they do not touch, or were given up.
  void fill(int from, int to) {
    if (from == to) return;
    weigh();
    for (int i = from; i < to; ++i)
      radius_ = std::max(radius_, std::sqrt(squared_distance(center_, seen(i))));
    while (count_ < Patch::kCapacity) {
      int best = -1;
      double most = 0.0;
      for (int i = from; i < to; ++i) {
        const Spot spot = seen(i);
        const double gain = gained(spot) * (1.0 + kOutweighed * weight_of(spot));
        if (gain > most) {
          most = gain;
          best = i;
        }
      }
      if (best < 0 || !(most > least_gain())) return;
      keep(seen(best));
    }
  }

  /// Counter-clockwise, from the first one along the view's axis. Their number.
  int order() {
    for (int i = 1; i < count_; ++i) {
      if (points_.place(kept_[i].index) < points_.place(kept_[0].index))
        std::swap(kept_[i], kept_[0]);
    }
    for (int i = 2; i < count_; ++i) {
      for (int k = i; k > 1 && area(kept_[0], kept_[k], kept_[k - 1]) > 0.0; --k)
        std::swap(kept_[k], kept_[k - 1]);
    }
    // Opposite corners follow each other: a solver that takes points one by one tips nothing.
    if (count_ == Patch::kCapacity) std::swap(kept_[1], kept_[2]);
    return count_;
  }
  int kept(int i) const { return kept_[i].index; }

 private:
  Spot seen(int i) const { return points_.seen(i); }
  double depth(const Spot& s) const { return points_.depth(s.index); }
  double weight_of(const Spot& s) const {
    return uneven((points_.axis_x() * (s.x - center_.x) + points_.axis_y() * (s.y - center_.y)) /
                  radius_);
  }
  void choose_of_ring(int touching) {
    prune();
    if (ring_.count <= 3) {
      for (int i = 0; i < ring_.count; ++i) keep(ring_.spot[i]);
    } else if (!keep_quadrangle()) {
      weigh();
      keep_largest();
    }
    keep_deepest(touching);
  }
  void keep(const Spot& s) {
    for (int i = 0; i < count_; ++i) {
      if (kept_[i].index == s.index) return;
    }
    kept_[count_++] = s;
  }

  bool bears_more(const Spot& a, const Spot& b) const {
    const double difference = depth(a) - depth(b);
    if (std::fabs(difference) > kEqualDepth * points_.size()) return difference > 0.0;
    return weight_of(a) > weight_of(b);
  }

  // The farthest points along evenly spread directions, and the deepest.
  int farthest(int touching, Spot* out) const {
    double x = points_.axis_x(), y = points_.axis_y();
    int count = 0;
    for (int k = 0; k < kDirections; ++k) {
      Spot best = seen(0);
      for (int i = 1; i < touching; ++i) {
        const Spot s = seen(i);
        if (x * s.x + y * s.y > x * best.x + y * best.y) best = s;
      }
      out[count++] = best;
      const double turned = x * kTurnCosine - y * kTurnSine;
      y = y * kTurnCosine + x * kTurnSine;
      x = turned;
    }
    return count;
  }

  // Andrew's monotone chain.
  void hull_of(Spot* spot, int count) {
    std::sort(spot, spot + count, [](const Spot& p, const Spot& q) {
      if (p.x != q.x) return p.x < q.x;
      return p.y != q.y ? p.y < q.y : p.index < q.index;
    });
    int& m = ring_.count;
    const auto add = [&](const Spot& s, int floor) {
      while (m >= floor + 2 && !(area(ring_.spot[m - 2], ring_.spot[m - 1], s) > 0.0)) --m;
      ring_.spot[m++] = s;
    };
    for (int i = 0; i < count; ++i) add(spot[i], 0);
    const int floor = m - 1;
    for (int i = count - 2; i >= 0; --i) add(spot[i], floor);
    if (m > 1) --m;
  }

  // Leaves out corners that are beside the line between their neighbours: which ones there are is
  // noise.
  void prune() {
    bool again = true;
    while (again && ring_.count > 1) {
      again = false;
      for (int i = 0; i < ring_.count && ring_.count > 1; ++i) {
        const Spot& before = ring_.spot[i == 0 ? ring_.count - 1 : i - 1];
        if (squared_distance_to_segment(ring_.spot[i], before, ring_.at(i + 1)) > same_ * same_)
          continue;
        for (int k = i; k + 1 < ring_.count; ++k) ring_.spot[k] = ring_.spot[k + 1];
        --ring_.count;
        again = true;
      }
    }
  }

  // Weights from the centre of the area, which corners that come and go leave in place. They are
  // not needed where all corners are kept.
  void weigh() {
    if (weighed_) return;
    weighed_ = true;
    double sum = 0.0, x = 0.0, y = 0.0;
    for (int i = 1; i + 1 < ring_.count; ++i) {
      const Spot &a = ring_.spot[0], &b = ring_.spot[i], &c = ring_.spot[i + 1];
      const double part = area(a, b, c);
      sum += part;
      x += part * ((a.x + b.x + c.x) / 3.0);
      y += part * ((a.y + b.y + c.y) / 3.0);
    }
    const Spot &first = ring_.spot[0], &last = ring_.at(ring_.count - 1);
    center_.x = 0.5 * (first.x + last.x);
    center_.y = 0.5 * (first.y + last.y);
    if (sum > 0.0) {
      center_.x = x / sum;
      center_.y = y / sum;
    }
    area_ = sum;
    double most = same_ * same_;
    for (int i = 0; i < ring_.count; ++i)
      most = std::max(most, squared_distance(center_, ring_.spot[i]));
    radius_ = std::sqrt(most);
    for (int i = 0; i < ring_.count; ++i) set_weight(ring_.spot[i]);
    for (int i = 0; i < count_; ++i) set_weight(kept_[i]);
  }
  void set_weight(Spot& s) { s.weight = kOutweighed * area_ * weight_of(s); }

  double deepest() const {
    double most = points_.depth(0);
    for (int i = 0; i < ring_.count; ++i) most = std::max(most, depth(ring_.spot[i]));
    return most;
  }

  // All four corners, where each of them adds to the area.
  bool keep_quadrangle() {
    if (ring_.count != Patch::kCapacity) return false;
    const Spot* const s = ring_.spot.data();
    const double part = area(s[0], s[1], s[2]), rest = area(s[0], s[2], s[3]);
    const double other = std::min(area(s[1], s[2], s[3]), area(s[3], s[0], s[1]));
    const double whole = part + rest, least = std::min(std::min(part, rest), other);
    if (!(whole > (1.0 + kWorthwhile) * (whole - least))) return false;
    for (int i = 0; i < Patch::kCapacity; ++i) kept_[i] = s[i];
    count_ = Patch::kCapacity;
    return true;
  }

  // For each diagonal from a deep corner, the best corner on either side: as the diagonal's end
  // moves on, so do they.
  void keep_largest() {
    const int m = ring_.count;
    const double deep = deepest() - kEqualDepth * points_.size();
    const auto is_deep = [&](int i) { return depth(ring_.at(i)) >= deep; };
    double best_four = -1.0, best_three = -1.0, area_four = 0.0, area_three = 0.0;
    int four[4] = {}, three[3] = {};
    for (int i = 0; i < m; ++i) {
      if (!is_deep(i)) continue;
      const auto of = [&](int j, int k) {
        return std::fabs(area(ring_.spot[i], ring_.at(j), ring_.at(k)));
      };
      const auto value = [&](int j, int k) { return of(j, k) + ring_.at(k).weight; };
      int left = i + 1, right = i + 2;
      for (int j = i + 1; j < i + m; ++j) {
        // Seen from its other end already.
        if (j >= m && is_deep(j)) continue;
        left = std::min(left, j);
        while (left + 1 < j && value(j, left + 1) > value(j, left)) ++left;
        right = std::max(right, j);
        while (right + 1 < i + m && value(j, right + 1) > value(j, right)) ++right;
        const double ends = ring_.spot[i].weight + ring_.at(j).weight;
        const double on_left = value(j, left), on_right = value(j, right);
        const double three_now = std::max(on_left, on_right) + ends;
        if (three_now > best_three) {
          const int third = on_left > on_right ? left : right;
          best_three = three_now;
          area_three = of(j, third);
          three[0] = i;
          three[1] = j;
          three[2] = third;
        }
        const double four_now = on_left + on_right + ends;
        if (left > i && left < j && right > j && four_now > best_four) {
          best_four = four_now;
          area_four = of(j, left) + of(j, right);
          four[0] = i;
          four[1] = left;
          four[2] = j;
          four[3] = right;
        }
      }
    }
    if (area_four > (1.0 + kWorthwhile) * area_three) {
      for (const int k : four) keep(ring_.at(k));
    } else {
      for (const int k : three) keep(ring_.at(k));
    }
  }

  // The deepest point of all that touch, where it is within their hull.
  void keep_deepest(int touching) {
    int best = 0;
    for (int i = 1; i < touching; ++i) {
      if (points_.depth(i) > points_.depth(best)) best = i;
    }
    for (int i = 0; i < count_; ++i) {
      if (depth(kept_[i]) >= points_.depth(best) - kEqualDepth * points_.size()) return;
    }
    if (count_ == Patch::kCapacity) {
      // In the place of the point that adds least.
      weigh();
      int least = 0;
      double loss = 0.0;
      for (int i = 0; i < count_; ++i) {
        const double part =
            std::fabs(area(kept_[(i + 3) % 4], kept_[i], kept_[(i + 1) % 4])) + kept_[i].weight;
        if (i > 0 && part >= loss) continue;
        least = i;
        loss = part;
      }
      kept_[least] = kept_[--count_];
    }
    keep(seen(best));
  }

  // Gain by a further point: distance to a point, to a line, or added area.
  double gained(const Spot& s) const {
    if (count_ == 1) return std::sqrt(squared_distance(kept_[0], s));
    if (count_ == 2) return std::sqrt(squared_distance_to_segment(s, kept_[0], kept_[1]));
    const double whole = area(kept_[0], kept_[1], kept_[2]);
    double gain = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double part = area(kept_[i], kept_[(i + 1) % 3], s);
      gain += std::max(whole > 0.0 ? -part : part, 0.0);
    }
    return gain;
  }
  double least_gain() const {
    if (count_ < 3) return same_;
    return kWorthwhile * std::fabs(area(kept_[0], kept_[1], kept_[2])) + same_ * same_;
  }

  const Points& points_;
  double same_;
  Ring ring_;
  Spot center_;
  double radius_ = 1.0, area_ = 0.0;
  bool weighed_ = false;
  Spot kept_[Patch::kCapacity];
  int count_ = 0;
};

// Has a polygon of up to four corners, all of which touch if there are four, no corner that the
// choice could leave out?
bool keeps_all(const FlatPoint* p, int count, double same) {
  const double least = same * same;
  if (count == 2) return squared_distance(p[0], p[1]) > least;
  if (count == 3) {
    const double twice = area(p[0], p[1], p[2]);
    const double longest =
        std::max(std::max(squared_distance(p[0], p[1]), squared_distance(p[1], p[2])),
                 squared_distance(p[2], p[0]));
    return twice > 0.0 && twice * twice > least * longest;
  }
  const double at_0 = area(p[3], p[0], p[1]), at_1 = area(p[0], p[1], p[2]);
  const double at_2 = area(p[1], p[2], p[3]), at_3 = area(p[2], p[3], p[0]);
  const double whole = at_1 + at_3;
  const double smaller = std::min(std::min(at_0, at_2), std::min(at_1, at_3));
  const double longest = std::max(squared_distance(p[0], p[2]), squared_distance(p[1], p[3]));
  return smaller > 0.0 && smaller * smaller > least * longest &&
         whole > (1.0 + kWorthwhile) * (whole - smaller);
}

// Counter-clockwise, from the first one along the view's axis, opposite corners next to each other.
void order_all(const FlatPoint* p, int count, int* kept) {
  int first = 0;
  for (int i = 1; i < count; ++i) first = p[i].place < p[first].place ? i : first;
  for (int i = 0; i < count; ++i) kept[i] = first + i < count ? first + i : first + i - count;
  if (count == Patch::kCapacity) std::swap(kept[1], kept[2]);
}

}  // namespace

bool decided_by_b(const Vec3& n, const Mat3& rotation_of_b) {
  return dot(kUneven, -transpose_times(rotation_of_b, n)) > dot(kUneven, n) + kAlike;
}

Vec3 deciding_axis(const Vec3& n, const Mat3& rotation_of_b) {
  return decided_by_b(n, rotation_of_b) ? rotation_of_b * kUneven : kUneven;
}

void keep_four(PatchPoint* all, int count, const PatchView& view, Patch& out) {
  keep_four(all, Facet{count, count}, view, out);
}

void keep_four(PatchPoint* all, const Facet& facet, const PatchView& view, Patch& out) {
  const int count = facet.corners;
  out.count = std::min(count, 1);
  if (count > 0) out.point[0] = all[0];
  if (count <= 1) return;
  double deepest = all[0].depth;
  for (int i = 1; i < count; ++i) deepest = std::max(deepest, all[i].depth);
  const double touching = touching_depth(deepest, view.size);
  const int touch =
      move_to_front(all, 0, count, [&](const PatchPoint& p) { return p.depth >= touching; });
  const PointsInSpace points(all, view);
  Choice<PointsInSpace> choice(points);
  choice.choose(touch);
  if (facet.near > count) choice.thin_out(facet.near);
  choice.fill(touch, count);
  if (facet.near > count) {
    choice.fill(count, facet.near);
    choice.fill(0, touch);
  }
  out.count = choice.order();
  for (int i = 0; i < out.count; ++i) out.point[i] = all[choice.kept(i)];
}

int keep_four(const FlatPoint* ring, int count, const FlatView& view, int* kept) {
  double deepest = ring[0].depth, least = deepest;
  for (int i = 1; i < count; ++i) {
    deepest = std::max(deepest, ring[i].depth);
    least = std::min(least, ring[i].depth);
  }
  const double touching = touching_depth(deepest, view.size);
  const auto choose = [&](const FlatPoint* all, int touch) {
    const FlatPoints points(all, view);
    Choice<FlatPoints> choice(points);
    choice.choose_of_polygon(touch);
    choice.fill(touch, count);
    const int n = choice.order();
    for (int i = 0; i < n; ++i) kept[i] = choice.kept(i);
    return n;
  };
  const bool all_touch = least >= touching;
  if (count > 1 && count <= (all_touch ? Patch::kCapacity : 3) &&
      keeps_all(ring, count, kSameLength * view.size)) {
    order_all(ring, count, kept);
    return count;
  }
  if (all_touch) return choose(ring, count);
  // Moves points that touch to the front, in their order.
  Uncleared<FlatPoint, FlatView::kMostPoints> all;
  Uncleared<int, FlatView::kMostPoints> number;
  int touch = 0, rest = count;
  for (int i = 0; i < count; ++i) {
    const int to = ring[i].depth >= touching ? touch++ : --rest;
    all[to] = ring[i];
    number[to] = i;
  }
  const int n = choose(all.data(), touch);
  for (int i = 0; i < n; ++i) kept[i] = number[kept[i]];
  return n;
}

Facet keep_facet(PatchPoint* all, int count, const PatchView& view) {
  if (count <= 3) return {count, count};
  const double same = kSameLength * view.size;
  const auto across = [&](const PatchPoint& p, const PatchPoint& q) {
    const Vec3 v = q.a - p.a;
    return v - view.n * dot(view.n, v);
  };
  int first = 0;
  for (int i = 1; i < count; ++i) {
    if (all[i].depth > all[first].depth) first = i;
  }
  std::swap(all[0], all[first]);
  // The edge that falls least.
  int second = -1;
  double slope = 0.0;
  for (int i = 1; i < count; ++i) {
    const double length = norm(across(all[0], all[i]));
    if (!(length > same)) continue;
    const double fall = (all[0].depth - all[i].depth) / length;
    if (second >= 0 && !(fall < slope)) continue;
    second = i;
    slope = fall;
  }
  if (second < 0) return {1, 1};
  std::swap(all[1], all[second]);
  // The facet beside it that falls least.
  const Vec3 along = normalized(across(all[0], all[1]));
  const Vec3 beside = cross(view.n, along);
  double fall[2] = {};
  bool found[2] = {};
  for (int i = 2; i < count; ++i) {
    const Vec3 v = across(all[0], all[i]);
    const double distance = dot(beside, v);
    if (!(std::fabs(distance) > same)) continue;
    const int side = distance > 0.0 ? 1 : 0;
    const double falls =
        (all[0].depth - slope * dot(along, v) - all[i].depth) / std::fabs(distance);
    if (found[side] && !(falls < fall[side])) continue;
    found[side] = true;
    fall[side] = falls;
  }
  double steepness = 0.0;
  if (found[0] || found[1]) {
    const int side = found[1] && (!found[0] || fall[1] < fall[0]) ? 1 : 0;
    steepness = side == 1 ? fall[1] : -fall[0];
  }
  const double base = all[0].depth;
  const Vec3 origin = all[0].a;
  const double touching = touching_depth(base, view.size);
  const auto above = [&](const PatchPoint& p) {
    const Vec3 v = p.a - origin;
    return base - slope * dot(along, v) - steepness * dot(beside, v) - p.depth;
  };
  const int corners = move_to_front(
      all, 2, count, [&](const PatchPoint& p) { return p.depth >= touching || above(p) <= same; });
  const int near = move_to_front(
      all, corners, count, [&](const PatchPoint& p) { return above(p) <= kNearFacet * view.size; });
  return {corners, near};
}

}  // namespace tactus::detail
