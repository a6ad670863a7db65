#pragma once

#include <vector>

#include "tactus/deform.hpp"
#include "tactus/deform/contacts.hpp"
#include "tactus/deform/descent.hpp"
#include "tactus/deform/model.hpp"

namespace tactus {
namespace detail {

/// Everything that a world of deformables holds.
struct WorldData {
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
  };

  DeformableSettings settings;
  std::vector<BodyPart> bodies;
  std::vector<Obstacle> obstacles;
  std::vector<Vec3> positions, velocities, targets;
  std::vector<std::uint8_t> held;
  std::uint64_t step = 0;
  DeformableStatistics statistics;

  bool prepared = false;  ///< `model` is of these bodies and obstacles
  bool examined = false;  ///< the start was found to be free of crossings
  WorldModel model;

  const BodyPart& body(DeformableId id) const;
  std::uint32_t vertex(DeformableId id, std::uint32_t v) const;
  double contact_distance() const;
  void prepare();
  WorldModel make_model() const;
  void number_obstacles();
  /// Positions of all vertices, those of obstacles at their present times.
  std::vector<Vec3> all_positions() const;
  std::vector<SurfaceCrossing> crossings() const;
  void refuse_crossings();
};

/// One step of a world.
class WorldStep {
 public:
  explicit WorldStep(WorldData& data);
  void run();

 private:
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

  WorldData& data_;
  const WorldModel& model_;
  double contact_distance_, edge_;
  StepProblem problem_;
  Contacts contacts_;
  std::vector<Vec3> x_, wanted_, reference_;
  std::vector<double> share_, share_before_;  ///< of obstacles: how far they are in the step
  bool anything_led_ = false;                 ///< something is moved from outside
  bool led_moved_ = false, all_arrived_ = true;
  double start_energy_ = 0.0;
  int sweeps_left_;
  DeformableStatistics out_;
  double contact_seconds_ = 0.0;
};

}  // namespace detail

struct DeformableWorld::Data : detail::WorldData {};

}  // namespace tactus
