#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/experiment.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::lab {

/// How the bodies of a pile are moved.
struct PileWay {
  const char* name = "closed form";
  Detector detector = Detector::closed_form;
  ContactPoints points = ContactPoints::manifold;
  double friction = 0.5;
  /// Every bar applies; of the others, which show what makes piles denser, only those of the
  /// detectors.
  bool judged = true;
};

/// The end of a pile.
struct Pile {
  double seconds = 0.0;           ///< simulated, until it rested or was given up
  double rms_speed = 0.0;         ///< over the last second, sizes per second
  double penetration = 0.0;       ///< mean over touching pairs, of size
  double fraction = 0.0;          ///< volume in bodies away from walls, percent
  double fraction_of_base = 0.0;  ///< the same with what is near the walls
  std::uint64_t contact_pairs = 0, shared_pairs = 0;  ///< pairs of bodies; with several points
  std::uint64_t pairs = 0, disagreements = 0;         ///< asked by both detectors
  std::vector<double> differences;                    ///< of their depths, of size
  std::vector<double> depths[2];                      ///< iterative, closed form
  std::uint64_t state_hash = 0;                       ///< of the world
};

/// Lets `settings.pairs` bodies fall: spheres, spherical ellipsoids, spheres and cubes, or cubes.
Pile make_pile(const Settings& settings, std::size_t kind, std::uint64_t seed,
               const PileWay& way = {});

}  // namespace tactus::detail::lab
