#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/broad.hpp"
#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/observer.hpp"
#include "tactus/shape.hpp"

namespace tactus {

/// Proof of a lower bound of a depth (a negative `upper`), for one pair of convex pieces, whose
/// cores are the pieces shrunk by `shrink_a` and `shrink_b`.
enum class CertificateKind : std::uint8_t {
  none,
  /// `core_point_a`, `core_point_b` are points of the cores: depth >= the shrinks less their
  /// distance. Also of bodies apart, where their points in the world are rounded.
  separation,
  /// One body is a half-space; or both cores are small polytopes that overlap, and the least f over
  /// all face normals and pairs of edges is the depth; or one core is a point, and the shape's
  /// equations say how deep it is in the other. Else as `separation`.
  axes,
  /// A closed surface of triangles between points of the cores' difference winds around the origin:
  /// the least distance of the triangles is a depth of the cores.
  faces,
  /// As `faces`, except for directions about curved minima, where such a surface falls short of the
  /// bodies: the depth is proved anew from the support functions, starting at `direction`.
  ball,
  /// `inside_point` lies in one body, and a ball about it of radius `inside_radius` in that body;
  /// it is as deep as the depth, less that radius, inside the other one, a closed mesh.
  inside,
  /// `covers` hold every translation that is shorter than the depth, and after each of these the
  /// bodies meet: of meshes, and of unions (`QueryOptions::union_depth`).
  covered
};
std::string_view to_string(CertificateKind kind);

/// Filled by a query on request, owned by the caller: what `check` needs to re-prove the answer
/// without a search (docs/guide/proofs.md). It is bound to the shapes and poses of the query, and
/// to nothing else: whatever it says, it never makes a false claim proved. Grows as needed.
struct Certificate {
  // The lower bound of the depth.
  CertificateKind kind = CertificateKind::none;
  /// The pieces that `kind` speaks of: parts of compounds, triangles of meshes; -1 the body itself.
  std::int32_t part_a = -1, part_b = -1, triangle_a = -1, triangle_b = -1;
  Vec3 direction;  ///< unit, world, from A to B: that of the answer
  double shrink_a = 0.0, shrink_b = 0.0;
  /// Points of the shrunk pieces, each in the frame of its own part.
  struct Support {
    Vec3 point_a, point_b;
  };
  Vec3 core_point_a, core_point_b;                  ///< (`separation`)
  std::vector<Support> supports;                    ///< (`faces`)
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< triangles over `supports` (`faces`)
  Vec3 inside_point;                                ///< world (`inside`)
  double inside_radius = 0.0;
  bool inside_of_a = false;  ///< the point is one of B, inside of the mesh A
  /// A polytope of translations of B (world) after which the bodies meet: its corners are points of
  /// a piece of A less points of a piece of B; or, where `held`, translations that keep a point of
  /// one body inside of the other, a closed mesh. Its faces are turned outwards as seen from the
  /// mean of its first four corners.
  struct Cover {
    /// The pieces, as above; of a depth of unions each polytope has its own parts.
    std::int32_t part_a = -1, part_b = -1, triangle_a = -1, triangle_b = -1;
    std::vector<Support> supports;                    ///< `held`: point_a is the translation
    std::vector<std::array<std::uint32_t, 3>> faces;  ///< triangles over `supports`
    bool held = false, held_in_a = false;             ///< the point is one of B, inside of A
    Vec3 point;                                       ///< world, before the translation
    Vec3 shift;                                       ///< the translation in the polytope's middle
  };
  std::vector<Cover> covers;  ///< (`covered`)

  // The lower bound of the distance.
  /// A step of a walk over (pieces of A) x (pieces of B) x (time): see `Apart`.
  struct Step {
    enum class Kind : std::uint8_t { apart, split_a, split_b, split_time };
    Kind kind = Kind::apart;
    std::uint32_t count = 0;  ///< `split_a`, `split_b`: pieces of the first half
    double time = 0.0;        ///< `split_time`: end of the first half
    Vec3 direction;           ///< `apart`: unit, world, from A to B
  };
  /// One part of A is apart from one part of B after B has moved by `shift`: a walk in pre-order,
  /// beginning with all triangles of both (a convex part is one piece) and all of the time. At each
  /// step what is looked at is apart along one direction, or cut in two, of which the first comes
  /// first.
  struct Apart {
    std::int32_t part_a = -1, part_b = -1;
    Vec3 shift;  ///< world
    std::vector<Step> steps;
  };
  std::vector<Apart> apart;  ///< pairs of parts that are not listed are apart along `direction`
  /// The order in which the steps count triangles: those of the mesh of that part.
  struct Order {
    std::int32_t part = -1;
    std::vector<std::uint32_t> triangles;
  };
  std::vector<Order> order_a, order_b;  ///< of meshes without, the order is their own

  // The end of a motion.
  bool touches = false;
  Vec3 touch_a, touch_b;  ///< world: points of A and B that coincide at `time_upper`

  /// Forgets everything, and keeps the storage.
  void clear();
};
/// The letter that a written certificate has for the step.
constexpr std::string_view to_string(Certificate::Step::Kind kind) {
  constexpr std::string_view kNames[] = {"n", "a", "b", "t"};
  return detail::name_in(kNames, kind);
}

/// The certificate of (B, A) from that of (A, B).
void swap_roles(Certificate& certificate);
void swap_roles(Certificate::Cover& cover);

/// Algorithms by name. `automatic` chooses the closed form where one exists, else GJK and EPA with
/// a finishing step. Asked for by name, an algorithm answers alone, with the bracket it can prove
/// (docs/algorithms), or Status::unsupported for pairs it does not serve: `closed_form` and `sat`
/// where there is no such form. The members of the gjk family leave closed forms out and hand
/// overlapping cores to the expanding polytope; they differ in the sub-algorithm or acceleration of
/// the search. Answered: what gave the bracket.
enum class Method : std::uint8_t {
  automatic,  ///< "auto"
  closed_form,
  gjk,
  gjk_nesterov,
  gjk_signed_volumes,
  epa,
  epa_classic,
  mpr,
  chung_wang,
  sat,
  separating_plane,
  v_clip
};
inline constexpr Method kMethods[] = {Method::automatic,
                                      Method::closed_form,
                                      Method::gjk,
                                      Method::gjk_nesterov,
                                      Method::gjk_signed_volumes,
                                      Method::epa,
                                      Method::epa_classic,
                                      Method::mpr,
                                      Method::chung_wang,
                                      Method::sat,
                                      Method::separating_plane,
                                      Method::v_clip};
std::string_view to_string(Method method);

/// Derivatives of the signed distance, or of the time of a first contact, with respect to both
/// poses, world frame: translation of the body, then rotation about the body's own origin. Of a
/// time also with respect to both motions: linear, then angular velocity.
struct Derivatives {
  Vec3 linear_a, angular_a, linear_b, angular_b;
  /// True only where the value has a derivative: exactly one normal and one pair of witness points
  /// are the nearest (deepest), also for all poses within 1e-6 of the size and radians. Else the
  /// values are those of the witnesses given, which hold for some directions only.
  bool smooth = false;
};

namespace detail {
struct CacheAccess;
struct PairState;
}  // namespace detail

/// Owned by the caller, one per pair, optional. It makes repeated queries on nearby poses faster
/// and never changes the truth of the bracket. Equal caches and equal queries give equal bits, so
/// that a cache belongs to the saved state. A value that keeps what its pair needs: nothing of
/// pairs with a closed form, some 100 bytes of other convex bodies, and of their overlaps the
/// polytope that proved the depth (700 bytes); of meshes the front of their hierarchies, some
/// kilobytes; of compounds that of each pair of parts that was measured. Allocated when first
/// needed, whatever the query says of allocation.
class QueryCache {
 public:
  QueryCache() noexcept;
  QueryCache(const QueryCache& other);
  QueryCache(QueryCache&& other) noexcept;
  QueryCache& operator=(const QueryCache& other);
  QueryCache& operator=(QueryCache&& other) noexcept;
  ~QueryCache();
  friend bool operator==(const QueryCache& x, const QueryCache& y);

  /// Has no query left anything in it?
  bool empty() const noexcept { return state_ == nullptr; }
  /// The content as bytes, little-endian, the same on every machine.
  std::string to_bytes() const;
  /// Restores a cache from the bytes of `to_bytes`. Throws InvalidInput for anything else; a cache
  /// that it accepts is safe for every pair, whichever it came from.
  static QueryCache from_bytes(std::string_view bytes);

 private:
  friend struct detail::CacheAccess;
  std::unique_ptr<detail::PairState> state_;
};

/// Options of every query; the defaults serve.
struct QueryOptions {
  Method method = Method::automatic;
  double tolerance = 1e-8;  ///< wanted width of the bracket, relative to the pair's size
  double max_distance =
      std::numeric_limits<double>::infinity();  ///< stop when proved farther than this
  double margin = 0.0;                          ///< contacts are reported up to this gap
  /// Signed `distance` of a mesh; refused of an open one, which has no inside
  /// (Status::unsupported). False asks for the distance of its bare surface instead: 0 where that
  /// meets the other body, positive deep inside of a closed mesh too. Claims about bare surfaces
  /// are checked with `bare(shape)`.
  bool signed_distance = true;
  /// Depth of a compound in `distance`: true asks for the depth of the union, the shortest
  /// translation that frees all parts of one body from all of the other; false for that of the
  /// deepest pair of parts, which is no deeper. Bodies that are apart have the same distance either
  /// way. Costs a search through the parts that meet, some hundred microseconds; allocates.
  bool union_depth = false;
  /// Cap of the work of each loop: support evaluations of a search, at most 400 of them on curved
  /// bodies; steps of a walk over features, of a cast and of its proof. An impact looks at 20 times
  /// as many poses of a convex pair, at 2,000 times as many of bodies made of parts. What a cap
  /// ends has a wider bracket, and says so in its status.
  int max_iterations = 1000;
  /// Filled on request, which allocates and costs more than the query itself.
  Certificate* certificate = nullptr;
  /// Filled on request: of a distance, an overlap's proof or contacts those of the whole distance,
  /// wherever the query itself stops; of a cast, ray or impact those of `time` by the poses at time
  /// 0. Zero and not smooth without an answer, or without a contact. Costs a query or two more
  /// where bodies are apart, three or four in overlap; of a time some seven distances. Meshes
  /// allocate.
  Derivatives* derivatives = nullptr;
  /// Filled on request: of a cast, ray or impact the derivatives of `time` by the motions.
  Derivatives* motion_derivatives = nullptr;
  /// Told of every step, and last the answer of each pair of convex bodies or with a half-space.
  /// Changes neither the algorithm nor a bit of the answer.
  Observer* observer = nullptr;
};

/// Signed distance with its proof. `lower <= true value <= upper` and `lower <= distance <= upper`
/// always; negative values are minus the penetration depth. `normal` is a unit vector from A to B,
/// world frame, and point_b - point_a = distance * normal. No field is ever NaN: without an answer
/// (Status::invalid_input, unsupported, or precision_limit of lengths that sum up to more than 1e50
/// or, of two convex bodies, less than 1e-48) `distance` is infinite, as is the bracket on both
/// sides, and normal and points mean nothing.
struct DistanceResult {
  double distance = std::numeric_limits<double>::infinity();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Vec3 normal{0.0, 0.0, 1.0};
  Vec3 point_a, point_b;  ///< world
  Status status = Status::unsupported;
  Method method = Method::automatic;
  /// False where several normals or witness points are equally good. Exact where derivatives are
  /// asked for (`Derivatives::smooth`); else a search may have seen one of several only.
  bool unique = true;
  /// The bracket speaks of the depth of unions: see `QueryOptions::union_depth`.
  bool of_unions = false;
  std::int32_t iterations = 0;            ///< support evaluations of A - B
  std::int32_t part_a = -1, part_b = -1;  ///< the parts of compounds that the answer refers to
  std::int32_t triangle_a = -1, triangle_b = -1;  ///< the triangles of meshes that it refers to
};

/// A verdict on bodies in space; `planar::PlanarHit` is that of the plane.
enum class Overlap : std::uint8_t { no, yes, undecided };
constexpr std::string_view to_string(Overlap overlap) {
  constexpr std::string_view kNames[] = {"no", "yes", "undecided"};
  return detail::name_in(kNames, overlap);
}

/// Whether a pair overlaps, and what proves it.
struct OverlapResult {
  Overlap overlap = Overlap::undecided;
  DistanceResult proof;  ///< a bracket that lies on one side of zero, unless undecided
};

/// First contact of two bodies in motion (`cast`, `impact`), with its proof: no contact before
/// `time`, and for a hit some contact up to `time_upper`.
struct CastResult {
  /// `yes`: contact is proved; `no`: proved apart during the whole motion, both times are then
  /// infinite; `undecided`: from `time` on they may touch, but come no closer than rounding can
  /// tell (sliding, grazing, leaving a touch).
  Overlap hit = Overlap::undecided;
  double time = 0.0, time_upper = std::numeric_limits<double>::infinity();
  /// Signed distance at `time`: zero within rounding, or minus the depth of a start in overlap;
  /// infinite without contact or answer.
  double distance = std::numeric_limits<double>::infinity();
  /// Unit, world, from A to B. Of a cast, the direction alone proves `time`: along it the bodies
  /// are apart at all times before. For a start in overlap, the direction of the depth.
  Vec3 normal{0.0, 0.0, 1.0};
  Vec3 point_a, point_b;  ///< world, at `time`; not set when there is no contact
  Status status = Status::unsupported;
  Method method = Method::automatic;
  bool unique = true;  ///< false where several normals or points are equally good; see `distance`
  std::int32_t iterations = 0;  ///< support evaluations of A - B; of an impact, poses looked at
  std::int32_t part_a = -1, part_b = -1;  ///< the parts of compounds that touch first
};

/// One point of a contact patch. depth = (point_a - point_b) . normal: negative for a gap.
struct ContactPoint {
  Vec3 point_a, point_b;  ///< world, on the surfaces of A and B
  double depth = 0.0;
  std::uint64_t feature = 0;  ///< stays the same from step to step while the same features touch
};

/// Up to four points for a convex pair; compounds append the patches of their pairs of parts.
struct Manifold {
  static constexpr int kCapacity = 4;
  Vec3 normal;  ///< unit, world, from A to B
  std::array<ContactPoint, kCapacity> points;
  int count = 0;
  std::int32_t part_a = -1, part_b = -1;
  std::span<const ContactPoint> span() const {
    return {points.data(), static_cast<std::size_t>(count)};
  }
};

/// Signed distance of two placed shapes, with witnesses and a two-sided bound: positive apart,
/// minus the penetration depth (length of the shortest translation that separates the bodies) in
/// overlap.
///
/// Never throws, never loops without end, never returns a false bracket. A pose that is not finite
/// answers Status::invalid_input with an unbounded bracket; a pair without an answer
/// (half-space against half-space, an open mesh unless `options.signed_distance` is false)
/// Status::unsupported, one whose lengths (sizes and the gap of the
/// origins) sum up to more than 1e50 or to less than 1e-48 Status::precision_limit. With
/// `options.max_distance`, the search stops once `lower` exceeds it. Cost: constant for closed
/// forms, else some 5..30 support evaluations. No allocation, but for meshes that overlap: those
/// list the triangles that meet; for depths that take a surface of more than 64 vertices; and for
/// caches and certificates. Without memory the program ends.
/// Source: design: one decision path; gilbert1988gjk, vandenbergen2001epa;
/// docs/algorithms/decision-path.md.
/// @code{.cpp}
/// const Shape box = Box({2, 2, 2}), ball = Sphere(0.5);
/// const DistanceResult r = distance(box, {}, ball, Pose::translation({3, 0, 0}));
/// assert(r.lower <= 1.5 && 1.5 <= r.upper);
/// assert(r.normal.x > 0.999);  // from the box to the ball
/// @endcode
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const QueryOptions& options = {}, QueryCache* cache = nullptr) noexcept;

/// Do two placed shapes share a point? Same search as `distance`, stopped as soon as the sign is
/// proved. `undecided` only where zero lies inside the final bracket: touching within rounding,
/// ended by `max_iterations`, or a mesh whose depth nothing shows. An open mesh is its bare
/// surface. Allocation and errors: as `distance`.
OverlapResult overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const QueryOptions& options = {}, QueryCache* cache = nullptr) noexcept;

/// The distance of a pair, and how many of its contact patches there are.
struct ContactsResult {
  DistanceResult distance;  ///< of the whole pair
  int manifolds = 0;        ///< how many entries of the caller's span were filled
  bool truncated = false;   ///< the span was too short for all patches of a compound pair
};

/// Contact patches of two placed shapes: none when they are farther apart than `options.margin`,
/// else at least one point. A convex pair fills one manifold of up to four points; compounds fill
/// one per touching pair of parts, meshes one per normal. Every point is on the surface of its body
/// to rounding, and none is deeper than the depth along the manifold's normal. Poses that differ by
/// 1e-9 have the same points to 1e-6 of the size, unless the normal jumps
/// (docs/algorithms/contacts.md). No allocation, but for meshes.
ContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        std::span<Manifold> out, const QueryOptions& options = {},
                        QueryCache* cache = nullptr) noexcept;

/// First contact of two placed shapes that move along straight lines without turning: at time t
/// their poses are shifted by t * motion, 0 <= t <= 1; world frame.
///
/// Conservative: `time` is never after the first contact, `time_upper` never before it, whatever
/// the status. The bracket is some roundings of the positions wide, divided by the approach speed;
/// `converged` when it is narrower than `options.tolerance` (a length, relative to the longer
/// extent). A start in overlap is a hit at 0 with the direction and points of the depth; a start
/// in touch is a hit at 0 when the bodies go into each other, `undecided` when they slide or leave.
/// Of two compounds, the first pair of parts decides.
/// `options.method`: `automatic`, `gjk` (without closed forms), `closed_form` (spheres,
/// half-spaces); the others, two half-spaces, and all but `automatic` of meshes answer
/// Status::unsupported. Poses or
/// motions that are not finite: Status::invalid_input; sizes, offset and ways that sum up to more
/// than 1e50 or, of two convex bodies, to less than 1e-48: Status::precision_limit, `undecided`
/// from time 0 on. `cache` keeps the last direction. Never throws, no allocation. Cost: a GJK
/// search and some three distance queries; constant for spheres and half-spaces. Source:
/// docs/algorithms/casts.md; vandenbergen2004raycast.
CastResult cast(const Shape& a, const Pose& pose_a, const Vec3& motion_a, const Shape& b,
                const Pose& pose_b, const Vec3& motion_b, const QueryOptions& options = {},
                QueryCache* cache = nullptr) noexcept;

/// Could two bodies touch on the way from their first poses (`_t0`) to their last ones (`_t1`)?
///
/// `no` is a proof for all motions at constant velocities between these poses, rotations of up to
/// half a turn included. `yes` says only that the hulls of both poses meet: exact for bodies that
/// don't turn, an early test for the others. Meshes and compounds are taken as their convex hulls;
/// half-spaces and poses that are not finite answer `undecided`. No allocation. Cost: a GJK search
/// with two support evaluations per body and step. Source: huotari2011; docs/algorithms/casts.md.
Overlap swept_overlap(const Shape& a, const Pose& pose_a_t0, const Pose& pose_a_t1, const Shape& b,
                      const Pose& pose_b_t0, const Pose& pose_b_t1) noexcept;

/// Where the ray origin + t * direction, 0 <= t <= max_t (may be infinite), first meets a placed
/// shape. The same as `cast` of the shape at rest, A, and a point, B: `normal` points out of the
/// shape. An open mesh is its bare surface, seen from both sides; a ray within rounding of an edge
/// of a mesh is `undecided` there. A direction that is zero or not finite, or a negative `max_t`:
/// Status::invalid_input; one shorter than 1e-150: Status::precision_limit.
CastResult ray_cast(const Shape& shape, const Pose& pose, const Vec3& origin, const Vec3& direction,
                    double max_t, const QueryOptions& options = {}) noexcept;

/// First contact of two placed shapes that move at constant velocities and turn about their own
/// origins, 0 <= t <= 1: the pose of A at time t is `pose_at(pose_a, motion_a, t)`.
///
/// Conservative: `time` is never after the first contact, `time_upper` never before it, whatever
/// the status. `hit` is `yes` where overlap is proved at `time_upper`, `no` where the bodies are
/// proved apart all the time, `undecided` where they come within rounding (some 1e-14 of the
/// lengths involved) and no overlap is found from there on: grazing, sliding, leaving a touch. At
/// `time` the gap is a few roundings, which a turn of many radians makes more of; so bodies that
/// pass each other at more than that are told apart. A start in overlap is a hit at 0 with the
/// direction, points and depth of `distance`. Of compounds, the pair of parts that touches first;
/// of meshes, the triangles.
///
/// `iterations` counts the poses at which a pair of parts was looked at: some ten for a motion of
/// less than a turn, more for each turn in reach of the other body. At 20 times
/// `options.max_iterations` for a pair of convex bodies (2,000 times for compounds and meshes) the
/// answer is `undecided` from the `time`
/// reached, Status::iteration_limit. `options.method`: `automatic` or `gjk`; other methods and
/// pairs without a distance answer Status::unsupported, what is not finite Status::invalid_input,
/// lengths beyond the range of `distance` and turns of more than 1e6 radians
/// Status::precision_limit. Never throws; pairs of convex bodies and half-spaces allocate
/// nothing, and of others, without memory the program ends. Source:
/// docs/algorithms/time-of-impact.md; mirtich1996thesis, zhang2006interactive, catto2013ccd.
CastResult impact(const Shape& a, const Pose& pose_a, const RigidMotion& motion_a, const Shape& b,
                  const Pose& pose_b, const RigidMotion& motion_b, const QueryOptions& options = {},
                  QueryCache* cache = nullptr) noexcept;

/// A body of a batch: a shape, which stays with the caller and may serve many bodies, at a pose.
struct PlacedShape {
  const Shape* shape = nullptr;
  Pose pose;
};

/// Options of a whole batch; the defaults serve.
struct BatchOptions {
  /// For every pair. `certificate`, both `derivatives` and `observer` have room for one pair only
  /// and must be null: ask single queries for them, or `derivatives` below.
  QueryOptions query;
  std::span<Derivatives> derivatives;  ///< filled, one per pair, in the order of the pairs, or none
  std::span<QueryCache> caches;        ///< one per pair, in the order of the pairs, or none
  int max_threads = 0;                 ///< the caller's included; 0 takes all processors
};

/// Signed distance of many pairs: out[i] is that of bodies[pairs[i].a] and bodies[pairs[i].b], A
/// and B in this order.
///
/// The pairs are those of a broad phase whose ids are places in `bodies`; any others do, in any
/// order, also repeated. Guarantee: every answer, and every cache afterwards, has the bits of the
/// single query for its pair, whatever `max_threads` and whatever the other pairs are; a pair that
/// has no answer says so in its status and disturbs no other.
/// Errors, found before anything is written: InvalidInput with the field's name when `out`,
/// `caches` or `derivatives` has not one place per pair, a pair refers beyond `bodies`, a body of a
/// pair has no shape, or an option has no meaning here. Cost: the single queries (a third to a half
/// of them for two spheres, sphere and box, two capsules, which are answered several at a time),
/// divided by the threads, and the start of `parallel_for`, which is also all that may allocate;
/// with `max_threads` 1 nothing does. Source: design, batch entry points; docs/guide/batch.md.
void distance(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<DistanceResult> out, const BatchOptions& options = {});

/// Do they share a point? As the single query, for many pairs; all else as for `distance`.
void overlap(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
             std::span<OverlapResult> out, const BatchOptions& options = {});

/// Contact patches of many pairs.
///
/// `manifolds` is shared out evenly: with m = manifolds.size() / pairs.size(), pair i fills
/// out[i].manifolds places from manifolds[i * m] on and leaves its others as they are. m = 1 serves
/// all pairs but those of compounds, which need one place for each touching pair of parts; where
/// they don't fit, out[i].truncated is set, and a single query with more room gives the rest.
/// Errors: InvalidInput also when `manifolds` can't be shared out evenly. All else as for
/// `distance`.
void contacts(std::span<const PlacedShape> bodies, std::span<const BroadPair> pairs,
              std::span<Manifold> manifolds, std::span<ContactsResult> out,
              const BatchOptions& options = {});

}  // namespace tactus
