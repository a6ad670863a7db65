#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/soft/contact/contacts.hpp"
#include "tactus/soft/model/model.hpp"
#include "tactus/soft/world/rigid_block.hpp"

namespace tactus::detail {

/// Energy that a step of implicit Euler minimises: sum of masses / (2 h^2) |x - start - h
/// velocity|^2, the elastic energy, that of gaps, of friction and damping since the start, of
/// gravity, and of the inertia of rigid bodies. At the start it is the whole energy of the moving
/// bodies.
struct StepProblem {
  const SoftModel* model = nullptr;
  double time_step = 0.0;
  Vec3 gravity;
  int max_threads = 0;
  /// Places of all vertices, obstacles included; those of rigid bodies follow.
  std::vector<Vec3> start;
  std::vector<Vec3> velocity;         ///< of bodies
  std::vector<std::uint8_t> led;      ///< of bodies: 1 keeps its place
  std::vector<double> start_lengths;  ///< of ties
  std::vector<RigidBlock> blocks;     ///< by their places in the lists

  /// Elastic energy alone.
  double elastic_energy(std::span<const Vec3> x) const;
  double gravity_energy(std::span<const Vec3> x) const;
  double block_energy(std::span<const Vec3> x) const;
  /// Sum of all terms of the energy.
  double energy(std::span<const Vec3> x, const Contacts& contacts) const;
};

/// Bodies that move as one, without turning.
struct Party {
  std::vector<std::uint32_t> vertices;  ///< of deformables
  std::vector<std::uint32_t> blocks;
  std::vector<std::uint32_t> outside;  ///< active pairs of them with others
};
struct Parties {
  std::vector<Party> bodies;  ///< each deformable that nothing leads and that touches others
  std::vector<Party> groups;  ///< all that touch each other, where nothing holds them
};
Parties find_parties(const StepProblem& problem, const Contacts& contacts);

/// Sweeps over all vertices, colour by colour, each vertex moved to the least of its own quadratic
/// model, within its bound about `reference`; then each rigid body. With rigid bodies, each free
/// body is then moved as one, and last all that touch each other and that nothing holds: their
/// momentum is that at the start and what gravity gives, to rounding. Several sweeps are mixed
/// (Anderson) where that lowers the energy. The models of gaps, friction and ties are no upper
/// bounds: a move that raises the energy is halved, and at last left out. So no sweep raises it.
/// Source: chen2024vbd (descent by colours); walker2011anderson (mixing).
class Descent {
 public:
  Descent(const StepProblem& problem, const Contacts& contacts, std::span<const Vec3> reference);

  struct Progress {
    double largest_move = 0.0;  ///< of a vertex, in the last sweep
    int at_bound = 0;           ///< vertices and rigid bodies that would have gone farther
  };
  Progress sweep(std::vector<Vec3>& x);

 private:
  void relax(std::vector<Vec3>& x);
  void relax_blocks(std::vector<Vec3>& x);
  void find_touching();
  void shift(const Party& party, std::vector<Vec3>& x) const;
  bool may_shift(const Party& party, const Vec3& by, std::span<const Vec3> x) const;
  /// All that moves: vertices of bodies, and places of rigid bodies.
  std::vector<Vec3> moving(std::span<const Vec3> x) const;
  bool keep_within(std::uint32_t vertex, Vec3& place) const;
  double tie_and_gap_energy(std::uint32_t vertex, std::span<const Vec3> x) const;
  Vec3 lowering(std::uint32_t vertex, const LocalModel& exact, const Vec3& place,
                std::vector<Vec3>& x) const;
  void remember(std::span<const Vec3> x, std::span<const Vec3> swept);
  void mix(std::span<const Vec3> x, std::vector<Vec3>& swept);
  void mix_blocks(std::span<const double> weights, std::vector<Vec3>& mixed);

  const StepProblem& problem_;
  const Contacts& contacts_;
  std::span<const Vec3> reference_;
  Groups own_colors_;
  const Groups* colors_;
  Parties parties_;
  std::vector<std::uint32_t> block_of_;               ///< by body of the surfaces
  std::vector<std::vector<std::uint32_t>> touching_;  ///< active pairs of each rigid body
  std::vector<std::uint8_t> at_bound_;                ///< of vertices, then of rigid bodies
  std::vector<Vec3> next_;
  // Differences of the last sweeps: of what came out, and of how far it moved.
  struct Past {
    std::vector<Vec3> out, move;  ///< of all that moves
  };
  std::vector<Past> past_;
  std::vector<Vec3> last_out_, last_move_;
  double last_energy_;
};

}  // namespace tactus::detail
