#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

namespace tactus::soft {

/// Tetrahedra over common vertices. Plain data; `validate` says whether it can be used. The corners
/// a, b, c, d of each stand so that (b - a) x (c - a) points to the side of d.
struct TetrahedralMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;
};

/// Throws InvalidInput naming the element: no vertex (`vertices`), a coordinate that is not finite
/// (`vertices[i]`), no tetrahedron (`tetrahedra`), a corner that does not exist, and a tetrahedron
/// that is flat or inverted (`tetrahedra[i]`), decided exactly.
void validate(const TetrahedralMesh& mesh);

/// The triangles that belong to one tetrahedron alone, counter-clockwise seen from outside, in the
/// order of the tetrahedra.
std::vector<std::array<std::uint32_t, 3>> surface_of(const TetrahedralMesh& mesh);

/// How well shaped the tetrahedra of a mesh are.
struct TetrahedraQuality {
  double volume = 0.0;        ///< of all
  double least_volume = 0.0;  ///< of one
  double least_ratio = 0.0;   ///< 3 inradius / circumradius: 1 of a regular one, 0 of a flat one
  double mean_ratio = 0.0;
  double least_angle = 0.0;  ///< between two faces, radians
  double greatest_angle = 0.0;
};
/// The mesh must be valid. Cost: one pass.
TetrahedraQuality quality(const TetrahedralMesh& mesh);

/// A box about the origin in cells of six tetrahedra each (Kuhn's). `roundness` moves each vertex
/// by that part of the way from the box towards the ellipsoid that touches its faces; in [0, 0.9].
/// Throws InvalidInput (`size`, `cells`) unless all are positive, (`roundness`).
TetrahedralMesh tetrahedral_box(const Vec3& size, const std::array<int, 3>& cells,
                                double roundness = 0.0);

/// A ball about the origin, filled with tetrahedra whose edges are about `edge` long. Throws
/// InvalidInput (`radius`, `edge`): not positive, or more than 2e7 cells.
TetrahedralMesh tetrahedral_sphere(double radius, double edge);

/// The inside of a closed surface, filled with tetrahedra whose edges are about `edge` long: the
/// cells of a body-centred cubic lattice, their corners moved to the surface where they are close
/// to it, the others cut. Details of the surface smaller than `edge` are lost, and the new surface
/// lies within about `edge` of the given one. Throws InvalidInput (`surface`, `edge`): open, no
/// tetrahedron fits, more than 2e7 cells. Cost: some 20 us for each cell in the box of the surface.
/// Source: labelle2007stuffing (lattice and moved corners; the cut cells are divided by the order
/// of their corners).
TetrahedralMesh fill_with_tetrahedra(const Mesh& surface, double edge);

/// How a deformable body resists.
enum class DeformableModel : std::uint8_t {
  neo_hookean,  ///< stable neo-Hookean solid; of a shell springs along its edges
  mass_spring   ///< springs along all edges, and volumes that are kept
};
std::string_view to_string(DeformableModel model);

/// Material of a body. Any consistent units; the defaults suit metres, kilograms, seconds.
struct DeformableMaterial {
  DeformableModel model = DeformableModel::neo_hookean;
  double density = 1000.0;  ///< mass per volume, > 0
  double young = 1e5;       ///< Young's modulus, > 0
  double poisson = 0.4;     ///< Poisson's ratio, in [0, 0.495]
  double damping = 0.0;     ///< time: strain rates resist by `damping` times Young's modulus, >= 0
  double friction = 0.5;    ///< Coulomb's coefficient, >= 0; two surfaces take the geometric mean
  double thickness = 1e-3;  ///< of a shell, > 0
  double bending = 1.0;     ///< factor of the bending stiffness of a shell, >= 0
};
/// Throws InvalidInput naming the field.
void validate(const DeformableMaterial& material);

/// Everything that makes a deformable body: structure and material. Its surface follows from it.
struct DeformableDefinition {
  std::vector<Vec3> vertices;                            ///< at rest
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  ///< of a solid
  std::vector<std::array<std::uint32_t, 3>> triangles;   ///< of a shell; then no tetrahedra
  DeformableMaterial material;
  Pose pose = {};  ///< from the rest to the start
  Vec3 linear_velocity = {};
  std::vector<std::uint32_t> fixed;  ///< vertices that are held where they start
};

/// Obstacle of deformable bodies: a shape that stands or moves as it is told.
struct ObstacleDefinition {
  Shape shape;
  Pose pose = {};
  RigidMotion motion = {};  ///< velocities, about the shape's own origin; none of a half-space
  double friction = 0.5;    ///< >= 0
  /// Curved shapes are replaced by a polytope that holds them and reaches beyond them by at most
  /// this part of their size, in [1e-4, 0.5]: it is what the bodies touch.
  double tolerance = 0.01;
};

/// The surface that stands for a shape as an obstacle, in the shape's frame, and by how much it
/// reaches beyond the shape at most. Box, hull and mesh stand for themselves (`beyond` = 0).
struct Tessellation {
  TriangleMesh mesh;
  double beyond = 0.0;
};
/// Replaces a curved shape by the hull of its farthest points in many directions, enlarged about an
/// inner point until each of its faces is outside of the shape's supporting plane, which the
/// support function proves. A compound gives the surfaces of its parts. Throws InvalidInput
/// (`shape`) for a half-space and for shapes without volume, (`tolerance`) when it takes more than
/// 1e5 directions.
Tessellation tessellate(const Shape& shape, double tolerance = 0.01);

/// Response to bodies that come together. The last three are those of knoblauch2005, for
/// comparison: of a world without contacts (`DeformableSettings::contacts`), after each step.
enum class DeformableResponse : std::uint8_t {
  continuous,         ///< the world's contacts: nothing passes
  discrete,           ///< vertices that lie in another body after a step leave it by their depth
  freeze_continuous,  ///< bodies that touch on the way of a step stay for ever where they first did
  freeze_discrete     ///< bodies that hold a vertex of another one after a step, or are held, stay
};
std::string_view to_string(DeformableResponse response);

/// How a world of deformables steps. Global forces stand here, apart from the bodies.
struct DeformableSettings {
  Vec3 gravity{0.0, 0.0, -9.81};
  double time_step = 1.0 / 60.0;  ///< > 0
  /// Most sweeps over all vertices per step, >= 1. Where they do not suffice, stiff bodies seem
  /// softer and livelier motion dies faster.
  int sweeps = 60;
  /// A step is done when no vertex moves farther in a sweep than this part of the mean edge, >= 0.
  double tolerance = 1e-4;
  /// Most searches for contacts per step, >= 1. Where they do not suffice, bodies that come
  /// together are slowed down, never let through.
  int rounds = 12;
  /// Gap from which on surfaces push each other away, a length; 0 takes a tenth of the shortest
  /// mean edge of all bodies' surfaces.
  double contact_distance = 0.0;
  double contact_stiffness = 1.0;  ///< factor of the one that follows from the materials, > 0
  double slip_speed = 1e-3;        ///< below it friction grows with the speed, > 0
  double air_damping = 0.0;        ///< rate at which velocities decay, per time, >= 0
  bool contacts = true;            ///< false: bodies pass through everything
  int max_threads = 0;             ///< 0: all processors; the bits do not depend on it
};
/// Throws InvalidInput naming the field.
void validate(const DeformableSettings& settings);

/// Load of deformables on a rigid body in the last step: a force through its centre of mass and a
/// torque about it, world frame. Over the time step they are the momentum that it was given.
struct RigidLoad {
  Vec3 force, torque;
  friend bool operator==(const RigidLoad&, const RigidLoad&) = default;
};

/// A rigid body among deformables, as plain data.
struct RigidCoupling {
  Pose pose;                 ///< of the shape's frame
  RigidLoad load;            ///< of the last step
  std::uint8_t carried = 0;  ///< 1: rigid bodies or joints held it in the last step
  friend bool operator==(const RigidCoupling&, const RigidCoupling&) = default;
};

/// All of a world that changes with time, as plain data.
struct DeformableState {
  std::uint64_t step = 0;
  std::vector<Vec3> positions, velocities;  ///< of all bodies, one after the other
  std::vector<std::uint8_t> held;           ///< 1: the vertex is led
  std::vector<Vec3> targets;                ///< where led vertices go
  std::vector<double> obstacle_times;       ///< how far each obstacle has come
  std::vector<RigidCoupling> rigid;         ///< obstacles that are bodies of a rigid world
  friend bool operator==(const DeformableState&, const DeformableState&) = default;
};
/// Over the bit patterns of all fields in order; negative zero counts as zero.
std::uint64_t hash(const DeformableState& state);

/// Counts, energies and times of a step; energies at its end.
struct DeformableStatistics {
  std::uint64_t step = 0;
  double time = 0.0;
  int vertices = 0, elements = 0;
  int contacts = 0;        ///< pairs nearer than the contact distance
  double least_gap = 0.0;  ///< of all pairs that were measured; infinite without any
  int sweeps = 0, rounds = 0;
  bool converged = false;  ///< the tolerance was reached
  int corrections = 0;     ///< rounds that were shortened by the continuous test or by the energy
  bool held_back = false;  ///< an obstacle or led vertex could not go on without a crossing
  /// The step would have gained energy, and was undone, but for the way of free groups as a whole.
  bool was_stopped = false;
  double kinetic_energy = 0.0;
  double elastic_energy = 0.0;
  double contact_energy = 0.0;
  double potential_energy = 0.0;  ///< of gravity, zero at the origin
  double rigid_energy = 0.0;      ///< of motion and of gravity: moving rigid bodies among them
  double largest_speed = 0.0;
  // Wall-clock milliseconds; they never enter the state.
  double contact_ms = 0.0, solve_ms = 0.0, total_ms = 0.0;
  /// Why the step was not done, if it was not; `bodies` are of the rigid world. All else but
  /// `step`, `time` and `vertices` is then zero.
  StepFailure failure;
  /// The deformables that it is about, in the order they were added, where it is about some.
  std::vector<std::uint32_t> failed;

  double energy() const {
    return kinetic_energy + elastic_energy + contact_energy + potential_energy + rigid_energy;
  }
};

/// An edge and a triangle that meet. `body` counts the bodies in the order they were added, the
/// obstacles after them; vertices count within their body or obstacle. Of a half-space `triangle`
/// stays 0 and the edge's vertices are the same.
struct SurfaceCrossing {
  std::uint32_t edge_body = 0, triangle_body = 0;
  std::array<std::uint32_t, 2> edge{};
  std::array<std::uint32_t, 3> triangle{};
};

/// Two places of surfaces that push each other at the end of a step: a vertex and a triangle, two
/// edges, or a vertex and a half-space, nearer than the contact distance. Bodies are counted in the
/// order they were added, the obstacles after them. All in the world's frame and units.
struct DeformableContact {
  std::uint32_t body_a = 0, body_b = 0;  ///< body_a <= body_b; the same where a body touches itself
  Vec3 point;             ///< midway between the nearest points, which are `distance` apart
  Vec3 normal;            ///< unit, from A to B
  double distance = 0.0;  ///< > 0, below the contact distance
  /// On B along the normal, > 0: the derivative of the contact energy by the distance.
  double normal_force = 0.0;
  Vec3 friction_force;  ///< on B, across the normal of the last search for contacts
};

using DeformableId = std::uint32_t;

/// Solids, shells and cloth under gravity, with contacts between each other, with themselves, with
/// obstacles and with the bodies of a rigid world.
///
/// Each step seeks the least of the implicit Euler energy by vertex block descent: the vertices of
/// one colour after the other are each moved to the least of their own part. A vertex never passes
/// through a surface: between two searches for contacts it moves by less than half of the distance
/// that was found, and the continuous test of every pair that is near proves it anew. Where nothing
/// is led, the energy never grows; with a rigid world, that of both may where a blow presses rigid
/// bodies into each other. The same calls give the same bits: on every run, for any number
/// of threads, after save and restore. One thread at a time; const members from many.
/// Source: chen2024vbd (descent, colours, rigid bodies as blocks), smith2018neohookean, chen2025ogc
/// (bounds from distances), li2020ipc (friction); docs/algorithms/deformable.md.
/// @code{.cpp}
/// const soft::TetrahedralMesh mesh = soft::tetrahedral_sphere(0.15, 0.1);
/// soft::DeformableDefinition ball;
/// ball.vertices = mesh.vertices;
/// ball.tetrahedra = mesh.tetrahedra;
/// ball.pose = Pose::translation({0, 0, 0.3});
/// soft::DeformableWorld world;
/// world.add(ball);
/// world.add_obstacle({HalfSpace({0, 0, 1}, 0.0)});
/// for (int i = 0; i < 10; ++i) world.step();
/// assert(world.crossings().empty());
/// @endcode
class DeformableWorld {
 public:
  /// Throws InvalidInput for bad settings.
  explicit DeformableWorld(const DeformableSettings& settings = {});
  ~DeformableWorld();
  DeformableWorld(DeformableWorld&&) noexcept;
  DeformableWorld& operator=(DeformableWorld&&) noexcept;

  const DeformableSettings& settings() const;
  /// The one that is used: of the settings, or the one that follows from the bodies.
  double contact_distance() const;

  /// Adds a body. Throws InvalidInput naming the field: `vertices[i]`, `tetrahedra[i]` (flat,
  /// inverted), `triangles[i]` (without area), `fixed[i]`, material; neither tetrahedra nor
  /// triangles, or both.
  DeformableId add(const DeformableDefinition& definition);
  /// Throws InvalidInput (`shape`, `friction`, `tolerance`, `motion`).
  std::uint32_t add_obstacle(const ObstacleDefinition& definition);
  /// A body of a rigid world as an obstacle, with its shape (a polytope, see `ObstacleDefinition`)
  /// and friction: it is where the world says, and `step(world)` moves both. A moving body is
  /// pushed by the deformables. The world is not kept. Throws InvalidInput (`body`: there is none,
  /// it is a sensor, it is an obstacle already, or a half-space that is not fixed; `tolerance`,
  /// `shape`).
  std::uint32_t add_obstacle(const World& world, BodyId body, double tolerance = 0.01);

  std::size_t bodies() const;
  std::size_t obstacles() const;
  /// Where the vertices of a body are, and how fast. All throw InvalidInput (`id`) where there is
  /// none.
  std::span<const Vec3> positions(DeformableId id) const;
  std::span<const Vec3> velocities(DeformableId id) const;
  /// Its surface, over its own vertices.
  std::span<const std::array<std::uint32_t, 3>> surface(DeformableId id) const;
  /// Density of the elastic energy about each vertex, the length of the stress that it feels: for
  /// colours.
  std::vector<double> strain_energy(DeformableId id) const;
  /// Present pose of the obstacle's shape. Throws InvalidInput (`obstacle`).
  Pose obstacle_pose(std::uint32_t obstacle) const;
  /// The obstacle's surface where it is now; empty of a half-space.
  TriangleMesh obstacle_surface(std::uint32_t obstacle) const;

  /// Load of the deformables on a rigid body in the last step; zero unless it is moving. Throws
  /// InvalidInput (`obstacle`).
  const RigidLoad& load(std::uint32_t obstacle) const;

  /// Contacts at the end of the last step, `statistics().contacts` of them; those of a pair of
  /// bodies follow each other, pairs ascend. Where the nearest point lies on an edge or a vertex,
  /// each primitive there has a contact of its own with its own force: sums of forces are whole. On
  /// a rigid body they are its `load` as far as the step has converged: contacts are stiff, and
  /// with the default `tolerance` sums can be off by a tenth, with 1e-6 by less than a hundredth.
  /// Empty before the first step and after `restore` until the next one: no part of the state.
  /// Valid until the next step.
  std::span<const DeformableContact> contacts() const;

  /// From now on the vertex is led: it goes to `target` in the next step, as far as it can without
  /// a crossing, and stays there. Throws InvalidInput (`id`, `vertex`, `target`).
  void lead(DeformableId id, std::uint32_t vertex, const Vec3& target);
  /// The vertex moves freely again.
  void release(DeformableId id, std::uint32_t vertex);
  void set_velocity(DeformableId id, const Vec3& velocity);

  /// Advances by `settings().time_step`, or leaves the world as it is, bit for bit, and says why in
  /// `DeformableStatistics::failure`: a vertex would move by over 1e6 mean edges of its body
  /// (`motion`), or as StepError says. The call is refused for what was put there: the first step
  /// throws InvalidInput (`bodies[i]`) when bodies cross each other, themselves or an obstacle at
  /// the start, with the elements; every one (`world`) when an obstacle is a body of a rigid world.
  const DeformableStatistics& step();
  /// Advances the deformables and the rigid world, which holds all bodies that are obstacles here,
  /// by one common step. The rigid world steps first, as if nothing were deformable; then each
  /// moving body among the obstacles takes part in the step of the deformables with its six
  /// unknowns, and is put where that step has it. What contacts take from the deformables'
  /// momentum, linear and angular, they give to the rigid bodies: of all that touches each other
  /// and that nothing holds both are kept to rounding. A body whose way is blocked by what is held
  /// stays behind, with the velocity of what it has come. Bodies that other rigid bodies or joints
  /// hold hand the last step's load on to them. A step that one of both worlds cannot do leaves
  /// both, with the forces that were given for it, as they are. Throws InvalidInput: as `step`;
  /// `time_step`, `gravity` when the worlds differ; `world` when it lacks a body. The statistics of
  /// `world` are those before the deformables pushed.
  const DeformableStatistics& step(World& world);
  const DeformableStatistics& statistics() const;
  double time() const;
  std::uint64_t step_count() const;

  /// All edges that meet a triangle without a common corner, and vertices in a half-space, decided
  /// exactly and without the search for contacts of `step`. Empty after every step.
  std::vector<SurfaceCrossing> crossings() const;

  DeformableState save() const;
  /// Continues from a state of a world with the same bodies, obstacles and settings. Throws
  /// InvalidInput naming the list that does not fit.
  void restore(const DeformableState& state);
  std::uint64_t state_hash() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// A vertex within a tetrahedron of another body, and how it gets out.
struct PointPenetration {
  std::uint32_t body = 0, vertex = 0;  ///< of the list that was asked
  std::uint32_t other = 0, tetrahedron = 0;
  double depth = 0.0;  ///< >= 0
  Vec3 direction;      ///< unit: the way out
};

/// A tetrahedral body as the discrete test sees it: views of the caller's lists.
struct TetrahedralBody {
  std::span<const Vec3> vertices;
  std::span<const std::array<std::uint32_t, 4>> tetrahedra;
  std::span<const std::array<std::uint32_t, 3>> surface;
};

/// All surface vertices that lie in a tetrahedron of another body, by body, then vertex; a vertex
/// in several bodies once for each. The discrete counterpart of `surface_impacts`: it sees one
/// moment only, and misses what has passed through between two of them. Points and tetrahedra are
/// entered in a spatial hash; the depth is consistent: that of the vertices next to the surface
/// comes from the places where edges pass through it, and is handed on from vertex to vertex. Where
/// no edge passes through a triangle, the way out is that of the nearest triangle. Throws
/// InvalidInput (`bodies[i].vertices[j]`, ...). Cost: linear, some microsecond for each vertex.
/// Source: teschner2003hashing, heidelberger2004depth, knoblauch2005.
std::vector<PointPenetration> points_in_tetrahedra(std::span<const TetrahedralBody> bodies);

}  // namespace tactus::soft

namespace tactus::detail {
using namespace ::tactus::soft;
}  // namespace tactus::detail

// Names of 0.1, until 0.3. Types warn; functions and constants cannot.
#ifndef TACTUS_WITHOUT_DEPRECATED
namespace tactus {
using DeformableContact [[deprecated("tactus::soft::DeformableContact")]] = soft::DeformableContact;
using DeformableDefinition [[deprecated("tactus::soft::DeformableDefinition")]] =
    soft::DeformableDefinition;
using DeformableId [[deprecated("tactus::soft::DeformableId")]] = soft::DeformableId;
using DeformableMaterial [[deprecated("tactus::soft::DeformableMaterial")]] =
    soft::DeformableMaterial;
using DeformableModel [[deprecated("tactus::soft::DeformableModel")]] = soft::DeformableModel;
using DeformableResponse [[deprecated("tactus::soft::DeformableResponse")]] =
    soft::DeformableResponse;
using DeformableSettings [[deprecated("tactus::soft::DeformableSettings")]] =
    soft::DeformableSettings;
using DeformableState [[deprecated("tactus::soft::DeformableState")]] = soft::DeformableState;
using DeformableStatistics [[deprecated("tactus::soft::DeformableStatistics")]] =
    soft::DeformableStatistics;
using DeformableWorld [[deprecated("tactus::soft::DeformableWorld")]] = soft::DeformableWorld;
using ObstacleDefinition [[deprecated("tactus::soft::ObstacleDefinition")]] =
    soft::ObstacleDefinition;
using PointPenetration [[deprecated("tactus::soft::PointPenetration")]] = soft::PointPenetration;
using RigidCoupling [[deprecated("tactus::soft::RigidCoupling")]] = soft::RigidCoupling;
using RigidLoad [[deprecated("tactus::soft::RigidLoad")]] = soft::RigidLoad;
using SurfaceCrossing [[deprecated("tactus::soft::SurfaceCrossing")]] = soft::SurfaceCrossing;
using Tessellation [[deprecated("tactus::soft::Tessellation")]] = soft::Tessellation;
using TetrahedraQuality [[deprecated("tactus::soft::TetrahedraQuality")]] = soft::TetrahedraQuality;
using TetrahedralBody [[deprecated("tactus::soft::TetrahedralBody")]] = soft::TetrahedralBody;
using TetrahedralMesh [[deprecated("tactus::soft::TetrahedralMesh")]] = soft::TetrahedralMesh;
using soft::fill_with_tetrahedra;
using soft::hash;
using soft::points_in_tetrahedra;
using soft::quality;
using soft::surface_of;
using soft::tessellate;
using soft::tetrahedral_box;
using soft::tetrahedral_sphere;
using soft::to_string;
using soft::validate;
[[deprecated("tactus::from_string")]] inline std::optional<soft::DeformableModel>
deformable_model_from(std::string_view name) {
  return from_string<soft::DeformableModel>(name);
}
[[deprecated("tactus::from_string")]] inline std::optional<soft::DeformableResponse>
deformable_response_from(std::string_view name) {
  return from_string<soft::DeformableResponse>(name);
}
}  // namespace tactus
#endif
