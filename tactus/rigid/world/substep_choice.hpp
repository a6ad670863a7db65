#pragma once

#include <span>
#include <vector>

#include "tactus/rigid/contact/contact_set.hpp"
#include "tactus/rigid/ranks/ranks.hpp"
#include "tactus/rigid/solver/contact_solver.hpp"
#include "tactus/rigid/solver/load_sink.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// How stiff the springs of contacts are, and how many substeps that takes: as many as the loads of
/// the last step ask for (WorldSettings::load_overlap).
class SubstepChoice {
 public:
  /// Springs with so many times the frequency of the settings; once, where loads change nothing.
  void set(double stiffening, const WorldSettings& settings);
  double stiffening() const { return stiffening_; }
  /// How many times as many substeps a step asks for that has changed the energy of what swings on
  /// joints by this part of itself (`SwingEnergy::most_error`): a power of 2, and 1 where it is
  /// good enough.
  int finer(double swing_error, const WorldSettings& settings) const;
  /// The present step gets so many times as many substeps, with springs as stiff as before.
  void refine(int factor);
  /// The settings with the substeps and the frequency of the next step.
  const WorldSettings& stepping() const { return stepping_; }
  /// Chooses stiffness and substeps of the next step from the loads of the last substeps, so many
  /// since the solver was prepared, and from the pull of joints in the last one (`JointSet::pull`).
  /// Springs stiffen step by step, since one that stiffens at once throws its load off; they soften
  /// with play, so that the number does not swing. Cost: that of sorting the bodies by height.
  /// `ranks`: those who have a part of the world, or null.
  void choose(int substeps, double pull, const WorldSettings& settings,
              std::span<const Body> bodies, const ContactSet& contacts, const ContactSolver& solver,
              Ranks* ranks);

 private:
  Softness softness(int substeps, const WorldSettings& settings, std::span<const Body> bodies,
                    const ContactSet& contacts, const ContactSolver& solver, Ranks* ranks);

  WorldSettings stepping_;
  double stiffening_ = 1.0;
  LoadSink sink_;
  std::vector<double> loads_, overlaps_;  ///< of patches
};

}  // namespace tactus::detail
