#include <cmath>
#include <cstring>
#include <variant>

#include "classes.hpp"

namespace tactus::python {
namespace {

using planar::Circle;
using planar::Contour;
using planar::PlanarCast;
using planar::PlanarMotion;
using planar::PlanarShape;
using planar::Pose2;
using planar::Region;
using planar::Vec2;

/// A thing of the plane and where it is.
struct Placed {
  PlanarShape shape;
  Pose2 pose;
};
Placed placed(const PlanarShape& shape, const PlanarPoseLike& pose, const char* name) {
  return {shape, planar_pose_from(pose, name)};
}

/// The order in which the functions take their bodies: circles, contours, regions.
bool in_order(const PlanarShape& a, const PlanarShape& b) { return a.index() <= b.index(); }

/// Calls `ask` with both bodies in their order and turns the answer, where they were exchanged.
template <class Ask>
auto asked(const Placed& a, const Placed& b, const Ask& ask) {
  const bool kept = in_order(a.shape, b.shape);
  const Placed& first = kept ? a : b;
  const Placed& second = kept ? b : a;
  return std::visit(
      [&](const auto& x, const auto& y) {
        using X = std::decay_t<decltype(x)>;
        using Y = std::decay_t<decltype(y)>;
        using Result = decltype(ask(std::declval<const Circle&>(), Pose2(),
                                    std::declval<const Circle&>(), Pose2(), true));
        if constexpr (std::is_invocable_v<Ask, const X&, Pose2, const Y&, Pose2, bool>) {
          return ask(x, first.pose, y, second.pose, kept);
        } else {
          throw InvalidInput("b", "has no answer with such a thing");
          return Result();
        }
      },
      first.shape, second.shape);
}

/// A pose as it was, to the bit: its constructor takes an angle, which it has forgotten.
Pose2 pose_as_it_was(const std::array<double, 4>& numbers) {
  static_assert(std::is_trivially_copyable_v<Pose2> && sizeof(Pose2) == sizeof numbers);
  const double cosine = numbers[2], sine = numbers[3];
  if (!(std::fabs(cosine * cosine + sine * sine - 1.0) < 1e-12) || !std::isfinite(numbers[0]) ||
      !std::isfinite(numbers[1]))
    throw InvalidInput("state", "is no pose");
  Pose2 made;
  std::memcpy(static_cast<void*>(&made), numbers.data(), sizeof made);
  return made;
}

void add_poses(py::module_&) {
  class_of<Pose2>()
      .def(py::init<>())
      .def(py::init<const Vec2&, double>(), py::arg("position"), py::arg("angle"),
           doc("planar::Pose2::Pose2"))
      .def_property_readonly("position", &Pose2::position)
      .def_property_readonly("cosine", &Pose2::cosine)
      .def_property_readonly("sine", &Pose2::sine)
      .def_property_readonly("turned", &Pose2::turned)
      .def("direction_to_world", &Pose2::direction_to_world, py::arg("v"))
      .def("direction_to_local", &Pose2::direction_to_local, py::arg("v"))
      .def("to_world", &Pose2::to_world, py::arg("local"))
      .def("to_local", &Pose2::to_local, py::arg("world"))
      .def("turned_by", &Pose2::turned_by, py::arg("angle"), py::arg("position"),
           doc("planar::Pose2::turned_by"))
      .def_static("relative", &Pose2::relative, py::arg("a"), py::arg("b"),
                  doc("planar::Pose2::relative"))
      .def(py::pickle(
          [](const Pose2& p) {
            return py::make_tuple(p.position().x, p.position().y, p.cosine(), p.sine());
          },
          [](const py::tuple& state) {
            return pose_as_it_was(state.cast<std::array<double, 4>>());
          }))
      .def("__repr__", [](const Pose2& p) {
        char text[128];
        std::snprintf(text, sizeof text, "Pose2((%.9g, %.9g), cosine=%.9g, sine=%.9g)",
                      p.position().x, p.position().y, p.cosine(), p.sine());
        return std::string(text);
      });
}

void add_things(py::module_&) {
  class_of<Circle>()
      .def(py::init<double>(), py::arg("radius"))
      .def_property_readonly("radius", &Circle::radius)
      .def("__repr__",
           [](const Circle& c) {
             return "Circle(" + std::string(py::str(py::float_(c.radius()))) + ")";
           })
      .def("__reduce__", [](const Circle& c) {
        return py::make_tuple(py::type::of<Circle>(), py::make_tuple(c.radius()));
      });
  class_of<Contour>()
      .def(py::init([](const ArrayLike& points, bool closed, planar::Crossings crossings) {
             return Contour(list_from<Vec2>(points, "points"), closed, crossings);
           }),
           py::arg("points"), py::arg("closed") = true,
           py::arg("crossings") = planar::Crossings::refuse, "From points, an array (n, 2).")
      .def_property_readonly("points", &Contour::points)
      .def_property_readonly("closed", &Contour::closed)
      .def_property_readonly("segments", &Contour::segments)
      .def(
          "start",
          [](const Contour& c, std::size_t i) {
            if (i >= c.segments()) throw py::index_error("segment");
            return c.start(i);
          },
          py::arg("segment"))
      .def(
          "end",
          [](const Contour& c, std::size_t i) {
            if (i >= c.segments()) throw py::index_error("segment");
            return c.end(i);
          },
          py::arg("segment"))
      .def("__repr__",
           [](const Contour& c) {
             return "Contour(" + std::to_string(c.points().size()) + " points" +
                    (c.closed() ? ")" : ", open)");
           })
      .def("__reduce__", [](const Contour& c) {
        return py::make_tuple(py::type::of<Contour>(),
                              py::make_tuple(c.points(), c.closed(), planar::Crossings::accept));
      });
  class_of<Region>()
      .def(py::init([](const ArrayLike& outer, const py::sequence& holes) {
             std::vector<std::vector<Vec2>> lists;
             for (const py::handle hole : py::list(holes))
               lists.push_back(
                   list_from<Vec2>(hole, ("holes[" + std::to_string(lists.size()) + "]").c_str()));
             return Region(list_from<Vec2>(outer, "outer"), std::move(lists));
           }),
           py::arg("outer"), py::arg("holes") = py::tuple(), "From points, arrays (n, 2).")
      .def_property_readonly(
          "contours",
          [](const Region& r) {
            return std::vector<Contour>(r.contours().begin(), r.contours().end());
          },
          doc("planar::Region::contours"))
      .def_property_readonly("mass", &Region::mass, py::return_value_policy::copy)
      .def_property_readonly("bounding_radius", &Region::bounding_radius,
                             doc("planar::Region::bounding_radius"))
      .def(
          "interior_is_right",
          [](const Region& r, std::size_t k) {
            if (k >= r.contours().size()) throw py::index_error("k");
            return r.interior_is_right(k);
          },
          py::arg("k"), doc("planar::Region::interior_is_right"))
      .def("__repr__",
           [](const Region& r) {
             return "Region(" + std::to_string(r.contours()[0].points().size()) + " points, " +
                    std::to_string(r.contours().size() - 1) + " holes)";
           })
      .def("__reduce__", [](const Region& r) {
        py::list holes;
        for (const Contour& c : r.contours().subspan(1)) holes.append(py::cast(c.points()));
        return py::make_tuple(py::type::of<Region>(),
                              py::make_tuple(r.contours()[0].points(), holes));
      });
}

void add_queries_of_pairs(py::module_& m) {
  m.def(
      "distance",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarShape& b,
         const PlanarPoseLike& pose_b, planar::PlanarCache* cache) {
        if (cache != nullptr && std::holds_alternative<Region>(a) &&
            std::holds_alternative<Region>(b))
          return planar::distance(std::get<Region>(a), planar_pose_from(pose_a, "pose_a"),
                                  std::get<Region>(b), planar_pose_from(pose_b, "pose_b"), cache);
        return asked(placed(a, pose_a, "pose_a"), placed(b, pose_b, "pose_b"),
                     [](const auto& x, const Pose2& px, const auto& y, const Pose2& py_,
                        bool kept) -> decltype(planar::distance(x, px, y, py_)) {
                       const auto r = planar::distance(x, px, y, py_);
                       return kept ? r : planar::swapped(r);
                     });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"),
      py::arg("cache") = py::none(), doc("planar::distance"));
  m.def(
      "overlap",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarShape& b,
         const PlanarPoseLike& pose_b) {
        return asked(placed(a, pose_a, "pose_a"), placed(b, pose_b, "pose_b"),
                     [](const auto& x, const Pose2& px, const auto& y, const Pose2& py_,
                        bool) -> decltype(planar::overlap(x, px, y, py_)) {
                       return planar::overlap(x, px, y, py_);
                     });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), doc("planar::overlap"));
  m.def(
      "contacts",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarShape& b,
         const PlanarPoseLike& pose_b, double margin) {
        return asked(placed(a, pose_a, "pose_a"), placed(b, pose_b, "pose_b"),
                     [&](const auto& x, const Pose2& px, const auto& y, const Pose2& py_, bool kept)
                         -> std::enable_if_t<
                             std::is_void_v<decltype(planar::contacts(
                                 x, px, y, py_, std::declval<planar::PlanarContacts&>(), margin))>,
                             std::vector<planar::PlanarContact>> {
                       planar::PlanarContacts out;
                       planar::contacts(x, px, y, py_, out, margin);
                       std::vector<planar::PlanarContact> list(out.all().begin(), out.all().end());
                       if (!kept)
                         for (planar::PlanarContact& c : list) c = planar::swapped(c);
                       return list;
                     });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("margin") = 0.0,
      doc("planar::contacts"));
  m.def(
      "cast",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarMotion& motion_a,
         const PlanarShape& b, const PlanarPoseLike& pose_b, const PlanarMotion& motion_b) {
        return asked(placed(a, pose_a, "pose_a"), placed(b, pose_b, "pose_b"),
                     [&](const auto& x, const Pose2& px, const auto& y, const Pose2& py_,
                         bool kept) -> decltype(planar::cast(x, px, motion_a, y, py_, motion_b)) {
                       const auto r = planar::cast(x, px, kept ? motion_a : motion_b, y, py_,
                                                   kept ? motion_b : motion_a);
                       return kept ? r : planar::swapped(r);
                     });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("motion_a"), py::arg("b"), py::arg("pose_b"),
      py::arg("motion_b"), doc("planar::cast"));
}

void add_touches(py::module_& m) {
  m.def(
      "touches",
      [](const Circle& circle, const PlanarPoseLike& pose_circle, const PlanarShape& other,
         const PlanarPoseLike& pose, double margin) {
        std::vector<planar::Touch> out;
        const Pose2 from = planar_pose_from(pose_circle, "pose_circle"),
                    to = planar_pose_from(pose, "pose");
        if (const auto* region = std::get_if<Region>(&other)) {
          planar::touches(circle, from, *region, to, out, margin);
        } else if (const auto* contour = std::get_if<Contour>(&other)) {
          planar::touches(circle, from, *contour, to, out, margin);
        } else {
          throw InvalidInput("other", "must be a Contour or a Region");
        }
        return out;
      },
      py::arg("circle"), py::arg("pose_circle"), py::arg("other"), py::arg("pose"),
      py::arg("margin") = 0.0, doc("planar::touches"));
  m.def("swapped", py::overload_cast<const PlanarCast&>(&planar::swapped), py::arg("result"),
        doc("planar::swapped"));
  m.def("swapped", py::overload_cast<const planar::PlanarResult&>(&planar::swapped),
        py::arg("result"));
  m.def("swapped", py::overload_cast<const planar::PlanarContact&>(&planar::swapped),
        py::arg("contact"));
  m.def(
      "pose_at",
      [](const PlanarPoseLike& pose, const PlanarMotion& motion, double time) {
        return planar::pose_at(planar_pose_from(pose, "pose"), motion, time);
      },
      py::arg("pose"), py::arg("motion"), py::arg("time"), doc("planar::pose_at"));
  m.def(
      "advance",
      [](planar::Ball& ball, const std::vector<planar::PlacedContour>& contours, double dt,
         const planar::BallSettings& settings) {
        for (std::size_t i = 0; i < contours.size(); ++i)
          if (contours[i].contour == nullptr)
            throw InvalidInput("contours[" + std::to_string(i) + "].contour", "is missing");
        std::vector<planar::Bounce> bounces;
        const Status status = planar::advance(ball, contours, dt, settings, &bounces);
        return py::make_tuple(status, bounces);
      },
      py::arg("ball"), py::arg("contours"), py::arg("dt"),
      py::arg("settings") = planar::BallSettings(),
      (std::string(doc("planar::advance")) + "\n\nGives the status and the bounces.").c_str());
}

/// A room for contacts that is used again and again.
void add_room(py::module_&) {
  class_of<planar::PlanarContacts>()
      .def(py::init<>())
      .def_property_readonly("all",
                             [](const planar::PlanarContacts& c) {
                               return std::vector<planar::PlanarContact>(c.all().begin(),
                                                                         c.all().end());
                             })
      .def_property_readonly("stretches", &planar::PlanarContacts::stretches)
      .def_property_readonly("status", &planar::PlanarContacts::status,
                             doc("planar::PlanarContacts::status"))
      .def("__len__", [](const planar::PlanarContacts& c) { return c.all().size(); });
}

/// Points into the items of `list`, which must live as long.
std::vector<planar::PlacedRegion> regions_from(const py::tuple& list) {
  std::vector<planar::PlacedRegion> regions;
  for (const py::handle one : list) {
    const std::string name = "regions[" + std::to_string(regions.size()) + "]";
    planar::PlacedRegion placed;
    if (py::isinstance<planar::PlacedRegion>(one)) {
      placed = one.cast<planar::PlacedRegion>();
    } else if (py::isinstance<py::tuple>(one) && py::len(one) == 2) {
      const auto pair = py::reinterpret_borrow<py::tuple>(one);
      if (py::isinstance<Region>(pair[0]))
        placed = {py::object(pair[0]).cast<const Region*>(),
                  planar_pose_from(pair[1], (name + ".pose").c_str())};
    }
    if (placed.region == nullptr) throw InvalidInput(name, "must be a pair of region and pose");
    regions.push_back(placed);
  }
  return regions;
}

std::vector<planar::PlanarPair> pairs_from(const ArrayLike& value) {
  std::vector<planar::PlanarPair> pairs;
  for (const auto& [a, b] : list_from<std::array<std::uint64_t, 2>>(value, "pairs"))
    pairs.push_back({a, b});
  return pairs;
}

void add_batches_of_regions(py::module_& m) {
  m.def(
      "distances",
      [](const py::sequence& regions, const ArrayLike& pairs, int max_threads) {
        const py::tuple held(regions);
        const auto bodies = regions_from(held);
        const auto list = pairs_from(pairs);
        std::vector<planar::PlanarResult> out(list.size());
        released([&] { planar::distance(bodies, list, out, {}, max_threads); });
        return structures(std::span<const planar::PlanarResult>(out));
      },
      py::arg("regions"), py::arg("pairs"), py::arg("max_threads") = 0,
      "Signed distances of many pairs of regions: a structured array with the fields of "
      "PlanarResult.\n"
      "`regions`: pairs of region and pose; `pairs`: an array (m, 2) of places among them.");
  m.def(
      "contacts_of_pairs",
      [](const py::sequence& regions, const ArrayLike& pairs, double margin, int max_threads) {
        const py::tuple held(regions);
        const auto bodies = regions_from(held);
        const auto list = pairs_from(pairs);
        std::vector<planar::PlanarContacts> out(list.size());
        released([&] { planar::contacts(bodies, list, out, margin, max_threads); });
        py::list all;
        for (const auto& one : out)
          all.append(std::vector<planar::PlanarContact>(one.all().begin(), one.all().end()));
        return all;
      },
      py::arg("regions"), py::arg("pairs"), py::arg("margin") = 0.0, py::arg("max_threads") = 0,
      "`contacts` of many pairs of regions: a list for each.");
  m.def(
      "touches_of_circles",
      [](const std::vector<planar::PlacedCircle>& circles, const PlanarShape& other,
         const PlanarPoseLike& pose, double margin, int max_threads) {
        const Pose2 place = planar_pose_from(pose, "pose");
        std::vector<std::vector<planar::Touch>> out(circles.size());
        if (const auto* region = std::get_if<Region>(&other)) {
          released([&] { planar::touches(circles, *region, place, out, margin, max_threads); });
        } else if (const auto* contour = std::get_if<Contour>(&other)) {
          released([&] { planar::touches(circles, *contour, place, out, margin, max_threads); });
        } else {
          throw InvalidInput("other", "must be a Contour or a Region");
        }
        return out;
      },
      py::arg("circles"), py::arg("other"), py::arg("pose"), py::arg("margin") = 0.0,
      py::arg("max_threads") = 0,
      "`touches` of many circles with one contour or region: a list for each.");
}

void add_checks_in_plane(py::module_& m) {
  m.def(
      "check",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarShape& b,
         const PlanarPoseLike& pose_b, const planar::PlanarResult& result) {
        return planar::check(a, planar_pose_from(pose_a, "pose_a"), b,
                             planar_pose_from(pose_b, "pose_b"), result);
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("result"),
      doc("planar::check"));
  m.def(
      "check",
      [](const Circle& circle, const PlanarPoseLike& pose_circle, const PlanarShape& other,
         const PlanarPoseLike& pose, const std::vector<planar::Touch>& touches, double margin) {
        return planar::check(circle, planar_pose_from(pose_circle, "pose_circle"), other,
                             planar_pose_from(pose, "pose"), touches, margin);
      },
      py::arg("circle"), py::arg("pose_circle"), py::arg("other"), py::arg("pose"),
      py::arg("touches"), py::arg("margin"));
  m.def(
      "check",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarMotion& motion_a,
         const PlanarShape& b, const PlanarPoseLike& pose_b, const PlanarMotion& motion_b,
         const PlanarCast& result) {
        return planar::check(a, planar_pose_from(pose_a, "pose_a"), motion_a, b,
                             planar_pose_from(pose_b, "pose_b"), motion_b, result);
      },
      py::arg("a"), py::arg("pose_a"), py::arg("motion_a"), py::arg("b"), py::arg("pose_b"),
      py::arg("motion_b"), py::arg("result"));
  m.def(
      "check_overlap",
      [](const PlanarShape& a, const PlanarPoseLike& pose_a, const PlanarShape& b,
         const PlanarPoseLike& pose_b, bool overlap) {
        return planar::check_overlap(a, planar_pose_from(pose_a, "pose_a"), b,
                                     planar_pose_from(pose_b, "pose_b"), overlap);
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("overlap"),
      doc("planar::check_overlap"));
}

}  // namespace

void add_planar(py::module_& m) {
  py::module_ plane = m.attr("planar");
  plane.doc() = "The plane: circles, contours, regions; touches, distance, depth, contacts, casts.";
  add_poses(plane);
  add_things(plane);
  add_room(plane);
  method<planar::PlanarOverlap>(
      "__bool__", [](const planar::PlanarOverlap& o) { return static_cast<bool>(o); });
  py::type::of<planar::PlanarCache>().attr("kUnknown") = planar::PlanarCache::kUnknown;
  add_queries_of_pairs(plane);
  add_touches(plane);
  add_batches_of_regions(plane);
  add_checks_in_plane(plane);
}

}  // namespace tactus::python
