#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "tactus/core.hpp"

namespace tactus::detail {
class SegmentLanes;
class SegmentTree;
struct Boundary;
struct ContactAccess;
struct ContactRoom;
struct PlanarAccess;
}  // namespace tactus::detail

namespace tactus::planar {

/// Plain pair of doubles; like Vec3, with a written-out order of evaluation.
struct Vec2 {
  double x = 0.0;
  double y = 0.0;
  friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};

constexpr Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2 operator-(const Vec2& a) { return {-a.x, -a.y}; }
constexpr Vec2 operator*(const Vec2& a, double s) { return {a.x * s, a.y * s}; }
constexpr Vec2 operator/(const Vec2& a, double s) { return {a.x / s, a.y / s}; }
constexpr double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
/// The third component of the cross product: positive when `b` lies to the left of `a`.
constexpr double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
inline double norm(const Vec2& a) { return std::sqrt(dot(a, a)); }
inline bool is_finite(const Vec2& a) { return std::isfinite(a.x) && std::isfinite(a.y); }

/// Rigid placement in the plane: turns by the angle of (cosine, sine), then moves. No angle is
/// kept.
class Pose2 {
 public:
  /// The identity.
  Pose2() = default;

  /// `angle` in radians, counter-clockwise; the same bits on every machine. Throws InvalidInput
  /// (`position`, `angle`) when a number is not finite or the angle's magnitude is above 1e6.
  Pose2(const Vec2& position, double angle);

  const Vec2& position() const noexcept { return position_; }
  double cosine() const noexcept { return cosine_; }
  double sine() const noexcept { return sine_; }
  bool turned() const noexcept { return cosine_ != 1.0 || sine_ != 0.0; }

  Vec2 direction_to_world(const Vec2& v) const {
    return {cosine_ * v.x - sine_ * v.y, sine_ * v.x + cosine_ * v.y};
  }
  Vec2 direction_to_local(const Vec2& v) const {
    return {cosine_ * v.x + sine_ * v.y, cosine_ * v.y - sine_ * v.x};
  }
  Vec2 to_world(const Vec2& local) const { return direction_to_world(local) + position_; }
  Vec2 to_local(const Vec2& world) const { return direction_to_local(world - position_); }

  /// The pose turned by `angle` more, at `position`; the same bits on every machine. Angles that
  /// are not finite or of a magnitude above 1e6 count as zero.
  Pose2 turned_by(double angle, const Vec2& position) const;

  /// Pose of `b` seen from `a`; the positions are subtracted first.
  static Pose2 relative(const Pose2& a, const Pose2& b);

 private:
  Vec2 position_;
  double cosine_ = 1.0, sine_ = 0.0;
};

/// A disc about the origin of its pose.
class Circle {
 public:
  /// Throws InvalidInput (`radius`) unless the radius is finite and not negative.
  explicit Circle(double radius);
  double radius() const noexcept { return radius_; }

 private:
  double radius_;
};

/// Whether a contour may cross or touch itself.
enum class Crossings : std::uint8_t { refuse, accept };
constexpr std::string_view to_string(Crossings crossings) {
  constexpr std::string_view kNames[] = {"refuse", "accept"};
  return detail::name_in(kNames, crossings);
}

/// A polyline, closed or open, of either winding: a curve without inside. Segment i leads from
/// point i to point i + 1 (the last one of a closed contour back to point 0). Segments of no length
/// are kept as the caller numbered them and touch nothing. Copies share their data.
class Contour {
 public:
  /// Throws InvalidInput (`points`, `points[i]`): fewer than two places that differ, a coordinate
  /// that is not finite or of magnitude above 1e90, and, unless `crossings` accepts it, a contour
  /// that crosses or touches itself: both segments are named. Cost: O(n log n).
  explicit Contour(std::vector<Vec2> points, bool closed = true,
                   Crossings crossings = Crossings::refuse);

  std::span<const Vec2> points() const noexcept { return *points_; }
  bool closed() const noexcept { return closed_; }
  std::size_t segments() const noexcept { return points_->size() - (closed_ ? 0 : 1); }
  Vec2 start(std::size_t segment) const { return (*points_)[segment]; }
  Vec2 end(std::size_t segment) const {
    return (*points_)[segment + 1 == points_->size() ? 0 : segment + 1];
  }

 private:
  friend struct detail::PlanarAccess;
  std::shared_ptr<const std::vector<Vec2>> points_;
  std::shared_ptr<const detail::SegmentTree> tree_;
  std::shared_ptr<const detail::SegmentLanes> lanes_;
  bool closed_;
};

/// Area integrals of a region, of density one.
struct PlanarMass {
  double area = 0.0;
  Vec2 centroid;
  double inertia = 0.0;  ///< second moment about the centroid
};

/// The plane set inside an outer contour and outside all holes, boundary included. Copies share
/// their data.
class Region {
 public:
  /// Contours of either winding. Throws InvalidInput (`outer`, `holes[k]`) for what Contour
  /// refuses, an area of zero, and holes that leave the outer contour, touch a contour or lie in
  /// another hole. Cost: O(n log n).
  explicit Region(std::vector<Vec2> outer, std::vector<std::vector<Vec2>> holes = {});

  /// The outer contour, then the holes.
  std::span<const Contour> contours() const noexcept { return *contours_; }
  const PlanarMass& mass() const noexcept { return mass_; }
  /// Radius about the centroid of a disc that holds the region; rounded up.
  double bounding_radius() const noexcept { return radius_; }
  /// True when contour k, as it was given, has the region to its right.
  bool interior_is_right(std::size_t k) const { return interior_is_right_[k]; }

 private:
  friend struct detail::PlanarAccess;
  std::shared_ptr<const std::vector<Contour>> contours_;
  std::shared_ptr<const detail::Boundary> boundary_;
  std::vector<bool> interior_is_right_;
  PlanarMass mass_;
  double radius_ = 0.0;
};

/// Anything in the plane.
using PlanarShape = std::variant<Circle, Contour, Region>;

/// Where a circle touches a contour.
enum class TouchKind : std::uint8_t {
  segment,  ///< the foot of the perpendicular lies inside the segment
  convex,   ///< a corner is the nearest place
  concave,  ///< one of the two touches at a corner that opens towards the centre
  end,      ///< the end of an open contour
};
constexpr std::string_view to_string(TouchKind kind) {
  constexpr std::string_view kNames[] = {"segment", "convex", "concave", "end"};
  return detail::name_in(kNames, kind);
}

/// One place where the distance from the circle's centre to the contour has a local minimum.
struct Touch {
  Vec2 point;               ///< on the contour, world frame
  std::size_t contour = 0;  ///< 0, or of a region: 0 the outer one, then the holes
  std::size_t segment = 0;  ///< at a corner: the one that starts there
  double part = 0.0;        ///< length from the segment's start to the point
  Vec2 normal{1.0, 0.0};    ///< unit, from the contour to the centre; of a region: outwards
  double angle = 0.0;       ///< of the normal, in (-pi, pi]
  double depth = 0.0;       ///< radius minus distance; of a region: minus signed distance
  TouchKind kind = TouchKind::segment;
};

/// All touches of a circle with a contour, in the order of contours and segments, smaller index
/// first; `out` is cleared and keeps its room, so that a second call does not allocate. A touch is
/// a local minimum of the distance from the centre, at most radius + margin away. Which places
/// are minima, and their kinds, is decided exactly for the centre as it is rounded into the
/// contour's frame; depths err by some roundings of the size. A centre on the contour takes the
/// normal to the right of the segment, at a corner the direction between both segments' right
/// normals. Status: invalid_input where a pose is not finite, and no touch then. Cost: O(log n +
/// touches) for contours whose segments are short against them. Source: advancedgamesphysics, with
/// the corrections that the guide names.
Status touches(const Circle& circle, const Pose2& pose_circle, const Contour& contour,
               const Pose2& pose_contour, std::vector<Touch>& out, double margin = 0.0);

/// Touches of a circle and a region, as for a contour: a circle whose centre is inside counts as
/// deeper by the distance from the boundary, normals point out of the region, and if no boundary is
/// within the radius the nearest one is reported.
Status touches(const Circle& circle, const Pose2& pose_circle, const Region& region,
               const Pose2& pose_region, std::vector<Touch>& out, double margin = 0.0);

/// Signed distance of two things in the plane. As it is made, and for a pose that is not finite, it
/// is no answer: the bracket is unbounded. Two positions more than 1e150 apart are not finite
/// either.
struct PlanarResult {
  Status status = Status::unsupported;
  double distance = std::numeric_limits<double>::infinity();  ///< minus the depth in overlap
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Vec2 normal{1.0, 0.0};  ///< unit, from A to B
  /// On the boundaries of A and B (of a curve in a region: where the curve begins);
  /// point_b - point_a = distance * normal. Both to 64 roundings of the size.
  Vec2 point_a, point_b;
};

/// Whether two things meet in the plane, at rest or in motion; of bodies in space: `Overlap`.
enum class PlanarHit : std::uint8_t { no, yes, undecided };
constexpr std::string_view to_string(PlanarHit hit) {
  constexpr std::string_view kNames[] = {"no", "yes", "undecided"};
  return detail::name_in(kNames, hit);
}

/// Answer of `overlap`; converts to true for `yes` alone.
struct PlanarOverlap {
  PlanarHit overlap = PlanarHit::undecided;  ///< undecided: only without an answer
  Status status = Status::unsupported;       ///< invalid_input: a pose was not finite
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): it is asked as a bool
  constexpr operator bool() const { return overlap == PlanarHit::yes; }
};

/// Where the nearest places of two regions were, for the next query of the pair. Any content is
/// safe for any pair.
struct PlanarCache {
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t edge_a = kUnknown, edge_b = kUnknown;  ///< of the boundaries
  friend constexpr bool operator==(const PlanarCache&, const PlanarCache&) = default;
};

/// True when the interiors of the two regions have a point in common; exact for A as it is given
/// and B's vertices as they are rounded into A's frame (not at all when neither is turned and the
/// difference of the positions is a double). Touching regions do not overlap.
/// Cost: O(n log n).
PlanarOverlap overlap(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b);

/// Signed distance of two regions. Apart: the least distance of two points, with the rounding of
/// placing B in the bracket. Overlapping: minus the length of the least translation of B after
/// which the interiors are disjoint, exact for regions of any form. Regularised: a fit without any
/// room around it does not count, a hole of A that has room for B does, be it that of a rounding.
/// The bracket of a depth is that of A and of B's vertices as rounded into A's frame: the depth of
/// regions that are not convex is no continuous function of them. Status: precision_limit where the
/// bounds are more than 1e-12 of the size apart, as with coordinates above 2^190. Cost: apart O(n
/// log n); overlapping O((n + k + c) log n) for the k convolution edges nearer than the depth, c
/// pairs of which have boxes that meet; of two regions with n teeth each both can be O(n^2). Two
/// convex regions of at most 16 corners are answered without trees and allocation, apart mostly in
/// O(n). With the `cache` of the pair's last query the search begins where that ended; the answer
/// differs at most by which of several nearest places it names, and by rounding.
/// @code{.cpp}
/// const planar::Region square({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
/// const planar::PlanarResult r = distance(square, {}, square, planar::Pose2({3, 0}, 0.0));
/// assert(r.distance == 2.0);
/// @endcode
PlanarResult distance(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                      PlanarCache* cache = nullptr);

PlanarResult distance(const Circle& a, const Pose2& pose_a, const Circle& b, const Pose2& pose_b);

/// True when the disc's interior meets the curve, or the region; exact for the centre as it is
/// rounded into B's frame. Touching is no overlap. Cost: O(log n) for short segments.
PlanarOverlap overlap(const Circle& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b);
PlanarOverlap overlap(const Circle& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b);
PlanarOverlap overlap(const Circle& a, const Pose2& pose_a, const Circle& b, const Pose2& pose_b);

/// Signed distance of a disc from a curve or a region: overlapping, minus the length of the least
/// way of the circle after which its interior is clear, whatever else it meets on its way there. It
/// may be longer than the depth of any one touch, and leads through a curve to its nearer side.
/// Status as between regions. Cost: apart O(log n) for short segments; overlapping O(n log n + k^2)
/// for the k edges nearer than the way is long.
PlanarResult distance(const Circle& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b);
PlanarResult distance(const Circle& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b);

/// True when the curves have a point in common; exact for A and B's points as they are rounded into
/// A's frame.
PlanarOverlap overlap(const Contour& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b);
/// True when the curve enters the interior of the region; exact for the curve's points as they are
/// rounded into the region's frame.
PlanarOverlap overlap(const Contour& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b);

/// Distance of a curve from a curve, or a region: never negative, zero where they have a point in
/// common, since a curve has no interior that could be deep in something. Cost: O(n log n).
PlanarResult distance(const Contour& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b);
PlanarResult distance(const Contour& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b);

/// Where two things touch or overlap: a corner of one, and the place of the other before it.
struct PlanarContact {
  Vec2 point_a, point_b;    ///< on both boundaries; point_b - point_a = -depth * normal
  Vec2 normal{1.0, 0.0};    ///< unit, from A to B
  double depth = 0.0;       ///< negative: a gap
  std::size_t stretch = 0;  ///< contacts of one stretch of touching boundary have one number
};

/// Room for `contacts`, so that a second call does not allocate.
class PlanarContacts {
 public:
  PlanarContacts();
  ~PlanarContacts();
  PlanarContacts(PlanarContacts&&) noexcept;
  PlanarContacts& operator=(PlanarContacts&&) noexcept;

  std::span<const PlanarContact> all() const noexcept { return found_; }
  std::size_t stretches() const noexcept { return found_.empty() ? 0 : found_.back().stretch + 1; }
  /// unsupported before anything was asked; invalid_input: a pose was not finite.
  Status status() const noexcept { return status_; }

 private:
  friend struct detail::ContactAccess;
  std::vector<PlanarContact> found_;
  std::unique_ptr<detail::ContactRoom> room_;
  Status status_ = Status::unsupported;
};

/// All contacts of two regions, into `out`, stretch by stretch along A's boundary. A stretch is a
/// run of boundary along which they touch, are at most `margin` apart, or overlap; it has one to
/// three contacts: at both its ends (so that parallel edges touch at two places), and where it is
/// deepest. Of overlapping stretches, each corner that lies in the other body is as deep as it is
/// from the run of the other's boundary there: local depths, for each place on its own, while
/// `distance` tells how far the whole has to be moved. None is deeper than that: a corner that
/// would be is as deep as it is along the way of the whole. Where no corner lies in the other body
/// (two crossing bars, one inside the other), the one contact is that of `distance`. Which edges
/// meet is decided exactly for B's corners as they are rounded into A's frame; places err by some
/// roundings of the size. Cost: O(log n + k) for k edges that meet, and the depth's in the last two
/// cases.
void contacts(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
              PlanarContacts& out, double margin = 0.0);
/// Contacts of a circle: its touches, at most `margin` beyond the radius, but for those of a
/// centre inside a region that are deeper than the pair. Each is a stretch of its own.
void contacts(const Circle& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
              PlanarContacts& out, double margin = 0.0);
void contacts(const Circle& a, const Pose2& pose_a, const Contour& b, const Pose2& pose_b,
              PlanarContacts& out, double margin = 0.0);
void contacts(const Circle& a, const Pose2& pose_a, const Circle& b, const Pose2& pose_b,
              PlanarContacts& out, double margin = 0.0);

/// Constant velocities over the time from 0 to 1, world frame; turning about the body's own origin.
struct PlanarMotion {
  Vec2 linear;
  double angular = 0.0;  ///< radians, counter-clockwise, of magnitude up to 1e6
};
/// Where the motion leads to, as `pose_at` of rigid motions.
Pose2 pose_at(const Pose2& pose, const PlanarMotion& motion, double time);

/// First contact of two moving things. As it is made, it is no answer.
struct PlanarCast {
  /// `yes`: contact is certain; `no`: apart during the whole motion, both times are then infinite;
  /// `undecided`: from `time` on they may touch, but come no closer than rounding can tell
  /// (sliding, grazing, leaving a touch).
  PlanarHit hit = PlanarHit::undecided;
  double time = 0.0;                                            ///< no contact before: never late
  double time_upper = std::numeric_limits<double>::infinity();  ///< contact by then
  /// Signed distance at `time`: zero within rounding, or minus the depth of a start in overlap;
  /// infinite without contact.
  double distance = std::numeric_limits<double>::infinity();
  Vec2 normal{1.0, 0.0};  ///< unit, world, from A to B; of a start in overlap that of the depth
  Vec2 point_a, point_b;  ///< world, at `time`; not set when there is no contact
  /// precision_limit: between the times the motion covers more than 1e-9 of the size;
  /// iteration_limit: a turning motion was followed up to `time` and no farther.
  Status status = Status::unsupported;
};

/// First contact of moving circles, contours and regions. Motions that do not turn are exact in
/// time: by the instants at which a corner of one comes to an edge of the other (of a circle: its
/// centre to the radius), widened by the bound of all roundings. Turning ones are conservative:
/// steps no longer than the gap lasts at the greatest speed of any point, at most 400. Overlap at
/// the start is a hit at time 0. A curve in a region's interior is in contact from the start. Cost:
/// circles O(log n + k) for k edges along the way; others O(n log n); turning: a distance per step.
PlanarCast cast(const Circle& a, const Pose2& pose_a, const PlanarMotion& motion_a, const Circle& b,
                const Pose2& pose_b, const PlanarMotion& motion_b);
PlanarCast cast(const Circle& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const Contour& b, const Pose2& pose_b, const PlanarMotion& motion_b);
PlanarCast cast(const Circle& a, const Pose2& pose_a, const PlanarMotion& motion_a, const Region& b,
                const Pose2& pose_b, const PlanarMotion& motion_b);
PlanarCast cast(const Contour& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const Contour& b, const Pose2& pose_b, const PlanarMotion& motion_b);
PlanarCast cast(const Contour& a, const Pose2& pose_a, const PlanarMotion& motion_a,
                const Region& b, const Pose2& pose_b, const PlanarMotion& motion_b);
PlanarCast cast(const Region& a, const Pose2& pose_a, const PlanarMotion& motion_a, const Region& b,
                const Pose2& pose_b, const PlanarMotion& motion_b);

/// The result with both bodies exchanged.
PlanarCast swapped(const PlanarCast& result);
PlanarResult swapped(const PlanarResult& result);
PlanarContact swapped(const PlanarContact& contact);

/// Things of a batch, which stay with the caller, in their places.
struct PlacedRegion {
  const Region* region = nullptr;
  Pose2 pose;
};
struct PlacedCircle {
  Circle circle;
  Vec2 position;
};
/// Places in a list of regions.
struct PlanarPair {
  std::size_t a = 0, b = 0;
};

/// The single queries for many pairs, out[i] that of regions[pairs[i].a] and regions[pairs[i].b];
/// `caches`: one per pair, or none. Every answer, and every cache afterwards, has the bits of the
/// single query, whatever `max_threads` (the caller's included; 0 takes all processors).
/// Errors, found before anything is written: InvalidInput with the field's name when `out` or
/// `caches` has not one place per pair, or a pair refers to no region. Cost: the single queries,
/// divided by the threads, and the start of `parallel_for`.
void distance(std::span<const PlacedRegion> regions, std::span<const PlanarPair> pairs,
              std::span<PlanarResult> out, std::span<PlanarCache> caches = {}, int max_threads = 0);
/// `contacts` of many pairs, otherwise as `distance`; a used `out` keeps its memory.
void contacts(std::span<const PlacedRegion> regions, std::span<const PlanarPair> pairs,
              std::span<PlanarContacts> out, double margin = 0.0, int max_threads = 0);
/// `touches` of many circles with one contour or region, such as the ground: out[i] are those of
/// circles[i]. All else as for `distance`.
void touches(std::span<const PlacedCircle> circles, const Contour& contour,
             const Pose2& pose_contour, std::span<std::vector<Touch>> out, double margin = 0.0,
             int max_threads = 0);
void touches(std::span<const PlacedCircle> circles, const Region& region, const Pose2& pose_region,
             std::span<std::vector<Touch>> out, double margin = 0.0, int max_threads = 0);

/// A contour in its place.
struct PlacedContour {
  const Contour* contour = nullptr;  ///< never null
  Pose2 pose;
};

/// A ball in free flight.
struct Ball {
  double radius = 1.0;
  Vec2 position, velocity;
};

struct BallSettings {
  Vec2 gravity{0.0, -9.81};
  double restitution = 1.0;  ///< of the speed along the normal: 0 to 1
  int max_bounces = 64;      ///< in one step; then the ball waits for the next one
};

/// One reflection.
struct Bounce {
  double time = 0.0;  ///< since the step's start
  Vec2 point;         ///< on the contour, world
  Vec2 normal;        ///< unit, from the contour to the ball; its angle is beta
  std::size_t contour = 0, segment = 0;
};

/// Moves a ball by `dt` between contours, curves with two sides. It flies along the chord of its
/// parabola; where that meets a contour, the velocity is mirrored at the normal (angle beta), its
/// part along the normal times the restitution, and the rest of the time is flown anew. A ball
/// whose distance from all contours is its radius or more keeps that, whatever its speed and the
/// step: it never passes a contour. Approaches slower than what two steps of gravity add do not
/// bounce, so that a ball can rest. Same bits on every machine. Throws InvalidInput (`radius`,
/// `velocity`, `position`, `dt`, `restitution`, `gravity`) for what is negative or not finite.
/// Status: iteration_limit when the ball waits. `bounces`, if given, is cleared and filled. Cost:
/// per bounce O(log n + k) for each contour with k segments near the way. Source:
/// advancedgamesphysics (reflection by the normal angle).
Status advance(Ball& ball, std::span<const PlacedContour> contours, double dt,
               const BallSettings& settings = {}, std::vector<Bounce>* bounces = nullptr);

}  // namespace tactus::planar

namespace tactus::detail {
using namespace ::tactus::planar;
}  // namespace tactus::detail

// Names of 0.1, until 0.3. Types warn; functions and constants cannot.
#ifndef TACTUS_WITHOUT_DEPRECATED
namespace tactus {
using Ball [[deprecated("tactus::planar::Ball")]] = planar::Ball;
using BallSettings [[deprecated("tactus::planar::BallSettings")]] = planar::BallSettings;
using Bounce [[deprecated("tactus::planar::Bounce")]] = planar::Bounce;
using Circle [[deprecated("tactus::planar::Circle")]] = planar::Circle;
using Contour [[deprecated("tactus::planar::Contour")]] = planar::Contour;
using Crossings [[deprecated("tactus::planar::Crossings")]] = planar::Crossings;
using PlacedCircle [[deprecated("tactus::planar::PlacedCircle")]] = planar::PlacedCircle;
using PlacedContour [[deprecated("tactus::planar::PlacedContour")]] = planar::PlacedContour;
using PlacedRegion [[deprecated("tactus::planar::PlacedRegion")]] = planar::PlacedRegion;
using PlanarCache [[deprecated("tactus::planar::PlanarCache")]] = planar::PlanarCache;
using PlanarCast [[deprecated("tactus::planar::PlanarCast")]] = planar::PlanarCast;
using PlanarContact [[deprecated("tactus::planar::PlanarContact")]] = planar::PlanarContact;
using PlanarContacts [[deprecated("tactus::planar::PlanarContacts")]] = planar::PlanarContacts;
using PlanarHit [[deprecated("tactus::planar::PlanarHit")]] = planar::PlanarHit;
using PlanarMass [[deprecated("tactus::planar::PlanarMass")]] = planar::PlanarMass;
using PlanarMotion [[deprecated("tactus::planar::PlanarMotion")]] = planar::PlanarMotion;
using PlanarOverlap [[deprecated("tactus::planar::PlanarOverlap")]] = planar::PlanarOverlap;
using PlanarPair [[deprecated("tactus::planar::PlanarPair")]] = planar::PlanarPair;
using PlanarResult [[deprecated("tactus::planar::PlanarResult")]] = planar::PlanarResult;
using PlanarShape [[deprecated("tactus::planar::PlanarShape")]] = planar::PlanarShape;
using Pose2 [[deprecated("tactus::planar::Pose2")]] = planar::Pose2;
using Region [[deprecated("tactus::planar::Region")]] = planar::Region;
using Touch [[deprecated("tactus::planar::Touch")]] = planar::Touch;
using TouchKind [[deprecated("tactus::planar::TouchKind")]] = planar::TouchKind;
using Vec2 [[deprecated("tactus::planar::Vec2")]] = planar::Vec2;
using planar::advance;
using planar::cast;
using planar::contacts;
using planar::cross;
using planar::distance;
using planar::dot;
using planar::is_finite;
using planar::norm;
using planar::overlap;
using planar::pose_at;
using planar::swapped;
using planar::to_string;
using planar::touches;
}  // namespace tactus
#endif
