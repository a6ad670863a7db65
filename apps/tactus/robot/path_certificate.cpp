#include "apps/tactus/robot/path_certificate.hpp"

#include <nlohmann/json.hpp>

#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/robot/collision_data.hpp"

namespace tactus::app {
namespace {

using detail::CollisionData;
using detail::CollisionItem;
using detail::Frame;
using detail::FrameMotion;
using nlohmann::ordered_json;

ordered_json list(const Vec3& v) { return {v.x, v.y, v.z}; }

void add_pose(const Pose& pose, ordered_json& json) {
  json["position"] = list(pose.position());
  json["rotation"] = ordered_json::array();
  for (int i = 0; i < 9; ++i) json["rotation"].push_back(pose.rotation()(i / 3, i % 3));
}

ordered_json frame_json(const Frame& frame) {
  constexpr const char* kMotions[] = {"none", "turn", "shift"};
  ordered_json json;
  json["parent"] = frame.parent;
  add_pose(frame.origin, json);
  json["motion"] = kMotions[static_cast<int>(frame.motion)];
  if (frame.motion == FrameMotion::none) return json;
  json["axis"] = list(frame.axis);
  json["coordinate"] = frame.coordinate;
  json["multiplier"] = frame.multiplier;
  json["offset"] = frame.offset;
  return json;
}

ordered_json body_json(const CollisionData& data, const CollisionItem& item) {
  ordered_json json;
  json["name"] = item.link < 0 ? data.obstacles[item.body].name
                               : data.robot.links()[static_cast<std::size_t>(item.link)].name;
  json["frame"] = item.frame;
  add_pose(item.pose, json);
  // Hulls as their corners alone: the verifier takes nothing else of them.
  json["shape"] = io::shape_to_json(*item.shape);
  return json;
}

}  // namespace

std::string path_certificate(const RobotPathCommand& command, const RobotCollision& collision,
                             std::span<const double> times, std::span<const PathSegment> segments,
                             std::span<const std::vector<PathClaim>> claims) {
  const CollisionData& data = detail::RobotAccess::data(collision);
  const detail::RobotData& robot = detail::RobotAccess::data(data.robot);
  ordered_json json;
  json["certificate"] = "robot path";
  json["robot"] = robot.name;
  json["shapes"] = command.files.visual ? "visual" : "collision";
  if (command.files.decompose) json["decomposed"] = *command.files.decompose;
  json["clearance"] = command.clearance;
  json["interpolation"] = command.interpolation;
  json["times"] = std::vector<double>(times.begin(), times.end());
  json["coordinates"] = ordered_json::array();
  for (const RobotCoordinate& c : robot.coordinates) json["coordinates"].push_back(c.name);
  for (const char* name : {"frames", "bodies", "pairs", "segments"})
    json[name] = ordered_json::array();
  for (const Frame& frame : robot.frames) json["frames"].push_back(frame_json(frame));
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    json["frames"][robot.link_frame[i]]["link"] = robot.links[i].name;
  for (const CollisionItem& item : data.items) json["bodies"].push_back(body_json(data, item));
  for (const detail::ItemPair& pair : data.item_pairs) json["pairs"].push_back({pair.a, pair.b});
  for (std::size_t i = 0; i < segments.size(); ++i) {
    ordered_json segment{{"coordinates", ordered_json::array()}, {"claims", ordered_json::array()}};
    for (const PathPolynomial& p : segments[i])
      segment["coordinates"].push_back({p.a, p.b, p.c, p.d});
    for (const PathClaim& claim : claims[i])
      segment["claims"].push_back({claim.pair, claim.begin, claim.end, claim.distance, claim.motion,
                                   claim.direction.x, claim.direction.y, claim.direction.z});
    json["segments"].push_back(std::move(segment));
  }
  return io::json_dump(json) + "\n";
}

}  // namespace tactus::app
