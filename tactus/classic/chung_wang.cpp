#include "tactus/classic/chung_wang.hpp"

#include <algorithm>
#include <array>

#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

constexpr int kMostPoints = 200;

// For pairs whose symmetry keeps the origin on a face of every tetrahedron found (a reflection at a
// ball's point leads to the other end of a chord through the origin): starts of searches without
// reflections, and what is added there to the middle of the hemisphere. Any directions will do
// that are none of symmetry.
struct Oblique {
  Vec3 start, skew;
};
constexpr Oblique kOblique[] = {{{0.48, 0.6, 0.64}, {0.7, -0.2, -0.3}},
                                {{0.64, -0.48, -0.6}, {-0.3, 0.7, 0.1}},
                                {{-0.28, 0.96, 0.0}, {0.2, 0.3, -0.7}},
                                {{0.36, -0.48, 0.8}, {-0.5, -0.6, 0.2}},
                                {{-0.48, -0.64, -0.6}, {0.1, -0.5, 0.6}}};

// The points w of A - B seen so far, and the middle of a hemisphere that holds all -w.
class Hemisphere {
 public:
  // Takes a new point. When no hemisphere holds all, `tetrahedron` names four points around the
  // origin (up to ties of the orientations, which the caller's proof sorts out).
  bool add(const SupportPoint& p, Simplex& tetrahedron);
  bool contains(const SupportPoint& p) const {
    for (int i = 0; i < count_; ++i) {
      if (points_[static_cast<std::size_t>(i)].w == p.w) return true;
    }
    return false;
  }
  bool full() const { return count_ == kMostPoints; }
  const Vec3& middle() const { return middle_; }

 private:
  const Vec3& w(int i) const { return points_[static_cast<std::size_t>(i)].w; }
  // Positive when, seen along the newest point, w_j is counter-clockwise of w_i.
  int turn(int i, int j) const { return orient3d({}, w(count_ - 1), w(i), w(j)); }
  bool widen(int j);
  void find_middle();

  std::array<SupportPoint, kMostPoints> points_;
  int count_ = 0;
  int first_ = -1, last_ = -1;  // ends of the wedge, counter-clockwise
  bool half_plane_ = false;     // the ends are opposite and the wedge is known to lie between them
  Vec3 middle_;
};

// Takes w_j into the wedge of the points projected along the newest one. False when no half-plane
// holds it any more.
bool Hemisphere::widen(int j) {
  if (first_ < 0) {
    if (cross(w(j), w(count_ - 1)) != Vec3{}) first_ = last_ = j;
    return true;
  }
  const int from_first = turn(first_, j);
  const int to_last = turn(j, last_);
  if (!half_plane_ && turn(first_, last_) == 0) {
    // One ray so far, or two opposite ones: the new one says on which side the wedge lies.
    const bool opposite = first_ != last_;
    if (from_first > 0) {
      if (!opposite) last_ = j;
    } else if (from_first < 0) {
      if (opposite) {
        std::swap(first_, last_);
      } else {
        first_ = j;
      }
    } else if (!opposite) {
      const Vec3 axis = normalized(w(count_ - 1));
      const auto across = [&](int i) { return w(i) - axis * dot(axis, w(i)); };
      if (dot(across(first_), across(j)) < 0.0) last_ = j;
    }
    half_plane_ = opposite && from_first != 0;
    return true;
  }
  if (from_first >= 0 && to_last >= 0) return true;
  if (from_first < 0 && to_last < 0) return false;
  (from_first < 0 ? first_ : last_) = j;
  return true;
}

void Hemisphere::find_middle() {
  const Vec3 axis = normalized(w(count_ - 1));
  if (first_ < 0) {
    middle_ = count_ == 1 ? -axis : any_perpendicular(axis);  // all on one line
    return;
  }
  const auto across = [&](int i) {
    return normalized(w(i) - axis * dot(axis, w(i)), any_perpendicular(axis));
  };
  const Vec3 first = across(first_), last = across(last_);
  const Vec3 sum = first + last, difference = last - first;
  // Perpendicular to the difference where the ends are nearly opposite.
  const Vec3 between = -normalized(
      squared_norm(sum) >= squared_norm(difference) ? sum : cross(difference, axis), axis);
  // Perpendicular to the newest point so far: half as far beyond it as the other points allow.
  double tilt = 1.0;
  for (int j = 0; j + 1 < count_; ++j) {
    const double along = -dot(axis, w(j));
    if (along > 0.0) tilt = std::min(tilt, std::max(-0.5 * dot(between, w(j)), 0.0) / along);
  }
  middle_ = normalized(between - axis * tilt);
}

bool Hemisphere::add(const SupportPoint& p, Simplex& tetrahedron) {
  points_[static_cast<std::size_t>(count_++)] = p;
  if (count_ > 1 && dot(middle_, p.w) <= 0.0) return true;
  first_ = last_ = -1;
  half_plane_ = false;
  for (int j = 0; j + 1 < count_; ++j) {
    if (widen(j)) continue;
    tetrahedron.size = 4;
    tetrahedron.point[0] = points_[static_cast<std::size_t>(first_)];
    tetrahedron.point[1] = points_[static_cast<std::size_t>(last_)];
    tetrahedron.point[2] = points_[static_cast<std::size_t>(j)];
    tetrahedron.point[3] = p;
    return false;
  }
  find_middle();
  return true;
}

void report(const ChungWangOptions& options, const Bounds& bounds, const SupportPoint& p) {
  const SearchState state{"chung_wang", bounds.iterations, -bounds.value,
                          norm(bounds.b - bounds.a)};
  options.observer->simplex({state, {&p.w, 1}, p.direction, p.w, p.a, p.b});
  options.observer->plane({state, p.direction, dot(p.direction, p.w)});
}

class Search {
 public:
  Search(const Cso& cso, const ChungWangOptions& options) : cso_(cso), options_(options) {}

  // From direction s, with so many reflections in a row; steps to the middle are bent by `skew`,
  // less with each step.
  ChungWangOutcome run(Vec3 s, int reflections_in_a_row, Vec3 skew);
  // Ended without a decision although every f(s) is positive: the points are in a special position.
  bool stuck() const { return !result_.bounds.capped && result_.bounds.value > cso_.error_bound; }
  ChungWangResult& result() { return result_; }

 private:
  SupportPoint support(const Vec3& s);

  const Cso& cso_;
  const ChungWangOptions& options_;
  ChungWangResult result_;
};

SupportPoint Search::support(const Vec3& s) {
  SupportPoint p = cso_.grown_support(s);
  Bounds& bounds = result_.bounds;
  const double value = dot(s, p.w);
  if (value < bounds.value) {
    bounds.value = value;
    bounds.n = s;
  }
  if (bounds.iterations++ == 0 || norm(p.w) < norm(bounds.b - bounds.a)) {
    bounds.a = p.a;
    bounds.b = p.b;
  }
  if (bounds.iterations >= options_.max_iterations) bounds.capped = true;
  if (options_.observer != nullptr) report(options_, bounds, p);
  return p;
}

ChungWangOutcome Search::run(Vec3 s, int reflections_in_a_row, Vec3 skew) {
  Hemisphere seen;
  int reflections = 0;
  bool at_middle = false;
  while (true) {
    const SupportPoint p = support(s);
    if (result_.bounds.value < -cso_.error_bound) return ChungWangOutcome::separated;
    const bool again = seen.contains(p);
    // In the middle of the hemisphere f <= 0 on all points seen: one of them there means touching.
    if (result_.bounds.capped || seen.full() || (again && at_middle))
      return ChungWangOutcome::undecided;
    Simplex tetrahedron;
    if (!again && !seen.add(p, tetrahedron)) {
      const double radius = enclosed_radius(tetrahedron);
      result_.bounds.inside = std::max(result_.bounds.inside, radius);
      return radius > cso_.error_bound ? ChungWangOutcome::overlapping
                                       : ChungWangOutcome::undecided;
    }
    at_middle = again || reflections >= reflections_in_a_row;
    if (at_middle) {
      s = normalized(seen.middle() + skew);
      skew = Vec3{skew.y, skew.z, skew.x} * 0.6;  // another direction, lest all stay in a plane
      reflections = 0;
      ++result_.changes_of_direction;
    } else {
      const Vec3 across = normalized(p.w, s);
      s = normalized(s - across * (2.0 * dot(across, s)));
      ++reflections;
      ++result_.reflections;
    }
  }
}

}  // namespace

ChungWangResult chung_wang(const Cso& cso, const ChungWangOptions& options) {
  Search search(cso, options);
  ChungWangOutcome outcome = search.run(options.start, options.reflections, {});
  for (const Oblique& oblique : kOblique) {
    if (outcome != ChungWangOutcome::undecided || !search.stuck()) break;
    outcome = search.run(oblique.start, 0, oblique.skew);
  }
  search.result().outcome = outcome;
  return search.result();
}

ConvexAnswer answer_by_chung_wang(const Cso& cso, const ConvexOptions& options) {
  ChungWangOptions chung_wang_options;
  chung_wang_options.start = options.start == Vec3{} ? cso.between_centers() : options.start;
  chung_wang_options.max_iterations = options.max_iterations;
  chung_wang_options.observer = options.observer;
  return bounded_answer(cso, options, chung_wang(cso, chung_wang_options).bounds);
}

}  // namespace tactus::detail
