#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lab/extended.hpp"
#include "tactus/math.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::oracle {

using lab::ExtendedRotation;
using lab::Point;
using lab::Real;

/// A pose as its file gives it: nothing is rounded before the reference sees it.
struct Placement {
  Vec3 position;
  Quat quaternion;
  bool is_matrix = false;
  Mat3 matrix;  ///< used instead of the quaternion: its nearest rotation counts

  ExtendedRotation rotation() const;
  Pose pose() const;  ///< what the library makes of it
};

/// A shape as its file gives it; independent of the library's own shapes.
struct Body {
  struct Part;

  ShapeType type = ShapeType::sphere;
  double radius = 0.0, length = 0.0, rounding = 0.0;
  Vec3 size;                 ///< box: edges; ellipsoid: radii; half-space: normal
  double offset = 0.0;       ///< half-space
  std::vector<Vec3> points;  ///< convex
  Vec3 scale{1.0, 1.0, 1.0};
  std::vector<Part> parts;  ///< compound

  Shape shape() const;  ///< what the library makes of it
};

struct Body::Part {
  Body body;
  Placement placement;
};

/// One pair to be asked about.
struct Pair {
  Body a;
  Placement place_a;
  Body b;
  Placement place_b;
};

/// Reads the fields of the query files; input that is not well-formed throws (these files are
/// trusted).
Body body_from_json(const nlohmann::json& value, const std::filesystem::path& folder);
Placement placement_from_json(const nlohmann::json& value);

}  // namespace tactus::detail::oracle
