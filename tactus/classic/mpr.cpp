#include "tactus/classic/mpr.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

// A centre nearer to the origin than this fraction of the pair's size gives a ray whose direction
// is mostly rounding, and a thin proof.
constexpr double kCentral = 1e-6;

// Error of the cosine of two unit vectors, with a margin of two.
constexpr double kSlopeRounding = 8.0 * kEpsilon;

// Further inner points: the centre and three support points in oblique directions, with weights
// that give no symmetry even between the corners of a box; and what is added to the direction of
// the first support point, which on a ball would lie on the ray.
struct Oblique {
  Vec3 support[3];
  Vec3 lean;
};
constexpr double kCenterWeight = 0.5;
constexpr double kSupportWeight[3] = {0.26, 0.15, 0.09};
constexpr Oblique kOblique[] = {
    {{{0.48, 0.6, 0.64}, {-0.6, 0.64, -0.48}, {0.64, -0.48, -0.6}}, {0.3, -0.4, 0.2}},
    {{{-0.64, 0.48, -0.6}, {-0.48, -0.64, 0.6}, {0.6, 0.48, 0.64}}, {-0.2, 0.3, 0.4}}};

class Search {
 public:
  Search(const Cso& cso, const MprOptions& options) : cso_(cso), options_(options) {}

  MprResult run();

 private:
  enum class Goal : std::uint8_t { sign, surface };

  bool ended() const { return decided_ || r_.bounds.capped; }
  SupportPoint support(const Vec3& n);
  SupportPoint center() const;
  SupportPoint inner_point(const SupportPoint& center, const Oblique& oblique);
  // Sign of the side of the plane through the line and w_i on which w_j lies.
  int side(int i, int j) const { return orient3d({}, portal_[i].w, portal_[j].w, back_); }
  bool discover(const SupportPoint& apex, const Vec3& back, const Vec3& lean = {});
  void refine(const SupportPoint& apex, Goal goal);
  void replace(const SupportPoint& p);
  bool is_corner(const SupportPoint& p) const;
  void try_proof(const SupportPoint& apex);
  void measure(double height, double value, const Vec3& n);
  void take_crossing();
  void take_nearest();
  void report(const SupportPoint& p) const;

  const Cso& cso_;
  const MprOptions& options_;
  MprResult r_;
  bool decided_ = false;  // proved apart
  bool proved_ = false;   // proved to overlap
  Vec3 back_;             // a point of the line, behind the origin as the ray goes
  Vec3 apex_;             // the inner point that the portal is seen from
  std::array<SupportPoint, 3> portal_;
  int corners_ = 0;                                           // of the portal, found so far
  double nearest_ = std::numeric_limits<double>::infinity();  // |a - b| of the bounds
};

SupportPoint Search::support(const Vec3& n) {
  SupportPoint p = cso_.grown_support(n);
  Bounds& bounds = r_.bounds;
  ++bounds.iterations;
  const double value = dot(n, p.w);
  if (value < bounds.value) {
    bounds.value = value;
    bounds.n = n;
  }
  if (value < -cso_.error_bound) decided_ = true;
  if (bounds.iterations >= options_.max_iterations) bounds.capped = true;
  if (options_.observer != nullptr) report(p);
  return p;
}

void Search::report(const SupportPoint& p) const {
  Vec3 corners[4] = {apex_};
  for (int i = 0; i < corners_; ++i) corners[i + 1] = portal_[static_cast<std::size_t>(i)].w;
  const Bounds& bounds = r_.bounds;
  const SearchState state{"mpr", bounds.iterations, -bounds.value,
                          proved_ ? -bounds.inside : nearest_};
  const std::span<const Vec3> portal{corners, static_cast<std::size_t>(corners_ + 1)};
  options_.observer->simplex({state, portal, p.direction, p.w, p.a, p.b});
}

SupportPoint Search::center() const {
  SupportPoint p;
  p.a = cso_.a.center;
  p.b = cso_.rotation * cso_.b.center + cso_.translation;
  p.w = p.a - p.b;
  return p;
}

SupportPoint Search::inner_point(const SupportPoint& center, const Oblique& oblique) {
  SupportPoint p;
  p.a = center.a * kCenterWeight;
  p.b = center.b * kCenterWeight;
  for (int i = 0; i < 3 && !ended(); ++i) {
    const SupportPoint s = support(oblique.support[i]);
    p.a += s.a * kSupportWeight[i];
    p.b += s.b * kSupportWeight[i];
  }
  p.w = p.a - p.b;
  return p;
}

// Finds a portal: three support points such that the ray from the apex through the origin runs
// between the planes of the apex and each two of them.
bool Search::discover(const SupportPoint& apex, const Vec3& back, const Vec3& lean) {
  back_ = back;
  apex_ = apex.w;
  corners_ = 0;
  const Vec3 along = normalized(normalized(-back) + lean);
  portal_[0] = support(along);
  corners_ = 1;
  if (ended()) return false;
  portal_[1] = support(normalized(cross(portal_[0].w, back), any_perpendicular(along)));
  corners_ = 2;
  if (ended()) return false;
  Vec3 n = cross(portal_[0].w - apex.w, portal_[1].w - apex.w);
  if (side(0, 1) > 0) {
    std::swap(portal_[0], portal_[1]);
    n = -n;
  }
  while (true) {
    portal_[2] = support(normalized(n, any_perpendicular(along)));
    corners_ = 3;
    // A corner met again: A - B does not reach beyond the plane of the apex and two corners.
    if (ended() || portal_[2].w == portal_[0].w || portal_[2].w == portal_[1].w) return false;
    if (side(0, 2) < 0) {
      portal_[1] = portal_[2];
    } else if (side(2, 1) < 0) {
      portal_[0] = portal_[2];
    } else {
      return true;
    }
    n = cross(portal_[0].w - apex.w, portal_[1].w - apex.w);
  }
}

bool Search::is_corner(const SupportPoint& p) const {
  return p.w == portal_[0].w || p.w == portal_[1].w || p.w == portal_[2].w;
}

// The new point takes the place of the corner on the far side of the ray. A corner on the ray
// itself (a sphere's first support point) is beside nothing, so that both signs count.
void Search::replace(const SupportPoint& p) {
  const auto beside = [&](std::size_t i) { return orient3d({}, portal_[i].w, p.w, back_); };
  const int first = beside(0);
  if (first >= 0 && beside(1) <= 0) {
    portal_[2] = p;
  } else if (first <= 0 && beside(2) >= 0) {
    portal_[1] = p;
  } else {
    portal_[0] = p;
  }
}

void Search::try_proof(const SupportPoint& apex) {
  Simplex tetrahedron;
  tetrahedron.size = 4;
  tetrahedron.point[0] = apex;
  for (int i = 0; i < 3; ++i) tetrahedron.point[i + 1] = portal_[static_cast<std::size_t>(i)];
  r_.bounds.inside = std::max(r_.bounds.inside, enclosed_radius(tetrahedron));
  proved_ = r_.bounds.inside > cso_.error_bound;
}

// The ray leaves A - B between the portal and the support plane.
void Search::measure(double height, double value, const Vec3& n) {
  r_.normal = n;
  r_.normal_depth = value;
  const double slope = dot(n, r_.ray);
  if (!(slope > kSlopeRounding)) return;
  r_.ray_lower = std::max(r_.ray_lower, (height - cso_.error_bound) / (slope + kSlopeRounding));
  r_.ray_upper = std::min(r_.ray_upper, (value + cso_.error_bound) / (slope - kSlopeRounding));
}

void Search::refine(const SupportPoint& apex, Goal goal) {
  while (true) {
    const Vec3 normal = cross(portal_[1].w - portal_[0].w, portal_[2].w - portal_[0].w);
    if (!(max_abs(normal) > 0.0)) return;
    const Vec3 n = normalized(normal);
    const double height =
        std::min({dot(n, portal_[0].w), dot(n, portal_[1].w), dot(n, portal_[2].w)});
    if (orient3d({}, portal_[0].w, portal_[1].w, portal_[2].w) >= 0) {
      try_proof(apex);
      // Clearly behind the portal: proved, or on an edge of the tetrahedron, which stays there.
      if (goal == Goal::sign && height > cso_.error_bound) return;
    }
    const SupportPoint p = support(n);
    if (ended()) return;
    const double value = dot(n, p.w);
    if (goal == Goal::surface) measure(height, value, n);
    const double gap =
        goal == Goal::surface ? std::max(options_.gap, cso_.error_bound) : cso_.error_bound;
    if (value - height <= gap || is_corner(p)) return;
    replace(p);
  }
}

// Where the ray crosses the portal: weights in the ratio of the volumes that the line makes with
// the edges.
void Search::take_crossing() {
  Simplex crossing;
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    crossing.point[i] = portal_[i];
    crossing.weight[i] =
        std::max(-dot(cross(portal_[(i + 1) % 3].w, portal_[(i + 2) % 3].w), back_), 0.0);
    sum += crossing.weight[i];
  }
  if (!(sum > 0.0)) return;
  for (double& weight : crossing.weight) weight /= sum;
  crossing.size = 3;
  r_.bounds.a = crossing.closest_a();
  r_.bounds.b = crossing.closest_b();
}

// The point of the portal, or of what there is of it, nearest to the origin.
void Search::take_nearest() {
  if (corners_ == 0) return;
  Simplex nearest;
  for (int i = 0; i < corners_; ++i) nearest.point[i] = portal_[static_cast<std::size_t>(i)];
  nearest.size = corners_;
  reduce(nearest);
  const double distance = norm(nearest.closest());
  if (!(distance < nearest_)) return;
  nearest_ = distance;
  r_.bounds.a = nearest.closest_a();
  r_.bounds.b = nearest.closest_b();
}

MprResult Search::run() {
  const SupportPoint middle = center();
  nearest_ = norm(middle.w);
  r_.bounds.a = middle.a;
  r_.bounds.b = middle.b;
  const bool central = norm(middle.w) <= kCentral * cso_.size();
  const bool own_ray = options_.ray == Vec3{} && !central;
  if (own_ray) {
    r_.ray = normalized(-middle.w);
  } else {
    r_.ray = options_.ray == Vec3{} ? Vec3{0.0, 0.0, 1.0} : options_.ray;
  }
  bool crossed = !central && discover(middle, middle.w);
  if (crossed) refine(middle, Goal::sign);
  for (const Oblique& oblique : kOblique) {
    take_nearest();
    if (proved_ || ended() || r_.bounds.value <= cso_.error_bound) break;
    crossed = false;
    const SupportPoint apex = inner_point(middle, oblique);
    if (!ended() && discover(apex, apex.w, oblique.lean)) refine(apex, Goal::sign);
  }
  take_nearest();
  if (proved_ && !ended() && !options_.stop_at_sign) {
    // The portal of the centre ray goes on to the surface; any other ray starts from the origin,
    // which is known to lie inside.
    const SupportPoint apex = crossed && own_ray ? middle : SupportPoint{};
    if ((crossed && own_ray) || discover(apex, -r_.ray)) refine(apex, Goal::surface);
    if (r_.normal != Vec3{}) take_crossing();
  }
  r_.outcome = decided_  ? MprOutcome::separated
               : proved_ ? MprOutcome::overlapping
                         : MprOutcome::undecided;
  return r_;
}

}  // namespace

MprResult mpr(const Cso& cso, const MprOptions& options) { return Search(cso, options).run(); }

ConvexAnswer answer_by_mpr(const Cso& cso, const ConvexOptions& options) {
  MprOptions mpr_options;
  mpr_options.gap = options.tolerance * std::max(cso.a.extent, cso.b.extent);
  mpr_options.stop_at_sign = options.sign_only;
  mpr_options.max_iterations = options.max_iterations;
  mpr_options.observer = options.observer;
  return bounded_answer(cso, options, mpr(cso, mpr_options).bounds);
}

}  // namespace tactus::detail
