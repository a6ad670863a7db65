#include "tactus/math.hpp"
#include "tactus/math/sine.hpp"

namespace tactus {
using namespace detail;

Mat3 rotation_by(const Vec3& vector) {
  const auto [sine, cosine] = sine_cosine(0.5 * norm(vector));
  const Vec3 axis = normalized(vector) * sine;
  return to_matrix(Quat{cosine, axis.x, axis.y, axis.z});
}

Pose pose_at(const Pose& start, const RigidMotion& motion, double t) {
  return detail::unchecked_pose(start.position() + motion.linear * t,
                                rotation_by(motion.angular * t) * start.rotation());
}

}  // namespace tactus
