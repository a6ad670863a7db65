#include "tactus/planar/convex_meeting.hpp"

#include <algorithm>
#include <bit>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Rounding of a height over a line, in units of the largest coordinates: placing (16), the normal
// and its offset (6), products and sums (6).
constexpr double kHeightError = 64.0 * kUnit;

/// Corners of one body beyond the other along the way between them, and the rest.
struct Slab {
  unsigned left_a = 0, left_b = 0;  ///< not beyond
};

// std::has_single_bit counts them all, by a call where the processor need not have a count.
bool is_one_bit(unsigned marks) { return marks != 0 && (marks & (marks - 1)) == 0; }

unsigned all_of(const Corners& ring) { return (1U << ring.size) - 1U; }

// The way leads from the middle of A to that of B. What is farther than the margin
// beyond the other's last corner along it is beyond.
Slab find_slab(const Corners& a, const Corners& b, const double* x, const double* y,
               const Vec2& way, double margin) {
  using namespace two_doubles;
  Lanes of_a[kSmallConvex / 2], of_b[kSmallConvex / 2];
  const Lanes nx = all(way.x), ny = all(way.y);
  Lanes highest = all(-kInfinity), lowest = all(kInfinity);
  for (std::size_t i = 0; i < a.size; i += 2) {
    of_a[i / 2] = nx * load(a.x + i) + ny * load(a.y + i);
    highest = greater(of_a[i / 2], highest);
  }
  for (std::size_t i = 0; i < b.size; i += 2) {
    of_b[i / 2] = nx * load(x + i) + ny * load(y + i);
    lowest = lesser(of_b[i / 2], lowest);
  }
  const Lanes top = all(std::max(highest[0], highest[1]) + margin);
  const Lanes bottom = all(std::min(lowest[0], lowest[1]) - margin);
  Slab slab;
  for (std::size_t i = 0; i < a.size; i += 2) {
    slab.left_a |= bits_of(at_most(bottom, of_a[i / 2])) << i;
  }
  for (std::size_t i = 0; i < b.size; i += 2) {
    slab.left_b |= bits_of(at_most(of_b[i / 2], top)) << i;
  }
  slab.left_a &= all_of(a);
  slab.left_b &= all_of(b);
  return slab;
}

/// One body's edges, and the other's corners in its frame by `corner(k)`, looked at when asked for.
template <class Corner>
class View {
 public:
  View(const Corners& edges, const Corners& other, unsigned left, double error, Corner corner)
      : edges_(edges), other_(other), corner_(corner), left_(left), error_(error) {
    outside_ = all_of(other) & ~left;
  }

  const Corners& edges() const { return edges_; }
  const Corners& other() const { return other_; }
  double error() const { return error_; }
  unsigned inside() const { return inside_; }
  double height(std::size_t edge, std::size_t k) const {
    return dot(edges_.normal(edge), corner_(k)) - edges_.height[edge];
  }

  /// Looks at all corners that are not beyond; false when it cannot tell where one is.
  bool look() {
    for (unsigned rest = left_; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(rest));
      const unsigned bit = 1U << k;
      if (look_at(k)) {
        inside_ |= bit;
      } else if (code_[k] != 0) {
        outside_ |= bit;
      } else {
        return false;
      }
    }
    return true;
  }

  /// Edges of the other, by their starts, with both ends outside and not beyond one and the same
  /// edge.
  unsigned unclear() {
    unsigned edges = 0;
    for (unsigned rest = (left_ | before(left_)) & outside_ & before(outside_); rest != 0;
         rest &= rest - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(rest)), next = other_.next(k);
      if ((code(k) & code(next)) == 0) edges |= 1U << k;
    }
    return edges;
  }

  /// Whether the corners inside are one run and not all.
  bool one_run() const { return is_one_bit(inside_ & ~before(inside_)); }

  /// The edges of the other that lead to, between and from the corners inside.
  void run(std::vector<std::uint32_t>& out) const {
    const std::size_t n = other_.size;
    auto k = static_cast<std::size_t>(std::countr_zero(inside_ & ~before(inside_)));
    while ((inside_ >> k & 1U) != 0) k = other_.previous(k);
    do {
      out.push_back(static_cast<std::uint32_t>(k));
      k = k + 1 == n ? 0 : k + 1;
    } while ((inside_ >> k & 1U) != 0);
  }

  /// Calls `add(edge, k)` for corners outside that may be at most `threshold` before an edge.
  template <class Add>
  void find_near(double threshold, Add&& add) {
    for (unsigned rest = left_ & outside_; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(rest));
      for (unsigned edges = code_[k]; edges != 0; edges &= edges - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(edges));
        if (height(i, k) <= threshold + error_) add(i, k);
      }
    }
  }

 private:
  /// Corners whose next one has a mark.
  unsigned before(unsigned marks) const {
    return (marks >> 1) | ((marks & 1U) << (std::max<std::size_t>(other_.size, 1) - 1));
  }

  unsigned code(std::size_t k) {
    if ((left_ >> k & 1U) == 0) {
      look_at(k);
      left_ |= 1U << k;
    }
    return code_[k];
  }

  // Notes the edges that the corner is certainly outside of; whether it is certainly inside of all.
  bool look_at(std::size_t k) {
    using namespace two_doubles;
    const Vec2 p = corner_(k);
    const Lanes x = all(p.x), y = all(p.y), limit = all(error_);
    Lanes highest = all(-kInfinity);
    unsigned out = 0;
    for (std::size_t i = 0; i < edges_.size; i += 2) {
      const Lanes h =
          (x * load(edges_.normal_x + i) + y * load(edges_.normal_y + i)) - load(edges_.height + i);
      highest = greater(h, highest);
      out |= bits_of(less(limit, h)) << i;
    }
    code_[k] = out & all_of(edges_);
    return std::max(highest[0], highest[1]) < -error_;
  }

  const Corners& edges_;
  const Corners& other_;
  Corner corner_;
  unsigned left_, inside_ = 0, outside_;
  double error_;
  unsigned code_[kSmallConvex];
};

template <class OfA, class OfB>
void add_near(const MovedPair& pair, OfA& of_a, OfB& of_b, double threshold,
              std::vector<NearCorner>& near) {
  const Corners &a = pair.a().corners, &b = pair.b().corners;
  of_b.find_near(threshold, [&](std::size_t j, std::size_t i) {
    add_near_corner(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), true, a.at(i),
                    a.at(a.previous(i)), a.at(a.next(i)), pair.point_b(j), pair.end_b(j), threshold,
                    near);
  });
  of_a.find_near(threshold, [&](std::size_t i, std::size_t j) {
    add_near_corner(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), false,
                    pair.point_b(j), pair.point_b(b.previous(j)), pair.end_b(j), a.at(i),
                    a.at(a.next(i)), threshold, near);
  });
}

// The edges of the other, both ends outside, that may come in: not beyond one edge, and not with
// all corners to their left.
template <class Seen, class Back>
unsigned passing(Seen& view, const Back& back) {
  unsigned edges = view.unclear();
  for (unsigned left = edges; left != 0; left &= left - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(left));
    bool beside = true;
    for (std::size_t i = 0; i < back.other().size && beside; ++i) {
      beside = back.height(k, i) < -back.error();
    }
    if (beside) edges &= ~(1U << k);
  }
  return edges;
}

// The edges of the other that are inside somewhere. The boundaries cross at two places, so that one
// edge alone may pass, and only where no corner is inside.
template <class Seen>
bool find_run(const Seen& view, unsigned passing_edges, std::vector<std::uint32_t>& run) {
  if (view.inside() != 0) {
    if (passing_edges != 0 || !view.one_run()) return false;
    view.run(run);
  } else {
    if (!is_one_bit(passing_edges)) return false;
    run.push_back(static_cast<std::uint32_t>(std::countr_zero(passing_edges)));
  }
  run.push_back(kRunGap);
  return true;
}

}  // namespace

ConvexMeeting find_convex_meeting(const MovedPair& pair, double threshold,
                                  std::vector<NearCorner>& near, std::vector<std::uint32_t>& run_a,
                                  std::vector<std::uint32_t>& run_b) {
  const Corners &a = pair.a().corners, &b = pair.b().corners;
  near.clear();
  run_a.clear();
  run_b.clear();
  const Pose2& pose = pair.pose();
  const double reach = (a.extent + b.extent) + largest(pose.position());
  const double error = kHeightError * reach;
  const double *x = pair.x_of_b(), *y = pair.y_of_b();
  const Vec2 way = pose.to_world(b.middle) - a.middle;
  const double length = std::fabs(way.x) + std::fabs(way.y);
  const Slab slab = find_slab(a, b, x, y, way, length * (threshold + error));
  if (slab.left_a == 0 && slab.left_b == 0) return ConvexMeeting::apart;
  View of_a(a, b, slab.left_b, error, [&](std::size_t k) { return Vec2{x[k], y[k]}; });
  // The placed ends of an edge of B err, and a line through them errs more far from them.
  View of_b(b, a, slab.left_a, error + (error * reach) / b.shortest,
            [&](std::size_t k) { return pose.to_local(a.at(k)); });
  if (!of_a.look() || !of_b.look()) return ConvexMeeting::unknown;
  if (threshold > 0.0) add_near(pair, of_a, of_b, threshold, near);
  const unsigned passing_a = passing(of_b, of_a), passing_b = passing(of_a, of_b);
  if ((of_a.inside() | of_b.inside()) == 0) {
    return (passing_a | passing_b) == 0 ? ConvexMeeting::apart : ConvexMeeting::unknown;
  }
  if (find_run(of_b, passing_a, run_a) && find_run(of_a, passing_b, run_b)) {
    return ConvexMeeting::overlap;
  }
  return ConvexMeeting::unknown;
}

}  // namespace tactus::detail
