#include "tactus/soft/world/energy_guard.hpp"

#include <cmath>

namespace tactus::detail {
namespace {

// A step keeps energies to this relative rounding of their sums.
constexpr double kEnergyRounding = 1e-12;

}  // namespace

void EnergyGuard::measure(std::span<const Vec3> x, DeformableStatistics& out) const {
  const SoftModel& model = *problem_.model;
  out.elastic_energy = problem_.elastic_energy(x);
  out.potential_energy = problem_.gravity_energy(x);
  out.contact_energy = contacts_.energy(x, problem_.start, false);
  out.rigid_energy = rigid_.motion_energy(true, x) + rigid_.weight_energy(true, x);
  out.kinetic_energy = 0.0;
  for (std::size_t i = 0; i < model.free_vertices; ++i) {
    if (problem_.led[i] == 0)
      out.kinetic_energy += 0.5 * model.masses[i] * squared_norm(velocities_[i]);
  }
}

double EnergyGuard::moving(std::span<const Vec3> x, const DeformableStatistics& measured) const {
  return measured.kinetic_energy + rigid_.motion_energy(true, x);
}

bool EnergyGuard::can_keep(double most, std::span<const Party> groups, std::span<const Vec3> x,
                           const DeformableStatistics& measured) const {
  const double motion = moving(x, measured), rest = most - (measured.energy() - motion);
  return !(rest <
           momentum_.common_energy(groups, x) - kEnergyRounding * (std::fabs(most) + motion));
}

void EnergyGuard::slow_down(double most, std::span<const Party> groups, std::span<const Vec3> x,
                            const DeformableStatistics& measured) const {
  const double motion = moving(x, measured), rest = most - (measured.energy() - motion);
  const double together = momentum_.common_energy(groups, x);
  const double left = rest - together;
  if (left > 0.0) {
    const double within = std::sqrt(left / (motion - together)) * (1.0 - kEnergyRounding);
    momentum_.scale(groups, x, within, 1.0);
    return;
  }
  const double common = rest > 0.0 ? std::sqrt(rest / together) : 0.0;
  momentum_.scale(groups, x, 0.0, common);
}

}  // namespace tactus::detail
