#include "tactus/rigid/world/substep_choice.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

/// Contact springs stiffen and soften by at most this factor per step, and soften only where they
/// are stiffer than their load asks by more than the other.
constexpr double kStiffenRate = 1.25, kSoftenPlay = 1.25;
/// Sink that a body is allowed in all, over the overlap that a single contact is allowed.
constexpr double kMostSink = 3.5;
/// How far the pull of a joint may move its two bodies within a substep, in sizes: light bodies
/// between heavy loads then swing by half a radian per substep.
constexpr double kMostPull = 0.02;
/// Part of the kinetic energy of what swings on joints that a step may gain or lose. The scheme
/// keeps energy in the long run, to the square of the substep; whips are what is too fast for it.
constexpr double kMostSwingError = 1e-4;
/// So many times the substeps of the settings are as fine as a whip can ask for.
constexpr int kFinest = 32;

}  // namespace

void SubstepChoice::set(double stiffening, const WorldSettings& settings) {
  stiffening_ = settings.load_overlap > 0.0 ? stiffening : 1.0;
  stepping_ = settings;
  // The least of 1, 3/2, 2, 3, 4, 6 and 8 times as many that carry the frequency.
  double most = 1.0;
  while (most < stiffening_) most *= 2.0;
  if (most > 1.0 && 0.75 * most >= stiffening_) most *= 0.75;
  stepping_.substeps = static_cast<int>(std::ceil(settings.substeps * most));
  stepping_.contact_frequency =
      settings.contact_frequency * (stiffening_ * settings.substeps / stepping_.substeps);
}

int SubstepChoice::finer(double swing_error, const WorldSettings& settings) const {
  int factor = 1;
  while (swing_error > kMostSwingError * factor * factor &&
         2 * factor * stepping_.substeps <= kFinest * settings.substeps)
    factor *= 2;
  return factor;
}

void SubstepChoice::refine(int factor) {
  stepping_.substeps *= factor;
  stepping_.contact_frequency /= factor;
}

/// How softly bodies stand under their mean loads of so many substeps, with the substeps of the
/// settings. A load of L per substep h overlaps by L / (m h w^2), with the mass m of both bodies
/// against each other, or what joints make of it, and the frequency w of the contact's spring,
/// which is inverse to h.
Softness SubstepChoice::softness(int substeps, const WorldSettings& settings,
                                 std::span<const Body> bodies, const ContactSet& contacts,
                                 const ContactSolver& solver, Ranks* ranks) {
  const double angle = 2.0 * kPi * settings.contact_frequency;  // radians per substep
  const double substep = settings.time_step / settings.substeps;
  const double scale = static_cast<double>(stepping_.substeps) / (settings.substeps * substeps);
  const auto patches = contacts.all_patches();
  const auto resting = contacts.all_impulses();
  const auto constraints = solver.constraints();
  loads_.resize(patches.size());
  overlaps_.resize(patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const ContactPatch& patch = patches[i];
    loads_[i] = i < constraints.size() ? constraints[i].load * scale : resting[i].load();
    const double free = bodies[patch.body_a].inverse_mass() + bodies[patch.body_b].inverse_mass();
    const double held = i < constraints.size() ? constraints[i].held_mobility : 0.0;
    const double mobility = held > 0.0 ? std::min(held, free) : free;
    overlaps_[i] = loads_[i] * mobility * substep / (angle * angle * patch.size);
  }
  if (ranks != nullptr)
    return ranks->sink.find(contacts, loads_, overlaps_, bodies, settings.gravity);
  return sink_.find(patches, loads_, overlaps_, bodies, settings.gravity);
}

void SubstepChoice::choose(int substeps, double pull, const WorldSettings& settings,
                           std::span<const Body> bodies, const ContactSet& contacts,
                           const ContactSolver& solver, Ranks* ranks) {
  if (settings.load_overlap == 0.0) return;
  if (ranks != nullptr) pull = ranks->exchange.most(pull);
  // Overlaps fall with the square of the frequency, and so does the way of a pull.
  const Softness soft = softness(substeps, settings, bodies, contacts, solver, ranks);
  const double contact = std::max(soft.overlap, soft.sink / kMostSink) / settings.load_overlap;
  const double finer = static_cast<double>(stepping_.substeps) / settings.substeps;
  const double most = std::max(contact, pull * finer * finer / kMostPull);
  const double wanted = std::min(std::sqrt(most), kMostStiffening);
  if (wanted > stiffening_)
    set(std::min(wanted, stiffening_ * kStiffenRate), settings);
  else if (kSoftenPlay * wanted < stiffening_ && stiffening_ > 1.0)
    set(std::max({kSoftenPlay * wanted, stiffening_ / kStiffenRate, 1.0}), settings);
  else
    set(stiffening_, settings);
}

}  // namespace tactus::detail
