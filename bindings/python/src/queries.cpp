#include <cstdio>

#include "convert.hpp"

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

/// Options as keyword arguments, for calls that need few.
struct Asked {
  QueryOptions options;
  QueryCache* cache = nullptr;
};

Asked asked(const QueryOptions* options, QueryCache* cache) {
  return {options != nullptr ? *options : QueryOptions(), cache};
}

void add_results(py::module_& m) {
  py::class_<DistanceResult>(m, "DistanceResult", doc("DistanceResult"))
      .def_readonly("distance", &DistanceResult::distance)
      .def_readonly("lower", &DistanceResult::lower)
      .def_readonly("upper", &DistanceResult::upper)
      .def_property_readonly("normal", [](const DistanceResult& r) { return r.normal; })
      .def_property_readonly("point_a", [](const DistanceResult& r) { return r.point_a; })
      .def_property_readonly("point_b", [](const DistanceResult& r) { return r.point_b; })
      .def_readonly("status", &DistanceResult::status)
      .def_readonly("method", &DistanceResult::method)
      .def_readonly("unique", &DistanceResult::unique)
      .def_readonly("of_unions", &DistanceResult::of_unions)
      .def_readonly("iterations", &DistanceResult::iterations)
      .def_readonly("part_a", &DistanceResult::part_a)
      .def_readonly("part_b", &DistanceResult::part_b)
      .def_readonly("triangle_a", &DistanceResult::triangle_a)
      .def_readonly("triangle_b", &DistanceResult::triangle_b)
      .def("__float__", [](const DistanceResult& r) { return r.distance; })
      .def("__repr__", [](const DistanceResult& r) { return text_of(r); });
  py::class_<OverlapResult>(m, "OverlapResult", doc("OverlapResult"))
      .def_readonly("overlap", &OverlapResult::overlap)
      .def_readonly("proof", &OverlapResult::proof)
      .def("__bool__",
           [](const OverlapResult& r) {
             if (r.overlap == Overlap::undecided)
               throw InvalidInput("overlap", "is undecided: the bodies touch within rounding; look at "
                                             "overlap and proof");
             return r.overlap == Overlap::yes;
           })
      .def("__repr__", [](const OverlapResult& r) {
        return "OverlapResult(" + std::string(to_string(r.overlap)) + ")";
      });
  py::class_<CastResult>(m, "CastResult", doc("CastResult"))
      .def_readonly("hit", &CastResult::hit)
      .def_readonly("time", &CastResult::time)
      .def_readonly("time_upper", &CastResult::time_upper)
      .def_readonly("distance", &CastResult::distance)
      .def_property_readonly("normal", [](const CastResult& r) { return r.normal; })
      .def_property_readonly("point_a", [](const CastResult& r) { return r.point_a; })
      .def_property_readonly("point_b", [](const CastResult& r) { return r.point_b; })
      .def_readonly("status", &CastResult::status)
      .def_readonly("method", &CastResult::method)
      .def_readonly("unique", &CastResult::unique)
      .def_readonly("iterations", &CastResult::iterations)
      .def_readonly("part_a", &CastResult::part_a)
      .def_readonly("part_b", &CastResult::part_b)
      .def("__repr__", [](const CastResult& r) { return text_of(r); });
  py::class_<ContactPoint>(m, "ContactPoint", doc("ContactPoint"))
      .def_property_readonly("point_a", [](const ContactPoint& p) { return p.point_a; })
      .def_property_readonly("point_b", [](const ContactPoint& p) { return p.point_b; })
      .def_readonly("depth", &ContactPoint::depth)
      .def_readonly("feature", &ContactPoint::feature);
  py::class_<Manifold>(m, "Manifold", doc("Manifold"))
      .def_property_readonly("normal", [](const Manifold& k) { return k.normal; })
      .def_property_readonly("points",
                             [](const Manifold& k) {
                               return std::vector<ContactPoint>(k.span().begin(), k.span().end());
                             })
      .def_readonly("part_a", &Manifold::part_a)
      .def_readonly("part_b", &Manifold::part_b)
      .def("__repr__", [](const Manifold& k) {
        return "Manifold(" + std::to_string(k.count) + " points)";
      });
}

void add_requests(py::module_& m) {
  py::class_<QueryCache>(m, "QueryCache", doc("QueryCache"))
      .def(py::init<>())
      .def_property_readonly("empty", &QueryCache::empty)
      .def("to_bytes", [](const QueryCache& c) { return py::bytes(c.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) {
                    return QueryCache::from_bytes(static_cast<std::string>(bytes));
                  })
      .def(py::pickle([](const QueryCache& c) { return py::bytes(c.to_bytes()); },
                      [](const py::bytes& bytes) {
                        return QueryCache::from_bytes(static_cast<std::string>(bytes));
                      }));
  py::class_<Certificate>(m, "Certificate", doc("Certificate"))
      .def(py::init<>())
      .def_readonly("kind", &Certificate::kind)
      .def("clear", &Certificate::clear);
  py::class_<Derivatives>(m, "Derivatives", doc("Derivatives"))
      .def(py::init<>())
      .def_property_readonly("linear_a", [](const Derivatives& d) { return d.linear_a; })
      .def_property_readonly("angular_a", [](const Derivatives& d) { return d.angular_a; })
      .def_property_readonly("linear_b", [](const Derivatives& d) { return d.linear_b; })
      .def_property_readonly("angular_b", [](const Derivatives& d) { return d.angular_b; })
      .def_readonly("smooth", &Derivatives::smooth);
  // What the options point to lives as long as they do.
  py::class_<QueryOptions>(m, "QueryOptions", doc("QueryOptions"))
      .def(py::init([](Method method, double tolerance, double max_distance, double margin,
                       bool signed_distance, bool union_depth, int max_iterations,
                       Certificate* certificate, Derivatives* derivatives,
                       Derivatives* motion_derivatives) {
             QueryOptions o;
             o.method = method;
             o.tolerance = tolerance;
             o.max_distance = max_distance;
             o.margin = margin;
             o.signed_distance = signed_distance;
             o.union_depth = union_depth;
             o.max_iterations = max_iterations;
             o.certificate = certificate;
             o.derivatives = derivatives;
             o.motion_derivatives = motion_derivatives;
             return o;
           }),
           py::kw_only(), py::arg("method") = Method::automatic, py::arg("tolerance") = 1e-8,
           py::arg("max_distance") = std::numeric_limits<double>::infinity(),
           py::arg("margin") = 0.0, py::arg("signed_distance") = true,
           py::arg("union_depth") = false, py::arg("max_iterations") = 1000,
           py::arg("certificate") = py::none(), py::arg("derivatives") = py::none(),
           py::arg("motion_derivatives") = py::none(), py::keep_alive<1, 9>(),
           py::keep_alive<1, 10>(), py::keep_alive<1, 11>())
      .def_readwrite("method", &QueryOptions::method)
      .def_readwrite("tolerance", &QueryOptions::tolerance)
      .def_readwrite("max_distance", &QueryOptions::max_distance)
      .def_readwrite("margin", &QueryOptions::margin)
      .def_readwrite("signed_distance", &QueryOptions::signed_distance)
      .def_readwrite("union_depth", &QueryOptions::union_depth)
      .def_readwrite("max_iterations", &QueryOptions::max_iterations);
}

void add_checks(py::module_& m) {
  add_enum<Proof>(m, "Proof");
  add_enum<Claim>(m, "Claim");
  py::class_<CheckReport>(m, "CheckReport", doc("CheckReport"))
      .def_readonly("ok", &CheckReport::ok)
      .def_readonly("failure", &CheckReport::failure)
      .def_property_readonly("refuted", &CheckReport::refuted)
      .def("__getitem__", [](const CheckReport& r, Claim claim) { return r[claim]; })
      .def("__bool__", [](const CheckReport& r) { return r.ok; })
      .def("__repr__", [](const CheckReport& r) {
        return r.ok ? std::string("CheckReport(ok)") : "CheckReport(" + r.failure + ")";
      });
  m.def("check",
        [](const ShapeArgument& a, const PoseArgument& pose_a, const ShapeArgument& b,
           const PoseArgument& pose_b, const DistanceResult& result,
           const Certificate* certificate) {
          return check(a.get(), pose_a.pose, b.get(), pose_b.pose, result, certificate);
        },
        py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), py::arg("result"),
        py::arg("certificate") = py::none(), doc("check"));
}

}  // namespace

void add_queries(py::module_& m) {
  add_enum<Status>(m, "Status");
  add_enum<Method>(m, "Method");
  add_enum<Overlap>(m, "Overlap");
  add_enum<CertificateKind>(m, "CertificateKind");
  add_requests(m);
  add_results(m);
  add_checks(m);

  const auto options = [] { return py::arg("options") = py::none(); };
  const auto cache = [] { return py::arg("cache") = py::none(); };
  m.def("distance",
        [](const ShapeArgument& a, const PoseArgument& pose_a, const ShapeArgument& b,
           const PoseArgument& pose_b, const QueryOptions* o, QueryCache* c) {
          const Asked q = asked(o, c);
          return distance(a.get(), pose_a.pose, b.get(), pose_b.pose, q.options, q.cache);
        },
        py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), options(), cache(),
        doc("distance"));
  m.def("overlap",
        [](const ShapeArgument& a, const PoseArgument& pose_a, const ShapeArgument& b,
           const PoseArgument& pose_b, const QueryOptions* o, QueryCache* c) {
          const Asked q = asked(o, c);
          return overlap(a.get(), pose_a.pose, b.get(), pose_b.pose, q.options, q.cache);
        },
        py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), options(), cache(),
        doc("overlap"));
  m.def("contacts",
        [](const ShapeArgument& a, const PoseArgument& pose_a, const ShapeArgument& b,
           const PoseArgument& pose_b, const QueryOptions* o, QueryCache* c) {
          const Asked q = asked(o, c);
          std::vector<Manifold> patches(4);
          for (;;) {
            const ContactsResult r = contacts(a.get(), pose_a.pose, b.get(), pose_b.pose, patches,
                                              q.options, q.cache);
            if (r.truncated) {
              patches.resize(4 * patches.size());
              continue;
            }
            patches.resize(static_cast<std::size_t>(r.manifolds));
            return patches;
          }
        },
        py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), options(), cache(),
        doc("contacts"));
  m.def("cast",
        [](const ShapeArgument& a, const PoseArgument& pose_a, const Vec3& motion_a,
           const ShapeArgument& b, const PoseArgument& pose_b, const Vec3& motion_b,
           const QueryOptions* o, QueryCache* c) {
          const Asked q = asked(o, c);
          return cast(a.get(), pose_a.pose, motion_a, b.get(), pose_b.pose, motion_b, q.options,
                      q.cache);
        },
        py::arg("a"), py::arg("pose_a"), py::arg("motion_a"), py::arg("b"), py::arg("pose_b"),
        py::arg("motion_b"), options(), cache(), doc("cast"));
  m.def("ray_cast",
        [](const ShapeArgument& shape, const PoseArgument& pose, const Vec3& origin,
           const Vec3& direction, double max_t, const QueryOptions* o) {
          return ray_cast(shape.get(), pose.pose, origin, direction, max_t, asked(o, {}).options);
        },
        py::arg("shape"), py::arg("pose"), py::arg("origin"), py::arg("direction"),
        py::arg("max_t") = std::numeric_limits<double>::infinity(), options(), doc("ray_cast"));
  m.def("impact",
        [](const ShapeArgument& a, const PoseArgument& pose_a, const RigidMotion& motion_a,
           const ShapeArgument& b, const PoseArgument& pose_b, const RigidMotion& motion_b,
           const QueryOptions* o, QueryCache* c) {
          const Asked q = asked(o, c);
          return impact(a.get(), pose_a.pose, motion_a, b.get(), pose_b.pose, motion_b, q.options,
                        q.cache);
        },
        py::arg("a"), py::arg("pose_a"), py::arg("motion_a"), py::arg("b"), py::arg("pose_b"),
        py::arg("motion_b"), options(), cache(), doc("impact"));
}

}  // namespace tactus::python
