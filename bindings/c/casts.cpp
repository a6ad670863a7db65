// Rays, and bodies that move.
#include "bindings/c/call.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/values.hpp"

using namespace tactus;

namespace {

/// The answer that there is none, for programs that do not look at the code.
tactus_cast_result no_cast() {
  CastResult none;
  none.status = Status::invalid_input;
  return c::from_cast(none);
}

RigidMotion to_motion(const tactus_motion* motion) {
  if (motion == nullptr) return {};
  return {c::to_vec(motion->linear), c::to_vec(motion->angular)};
}

}  // namespace

extern "C" {

tactus_error tactus_query_ray(const tactus_shape* shape, const tactus_pose* pose,
                              tactus_vec3 origin, tactus_vec3 direction, double max_t,
                              const tactus_options* options, tactus_cast_result* result) {
  return c::call([&] {
    c::require(result, "result") = no_cast();
    *result = c::from_cast(ray_cast(c::require(shape, "shape").shape, c::to_pose(pose, "pose"),
                                    c::to_vec(origin), c::to_vec(direction), max_t,
                                    c::to_options(options)));
  });
}

tactus_error tactus_query_cast(const tactus_shape* a, const tactus_pose* pose_a,
                               tactus_vec3 motion_a, const tactus_shape* b,
                               const tactus_pose* pose_b, tactus_vec3 motion_b,
                               const tactus_options* options, tactus_cast_result* result) {
  return c::call([&] {
    c::require(result, "result") = no_cast();
    *result = c::from_cast(cast(c::require(a, "a").shape, c::to_pose(pose_a, "pose_a"),
                                c::to_vec(motion_a), c::require(b, "b").shape,
                                c::to_pose(pose_b, "pose_b"), c::to_vec(motion_b),
                                c::to_options(options)));
  });
}

tactus_error tactus_query_impact(const tactus_shape* a, const tactus_pose* pose_a,
                                 const tactus_motion* motion_a, const tactus_shape* b,
                                 const tactus_pose* pose_b, const tactus_motion* motion_b,
                                 const tactus_options* options, tactus_cast_result* result) {
  return c::call([&] {
    c::require(result, "result") = no_cast();
    *result = c::from_cast(impact(c::require(a, "a").shape, c::to_pose(pose_a, "pose_a"),
                                  to_motion(motion_a), c::require(b, "b").shape,
                                  c::to_pose(pose_b, "pose_b"), to_motion(motion_b),
                                  c::to_options(options)));
  });
}

}  // extern "C"
