#include <memory>
#include <type_traits>

#include "convert.hpp"

namespace tactus::python {
namespace {

// Results are written where numpy sees them.
static_assert(std::is_trivially_copyable_v<DistanceResult> &&
              std::is_standard_layout_v<DistanceResult>);

py::dtype distance_type() {
  py::list names, formats, offsets;
  const auto add = [&](const char* name, const char* format, std::size_t offset) {
    names.append(name);
    formats.append(py::dtype::from_args(py::str(format)));
    offsets.append(offset);
  };
  add("distance", "f8", offsetof(DistanceResult, distance));
  add("lower", "f8", offsetof(DistanceResult, lower));
  add("upper", "f8", offsetof(DistanceResult, upper));
  add("normal", "3f8", offsetof(DistanceResult, normal));
  add("point_a", "3f8", offsetof(DistanceResult, point_a));
  add("point_b", "3f8", offsetof(DistanceResult, point_b));
  add("status", "u1", offsetof(DistanceResult, status));
  add("method", "u1", offsetof(DistanceResult, method));
  add("unique", "?", offsetof(DistanceResult, unique));
  add("of_unions", "?", offsetof(DistanceResult, of_unions));
  add("iterations", "i4", offsetof(DistanceResult, iterations));
  add("part_a", "i4", offsetof(DistanceResult, part_a));
  add("part_b", "i4", offsetof(DistanceResult, part_b));
  add("triangle_a", "i4", offsetof(DistanceResult, triangle_a));
  add("triangle_b", "i4", offsetof(DistanceResult, triangle_b));
  return py::dtype(names, formats, offsets, sizeof(DistanceResult));
}

std::vector<Pose> poses_from(const py::object& value) {
  std::vector<Pose> poses;
  if (!py::isinstance<py::array>(value)) {
    for (const py::handle pose : value)
      poses.push_back(
          pose_from(pose, ("poses[" + std::to_string(poses.size()) + "]").c_str()));
    return poses;
  }
  const bool matrices = py::reinterpret_borrow<py::array>(value).ndim() == 3;
  const auto array = doubles(value, "poses", matrices ? 3 : 2);
  const bool fits = matrices ? array.shape(1) == 4 && array.shape(2) == 4 : array.shape(1) == 7;
  if (!fits)
    throw InvalidInput("poses", "must be (n, 4, 4), or (n, 7): positions and quaternions w, x, y, z");
  const auto count = static_cast<std::size_t>(array.shape(0));
  poses.reserve(count);
  const double* n = array.data();
  for (std::size_t i = 0; i < count; ++i, n += matrices ? 16 : 7) {
    try {
      if (matrices) {
        const Mat3 rotation{{{n[0], n[1], n[2]}, {n[4], n[5], n[6]}, {n[8], n[9], n[10]}}};
        poses.push_back(Pose::from_matrix({n[3], n[7], n[11]}, rotation));
      } else {
        poses.push_back(Pose({n[0], n[1], n[2]}, Quat{n[3], n[4], n[5], n[6]}));
      }
    } catch (const InvalidInput& error) {
      throw error.within("poses[" + std::to_string(i) + "]");
    }
  }
  return poses;
}

/// Shapes, poses and pairs of a batch.
struct Batch {
  std::vector<Shape> shapes;
  std::vector<PlacedShape> bodies;
  std::vector<BroadPair> pairs;

  Batch(const py::sequence& list, const py::object& pose_list, const py::object& pair_list) {
    for (const py::handle shape : list)
      shapes.push_back(
          shape_from(shape, ("shapes[" + std::to_string(shapes.size()) + "]").c_str()));
    const std::vector<Pose> poses = poses_from(pose_list);
    if (poses.size() != shapes.size() && shapes.size() != 1)
      throw InvalidInput("poses", "must be as many as shapes, or the shape must be one for all");
    for (std::size_t i = 0; i < poses.size(); ++i)
      bodies.push_back({&shapes[shapes.size() == 1 ? 0 : i], poses[i]});
    for (const auto& [a, b] : indices_from<2>(pair_list, "pairs")) pairs.push_back({a, b});
  }
};

py::array distances(const py::sequence& shapes, const py::object& poses, const py::object& pairs,
                    const QueryOptions* options, int max_threads) {
  const Batch batch(shapes, poses, pairs);
  static const py::object* const type = new py::object(distance_type());
  py::array out(py::reinterpret_borrow<py::dtype>(*type),
                std::vector<py::ssize_t>{static_cast<py::ssize_t>(batch.pairs.size())});
  auto* const results = static_cast<DistanceResult*>(out.mutable_data());
  std::uninitialized_default_construct_n(results, batch.pairs.size());
  BatchOptions how;
  if (options != nullptr) how.query = *options;
  how.max_threads = max_threads;
  const py::gil_scoped_release run;
  distance(batch.bodies, batch.pairs, std::span(results, batch.pairs.size()), how);
  return out;
}

py::array_t<std::uint8_t> overlaps(const py::sequence& shapes, const py::object& poses,
                                   const py::object& pairs, const QueryOptions* options,
                                   int max_threads) {
  const Batch batch(shapes, poses, pairs);
  std::vector<OverlapResult> results(batch.pairs.size());
  BatchOptions how;
  if (options != nullptr) how.query = *options;
  how.max_threads = max_threads;
  {
    const py::gil_scoped_release run;
    overlap(batch.bodies, batch.pairs, results, how);
  }
  py::array_t<std::uint8_t> out(static_cast<py::ssize_t>(results.size()));
  for (std::size_t i = 0; i < results.size(); ++i)
    out.mutable_data()[i] = static_cast<std::uint8_t>(results[i].overlap);
  return out;
}

}  // namespace

void add_batches(py::module_& m) {
  m.def("distances", &distances, py::arg("shapes"), py::arg("poses"), py::arg("pairs"),
        py::kw_only(), py::arg("options") = py::none(), py::arg("max_threads") = 0,
        "Signed distances of many pairs, by all threads: a structured array with the fields of\n"
        "DistanceResult, `status` and `method` as numbers (`Status(n)`, `Method(n)`).\n\n"
        "`shapes`: a list, one per pose, or one for all. `poses`: an array (n, 4, 4), or (n, 7) of\n"
        "positions and quaternions (w, x, y, z), of float64, or a list. `pairs`: an array (m, 2) of\n"
        "places in `poses`. The bits are those of single calls, whatever `max_threads`.");
  m.def("overlaps", &overlaps, py::arg("shapes"), py::arg("poses"), py::arg("pairs"),
        py::kw_only(), py::arg("options") = py::none(), py::arg("max_threads") = 0,
        "Do many pairs share a point? An array of numbers (`Overlap(n)`): 0 no, 1 yes, 2 undecided.\n"
        "Arguments as `distances`.");
  m.def("find_pairs",
        [](const py::object& lower, const py::object& upper) {
          const auto low = points_from(lower, "lower"), high = points_from(upper, "upper");
          if (low.size() != high.size()) throw InvalidInput("upper", "must be as many as lower");
          std::vector<BroadEntry> entries;
          for (std::size_t i = 0; i < low.size(); ++i) entries.push_back({i, {low[i], high[i]}});
          std::vector<BroadPair> pairs;
          {
            const py::gil_scoped_release run;
            AutoBroadPhase().find_pairs(entries, pairs);
          }
          py::array_t<std::int64_t> out({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
          for (std::size_t i = 0; i < pairs.size(); ++i) {
            out.mutable_data()[2 * i] = static_cast<std::int64_t>(pairs[i].a);
            out.mutable_data()[2 * i + 1] = static_cast<std::int64_t>(pairs[i].b);
          }
          return out;
        },
        py::arg("lower"), py::arg("upper"),
        "Pairs of boxes that share a point: an array (m, 2) of their places. Boxes by their lower\n"
        "and upper corners, arrays (n, 3).");
}

}  // namespace tactus::python
