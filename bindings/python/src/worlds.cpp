#include "convert.hpp"

namespace tactus::python {
namespace {

template <class World>
py::array_t<double> column(const World& world, py::ssize_t width,
                           void (*write)(const Body& body, double* out)) {
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

Material material_from(const py::handle& value) {
  if (py::isinstance<Material>(value)) return value.cast<const Material&>();
  throw InvalidInput("material", "must be a Material");
}

/// A body by keyword arguments, or as it is.
BodyDefinition definition_from(const py::object& shape, const py::kwargs& fields) {
  if (py::isinstance<BodyDefinition>(shape)) {
    if (fields.size() != 0) throw InvalidInput("", "a BodyDefinition takes no further fields");
    return shape.cast<const BodyDefinition&>();
  }
  BodyDefinition d{shape_from(shape, "shape")};
  for (const auto& [key, value] : fields) {
    const auto name = key.cast<std::string>();
    const auto read = [&](auto& field) {
      using Field = std::remove_reference_t<decltype(field)>;
      try {
        field = value.template cast<Field>();
      } catch (const py::cast_error&) {
        throw InvalidInput(name, "is of a wrong type: " + std::string(py::repr(value)));
      }
    };
    if (name == "pose") {
      d.pose = pose_from(value, "pose");
    } else if (name == "linear_velocity") {
      read(d.linear_velocity);
    } else if (name == "angular_velocity") {
      read(d.angular_velocity);
    } else if (name == "force") {
      read(d.force);
    } else if (name == "torque") {
      read(d.torque);
    } else if (name == "gravity_scale") {
      read(d.gravity_scale);
    } else if (name == "linear_damping") {
      read(d.linear_damping);
    } else if (name == "angular_damping") {
      read(d.angular_damping);
    } else if (name == "type") {
      read(d.type);
    } else if (name == "material") {
      d.material = material_from(value);
    } else if (name == "sensor") {
      read(d.sensor);
    } else if (name == "id") {
      read(d.id);
    } else {
      throw InvalidInput(name, "is no field of a body");
    }
  }
  return d;
}

/// Steps until done, or until the user interrupts.
template <class World>
void run_steps(World& world, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    {
      const py::gil_scoped_release run;
      require_done(world.step());
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void add_bodies(py::module_& m) {
  add_enum<BodyType>(m, "BodyType");
  add_enum<JointType>(m, "JointType");
  py::class_<Material>(m, "Material", doc("Material"))
      .def(py::init([](double friction, double restitution, double rolling_friction,
                       double torsional_friction, double density, std::uint32_t kind) {
             const Material material{friction,           restitution, rolling_friction,
                                     torsional_friction, density,     kind};
             validate(material);
             return material;
           }),
           py::kw_only(), py::arg("friction") = 0.5, py::arg("restitution") = 0.0,
           py::arg("rolling_friction") = 0.0, py::arg("torsional_friction") = 0.0,
           py::arg("density") = 1000.0, py::arg("kind") = 0)
      .def_readwrite("friction", &Material::friction)
      .def_readwrite("restitution", &Material::restitution)
      .def_readwrite("rolling_friction", &Material::rolling_friction)
      .def_readwrite("torsional_friction", &Material::torsional_friction)
      .def_readwrite("density", &Material::density)
      .def_readwrite("kind", &Material::kind);
  py::class_<BodyDefinition>(m, "BodyDefinition", doc("BodyDefinition"))
      .def(py::init([](const py::object& shape, const py::kwargs& fields) {
             return definition_from(shape, fields);
           }),
           py::arg("shape"));
  py::class_<Body>(m, "Body", doc("Body"))
      .def_property_readonly("id", &Body::id)
      .def_property_readonly("shape", &Body::shape)
      .def_property_readonly("type", &Body::type)
      .def_property_readonly("pose", &Body::pose)
      .def_property_readonly("center_of_mass", &Body::center_of_mass)
      .def_property_readonly("linear_velocity", &Body::linear_velocity)
      .def_property_readonly("angular_velocity", &Body::angular_velocity)
      .def_property_readonly("mass", [](const Body& b) { return b.mass().mass; })
      .def_property_readonly("is_dynamic", &Body::is_dynamic)
      .def_property_readonly("is_asleep", &Body::is_asleep)
      .def_property_readonly("kinetic_energy", &Body::kinetic_energy)
      .def("velocity_at", &Body::velocity_at, py::arg("world_point"))
      .def("__repr__", [](const Body& b) {
        return "Body(" + std::to_string(b.id()) + ", " + std::string(to_string(b.type())) + " " +
               std::string(to_string(b.shape().type())) + ")";
      });
}

void add_reports(py::module_& m) {
  py::class_<Contact>(m, "Contact", doc("Contact"))
      .def_readonly("body_a", &Contact::body_a)
      .def_readonly("body_b", &Contact::body_b)
      .def_property_readonly("point", [](const Contact& c) { return c.point; })
      .def_property_readonly("normal", [](const Contact& c) { return c.normal; })
      .def_readonly("depth", &Contact::depth)
      .def_readonly("normal_impulse", &Contact::normal_impulse)
      .def_property_readonly("friction_impulse", [](const Contact& c) { return c.friction_impulse; });
  py::class_<RayHit>(m, "RayHit", doc("RayHit"))
      .def_readonly("body", &RayHit::body)
      .def_readonly("distance", &RayHit::distance)
      .def_property_readonly("point", [](const RayHit& h) { return h.point; })
      .def_property_readonly("normal", [](const RayHit& h) { return h.normal; })
      .def_readonly("part", &RayHit::part);
  py::class_<StepStatistics>(m, "StepStatistics", doc("StepStatistics"))
      .def_readonly("step", &StepStatistics::step)
      .def_readonly("time", &StepStatistics::time)
      .def_readonly("bodies", &StepStatistics::bodies)
      .def_readonly("moving", &StepStatistics::moving)
      .def_readonly("asleep", &StepStatistics::asleep)
      .def_readonly("candidate_pairs", &StepStatistics::candidate_pairs)
      .def_readonly("contacts", &StepStatistics::contacts)
      .def_readonly("contact_points", &StepStatistics::contact_points)
      .def_readonly("substeps", &StepStatistics::substeps)
      .def_readonly("deepest_penetration", &StepStatistics::deepest_penetration)
      .def_readonly("deepest_relative_penetration", &StepStatistics::deepest_relative_penetration)
      .def_readonly("mean_relative_penetration", &StepStatistics::mean_relative_penetration)
      .def_readonly("kinetic_energy", &StepStatistics::kinetic_energy)
      .def_readonly("potential_energy", &StepStatistics::potential_energy)
      .def_readonly("max_speed", &StepStatistics::max_speed)
      .def_readonly("max_relative_speed", &StepStatistics::max_relative_speed)
      .def_readonly("rms_relative_speed", &StepStatistics::rms_relative_speed)
      .def_readonly("total_ms", &StepStatistics::total_ms);
  py::class_<GrainMeasures>(m, "GrainMeasures", doc("GrainMeasures"))
      .def_readonly("bodies", &GrainMeasures::bodies)
      .def_readonly("contacts", &GrainMeasures::contacts)
      .def_readonly("coordination", &GrainMeasures::coordination)
      .def_readonly("solid_fraction", &GrainMeasures::solid_fraction)
      .def_property_readonly("stress", [](const GrainMeasures& g) { return g.stress; })
      .def_property_readonly("fabric", [](const GrainMeasures& g) { return g.fabric; });
}

void add_rigid_world(py::module_& m) {
  py::class_<RigidWorld>(m, "RigidWorld", doc("RigidWorld"))
      .def("add",
           [](RigidWorld& w, const py::object& shape, const py::kwargs& fields) {
             return w.add(definition_from(shape, fields));
           },
           py::arg("shape"),
           "Adds a body and returns its id: a BodyDefinition, or a shape and the fields of one.")
      .def("remove", py::overload_cast<BodyId>(&RigidWorld::remove), py::arg("id"),
           doc("RigidWorld::remove"))
      .def("exclude", &RigidWorld::exclude, py::arg("a"), py::arg("b"), doc("RigidWorld::exclude"))
      .def("body", &RigidWorld::body, py::arg("id"), "The body of that id, as it is now.")
      .def("contains", &RigidWorld::contains, py::arg("id"))
      .def("__len__", [](const RigidWorld& w) { return w.bodies().size(); })
      .def_property_readonly("ids",
                             [](const RigidWorld& w) {
                               py::array_t<std::uint64_t> ids(
                                   static_cast<py::ssize_t>(w.bodies().size()));
                               std::uint64_t* out = ids.mutable_data();
                               for (const Body& body : w.bodies()) *out++ = body.id();
                               return ids;
                             },
                             "Ids of all bodies, in the order of the arrays below.")
      .def_property_readonly("positions",
                             [](const RigidWorld& w) {
                               return column(w, 3, [](const Body& b, double* out) {
                                 put(b.pose().position(), out);
                               });
                             },
                             "Positions of the shapes' frames, (n, 3).")
      .def_property_readonly("quaternions",
                             [](const RigidWorld& w) {
                               return column(w, 4, [](const Body& b, double* out) {
                                 const Quat& q = b.motion().orientation;
                                 out[0] = q.w;
                                 out[1] = q.x;
                                 out[2] = q.y;
                                 out[3] = q.z;
                               });
                             },
                             "Orientations of the shapes' frames, (n, 4): w, x, y, z.")
      .def_property_readonly("linear_velocities",
                             [](const RigidWorld& w) {
                               return column(w, 3, [](const Body& b, double* out) {
                                 put(b.linear_velocity(), out);
                               });
                             },
                             "Velocities of the centres of mass, (n, 3).")
      .def_property_readonly("angular_velocities",
                             [](const RigidWorld& w) {
                               return column(w, 3, [](const Body& b, double* out) {
                                 put(b.angular_velocity(), out);
                               });
                             },
                             "Angular velocities, (n, 3), world frame.")
      .def("set_pose",
           [](RigidWorld& w, BodyId id, const PoseArgument& pose) { w.set_pose(id, pose.pose); },
           py::arg("id"), py::arg("pose"), doc("RigidWorld::set_pose"))
      .def("set_velocity", &RigidWorld::set_velocity, py::arg("id"), py::arg("linear"),
           py::arg("angular"), "Of the centre of mass, and about it.")
      .def("set_constant_force", &RigidWorld::set_constant_force, py::arg("id"), py::arg("force"),
           py::arg("torque"), doc("RigidWorld::set_constant_force"))
      .def("move_to",
           [](RigidWorld& w, BodyId id, const PoseArgument& pose, double duration) {
             w.move_to(id, pose.pose, duration);
           },
           py::arg("id"), py::arg("pose"), py::arg("duration"), doc("RigidWorld::move_to"))
      .def("apply_impulse", &RigidWorld::apply_impulse, py::arg("id"), py::arg("impulse"),
           py::arg("world_point"), doc("RigidWorld::apply_impulse"))
      .def("step", [](RigidWorld& w, std::uint64_t steps) { run_steps(w, steps); },
           py::arg("steps") = 1,
           "Advances by so many time steps. Raises RuntimeError for one that cannot be done; the\n"
           "world is then as it was before it. Ctrl-C ends it after a whole step.")
      .def_property_readonly("time", &RigidWorld::time)
      .def_property_readonly("step_count", &RigidWorld::step_count)
      .def_property_readonly("statistics",
                             [](const RigidWorld& w) { return w.statistics(); })
      .def_property_readonly("contacts",
                             [](const RigidWorld& w) {
                               return std::vector<Contact>(w.contacts().begin(),
                                                           w.contacts().end());
                             })
      .def_property_readonly("contact_time", &RigidWorld::contact_time)
      .def("ray_cast", &RigidWorld::ray_cast, py::arg("origin"), py::arg("direction"),
           py::arg("max_distance") = std::numeric_limits<double>::infinity(),
           py::arg("mask") = ~std::uint64_t{0}, doc("RigidWorld::ray_cast"))
      .def("overlapping",
           [](const RigidWorld& w, const ShapeArgument& shape, const PoseArgument& pose) {
             return w.overlapping(shape.get(), pose.pose);
           },
           py::arg("shape"), py::arg("pose"), doc("RigidWorld::overlapping"))
      .def("save", &RigidWorld::save, doc("RigidWorld::save"))
      .def("restore", &RigidWorld::restore, py::arg("state"), doc("RigidWorld::restore"))
      .def("state_hash", &RigidWorld::state_hash, doc("RigidWorld::state_hash"));
  py::class_<WorldState>(m, "WorldState", doc("WorldState"));
  m.def("measure_grains",
        [](const RigidWorld& w, const std::vector<BodyId>& ids, double volume) {
          return measure_grains(w, ids, volume);
        },
        py::arg("world"), py::arg("ids"), py::arg("volume"), doc("measure_grains"));
}

}  // namespace

void add_worlds(py::module_& m) {
  add_bodies(m);
  add_reports(m);
  add_rigid_world(m);
  py::class_<WorldSettings>(m, "WorldSettings", doc("WorldSettings"))
      .def(py::init<>())
      .def_property("gravity", [](const WorldSettings& s) { return s.gravity; },
                    [](WorldSettings& s, const Vec3& v) { s.gravity = v; })
      .def_readwrite("time_step", &WorldSettings::time_step)
      .def_readwrite("substeps", &WorldSettings::substeps)
      .def_readwrite("load_overlap", &WorldSettings::load_overlap)
      .def_readwrite("contact_margin", &WorldSettings::contact_margin)
      .def_readwrite("restitution_threshold", &WorldSettings::restitution_threshold)
      .def_readwrite("sleep_time", &WorldSettings::sleep_time)
      .def_readwrite("sleep_speed", &WorldSettings::sleep_speed)
      .def_readwrite("linear_damping", &WorldSettings::linear_damping)
      .def_readwrite("angular_damping", &WorldSettings::angular_damping)
      .def_readwrite("max_threads", &WorldSettings::max_threads);
  py::class_<World, RigidWorld>(m, "World", doc("World"))
      .def(py::init([](const py::kwargs& fields) {
             py::object settings = py::cast(WorldSettings());
             for (const auto& [key, value] : fields) {
               if (!py::hasattr(settings, key))
                 throw InvalidInput(key.cast<std::string>(), "is no setting of a world");
               settings.attr(key) = value;
             }
             return World(settings.cast<const WorldSettings&>());
           }),
           "A world with the settings of WorldSettings, by keyword arguments.")
      .def_property_readonly("settings", &World::settings)
      .def("joint_at",
           [](World& w, JointType type, BodyId a, BodyId b, const Vec3& anchor, const Vec3& axis) {
             return w.add_joint(joint_at(type, w.body(a), w.body(b), anchor, axis));
           },
           py::arg("type"), py::arg("a"), py::arg("b"), py::arg("anchor"),
           py::arg("axis") = Vec3{0.0, 0.0, 1.0},
           "Adds a joint whose frames coincide at a world point as the bodies lie now; its id.")
      .def("remove_joint", &World::remove_joint, py::arg("id"), doc("World::remove_joint"))
      .def("apply_force",
           [](World& w, BodyId id, const Vec3& force, const std::optional<Vec3>& point) {
             point ? w.apply_force(id, force, *point) : w.apply_force(id, force);
           },
           py::arg("id"), py::arg("force"), py::arg("world_point") = py::none(),
           doc("World::apply_force"))
      .def("apply_torque", &World::apply_torque, py::arg("id"), py::arg("torque"));
  py::class_<ImpulseWorld, RigidWorld>(m, "ImpulseWorld", doc("ImpulseWorld"))
      .def(py::init([](const Vec3& gravity, double time_step) {
             ImpulseSettings settings;
             settings.gravity = gravity;
             settings.time_step = time_step;
             return ImpulseWorld(settings);
           }),
           py::kw_only(), py::arg("gravity") = ImpulseSettings().gravity,
           py::arg("time_step") = ImpulseSettings().time_step);
}

}  // namespace tactus::python
