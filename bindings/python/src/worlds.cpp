#include "worlds.hpp"

#include <map>

namespace tactus::python {
namespace {

/// Arrays of motions that lie in the memory of a world: while there are some, no body may come or
/// go.
std::map<const RigidWorld*, int>& views() {
  static auto* const counts = new std::map<const RigidWorld*, int>();
  return *counts;
}
py::array motions_of(const py::object& object) {
  const auto& world = object.cast<const RigidWorld&>();
  const auto bodies = world.bodies();
  if (bodies.empty()) return py::array(structure_type<BodyMotion>(), std::vector<py::ssize_t>{0});
  ++views()[&world];
  struct View {
    py::object world;
    const RigidWorld* key;
  };
  const py::capsule owner(new View{object, &world}, [](void* view) {
    auto* const own = static_cast<View*>(view);
    if (--views()[own->key] == 0) views().erase(own->key);
    delete own;
  });
  py::array array(structure_type<BodyMotion>(), {static_cast<py::ssize_t>(bodies.size())},
                  {static_cast<py::ssize_t>(sizeof(Body))}, &bodies.front().motion(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

template <class Write>
py::array_t<double> column(const RigidWorld& world, py::ssize_t width, const Write& write) {
  const auto bodies = world.bodies();
  py::array_t<double> array({static_cast<py::ssize_t>(bodies.size()), width});
  double* out = array.mutable_data();
  for (const Body& body : bodies) {
    write(body, out);
    out += width;
  }
  return array;
}
void put(const Vec3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

void add_bodies_of_worlds() {
  class_of<RigidWorld>()
      .def(
          "add",
          [](RigidWorld& w, const py::args& given, const py::kwargs& named) {
            require_no_views(w);
            if (given.size() == 1 && named.size() != 0 && py::isinstance<BodyDefinition>(given[0]))
              throw InvalidInput("", "a BodyDefinition takes no further fields");
            return w.add(value_from<BodyDefinition>(given, named));
          },
          "Adds a body and returns its id: a BodyDefinition, or a shape and the fields of one.")
      .def(
          "remove",
          [](RigidWorld& w, BodyId id) {
            require_no_views(w);
            w.remove(id);
          },
          py::arg("id"), doc("RigidWorld::remove"))
      .def(
          "remove",
          [](RigidWorld& w, const std::vector<BodyId>& ids) {
            require_no_views(w);
            w.remove(ids);
          },
          py::arg("ids"))
      .def("exclude", &RigidWorld::exclude, py::arg("a"), py::arg("b"), doc("RigidWorld::exclude"))
      .def(
          "body", [](const RigidWorld& w, BodyId id) { return w.body(id); }, py::arg("id"),
          "The body of that id, as it is now.")
      .def("contains", &RigidWorld::contains, py::arg("id"))
      .def("__contains__", &RigidWorld::contains, py::arg("id"))
      .def("__len__", [](const RigidWorld& w) { return w.bodies().size(); })
      .def_property_readonly(
          "bodies", [](const RigidWorld& w) { return list_of(w.bodies()); },
          "All bodies by id, as they are now.")
      .def(
          "set_pose",
          [](RigidWorld& w, BodyId id, const PoseLike& pose) {
            w.set_pose(id, pose_from(pose, "pose"));
          },
          py::arg("id"), py::arg("pose"), doc("RigidWorld::set_pose"))
      .def("set_velocity", &RigidWorld::set_velocity, py::arg("id"), py::arg("linear"),
           py::arg("angular"), "Of the centre of mass, and about it.")
      .def("set_constant_force", &RigidWorld::set_constant_force, py::arg("id"), py::arg("force"),
           py::arg("torque"), doc("RigidWorld::set_constant_force"))
      .def(
          "move_to",
          [](RigidWorld& w, BodyId id, const PoseLike& pose, double duration) {
            w.move_to(id, pose_from(pose, "pose"), duration);
          },
          py::arg("id"), py::arg("pose"), py::arg("duration"), doc("RigidWorld::move_to"))
      .def("apply_impulse", &RigidWorld::apply_impulse, py::arg("id"), py::arg("impulse"),
           py::arg("world_point"), doc("RigidWorld::apply_impulse"))
      .def("set_material", &RigidWorld::set_material, py::arg("id"), py::arg("material"),
           doc("RigidWorld::set_material"))
      .def("set_surface_velocity", &RigidWorld::set_surface_velocity, py::arg("id"),
           py::arg("velocity"), doc("RigidWorld::set_surface_velocity"))
      .def("set_surface_pair", &RigidWorld::set_surface_pair, py::arg("kind_a"), py::arg("kind_b"),
           py::arg("surface"), doc("RigidWorld::set_surface_pair"));
}

void add_arrays() {
  class_of<RigidWorld>()
      .def_property_readonly(
          "ids",
          [](const RigidWorld& w) {
            std::vector<BodyId> ids;
            for (const Body& body : w.bodies()) ids.push_back(body.id());
            return ids;
          },
          "Ids of all bodies, in the order of the arrays below.")
      .def_property_readonly("motions", &motions_of,
                             "The motions of all bodies as a structured array with the fields of "
                             "BodyMotion, in the memory\n"
                             "of the world: it shows each step without a copy, and cannot be "
                             "written. While such an array\n"
                             "exists, no body can come or go (BufferError).")
      .def_property_readonly(
          "positions",
          [](const RigidWorld& w) {
            return column(w, 3, [](const Body& b, double* out) { put(b.pose().position(), out); });
          },
          "Positions of the shapes' frames, (n, 3): a copy.")
      .def_property_readonly(
          "quaternions",
          [](const RigidWorld& w) {
            return column(w, 4, [](const Body& b, double* out) {
              const Quat& q = b.motion().orientation;
              out[0] = q.w;
              out[1] = q.x;
              out[2] = q.y;
              out[3] = q.z;
            });
          },
          "Orientations of the shapes' frames, (n, 4): w, x, y, z: a copy.")
      .def_property_readonly(
          "linear_velocities",
          [](const RigidWorld& w) {
            return column(w, 3, [](const Body& b, double* out) { put(b.linear_velocity(), out); });
          },
          "Velocities of the centres of mass, (n, 3): a copy.")
      .def_property_readonly(
          "angular_velocities",
          [](const RigidWorld& w) {
            return column(w, 3, [](const Body& b, double* out) { put(b.angular_velocity(), out); });
          },
          "Angular velocities, (n, 3), world frame: a copy.");
}

void add_steps() {
  class_of<RigidWorld>()
      .def(
          "step",
          [](RigidWorld& w, std::uint64_t steps) {
            run_steps(w, steps, [&]() -> decltype(auto) { return w.step(); });
          },
          py::arg("steps") = 1,
          "Advances by so many time steps. Raises RuntimeError for one that cannot be done; the\n"
          "world is then as it was before it. Ctrl-C ends it after a whole step. Other threads of\n"
          "Python run meanwhile; this world is refused to them.")
      .def_property_readonly("time", &RigidWorld::time)
      .def_property_readonly("step_count", &RigidWorld::step_count)
      .def_property_readonly(
          "statistics",
          [](const RigidWorld& w) -> py::object {
            if (const auto* impulses = dynamic_cast<const ImpulseWorld*>(&w))
              return py::cast(impulses->statistics(), py::return_value_policy::copy);
            return py::cast(w.statistics(), py::return_value_policy::copy);
          },
          "Statistics of the last step.")
      .def_property_readonly(
          "contacts", [](const RigidWorld& w) { return list_of(w.contacts()); },
          doc("RigidWorld::contacts"))
      .def_property_readonly(
          "contact_array", [](const RigidWorld& w) { return structures(w.contacts()); },
          "`contacts` as a structured array with the fields of Contact.")
      .def_property_readonly("contact_time", &RigidWorld::contact_time,
                             doc("RigidWorld::contact_time"))
      .def("save", &RigidWorld::save, doc("RigidWorld::save"))
      .def(
          "restore",
          [](RigidWorld& w, const WorldState& state) {
            require_no_views(w);
            w.restore(state);
          },
          py::arg("state"), doc("RigidWorld::restore"))
      .def("state_hash", &RigidWorld::state_hash, doc("RigidWorld::state_hash"))
      .def("__repr__", [](const py::object& w) {
        const auto& world = w.cast<const RigidWorld&>();
        return std::string(py::str(py::type::of(w).attr("__name__"))) + "(" +
               std::to_string(world.bodies().size()) + " bodies, step " +
               std::to_string(world.step_count()) + ")";
      });
}

void add_questions() {
  const auto infinity = std::numeric_limits<double>::infinity();
  class_of<RigidWorld>()
      .def("overlaps", &RigidWorld::overlaps, py::arg("tolerance") = 0.0,
           doc("RigidWorld::overlaps"))
      .def("ray_cast", &RigidWorld::ray_cast, py::arg("origin"), py::arg("direction"),
           py::arg("max_distance") = infinity, py::arg("mask") = ~std::uint64_t{0},
           doc("RigidWorld::ray_cast"))
      .def(
          "cast_shape",
          [](const RigidWorld& w, const ShapeLike& shape, const PoseLike& pose, const Vec3& motion,
             const BodySelection& selection) {
            return checked(w.cast_shape(ShapeArgument(shape, "shape").get(),
                                        pose_from(pose, "pose"), motion, selection));
          },
          py::arg("shape"), py::arg("pose"), py::arg("motion"),
          py::arg("selection") = BodySelection(), doc("RigidWorld::cast_shape"))
      .def(
          "overlapping",
          [](const RigidWorld& w, const ShapeLike& shape, const PoseLike& pose,
             const BodySelection& selection) {
            return checked(w.overlapping(ShapeArgument(shape, "shape").get(),
                                         pose_from(pose, "pose"), selection));
          },
          py::arg("shape"), py::arg("pose"), py::arg("selection") = BodySelection(),
          doc("RigidWorld::overlapping"))
      .def(
          "nearest_body",
          [](const RigidWorld& w, const ShapeLike& shape, const PoseLike& pose, double max_distance,
             const BodySelection& selection) {
            return checked(w.nearest_body(ShapeArgument(shape, "shape").get(),
                                          pose_from(pose, "pose"), max_distance, selection));
          },
          py::arg("shape"), py::arg("pose"), py::arg("max_distance") = infinity,
          py::arg("selection") = BodySelection(), doc("RigidWorld::nearest_body"));
}

/// A contact for a rule that is written in Python: copies, which it may keep.
struct Found {
  Body body_a, body_b;
  Pose pose_a, pose_b;
  Manifold manifold;
};

void add_rules(py::module_& m) {
  py::class_<Found>(m, "FoundContact", doc("FoundContact"))
      .def_readonly("body_a", &Found::body_a)
      .def_readonly("body_b", &Found::body_b)
      .def_readonly("pose_a", &Found::pose_a)
      .def_readonly("pose_b", &Found::pose_b)
      .def_readonly("manifold", &Found::manifold);
  class_of<World, RigidWorld>().def(
      "set_contact_rule",
      [](World& w, const py::object& rule) {
        if (rule.is_none()) {
          w.set_contact_rule({});
          return;
        }
        // Held by the world, and given back with the interpreter at hand.
        const std::shared_ptr<py::object> held(new py::object(rule), [](py::object* o) {
          const py::gil_scoped_acquire hold;
          delete o;
        });
        w.set_contact_rule([held](const FoundContact& contact, ContactTerms& terms) {
          const py::gil_scoped_acquire hold;
          try {
            const Found found{contact.body_a, contact.body_b, contact.pose_a, contact.pose_b,
                              contact.manifold};
            // A copy, which may outlive the call.
            const py::object given = py::cast(terms, py::return_value_policy::copy);
            (*held)(py::cast(found), given);
            terms = given.cast<const ContactTerms&>();
          } catch (py::error_already_set& error) {
            keep_error(error);
          }
        });
      },
      py::arg("rule"),
      (std::string(doc("World::set_contact_rule")) +
       "\n\n`rule(contact, terms)` changes `terms`; None takes it away. An "
       "error of its own\n"
       "is raised by `step`, after the step.")
          .c_str());
}

void add_world() {
  class_of<World, RigidWorld>()
      .def(py::init([](const py::args& given, const py::kwargs& named) {
             return World(value_from<WorldSettings>(given, named));
           }),
           "A world with the settings of a WorldSettings, or its fields by keyword.")
      .def_property_readonly("settings", &World::settings, py::return_value_policy::copy)
      .def("add_joint", &World::add_joint, py::arg("definition"), doc("World::add_joint"))
      .def(
          "joint_at",
          [](World& w, JointType type, BodyId a, BodyId b, const Vec3& anchor, const Vec3& axis) {
            return w.add_joint(joint_at(type, w.body(a), w.body(b), anchor, axis));
          },
          py::arg("type"), py::arg("a"), py::arg("b"), py::arg("anchor"),
          py::arg("axis") = Vec3{0.0, 0.0, 1.0},
          "Adds a joint whose frames coincide at a world point as the bodies lie now; its id.")
      .def("remove_joint", &World::remove_joint, py::arg("id"), doc("World::remove_joint"))
      .def_property_readonly(
          "joints", [](const World& w) { return list_of(w.joints()); }, doc("World::joints"))
      .def("joint", &World::joint, py::arg("id"), py::return_value_policy::copy)
      .def("set_motor", &World::set_motor, py::arg("id"), py::arg("motor"), doc("World::set_motor"))
      .def("set_drive", &World::set_drive, py::arg("id"), py::arg("drive"))
      .def("set_servo", &World::set_servo, py::arg("id"), py::arg("servo"), doc("World::set_servo"))
      .def_property_readonly(
          "servos", [](const World& w) { return list_of(w.servos()); }, doc("World::servos"))
      .def_property_readonly(
          "broken_joints", [](const World& w) { return list_of(w.broken_joints()); },
          doc("World::broken_joints"))
      .def(
          "apply_force",
          [](World& w, BodyId id, const Vec3& force, const std::optional<Vec3>& point) {
            point ? w.apply_force(id, force, *point) : w.apply_force(id, force);
          },
          py::arg("id"), py::arg("force"), py::arg("world_point") = py::none(),
          doc("World::apply_force"))
      .def("apply_torque", &World::apply_torque, py::arg("id"), py::arg("torque"))
      .def_property_readonly(
          "touching", [](const World& w) { return list_of(w.touching()); }, doc("World::touching"))
      .def_property_readonly(
          "touches_begun", [](const World& w) { return list_of(w.touches_begun()); },
          doc("World::touches_begun"))
      .def_property_readonly("touches_ended",
                             [](const World& w) { return list_of(w.touches_ended()); });
}

void add_impulse_world() {
  class_of<ImpulseWorld, RigidWorld>()
      .def(py::init([](const py::args& given, const py::kwargs& named) {
             return ImpulseWorld(value_from<ImpulseSettings>(given, named));
           }),
           "A world with the settings of an ImpulseSettings, or its fields by keyword.")
      .def_property_readonly("settings", &ImpulseWorld::settings, py::return_value_policy::copy)
      .def("set_settings", &ImpulseWorld::set_settings, py::arg("settings"),
           doc("ImpulseWorld::set_settings"))
      .def(
          "advance_to_next_impact",
          [](ImpulseWorld& w) {
            run_steps(w, 1, [&]() -> decltype(auto) { return w.advance_to_next_impact(); });
            return w.statistics();
          },
          doc("ImpulseWorld::advance_to_next_impact"))
      .def_property_readonly(
          "impacts", [](const ImpulseWorld& w) { return list_of(w.impacts()); },
          doc("ImpulseWorld::impacts"));
}

void add_character() {
  class_of<CharacterController>()
      .def(py::init<World&, BodyId, const CharacterSettings&>(), py::arg("world"), py::arg("body"),
           py::arg("settings") = CharacterSettings(), py::keep_alive<1, 2>())
      .def_property_readonly("body", &CharacterController::body)
      .def_property_readonly("settings", &CharacterController::settings,
                             py::return_value_policy::copy)
      .def("set_settings", &CharacterController::set_settings, py::arg("settings"),
           doc("CharacterController::set_settings"))
      .def(
          "update",
          [](CharacterController& c, const CharacterInput& input,
             const std::vector<BodyId>& waiting) { return c.update(input, waiting); },
          py::arg("input"), py::arg("waiting") = std::vector<BodyId>(),
          doc("CharacterController::update"))
      .def_property_readonly("report", &CharacterController::report, py::return_value_policy::copy,
                             doc("CharacterController::report"));
}

}  // namespace

void require_no_views(const RigidWorld& world) {
  const auto found = views().find(&world);
  if (found != views().end() && found->second > 0)
    throw py::buffer_error("bodies can't come or go while arrays of `motions` exist");
}

void add_worlds(py::module_& m) {
  add_bodies_of_worlds();
  add_arrays();
  add_steps();
  add_questions();
  add_rules(m);
  add_world();
  add_impulse_world();
  add_character();
  m.def(
      "measure_grains",
      [](const RigidWorld& w, const std::vector<BodyId>& ids, double volume) {
        return measure_grains(w, ids, volume);
      },
      py::arg("world"), py::arg("ids"), py::arg("volume"), doc("measure_grains"));
}

namespace {

void add_body() {
  class_of<Body>()
      .def(py::init([](const py::args& given, const py::kwargs& named) {
             return Body(value_from<BodyDefinition>(given, named));
           }),
           "A body that belongs to no world: a BodyDefinition with an id, or the fields of one.")
      .def_property_readonly("id", &Body::id)
      .def_property_readonly("shape", &Body::shape, py::return_value_policy::copy)
      .def_property_readonly("type", &Body::type)
      .def_property_readonly("is_dynamic", &Body::is_dynamic)
      .def_property_readonly("is_asleep", &Body::is_asleep, doc("Body::is_asleep"))
      .def_property_readonly("is_awake", &Body::is_awake, doc("Body::is_awake"))
      .def_property_readonly("material", &Body::material, py::return_value_policy::copy)
      .def_property_readonly("filter", &Body::filter, py::return_value_policy::copy)
      .def_property_readonly("is_sensor", &Body::is_sensor)
      .def_property_readonly("gravity_scale", &Body::gravity_scale)
      .def_property_readonly("linear_damping", &Body::linear_damping, doc("Body::linear_damping"))
      .def_property_readonly("angular_damping", &Body::angular_damping)
      .def_property_readonly("has_belt", &Body::has_belt, doc("Body::has_belt"))
      .def_property_readonly("surface_velocity", &Body::surface_velocity)
      .def_property_readonly("one_way", &Body::one_way, doc("Body::one_way"))
      .def_property_readonly("servo", &Body::servo, doc("Body::servo"))
      .def_property_readonly("has_servo", &Body::has_servo)
      .def_property_readonly("lock", &Body::lock, py::return_value_policy::copy, doc("Body::lock"))
      .def_property_readonly("pose", &Body::pose, py::return_value_policy::copy, doc("Body::pose"))
      .def_property_readonly("motion", &Body::motion, py::return_value_policy::copy)
      .def_property_readonly("center_of_mass", &Body::center_of_mass)
      .def_property_readonly("linear_velocity", &Body::linear_velocity)
      .def_property_readonly("angular_velocity", &Body::angular_velocity)
      .def_property_readonly("inverse_mass", &Body::inverse_mass, doc("Body::inverse_mass"))
      .def_property_readonly("mass", &Body::mass, py::return_value_policy::copy, doc("Body::mass"))
      .def_property_readonly("inverse_inertia", &Body::inverse_inertia,
                             doc("Body::inverse_inertia"))
      .def_property_readonly("has_isotropic_inertia", &Body::has_isotropic_inertia,
                             doc("Body::has_isotropic_inertia"))
      .def_property_readonly("size", &Body::size, doc("Body::size"))
      .def_property_readonly("rolling_radius", &Body::rolling_radius, doc("Body::rolling_radius"))
      .def_property_readonly("radius", &Body::radius, doc("Body::radius"))
      .def_property_readonly("kinetic_energy", &Body::kinetic_energy, doc("Body::kinetic_energy"))
      .def_property_readonly("spin", &Body::spin, doc("Body::spin"))
      .def_property_readonly("force", &Body::force, doc("Body::force"))
      .def_property_readonly("torque", &Body::torque)
      .def_property_readonly("constant_force", &Body::constant_force, doc("Body::constant_force"))
      .def_property_readonly("constant_torque", &Body::constant_torque)
      .def_property_readonly("total_force", &Body::total_force, doc("Body::total_force"))
      .def_property_readonly("total_torque", &Body::total_torque)
      .def("velocity_at", &Body::velocity_at, py::arg("world_point"))
      .def("belt_velocity_at", &Body::belt_velocity_at, py::arg("world_point"),
           doc("Body::belt_velocity_at"))
      .def("__repr__", [](const Body& b) {
        return "Body(" + std::to_string(b.id()) + ", " + std::string(to_string(b.type())) + " " +
               std::string(to_string(b.shape().type())) + ")";
      });
}

template <class T>
void add_validate(py::module_& m) {
  m.def("validate", [](const T& value) { validate(value); }, py::arg("value"));
}

}  // namespace

void add_bodies(py::module_& m) {
  add_body();
  m.attr("kNoBody") = kNoBody;
  m.attr("kNoJoint") = kNoJoint;
  m.attr("kMostStiffening") = kMostStiffening;
  add_validate<Material>(m);
  add_validate<SurfacePair>(m);
  add_validate<Servo>(m);
  add_validate<JointDefinition>(m);
  add_validate<WorldSettings>(m);
  add_validate<ImpulseSettings>(m);
  add_validate<WorldState>(m);
  add_validate<CharacterSettings>(m);
  m.def("combine", &combine, py::arg("a"), py::arg("b"), doc("combine"));
  m.def("can_touch", &can_touch, py::arg("a"), py::arg("b"),
        "Whether each one's category is in the other's mask.");
  m.def("joint_frame", &joint_frame, py::arg("anchor"), py::arg("axis"), doc("joint_frame"));
  m.def("joint_at", &joint_at, py::arg("type"), py::arg("a"), py::arg("b"), py::arg("anchor"),
        py::arg("axis") = Vec3{0.0, 0.0, 1.0}, doc("joint_at"));
  m.def("reduced_radius", &reduced_radius, py::arg("a"), py::arg("b"), doc("reduced_radius"));
  m.def("pull_off_force", &pull_off_force, py::arg("a"), py::arg("b"), py::arg("surface"),
        doc("pull_off_force"));
  m.def("distance_joint", &distance_joint, py::arg("a"), py::arg("b"), py::arg("anchor_a"),
        py::arg("anchor_b"), doc("distance_joint"));
  m.def("settings_of", &settings_of, py::arg("quality"), doc("settings_of"));
  m.def("hash", py::overload_cast<const WorldState&>(&hash), py::arg("state"), doc("hash"));
  m.def("to_text", py::overload_cast<const StepFailure&>(&to_text), py::arg("failure"),
        doc("to_text"));
  property<StepFailure>("any", &StepFailure::any, "The step was not done.");
}

}  // namespace tactus::python
