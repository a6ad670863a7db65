#include "tactus/io/json/capture.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"

namespace tactus::io {
namespace {

// Fields keep the order in which people read them.
using nlohmann::ordered_json;

ordered_json shape_of(const char* name, const Shape& shape) {
  try {
    return shape_to_json(shape);
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
}

ordered_json triple(const Vec3& v) { return ordered_json::array({v.x, v.y, v.z}); }

ordered_json motion_of(const RigidMotion& motion, Ask ask) {
  if (ask == Ask::cast) return triple(motion.linear);
  return {{"linear", triple(motion.linear)}, {"angular", triple(motion.angular)}};
}

}  // namespace

std::string capture(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const QueryOptions& options, Ask ask, std::string_view id,
                    const Motion& motion) {
  const QueryOptions usual;
  ordered_json line;
  line["id"] = id;
  line["a"] = shape_of("a", a);
  line["pose_a"] = pose_to_json(pose_a);
  line["b"] = shape_of("b", b);
  line["pose_b"] = pose_to_json(pose_b);
  line["ask"] = to_string(ask);
  if (ask == Ask::cast || ask == Ask::impact)
    line["motion"] = {{"a", motion_of(motion.a, ask)}, {"b", motion_of(motion.b, ask)}};
  if (options.method != usual.method) line["method"] = to_string(options.method);
  if (options.tolerance != usual.tolerance) line["tolerance"] = options.tolerance;
  if (options.margin != usual.margin) line["threshold"] = options.margin;
  if (std::isfinite(options.max_distance)) line["max_distance"] = options.max_distance;
  if (!options.signed_distance) line["signed"] = false;
  if (options.union_depth) line["depth"] = "union";
  if (options.max_iterations != usual.max_iterations) {
    line["max_iterations"] = options.max_iterations;
  }
  return json_dump(line);
}

}  // namespace tactus::io
