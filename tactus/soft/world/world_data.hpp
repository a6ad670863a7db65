#pragma once

#include <vector>

#include "tactus/deform.hpp"
#include "tactus/soft/model/model.hpp"

namespace tactus {
namespace detail {

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

  // With a rigid world (coupling.cpp).
  /// Throws InvalidInput where the two cannot step together.
  void refuse_discord(const World& world) const;
  /// Puts obstacles where the rigid bodies are.
  void follow(const World& world);
  /// Steps the rigid world under the loads that are handed on.
  std::vector<RigidCourse> step_rigid(World& world) const;
  /// The step of both.
  void step_with(World& world);
};

}  // namespace detail

struct DeformableWorld::Data : detail::SoftWorldData {};

}  // namespace tactus
