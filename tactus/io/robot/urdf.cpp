#ifdef TACTUS_WITH_TINYXML2

#include "tactus/io/robot/urdf.hpp"

#include <map>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"

namespace tactus::io {
namespace {

// An axis this far from unit length is noted.
constexpr double kAxisTolerance = 1e-3;

Pose origin_of(const XmlElement& element) {
  const XmlElement origin = element.only("origin");
  if (!origin) return {};
  const Vec3 angles = origin.vector("rpy").value_or(Vec3{});
  if (max_abs(angles) > kMostAngle) origin.fail(kTooManyTurns);
  return detail::unchecked_pose(origin.vector("xyz").value_or(Vec3{}), roll_pitch_yaw(angles));
}

std::optional<Shape> geometry_of(const XmlElement& geometry, RobotShapes& shapes) {
  const XmlElement kind = geometry.first();
  if (!kind) geometry.fail("holds no shape");
  if (const XmlElement other = kind.next()) other.fail("is a second shape of one geometry");
  if (kind.name() == "box") {
    const auto size = kind.vector("size");
    if (!size) kind.fail("has no size");
    if (!(size->x >= 0.0 && size->y >= 0.0 && size->z >= 0.0)) kind.fail("size must be at least 0");
    if (size->x * size->y * size->z == 0.0) kind.note("is flat");
    return shape_of(kind, [&] { return Box(*size); });
  }
  if (kind.name() == "sphere")
    return shape_of(kind, [&] { return Sphere(kind.not_negative("radius")); });
  if (kind.name() == "cylinder")
    return shape_of(
        kind, [&] { return Cylinder(kind.not_negative("radius"), kind.not_negative("length")); });
  if (kind.name() == "capsule")
    return shape_of(
        kind, [&] { return Capsule(kind.not_negative("radius"), kind.not_negative("length")); });
  if (kind.name() != "mesh") kind.fail("is no shape (box, sphere, cylinder, capsule, mesh)");
  const std::string file = kind.required_text("filename");
  Vec3 scale{1.0, 1.0, 1.0};
  if (const auto given = kind.vector("scale")) scale = *given;
  return shapes.mesh(kind, file, scale);
}

RobotLink link_of(const XmlElement& element, RobotShapes& shapes, bool visual) {
  RobotLink link;
  link.name = element.required_text("name");
  const XmlElement own = element.of("link " + quoted_word(link.name));
  own.note_others({"inertial", "visual", "collision", "contact", "collision_checking",
                   "self_collision_checking"});
  const char* const kind = visual ? "visual" : "collision";
  for (XmlElement part = own.first(kind); part; part = part.next(kind)) {
    const auto shape = geometry_of(part.required("geometry"), shapes);
    if (!shape) continue;
    link.bodies.push_back({*shape, origin_of(part),
                           part.text("name").value_or(std::string(kind) + " at line " +
                                                      std::to_string(part.line()))});
  }
  return link;
}

/// Limits of a revolute or prismatic joint.
void read_limits(const XmlElement& element, RobotJoint& joint) {
  const XmlElement limit = element.only("limit");
  if (!limit) element.fail("is " + std::string(to_string(joint.type)) + " and has no <limit>");
  joint.lower = limit.number_or("lower", 0.0);
  joint.upper = limit.number_or("upper", 0.0);
  if (joint.lower > joint.upper) limit.fail("lower must not exceed upper");
}

class UrdfReader {
 public:
  UrdfReader(RobotShapes& shapes, bool visual) : shapes_(shapes), visual_(visual) {}

  RobotParts read(const XmlElement& root) {
    parts_.name = root.required_text("name");
    for (XmlElement element = root.first(); element; element = element.next()) {
      if (element.name() == "link") {
        take_name(element, "link", links_, parts_.links.size());
        parts_.links.push_back(link_of(element, shapes_, visual_));
        parts_.link_places.push_back(element.text_place());
      } else if (element.name() == "joint") {
        take_name(element, "joint", joints_, joint_elements_.size());
        joint_elements_.push_back(element);
        parts_.joint_places.push_back(element.text_place());
      } else if (element.name() != "material" && element.name() != "transmission" &&
                 element.name() != "gazebo") {
        element.note("is not looked at");
      }
    }
    if (parts_.links.empty()) root.fail("has no link");
    for (const XmlElement& element : joint_elements_) add_joint(element);
    return std::move(parts_);
  }

 private:
  using Names = std::map<std::string, std::pair<std::size_t, int>>;

  static void take_name(const XmlElement& element, const char* kind, Names& names,
                        std::size_t place) {
    const std::string name = element.required_text("name");
    const auto [at, is_new] = names.try_emplace(name, place, element.line());
    if (!is_new)
      element.of(std::string(kind) + " " + quoted_word(name))
          .fail("the name is given twice, first in line " + std::to_string(at->second.second));
  }

  std::uint32_t link(const XmlElement& joint, const char* role) {
    const XmlElement element = joint.required(role);
    const std::string name = element.required_text("link");
    const auto at = links_.find(name);
    if (at == links_.end()) element.fail("there is no link " + quoted_word(name));
    return static_cast<std::uint32_t>(at->second.first);
  }

  void add_joint(const XmlElement& element) {
    RobotJoint joint;
    joint.name = element.required_text("name");
    const XmlElement own = element.of("joint " + quoted_word(joint.name));
    own.note_others({"origin", "parent", "child", "axis", "limit", "mimic", "calibration",
                     "dynamics", "safety_controller"});
    const std::string type = own.required_text("type");
    const auto known = from_string<RobotJointType>(type);
    if (!known)
      own.fail("type " + quoted_word(type) +
               " is none of fixed, revolute, continuous, prismatic, planar, floating");
    joint.type = *known;
    joint.parent = link(own, "parent");
    joint.child = link(own, "child");
    joint.origin = origin_of(own);
    const XmlElement axis = own.only("axis");
    if (axis && joint.type != RobotJointType::fixed && joint.type != RobotJointType::floating) {
      joint.axis = axis.vector("xyz").value_or(joint.axis);
      const double length = norm(joint.axis);
      if (!(length > 0.0)) axis.fail("must not be zero");
      if (std::fabs(length - 1.0) > kAxisTolerance)
        axis.note("is not of unit length: it is normalised");
    }
    if (joint.type == RobotJointType::revolute || joint.type == RobotJointType::prismatic)
      read_limits(own, joint);
    if (const XmlElement mimic = own.only("mimic")) {
      const std::string name = mimic.required_text("joint");
      const auto at = joints_.find(name);
      if (at == joints_.end()) mimic.fail("there is no joint " + quoted_word(name));
      joint.mimic = RobotMimic{static_cast<std::uint32_t>(at->second.first),
                               mimic.number_or("multiplier", 1.0), mimic.number_or("offset", 0.0)};
    }
    parts_.joints.push_back(std::move(joint));
  }

  RobotShapes& shapes_;
  bool visual_;
  RobotParts parts_;
  Names links_, joints_;
  std::vector<XmlElement> joint_elements_;
};

}  // namespace

RobotParts parse_urdf(const XmlElement& root, RobotShapes& shapes, bool visual) {
  return UrdfReader(shapes, visual).read(root);
}

}  // namespace tactus::io

#endif
