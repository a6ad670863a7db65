#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tactus/rigid/solver/contact_solver.hpp"

namespace tactus::detail {

/// Bodies that answer an impulse on any of them together: those of an island that contacts push, or
/// a body alone.
struct AnsweringBodies {
  std::vector<std::uint32_t> bodies;  ///< positions in the list of bodies
  std::size_t first = 0;              ///< of their velocities: three linear and three angular each
  /// Changes of all velocities per unit of each component of an impulse on each body, one after the
  /// other.
  std::vector<double> response;
  std::size_t count() const { return 6 * bodies.size(); }
};

/// Contacts of bodies that joints hold. An impulse moves all bodies of the island at once, as far
/// as the joints let them: each row of a contact meets the mobility that is left to it, the Schur
/// complement of the joints' rows. So a load that goes through contacts and joints is carried
/// within the substep. Rows keep their bounds by sweeps, which go on until they change no more. The
/// springs, the relaxation and friction are those of `ContactSolver`.
/// Source: baraff1996lagrange (joints eliminated), catto2024solver2d (the springs).
class JoinedContacts {
 public:
  enum class Phase : std::uint8_t { solve, relax };

  /// Takes over patches, in order. `parts`: bodies in any order, each in one part at most; those in
  /// none do not answer. The velocities follow each other in the order of the parts.
  void begin(std::span<const std::uint32_t> patches, std::vector<AnsweringBodies> parts,
             std::span<const ContactConstraint> constraints);
  std::span<AnsweringBodies> parts() { return parts_; }
  std::span<const std::uint32_t> patches() const { return numbers_; }
  /// After the parts' responses were set: the bodies' own velocities and those impulses of the
  /// substep's start that friction is bounded by.
  void start(Phase phase, ContactSolver& solver, std::span<const SolverBody> bodies);
  /// Changes the impulses, and the velocities and noted impulses of the bodies pushed: by the
  /// contacts alone, not by what joints answer. Returns the largest change of an impulse over the
  /// sum of all.
  double solve(Phase phase, ContactSolver& solver, std::span<SolverBody> bodies);
  /// The substep is over.
  void end(ContactSolver& solver, std::span<SolverBody> bodies);

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Row {
    double along[2][6] = {};                   ///< on A and on B
    std::size_t response[2] = {kNone, kNone};  ///< in `responses_`: of the parts of A, of B
    double still = 0.0;                        ///< speed by bodies that do not answer
    double mobility = 0.0;
  };
  struct Point {
    Row row[3];  ///< normal and tangents
    double gap = 0.0;
    double load_before = 0.0;
    double friction_inverse[3] = {}, friction_step = 0.0;
    bool acts = false;
  };
  struct Patch {
    std::size_t part[2] = {kNone, kNone};  ///< of A and of B
    std::size_t at[2] = {kNone, kNone};    ///< of the bodies' velocities
    std::array<Point, Manifold::kCapacity> points;
    Row turn[3];  ///< about the axes of the world
    Mat3 angular_mass = Mat3::zero();
    double left = 0.0, substep = 0.0;
    /// Creeps and swerves of half a substep that the velocities are to differ by.
    double creep_now = 0.0, swerve_now = 0.0;
    double creep(const ContactConstraint::Point& point, int axis) const {
      return point.creep[axis] * creep_now + point.swerve[axis] * swerve_now;
    }
    bool swept = false;
  };
  struct Change {
    double sum = 0.0, change = 0.0;
  };

  void make_row(const Patch& patch, const ContactConstraint& c, std::span<const SolverBody> bodies,
                const BothVec3& linear, const BothVec3& angular, Row& row);
  void make_point(Phase phase, Patch& patch, const ContactConstraint& c, std::size_t k,
                  std::span<const SolverBody> bodies);
  double speed(const Patch& patch, const Row& row) const;
  double mobility(const Patch& patch, const Row& x, const Row& y) const;
  void apply(const Patch& patch, const Row& row, double impulse);
  void solve_turning(const Patch& patch, ContactConstraint& c);
  void solve_friction(const Patch& patch, const Point& p, ContactConstraint& c, std::size_t k,
                      Change& change);
  void solve_normal(const Patch& patch, const Point& p, ContactConstraint& c, std::size_t k,
                    const SweepRates& rates, Phase phase, Change& change);

  std::vector<std::uint32_t> numbers_;
  std::vector<AnsweringBodies> parts_;
  std::vector<Patch> patches_;
  std::vector<double> velocities_, responses_;
  std::vector<ContactConstraint::Impulse> before_;
};

}  // namespace tactus::detail
