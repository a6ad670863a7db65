#pragma once

#include <array>
#include <cstdint>

#include "tactus/rigid/motion/moving_bodies.hpp"
#include "tactus/world.hpp"

namespace tactus::detail {

/// The place moved by `shift`; the same bits where that is zero.
BodyPlace placed(const BodyPlace& place, const Vec3& shift);

/// Condition that a row puts on the bodies.
enum class RowKind : std::uint8_t {
  none,
  held,     ///< its error shall be zero
  limited,  ///< its error, a gap, shall not be negative; it pushes only
  driven,   ///< its speed shall be the motor's
  drawn,    ///< a drive draws it towards where its error is zero
  sprung,   ///< its error draws as a spring
};

/// One direction in which a joint acts on two bodies. The speed of the row is
/// linear . (v_b - v_a) + angular_b . w_b - angular_a . w_a; an impulse L gives B the momentum
/// linear L and the angular momentum angular_b L, and takes them from A, with angular_a.
struct JointRow {
  RowKind kind = RowKind::none;
  Vec3 linear, angular_a, angular_b;
  double error = 0.0;  ///< length or radians; its rate is the row's speed where the error is zero
};

/// Places of a joint's rows, which are those of JointMemory::impulses.
inline constexpr std::size_t kLinearRows = 0, kAngularRows = 3, kLimitRow = 6, kMotorRow = 7;
/// Rows of a ball joint's drive, which has no motor, about the axes of A's frame.
inline constexpr std::array<std::size_t, 3> kDriveRows = {kAngularRows + 1, kAngularRows + 2,
                                                          kMotorRow};
/// Row of the swing limit of a ball joint, which has no angular rows that hold.
inline constexpr std::size_t kSwingRow = kAngularRows;

/// The rows of a joint, and its position as in Joint.
struct JointRows {
  std::array<JointRow, 8> row;
  double position = 0.0;
  double swing = 0.0;  ///< as in Joint
  /// +1 where the limit's row holds the lower limit; -1 where it holds the upper one, whose row
  /// counts the position downwards.
  double side = 1.0;
};

/// The limits of its position, whatever the type; null where there are none.
inline const JointLimits* limits_of(const JointDefinition& joint) {
  const auto& limits = joint.type == JointType::ball ? joint.twist : joint.limits;
  return limits ? &*limits : nullptr;
}

/// Rows and errors of a joint for two bodies. The nearer limit is looked at, or that of the side
/// (+1 or -1) where it is given (0: not). Rows that the joint doesn't have are of kind none.
void place_rows(const JointDefinition& joint, const BodyPlace& a, const BodyPlace& b, double side,
                JointRows& rows);

}  // namespace tactus::detail
