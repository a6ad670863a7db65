#include "tactus/rigid/solver/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tactus/simd/wide.hpp"

namespace tactus::detail {
namespace {

/// A patch without load to start from is solved by itself first, until a sweep changes its load by
/// less than this part: a face that lands stops level, and friction acts from the first substep.
constexpr int kMaxFreshSweeps = 20;
constexpr double kFreshTolerance = 1e-3;
/// So is one that creeps, since what is left over does work in every substep.
constexpr double kCreepTolerance = 1e-6;
/// Overlap beyond which it is parted as slowly as others are, over that at which it is held.
constexpr double kHeldBand = 64.0;
/// Independent motions of two faces that touch, against each other: along the normal, and two
/// tilts.
constexpr int kWaysToMove = 3;
/// A face is wide where the speed that an impulse at a corner gives is mostly that of tilting: the
/// part of its mass that a corner has is below this. That of a cube on the ground has a quarter.
constexpr double kWideFace = 0.24;
/// Friction follows the centre of a patch's load after so many substeps.
constexpr int kFollowLoad = 4;
/// The centre of a load has moved when it has by this part of the size.
constexpr double kSameCenter = 1e-6;

// The numbers of a body are read four in a row.
static_assert(std::is_standard_layout_v<SolverBody> &&
              offsetof(SolverBody, linear) == 0 * sizeof(double) &&
              offsetof(SolverBody, angular) == 3 * sizeof(double) &&
              offsetof(SolverBody, inverse_mass) == 6 * sizeof(double) &&
              offsetof(SolverBody, left) == 7 * sizeof(double) &&
              offsetof(SolverBody, shift) == 8 * sizeof(double) &&
              offsetof(SolverBody, rotation) == 11 * sizeof(double) &&
              offsetof(SolverBody, inverse_inertia) == 15 * sizeof(double));
constexpr std::size_t kCacheLine = 64, kReadOfBody = 24 * sizeof(double);

/// Rolling and torsional resistance of a patch with this load: changes its impulse, and the angular
/// velocities that both bodies have by now.
void resist_turning(ContactConstraint& c, double load, const SolverBody& a, const SolverBody& b,
                    Vec3& angular_a, Vec3& angular_b) {
  if (load == 0.0 && c.rolling_impulse == Vec3{}) return;
  const Vec3 wanted = c.rolling_impulse - c.angular_mass * (angular_b - angular_a);
  const Vec3 impulse = c.within_resistance(wanted, load);
  angular_a -= a.inverse_inertia * (impulse - c.rolling_impulse);
  angular_b += b.inverse_inertia * (impulse - c.rolling_impulse);
  c.rolling_impulse = impulse;
}

/// Where friction acts has changed: so has what it does to the bodies in a substep.
void change_twist(SolverBody& a, SolverBody& b, const Vec3& moved_a, const Vec3& moved_b,
                  const Vec3& friction) {
  ContactConstraint::change_impulse({{}, cross(both(moved_a, moved_b), opposed(friction))}, a, b);
}

void fetch(const SolverBody& body) {
  const char* const read = reinterpret_cast<const char*>(&body);
  for (std::size_t i = 0; i < kReadOfBody; i += kCacheLine) __builtin_prefetch(read + i);
}

#define TACTUS_LANE_CODE "tactus/rigid/solver/sweep.inc"
#include "tactus/simd/both_widths.inc"

constexpr Sweeps kTwo{narrow::solve, narrow::relax};
constexpr Sweeps kFour{wide::solve, wide::relax};

}  // namespace

const Sweeps& sweeps_in_two_lanes() { return kTwo; }

const Sweeps& sweeps() { return kHasWide ? kFour : kTwo; }

}  // namespace tactus::detail
