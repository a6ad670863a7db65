#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/body.hpp"
#include "tactus/math.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace tactus {

namespace detail {
struct StepUndo;
}

/// Which search finds the contacts of two convex bodies.
enum class Detector : std::uint8_t {
  closed_form,  ///< a formula where there is one, else the default search
  iterative,    ///< Method::epa for all of them
};
std::string_view to_string(Detector detector);

/// How many points of a contact patch push (`ContactPoint` is one of them).
enum class ContactPoints : std::uint8_t {
  manifold,  ///< up to four
  one,       ///< the deepest
};
std::string_view to_string(ContactPoints points);

/// Where a body and a half-space push each other (`planar::PlanarContact` is a contact in the
/// plane).
enum class PlaneContact : std::uint8_t {
  midpoint,  ///< midway between the two surfaces
  on_plane,  ///< on the plane
};
std::string_view to_string(PlaneContact place);

/// In which directions the bodies of a world move.
enum class MotionPlane : std::uint8_t {
  none,  ///< in all
  xy,    ///< along x and y, and about z: a world of two dimensions
};
std::string_view to_string(MotionPlane plane);

/// How much a world spends on a step.
enum class Quality : std::uint8_t {
  usual,  ///< loads are followed: `WorldSettings` as they are made
  fast,   ///< for games: 4 substeps whatever the load
};
std::string_view to_string(Quality quality);

/// An interval of an axis whose ends are the same place.
struct PeriodicAxis {
  double lower = 0.0, upper = 0.0;  ///< lower < upper
  friend bool operator==(const PeriodicAxis&, const PeriodicAxis&) = default;
};

/// Shear of a periodic world without walls (Lees and Edwards): what leaves through an end of the
/// period along `gradient` comes in at the other displaced along `flow`, by `rate` times that
/// period times the time since the start, and slower or faster by `rate` times that period. So
/// velocities along `flow` grow by `rate` per length along `gradient`, everywhere alike.
struct PeriodicShear {
  int flow = 0, gradient = 2;  ///< axes, 0 to 2, both periodic, not the same
  double rate = 0.0;           ///< velocity per length
  friend bool operator==(const PeriodicShear&, const PeriodicShear&) = default;
};

/// How a world steps. Any consistent units; the defaults suit metres, kilograms and seconds, bodies
/// from centimetres to tens of metres.
struct WorldSettings {
  Vec3 gravity{0.0, 0.0, -9.81};  ///< acceleration
  double time_step = 1.0 / 60.0;  ///< time per step(), > 0
  /// Solver steps per step() at least, >= 1; contacts are detected once per step(), and again where
  /// bodies leave their paths.
  int substeps = 12;
  /// Bodies overlap under a load: by at most this part of the smaller body's size, and what stands
  /// on them sinks by at most 3.5 times as much in all. Heavy loads and tall towers take more
  /// solver steps for it (as the root of the load), up to 8 times `substeps`; 0 keeps to
  /// `substeps`.
  double load_overlap = 7e-4;
  /// Contacts are reported up to this gap, relative to the smaller body's size, in addition to what
  /// the bodies can approach in one step.
  double contact_margin = 0.01;
  /// Contacts push overlapping bodies apart as a spring of this frequency, in units of the substep
  /// rate, in (0, 0.5].
  double contact_frequency = 0.25;
  /// Damping ratio of that spring, > 0; large values separate slowly and without overshoot.
  double contact_damping = 10.0;
  /// Fastest separation of overlapping bodies, in sizes of the smaller body per time.
  double max_push_speed = 3.0;
  /// Slower approach does not bounce, length per time, >= 0; with restitution 1 every one does.
  double restitution_threshold = 0.1;
  /// Without restitution, an approach by less than this part of the smaller body's size in a
  /// substep is stopped as a resting contact, not as an impact at its moment, >= 0: moving piles
  /// take a third to two thirds less, the energy that impacts on corners leave is off by 0.1 of it.
  double least_impact = 0.0;
  /// Bodies that have been slower than `sleep_speed` for so long fall asleep, together with all
  /// that they touch or are jointed to: they stay where they are, at next to no cost, and keep
  /// their contacts, until a body that moves comes near one of them, one that does not is put
  /// there, or a call changes one of them or what it touches. Time, >= 0; 0: they never do.
  double sleep_time = 0.0;
  /// Speed of the fastest point of a body below which it is slow, in its sizes per time, >= 0.
  double sleep_speed = 0.01;
  /// Rate at which velocities decay by themselves, per time, >= 0.
  double linear_damping = 0.0;
  double angular_damping = 0.0;
  /// Threads that look for contacts and solve them, at most; 0: one for each processor. No bit
  /// depends on it.
  int max_threads = 0;
  /// Along x, y and z: a space that repeats, as of a gas or of grains under shear without walls. A
  /// body that leaves through one face comes in through the other: its centre of mass lies within
  /// the box at the end of a step. Bodies touch across faces. None may be wider than half a period
  /// (twice `Body::radius`), nor be unbounded across such an axis, nor move by a period in a step.
  /// Joints hold bodies across faces. Rays meet bodies where they lie, not their images.
  std::array<std::optional<PeriodicAxis>, 3> periodic = {};
  /// Shears the periodic space: for dynamic bodies that are no sensors, without joints and sleep.
  /// Source: lees1972shear.
  std::optional<PeriodicShear> shear = {};
  /// Contacts are springs with it; what concerns overlap and substeps is then without effect.
  std::optional<ElasticContacts> elastic = {};
  /// `xy` locks the other axes of every body (`BodyDefinition::lock`). Gravity must be given: that
  /// along z moves nothing.
  MotionPlane plane = MotionPlane::none;
  /// Choices to compare with engines of one contact point per pair. Source: leemann2017.
  Detector detector = Detector::closed_form;
  ContactPoints contact_points = ContactPoints::manifold;
  PlaneContact plane_contact = PlaneContact::midpoint;
};

/// Throws InvalidInput naming the field.
void validate(const WorldSettings& settings);

/// The settings of a quality. `fast`: 4 substeps, a `load_overlap` of 0 and a `least_impact` of
/// 0.005: loads sink in deeper, joints under them give way; docs/guide/simulation.md has figures.
WorldSettings settings_of(Quality quality);

/// Heavy loads multiply WorldSettings::substeps by at most this number.
inline constexpr double kMostStiffening = 8.0;

/// One contact point between two bodies, as detected in the last step.
struct Contact {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  /// World, midway between the two surfaces; across the face of a periodic world, as seen from A.
  Vec3 point;
  Vec3 normal;         ///< unit, world, from A to B
  double depth = 0.0;  ///< negative for a gap
  /// At the end of the step, per `time_step / substeps` of the settings, on B along the normal;
  /// below 0 where adhesion holds B against a pull.
  double normal_impulse = 0.0;
  Vec3 friction_impulse;  ///< likewise, world, on B
};

/// A contact patch as it was found, for a `ContactRule`. Velocities and materials are those of the
/// bodies when the step, or a later part of it, began; the poses are those at which it was found.
struct FoundContact {
  const Body &body_a, &body_b;  ///< id of A below that of B
  const Pose &pose_a, &pose_b;  ///< of the shapes' frames; in a periodic world of B's image
  const Manifold& manifold;     ///< normal from A to B
};

/// Says what acts at a contact patch.
struct ContactTerms {
  SurfacePair surface;   ///< as the materials, or `set_surface_pair`, have it
  bool ignored = false;  ///< the bodies pass through each other there, and do not touch
};

/// Decides on each contact patch of a `World`. Must be a pure function of the contact: it is asked
/// by several threads at the same time, in any order, and again for a patch that is found again
/// within the step. So no bit depends on the number of threads. What it throws ends the program.
using ContactRule = std::function<void(const FoundContact& contact, ContactTerms& terms)>;

/// Two bodies that touch.
struct TouchingPair {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  friend bool operator==(const TouchingPair&, const TouchingPair&) = default;
};

/// Warm start of a contact point for the next step.
struct ContactPointMemory {
  std::uint64_t feature = 0;    ///< of ContactPoint
  Vec3 position;                ///< at detection, in A's frame
  double normal_impulse = 0.0;  ///< as in Contact
  Vec3 friction_impulse;        ///< world frame
  friend bool operator==(const ContactPointMemory&, const ContactPointMemory&) = default;
};

/// Warm start of a contact patch for the next step.
struct ManifoldMemory {
  std::int32_t part_a = -1, part_b = -1;  ///< parts of compounds
  std::uint32_t first = 0, count = 0;     ///< in WorldState::points
  Vec3 rolling_impulse;                   ///< angular, world frame
  friend bool operator==(const ManifoldMemory&, const ManifoldMemory&) = default;
};

/// A pair of bodies whose boxes overlap: its query cache, and its patches if it touches.
struct PairMemory {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  /// Periods along each axis from B to its image; zero unless the world is periodic.
  std::array<std::int32_t, 3> image{};
  QueryCache cache;
  std::uint32_t first = 0, count = 0;  ///< in WorldState::manifolds
  friend bool operator==(const PairMemory&, const PairMemory&) = default;
};

/// All of a world that changes with time, as plain data: a world that holds the same bodies, joints
/// and settings and is given this state continues with the same bits. Bodies and joints by id,
/// pairs by both ids, then image.
struct WorldState {
  std::uint64_t step = 0;
  BodyId next_id = 1;
  double stiffening =
      kMostStiffening;  ///< frequency of the contact springs over that of the settings
  std::vector<BodyMotion> bodies;
  std::vector<PairMemory> pairs;
  std::vector<ManifoldMemory> manifolds;
  std::vector<ContactPointMemory> points;
  JointId next_joint = 1;
  std::vector<JointMemory> joints;
  friend bool operator==(const WorldState&, const WorldState&) = default;
};

/// Throws InvalidInput naming the list and entry: bodies, pairs or joints not in ascending order,
/// counts that point outside the lists, numbers that are not finite, an orientation that is not
/// unit.
void validate(const WorldState& state);

/// FNV-1a over the bit patterns of all fields in order; negative zero counts as zero.
std::uint64_t hash(const WorldState& state);

/// Why a step was not done.
enum class StepError : std::uint8_t {
  none,        ///< it was done
  motion,      ///< a body would move or turn farther than can be followed
  force,       ///< the forces on a body would
  place,       ///< a body does not fit into a periodic space, or lies too far outside
  crowded,     ///< too many pairs of bodies are near each other
  no_answer,   ///< no query tells the contacts of a pair
  joint,       ///< a joint cannot hold its bodies
  not_finite,  ///< a place, velocity or impulse would be no number
  memory,      ///< it ran out
};
std::string_view to_string(StepError error);

/// Why a step was not done. The world, with the forces that were given for the step, is what it was
/// before the call, bit for bit: the next call tries again, and fails again unless something is
/// changed.
struct StepFailure {
  StepError error = StepError::none;
  /// Bodies that the error is about, if any; of a joint or a pair both.
  std::vector<BodyId> bodies;
  std::string reason;  ///< for people
  bool any() const noexcept { return error != StepError::none; }
};
/// Error, bodies and reason in a line.
std::string to_text(const StepFailure& failure);

/// For callers that would rather have an exception: the statistics, if the step was done; else
/// throws std::runtime_error with `to_text`.
template <class Statistics>
const Statistics& require_done(const Statistics& statistics) {
  if (statistics.failure.any()) throw std::runtime_error(to_text(statistics.failure));
  // A step hands out what its world keeps.
  return statistics;  // NOLINT(bugprone-return-const-ref-from-parameter)
}

/// Statistics of a step. Counts and depths belong to the detection at its start (for bodies that
/// meet within the step, to the moment they meet), energies and speeds to its end.
struct StepStatistics {
  std::uint64_t step = 0;  ///< number of steps done
  double time = 0.0;
  int bodies = 0;                             ///< all of them
  int moving = 0;                             ///< those of type moving
  int asleep = 0;                             ///< of these, at the end of the step
  int candidate_pairs = 0;                    ///< boxes overlap, filters agree
  int contacts = 0;                           ///< pairs that touch or overlap
  int contact_points = 0;                     ///< points that touch or overlap
  int substeps = 0;                           ///< solver steps taken
  double deepest_penetration = 0.0;           ///< length
  double deepest_relative_penetration = 0.0;  ///< over the size of the smaller body of its pair
  double mean_relative_penetration =
      0.0;  ///< mean over touching pairs of depth over size of the smaller body
  double kinetic_energy = 0.0;
  double potential_energy = 0.0;    ///< of gravity, zero at the origin, at places within the box
  double max_speed = 0.0;           ///< of a centre of mass, length per time
  double max_relative_speed = 0.0;  ///< in body sizes per time
  double rms_relative_speed = 0.0;  ///< over moving bodies, in body sizes per time
  // Wall-clock milliseconds; they never enter the state.
  double broad_ms = 0.0, narrow_ms = 0.0, solve_ms = 0.0, total_ms = 0.0;
  /// Why the step was not done, if it was not. All else then describes the world as it stays.
  StepFailure failure;
};

/// Two bodies that overlap.
struct BodyOverlap {
  BodyId body_a = kNoBody, body_b = kNoBody;  ///< body_a < body_b
  double depth = 0.0;                         ///< length
  double relative_depth = 0.0;                ///< over the size of the smaller body
  Vec3 shift;  ///< from B to its image that A overlaps; zero but across faces of a periodic world
};

/// Where a ray first meets a body; when it starts inside, at distance 0 with the normal of the
/// shortest way out.
struct RayHit {
  BodyId body = kNoBody;
  double distance = 0.0;
  Vec3 point, normal;      ///< world; outward unit normal
  std::int32_t part = -1;  ///< of a compound
};

/// Which bodies a question about a world is asked of.
struct BodySelection {
  std::uint64_t mask = ~std::uint64_t{0};  ///< one of the body's categories is in it
  BodyId ignored = kNoBody;                ///< not this one
  bool sensors = true;                     ///< sensors too
};

/// Where a moving shape first meets a body.
struct ShapeHit {
  BodyId body = kNoBody;
  double time = 0.0;             ///< of the motion, 0 to 1; never after the contact
  Vec3 point, normal;            ///< world, on the body at that time; unit, out of the body
  std::int32_t part_shape = -1;  ///< of a compound that moves
  std::int32_t part_body = -1;   ///< of a compound that is met
};

/// The body nearest to a shape.
struct NearestBody {
  BodyId body = kNoBody;
  DistanceResult gap;  ///< from the shape, A, to the body, B; negative in overlap
};

/// Common base of `World` and `ImpulseWorld`: rigid bodies, and steps in time. One world may be
/// used by one thread at a time; const members by many.
class RigidWorld {
 public:
  virtual ~RigidWorld();

  /// Adds a body and returns its id: the one given (InvalidInput `id` when taken), else the next
  /// free one. Throws InvalidInput as Body does, and for what the kind of world does not know.
  BodyId add(BodyDefinition definition);
  /// Removes a body with its contacts and joints. Throws InvalidInput (`id`) when there is none.
  /// Cost: linear in the world's bodies and contacts.
  void remove(BodyId id);
  /// Removes many at the cost of one. When one of them is missing the world is unchanged.
  void remove(std::span<const BodyId> ids);
  /// Two bodies that shall never touch each other, whatever their filters say; part of the set-up,
  /// not of the state.
  void exclude(BodyId a, BodyId b);

  /// All bodies, by id.
  std::span<const Body> bodies() const;
  /// Throws InvalidInput (`id`) when there is none.
  const Body& body(BodyId id) const;
  bool contains(BodyId id) const;

  /// Throws InvalidInput (`id`, or the field that is not finite).
  void set_pose(BodyId id, const Pose& pose);
  void set_velocity(BodyId id, const Vec3& linear, const Vec3& angular);
  /// Replaces `BodyDefinition::force` and `torque`, from the next step on. A state that is saved
  /// does not hold them. Throws InvalidInput (`id`, or as `add`); nothing has then changed.
  void set_constant_force(BodyId id, const Vec3& force, const Vec3& torque);
  /// Gives a kinematic body the velocities that bring it to a pose within `duration`, by the
  /// shortest turn; what stands on it is carried along. It keeps them until they are changed.
  /// Throws InvalidInput (`id`, also of a body that is not kinematic, `pose`, `duration`).
  void move_to(BodyId id, const Pose& pose, double duration);
  /// Momentum given at a world point; without effect unless the body is moving.
  void apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point);
  /// Replaces the surface of a body; its mass stays. Throws InvalidInput (`id`, or as `validate`).
  void set_material(BodyId id, const Material& material);
  /// Replaces `BodyDefinition::surface_velocity`, from the next step on; part of the set-up, not of
  /// the state. Throws InvalidInput (`id`, or as Body; `surface_velocity` in an `ImpulseWorld`).
  void set_surface_velocity(BodyId id, const SurfaceVelocity& velocity);

  /// Sets the coefficients between surfaces of these two kinds (or of one) from the next step on,
  /// in place of `combine` of their materials; without `surface`, `combine` applies again. Part of
  /// the set-up, not of the state. Throws InvalidInput (`kind_a`, `kind_b` for 0, or as
  /// `validate`).
  void set_surface_pair(std::uint32_t kind_a, std::uint32_t kind_b,
                        const std::optional<SurfacePair>& surface);

  /// Advances by the time step of the settings, or leaves the world as it is and says why in
  /// `StepStatistics::failure`: then bodies, contacts, joints, forces given for this step and the
  /// number of steps are what they were, bit for bit. Fails for a body that would move by over 1e6
  /// of its sizes or turn by over 1e4 radians by its velocity (`motion`) or by forces (`force`),
  /// and for whatever else StepError names. Throws nothing.
  virtual const StepStatistics& step() = 0;
  virtual const StepStatistics& statistics() const = 0;
  virtual double time() const = 0;
  std::uint64_t step_count() const;

  /// Contacts of the last step, by ids.
  virtual std::span<const Contact> contacts() const = 0;
  /// How long the impulses of `contacts` took: divided by it they are forces.
  virtual double contact_time() const = 0;

  /// Pairs that could touch and overlap deeper than `tolerance` times the size of the smaller body,
  /// by ids.
  std::vector<BodyOverlap> overlaps(double tolerance) const;

  /// Nearest body on a ray whose category is in `mask`. `direction` need not be unit;
  /// `max_distance` is a length. Throws InvalidInput for a zero direction or numbers that are not
  /// finite (an infinite `max_distance` is fine). The distance is never beyond the surface; a ray
  /// that grazes a body within rounding counts as a hit.
  std::optional<RayHit> ray_cast(const Vec3& origin, const Vec3& direction, double max_distance,
                                 std::uint64_t mask = ~std::uint64_t{0}) const;

  /// First body that a shape meets on a straight way, `motion`, without turning, by `cast`: a start
  /// in overlap is a hit at time 0, and what touches within rounding counts as one. In a periodic
  /// world bodies are where they lie. Throws InvalidInput (`pose`, `motion` that is not finite).
  std::optional<ShapeHit> cast_shape(const Shape& shape, const Pose& pose, const Vec3& motion,
                                     const BodySelection& selection = {}) const;
  /// Bodies that a shape overlaps, by id; touching within rounding counts. Throws InvalidInput
  /// (`pose`).
  std::vector<BodyId> overlapping(const Shape& shape, const Pose& pose,
                                  const BodySelection& selection = {}) const;
  /// The body nearest to a shape, by signed distance (of bodies without an inside, that of their
  /// surface), none where all are farther than `max_distance`. Throws InvalidInput (`pose`, a
  /// negative `max_distance`).
  std::optional<NearestBody> nearest_body(
      const Shape& shape, const Pose& pose,
      double max_distance = std::numeric_limits<double>::infinity(),
      const BodySelection& selection = {}) const;

  /// All that changes with time.
  WorldState save() const;
  /// Continues from a state saved by a world with the same bodies and joints; those unknown to the
  /// state are removed. Throws InvalidInput when the state names one that this world doesn't have,
  /// is not in order, is not finite, or is of another kind of world; the world is then unchanged.
  void restore(const WorldState& state);
  /// hash(save()), the same for all runs that agree in every bit.
  std::uint64_t state_hash() const;

 protected:
  struct Common;
  RigidWorld();
  RigidWorld(RigidWorld&&) noexcept;
  RigidWorld& operator=(RigidWorld&&) noexcept;
  Common& common() const { return *common_; }

 private:
  /// Throws InvalidInput naming the field of a new body that the world does not take.
  virtual void check_body(const Body& body) const = 0;
  /// Drops the pairs, contacts and joints of removed bodies; `ids` ascend.
  virtual void forget(std::span<const BodyId> ids) = 0;
  /// Before bodies are removed, or after a call has changed them.
  virtual void disturb(std::span<const BodyId> ids);
  virtual void save_pairs(WorldState& state) const = 0;
  virtual void check_pairs(const WorldState& state) const = 0;
  virtual void restore_pairs(const WorldState& state) = 0;

  std::unique_ptr<Common> common_;
};

/// The load that the contacts of a set of bodies carry, as granular mechanics measures it. Lengths,
/// forces and stresses in the units of the world.
struct GrainMeasures {
  std::size_t bodies = 0;       ///< moving ones of the set
  std::size_t contacts = 0;     ///< pairs that push each other, at least one of them of the set
  double coordination = 0.0;    ///< mean number of bodies that push one of the set
  double solid_fraction = 0.0;  ///< volume of the shapes over that of the region
  /// Symmetric or nearly so; pressure is positive. Its trace over three is the mean pressure.
  Mat3 stress = Mat3::zero();
  /// Mean over the contacts of the normal's product with itself: its trace is 1, and all directions
  /// alike give a third of the identity.
  Mat3 fabric = Mat3::zero();
};

/// Measures the bodies of `ids`, which should be those in a region of that volume, by the contacts
/// of the last step: stress is minus the sum over contacts of the force on a body times the way
/// from its centre of mass to the contact, over the volume (Love and Weber); of a pair with both
/// bodies in the set both count. The normal of a pair is that of its points weighted by their
/// force. Volumes are those of shapes, overlaps of a compound's parts counted twice. In a periodic
/// world ways lead to the nearest images. Throws InvalidInput (`volume`: not positive; `id` of no
/// body; `world` that ranks share and have not collected). Cost: linear in bodies and contacts.
/// Source: weber1966stress (stress), satake1982fabric (fabric).
GrainMeasures measure_grains(const RigidWorld& world, std::span<const BodyId> ids, double volume);

/// Rigid bodies under gravity with contacts and joints, stepped in time.
///
/// Each step detects contacts, then solves velocities and positions in `substeps` small steps.
/// Impacts happen one by one in the order of their times, each detected at the moment the bodies
/// meet, with a restitution that never adds energy; bodies that leave the paths that were foreseen
/// are detected again. Contacts that last are soft and warm-started, with true Coulomb cones and
/// rolling friction. Joints are met at the end of every small step, all of a group of jointed
/// bodies at once. Free rotation conserves energy and angular momentum. A body that turns so fast
/// that its impacts cannot be followed through a substep waits until the next one. The same calls
/// give the same bits: on every run, after save and restore, and with every compiler that keeps to
/// IEEE double arithmetic. One world may be used by one thread at a time; const members by many.
/// Source: macklin2019smallsteps (substeps), catto2024solver2d (soft contacts, relaxation),
/// stronge2000impact (restitution), andersen1983rattle (joints); docs/algorithms/time-stepping.md,
/// docs/algorithms/joints.md.
/// @code{.cpp}
/// World world;
/// BodyDefinition floor{HalfSpace({0, 0, 1}, 0.0)};
/// floor.type = BodyType::fixed;
/// world.add(floor);
/// const BodyId ball = world.add({.shape = Sphere(0.5), .pose = Pose::translation({0, 0, 2})});
/// while (world.time() < 2.0) world.step();
/// assert(std::fabs(world.body(ball).center_of_mass().z - 0.5) < 1e-3);
/// @endcode
class World final : public RigidWorld {
 public:
  /// Throws InvalidInput for bad settings.
  explicit World(const WorldSettings& settings = {});
  ~World() override;
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const WorldSettings& settings() const;

  /// Adds a joint and returns its id, as `add` does for bodies. Bodies that it finds apart are
  /// drawn together, no faster than `max_push_speed` of the smaller body's sizes per time. In a
  /// periodic world each anchor becomes its image nearest the body's centre of mass, as
  /// `Joint::definition` then tells; the joint holds the image of B whose anchor is nearest A's,
  /// and keeps to it when bodies pass faces. Throws InvalidInput as `validate`, `body_a`, `body_b`
  /// for bodies that there are not, that are the same, or none of which is moving, and `frame_a`,
  /// `frame_b`, `body_b` for what lies over 1e9 periods away.
  JointId add_joint(JointDefinition definition);
  /// Throws InvalidInput (`id`) when there is none. Joints of a body go with it.
  void remove_joint(JointId id);
  /// All joints, by id.
  std::span<const Joint> joints() const;
  const Joint& joint(JointId id) const;
  /// From the next step on. Throws InvalidInput (`id`, or as `validate`).
  void set_motor(JointId id, const std::optional<JointMotor>& motor);
  void set_drive(JointId id, const std::optional<JointDrive>& drive);
  /// Joints that broke at the end of the last step, by id, as they were then, with the mean force
  /// and torque of the step; they are gone from `joints`. What their bodies do within the step is
  /// what the joint made them do. None after `restore`.
  std::span<const Joint> broken_joints() const;

  /// A force that acts during the next step, on the material point that is at `world_point` now or
  /// through the centre of mass, and a torque; all that are given add up. Without effect unless the
  /// body is moving. A state that is saved does not hold them. Throws InvalidInput (`id`, or what
  /// is not finite).
  void apply_force(BodyId id, const Vec3& force);
  void apply_force(BodyId id, const Vec3& force, const Vec3& world_point);
  void apply_torque(BodyId id, const Vec3& torque);

  /// Fails in a periodic world also for a body that does not fit any longer or lies over 1e9
  /// periods from the box or from one that it is joined to (`place`), or that would move by a
  /// period
  /// (`motion`). And (`crowded`) when more than 524,288 pairs and 64 per body are near each other,
  /// at the start or within the step, which would take gigabytes. A body that turns too fast for
  /// its impacts to be followed is no failure: it waits, see above. Cost of being able to come
  /// back: a copy of the motions and of what the queries keep; no more than a few hundredths of a
  /// step.
  const StepStatistics& step() override;
  const StepStatistics& statistics() const override;
  double time() const override;

  /// Contact points by ids, then part, then feature; gaps up to `contact_margin` included.
  std::span<const Contact> contacts() const override;
  double contact_time() const override;

  /// Replaces `BodyDefinition::servo`; part of the set-up, not of the state, which holds the speed.
  /// Without one the body keeps its velocity. Throws InvalidInput (`id`, or as Body; `servo` where
  /// ranks share the world).
  void set_servo(BodyId id, const std::optional<Servo>& servo);
  /// Walls that keep a force, by id; none before the first step and after `restore`.
  std::span<const ServoReading> servos() const;

  /// Decides on all contact patches from the next step on, after what `set_surface_pair` and the
  /// bodies say; without a rule, they alone do. Part of the set-up, not of the state.
  void set_contact_rule(ContactRule rule);

  /// Pairs of bodies that touched in the last step, by ids: that overlapped, pushed each other or
  /// collided. A sensor touches what overlaps it at the end of the step, or on the straight way of
  /// both to there from where they were at its start, bodies that are fixed or kinematic too.
  std::span<const TouchingPair> touching() const;
  /// Pairs that did not touch in the step before, and pairs that did and touch no longer. The first
  /// step, and one after `restore`, begins all touches; the next step ends those of a body that is
  /// removed.
  std::span<const TouchingPair> touches_begun() const;
  std::span<const TouchingPair> touches_ended() const;

 private:
  void check_body(const Body& body) const override;
  void forget(std::span<const BodyId> ids) override;
  void disturb(std::span<const BodyId> ids) override;
  void save_pairs(WorldState& state) const override;
  void check_pairs(const WorldState& state) const override;
  void restore_pairs(const WorldState& state) override;

  friend struct detail::StepUndo;
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tactus
