#include "tactus/rigid/joint/joint_images.hpp"

namespace tactus::detail {
namespace {

Pose near_frame(const PeriodicBox& space, const Body& body, const Pose& frame, const char* field) {
  const Vec3 arm = body.pose().to_world(frame.position()) - body.center_of_mass();
  const Vec3 shift = space.shift(space.nearest(arm, field));
  return placed(frame, transpose(body.pose().rotation()) * shift);
}

}  // namespace

void take_near_anchors(const PeriodicBox& space, const Body& a, const Body& b,
                       JointDefinition& joint) {
  joint.frame_a = near_frame(space, a, joint.frame_a, "frame_a");
  joint.frame_b = near_frame(space, b, joint.frame_b, "frame_b");
}

Periods nearest_image(const PeriodicBox& space, const Body& a, const Body& b,
                      const JointDefinition& joint) {
  return space.nearest(
      b.pose().to_world(joint.frame_b.position()) - a.pose().to_world(joint.frame_a.position()),
      "body_b");
}

}  // namespace tactus::detail
