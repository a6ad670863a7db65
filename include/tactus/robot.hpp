#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus {

/// How a joint of a robot moves its child link. The coordinates of a joint stand side by side in a
/// configuration, in the order given here.
enum class RobotJointType : std::uint8_t {
  fixed,       ///< not at all
  revolute,    ///< angle about the axis, between limits
  continuous,  ///< the same without limits
  prismatic,   ///< way along the axis
  planar,      ///< x, y, angle: in the plane across the axis, which z is turned to the short way
  floating     ///< x, y, z, roll, pitch, yaw: yaw turns about z last
};
constexpr std::string_view to_string(RobotJointType type) {
  constexpr std::string_view kNames[] = {"fixed",     "revolute", "continuous",
                                         "prismatic", "planar",   "floating"};
  return detail::name_in(kNames, type);
}

/// A shape that a link is made of, or an obstacle.
struct RobotBody {
  Shape shape;
  Pose pose = {};         ///< in the frame of the link; of an obstacle, in the world
  std::string name = {};  ///< for messages; may be empty
};

/// A rigid part of a robot.
struct RobotLink {
  std::string name;
  std::vector<RobotBody> bodies = {};
  /// A body of the surroundings that moves, not a part of the robot: it is asked for its distance
  /// to the robot's links, and not to others of the surroundings.
  bool obstacle = false;
};

/// A joint that follows another one: value = multiplier * value of `joint` + offset.
struct RobotMimic {
  std::uint32_t joint = 0;
  double multiplier = 1.0, offset = 0.0;
};

/// The joint that leads from a link to one of its children.
struct RobotJoint {
  std::string name;
  RobotJointType type = RobotJointType::fixed;
  std::uint32_t parent = 0, child = 0;  ///< links
  Pose origin = {};                     ///< of the child in the frame of the parent, at value 0
  Vec3 axis{1.0, 0.0, 0.0};             ///< in the frame of the joint; any length but zero
  /// Least and largest value of a revolute or prismatic joint; of others they mean nothing.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<RobotMimic> mimic = {};
};

/// A coordinate of a configuration.
struct RobotCoordinate {
  std::string name;  ///< of the joint; of one with several coordinates `joint/x`, ..., `joint/yaw`
  std::uint32_t joint = 0;
  bool angle = false;  ///< in radians; else a length
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

namespace detail {
struct RobotAccess;
struct RobotData;
struct CollisionData;
}  // namespace detail

/// A tree of links and joints; immutable and shared between copies. A robot that exists is valid.
/// @code{.cpp}
/// std::vector<RobotLink> links(2);
/// links[0] = {"base", {}};
/// links[1] = {"arm", {{Capsule(0.1, 1.0), Pose::translation({0, 0, 0.5}), ""}}};
/// RobotJoint elbow{"elbow", RobotJointType::revolute, 0, 1, {}, {0, 1, 0}, -2.0, 2.0, {}};
/// const Robot robot("crane", links, {elbow});
/// std::vector<Pose> poses(2);
/// robot.link_poses(std::vector<double>{1.5707963267948966}, poses);
/// assert(norm(poses[1].to_world({0, 0, 1}) - Vec3{1, 0, 0}) < 1e-15);
/// @endcode
class Robot {
 public:
  /// Throws InvalidInput naming the element: no link (`links`); an empty name or one given twice
  /// (`links[i].name`, `joints[i].name`); a link that does not exist (`joints[i].parent`, `child`)
  /// or has a joint above it already (`joints[i].child`); a second root (`links[i]`); a cycle
  /// (`joints[i]`); an axis that is zero or not finite (`joints[i].axis`); limits that are NaN or
  /// inverted (`joints[i].limit`); a mimic of a joint that does not exist, has not one coordinate,
  /// or follows this one (`joints[i].mimic`). Cost: n log n.
  Robot(std::string name, std::vector<RobotLink> links, std::vector<RobotJoint> joints);

  const std::string& name() const noexcept;
  const std::vector<RobotLink>& links() const noexcept;
  const std::vector<RobotJoint>& joints() const noexcept;  ///< axes of unit length
  std::uint32_t root() const noexcept;
  /// Coordinates of a configuration in their order: that of the joints, those that follow others
  /// and fixed ones left out.
  const std::vector<RobotCoordinate>& coordinates() const noexcept;
  std::optional<std::uint32_t> find_link(std::string_view name) const;
  std::optional<std::uint32_t> find_joint(std::string_view name) const;
  std::optional<std::uint32_t> find_coordinate(std::string_view name) const;

  /// The configuration whose values are 0, or the limit nearest to 0.
  std::vector<double> zero_configuration() const;
  /// Poses of all links in the world, which is the frame of the root: forward kinematics. Values
  /// beyond the limits are taken as they are. Angles may have a magnitude of up to 1e6. The same
  /// bits on every machine; off by some roundings for each joint between link and root. Throws
  /// InvalidInput: not one value per coordinate, or one that is not finite (`configuration`); not
  /// one pose per link (`poses`). Cost: some 50 ns per joint.
  void link_poses(std::span<const double> configuration, std::span<Pose> poses) const;

 private:
  friend struct detail::RobotAccess;
  std::shared_ptr<const detail::RobotData> data_;
};

/// A robot as a part of a larger one: another arm, or one on a base that moves.
struct RobotPart {
  Robot robot;
  std::string name =
      {};          ///< of its links and joints, in front of their own and a `/`; may be empty
  Pose pose = {};  ///< of its root in the world, at value 0 of the base
  /// How its root moves in the world: by a joint `base`, along or about the z of `pose`.
  RobotJointType base = RobotJointType::fixed;
};

/// One robot of several that stand in one world: its root, `world`, is a link without bodies (with
/// underscores after its name where a part has such a link). Links, joints and coordinates follow
/// in the order of the parts. Throws InvalidInput: no part (`parts`), a pose that is not finite
/// (`parts[i].pose`), and as the constructor of Robot where names meet. Cost: linear.
/// @code{.cpp}
/// const Robot arm("arm", {{"foot"}, {"bar", {{Box({1, 1, 1}), {}, ""}}}},
///                 {{"turn", RobotJointType::continuous, 0, 1, {}, {0, 0, 1}}});
/// const Robot both = join_robots(
///     "two", {{arm}, {arm, "cart", Pose::translation({3, 0, 0}), RobotJointType::planar}});
/// assert(both.find_coordinate("cart/base/x") == 1u && both.find_coordinate("cart/turn") == 4u);
/// assert(movable_pairs(both).size() == 1);
/// @endcode
Robot join_robots(std::string name, const std::vector<RobotPart>& parts);

/// A body of the surroundings that moves in the world.
struct MovingObstacle {
  RobotBody body;  ///< `pose`: in the world at its start; `name`: its link's and joint's, not empty
  /// The point that the velocities are of, in the frame of the body.
  Vec3 center = {};
  /// In the frame of the world, length and radians per time. A body with a velocity goes straight
  /// and turns evenly: each is a factor of the coordinate `time`. One without has a floating joint,
  /// whose coordinates `NAME/x`, ..., `NAME/yaw` lead it from its start: ways of `center`, turns
  /// about it.
  Vec3 linear_velocity = {}, angular_velocity = {};
};

/// The robot, and bodies that move around it: links that are `obstacle`. With velocities among them
/// it has one more coordinate, `time`. The coordinates of the robot stay in front. Throws
/// InvalidInput: what is not finite (`obstacles[i]`), and as the constructor of Robot for names.
/// Cost: linear.
/// @code{.cpp}
/// const Robot cart("cart", {{"rail"}, {"cart", {{Box({1, 1, 1}), {}, ""}}}},
///                  {{"x", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}, -9, 9}});
/// const Robot cell = add_obstacles(
///     cart, {{{Sphere(0.5), Pose::translation({0, 5, 0}), "ball"}, {}, {0, -2, 0}}});
/// const RobotCollision collision(cell);  // the ball arrives at time 2
/// const PathAnswer answer = collision.certify(
///     straight_segment(std::vector<double>{0, 0}, std::vector<double>{0, 4}));
/// assert(answer.verdict == PathVerdict::below && answer.lower <= 0.5 && answer.upper >= 0.5);
/// @endcode
Robot add_obstacles(const Robot& robot, const std::vector<MovingObstacle>& obstacles);

/// Two links that are asked for their distance.
struct RobotPair {
  std::uint32_t a = 0, b = 0;
  friend bool operator==(const RobotPair&, const RobotPair&) = default;
};

/// All pairs of links that can move against each other and are not adjacent: joined by one joint,
/// or by a chain of joints through links without bodies. A pair of which one link alone is an
/// `obstacle` is asked though it be adjacent; two of them never. Ascending, a < b.
std::vector<RobotPair> movable_pairs(const Robot& robot);

/// The distance of two bodies in a configuration.
struct RobotDistance {
  /// `link_a`: of A; `link_b`: of B, or -1 where B is an obstacle.
  std::int32_t link_a = -1, link_b = -1;
  std::uint32_t body_a = 0, body_b = 0;  ///< places in `bodies` of the links, or of the obstacle
  DistanceResult distance;
};

/// Options of `clearance`; the defaults serve.
struct ClearanceOptions {
  /// All pairs of links below this distance are told, too.
  double below = -std::numeric_limits<double>::infinity();
  bool gradient = false;
  double tolerance = 1e-10;  ///< as of QueryOptions
};

/// The least signed distance over all pairs: `lower <= truth <= upper`.
struct RobotClearance {
  double lower = std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  RobotDistance least;               ///< the pair with the least distance; of no pair, link_a is -1
  std::vector<RobotDistance> below;  ///< ascending in distance
  /// Derivative of the least distance by each coordinate. True where the nearest pair and its
  /// witnesses are the only ones; else it holds for some directions only.
  std::vector<double> gradient;
  int measured = 0;  ///< pairs of bodies that were measured; the others are proved farther
};

/// Kept by the caller between calls of one RobotCollision, for nearby configurations: makes them
/// faster, and never changes the truth of a bracket.
struct RobotCache {
  std::vector<QueryCache> pairs;
};

/// A path of one coordinate over a segment of time, from s = 0 to 1: a + b s + c s^2 + d s^3.
struct PathPolynomial {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  double at(double s) const { return a + s * (b + s * (c + s * d)); }
};

/// A segment of a path: one polynomial per coordinate.
using PathSegment = std::vector<PathPolynomial>;

/// The straight segment between two configurations.
PathSegment straight_segment(std::span<const double> from, std::span<const double> to);

/// Answers about a path.
enum class PathVerdict : std::uint8_t {
  free,   ///< proved: at every time every pair is farther apart than the clearance
  below,  ///< at a time `upper` a pair is not, but for roundings of the poses; before `lower` all
          ///< are
  undecided  ///< neither: from `lower` to `upper` a pair is too near to the clearance to tell
};
constexpr std::string_view to_string(PathVerdict verdict) {
  constexpr std::string_view kNames[] = {"free", "below", "undecided"};
  return detail::name_in(kNames, verdict);
}

/// A proved statement about a segment of a path: at `time`, the middle of the interval from `begin`
/// to `end`, the bodies are at least `distance` apart along `direction`; and until both its ends no
/// point of one comes nearer to the other by more than `motion`. Hence they are farther apart than
/// distance - motion during all of it.
struct PathClaim {
  std::uint32_t pair = 0;  ///< of bodies, as `RobotCollision` counts them
  double begin = 0.0, end = 1.0;
  double distance = 0.0, motion = 0.0;
  Vec3 direction;  ///< unit, world, from A to B; of meshes that no plane parts, of the nearest
                   ///< points
};

/// Options of `certify`; the defaults serve.
struct PathOptions {
  double clearance = 0.0;  ///< at least 0
  /// Width of the bracket of the first time, relative to the segment's duration.
  double tolerance = 1e-6;
  /// Is the first time of interest? Else the search ends with any time at which a pair is too near.
  bool first = true;
  /// Cap of the intervals of one segment that are looked at; at it the answer is `undecided`.
  int max_intervals = 100000;
  std::vector<PathClaim>* claims =
      nullptr;  ///< filled on request, of a free segment all that prove it
};

/// The verdict on a segment of a path.
struct PathAnswer {
  PathVerdict verdict = PathVerdict::undecided;
  /// Before `lower` the path is free. `below`: at `upper` the pair is at most the clearance apart.
  /// Parts of the segment, 0 to 1; 1 and 1 when it is free.
  double lower = 1.0, upper = 1.0;
  RobotDistance pair;                ///< `below`: at `upper`; `undecided`: near `lower`
  int intervals = 0, distances = 0;  ///< looked at, measured
};

/// A robot with the pairs that are asked for their distance, and obstacles at rest in the world.
/// Immutable and shared between copies.
class RobotCollision {
 public:
  /// Each pair of links stands for all pairs of their bodies; every link that some joint moves, but
  /// for those that are `obstacle`, is paired with every one of `obstacles`. An open mesh is its
  /// bare surface. Throws InvalidInput: a link that does not exist or is paired with itself
  /// (`pairs[i]`), more than 1e7 pairs of bodies (`pairs`).
  RobotCollision(Robot robot, std::vector<RobotPair> pairs, std::vector<RobotBody> obstacles = {});
  /// With `movable_pairs`.
  explicit RobotCollision(Robot robot);

  const Robot& robot() const noexcept;
  const std::vector<RobotPair>& pairs() const noexcept;
  const std::vector<RobotBody>& obstacles() const noexcept;
  std::size_t body_pairs() const noexcept;

  /// The least signed distance over all pairs, with its pair and witnesses in the world. Pairs are
  /// looked at in the order of a lower bound, that of capsules around the bodies, until that bound
  /// exceeds the least distance. Throws InvalidInput as `Robot::link_poses`. Cost: some
  /// microseconds for hulls.
  RobotClearance clearance(std::span<const double> configuration,
                           const ClearanceOptions& options = {}, RobotCache* cache = nullptr) const;

  /// Is the whole segment free? Never `free` when it is not: between the times at which distances
  /// are measured, a bound of the motion of each pair, from the speed of each joint and the reach
  /// of what it moves, proves the rest. Intervals are halved where that does not suffice, the
  /// nearest first. Throws InvalidInput: not one polynomial per coordinate, or one that is not
  /// finite (`segment`), `clearance`, `tolerance`, `max_intervals`. Source:
  /// schwarzer2005adaptive, docs/algorithms/proved-paths.md.
  PathAnswer certify(const PathSegment& segment, const PathOptions& options = {},
                     RobotCache* cache = nullptr) const;

  /// The straight segments between configurations, two each: edge i leads from values
  /// [2 i n, 2 i n + n) to the n after them. As `certify` with a cache of its own for each edge, on
  /// all processors: every answer has the bits of the single call. `options.claims` must be null.
  /// Throws InvalidInput also when the numbers don't come out even (`configurations`, `answers`).
  void certify_edges(std::span<const double> configurations, std::span<PathAnswer> answers,
                     const PathOptions& options = {}, int max_threads = 0) const;

  /// Proves a free segment again by claims, without the search: each claim is evaluated anew, from
  /// support functions or, of meshes, by `check`; and the intervals of each pair leave no time out.
  /// Empty when all is proved, else what is not.
  std::string check_free(const PathSegment& segment, double clearance,
                         std::span<const PathClaim> claims) const;

 private:
  friend struct detail::RobotAccess;
  std::shared_ptr<const detail::CollisionData> data_;
};

/// Contacts of a pair of links over all configurations within the limits.
enum class PairContact : std::uint8_t {
  adjacent,  ///< joined, or moved by no joint against each other: see `movable_pairs`
  always,    ///< in contact in every configuration
  never,     ///< in contact in none
  sometimes  ///< in contact in some, or unknown
};
constexpr std::string_view to_string(PairContact contact) {
  constexpr std::string_view kNames[] = {"adjacent", "always", "never", "sometimes"};
  return detail::name_in(kNames, contact);
}

/// A pair of links, and why it need not be asked for its distance.
struct PairReport {
  RobotPair pair;
  PairContact contact = PairContact::sometimes;
  bool proved = false;  ///< else `contact` is what `samples` random configurations show
  int samples = 0;
};

/// Options of `classify_pairs`; the defaults serve.
struct PairOptions {
  int samples = 1000;      ///< random configurations that are looked at first
  int max_boxes = 2000;    ///< cap of the boxes of configurations that a proof of one pair cuts
  double clearance = 0.0;  ///< `never` asks for more than this distance
  std::uint64_t seed = 1;  ///< of the samples
  int max_threads = 0;     ///< the caller's included; 0 takes all processors
};

/// Sorts all pairs of links with bodies, ascending. A pair that no sample brings into contact is
/// proved so, if it ends in time, by branch and bound over the coordinates that move the two
/// against each other: the box between their limits is halved until, in the middle of each part,
/// the distance exceeds the bound of the motion within it. Angles without limits are looked at for
/// one turn; pairs moved by lengths without limits are left to samples. The same bits for any
/// number of threads. Throws InvalidInput (`pairs`, `samples`, `max_boxes`, `clearance`).
std::vector<PairReport> classify_pairs(const Robot& robot, const PairOptions& options = {});

}  // namespace tactus
