#pragma once

#include <span>
#include <vector>

#include "tactus/observer.hpp"
#include "tactus/planar.hpp"
#include "tactus/query.hpp"

// The algorithms of the literature as they are written, for comparison, in a library of its own:
// tactus::classic. docs/algorithms has a page on each, with its sources.
namespace tactus {

/// From now on `QueryOptions::method` may ask for Method::epa_classic, mpr, chung_wang,
/// separating_plane and v_clip, and for sat of all polytopes, which answer Status::unsupported
/// before. Nothing that Method::automatic answers changes. Call it at the start of the program;
/// again does nothing. Never throws.
void enable_classic_methods();

/// Options of `portal_depths`; the defaults serve.
struct PortalOptions {
  /// The direction in which A is moved out of B, negated: such as the velocity of A relative to B.
  /// World frame, any length; zero: along the ray from the centre of A - B through the origin.
  Vec3 along;
  double tolerance = 1e-8;  ///< of the portal's distance from the surface, relative to the size
  int max_iterations = 128;
  Observer* observer = nullptr;
};

/// Answer of Minkowski portal refinement for two convex bodies: world frame, lengths.
struct PortalDepths {
  /// `invalid_input` (a number that is not finite), `unsupported` (a half-space, mesh or compound);
  /// `iteration_limit` where the sign was not decided.
  Status status = Status::unsupported;
  bool overlap = false;  ///< proved; not of bodies apart, and of none that touch within rounding
  Vec3 ray;              ///< unit
  /// Moving A by `t` against the ray separates the bodies for t >= ray_upper and for no
  /// t < ray_lower.
  double ray_lower = 0.0, ray_upper = 0.0;
  Vec3 normal;                ///< unit, of the last portal, from A to B
  double normal_depth = 0.0;  ///< moving A by so much against `normal` separates the bodies
  Vec3 point_a, point_b;      ///< where the ray meets the surface
  int iterations = 0;         ///< support evaluations
};

/// The depths of Minkowski portal refinement, which `Method::mpr` turns into a bracket: along the
/// ray and along the portal's normal. Both are upper bounds of the penetration depth, not the
/// least. Never throws. Source: snethen2008xenocollide; leemann2017, section 2.4;
/// docs/algorithms/mpr.md.
/// @code{.cpp}
/// const Shape ball = Sphere(1.0);
/// const PortalDepths d = portal_depths(ball, {}, ball, Pose::translation({1.5, 0, 0}));
/// assert(d.normal_depth > 0.5 - 1e-6);  // never less than the depth
/// @endcode
PortalDepths portal_depths(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const PortalOptions& options = {}) noexcept;

/// Options of `polytope_depth`; the defaults are those of the literature.
struct PolytopeOptions {
  double eps = 1e-7;     ///< relative: stop when the support plane is so little beyond the face
  double margin = 0.0;   ///< each body is grown by a ball of this radius, taken off in the end
  bool spheres = false;  ///< take a sphere through a face and its support point for the surface
  int max_iterations = 400;
  Observer* observer = nullptr;
};

/// Answer of the expanding polytope algorithm as in the literature: world frame.
struct PolytopeDepth {
  Status status = Status::unsupported;  ///< as of `PortalDepths`; `precision_limit`: it broke down
  bool collision = false;               ///< a depth >= 0 was reported; it may be missed
  double depth = 0.0;                   ///< minus the distance of bodies apart
  Vec3 normal;                          ///< unit, from A to B
  Vec3 point_a, point_b;
  int iterations = 0;  ///< support evaluations
};

/// The literal expanding polytope with its margin and its interpolation by spheres. It proves
/// nothing: `Method::epa_classic` gives the bracket that can be relied upon. Never throws. Source:
/// leemann2017, sections 2.3, 3.3 and 4.3; docs/algorithms/epa.md.
PolytopeDepth polytope_depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             const PolytopeOptions& options = {}) noexcept;

/// Options of `separating_vector`; the defaults serve.
struct ReflectionOptions {
  /// First direction, world frame, any length: what an earlier query found; zero: from centre to
  /// centre.
  Vec3 start;
  int reflections = 1;  ///< in a row, >= 0, before a step to the middle of the hemisphere
  int max_iterations = 128;
  Observer* observer = nullptr;
};

/// Answer of the search for a separating vector by reflections: world frame.
struct SeparatingVector {
  Status status = Status::unsupported;  ///< as of `PortalDepths`
  Overlap overlap = Overlap::undecided;
  Vec3 vector;         ///< unit, from A to B: the best one met
  double gap = 0.0;    ///< between the supporting planes across it; negative where they overlap
  int iterations = 0;  ///< support evaluations
  int reflections = 0, changes_of_direction = 0;
};

/// Chung and Wang's search, which `Method::chung_wang` turns into a bracket. Both verdicts are
/// proved, `undecided` bodies touch nearly or the cap was met. The papers reflect until a point
/// comes again, which smooth bodies never grant: `reflections` is after how many to go to the
/// middle instead. Never throws. Source: chung1996separating; huotari2011, section 5.4;
/// docs/algorithms/chung-wang.md.
SeparatingVector separating_vector(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b,
                                   const ReflectionOptions& options = {}) noexcept;

/// The point of the segment from p to q that is nearest to x; p where both are one. Finite points.
/// Never throws. Source: huotari2011, chapter 2.
Vec3 nearest_on_segment(const Vec3& p, const Vec3& q, const Vec3& x) noexcept;

/// The point of the plane normal . y = offset that is nearest to x; the normal need not be unit,
/// and must not be zero. Finite values. Never throws. Source: huotari2011, chapter 2.
Vec3 nearest_on_plane(const Vec3& normal, double offset, const Vec3& x) noexcept;

/// The point of the triangle a b c that is nearest to x, by the triangle's Voronoi regions: the
/// first edge that x lies beyond, which the source takes, is not always the nearest. Flat triangles
/// are the segments or points that they are. Finite points. Never throws. Source: huotari2011,
/// chapter 2; ericson2004rtcd, section 5.1.5.
Vec3 nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x) noexcept;

/// When two spheres on straight ways meet and part: the roots of a quadratic in t.
struct SphereMeeting {
  bool meet = false;  ///< at some time; what only grazes within rounding may or may not
  /// They overlap or touch from `first` to `last`, before 0 or after 1 too; both infinite, with
  /// opposite signs, where they always do.
  double first = 0.0, last = 0.0;
};

/// Spheres whose centres are apart by `apart` (B's less A's) at t = 0 and by `apart + way t` at t;
/// `reach` is the sum of the radii, >= 0. `cast` proves the first time in [0, 1]; this is the plain
/// formula, within some roundings of it. Finite values. Never throws. Source: huotari2011, section
/// 6.1.
SphereMeeting sphere_meeting(const Vec3& apart, const Vec3& way, double reach) noexcept;

/// A place where the circle's rule of advancedgamesphysics finds a touch.
struct LiteralTouch {
  bool found = false;       ///< some segment, or corner, was chosen
  bool touching = false;    ///< its distance is no more than the radius
  std::size_t segment = 0;  ///< the first of the nearest
  double part = 0.0;        ///< S.O / |S|: from the segment's start along it, signed
  double distance = 0.0;    ///< |O x S| / |S|: without a sign; at a corner |O|
  planar::Vec2 point;       ///< world
  double angle = 0.0;       ///< arctan(dy / dx), in (-pi/2, pi/2]: the same from both sides
  bool corner = false;
};

/// Every touch that the source's rule for a circle and a contour finds, in the order of the
/// segments: of each segment with 0 <= part <= |S| its foot, and of a convex corner, where the
/// centre lies beyond the segment that ends there and before the one that starts there, the corner;
/// at either end of an open contour that end. Each counts where its distance is no more than the
/// radius, so that a concave corner gives two touches, as the source says. The places are those of
/// `touches` but for ties within rounding; the angle has no direction, and a foot exactly on a
/// corner is named twice. `out` is emptied first. Cost: O(n). Throws what `out` does where it
/// grows. Source: advancedgamesphysics, "Kreis trifft auf Polygon";
/// docs/algorithms/planar-rules.md.
void literal_touches(const planar::Circle& circle, const planar::Pose2& pose_circle,
                     const planar::Contour& contour, const planar::Pose2& pose_contour,
                     std::vector<LiteralTouch>& out);

/// The nearest place alone, which the source's steps 1 to 4 name: of the segments with 0 <= part <=
/// |S| the first one with the least |O x S| / |S|, touching or not. `corners` adds the rule for
/// convex corners: outside of that, the distance from the segment's nearer end counts.
/// `literal_touches` is the whole rule: of the two touches at a concave corner this names one.
/// Never throws. Cost: O(n). Source: advancedgamesphysics, "Kreis trifft auf Polygon";
/// docs/algorithms/planar-rules.md.
LiteralTouch literal_touch(const planar::Circle& circle, const planar::Pose2& pose_circle,
                           const planar::Contour& contour, const planar::Pose2& pose_contour,
                           bool corners = false) noexcept;

/// One of the bodies of `literal_collision`.
struct LiteralBody {
  const planar::Region* region = nullptr;
  planar::Pose2 pose;
};

/// Which of the source's measures are taken.
struct LiteralRules {
  bool circles = true;  ///< only bodies whose bounding circles about the centroids meet
  bool culling = true;  ///< without the points behind the opponent's centroid: D.Q > |D|^2
  bool both = true;     ///< each body is initiator once; else only the first of each pair
};

/// A contour point: numbered through the outer contour, then the holes.
struct LiteralPoint {
  std::size_t body = 0, opponent = 0, point = 0;
  planar::Vec2 place;  ///< world
};

/// A test ray that met a segment: from the initiator's centroid through one of its points.
struct LiteralRay {
  std::size_t initiator = 0, point = 0, opponent = 0, segment = 0;
  planar::Vec2 from, to, place;   ///< world; `place` on the segment
  double lambda = 0.0, mu = 0.0;  ///< fractions of the segment and of the ray, both in [0, 1]
};

/// Verdict of the rules, and how many tests of a ray against a segment it took.
struct LiteralVerdict {
  bool collision = false;
  std::vector<LiteralPoint> active;  ///< the points that culling keeps
  std::vector<LiteralRay> hits;
  /// Tests of a ray against a segment: all of them, those left by the bounding circles, and those
  /// made, left by the culling too.
  std::size_t tests_all = 0, tests_after_circles = 0, tests_made = 0;
};

/// The literal rules for regions, of any number of bodies. UNSAFE, for comparison: rays from a
/// centroid see only what is star-shaped about it, miss what lies inside a body, and report what
/// lies between a centroid and a far part of its own contour; culling drops points that touch.
/// `overlap` is the answer to rely on. Cost: O(I J) for each pair. Source: advancedgamesphysics,
/// "Polygon trifft auf Polygon"; docs/algorithms/planar-rules.md.
LiteralVerdict literal_collision(std::span<const LiteralBody> bodies,
                                 const LiteralRules& rules = {});

}  // namespace tactus
