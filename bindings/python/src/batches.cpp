#include <algorithm>
#include <memory>

#include "classes.hpp"

namespace tactus::python {
namespace {

// Results are written where numpy sees them.
static_assert(std::is_trivially_copyable_v<DistanceResult> &&
              std::is_trivially_copyable_v<Manifold>);
static_assert(sizeof(BroadPair) == 2 * sizeof(std::uint64_t));

/// Poses of an array (n, 7) or (n, 4, 4) of doubles, made by all threads.
std::vector<Pose> poses_of_array(const py::handle& value, int max_threads) {
  const bool matrices = py::reinterpret_borrow<py::array>(value).ndim() == 3;
  const py::array array = plain_array(value, "poses", py::dtype::of<double>(), matrices ? 3 : 2);
  const bool fits = matrices ? array.shape(1) == 4 && array.shape(2) == 4 : array.shape(1) == 7;
  if (!fits)
    throw InvalidInput("poses",
                       "must be (n, 4, 4), or (n, 7): positions and quaternions w, x, y, z");
  std::vector<Pose> poses(static_cast<std::size_t>(array.shape(0)));
  const auto* const numbers = static_cast<const double*>(array.data());
  const auto make = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double* const n = numbers + i * (matrices ? 16 : 7);
      try {
        if (matrices) {
          if (n[12] != 0.0 || n[13] != 0.0 || n[14] != 0.0 || n[15] != 1.0)
            throw InvalidInput("", "its last row must be 0 0 0 1");
          const Mat3 rotation{{{n[0], n[1], n[2]}, {n[4], n[5], n[6]}, {n[8], n[9], n[10]}}};
          poses[i] = Pose::from_matrix({n[3], n[7], n[11]}, rotation);
        } else {
          poses[i] = Pose({n[0], n[1], n[2]}, Quat{n[3], n[4], n[5], n[6]});
        }
      } catch (const InvalidInput& error) {
        throw error.within("poses[" + std::to_string(i) + "]");
      }
    }
  };
  released([&] { parallel_for(poses.size(), 1024, make, max_threads); });
  return poses;
}

std::vector<Pose> poses_from(const py::object& value, int max_threads) {
  if (py::isinstance<py::array>(value)) return poses_of_array(value, max_threads);
  std::vector<Pose> poses;
  for (const py::handle pose : value)
    poses.push_back(pose_from(pose, ("poses[" + std::to_string(poses.size()) + "]").c_str()));
  return poses;
}

/// Pairs as they lie in an array of integers of 64 bits, or of lists.
py::object pairs_from(const py::object& value) {
  py::object held = value;
  if (!py::isinstance<py::array>(value)) {
    held = list_array(list_from<std::array<std::int64_t, 2>>(value, "pairs"));
    if (py::len(held) == 0) return py::array_t<std::int64_t>(std::vector<py::ssize_t>{0, 2});
  }
  const auto type = py::reinterpret_borrow<py::array>(held).dtype();
  // A negative number is beyond all places as one without a sign.
  const auto with_sign = py::dtype::of<std::int64_t>();
  plain_array(held, "pairs", type.equal(with_sign) ? with_sign : py::dtype::of<std::uint64_t>(), 2);
  if (py::reinterpret_borrow<py::array>(held).shape(1) != 2)
    throw InvalidInput("pairs", "must have 2 columns");
  return held;
}

/// A class of its own in Python, where a list would be copied.
struct Caches {
  std::vector<QueryCache> list;
};

/// Bodies, pairs and options of a batch.
class Batch {
 public:
  Batch(const py::sequence& shapes, const py::object& poses, const py::object& pairs,
        const QueryOptions* options, Caches* caches, int max_threads)
      : pair_array_(pairs_from(pairs)), caches_(caches) {
    for (const py::handle shape : py::list(shapes))
      shapes_.push_back(
          shape_from(shape, ("shapes[" + std::to_string(shapes_.size()) + "]").c_str()));
    const std::vector<Pose> placed = poses_from(poses, max_threads);
    if (placed.size() != shapes_.size() && shapes_.size() != 1)
      throw InvalidInput("poses", "must be as many as shapes, or the shape must be one for all");
    bodies_.reserve(placed.size());
    for (std::size_t i = 0; i < placed.size(); ++i)
      bodies_.push_back({&shapes_[shapes_.size() == 1 ? 0 : i], placed[i]});
    const auto array = py::reinterpret_borrow<py::array>(pair_array_);
    pairs_ = {static_cast<const BroadPair*>(array.data()),
              static_cast<std::size_t>(array.shape(0))};
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i].a >= bodies_.size() || pairs_[i].b >= bodies_.size())
        throw InvalidInput("pairs[" + std::to_string(i) + "]", "is out of range");
    if (caches != nullptr && caches->list.size() != pairs_.size())
      throw InvalidInput("caches", "must be as many as pairs");
    if (options != nullptr) options_.query = *options;
    options_.max_threads = max_threads;
  }

  std::size_t size() const { return pairs_.size(); }

  /// Calls `ask(bodies, pairs, first, options)` for parts of the pairs, so that Ctrl-C is heard in
  /// between.
  template <class Ask>
  void run(std::span<Derivatives> derivatives, const Ask& ask) {
    std::size_t part = 64;
    run_parts(size(), [&](std::uint64_t first) {
      const std::size_t count = std::min(part, size() - first);
      BatchOptions options = options_;
      if (caches_ != nullptr) options.caches = std::span(caches_->list).subspan(first, count);
      if (!derivatives.empty()) options.derivatives = derivatives.subspan(first, count);
      const auto start = std::chrono::steady_clock::now();
      ask(std::span<const PlacedShape>(bodies_), pairs_.subspan(first, count), first, options);
      // Large parts share the work better; a part takes some 50 ms.
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      part = taken.count() < 0.02  ? part * 4
             : taken.count() > 0.1 ? std::max<std::size_t>(part / 4, 16)
                                   : part;
      return count;
    });
    raise_kept_error();
  }

 private:
  std::vector<Shape> shapes_;
  std::vector<PlacedShape> bodies_;
  py::object pair_array_;
  std::span<const BroadPair> pairs_;
  Caches* caches_;
  BatchOptions options_;
};

/// An array of results, and the place of its structures.
template <class T>
struct Results {
  py::array array;
  std::span<T> places;
  explicit Results(std::size_t count, const py::dtype& type = structure_type<T>())
      : array(type, std::vector<py::ssize_t>{static_cast<py::ssize_t>(count)}),
        places(static_cast<T*>(array.mutable_data()), count) {
    std::uninitialized_fill(places.begin(), places.end(), T{});
  }
};

py::object distances(const py::sequence& shapes, const ArrayLike& poses, const ArrayLike& pairs,
                     const QueryOptions* options, Caches* caches, bool derivatives,
                     int max_threads) {
  Batch batch(shapes, poses, pairs, options, caches, max_threads);
  Results<DistanceResult> found(batch.size());
  Results<Derivatives> slopes(derivatives ? batch.size() : 0);
  batch.run(slopes.places, [&](auto bodies, auto some, std::size_t first, const BatchOptions& how) {
    distance(bodies, some, found.places.subspan(first, some.size()), how);
  });
  if (derivatives) return py::make_tuple(found.array, slopes.array);
  return std::move(found.array);
}

/// The type of OverlapResult and Manifold, which hold structures.
py::dtype type_with(const py::list& names, const py::list& formats, const py::list& offsets,
                    std::size_t size) {
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(size));
}
py::dtype overlap_type() {
  py::list names, formats, offsets;
  names.append("overlap");
  formats.append(py::dtype::of<std::uint8_t>());
  offsets.append(offsetof(OverlapResult, overlap));
  names.append("proof");
  formats.append(structure_type<DistanceResult>());
  offsets.append(offsetof(OverlapResult, proof));
  return type_with(names, formats, offsets, sizeof(OverlapResult));
}
py::dtype patch_type() {
  const py::dtype points = py::dtype::from_args(
      py::make_tuple(structure_type<ContactPoint>(), py::make_tuple(Manifold::kCapacity)));
  py::list names, formats, offsets;
  const auto add = [&](const char* name, const py::object& format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  };
  add("normal", py::dtype::from_args(py::str("3f8")), offsetof(Manifold, normal));
  add("points", points, offsetof(Manifold, points));
  add("count", py::dtype::of<int>(), offsetof(Manifold, count));
  add("part_a", py::dtype::of<std::int32_t>(), offsetof(Manifold, part_a));
  add("part_b", py::dtype::of<std::int32_t>(), offsetof(Manifold, part_b));
  return type_with(names, formats, offsets, sizeof(Manifold));
}

py::array overlaps_of(const py::sequence& shapes, const ArrayLike& poses, const ArrayLike& pairs,
                      const QueryOptions* options, Caches* caches, int max_threads) {
  Batch batch(shapes, poses, pairs, options, caches, max_threads);
  Results<OverlapResult> found(batch.size(), overlap_type());
  batch.run({}, [&](auto bodies, auto some, std::size_t first, const BatchOptions& how) {
    overlap(bodies, some, found.places.subspan(first, some.size()), how);
  });
  return found.array;
}

py::tuple contact_patches(const py::sequence& shapes, const ArrayLike& poses,
                          const ArrayLike& pairs, const QueryOptions* options, Caches* caches,
                          std::size_t most, int max_threads) {
  if (most == 0) throw InvalidInput("most", "must be positive");
  Batch batch(shapes, poses, pairs, options, caches, max_threads);
  Results<DistanceResult> gaps(batch.size());
  Results<Manifold> patches(batch.size() * most, patch_type());
  py::array_t<std::int32_t> counts(static_cast<py::ssize_t>(batch.size()));
  py::array_t<bool> truncated(static_cast<py::ssize_t>(batch.size()));
  std::vector<ContactsResult> found(batch.size());
  batch.run({}, [&](auto bodies, auto some, std::size_t first, const BatchOptions& how) {
    contacts(bodies, some, patches.places.subspan(first * most, some.size() * most),
             std::span(found).subspan(first, some.size()), how);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    gaps.places[i] = found[i].distance;
    counts.mutable_data()[i] = found[i].manifolds;
    truncated.mutable_data()[i] = found[i].truncated;
  }
  py::array shaped = patches.array.reshape(
      {static_cast<py::ssize_t>(batch.size()), static_cast<py::ssize_t>(most)});
  return py::make_tuple(gaps.array, shaped, counts, truncated);
}

void add_caches(py::module_& m) {
  py::class_<Caches>(m, "QueryCaches",
                     "Caches of a batch, one for each of its pairs: a list that does not grow.")
      .def(py::init([](std::size_t count) { return Caches{std::vector<QueryCache>(count)}; }),
           py::arg("count"))
      .def("__len__", [](const Caches& caches) { return caches.list.size(); })
      .def(
          "__getitem__",
          [](const Caches& caches, std::size_t i) {
            if (i >= caches.list.size()) throw py::index_error();
            return caches.list[i];
          },
          py::arg("index"), "A copy of one of them.")
      .def(
          "__setitem__",
          [](Caches& caches, std::size_t i, const QueryCache& cache) {
            if (i >= caches.list.size()) throw py::index_error();
            caches.list[i] = cache;
          },
          py::arg("index"), py::arg("cache"))
      .def(py::pickle(
          [](const Caches& caches) {
            py::list bytes;
            for (const QueryCache& cache : caches.list) bytes.append(py::bytes(cache.to_bytes()));
            return py::make_tuple(bytes);
          },
          [](const py::tuple& state) {
            Caches caches;
            for (const py::handle bytes : py::list(state[0]))
              caches.list.push_back(QueryCache::from_bytes(bytes.cast<std::string>()));
            return caches;
          }));
}

}  // namespace

void add_batches(py::module_& m) {
  add_caches(m);
  const auto shapes = py::arg("shapes"), poses = py::arg("poses"), pairs = py::arg("pairs");
  const auto options = py::arg("options") = py::none(), caches = py::arg("caches") = py::none();
  const auto threads = py::arg("max_threads") = 0;
  m.def(
      "distances", &distances, shapes, poses, pairs, py::kw_only(), options, caches,
      py::arg("derivatives") = false, threads,
      "Signed distances of many pairs, by all threads: a structured array with the fields of\n"
      "DistanceResult, `status` and `method` as numbers (`Status(n)`, `Method(n)`); with\n"
      "`derivatives` a pair of it and of an array with the fields of Derivatives.\n\n"
      "`shapes`: a list, one per pose, or one for all. `poses`: an array (n, 4, 4), or (n, 7) of\n"
      "positions and quaternions (w, x, y, z), of float64 and contiguous, or a list. `pairs`: an\n"
      "array (m, 2) of places in `poses`, of int64 or uint64, or lists. `caches`: a QueryCaches of "
      "m.\n"
      "Nothing is cast or copied in silence. The bits are those of single calls, whatever\n"
      "`max_threads`. Other threads of Python run meanwhile; Ctrl-C ends it.");
  m.def("overlaps", &overlaps_of, shapes, poses, pairs, py::kw_only(), options, caches, threads,
        "Do many pairs share a point? A structured array: `overlap` (`Overlap(n)`: 0 no, 1 yes,\n"
        "2 undecided) and `proof`, the bracket. Arguments as `distances`.");
  m.def(
      "contact_patches", &contact_patches, shapes, poses, pairs, py::kw_only(), options, caches,
      py::arg("most") = 1, threads,
      "Contact patches of many pairs: the distances, as `distances`; an array (m, `most`) with "
      "the\n"
      "fields of Manifold; how many of them each pair has; and whether it has more than `most`\n"
      "(compounds and meshes), of which a single query tells the rest. Arguments as `distances`.");
}

}  // namespace tactus::python
