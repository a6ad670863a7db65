#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "tactus/core/constants.hpp"
#include "tactus/math/angle.hpp"
#include "tactus/robot/robot_data.hpp"

namespace tactus {
using namespace detail;
namespace {

std::string element(const char* list, std::size_t i, const char* field = "") {
  return std::string(list) + "[" + std::to_string(i) + "]" + field;
}

int coordinates_of(RobotJointType type) {
  switch (type) {
    case RobotJointType::fixed:
      return 0;
    case RobotJointType::planar:
      return 3;
    case RobotJointType::floating:
      return 6;
    default:
      return 1;
  }
}

/// Places of a list in the order of their names. Throws at an empty name and at one given twice.
template <class Named>
std::vector<std::uint32_t> sorted_names(const std::vector<Named>& items, const char* list) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t i, std::uint32_t k) { return items[i].name < items[k].name; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string& name = items[order[i]].name;
    if (name.empty()) throw InvalidInput(element(list, order[i], ".name"), "is empty");
    if (i > 0 && name == items[order[i - 1]].name)
      throw InvalidInput(element(list, order[i], ".name"), "'" + name + "' is given twice");
  }
  return order;
}

template <class Named>
std::optional<std::uint32_t> find_name(const std::vector<Named>& items,
                                       const std::vector<std::uint32_t>& order,
                                       std::string_view name) {
  const auto at =
      std::lower_bound(order.begin(), order.end(), name,
                       [&](std::uint32_t i, std::string_view n) { return items[i].name < n; });
  if (at == order.end() || items[*at].name != name) return std::nullopt;
  return *at;
}

void check_joint(RobotJoint& joint, std::size_t i, std::size_t links) {
  if (joint.parent >= links)
    throw InvalidInput(element("joints", i, ".parent"), "no link " + std::to_string(joint.parent));
  if (joint.child >= links)
    throw InvalidInput(element("joints", i, ".child"), "no link " + std::to_string(joint.child));
  if (joint.child == joint.parent)
    throw InvalidInput(element("joints", i, ".child"), "is its own parent");
  if (!is_finite(joint.origin)) throw InvalidInput(element("joints", i, ".origin"), "not finite");
  const bool turns = joint.type != RobotJointType::fixed && joint.type != RobotJointType::floating;
  if (turns && (!is_finite(joint.axis) || !(max_abs(joint.axis) > 0.0)))
    throw InvalidInput(element("joints", i, ".axis"), "must be finite and not zero");
  joint.axis = turns ? normalized(joint.axis) : Vec3{1.0, 0.0, 0.0};
  if (joint.type == RobotJointType::revolute || joint.type == RobotJointType::prismatic) {
    if (std::isnan(joint.lower) || std::isnan(joint.upper) || joint.lower > joint.upper)
      throw InvalidInput(element("joints", i, ".limit"), "lower " + std::to_string(joint.lower) +
                                                             " must not exceed upper " +
                                                             std::to_string(joint.upper));
  }
}

/// Joints above the links; checks that they make one tree.
void find_tree(RobotData& robot) {
  const std::size_t n = robot.links.size();
  robot.joint_above.assign(n, -1);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const std::uint32_t child = robot.joints[i].child;
    if (robot.joint_above[child] >= 0) {
      const std::string& other =
          robot.joints[static_cast<std::size_t>(robot.joint_above[child])].name;
      throw InvalidInput(
          element("joints", i, ".child"),
          "link '" + robot.links[child].name + "' is the child of joint '" + other + "' already");
    }
    robot.joint_above[child] = static_cast<std::int32_t>(i);
  }
  std::size_t root = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (robot.joint_above[i] >= 0) continue;
    if (root < n)
      throw InvalidInput(element("links", i), "is a second root beside '" + robot.links[root].name +
                                                  "': no joint leads to it");
    root = i;
  }
  if (root == n)
    throw InvalidInput(element("joints", 0), "joints close a cycle: no link is the root");
  robot.root = static_cast<std::uint32_t>(root);
}

/// Links, parents first: in the order of levels, then of joints.
std::vector<std::uint32_t> parents_first(const RobotData& robot) {
  std::vector<std::uint32_t> first(robot.links.size() + 1, 0), children(robot.joints.size());
  for (const RobotJoint& joint : robot.joints) ++first[joint.parent + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (const RobotJoint& joint : robot.joints) children[next[joint.parent]++] = joint.child;
  std::vector<std::uint32_t> order{robot.root};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::uint32_t k = first[order[i]]; k < first[order[i] + 1]; ++k)
      order.push_back(children[k]);
  if (order.size() < robot.links.size()) {
    std::vector<char> reached(robot.links.size(), 0);
    for (const std::uint32_t link : order) reached[link] = 1;
    for (std::size_t i = 0; i < robot.joints.size(); ++i)
      if (reached[robot.joints[i].child] == 0)
        throw InvalidInput(element("joints", i),
                           "joints close a cycle: no way leads from the root '" +
                               robot.links[robot.root].name + "' to link '" +
                               robot.links[robot.joints[i].child].name + "'");
  }
  return order;
}

/// Coordinates of the joints; a joint that follows another one takes its coordinate.
struct JointValue {
  std::uint32_t coordinate = 0;
  double multiplier = 1.0, offset = 0.0;
};

void add_coordinates(RobotData& robot, std::size_t i, std::vector<JointValue>& values) {
  static constexpr const char* kParts[] = {"/x", "/y", "/z", "/roll", "/pitch", "/yaw"};
  const RobotJoint& joint = robot.joints[i];
  const int count = coordinates_of(joint.type);
  values[i].coordinate = static_cast<std::uint32_t>(robot.coordinates.size());
  for (int k = 0; k < count; ++k) {
    RobotCoordinate c{joint.name, static_cast<std::uint32_t>(i)};
    if (count == 3) c.name += k == 2 ? "/angle" : kParts[k];
    if (count == 6) c.name += kParts[k];
    c.angle = count == 1 ? joint.type != RobotJointType::prismatic : k >= (count == 3 ? 2 : 3);
    if (joint.type == RobotJointType::revolute || joint.type == RobotJointType::prismatic) {
      c.lower = joint.lower;
      c.upper = joint.upper;
    }
    robot.coordinates.push_back(std::move(c));
  }
}

/// Follows the chains of mimics to the joint at their end.
std::vector<JointValue> find_values(RobotData& robot) {
  const std::size_t n = robot.joints.size();
  std::vector<JointValue> values(n);
  std::vector<RobotMimic> mimics(n);
  std::vector<char> known(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const RobotJoint& joint = robot.joints[i];
    if (!joint.mimic) {
      add_coordinates(robot, i, values);
      known[i] = 1;
      continue;
    }
    mimics[i] = *joint.mimic;
    const std::string field = element("joints", i, ".mimic");
    if (joint.mimic->joint >= n)
      throw InvalidInput(field, "no joint " + std::to_string(joint.mimic->joint));
    if (!std::isfinite(joint.mimic->multiplier) || !std::isfinite(joint.mimic->offset))
      throw InvalidInput(field, "not finite");
    for (const RobotJoint* j : {&joint, &std::as_const(robot.joints[joint.mimic->joint])})
      if (coordinates_of(j->type) != 1)
        throw InvalidInput(field, "joint '" + j->name + "' is " + std::string(to_string(j->type)) +
                                      ": a joint with one coordinate alone follows or is followed");
  }
  std::vector<std::uint32_t> chain;
  for (std::size_t i = 0; i < n; ++i) {
    chain.clear();
    // Joints without a mimic are known already.
    for (auto k = static_cast<std::uint32_t>(i); known[k] == 0; k = mimics[k].joint) {
      if (chain.size() > n)
        throw InvalidInput(element("joints", i, ".mimic"), "joints follow each other in a cycle");
      chain.push_back(k);
    }
    for (; !chain.empty(); chain.pop_back()) {
      const RobotMimic& mimic = mimics[chain.back()];
      const JointValue& led = values[mimic.joint];
      values[chain.back()] = {led.coordinate, mimic.multiplier * led.multiplier,
                              mimic.multiplier * led.offset + mimic.offset};
      known[chain.back()] = 1;
    }
  }
  return values;
}

/// Frames of one joint; the last is that of the child link.
void add_frames(RobotData& robot, const RobotJoint& joint, const JointValue& value) {
  constexpr Vec3 kAxes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  std::int32_t parent = static_cast<std::int32_t>(robot.link_frame[joint.parent]);
  Pose origin = joint.origin;
  const auto add = [&](FrameMotion motion, const Vec3& axis, std::uint32_t place) {
    robot.frames.push_back(
        {parent, origin, motion, axis, value.coordinate + place, value.multiplier, value.offset});
    parent = static_cast<std::int32_t>(robot.frames.size()) - 1;
    origin = Pose();
  };
  switch (joint.type) {
    case RobotJointType::fixed:
      add(FrameMotion::none, kAxes[0], 0);
      break;
    case RobotJointType::prismatic:
      add(FrameMotion::shift, joint.axis, 0);
      break;
    case RobotJointType::planar: {
      const Mat3 plane = shortest_turn_of_z(joint.axis);
      for (std::uint32_t k = 0; k < 2; ++k)
        add(FrameMotion::shift, plane.column(static_cast<int>(k)), k);
      add(FrameMotion::turn, joint.axis, 2);
      break;
    }
    case RobotJointType::floating:
      for (std::uint32_t k = 0; k < 3; ++k) add(FrameMotion::shift, kAxes[k], k);
      for (std::uint32_t k = 3; k-- > 0;) add(FrameMotion::turn, kAxes[k], 3 + k);
      break;
    default:
      add(FrameMotion::turn, joint.axis, 0);
      break;
  }
  robot.link_frame[joint.child] = static_cast<std::uint32_t>(parent);
}

void build_frames(RobotData& robot) {
  const std::vector<std::uint32_t> order = parents_first(robot);
  const std::vector<JointValue> values = find_values(robot);
  robot.link_frame.assign(robot.links.size(), 0);
  robot.frames.push_back({});
  for (const std::uint32_t link : order) {
    const std::int32_t above = robot.joint_above[link];
    if (above < 0) continue;
    const auto i = static_cast<std::size_t>(above);
    add_frames(robot, robot.joints[i], values[i]);
  }
  robot.depth.assign(robot.frames.size(), 0);
  robot.length.assign(robot.frames.size(), 0.0);
  for (std::size_t i = 1; i < robot.frames.size(); ++i) {
    const Frame& frame = robot.frames[i];
    const auto parent = static_cast<std::size_t>(frame.parent);
    robot.depth[i] = robot.depth[parent] + 1;
    robot.length[i] = robot.length[parent] + norm(frame.origin.position());
  }
}

}  // namespace

Robot::Robot(std::string name, std::vector<RobotLink> links, std::vector<RobotJoint> joints) {
  const auto data = std::make_shared<RobotData>();
  data->name = std::move(name);
  data->links = std::move(links);
  data->joints = std::move(joints);
  if (data->links.empty()) throw InvalidInput("links", "there is none");
  data->links_by_name = sorted_names(data->links, "links");
  data->joints_by_name = sorted_names(data->joints, "joints");
  for (std::size_t i = 0; i < data->joints.size(); ++i)
    check_joint(data->joints[i], i, data->links.size());
  for (std::size_t i = 0; i < data->links.size(); ++i)
    for (std::size_t k = 0; k < data->links[i].bodies.size(); ++k)
      if (!is_finite(data->links[i].bodies[k].pose))
        throw InvalidInput(element("links", i, "") + element(".bodies", k, ".pose"), "not finite");
  find_tree(*data);
  build_frames(*data);
  data_ = data;
}

const std::string& Robot::name() const noexcept { return data_->name; }
const std::vector<RobotLink>& Robot::links() const noexcept { return data_->links; }
const std::vector<RobotJoint>& Robot::joints() const noexcept { return data_->joints; }
std::uint32_t Robot::root() const noexcept { return data_->root; }
const std::vector<RobotCoordinate>& Robot::coordinates() const noexcept {
  return data_->coordinates;
}

std::optional<std::uint32_t> Robot::find_link(std::string_view name) const {
  return find_name(data_->links, data_->links_by_name, name);
}
std::optional<std::uint32_t> Robot::find_joint(std::string_view name) const {
  return find_name(data_->joints, data_->joints_by_name, name);
}
std::optional<std::uint32_t> Robot::find_coordinate(std::string_view name) const {
  const std::size_t slash = name.rfind('/');
  for (const std::string_view joint : {name, name.substr(0, slash)}) {
    const auto found = find_joint(joint);
    if (!found) continue;
    const auto& all = data_->coordinates;
    auto at =
        std::lower_bound(all.begin(), all.end(), *found,
                         [](const RobotCoordinate& c, std::uint32_t j) { return c.joint < j; });
    for (; at != all.end() && at->joint == *found; ++at)
      if (at->name == name) return static_cast<std::uint32_t>(at - all.begin());
  }
  return std::nullopt;
}

std::vector<double> Robot::zero_configuration() const {
  std::vector<double> values;
  for (const RobotCoordinate& c : data_->coordinates)
    values.push_back(c.lower > 0.0 ? c.lower : (c.upper < 0.0 ? c.upper : 0.0));
  return values;
}

void Robot::link_poses(std::span<const double> configuration, std::span<Pose> poses) const {
  require_configuration(*data_, configuration);
  if (poses.size() != data_->links.size())
    throw InvalidInput("poses", std::to_string(poses.size()) + " places for " +
                                    std::to_string(data_->links.size()) + " links");
  std::vector<Pose> frames;
  frame_poses(*data_, configuration.data(), frames);
  for (std::size_t i = 0; i < poses.size(); ++i) poses[i] = frames[data_->link_frame[i]];
}

}  // namespace tactus
