#include "bindings/c/values.hpp"

#include <cmath>
#include <cstddef>

#include "bindings/c/call.hpp"

namespace tactus::c {

namespace {

// The numbers of the interface are those of the library.
static_assert(TACTUS_STATUS_LOCAL_MINIMUM == static_cast<int>(Status::local_minimum));
static_assert(TACTUS_STATUS_INVALID_INPUT == static_cast<int>(Status::invalid_input));
static_assert(TACTUS_METHOD_CLOSED_FORM == static_cast<int>(Method::closed_form));
static_assert(TACTUS_METHOD_GJK_SIGNED_VOLUMES == static_cast<int>(Method::gjk_signed_volumes));
static_assert(TACTUS_METHOD_EPA == static_cast<int>(Method::epa));
static_assert(TACTUS_METHOD_SAT == static_cast<int>(Method::sat));
static_assert(TACTUS_NO == static_cast<int>(Overlap::no));
static_assert(TACTUS_YES == static_cast<int>(Overlap::yes));
static_assert(TACTUS_UNDECIDED == static_cast<int>(Overlap::undecided));
static_assert(Manifold::kCapacity == 4);

constexpr int kMostIterations = 1 << 20;

/// Never changes when the struct grows.
constexpr std::size_t kFirstOptions =
    offsetof(tactus_options, union_depth) + sizeof(tactus_options::union_depth);
static_assert(kFirstOptions == 48);

tactus_options default_options() {
  const QueryOptions usual;
  return {.struct_size = 0,
          .tolerance = usual.tolerance,
          .max_distance = usual.max_distance,
          .margin = usual.margin,
          .method = static_cast<tactus_method>(usual.method),
          .max_iterations = usual.max_iterations,
          .signed_distance = usual.signed_distance ? 1 : 0,
          .union_depth = usual.union_depth ? 1 : 0};
}

double not_negative(double value, const char* name) {
  if (!(value >= 0.0)) throw InvalidInput(name, "must not be negative");
  return value;
}

}  // namespace

Pose to_pose(const tactus_pose& pose, const std::string& name) {
  const tactus_quat& q = pose.quaternion;
  try {
    return {to_vec(pose.position), Quat{q.w, q.x, q.y, q.z}};
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
}

Pose to_pose(const tactus_pose* pose, const char* name) {
  return pose == nullptr ? Pose() : to_pose(*pose, name);
}

QueryOptions to_options(const tactus_options* options) {
  QueryOptions read;
  if (options == nullptr) return read;
  const tactus_options given =
      read_struct(*options, kFirstOptions, default_options(), "tactus_options");
  if (given.method < 0 || given.method > static_cast<int>(Method::v_clip)) {
    throw InvalidInput("options.method", "no such method");
  }
  read.method = static_cast<Method>(given.method);
  read.tolerance = not_negative(given.tolerance, "options.tolerance");
  if (std::isnan(given.max_distance)) {
    throw InvalidInput("options.max_distance", "must be a number");
  }
  read.max_distance = given.max_distance;
  read.margin = not_negative(given.margin, "options.margin");
  if (given.max_iterations < 1 || given.max_iterations > kMostIterations) {
    throw InvalidInput("options.max_iterations", "must be from 1 to 1048576");
  }
  read.max_iterations = given.max_iterations;
  read.signed_distance = given.signed_distance != 0;
  read.union_depth = given.union_depth != 0;
  return read;
}

tactus_result from_result(const DistanceResult& result) {
  return {.distance = result.distance,
          .lower = result.lower,
          .upper = result.upper,
          .normal = from_vec(result.normal),
          .point_a = from_vec(result.point_a),
          .point_b = from_vec(result.point_b),
          .status = static_cast<tactus_status>(result.status),
          .method = static_cast<tactus_method>(result.method),
          .iterations = result.iterations,
          .unique = result.unique ? 1 : 0,
          .part_a = result.part_a,
          .part_b = result.part_b,
          .triangle_a = result.triangle_a,
          .triangle_b = result.triangle_b};
}

tactus_cast_result from_cast(const CastResult& result) {
  return {.time = result.time,
          .time_upper = result.time_upper,
          .distance = result.distance,
          .normal = from_vec(result.normal),
          .point_a = from_vec(result.point_a),
          .point_b = from_vec(result.point_b),
          .hit = static_cast<tactus_answer>(result.hit),
          .status = static_cast<tactus_status>(result.status),
          .method = static_cast<tactus_method>(result.method),
          .iterations = result.iterations,
          .unique = result.unique ? 1 : 0,
          .part_a = result.part_a,
          .part_b = result.part_b,
          .reserved = 0};
}

tactus_manifold from_manifold(const Manifold& manifold) {
  tactus_manifold out{};
  out.normal = from_vec(manifold.normal);
  out.count = manifold.count;
  out.part_a = manifold.part_a;
  out.part_b = manifold.part_b;
  for (int i = 0; i < manifold.count; ++i) {
    const ContactPoint& point = manifold.points[static_cast<std::size_t>(i)];
    out.points[i] = {.point_a = from_vec(point.point_a),
                     .point_b = from_vec(point.point_b),
                     .depth = point.depth,
                     .feature = point.feature};
  }
  return out;
}

}  // namespace tactus::c

extern "C" {

tactus_pose tactus_pose_identity(void) {
  return {.position = {0.0, 0.0, 0.0}, .quaternion = {1.0, 0.0, 0.0, 0.0}};
}

tactus_error tactus_options_default(tactus_options* options, size_t struct_size) {
  using namespace tactus;
  return c::call([&] {
    c::write_defaults(c::require(options, "options"), struct_size, c::kFirstOptions,
                      c::default_options());
  });
}

}  // extern "C"
