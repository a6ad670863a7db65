#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tactus/deform/contacts.hpp"
#include "tactus/deform/model.hpp"

namespace tactus::detail {

/// What a step of implicit Euler minimises: sum of masses / (2 h^2) |x - start - h velocity|^2, the
/// elastic energy, that of gaps, of friction and damping since the start, and of gravity. At the
/// start it is the whole energy of the moving bodies.
struct StepProblem {
  const WorldModel* model = nullptr;
  double time_step = 0.0;
  Vec3 gravity;
  int max_threads = 0;
  std::vector<Vec3> start;            ///< of all vertices, obstacles included
  std::vector<Vec3> velocity;         ///< of bodies
  std::vector<std::uint8_t> led;      ///< of bodies: 1 keeps its place
  std::vector<double> start_lengths;  ///< of ties

  /// Elastic energy alone.
  double elastic_energy(std::span<const Vec3> x) const;
  double gravity_energy(std::span<const Vec3> x) const;
  /// The whole of it.
  double energy(std::span<const Vec3> x, const Contacts& contacts) const;
};

/// Sweeps over all vertices, colour by colour, each vertex moved to the least of its own quadratic
/// model, within its bound about `reference`; several sweeps are mixed (Anderson) where that lowers
/// the energy. Source: chen2024vbd (descent by colours); walker2011anderson (mixing).
class Descent {
 public:
  Descent(const StepProblem& problem, const Contacts& contacts, std::span<const Vec3> reference);

  struct Progress {
    double largest_move = 0.0;  ///< of a vertex, in the last sweep
    int at_bound = 0;           ///< vertices that would have gone farther
  };
  Progress sweep(std::vector<Vec3>& x);

 private:
  void relax(std::vector<Vec3>& x);
  bool keep_within(std::uint32_t vertex, Vec3& place) const;
  void remember(std::span<const Vec3> x, std::span<const Vec3> swept);
  void mix(std::span<const Vec3> x, std::vector<Vec3>& swept);

  const StepProblem& problem_;
  const Contacts& contacts_;
  std::span<const Vec3> reference_;
  Groups own_colors_;
  const Groups* colors_;
  std::vector<std::uint8_t> at_bound_;
  std::vector<Vec3> next_;
  // Differences of the last sweeps: of what came out, and of how far it moved.
  struct Past {
    std::vector<Vec3> out, move;
  };
  std::vector<Past> past_;
  std::vector<Vec3> last_out_, last_move_;
  double last_energy_;
};

}  // namespace tactus::detail
