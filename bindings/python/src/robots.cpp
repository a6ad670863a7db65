#include <map>

#include "classes.hpp"
#include "tactus/io.hpp"
#include "tactus/robot.hpp"

namespace tactus::python {
namespace {

/// Work of several threads, or that a cache of the caller goes through: only without one may other
/// threads of Python run meanwhile.
template <class Work>
auto released_without(const RobotCache* cache, const Work& work) {
  return cache != nullptr ? work() : released(work);
}

std::vector<double> configuration_from(const ArrayLike& value) {
  return list_from<double>(value, "configuration");
}

/// A list of Python that is to be filled, or none.
void require_list(const py::object& list, const char* name) {
  if (!list.is_none() && !py::isinstance<py::list>(list))
    throw InvalidInput(name, "must be a list");
}
template <class T>
void append(const py::object& list, const std::vector<T>& found) {
  if (list.is_none()) return;
  for (const T& one : found) list.attr("append")(one);
}

void add_robot(py::module_& m) {
  class_of<Robot>()
      .def(py::init<std::string, std::vector<RobotLink>, std::vector<RobotJoint>>(),
           py::arg("name"), py::arg("links"), py::arg("joints"), doc("Robot::Robot"))
      .def_property_readonly("name", &Robot::name)
      .def_property_readonly("links", &Robot::links)
      .def_property_readonly("joints", &Robot::joints)
      .def_property_readonly("root", &Robot::root)
      .def_property_readonly("coordinates", &Robot::coordinates, doc("Robot::coordinates"))
      .def("find_link", &Robot::find_link, py::arg("name"))
      .def("find_joint", &Robot::find_joint, py::arg("name"))
      .def("find_coordinate", &Robot::find_coordinate, py::arg("name"))
      .def_property_readonly(
          "zero_configuration", [](const Robot& r) { return list_array(r.zero_configuration()); },
          doc("Robot::zero_configuration"))
      .def(
          "link_poses",
          [](const Robot& r, const ArrayLike& configuration) {
            std::vector<Pose> poses(r.links().size());
            r.link_poses(configuration_from(configuration), poses);
            return poses;
          },
          py::arg("configuration"), doc("Robot::link_poses"))
      .def("__repr__",
           [](const Robot& r) {
             return "Robot('" + r.name() + "', " + std::to_string(r.links().size()) + " links, " +
                    std::to_string(r.coordinates().size()) + " coordinates)";
           })
      .def("__reduce__", [](const Robot& r) {
        return py::make_tuple(py::type::of<Robot>(),
                              py::make_tuple(r.name(), r.links(), r.joints()));
      });
  m.def("join_robots", &join_robots, py::arg("name"), py::arg("parts"), doc("join_robots"));
  m.def("add_obstacles", &add_obstacles, py::arg("robot"), py::arg("obstacles"),
        doc("add_obstacles"));
  m.def("movable_pairs", &movable_pairs, py::arg("robot"), doc("movable_pairs"));
  m.def(
      "classify_pairs",
      [](const Robot& robot, const py::args& given, const py::kwargs& named) {
        const auto options = value_from<PairOptions>(given, named);
        return released([&] { return classify_pairs(robot, options); });
      },
      py::arg("robot"),
      (std::string(doc("classify_pairs")) + "\n\nOptions: a PairOptions, or its fields by keyword.")
          .c_str());
}

void add_paths(py::module_& m) {
  method<PathPolynomial>("at", &PathPolynomial::at, py::arg("s"));
  m.def(
      "straight_segment",
      [](const ArrayLike& from, const ArrayLike& to) {
        return straight_segment(list_from<double>(from, "from"), list_from<double>(to, "to"));
      },
      py::arg("from_"), py::arg("to"), doc("straight_segment"));
}

/// Options as one value, or field by field.
template <class Options>
Options options_from(const py::object& options, const py::kwargs& named) {
  const py::tuple given = options.is_none() ? py::tuple() : py::make_tuple(options);
  return value_from<Options>(py::args(given), named);
}

RobotClearance clearance_of(const RobotCollision& c, const ArrayLike& configuration,
                            const py::object& given, RobotCache* cache, const py::kwargs& named) {
  const auto options = options_from<ClearanceOptions>(given, named);
  const std::vector<double> values = configuration_from(configuration);
  return released_without(cache, [&] { return c.clearance(values, options, cache); });
}

PathAnswer certified(const RobotCollision& c, const PathSegment& segment, const py::object& given,
                     RobotCache* cache, const py::object& claims, const py::kwargs& named) {
  require_list(claims, "claims");
  auto options = options_from<PathOptions>(given, named);
  std::vector<PathClaim> found;
  if (!claims.is_none()) options.claims = &found;
  const PathAnswer answer =
      released_without(cache, [&] { return c.certify(segment, options, cache); });
  append(claims, found);
  return answer;
}

std::vector<PathAnswer> certified_edges(const RobotCollision& c, const ArrayLike& configurations,
                                        const py::object& given, int max_threads,
                                        const py::kwargs& named) {
  const auto options = options_from<PathOptions>(given, named);
  const auto numbers = floats_from(configurations);
  const auto count = static_cast<py::ssize_t>(c.robot().coordinates().size());
  if (!numbers || numbers->ndim() != 3 || numbers->shape(1) != 2 || numbers->shape(2) != count)
    throw InvalidInput("configurations", "must be (n, 2, " + std::to_string(count) + ")");
  std::vector<PathAnswer> answers(static_cast<std::size_t>(numbers->shape(0)));
  const std::span values(numbers->data(), static_cast<std::size_t>(numbers->size()));
  released([&] { c.certify_edges(values, answers, options, max_threads); });
  return answers;
}

void add_collision(py::module_&) {
  const auto with = [](const char* name, const char* more) {
    return std::string(doc(name)) + "\n\n" + more;
  };
  class_of<RobotCollision>()
      .def(py::init<Robot>(), py::arg("robot"), "With `movable_pairs`.")
      .def(py::init<Robot, std::vector<RobotPair>, std::vector<RobotBody>>(), py::arg("robot"),
           py::arg("pairs"), py::arg("obstacles") = std::vector<RobotBody>(),
           doc("RobotCollision::RobotCollision"))
      .def_property_readonly("robot", &RobotCollision::robot)
      .def_property_readonly("pairs", &RobotCollision::pairs)
      .def_property_readonly("obstacles", &RobotCollision::obstacles)
      .def_property_readonly("body_pairs", &RobotCollision::body_pairs)
      .def("clearance", &clearance_of, py::arg("configuration"), py::arg("options") = py::none(),
           py::arg("cache") = py::none(),
           with("RobotCollision::clearance",
                "Options: a ClearanceOptions, or its fields by keyword.")
               .c_str())
      .def("certify", &certified, py::arg("segment"), py::arg("options") = py::none(),
           py::arg("cache") = py::none(), py::arg("claims") = py::none(),
           with("RobotCollision::certify",
                "Options: a PathOptions, or its fields by keyword. `claims`: a list, to which what "
                "proves a\nfree segment is added.")
               .c_str())
      .def("certify_edges", &certified_edges, py::arg("configurations"),
           py::arg("options") = py::none(), py::arg("max_threads") = 0,
           with("RobotCollision::certify_edges",
                "The configurations: an array (n, 2, coordinates), each edge from its first row to "
                "its second.\nOptions: a PathOptions, or its fields by keyword.")
               .c_str())
      .def(
          "check_free",
          [](const RobotCollision& c, const PathSegment& segment, double clearance,
             const std::vector<PathClaim>& claims) {
            return released([&] { return c.check_free(segment, clearance, claims); });
          },
          py::arg("segment"), py::arg("clearance"), py::arg("claims"),
          doc("RobotCollision::check_free"))
      .def("__repr__",
           [](const RobotCollision& c) {
             return "RobotCollision('" + c.robot().name() + "', " +
                    std::to_string(c.pairs().size()) + " pairs, " +
                    std::to_string(c.obstacles().size()) + " obstacles)";
           })
      .def("__reduce__", [](const RobotCollision& c) {
        return py::make_tuple(py::type::of<RobotCollision>(),
                              py::make_tuple(c.robot(), c.pairs(), c.obstacles()));
      });
}

void add_files(py::module_& io) {
  using std::filesystem::path;
  io.def("reads_robots", &io::reads_robots, doc("io::reads_robots"));
  io.def("reads_sdf", &io::reads_sdf, doc("io::reads_sdf"));
  io.def(
      "read_robot",
      [](const path& file, bool visual, bool hulls, bool leave_out_missing,
         const std::map<std::string, path>& packages, const py::object& warnings,
         const std::string& model) {
        require_list(warnings, "warnings");
        std::vector<std::string> found;
        io::RobotReadOptions options{visual, hulls, leave_out_missing, {}, &found, model};
        options.packages.assign(packages.begin(), packages.end());
        Robot robot = released([&] { return io::read_robot(file, options); });
        append(warnings, found);
        return robot;
      },
      py::arg("file"), py::arg("visual") = false, py::arg("hulls") = false,
      py::arg("leave_out_missing") = false, py::arg("packages") = std::map<std::string, path>(),
      py::arg("warnings") = py::none(), py::arg("model") = "",
      (std::string(doc("io::read_robot")) +
       "\n\n`visual`: shapes of the visual elements in place of those for collision; `hulls`: of "
       "each mesh its convex\nhull; `leave_out_missing`: a mesh that is missing or broken is left "
       "out and noted, else it is an error;\n`packages`: folders of packages by name; `warnings`: "
       "a list, to which a line is added for all that was\nleft out or not understood; `model`: "
       "the one of "
       "an SDF file that holds several.")
          .c_str());
  io.def(
      "read_disabled_pairs",
      [](const path& file, const Robot& robot, const py::object& warnings) {
        require_list(warnings, "warnings");
        std::vector<std::string> found;
        const auto pairs = io::read_disabled_pairs(file, robot, &found);
        append(warnings, found);
        return pairs;
      },
      py::arg("file"), py::arg("robot"), py::arg("warnings") = py::none(),
      doc("io::read_disabled_pairs"));
  io.def("scene_obstacles", &io::scene_obstacles, py::arg("scene"), doc("io::scene_obstacles"));
  io.def("read_configurations", &io::read_configurations, py::arg("file"), py::arg("robot"),
         doc("io::read_configurations"));
}

}  // namespace

void add_robots(py::module_& m) {
  add_robot(m);
  add_paths(m);
  add_collision(m);
  auto io = m.attr("io").cast<py::module_>();
  add_files(io);
}

}  // namespace tactus::python
