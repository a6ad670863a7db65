#pragma once

#include <vector>

#include "tactus/planar.hpp"

namespace tactus::detail {

/// As `tactus::touches`, without the angles of the normals.
Status touches_without_angles(const Circle& circle, const Pose2& pose_circle,
                              const Contour& contour, const Pose2& pose_contour,
                              std::vector<Touch>& out, double threshold);
Status touches_without_angles(const Circle& circle, const Pose2& pose_circle, const Region& region,
                              const Pose2& pose_region, std::vector<Touch>& out, double threshold);

}  // namespace tactus::detail
