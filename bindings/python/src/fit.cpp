#include <atomic>

#include "classes.hpp"

namespace tactus::python {
namespace {

/// Ends early when the user interrupts it.
fit::ConvexDecomposition decompose_mesh(const MeshLike& mesh, const py::args& given,
                                        const py::kwargs& named) {
  const TriangleMesh surface = mesh_from(mesh, "mesh");
  auto options = value_from<fit::DecomposeOptions>(given, named);
  const auto told = options.progress;
  auto found = interruptible([&](std::atomic<bool>& cancel) {
    options.cancel = &cancel;
    options.progress = [&](std::uint32_t parts, double done) {
      if (!told || cancel) return;
      const py::gil_scoped_acquire hold;
      try {
        told(parts, done);
      } catch (py::error_already_set& error) {
        keep_error(error);
        cancel = true;
      }
    };
    return fit::decompose(surface, options);
  });
  raise_kept_error();
  return found;
}

void add_boxes(py::module_& m) {
  property<fit::OrientedBox>("volume", &fit::OrientedBox::volume, doc("fit::OrientedBox::volume"));
  property<fit::OrientedBox>("pose", &fit::OrientedBox::pose, doc("fit::OrientedBox::pose"));
  m.attr("kMostCalipersVertices") = fit::kMostCalipersVertices;
  m.def(
      "box_along",
      [](const ArrayLike& points, const Mat3& axes) {
        return fit::box_along(points_from(points, "points"), axes);
      },
      py::arg("points"), py::arg("axes"), doc("fit::box_along"));
  m.def(
      "box_of_points",
      [](const ArrayLike& points) { return fit::box_of_points(points_from(points, "points")); },
      py::arg("points"), doc("fit::box_of_points"));
  m.def(
      "box_of_hull_vertices",
      [](const ArrayLike& points, const ConvexHull& hull) {
        return fit::box_of_hull_vertices(points_from(points, "points"), hull);
      },
      py::arg("points"), py::arg("hull"), doc("fit::box_of_hull_vertices"));
  m.def(
      "box_of_hull_surface",
      [](const ArrayLike& points, const ConvexHull& hull) {
        return fit::box_of_hull_surface(points_from(points, "points"), hull);
      },
      py::arg("points"), py::arg("hull"), doc("fit::box_of_hull_surface"));
  m.def(
      "minimum_box",
      [](const ArrayLike& points, const ConvexHull* hull) {
        const std::vector<Vec3> list = points_from(points, "points");
        return released([&] {
          return hull != nullptr ? fit::minimum_box(list, *hull) : fit::minimum_box(list);
        });
      },
      py::arg("points"), py::arg("hull") = py::none(), doc("fit::minimum_box"));
}

void add_decomposition(py::module_& m) {
  property<fit::Concavity>("lower", &fit::Concavity::lower, "Least that it can be.");
  property<fit::Concavity>("upper", &fit::Concavity::upper, "Most that it can be.");
  property<fit::ConvexDecomposition>("concavity_lower", &fit::ConvexDecomposition::concavity_lower,
                                     doc("fit::ConvexDecomposition::concavity_lower"));
  property<fit::ConvexDecomposition>("concavity_upper", &fit::ConvexDecomposition::concavity_upper);
  method<fit::ConvexDecomposition>("compound", &fit::ConvexDecomposition::compound,
                                   doc("fit::ConvexDecomposition::compound"));
  method<fit::ConvexDecomposition>("__repr__", [](const fit::ConvexDecomposition& d) {
    return "ConvexDecomposition(" + std::to_string(d.parts.size()) + " parts, " +
           std::string(to_string(d.status)) + ")";
  });
  m.def("decompose", &decompose_mesh, py::arg("mesh"),
        (std::string(doc("fit::decompose")) +
         "\n\nOptions: a DecomposeOptions, or its fields by keyword. Ctrl-C ends it.")
            .c_str());
  m.def(
      "extruded",
      [](const planar::Region& region, double height) { return fit::extruded(region, height); },
      py::arg("region"), py::arg("height"), doc("fit::extruded"));
  m.def(
      "make_heightfield",
      [](const py::args& given, const py::kwargs& named) {
        return fit::make_heightfield(value_from<fit::Heightfield>(given, named));
      },
      (std::string(doc("fit::make_heightfield")) + "\n\nA Heightfield, or its fields by keyword.")
          .c_str());
}

void add_tracing(py::module_& m) {
  m.attr("kMostPixels") = fit::kMostPixels;
  m.attr("kSmoothError") = fit::kSmoothError;
  m.attr("kBinaryError") = fit::kBinaryError;
  m.def(
      "trace_contours",
      [](const py::object& image, const py::args& given, const py::kwargs& named) {
        const auto options = value_from<fit::TraceOptions>(given, named);
        if (py::isinstance<fit::GreyImage>(image)) {
          const auto grey = image.cast<fit::GreyImage>();
          return released([&] { return fit::trace_contours(grey, options); });
        }
        if (py::hasattr(image, "view") && py::hasattr(image, "channel")) {
          const auto grey = image.attr("view")().cast<fit::GreyImage>();
          return released([&] { return fit::trace_contours(grey, options); });
        }
        const py::array array = plain_array(image, "image", py::dtype::of<std::uint16_t>(), 2);
        const fit::GreyImage grey{static_cast<int>(array.shape(1)),
                                  static_cast<int>(array.shape(0)),
                                  {static_cast<const std::uint16_t*>(array.data()),
                                   static_cast<std::size_t>(array.size())}};
        return released([&] { return fit::trace_contours(grey, options); });
      },
      py::arg("image"),
      (std::string(doc("fit::trace_contours")) +
       "\n\nThe picture: an array (rows, columns) of uint16, from black (0) to white (65535), a "
       "GreyImage, or an\n"
       "Image. Options: a TraceOptions, or its fields by keyword.")
          .c_str());
  m.def(
      "simplify",
      [](const ArrayLike& points, bool closed, double error) {
        return fit::simplify(list_from<planar::Vec2>(points, "points"), closed, error);
      },
      py::arg("points"), py::arg("closed"), py::arg("error"), doc("fit::simplify"));
  m.def(
      "simplify_to",
      [](const ArrayLike& points, bool closed, std::size_t most) {
        return fit::simplify_to(list_from<planar::Vec2>(points, "points"), closed, most);
      },
      py::arg("points"), py::arg("closed"), py::arg("most"), doc("fit::simplify_to"));
}

}  // namespace

void add_fit(py::module_& m) {
  py::module_ fit = m.attr("fit");
  fit.doc() =
      "Preparation, done once: oriented boxes, convex decomposition, outlines of images, "
      "heightfields.";
  add_boxes(fit);
  add_decomposition(fit);
  add_tracing(fit);
}

}  // namespace tactus::python
