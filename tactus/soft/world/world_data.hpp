#pragma once

#include <vector>

#include "tactus/deform.hpp"
#include "tactus/soft/contact/contacts.hpp"
#include "tactus/soft/model/model.hpp"
#include "tactus/soft/world/descent.hpp"
#include "tactus/soft/world/group_motion.hpp"

namespace tactus::detail {

struct RigidCourse;

/// Everything that a world of deformables holds.
struct SoftWorldData {
  struct BodyPart {
    std::uint32_t first = 0, count = 0;  ///< vertices
    double friction = 0.0;
    Structure structure;  ///< over its own vertices
  };
  struct Obstacle {
    TriangleMesh mesh;  ///< in its frame; empty of a half-space
    Pose pose;          ///< at time 0
    RigidMotion motion;
    double friction = 0.0;
    std::optional<HalfSpace> floor;  ///< in the world
    std::uint32_t first = 0;         ///< vertices, in the whole list
    double time = 0.0;               ///< how far it has come
    BodyId rigid = kNoBody;          ///< of a rigid world, which says where it is
    RigidLoad load;                  ///< on that body, of the last step
    bool carried = false;            ///< rigid bodies or joints held it in the last step
  };

  DeformableSettings settings;
  std::vector<BodyPart> bodies;
  std::vector<Obstacle> obstacles;
  std::vector<Vec3> positions, velocities, targets;
  std::vector<std::uint8_t> held;
  std::uint64_t step = 0;
  DeformableStatistics statistics;
  std::vector<DeformableContact> contacts;  ///< of the last step

  bool prepared = false;  ///< `model` is of these bodies and obstacles
  bool examined = false;  ///< the start was found to be free of crossings
  SoftModel model;

  const BodyPart& body(DeformableId id) const;
  const Obstacle& obstacle(std::uint32_t index) const;
  std::uint32_t vertex(DeformableId id, std::uint32_t v) const;
  double contact_distance() const;
  void prepare();
  SoftModel make_model() const;
  void number_obstacles();
  /// Positions of all vertices, those of obstacles at their present times.
  std::vector<Vec3> all_positions() const;
  std::vector<SurfaceCrossing> crossings() const;
  void refuse_crossings();

  /// One step, with the rigid world if there is one, or none: then both are as they were, and the
  /// statistics say why. Throws InvalidInput as `DeformableWorld::step`; both are then as they
  /// were.
  void step_or_stay(World* world);
  /// Throws StepFault for a vertex that would move too far, or is nowhere after the step.
  void require_slow() const;
  void require_finite() const;

  // With a rigid world (rigid/coupling.cpp).
  /// Throws InvalidInput where the two cannot step together.
  void refuse_discord(const World& world) const;
  /// Puts obstacles where the rigid bodies are.
  void follow(const World& world);
  /// Steps the rigid world under the loads that are handed on.
  std::vector<RigidCourse> step_rigid(World& world) const;
  /// The step of both.
  void step_with(World& world);
};

/// A rigid body among the obstacles in a step: what the rigid world's step did to it, as if nothing
/// were deformable, and what becomes of it.
struct RigidCourse {
  std::uint32_t obstacle = 0;
  const Body* body = nullptr;  ///< after the rigid step
  Pose pose;                   ///< before it
  Vec3 center;                 ///< of mass, before it
  Quat orientation;            ///< of the pose
  bool carried = false;        ///< held by rigid bodies or joints in this step
  bool turned_less = false;    ///< it turned farther than is followed
  bool touched = false;        ///< deformables have changed its course
  double energy_before =
      0.0;               ///< of motion and gravity, of one that is touched: without deformables
  double held_up = 0.0;  ///< work of the rigid bodies that hold it, on what deformables move it
  Vec3 linear, angular;  ///< velocities at the end
};

/// One step of a world.
class SoftStep {
 public:
  /// `courses`: of rigid bodies among the obstacles.
  explicit SoftStep(SoftWorldData& data, std::vector<RigidCourse> courses = {});
  void run();
  /// Puts the rigid bodies where the step has them.
  void hand_back(World& world) const;

 private:
  // Rigid bodies among the obstacles (coupling.cpp).
  void add_block(RigidCourse& course);
  /// The block of an obstacle; null where it is no rigid body.
  const RigidBlock* block_of(std::size_t obstacle) const;
  bool rests(std::size_t obstacle) const;
  /// Bodies that come near deformables are from now on pushed by them.
  void note_touched();
  void settle_blocks();
  /// Notes the load of deformables on each rigid body: the last step's, which the rigid step has
  /// applied, and the change of velocities since.
  void note_loads();
  Mat3 axes_of(std::size_t block) const;
  /// Energy of motion of the rigid bodies that are touched, or that are not; and of gravity.
  double rigid_motion(bool touched) const;
  double rigid_weight(bool touched) const;

  bool has_contacts() const;
  void place_obstacle(std::size_t o, double share, std::vector<Vec3>& x) const;
  void find_contacts();
  void guess();
  void guess_far();
  std::vector<double> shares_of_bodies() const;
  std::vector<Vec3> end_of(std::span<const double> shares) const;
  /// Lowers the shares of bodies that meet on the way; false where none does.
  bool shorten(int attempt, std::vector<double>& shares) const;
  void solve();
  void advance_led();
  bool solve_round(bool last);
  void accept();
  void step_back(double factor);
  void finish();
  void settle_energy();
  /// Takes from the energy of motion what exceeds `rest`: of groups that nothing holds, of the
  /// motion within them, as long as that suffices.
  void slow_down(std::span<const Party> groups, double moving, double rest);

  // Motion of groups that nothing holds (group_motion.cpp).
  /// All that have touched each other in the step, each deformable alone too.
  std::vector<Party> free_groups() const;
  /// Motion of a group with the momenta of the start, and what gravity and the rigid step gave.
  GroupMotion wanted_motion(const Party& group) const;
  GroupMotion present_motion(const Party& group) const;
  void add_motion(const Party& group, const Vec3& center, const Vec3& velocity,
                  const Vec3& turning);
  /// Gives each group the momenta that it has to have, as to one rigid body.
  void keep_momentum(std::span<const Party> groups);
  /// All velocities, those within groups, times `within`; those of groups as a whole times
  /// `common`.
  void scale_motion(std::span<const Party> groups, double within, double common);
  /// Moves groups to where their momentum takes their centres, where that is farther than `least`,
  /// as long as they do not come nearer than the contact distance to anything else. True where any
  /// has moved.
  bool carry_groups(double least);
  std::vector<Vec3> carried(std::span<const Party> groups, std::span<const Vec3> ways) const;
  bool shorten_ways(int attempt, std::span<const Party> groups, std::span<Vec3> ways) const;
  /// Energy of the groups' motion as rigid bodies.
  double common_energy(std::span<const Party> groups) const;

  SoftWorldData& data_;
  const SoftModel& model_;
  std::vector<RigidCourse> courses_;  ///< as `problem_.blocks`
  double contact_distance_, edge_;
  StepProblem problem_;
  Contacts contacts_;
  BodyLinks links_;  ///< of all searches of the step
  std::vector<Vec3> x_, wanted_, reference_;
  std::vector<double> share_, share_before_;  ///< of obstacles: how far they are in the step
  bool anything_led_ = false;                 ///< something is moved from outside
  bool led_moved_ = false, all_arrived_ = true;
  double start_energy_ = 0.0;  ///< without that of rigid bodies
  int sweeps_left_;
  DeformableStatistics out_;
  double contact_seconds_ = 0.0;
};

}  // namespace tactus::detail

namespace tactus::soft {

struct DeformableWorld::Data : detail::SoftWorldData {};

}  // namespace tactus::soft
