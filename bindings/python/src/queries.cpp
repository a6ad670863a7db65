#include <cstdio>

#include "classes.hpp"

namespace tactus::python {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

std::string text_of(const DistanceResult& r) {
  return "DistanceResult(distance=" + number(r.distance) + ", lower=" + number(r.lower) +
         ", upper=" + number(r.upper) + ", status=" + std::string(to_string(r.status)) + ")";
}

std::string text_of(const CastResult& r) {
  return "CastResult(hit=" + std::string(to_string(r.hit)) + ", time=" + number(r.time) +
         ", time_upper=" + number(r.time_upper) + ")";
}

/// Puts a copy into the place of a list that holds for a call alone.
template <class T>
void copy_list(std::span<const T>& list, std::vector<py::object>& copies) {
  const py::array copy = list_array(list);
  list = view_of<T>(copy, "list");
  copies.push_back(copy);
}

/// Tells a Python observer, unless it has failed before. `lists`: those of the event, which Python
/// keeps copies of.
template <class Event, class... T>
void tell(const Observer* observer, const char* name, Event event,
          std::span<const T> Event::*... lists) {
  const py::gil_scoped_acquire hold;
  try {
    const py::function function = py::get_override(observer, name);
    if (!function) return;
    std::vector<py::object> copies;
    (copy_list(event.*lists, copies), ...);
    const py::object told = py::cast(event, py::return_value_policy::copy);
    for (const py::object& copy : copies) py::detail::keep_alive_impl(told, copy);
    function(told);
  } catch (py::error_already_set& error) {
    keep_error(error);
  }
}

/// The points that there are, whatever Python wrote for their number.
std::vector<ContactPoint> points_of(const Manifold& k) {
  return {k.points.begin(), k.points.begin() + std::clamp(k.count, 0, Manifold::kCapacity)};
}

void add_results() {
  method<DistanceResult>("__float__", [](const DistanceResult& r) { return r.distance; });
  method<DistanceResult>("__repr__", py::overload_cast<const DistanceResult&>(&text_of));
  method<OverlapResult>("__bool__", [](const OverlapResult& r) {
    if (r.overlap == Overlap::undecided)
      throw InvalidInput("overlap",
                         "is undecided: the bodies touch within rounding; look at overlap "
                         "and proof");
    return r.overlap == Overlap::yes;
  });
  method<OverlapResult>("__repr__", [](const OverlapResult& r) {
    return "OverlapResult(" + std::string(to_string(r.overlap)) + ")";
  });
  method<CastResult>("__repr__", py::overload_cast<const CastResult&>(&text_of));
  py::type::of<Manifold>().attr("kCapacity") = Manifold::kCapacity;
  method<Manifold>(
      "span", [](const Manifold& k) { return points_of(k); }, "The points that there are.");
  property<Manifold>(
      "points", [](const Manifold& k) { return points_of(k); },
      "The points that there are: a list.");
  method<Manifold>("__repr__", [](const Manifold& k) {
    return "Manifold(" + std::to_string(k.count) + " points)";
  });
}

void add_requests(py::module_& m) {
  const auto bytes_of = [](const QueryCache& c) { return py::bytes(c.to_bytes()); };
  const auto cache_of = [](const py::bytes& bytes) {
    return QueryCache::from_bytes(static_cast<std::string>(bytes));
  };
  class_of<QueryCache>()
      .def(py::init<>())
      .def_property_readonly("empty", &QueryCache::empty, doc("QueryCache::empty"))
      .def("to_bytes", bytes_of, doc("QueryCache::to_bytes"))
      .def_static("from_bytes", cache_of, py::arg("bytes"), doc("QueryCache::from_bytes"))
      .def(
          "__eq__", [](const QueryCache& x, const QueryCache& y) { return x == y; },
          py::is_operator())
      .def("__repr__",
           [](const QueryCache& c) {
             return c.empty() ? std::string("QueryCache()")
                              : "QueryCache(" + std::to_string(c.to_bytes().size()) + " bytes)";
           })
      .def(py::pickle(bytes_of, cache_of));
  method<Certificate>("clear", &Certificate::clear, doc("Certificate::clear"));
  m.def("swap_roles", py::overload_cast<Certificate&>(&swap_roles), py::arg("certificate"),
        doc("swap_roles"));
  m.def("swap_roles", py::overload_cast<Certificate::Cover&>(&swap_roles), py::arg("cover"));
  class_of<Observer, PythonObserver>()
      .def(py::init<>())
      .def("simplex", &Observer::simplex, py::arg("event"))
      .def("segment", &Observer::segment, py::arg("event"))
      .def("plane", &Observer::plane, py::arg("event"))
      .def("cap", &Observer::cap, py::arg("event"))
      .def("ray", &Observer::ray, py::arg("event"))
      .def("polytope", &Observer::polytope, py::arg("event"));
  py::list methods;
  for (const Method method : kMethods) methods.append(py::cast(method));
  m.attr("kMethods") = py::tuple(methods);
}

const QueryOptions& options_or_default(const QueryOptions* options) {
  static const QueryOptions usual;
  return options != nullptr ? *options : usual;
}

/// The patches of a pair, however many there are.
std::vector<Manifold> all_patches(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const QueryOptions& options,
                                  QueryCache* cache, ContactsResult& result) {
  std::vector<Manifold> patches(4);
  for (;;) {
    result = contacts(a, pose_a, b, pose_b, patches, options, cache);
    if (!result.truncated) {
      patches.resize(static_cast<std::size_t>(result.manifolds));
      return patches;
    }
    patches.resize(4 * patches.size());
  }
}

}  // namespace

void PythonObserver::simplex(const SimplexEvent& event) {
  tell(this, "simplex", event, &SimplexEvent::points);
}
void PythonObserver::segment(const SegmentEvent& event) {
  tell(this, "segment", event, &SegmentEvent::feature_a, &SegmentEvent::feature_b);
}
void PythonObserver::polytope(const PolytopeEvent& event) {
  tell(this, "polytope", event, &PolytopeEvent::points, &PolytopeEvent::faces);
}
void PythonObserver::plane(const PlaneEvent& event) { tell(this, "plane", event); }
void PythonObserver::cap(const CapEvent& event) { tell(this, "cap", event); }
void PythonObserver::ray(const RayEvent& event) { tell(this, "ray", event); }

namespace {

void add_rest_queries(py::module_& m) {
  const auto first = py::arg("a"), first_pose = py::arg("pose_a"), second = py::arg("b"),
             second_pose = py::arg("pose_b");
  const auto options = [] { return py::arg("options") = py::none(); };
  const auto cache = [] { return py::arg("cache") = py::none(); };
  m.def(
      "distance",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         const QueryOptions* o, QueryCache* c) {
        return heard([&] {
          return distance(ShapeArgument(a, "a").get(), PoseArgument(pose_a, "pose_a").get(),
                          ShapeArgument(b, "b").get(), PoseArgument(pose_b, "pose_b").get(),
                          options_or_default(o), c);
        });
      },
      first, first_pose, second, second_pose, options(), cache(), doc("distance"));
  m.def(
      "overlap",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         const QueryOptions* o, QueryCache* c) {
        return heard([&] {
          return overlap(ShapeArgument(a, "a").get(), PoseArgument(pose_a, "pose_a").get(),
                         ShapeArgument(b, "b").get(), PoseArgument(pose_b, "pose_b").get(),
                         options_or_default(o), c);
        });
      },
      first, first_pose, second, second_pose, options(), cache(), doc("overlap"));
  m.def(
      "contacts",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         const QueryOptions* o, QueryCache* c, bool with_distance) -> py::object {
        ContactsResult result;
        const auto patches = heard([&] {
          return all_patches(ShapeArgument(a, "a").get(), PoseArgument(pose_a, "pose_a").get(),
                             ShapeArgument(b, "b").get(), PoseArgument(pose_b, "pose_b").get(),
                             options_or_default(o), c, result);
        });
        if (with_distance) return py::make_tuple(result, patches);
        return py::cast(patches);
      },
      first, first_pose, second, second_pose, options(), cache(), py::kw_only(),
      py::arg("with_distance") = false,
      (std::string(doc("contacts")) + "\n\nGives all patches as a list; `with_distance`: the pair "
                                      "of ContactsResult and patches, as\n`check` takes "
                                      "them.")
          .c_str());
  // Options field by field: after the others, which a call with none of them meets first.
  const std::string by_keyword = "Options: the fields of QueryOptions by keyword.";
  m.def(
      "distance",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         QueryCache* c, const py::kwargs& named) {
        return heard([&] {
          return distance(ShapeArgument(a, "a").get(), PoseArgument(pose_a, "pose_a").get(),
                          ShapeArgument(b, "b").get(), PoseArgument(pose_b, "pose_b").get(),
                          value_from<QueryOptions>(py::args(), named), c);
        });
      },
      first, first_pose, second, second_pose, cache(), by_keyword.c_str());
  m.def(
      "overlap",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         QueryCache* c, const py::kwargs& named) {
        return heard([&] {
          return overlap(ShapeArgument(a, "a").get(), PoseArgument(pose_a, "pose_a").get(),
                         ShapeArgument(b, "b").get(), PoseArgument(pose_b, "pose_b").get(),
                         value_from<QueryOptions>(py::args(), named), c);
        });
      },
      first, first_pose, second, second_pose, cache(), by_keyword.c_str());
  m.def(
      "swept_overlap",
      [](const ShapeLike& a, const PoseLike& a0, const PoseLike& a1, const ShapeLike& b,
         const PoseLike& b0, const PoseLike& b1) {
        return heard([&] {
          return swept_overlap(ShapeArgument(a, "a").get(), pose_from(a0, "pose_a_t0"),
                               pose_from(a1, "pose_a_t1"), ShapeArgument(b, "b").get(),
                               pose_from(b0, "pose_b_t0"), pose_from(b1, "pose_b_t1"));
        });
      },
      first, py::arg("pose_a_t0"), py::arg("pose_a_t1"), second, py::arg("pose_b_t0"),
      py::arg("pose_b_t1"), doc("swept_overlap"));
  m.def(
      "ray_cast",
      [](const ShapeLike& shape, const PoseLike& pose, const Vec3& origin, const Vec3& direction,
         double max_t, const QueryOptions* o) {
        return heard([&] {
          return ray_cast(ShapeArgument(shape, "shape").get(), PoseArgument(pose, "pose").get(),
                          origin, direction, max_t, options_or_default(o));
        });
      },
      py::arg("shape"), py::arg("pose"), py::arg("origin"), py::arg("direction"),
      py::arg("max_t") = std::numeric_limits<double>::infinity(), options(), doc("ray_cast"));
}

/// The function of pybind11, for what the short way does not serve.
PyObject* full_distance = nullptr;

/// `distance` of two Shapes with arguments by their order, as the interpreter hands them on:
/// pybind11 takes a microsecond for the same. Everything else goes the usual way.
PyObject* short_distance(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  try {
    const auto is_given = [&](Py_ssize_t i) { return i < count && given[i] != Py_None; };
    const bool fits = names == nullptr && count >= 4 && count <= 6;
    const Shape* const a = fits ? held<Shape>(given[0]) : nullptr;
    const Shape* const b = fits ? held<Shape>(given[2]) : nullptr;
    const auto* const options = fits && is_given(4) ? held<QueryOptions>(given[4]) : nullptr;
    auto* const cache = fits && is_given(5) ? held<QueryCache>(given[5]) : nullptr;
    const bool known = (options != nullptr || !is_given(4)) && (cache != nullptr || !is_given(5));
    if (a != nullptr && b != nullptr && known) {
      const PoseArgument pose_a(given[1], "pose_a"), pose_b(given[3], "pose_b");
      const DistanceResult result = heard([&] {
        return distance(*a, pose_a.get(), *b, pose_b.get(), options_or_default(options), cache);
      });
      return new_object(result).release().ptr();
    }
    return PyObject_Vectorcall(full_distance, given, static_cast<std::size_t>(count), names);
  } catch (...) {
    set_error_of(std::current_exception());
    return nullptr;
  }
}

void shorten_distance(py::module_& m) {
  // Both live to the end.
  full_distance = py::object(m.attr("distance")).release().ptr();
  static PyMethodDef short_way{"distance", nullptr, METH_FASTCALL | METH_KEYWORDS, nullptr};
  short_way.ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&short_distance));
  short_way.ml_doc =
      PyUnicode_AsUTF8(py::object(m.attr("distance").attr("__doc__")).release().ptr());
  m.attr("distance") = py::reinterpret_steal<py::object>(
      PyCFunction_NewEx(&short_way, nullptr, py::str("tactus").release().ptr()));
}

template <class Motion>
using MovingQuery = CastResult (*)(const Shape&, const Pose&, const Motion&, const Shape&,
                                   const Pose&, const Motion&, const QueryOptions&,
                                   QueryCache*) noexcept;
template <class Motion>
void add_moving(py::module_& m, const char* name, MovingQuery<Motion> query) {
  m.def(
      name,
      [query](const ShapeLike& a, const PoseLike& pose_a, const Motion& motion_a,
              const ShapeLike& b, const PoseLike& pose_b, const Motion& motion_b,
              const QueryOptions* o, QueryCache* c) {
        return heard([&] {
          return query(ShapeArgument(a, "a").get(), PoseArgument(pose_a, "pose_a").get(), motion_a,
                       ShapeArgument(b, "b").get(), PoseArgument(pose_b, "pose_b").get(), motion_b,
                       options_or_default(o), c);
        });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("motion_a"), py::arg("b"), py::arg("pose_b"),
      py::arg("motion_b"), py::arg("options") = py::none(), py::arg("cache") = py::none(),
      doc(name));
}

}  // namespace

void add_queries(py::module_& m) {
  add_requests(m);
  add_results();
  add_rest_queries(m);
  shorten_distance(m);
  add_moving<Vec3>(m, "cast", &cast);
  add_moving<RigidMotion>(m, "impact", &impact);
}

namespace {

/// The claims of an answer about two bodies that move by `Motion`.
template <class Motion>
void add_check_of_motion(py::module_& m) {
  m.def(
      "check",
      [](const ShapeLike& a, const PoseLike& pose_a, const Motion& motion_a, const ShapeLike& b,
         const PoseLike& pose_b, const Motion& motion_b, const CastResult& result,
         const Certificate* certificate) {
        return heard([&] {
          return check(ShapeArgument(a, "a").get(), pose_from(pose_a, "pose_a"), motion_a,
                       ShapeArgument(b, "b").get(), pose_from(pose_b, "pose_b"), motion_b, result,
                       certificate);
        });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("motion_a"), py::arg("b"), py::arg("pose_b"),
      py::arg("motion_b"), py::arg("result"), py::arg("certificate") = py::none());
}

template <class Result>
void add_check(py::module_& m, const char* text) {
  m.def(
      "check",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         const Result& result, const Certificate* certificate) {
        return heard([&] {
          return check(ShapeArgument(a, "a").get(), pose_from(pose_a, "pose_a"),
                       ShapeArgument(b, "b").get(), pose_from(pose_b, "pose_b"), result,
                       certificate);
        });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("result"),
      py::arg("certificate") = py::none(), text);
}

}  // namespace

void add_checks(py::module_& m) {
  m.attr("kClaims") = kClaims;
  property<CheckReport>("refuted", &CheckReport::refuted, "Some claim is false.");
  method<CheckReport>(
      "__getitem__", [](const CheckReport& r, Claim claim) { return r[claim]; }, py::arg("claim"));
  method<CheckReport>("__bool__", [](const CheckReport& r) { return r.ok; });
  method<CheckReport>("__repr__", [](const CheckReport& r) {
    return r.ok ? std::string("CheckReport(ok)") : "CheckReport(" + r.failure + ")";
  });
  add_check<DistanceResult>(m, doc("check"));
  add_check<OverlapResult>(m, "");
  m.def(
      "check",
      [](const ShapeLike& a, const PoseLike& pose_a, const ShapeLike& b, const PoseLike& pose_b,
         const ContactsResult& result, const std::vector<Manifold>& manifolds, double margin,
         const Certificate* certificate) {
        for (std::size_t i = 0; i < manifolds.size(); ++i)
          if (manifolds[i].count < 0 || manifolds[i].count > Manifold::kCapacity)
            throw InvalidInput("manifolds[" + std::to_string(i) + "].count", "is out of range");
        return heard([&] {
          return check(ShapeArgument(a, "a").get(), pose_from(pose_a, "pose_a"),
                       ShapeArgument(b, "b").get(), pose_from(pose_b, "pose_b"), result, manifolds,
                       margin, certificate);
        });
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("result"),
      py::arg("manifolds"), py::arg("margin"), py::arg("certificate") = py::none());
  add_check_of_motion<RigidMotion>(m);
  add_check_of_motion<Vec3>(m);
}

}  // namespace tactus::python
