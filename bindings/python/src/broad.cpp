#include <algorithm>

#include "classes.hpp"

namespace tactus::python {
namespace {

/// Boxes by their corners, with ids or with their places for ids.
std::vector<BroadEntry> entries_from(const ArrayLike& lower, const ArrayLike& upper,
                                     const py::object& ids) {
  const auto low = points_from(lower, "lower"), high = points_from(upper, "upper");
  if (low.size() != high.size()) throw InvalidInput("upper", "must be as many as lower");
  std::vector<std::uint64_t> names;
  if (!ids.is_none()) {
    names = list_from<std::uint64_t>(ids, "ids");
    if (names.size() != low.size()) throw InvalidInput("ids", "must be as many as lower");
  }
  std::vector<BroadEntry> entries(low.size());
  for (std::size_t i = 0; i < low.size(); ++i)
    entries[i] = {names.empty() ? i : names[i], {low[i], high[i]}};
  return entries;
}

py::array_t<std::uint64_t> array_of(const std::vector<BroadPair>& pairs) {
  static_assert(sizeof(BroadPair) == 2 * sizeof(std::uint64_t));
  py::array_t<std::uint64_t> out({static_cast<py::ssize_t>(pairs.size()), py::ssize_t{2}});
  auto* to = out.mutable_data();
  for (const BroadPair& pair : pairs) {
    *to++ = pair.a;
    *to++ = pair.b;
  }
  return out;
}

/// So many pairs are found in a fraction of a second.
constexpr std::size_t kPairsAtOnce = 20'000'000;

/// As `AutoBroadPhase::find_pairs`, of entries whose ids are their places: more pairs than come at
/// once are found box by box, so that Ctrl-C is heard in between.
std::vector<BroadPair> all_pairs(const std::vector<BroadEntry>& entries) {
  std::vector<BroadPair> pairs;
  try {
    released([&] { AutoBroadPhase().find_pairs(entries, pairs, kPairsAtOnce); });
    return pairs;
  } catch (const InvalidInput& error) {
    if (error.field() != "entries") throw;
  }
  DynamicTree tree;
  released([&] { tree.update(entries); });
  std::vector<std::uint64_t> met;
  run_parts(entries.size(), [&](std::uint64_t i) {
    tree.find_in(entries[i].box, met);
    for (auto b = std::upper_bound(met.begin(), met.end(), i); b != met.end(); ++b)
      pairs.push_back({i, *b});
    return 1;
  });
  return pairs;
}

template <class T>
void add_find_pairs() {
  class_of<T>().def(
      "find_pairs",
      [](T& broad, const ArrayLike& lower, const ArrayLike& upper, const py::object& ids,
         std::size_t most) {
        const auto entries = entries_from(lower, upper, ids);
        std::vector<BroadPair> pairs;
        released([&] { broad.find_pairs(entries, pairs, most); });
        return array_of(pairs);
      },
      py::arg("lower"), py::arg("upper"), py::arg("ids") = py::none(), py::arg("most") = kAllPairs,
      "Pairs of boxes that share a point: an array (m, 2) of their ids, which are their places "
      "where\n"
      "none are given. Boxes by their lower and upper corners, arrays (n, 3). Ctrl-C ends "
      "it,\n"
      "and more pairs than `most` do, with an error.");
}

template <class T>
void add_index() {
  class_of<T>()
      .def(
          "update",
          [](T& index, const ArrayLike& lower, const ArrayLike& upper, const py::object& ids) {
            index.update(entries_from(lower, upper, ids));
          },
          py::arg("lower"), py::arg("upper"), py::arg("ids") = py::none(),
          "The boxes that are asked about from now on.")
      .def(
          "find_in",
          [](const T& index, const Vec3& lower, const Vec3& upper) {
            std::vector<std::uint64_t> ids;
            index.find_in({lower, upper}, ids);
            return ids;
          },
          py::arg("lower"), py::arg("upper"), "Ids of all boxes that share a point with this one.")
      .def(
          "sweep",
          [](const T& index, const Vec3& lower, const Vec3& upper, const Vec3& direction,
             double max_time, const py::function& visit) {
            bool failed = false;
            index.sweep({lower, upper}, direction, max_time,
                        [&](std::uint64_t id, double time) -> double {
                          try {
                            if (!failed) return visit(id, time).cast<double>();
                          } catch (py::error_already_set& error) {
                            keep_error(error);
                          } catch (const py::cast_error&) {
                            keep_refusal("visit", "must give a number");
                          }
                          failed = true;
                          return -1.0;
                        });
            raise_kept_error();
          },
          py::arg("lower"), py::arg("upper"), py::arg("direction"), py::arg("max_time"),
          py::arg("visit"),
          "Calls `visit(id, time)` for the boxes that this one meets on its way, in the order of "
          "their\n"
          "times; it returns the time up to which others are still of interest.");
}

}  // namespace

void add_broad(py::module_& m) {
  m.attr("kAllPairs") = kAllPairs;
  class_of<SweepAndPrune>().def(py::init<>());
  class_of<BruteForce>().def(py::init<>());
  class_of<HashGrid>()
      .def(py::init<int>(), py::arg("max_threads") = 0)
      .def_property_readonly("tests", &HashGrid::tests, doc("HashGrid::tests"));
  class_of<DynamicTree>().def(py::init<int>(), py::arg("max_threads") = 0);
  class_of<AutoBroadPhase>()
      .def(py::init<int>(), py::arg("max_threads") = 0)
      .def_property_readonly("chosen", &AutoBroadPhase::chosen, doc("AutoBroadPhase::chosen"));
  add_find_pairs<SweepAndPrune>();
  add_find_pairs<BruteForce>();
  add_find_pairs<HashGrid>();
  add_find_pairs<DynamicTree>();
  add_find_pairs<AutoBroadPhase>();
  add_index<BruteForce>();
  add_index<DynamicTree>();
  m.def(
      "find_pairs",
      [](const ArrayLike& lower, const ArrayLike& upper) {
        return array_of(all_pairs(entries_from(lower, upper, py::none())));
      },
      py::arg("lower"), py::arg("upper"),
      "Pairs of boxes that share a point: an array (m, 2) of their places. Boxes by their lower "
      "and\n"
      "upper corners, arrays (n, 3). Ctrl-C ends it after the first twenty million pairs.");
}

}  // namespace tactus::python
