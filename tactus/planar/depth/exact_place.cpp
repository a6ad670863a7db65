#include "tactus/planar/depth/exact_place.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tactus::detail {
namespace {

using Difference = Expansion<2>;

// Range of the coordinates' magnitudes, zero aside, in which products of four differences, to their
// last bits, are doubles.
constexpr double kLeast = 0x1p-190, kMost = 0x1p190;

Difference difference(double a, double b) { return Difference(two_difference(a, b)); }

struct ExactVec {
  Difference x, y;
  ExactVec(const Vec2& to, const Vec2& from)
      : x(difference(to.x, from.x)), y(difference(to.y, from.y)) {}
};

Expansion<2> alone(double x) { return Expansion<2>(TwoTerms{x, 0.0}); }

template <int M>
Expansion<M> minus(Expansion<M> e) {
  for (int i = 0; i < e.size; ++i) e.term[static_cast<std::size_t>(i)] = -e[i];
  return e;
}

// A slide in exact numbers: the translation at its start, and the way to its end.
struct ExactSlide {
  Expansion<4> x, y;
  ExactVec way;
  ExactSlide(const Slide& s, const Boundary& a, const Boundary& b, const Vec2& shift)
      : way(s.edge_of_a ? ExactVec(a.end(s.edge), a.start(s.edge))
                        : ExactVec(b.start(s.edge), b.end(s.edge))) {
    const Vec2 on_a = s.edge_of_a ? a.start(s.edge) : a.points[s.corner];
    const Vec2 on_b = s.edge_of_a ? b.points[s.corner] : b.start(s.edge);
    const ExactVec apart(on_a, on_b);
    x = apart.x - alone(shift.x);
    y = apart.y - alone(shift.y);
  }
};

template <int M, int N>
auto cross_of(const Expansion<M>& ax, const Expansion<M>& ay, const Expansion<N>& bx,
              const Expansion<N>& by) {
  return ax * by - ay * bx;
}

template <int M, int N>
void set(Expansion<M>& to, const Expansion<N>& from) {
  static_assert(N <= M);
  to.size = from.size;
  std::copy_n(from.term.begin(), from.size, to.term.begin());
}

// start + way * part / whole, whole > 0.
template <int M, int N>
ExactPlace place_on(const ExactSlide& s, const Expansion<M>& part, const Expansion<N>& whole) {
  ExactPlace p;
  set(p.x, s.x * whole + s.way.x * part);
  set(p.y, s.y * whole + s.way.y * part);
  set(p.w, whole);
  p.rounded = Vec2{p.x.estimate(), p.y.estimate()} / p.w.estimate();
  return p;
}

Ray reversed(const Ray& r) { return {r.to, r.from}; }

bool same_direction(const Ray& u, const Ray& v) { return turn(u, v) == 0 && dot_sign(u, v) > 0; }

bool closed_holds(const Sector& s, const Ray& d) { return holds(s, d) || same_direction(d, s.end); }

}  // namespace

std::optional<Sector> way_out(const Sector& a, const Sector& b) {
  const int opening_a = turn(a.start, a.end), opening_b = turn(b.start, b.end);
  if (opening_a < 0 && opening_b < 0) return std::nullopt;
  // A notch lets its counterpart out wherever it opens to.
  if (opening_a < 0) {
    const Sector notch{a.end, a.start};
    if (!closed_holds(notch, b.start) || !closed_holds(notch, b.end)) return std::nullopt;
    return notch;
  }
  if (opening_b < 0) {
    const Sector notch{b.end, b.start};
    if (!closed_holds(notch, a.start) || !closed_holds(notch, a.end)) return std::nullopt;
    return Sector{reversed(notch.start), reversed(notch.end)};
  }
  // Else all directions but those from B's corner into A's: the least sector of both, at most half
  // a turn.
  const Ray starts[] = {a.start, reversed(b.start)}, ends[] = {a.end, reversed(b.end)};
  for (const Ray& start : starts) {
    for (const Ray& end : ends) {
      const int opening = turn(start, end);
      if (opening < 0 || (opening == 0 && dot_sign(start, end) > 0)) continue;
      const Sector both{start, end};
      const auto within = [&](const Ray& d) { return closed_holds(both, d); };
      if (std::all_of(starts, starts + 2, within) && std::all_of(ends, ends + 2, within))
        return Sector{end, start};
    }
  }
  return std::nullopt;
}

bool ExactPair::in_range() const {
  const auto fits = [](const Vec2& p) {
    return (p.x == 0.0 || (std::fabs(p.x) >= kLeast && std::fabs(p.x) <= kMost)) &&
           (p.y == 0.0 || (std::fabs(p.y) >= kLeast && std::fabs(p.y) <= kMost));
  };
  return fits(shift_) && std::all_of(a_.points.begin(), a_.points.end(), fits) &&
         std::all_of(b_.points.begin(), b_.points.end(), fits);
}

ExactPlace ExactPair::nearest(const Slide& slide) const {
  const ExactSlide s(slide, a_, b_, shift_);
  const auto whole = s.way.x * s.way.x + s.way.y * s.way.y;
  const auto part = minus(s.x * s.way.x + s.y * s.way.y);
  if (part.sign() <= 0) return place_on(s, Expansion<2>(), alone(1.0));
  if ((whole - part).sign() <= 0) return place_on(s, alone(1.0), alone(1.0));
  return place_on(s, part, whole);
}

std::optional<ExactPlace> ExactPair::crossing(const Slide& one, const Slide& other) const {
  const ExactSlide s(one, a_, b_, shift_), r(other, a_, b_, shift_);
  auto whole = cross_of(s.way.x, s.way.y, r.way.x, r.way.y);
  const int turn = whole.sign();
  if (turn == 0) return std::nullopt;
  if (turn < 0) whole = minus(whole);
  const auto gap_x = r.x - s.x, gap_y = r.y - s.y;
  // Along a slide, in units of `whole`: of the other's line.
  const auto part_of = [&](const auto& way) {
    const auto part = cross_of(gap_x, gap_y, way.x, way.y);
    return turn < 0 ? minus(part) : part;
  };
  const auto outside = [&](const auto& part) {
    return part.sign() < 0 || (whole - part).sign() < 0;
  };
  const auto part = part_of(r.way);
  if (outside(part) || outside(part_of(s.way))) return std::nullopt;
  return place_on(s, part, whole);
}

/// Where the boundaries touch.
struct ExactPair::Contacts {
  std::vector<Sector> ways;  ///< out of each of them
  bool overlap = false;      ///< edges cross, or a contact leaves no way
  double slack = 0.0;

  void add(const Sector& a, const Sector& b) {
    const std::optional<Sector> way = way_out(a, b);
    overlap = overlap || !way;
    if (way) ways.push_back(*way);
  }
};

namespace {

/// An edge, and a point seen from it: on which side of its line, and where along it. One of both
/// belongs to A, the other to B at the place.
class Beside {
 public:
  // `sign`: -1 where the edge is B's, so that the place is taken from the point.
  Beside(const Vec2& start, const Vec2& end, const Vec2& point, const Vec2& shift, double sign,
         const ExactPlace& place, double slack)
      : start_(start), end_(end), point_(point), shift_(shift), sign_(sign), place_(place) {
    const Vec2 u = end - start;
    const Vec2 q = (point - start) + (shift + place.rounded) * sign;
    const double side = cross(u, q);
    // The roundings of places are within the slack.
    if (std::fabs(side) > 2.0 * slack * (std::fabs(u.x) + std::fabs(u.y)))
      side_ = side > 0.0 ? 1 : -1;
    else
      side_ = exact(false, start);
  }
  int side() const { return side_; }
  /// On the line: at the start, or between both ends (-1: neither).
  bool is_at_start() const { return side_ == 0 && exact(true, start_) == 0; }
  bool is_between() const { return side_ == 0 && exact(true, start_) > 0 && exact(true, end_) < 0; }

 private:
  // Sign of the cross (or dot) product of the edge and the way from `from` to the point.
  int exact(bool along, const Vec2& from) const {
    const ExactVec u(end_, start_), q(point_, from);
    const Expansion<4> x = q.x + alone(sign_ * shift_.x), y = q.y + alone(sign_ * shift_.y);
    const auto of = [&](const auto& vx, const auto& vy) {
      return along ? u.x * vx + u.y * vy : u.x * vy - u.y * vx;
    };
    const auto moved = of(place_.x, place_.y);
    const auto rest = of(x, y) * place_.w;
    return (sign_ > 0.0 ? rest + moved : rest - moved).sign();
  }

  Vec2 start_, end_, point_, shift_;
  double sign_;
  const ExactPlace& place_;
  int side_ = 0;
};

}  // namespace

void ExactPair::meet(std::size_t i, std::size_t j, const ExactPlace& place, Contacts& found) const {
  const Vec2 &p0 = a_.start(i), &p1 = a_.end(i), &q0 = b_.start(j), &q1 = b_.end(j);
  const Beside start_b(p0, p1, q0, shift_, 1.0, place, found.slack);
  const Beside end_b(p0, p1, q1, shift_, 1.0, place, found.slack);
  if (start_b.side() * end_b.side() > 0) return;
  const Beside start_a(q0, q1, p0, shift_, -1.0, place, found.slack);
  const Beside end_a(q0, q1, p1, shift_, -1.0, place, found.slack);
  if (start_a.side() * end_a.side() > 0) return;
  if (start_b.side() * end_b.side() < 0 && start_a.side() * end_a.side() < 0) {
    found.overlap = true;
    return;
  }
  // Corners that are the starts of these edges; others are looked at with theirs.
  if (start_b.is_at_start()) {
    found.add(a_.sector_at(i), b_.sector_at(j));
    return;
  }
  if (start_b.is_between()) found.add(a_.half_plane(i), b_.sector_at(j));
  if (start_a.is_between()) found.add(a_.sector_at(i), b_.half_plane(j));
}

bool ExactPair::has_room(const ExactPlace& place, double slack) const {
  Contacts found;
  found.slack = slack;
  const Vec2 total = shift_ + place.rounded;
  for (std::size_t j = 0; j < b_.size() && !found.overlap; ++j) {
    Box2 box = box_of(b_.start(j) + total, b_.end(j) + total);
    box.low = box.low - Vec2{slack, slack};
    box.high = box.high + Vec2{slack, slack};
    a_.tree.visit([&](const Box2& node) { return node.meets(box); },
                  [&](std::size_t i) {
                    meet(i, j, place, found);
                    return found.overlap;
                  });
  }
  if (found.overlap) return false;
  // A direction that all leave is next to the start of one of their sectors.
  return std::any_of(found.ways.begin(), found.ways.end(), [&](const Sector& first) {
    return std::all_of(found.ways.begin(), found.ways.end(),
                       [&](const Sector& way) { return holds(way, first.start); });
  });
}

}  // namespace tactus::detail
