#ifdef TACTUS_WITH_TINYXML2

#include "tactus/io/robot/sdf/sdf_reader.hpp"

#ifdef TACTUS_WITH_SDFORMAT

#include <algorithm>
#include <cmath>
#include <map>
#include <sdf/Frame.hh>
#include <sdf/Joint.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/World.hh>
#include <set>

#include "tactus/core.hpp"
#include "tactus/io/file/line_scanner.hpp"
#include "tactus/io/robot/sdf/sdf_document.hpp"
#include "tactus/io/robot/sdf/sdf_frames.hpp"
#include "tactus/io/robot/sdf/sdf_includes.hpp"
#include "tactus/io/robot/sdf/sdf_joint.hpp"
#include "tactus/io/robot/sdf/sdf_shapes.hpp"

namespace tactus::io {
namespace {

class SdfReader {
 public:
  SdfReader(const sdf::Root& root, RobotShapes& shapes, bool visual, SdfNotes& notes)
      : root_(root), shapes_(shapes), visual_(visual), notes_(notes) {}

  RobotParts read(const std::string& wanted, const ElementPlace& place) {
    const sdf::Model& model = choose(wanted, place);
    add_frames();
    top_ = model.Name();
    parts_.name = top_;
    gather(model, top_);
    add_links(model);
    for (const Member<sdf::Joint>& joint : joints_) add_joint(joint);
    for (const Follower& follower : followers_) follow(follower);
    for (const std::size_t i : held_)
      join({links_[i].name + "/fixed", RobotJointType::fixed, 0, link_places_.at(links_[i].key),
            frames_.pose("", links_[i].key)},
           links_[i].element);
    return std::move(parts_);
  }

 private:
  template <class Item>
  struct Member {
    const Item* item;
    std::string scope, key, name;  ///< the model's key; its own; its name in the robot
    SdfElement element;
  };

  struct Follower {
    std::uint32_t joint;
    std::string scope;
    SdfMimic mimic;
  };

  /// The only model, or the one that is asked for.
  const sdf::Model& choose(const std::string& wanted, const ElementPlace& place) const {
    std::vector<const sdf::Model*> models;
    if (root_.Model() != nullptr) models.push_back(root_.Model());
    for (std::uint64_t w = 0; w < root_.WorldCount(); ++w)
      for (std::uint64_t m = 0; m < root_.WorldByIndex(w)->ModelCount(); ++m)
        models.push_back(root_.WorldByIndex(w)->ModelByIndex(m));
    std::string names;
    for (const sdf::Model* model : models)
      names += (names.empty() ? "" : ", ") + quoted_word(model->Name());
    if (models.empty()) place.fail("holds no model");
    if (root_.WorldCount() > 1) place.fail("holds several worlds");
    if (wanted.empty() && models.size() > 1) place.fail("holds several models: " + names);
    for (const sdf::Model* model : models)
      if (wanted.empty() || model->Name() == wanted) return *model;
    place.fail("there is no model " + quoted_word(wanted) + " among " + names);
  }

  SdfElement element_of(const sdf::ElementPtr& element, const char* kind,
                        const std::string& name) const {
    return {element, notes_, kind + (" " + quoted_word(name))};
  }

  void add_frames() {
    if (root_.Model() != nullptr) add_model_frames(*root_.Model(), "");
    if (root_.WorldCount() == 1) {
      const sdf::World& world = *root_.WorldByIndex(0);
      add_own_frames(world, "", "world");
      for (std::uint64_t i = 0; i < world.ModelCount(); ++i)
        add_model_frames(*world.ModelByIndex(i), "");
    }
    frames_.finish();
  }

  /// `base`: the frame that stands where an element names none.
  void add_frame(const std::string& scope, const std::string& name, const SdfElement& element,
                 const std::string& base) {
    const SdfPose pose = pose_of(element);
    frames_.add(SdfFrames::key(scope, pose.relative_to.empty() ? base : pose.relative_to), name,
                pose.pose);
  }

  template <class Around>
  void add_own_frames(const Around& around, const std::string& scope, const std::string& base) {
    for (std::uint64_t i = 0; i < around.FrameCount(); ++i) {
      const sdf::Frame& frame = *around.FrameByIndex(i);
      add_frame(scope, SdfFrames::key(scope, frame.Name()),
                element_of(frame.Element(), "frame", frame.Name()),
                frame.AttachedTo().empty() ? base : frame.AttachedTo());
    }
  }

  void add_model_frames(const sdf::Model& model, const std::string& around) {
    const std::string scope = SdfFrames::key(around, model.Name());
    const std::string& placed = model.PlacementFrameName();
    add_frame(around, placed.empty() ? scope : SdfFrames::key(scope, placed),
              element_of(model.Element(), "model", model.Name()), "__model__");
    add_own_frames(model, scope, "__model__");
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const sdf::Link& link = *model.LinkByIndex(i);
      add_frame(scope, SdfFrames::key(scope, link.Name()),
                element_of(link.Element(), "link", link.Name()), "__model__");
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
      const sdf::Joint& joint = *model.JointByIndex(i);
      add_frame(scope, SdfFrames::key(scope, joint.Name()),
                element_of(joint.Element(), "joint", joint.Name()), joint.ChildLinkName());
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i)
      add_model_frames(*model.ModelByIndex(i), scope);
  }

  template <class Item>
  Member<Item> member(const Item& item, const std::string& scope, const char* kind) const {
    const std::string key = SdfFrames::key(scope, item.Name());
    const std::string name = key.substr(top_.size() + 2);
    return {&item, scope, key, name, element_of(item.Element(), kind, name)};
  }

  void gather(const sdf::Model& model, const std::string& scope) {
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i)
      links_.push_back(member(*model.LinkByIndex(i), scope, "link"));
    for (std::uint64_t i = 0; i < model.JointCount(); ++i)
      joints_.push_back(member(*model.JointByIndex(i), scope, "joint"));
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& inner = *model.ModelByIndex(i);
      gather(inner, SdfFrames::key(scope, inner.Name()));
    }
  }

  /// Links that a joint moves or holds; what a joint names, as a key. The world's is empty.
  std::string resolved(const Member<sdf::Joint>& joint, bool child) const {
    std::string name;
    const sdf::Errors errors =
        child ? joint.item->ResolveChildLink(name) : joint.item->ResolveParentLink(name);
    const std::string key = SdfFrames::key(joint.scope, name);
    if (!errors.empty() || !frames_.knows(key))
      joint.element.required(child ? "child" : "parent").fail("leads to no link");
    return key;
  }

  /// All links, behind `world` where the model stands in the world by more than its only root.
  void add_links(const sdf::Model& model) {
    std::set<std::string> moved;
    bool world = model.Static();
    for (const Member<sdf::Joint>& joint : joints_) {
      moved.insert(resolved(joint, true));
      world = world || resolved(joint, false).empty();
    }
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (moved.count(links_[i].key) == 0) roots.push_back(i);
    if (model.Static()) held_ = roots;
    if (!world && roots.size() == 1 && frames_.pose("", links_[roots[0]].key) != Pose()) {
      world = true;
      held_ = roots;
    }
    if (world) add_link("world", "", element_of(model.Element(), "model", model.Name()));
    for (const Member<sdf::Link>& link : links_) {
      const std::uint32_t place = add_link(link.name, link.key, link.element);
      const char* const kind = visual_ ? "visual" : "collision";
      for (const SdfElement& part : link.element.children(kind)) add_body(link, place, part);
    }
  }

  std::uint32_t add_link(const std::string& name, const std::string& key,
                         const ElementPlace& place) {
    link_places_[key] = static_cast<std::uint32_t>(parts_.links.size());
    return add_unnamed_link(name, place);
  }
  std::uint32_t add_unnamed_link(const std::string& name, const ElementPlace& place) {
    parts_.links.push_back({name});
    parts_.link_places.push_back(place.text_place());
    return static_cast<std::uint32_t>(parts_.links.size()) - 1;
  }

  void add_body(const Member<sdf::Link>& link, std::uint32_t place, const SdfElement& part) {
    const SdfPose pose = pose_of(part);
    const std::string frame =
        pose.relative_to.empty() ? link.key : SdfFrames::key(link.scope, pose.relative_to);
    if (!frames_.knows(frame))
      part.required("pose").fail("there is no frame " + quoted_word(pose.relative_to));
    const auto shape = sdf_shape(part.required("geometry"), shapes_, visual_);
    if (shape)
      parts_.links[place].bodies.push_back({*shape,
                                            chained(frames_.pose(link.key, frame), pose.pose),
                                            part.attribute("name").value_or("")});
  }

  std::uint32_t join(RobotJoint joint, const ElementPlace& place) {
    parts_.joints.push_back(std::move(joint));
    parts_.joint_places.push_back(place.text_place());
    return static_cast<std::uint32_t>(parts_.joints.size()) - 1;
  }

  void add_joint(const Member<sdf::Joint>& joint) {
    const std::string child = resolved(joint, true), parent = resolved(joint, false);
    const std::vector<SdfMotion> motions = motions_of(joint.element);
    std::uint32_t above = link_places_.at(parent);
    const std::uint32_t last = link_places_.at(child);
    if (motions.empty()) {
      join({joint.name, RobotJointType::fixed, above, last, frames_.pose(parent, child)},
           joint.element);
      return;
    }
    // The link stands off the joint: it hangs on one without bodies that stands in it.
    const Pose off = frames_.pose(joint.key, child);
    Pose origin = frames_.pose(parent, joint.key);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const SdfMotion& motion = motions[i];
      RobotJoint made{joint.name + motion.suffix, motion.type, above};
      const bool ends = i + 1 == motions.size() && off == Pose();
      above =
          ends ? last
               : add_unnamed_link(parts_.links[last].name + " after " + made.name, joint.element);
      made.child = above;
      made.origin = origin;
      made.axis = axis_of(joint, motion);
      made.lower = motion.lower;
      made.upper = motion.upper;
      const std::uint32_t place = join(std::move(made), joint.element);
      joint_places_[joint.key + motion.suffix] = place;
      if (motion.mimic) followers_.push_back({place, joint.scope, *motion.mimic});
      origin = Pose();
    }
    if (off != Pose())
      join({joint.name + "/fixed", RobotJointType::fixed, above, last, off}, joint.element);
  }

  void follow(const Follower& follower) {
    const SdfMimic& mimic = follower.mimic;
    const std::string key = SdfFrames::key(follower.scope, mimic.joint);
    auto at = joint_places_.find(key);
    if (at == joint_places_.end()) at = joint_places_.find(key + "/" + mimic.axis);
    if (at == joint_places_.end())
      mimic.element.fail("there is no joint " + quoted_word(mimic.joint) + " that moves");
    parts_.joints[follower.joint].mimic = RobotMimic{at->second, mimic.multiplier, mimic.offset};
  }

  Vec3 axis_of(const Member<sdf::Joint>& joint, const SdfMotion& motion) const {
    if (motion.expressed_in.empty()) return motion.axis;
    const std::string frame = SdfFrames::key(joint.scope, motion.expressed_in);
    if (!frames_.knows(frame))
      joint.element.fail("expressed_in: there is no frame " + quoted_word(motion.expressed_in));
    const Pose turned = frames_.pose(joint.key, frame);
    return turned.rotation() == Mat3() ? motion.axis : turned.direction_to_world(motion.axis);
  }

  const sdf::Root& root_;
  RobotShapes& shapes_;
  bool visual_;
  SdfNotes& notes_;
  SdfFrames frames_;
  std::string top_;
  std::vector<Member<sdf::Link>> links_;
  std::vector<Member<sdf::Joint>> joints_;
  std::vector<std::size_t> held_;  ///< links that stand in the world without a joint of their own
  std::map<std::string, std::uint32_t> link_places_, joint_places_;  ///< by keys
  std::vector<Follower> followers_;
  RobotParts parts_;
};

/// Errors of joints that libsdformat would find, too, but without a line.
void check_joints(const SdfElement& element) {
  for (const SdfElement& child : element.children()) {
    if (child.name() == "joint")
      motions_of(child.of("joint " + quoted_word(child.attribute("name").value_or(""))));
    else if (child.name() == "model" || child.name() == "world")
      check_joints(child);
  }
}

}  // namespace

RobotParts parse_sdf(std::string_view text, const XmlElement& root,
                     const std::filesystem::path& folder, RobotShapes& shapes,
                     const RobotReadOptions& options) {
  const SilentSdformat silent;
  SdfNotes notes(root.notes());
  sdf::ParserConfig config;
  config.SetWarningsPolicy(sdf::EnforcementPolicy::ERR);
  config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
  std::string content(text);
  SdfIncludes(options, config).find(root, folder, content);
  const sdf::SDFPtr tree = read_sdf_tree(content, config, root, notes);
  // Whatever is noted here is noted again when the joints are read.
  FileNotes discarded(root.notes().name());
  SdfNotes discarded_notes(discarded);
  check_joints(SdfElement(tree->Root(), discarded_notes, ""));
  sdf::Root loaded;
  load_sdf(tree, config, root, notes, loaded);
  RobotParts parts = SdfReader(loaded, shapes, options.visual, notes).read(options.model, root);
  notes.finish();
  return parts;
}

}  // namespace tactus::io

#else

namespace tactus::io {

RobotParts parse_sdf(std::string_view, const XmlElement& root, const std::filesystem::path&,
                     RobotShapes&, const RobotReadOptions&) {
  root.fail("this build reads no SDF (libsdformat was not found)");
}

}  // namespace tactus::io

#endif

#endif
