
#include "classes.hpp"

namespace tactus::python {
namespace {

template <class Motion, class One, class Many>
void add_pair_of(py::module_& m, const char* name, One one, Many many, const char* text) {
  m.def(
      name,
      [one](const Motion& motion, const ccd::CcdOptions& options) { return one(motion, options); },
      py::arg("motion"), py::arg("options") = ccd::CcdOptions(), text);
  m.def(
      name,
      [many](const ArrayLike& t0, const ArrayLike& t1, const ccd::CcdOptions& options,
             int max_threads) {
        const auto corners = [&](const py::handle& value, const char* which) {
          const py::array array = plain_array(value, which, py::dtype::of<double>(), 3);
          if (array.shape(1) != 4 || array.shape(2) != 3)
            throw InvalidInput(which, "must be (n, 4, 3)");
          return std::span(static_cast<const Vec3*>(array.data()),
                           static_cast<std::size_t>(4 * array.shape(0)));
        };
        const auto start = corners(t0, "t0"), end = corners(t1, "t1");
        if (start.size() != end.size()) throw InvalidInput("t1", "must be as many as t0");
        std::vector<Motion> motions(start.size() / 4);
        static_assert(sizeof(Motion) == 8 * sizeof(Vec3));
        for (std::size_t i = 0; i < motions.size(); ++i) {
          auto* const to = reinterpret_cast<Vec3*>(&motions[i]);
          std::copy_n(start.data() + 4 * i, 4, to);
          std::copy_n(end.data() + 4 * i, 4, to + 4);
        }
        std::vector<ccd::CcdResult> out;
        released([&] { many(motions, out, options, max_threads); });
        return structures(std::span<const ccd::CcdResult>(out));
      },
      py::arg("t0"), py::arg("t1"), py::arg("options") = ccd::CcdOptions(),
      py::arg("max_threads") = 0,
      "Many of them: arrays (n, 4, 3) of the four points at the start and at the end, the vertex "
      "before the\n"
      "face, edge A before edge B. A structured array with the fields of CcdResult.");
}

}  // namespace

void add_ccd(py::module_& m) {
  py::module_ ccd = m.attr("ccd");
  ccd.doc() = "First contact of moving vertices, edges and faces.";
  py::list methods;
  for (const ccd::CcdMethod method : ccd::kCcdMethods) methods.append(py::cast(method));
  ccd.attr("kCcdMethods") = py::tuple(methods);
  using Vertex = ccd::MovingVertexFace;
  using Edges = ccd::MovingEdges;
  add_pair_of<Vertex>(
      ccd, "vertex_face",
      [](const Vertex& motion, const ccd::CcdOptions& o) { return vertex_face(motion, o); },
      [](const std::vector<Vertex>& motions, std::vector<ccd::CcdResult>& out,
         const ccd::CcdOptions& o,
         int threads) { vertex_face(std::span<const Vertex>(motions), out, o, threads); },
      doc("ccd::vertex_face"));
  add_pair_of<Edges>(
      ccd, "edge_edge",
      [](const Edges& motion, const ccd::CcdOptions& o) { return edge_edge(motion, o); },
      [](const std::vector<Edges>& motions, std::vector<ccd::CcdResult>& out,
         const ccd::CcdOptions& o,
         int threads) { edge_edge(std::span<const Edges>(motions), out, o, threads); },
      doc("ccd::edge_edge"));
  ccd.def(
      "surface_impacts",
      [](const ccd::MovingSurface& a, const ccd::MovingSurface& b,
         const ccd::SurfaceCcdOptions& options) {
        return interruptible([&](const std::atomic<bool>& cancel) {
          ccd::SurfaceCcdOptions how = options;
          how.cancel = &cancel;
          return surface_impacts(a, b, how);
        });
      },
      py::arg("a"), py::arg("b"), py::arg("options") = ccd::SurfaceCcdOptions(),
      doc("ccd::surface_impacts"));
  ccd.def(
      "self_impacts",
      [](const ccd::MovingSurface& surface, const ccd::SurfaceCcdOptions& options) {
        return interruptible([&](const std::atomic<bool>& cancel) {
          ccd::SurfaceCcdOptions how = options;
          how.cancel = &cancel;
          return self_impacts(surface, how);
        });
      },
      py::arg("surface"), py::arg("options") = ccd::SurfaceCcdOptions(), doc("ccd::self_impacts"));
}

}  // namespace tactus::python
