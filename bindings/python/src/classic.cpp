#include "tactus/classic.hpp"

#include "classes.hpp"

namespace tactus::python {
namespace {

/// Two placed shapes and options of a search of the literature.
template <class Options, class Search>
void add_search(py::module_& m, const char* name, Search search) {
  m.def(
      name,
      [search](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b,
               const PoseLike& pose_b, const Options& options) {
        return checked(search(ShapeArgument(a, "a").get(), pose_from(pose_a, "pose_a"),
                              ShapeArgument(b, "b").get(), pose_from(pose_b, "pose_b"), options));
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
      py::arg("options") = Options(), doc(name));
}

void add_plane_rules(py::module_& m) {
  m.def(
      "literal_touches",
      [](const planar::Circle& circle, const PlanarPoseLike& pose_circle,
         const planar::Contour& contour, const PlanarPoseLike& pose_contour) {
        std::vector<LiteralTouch> out;
        literal_touches(circle, planar_pose_from(pose_circle, "pose_circle"), contour,
                        planar_pose_from(pose_contour, "pose_contour"), out);
        return out;
      },
      py::arg("circle"), py::arg("pose_circle"), py::arg("contour"), py::arg("pose_contour"),
      doc("literal_touches"));
  m.def(
      "literal_touch",
      [](const planar::Circle& circle, const PlanarPoseLike& pose_circle,
         const planar::Contour& contour, const PlanarPoseLike& pose_contour, bool corners) {
        return literal_touch(circle, planar_pose_from(pose_circle, "pose_circle"), contour,
                             planar_pose_from(pose_contour, "pose_contour"), corners);
      },
      py::arg("circle"), py::arg("pose_circle"), py::arg("contour"), py::arg("pose_contour"),
      py::arg("corners") = false, doc("literal_touch"));
  m.def(
      "literal_collision",
      [](const std::vector<LiteralBody>& bodies, const LiteralRules& rules) {
        for (std::size_t i = 0; i < bodies.size(); ++i)
          if (bodies[i].region == nullptr)
            throw InvalidInput("bodies[" + std::to_string(i) + "].region", "is missing");
        return literal_collision(bodies, rules);
      },
      py::arg("bodies"), py::arg("rules") = LiteralRules(), doc("literal_collision"));
}

}  // namespace

void add_classic(py::module_& m) {
  m.def("enable_classic_methods", &enable_classic_methods, doc("enable_classic_methods"));
  add_search<PortalOptions>(m, "portal_depths", &portal_depths);
  add_search<PolytopeOptions>(m, "polytope_depth", &polytope_depth);
  add_search<ReflectionOptions>(m, "separating_vector", &separating_vector);
  m.def("nearest_on_segment", &nearest_on_segment, py::arg("p"), py::arg("q"), py::arg("x"),
        doc("nearest_on_segment"));
  m.def("nearest_on_plane", &nearest_on_plane, py::arg("normal"), py::arg("offset"), py::arg("x"),
        doc("nearest_on_plane"));
  m.def("nearest_on_triangle", &nearest_on_triangle, py::arg("a"), py::arg("b"), py::arg("c"),
        py::arg("x"), doc("nearest_on_triangle"));
  m.def("sphere_meeting", &sphere_meeting, py::arg("apart"), py::arg("way"), py::arg("reach"),
        doc("sphere_meeting"));
  add_plane_rules(m);
}

}  // namespace tactus::python
