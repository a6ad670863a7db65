#ifdef TACTUS_WITH_TINYXML2

#include "tactus/io/robot/mjcf.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/math/angle.hpp"

namespace tactus::io {
namespace {

// Files that include each other would not end.
constexpr int kMostIncludes = 100;

// Elements that state an orientation: one of them says all.
constexpr const char* kTurns[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

// Elements of a body without bodies, geoms or joints in them.
constexpr std::string_view kBare[] = {"inertial", "site", "camera", "light", "plugin"};

using Attributes = std::map<std::string, std::string>;

/// Attributes by the name of an element, of a class of defaults: its own and those of its parents.
using Defaults = std::map<std::string, Attributes>;

/// An element whose missing attributes come from a class of defaults.
class Defaulted {
 public:
  Defaulted(const XmlElement& element, const Defaults* defaults) : element_(element) {
    int turns = 0;
    for (const char* turn : kTurns) turns += element.text(turn).has_value();
    if (turns > 1) element.fail("states more than one orientation");
    own_turn_ = turns > 0;
    if (defaults == nullptr) return;
    const auto at = defaults->find(std::string(element.name()));
    if (at != defaults->end()) known_ = &at->second;
  }

  const XmlElement& element() const { return element_; }
  std::optional<std::string> text(const char* attribute) const {
    if (auto own = element_.text(attribute)) return own;
    if (known_ == nullptr || (own_turn_ && is_turn(attribute))) return std::nullopt;
    const auto at = known_->find(attribute);
    return at != known_->end() ? std::optional<std::string>(at->second) : std::nullopt;
  }
  static bool is_turn(std::string_view attribute) {
    return std::find(std::begin(kTurns), std::end(kTurns), attribute) != std::end(kTurns);
  }
  /// Numbers, of which there must be from `least` to `most`; none where the attribute is missing.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const {
    const auto value = text(attribute);
    if (!value) return {};
    auto numbers = numbers_in(*value);
    if (!numbers || numbers->size() < least || numbers->size() > most)
      element_.fail(std::string(attribute) + "=" + quoted_word(*value) + " is no " +
                    std::to_string(least) + (least < most ? " to " + std::to_string(most) : "") +
                    " finite numbers");
    return *numbers;
  }
  std::optional<Vec3> vector(const char* attribute) const {
    const std::vector<double> v = numbers(attribute, 3, 3);
    return v.empty() ? std::nullopt : std::optional<Vec3>(Vec3{v[0], v[1], v[2]});
  }

 private:
  XmlElement element_;
  const Attributes* known_ = nullptr;
  bool own_turn_ = false;  ///< an orientation of its own replaces that of the class, in any form
};

/// An element of a body, in the place of the frames around it.
struct BodyPart {
  XmlElement element;
  Pose within;           ///< from the coordinates of the element to those of the body
  std::string defaults;  ///< the class of what names none
};

class MjcfReader {
 public:
  MjcfReader(const XmlElement& root, std::filesystem::path folder, RobotShapes& shapes, bool visual)
      : root_(root), folder_(std::move(folder)), shapes_(shapes), visual_(visual) {}

  RobotParts read() {
    parts_.name = root_.text("model").value_or("mujoco");
    classes_["main"];
    const std::vector<XmlElement> sections = children(root_);
    for (const XmlElement& section : sections)
      if (section.name() == "compiler") read_compiler(section);
    for (const XmlElement& section : sections)
      if (section.name() == "default") read_defaults(section, "main", classes_["main"]);
    for (const XmlElement& section : sections)
      if (section.name() == "asset") read_assets(section);
    add_link("world", root_);
    for (const XmlElement& section : sections) {
      if (section.name() == "deformable") refuse_flexes(section);
      if (section.name() != "worldbody") continue;
      for (const BodyPart& part : parts_of(section, "world", {}, "main")) {
        if (is_joint(part.element))
          part.element.of("body \"world\"").fail("the world has no joints");
        read_of_body(part, 0, "world");
      }
    }
    for (FileNotes& notes : included_notes_)
      for (const std::string& warning : notes.warnings()) root_.notes().add(0, warning);
    return std::move(parts_);
  }

 private:
  /// Children of an element, those of included files in the place of `include`.
  std::vector<XmlElement> children(const XmlElement& element) {
    std::vector<XmlElement> list;
    for (XmlElement child = element.first(); child; child = child.next()) {
      if (child.name() != "include") {
        list.push_back(child);
        continue;
      }
      const std::filesystem::path file = folder_ / child.required_text("file");
      if (++includes_ > kMostIncludes)
        child.fail("is one of too many: do files include each other?");
      std::string content;
      try {
        content = file_content(file);
      } catch (const FileError& error) {
        child.fail(error.what());
      }
      included_notes_.emplace_back(file.string());
      included_.push_back(std::make_unique<tinyxml2::XMLDocument>());
      parse_xml(content, file.string(), *included_.back());
      const XmlElement root(included_.back()->RootElement(), included_notes_.back(), "");
      if (!root) child.fail("includes a file without an element");
      for (const XmlElement& inner : children(root)) list.push_back(inner);
    }
    return list;
  }

  static bool is_joint(const XmlElement& element) {
    return element.name() == "joint" || element.name() == "freejoint";
  }

  /// Elements of a body, those in frames with the place that the frames give them.
  std::vector<BodyPart> parts_of(const XmlElement& holder, const std::string& body,
                                 const Pose& within, const std::string& defaults) {
    std::vector<BodyPart> parts;
    for (const XmlElement& child : children(holder)) {
      if (child.name() != "frame") {
        parts.push_back({child, within, defaults});
        continue;
      }
      const XmlElement frame = child.of("body " + quoted_word(body));
      const Pose inner = placed(within, pose_of(Defaulted(frame, nullptr)));
      const std::string own = class_of_children(frame, defaults);
      for (BodyPart& part : parts_of(child, body, inner, own)) parts.push_back(std::move(part));
    }
    return parts;
  }

  /// A place in a frame. Products of many rotations stay orthonormal to a rounding.
  static Pose placed(const Pose& within, const Pose& place) {
    if (within == Pose()) return place;
    const Pose product = within * place;
    return detail::unchecked_pose(product.position(), nearest_rotation(product.rotation()));
  }

  /// Soft bodies collide, and are no links.
  void refuse_flexes(const XmlElement& section) {
    for (const XmlElement& element : children(section))
      if (element.name() == "flex") element.fail("is not read: a robot is made of rigid bodies");
  }

  /// Says what one of several elements says, and leaves the rest as it is.
  void read_compiler(const XmlElement& element) {
    if (const auto angle = element.text("angle")) {
      if (*angle != "degree" && *angle != "radian")
        element.fail("angle is neither degree nor radian");
      per_degree_ = *angle == "degree" ? 1.0 / detail::kDegrees : 1.0;
    }
    asset_folder_ = element.text("assetdir").value_or(asset_folder_);
    if (const auto folder = element.text("meshdir")) mesh_folder_ = folder;
    sequence_ = element.text("eulerseq").value_or(sequence_);
    if (sequence_.size() != 3 || sequence_.find_first_not_of("xyzXYZ") != sequence_.npos)
      element.fail("eulerseq is no sequence of three axes");
    if (element.text("coordinate").value_or("local") != "local")
      element.fail("coordinates other than local are not read");
  }

  void read_defaults(const XmlElement& element, const std::string& name, const Defaults& above) {
    Defaults own = above;
    for (const XmlElement& child : children(element)) {
      if (child.name() == "default") continue;
      Attributes& known = own[std::string(child.name())];
      const bool turned = std::any_of(std::begin(kTurns), std::end(kTurns), [&](const char* turn) {
        return child.text(turn).has_value();
      });
      if (turned)
        for (const char* turn : kTurns) known.erase(turn);
      for (const char* attribute : kAttributes)
        if (const auto value = child.text(attribute)) known[attribute] = *value;
    }
    classes_[name] = own;
    for (const XmlElement& child : children(element))
      if (child.name() == "default") {
        const std::string inner = child.required_text("class");
        if (classes_.count(inner) != 0)
          child.fail("the class " + quoted_word(inner) + " is given twice");
        read_defaults(child, inner, own);
      }
  }

  void read_assets(const XmlElement& section) {
    for (const XmlElement& element : children(section)) {
      if (element.name() != "mesh") continue;
      const Defaulted mesh(element, defaults_of(element, "main"));
      const std::string file = element.required_text("file");
      for (const char* attribute : {"refpos", "refquat"})
        if (element.text(attribute)) element.fail(std::string(attribute) + " is not read");
      const std::string name =
          element.text("name").value_or(std::filesystem::path(file).stem().string());
      meshes_.insert_or_assign(
          name,
          MeshAsset{
              element,
              (std::filesystem::path(mesh_folder_.value_or(asset_folder_)) / file).generic_string(),
              mesh.vector("scale").value_or(Vec3{1.0, 1.0, 1.0})});
    }
  }

  /// The class of what names none in a body or frame.
  std::string class_of_children(const XmlElement& element, const std::string& inherited) const {
    const std::string name = element.text("childclass").value_or(inherited);
    if (classes_.count(name) == 0) element.fail("there is no default class " + quoted_word(name));
    return name;
  }

  const Defaults* defaults_of(const XmlElement& element, const std::string& inherited) const {
    const std::string name = element.text("class").value_or(inherited);
    const auto at = classes_.find(name);
    if (at == classes_.end()) element.fail("there is no default class " + quoted_word(name));
    return &at->second;
  }

  std::uint32_t add_link(const std::string& name, const ElementPlace& element) {
    parts_.links.push_back({name});
    parts_.link_places.push_back(element.text_place());
    return static_cast<std::uint32_t>(parts_.links.size()) - 1;
  }

  std::uint32_t add_joint(RobotJoint joint, const std::string& link, const ElementPlace& element) {
    joint.child = add_link(link, element);
    parts_.joints.push_back(std::move(joint));
    parts_.joint_places.push_back(element.text_place());
    return parts_.joints.back().child;
  }

  void read_of_body(const BodyPart& part, std::uint32_t link, const std::string& owner) {
    const XmlElement own = part.element.of("body " + quoted_word(owner));
    const std::string_view name = own.name();
    if (name == "body") {
      read_body(part, link);
    } else if (name == "geom") {
      add_geom({own, part.within, part.defaults}, link);
    } else if (!is_joint(own) &&
               std::find(std::begin(kBare), std::end(kBare), name) == std::end(kBare)) {
      own.fail("is not read, and may hold bodies or geoms");
    }
  }

  void read_body(const BodyPart& body, std::uint32_t parent) {
    const XmlElement& element = body.element;
    const std::string name =
        element.text("name").value_or("body " + std::to_string(parts_.links.size()));
    const std::string defaults = class_of_children(element, body.defaults);
    const std::vector<BodyPart> parts = parts_of(element, name, {}, defaults);
    Pose origin = placed(body.within, pose_of(Defaulted(element, nullptr)));
    const std::uint32_t above = parent;
    std::size_t joints = 0;
    for (const BodyPart& part : parts) joints += is_joint(part.element);
    for (const BodyPart& part : parts) {
      if (!is_joint(part.element)) continue;
      const XmlElement own = part.element.of("body " + quoted_word(name));
      add_body_joint({own, part.within, part.defaults}, name, parent, origin, joints);
    }
    // The body itself; without a joint it is fixed to the one above, and so is what a joint's
    // anchor has moved.
    RobotJoint last{name + "/fixed", RobotJointType::fixed, parent, 0, origin};
    const std::uint32_t link =
        parent != above && origin == Pose() ? parent : add_joint(std::move(last), name, element);
    parts_.links[link].name = name;
    for (const BodyPart& part : parts) read_of_body(part, link, name);
  }

  /// Adds a joint of a body, and moves `parent` and `origin` behind it.
  void add_body_joint(const BodyPart& part, const std::string& body, std::uint32_t& parent,
                      Pose& origin, std::size_t joints) {
    const XmlElement& element = part.element;
    const Defaulted joint(element, defaults_of(element, part.defaults));
    const std::string type =
        element.name() == "freejoint" ? "free" : joint.text("type").value_or("hinge");
    const std::string name = element.text("name").value_or(
        joints == 1 ? body : body + "/" + std::to_string(parts_.joints.size()));
    const auto add = [&](RobotJoint made) {
      const std::string link = body + " after " + made.name;
      made.parent = parent;
      made.origin = origin;
      parent = add_joint(std::move(made), link, element);
      origin = Pose();
    };
    if (type == "free") {
      // Nothing but the world is above: MuJoCo refuses it elsewhere.
      if (parent != 0) element.fail("a free joint is only for bodies of the world");
      add({name, RobotJointType::floating});
      return;
    }
    const Vec3 point = part.within.to_world(joint.vector("pos").value_or(Vec3{}));
    const Pose anchor = Pose::translation(point);
    origin = origin * anchor;
    if (type == "ball") {
      add({name + "/yaw", RobotJointType::continuous, 0, 0, {}, {0, 0, 1}});
      add({name + "/pitch", RobotJointType::continuous, 0, 0, {}, {0, 1, 0}});
      add({name + "/roll", RobotJointType::continuous, 0, 0, {}, {1, 0, 0}});
    } else if (type == "hinge" || type == "slide") {
      add(limited_joint(joint, part.within, name, type == "hinge", origin));
    } else {
      element.fail("type " + quoted_word(type) + " is none of free, ball, hinge, slide");
    }
    origin = Pose::translation(-anchor.position());
  }

  /// A hinge or slide, whose `origin` is moved so that it stands there at its reference.
  RobotJoint limited_joint(const Defaulted& joint, const Pose& within, const std::string& name,
                           bool hinge, Pose& origin) {
    RobotJoint made{name, hinge ? RobotJointType::revolute : RobotJointType::prismatic};
    const double unit = hinge ? per_degree_ : 1.0;
    made.axis = within.direction_to_world(joint.vector("axis").value_or(Vec3{0.0, 0.0, 1.0}));
    if (!(max_abs(made.axis) > 0.0)) joint.element().fail("axis must not be zero");
    const std::vector<double> range = joint.numbers("range", 2, 2);
    const std::string limited = joint.text("limited").value_or("auto");
    if (limited == "true" || (limited == "auto" && !range.empty())) {
      if (range.empty()) joint.element().fail("is limited and has no range");
      if (range[0] > range[1]) joint.element().fail("range: lower must not exceed upper");
      made.lower = range[0] * unit;
      made.upper = range[1] * unit;
    } else if (hinge) {
      made.type = RobotJointType::continuous;
    }
    const std::vector<double> reference = joint.numbers("ref", 1, 1);
    if (!reference.empty() && reference[0] != 0.0) {
      const double back = -reference[0] * unit;
      if (hinge && std::fabs(back) > kMostAngle) joint.element().fail(kTooManyTurns);
      origin = origin * (hinge ? Pose::from_axis_angle({}, made.axis, back)
                               : Pose::translation(normalized(made.axis) * back));
    }
    return made;
  }

  /// Rotation by the one of the attributes that is given.
  Mat3 rotation_of(const Defaulted& item) const {
    if (const auto q = item.numbers("quat", 4, 4); !q.empty()) {
      const Quat quat{q[0], q[1], q[2], q[3]};
      if (!(norm(quat) > 0.0)) item.element().fail("quat must not be zero");
      return to_matrix(normalized(quat));
    }
    if (const auto a = item.numbers("axisangle", 4, 4); !a.empty()) {
      if (a[0] == 0.0 && a[1] == 0.0 && a[2] == 0.0) item.element().fail("axisangle has no axis");
      if (std::fabs(a[3] * per_degree_) > kMostAngle) item.element().fail(kTooManyTurns);
      return Pose::from_axis_angle({}, {a[0], a[1], a[2]}, a[3] * per_degree_).rotation();
    }
    if (const auto e = item.vector("euler")) {
      if (max_abs(*e) * per_degree_ > kMostAngle) item.element().fail(kTooManyTurns);
      Mat3 rotation;
      for (std::size_t i = 0; i < 3; ++i) {
        const char letter = sequence_[i];
        const bool fixed = letter < 'a';
        Vec3 axis;
        axis[(fixed ? letter - 'X' : letter - 'x')] = 1.0;
        const Mat3 turn = rotation_by(axis * ((*e)[static_cast<int>(i)] * per_degree_));
        rotation = fixed ? turn * rotation : rotation * turn;
      }
      return rotation;
    }
    if (const auto v = item.numbers("xyaxes", 6, 6); !v.empty()) {
      const Vec3 x = normalized(Vec3{v[0], v[1], v[2]});
      const Vec3 y = Vec3{v[3], v[4], v[5]} - x * dot(x, Vec3{v[3], v[4], v[5]});
      if (!(max_abs(y) > 0.0)) item.element().fail("xyaxes are parallel");
      // Little is left where the axes are nearly parallel, and not quite across: once more.
      const Vec3 rest = normalized(y), unit = normalized(rest - x * dot(x, rest));
      return Mat3::from_columns(x, unit, cross(x, unit));
    }
    if (const auto z = item.vector("zaxis")) {
      if (!(max_abs(*z) > 0.0)) item.element().fail("zaxis must not be zero");
      return detail::shortest_turn_of_z(normalized(*z));
    }
    return {};
  }

  Pose pose_of(const Defaulted& item) const {
    return detail::unchecked_pose(item.vector("pos").value_or(Vec3{}), rotation_of(item));
  }

  void add_geom(const BodyPart& part, std::uint32_t link) {
    const XmlElement& element = part.element;
    const Defaulted geom(element, defaults_of(element, part.defaults));
    const auto mask = [&](const char* name) {
      const auto value = geom.numbers(name, 1, 1);
      return value.empty() || value[0] != 0.0;
    };
    const bool touches = mask("contype") || mask("conaffinity");
    if (touches == visual_) return;
    const std::string type = geom_type(geom);
    Pose pose = pose_of(geom);
    double length = 0.0;
    if (const auto ends = geom.numbers("fromto", 6, 6); !ends.empty()) {
      const Vec3 from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
      length = norm(to - from);
      if (type == "sphere" || type == "plane" || type == "mesh")
        element.fail("fromto is not for type " + quoted_word(type));
      if (!(length > 0.0)) element.fail("fromto spans no length");
      // z leads to the first end, turned there the short way: a box shows how it lies about its z.
      const Vec3 way = from * 0.5 - to * 0.5;
      pose = detail::unchecked_pose(from * 0.5 + to * 0.5,
                                    detail::shortest_turn_of_z(normalized(way)));
    }
    const std::optional<Shape> shape =
        type == "mesh" ? mesh_of(geom) : std::optional(shape_of_geom(geom, type, length));
    if (!shape) return;
    parts_.links[link].bodies.push_back(
        {*shape, placed(part.within, pose),
         element.text("name").value_or("geom at line " + std::to_string(element.line()))});
  }

  static std::string geom_type(const Defaulted& geom) {
    constexpr std::string_view kTypes[] = {"plane",    "sphere", "capsule", "ellipsoid",
                                           "cylinder", "box",    "mesh"};
    const bool meshed = geom.text("mesh").has_value();
    const std::string type = geom.text("type").value_or(meshed ? "mesh" : "sphere");
    if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes))
      geom.element().fail("type " + quoted_word(type) +
                          " is none of plane, sphere, capsule, ellipsoid, cylinder, box, mesh");
    if (meshed && type != "mesh")
      geom.element().fail("a mesh that type " + quoted_word(type) + " is fitted to is not read");
    return type;
  }

  /// None where the file is missing and may be left out.
  std::optional<Shape> mesh_of(const Defaulted& geom) {
    const XmlElement& element = geom.element();
    const auto name = geom.text("mesh");
    if (!name) element.fail("has no mesh");
    const auto at = meshes_.find(*name);
    if (at == meshes_.end()) element.fail("there is no mesh " + quoted_word(*name));
    return shapes_.mesh(element, at->second.file, at->second.scale);
  }

  /// `length`: of the segment that the geom spans; 0 where its sizes say all.
  static Shape shape_of_geom(const Defaulted& geom, const std::string& type, double length) {
    const XmlElement& element = geom.element();
    if (type == "plane") return shape_of(element, [] { return HalfSpace({0.0, 0.0, 1.0}, 0.0); });
    const std::vector<double> size = geom.numbers("size", 1, 3);
    const std::size_t needed = (type == "sphere" || length > 0.0)       ? 1
                               : (type == "box" || type == "ellipsoid") ? 3
                                                                        : 2;
    if (size.size() < needed)
      element.fail("size has fewer than " + std::to_string(needed) + " numbers");
    const double half = length > 0.0 ? 0.5 * length : (size.size() > 1 ? size[1] : 0.0);
    if (type == "sphere") return shape_of(element, [&] { return Sphere(size[0]); });
    if (type == "capsule") return shape_of(element, [&] { return Capsule(size[0], 2.0 * half); });
    if (type == "cylinder") return shape_of(element, [&] { return Cylinder(size[0], 2.0 * half); });
    const Vec3 radii =
        length > 0.0 ? Vec3{size[0], size[0], half} : Vec3{size[0], size[1], size[2]};
    if (type == "box") return shape_of(element, [&] { return Box(radii * 2.0); });
    return shape_of(element, [&] { return Ellipsoid(radii); });
  }

  struct MeshAsset {
    XmlElement element;
    std::string file;
    Vec3 scale;
  };
  /// Attributes that may come from defaults.
  static constexpr const char* kAttributes[] = {
      "type",  "size",    "pos", "quat",   "axisangle", "euler",   "xyaxes",      "zaxis", "axis",
      "range", "limited", "ref", "fromto", "mesh",      "contype", "conaffinity", "scale"};

  XmlElement root_;
  std::filesystem::path folder_;
  RobotShapes& shapes_;
  bool visual_;
  RobotParts parts_;
  std::map<std::string, Defaults> classes_;
  std::map<std::string, MeshAsset> meshes_;
  std::deque<FileNotes> included_notes_;
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> included_;
  int includes_ = 0;
  double per_degree_ = 1.0 / detail::kDegrees;
  std::optional<std::string> mesh_folder_;
  std::string asset_folder_, sequence_ = "xyz";
};

}  // namespace

RobotParts parse_mjcf(const XmlElement& root, const std::filesystem::path& folder,
                      RobotShapes& shapes, bool visual) {
  return MjcfReader(root, folder, shapes, visual).read();
}

}  // namespace tactus::io

#endif
