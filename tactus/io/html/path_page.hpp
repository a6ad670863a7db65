#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/io.hpp"

namespace tactus::io {

/// The nearest pair of bodies in a picture of a robot's path.
struct NearestMoment {
  double distance = 0.0;
  std::size_t pair = 0;  ///< in `PathClearance::pairs`; its size where no pair is asked
  Vec3 point_a, point_b;
};

/// The clearance of a robot along its path.
struct PathClearance {
  double start = 0.0;  ///< time of the first picture
  double pictures_per_time = 1.0;
  double wanted = 0.0;
  std::string verdict;
  std::optional<std::pair<double, double>> bracket;  ///< of the time that ends a path that is free
  std::vector<std::string> pairs;                    ///< names of pairs of bodies
  std::vector<NearestMoment> moments;                ///< a picture's each
  Aabb box;                                          ///< that the camera shall show
};

/// Writes a page (atomically) that shows bodies along a path, with what is nearest, and the
/// clearance over time. Throws InvalidInput when `player` is empty or there is no picture, and
/// FileError.
void write_path_page(const Scene& scene, const Recording& pictures, const PathClearance& path,
                     const std::filesystem::path& file, std::string_view player = kPlayerPage);

}  // namespace tactus::io
