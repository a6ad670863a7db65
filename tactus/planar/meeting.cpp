#include "tactus/planar/meeting.hpp"

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

// Edges that lean so little (sine) to the way to a place still count as standing before it, so that
// nearly parallel edges touch at both ends.
constexpr double kLean = 0.05;
// Squares of lengths below this have lost their digits: such edges are as good as their corners.
constexpr double kShortest = 0x1p-960;

int sign_of(double v) { return v > 0.0 ? 1 : (v < 0.0 ? -1 : 0); }

// Side of a point of B from an edge of A; `turned` by the way in which B is moved aside. With
// `side` -1: of a point of A from an edge of B.
int side_of(const Vec2& p, const Vec2& from, const Vec2& to, int side) {
  const double ux = to.x - from.x, uy = to.y - from.y, vx = p.x - from.x, vy = p.y - from.y;
  const double left = ux * vy, right = uy * vx;
  const double error = 8.0 * kUnit * (std::fabs(left) + std::fabs(right));
  if (left - right > error) return 1;
  if (left - right < -error) return -1;
  const int exact = orientation(from, to, p);
  if (exact != 0) return exact;
  const int first = sign_of(from.y - to.y);
  return side * (first != 0 ? first : sign_of(to.x - from.x));
}

Box2 segment_box(const Vec2& p, const Vec2& q) {
  return {{std::min(p.x, q.x), std::min(p.y, q.y)}, {std::max(p.x, q.x), std::max(p.y, q.y)}};
}

class Finder {
 public:
  Finder(const MovedPair& pair, double threshold, Meeting& out)
      : pair_(pair), a_(pair.a()), b_(pair.b()), threshold_(threshold), out_(out) {}

  void run() {
    out_.crossings.clear();
    out_.near.clear();
    const Box2 all = pair_.moved(b_.tree.box(), threshold_);
    if (!all.meets(a_.tree.box())) return;
    a_.tree.visit_pairs(
        b_.tree, [&](const Box2& box) { return pair_.moved(box, threshold_); },
        [&](std::size_t first_a, std::size_t end_a, std::size_t first_b, std::size_t end_b) {
          leaves(first_a, end_a, first_b, end_b);
          return false;
        });
  }

 private:
  // Edges of A in a run that come near to the run of B, then edge by edge of that.
  void leaves(std::size_t first_a, std::size_t end_a, std::size_t first_b, std::size_t end_b) {
    constexpr std::size_t kLeaf = SegmentTree::kLeaf;
    Vec2 from[kLeaf], to[kLeaf];
    Box2 boxes[kLeaf], all;
    const std::size_t count_b = end_b - first_b;
    for (std::size_t k = 0; k < count_b; ++k) {
      const std::size_t j = first_b + k;
      from[k] = k > 0 && b_.next[j - 1] == j ? to[k - 1] : pair_.point_b(j);
      to[k] = pair_.end_b(j);
      boxes[k] = segment_box(from[k], to[k]);
      boxes[k].low = boxes[k].low - Vec2{threshold_, threshold_};
      boxes[k].high = boxes[k].high + Vec2{threshold_, threshold_};
      all.add(boxes[k]);
    }
    std::size_t near_a[kLeaf];
    Box2 boxes_a[kLeaf];
    std::size_t count_a = 0;
    for (std::size_t i = first_a; i < end_a; ++i) {
      near_a[count_a] = i;
      boxes_a[count_a] = segment_box(a_.start(i), a_.end(i));
      if (boxes_a[count_a].meets(all)) ++count_a;
    }
    for (std::size_t k = 0; k < count_b; ++k) {
      for (std::size_t m = 0; m < count_a; ++m) {
        if (!boxes_a[m].meets(boxes[k])) continue;
        edges(static_cast<std::uint32_t>(near_a[m]), static_cast<std::uint32_t>(first_b + k),
              from[k], to[k]);
      }
    }
  }

  void edges(std::uint32_t i, std::uint32_t j, const Vec2& q0, const Vec2& q1) {
    const Vec2 &p0 = a_.start(i), &p1 = a_.end(i);
    if (q0 == q1) return;
    const int b0 = side_of(q0, p0, p1, 1), b1 = side_of(q1, p0, p1, 1);
    if (b0 != b1) {
      const int a0 = side_of(p0, q0, q1, -1), a1 = side_of(p1, q0, q1, -1);
      if (a0 != a1) {
        out_.crossings.push_back({i, j, part(q0, q1, p0, p1), part(p0, p1, q0, q1), a0 < 0});
      }
    }
    // The start of each edge stands for its corner.
    near(i, j, true, p0, a_.points[a_.previous[i]], p1, q0, q1);
    near(i, j, false, q0, pair_.point_b(b_.previous[j]), q1, p0, p1);
  }

  // Where the line through q0 and q1 cuts the segment from p0 to p1.
  static double part(const Vec2& q0, const Vec2& q1, const Vec2& p0, const Vec2& p1) {
    const double h0 = cross(q1 - q0, p0 - q0), h1 = cross(q1 - q0, p1 - q0);
    return h0 == h1 ? 0.5 : std::min(1.0, std::max(0.0, h0 / (h0 - h1)));
  }

  void near(std::uint32_t i, std::uint32_t j, bool of_a, const Vec2& corner, const Vec2& before,
            const Vec2& after, const Vec2& from, const Vec2& to) {
    add_near_corner(i, j, of_a, corner, before, after, from, to, threshold_, out_.near);
  }

  const MovedPair& pair_;
  const Boundary& a_;
  const Boundary& b_;
  double threshold_;
  Meeting& out_;
};

// Where a point is, exactly: 1 inside B, 0 on its boundary, -1 outside. Edges that cross the ray to
// the right are counted, those that start on it with the upper half.
int location_in_b(const Vec2& p, const MovedPair& pair) {
  bool inside = false;
  const auto wanted = [&](const Box2& box) {
    const Box2 moved = pair.moved(box, 0.0);
    return moved.low.y <= p.y && p.y <= moved.high.y && p.x <= moved.high.x;
  };
  const bool on_it = pair.b().tree.visit(wanted, [&](std::size_t edge) {
    const Vec2 from = pair.point_b(edge), to = pair.end_b(edge);
    if (std::max(from.y, to.y) < p.y || std::min(from.y, to.y) > p.y) return false;
    const int side = orientation(from, to, p);
    if (side == 0 && on_segment(placed(p), placed(from), placed(to))) return true;
    if ((from.y <= p.y) != (to.y <= p.y) && (side > 0) == (from.y < to.y) && side != 0) {
      inside = !inside;
    }
    return false;
  });
  return on_it ? 0 : (inside ? 1 : -1);
}

}  // namespace

void add_near_corner(std::uint32_t i, std::uint32_t j, bool of_a, const Vec2& corner,
                     const Vec2& before, const Vec2& after, const Vec2& from, const Vec2& to,
                     double threshold, std::vector<NearCorner>& out) {
  const Vec2 s = to - from, o = corner - from;
  const double length = dot(s, s), t = dot(o, s);
  if (length < kShortest) return;
  // At the edge's end the next one serves.
  if (t < 0.0 || t >= length) return;
  const double height = -cross(s, o);  // positive outside
  const double root = std::sqrt(length);
  if (height < -8.0 * kUnit * (std::fabs(s.x * o.y) + std::fabs(s.y * o.x)) ||
      height > threshold * root) {
    return;
  }
  const Vec2 way = Vec2{-s.y, s.x} / root;  // from the corner to the edge
  const auto leans = [&](const Vec2& edge) { return dot(edge, way) > kLean * norm(edge); };
  if (leans(before - corner) || leans(after - corner)) return;
  // Through the corner's own body there is no gap.
  const Vec2 in = corner - before, on = after - corner;
  const bool left_of_in = cross(in, way) > 0.0, left_of_on = cross(on, way) > 0.0;
  if (cross(in, on) < 0.0 ? left_of_in || left_of_on : left_of_in && left_of_on) return;
  out.push_back({i, j, of_a, corner, from + s * (t / length), std::max(0.0, height / root)});
}

Box2 MovedPair::moved(const Box2& box, double margin) const {
  const Vec2 middle = (box.low + box.high) * 0.5, half = (box.high - box.low) * 0.5;
  const Vec2 at = pose_.to_world(middle);
  const double c = std::fabs(pose_.cosine()), s = std::fabs(pose_.sine());
  // The turned box errs by some roundings of all that enters it.
  const double grown = margin + 16.0 * kUnit * (largest(box) + largest(pose_.position()));
  const Vec2 reach{c * half.x + s * half.y + grown, s * half.x + c * half.y + grown};
  return {at - reach, at + reach};
}

std::optional<bool> one_inside(const MovedPair& pair) {
  const int b_in_a = location(pair.point_b(0), pair.a(), {});
  const int a_in_b = location_in_b(pair.a().points[0], pair);
  if (b_in_a > 0 || a_in_b > 0) return true;
  if (b_in_a == 0 || a_in_b == 0) return std::nullopt;
  return false;
}

void find_meeting(const MovedPair& pair, double threshold, Meeting& out) {
  Finder(pair, threshold, out).run();
}

}  // namespace tactus::detail
