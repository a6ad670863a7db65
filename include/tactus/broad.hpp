#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "tactus/shape.hpp"

namespace tactus {

/// A box to be tested against all others. Ids are unique within a call; sides may be infinite,
/// never NaN.
struct BroadEntry {
  std::uint64_t id = 0;
  Aabb box;
};

/// Two entries whose boxes share a point; a < b.
struct BroadPair {
  std::uint64_t a = 0, b = 0;
  friend constexpr bool operator==(const BroadPair&, const BroadPair&) = default;
  friend constexpr auto operator<=>(const BroadPair&, const BroadPair&) = default;
};

/// As many pairs as there are.
inline constexpr std::size_t kAllPairs = std::numeric_limits<std::size_t>::max();

/// Finds all pairs of boxes that share a point, touching ones included.
///
/// `find_pairs` replaces `out` by every such pair once, in ascending order of (a, b): the same list
/// from every implementation, whatever its history and the number of threads. A broad phase may
/// keep its working order between calls to be faster on motion that changes little; such memory
/// never changes the answer. Throws InvalidInput (`entries`) when there are more than `most` pairs,
/// having stored little more than `most`; `out` is then empty.
template <class T>
concept BroadPhase =
    std::default_initializable<T> && requires(T broad, std::span<const BroadEntry> entries,
                                              std::vector<BroadPair>& out, std::size_t most) {
      { broad.find_pairs(entries, out) } -> std::same_as<void>;
      { broad.find_pairs(entries, out, most) } -> std::same_as<void>;
    };

/// Callback for each entry that a moving box meets: takes the entry's id and the time at which the
/// two boxes first share a point, in travelled lengths of the direction. It returns the time up to
/// which entries are still of interest: later ones are left out.
class SweepVisitor {
 public:
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, SweepVisitor>)
  SweepVisitor(F&& f)  // NOLINT(google-explicit-constructor): a lambda serves as it is
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, std::uint64_t id, double time) -> double {
          return (*static_cast<std::remove_reference_t<F>*>(object))(id, time);
        }) {}
  double operator()(std::uint64_t id, double time) const { return call_(object_, id, time); }

 private:
  void* object_;
  double (*call_)(void*, std::uint64_t, double);
};

/// Answers single questions about the boxes of its last `update`.
///
/// `find_in(box, out)` replaces `out` by the ids of all boxes that share a point with `box`,
/// ascending. `sweep(box, direction, max_time, visit)` meets the boxes that `box` shares a point
/// with on its way along `direction` (any length; zero stays in place), in ascending order of
/// (time, id), while the time is at most `max_time` (may be infinite) or what `visit` returned; a
/// box that is a point is a ray. Times are rounded, and a ray that passes within their rounding of
/// an edge meets the box: none is missed. The same answers in the same order from every
/// implementation. Const members may be called by many threads. Throws InvalidInput (`box`,
/// `direction`, `max_time`) for a box or direction that is not finite, or a time that is negative
/// or NaN.
template <class T>
concept SpatialIndex = std::default_initializable<T> &&
                       requires(T index, const T& built, std::span<const BroadEntry> entries,
                                const Aabb& box, std::vector<std::uint64_t>& ids,
                                const Vec3& direction, double max_time, const SweepVisitor& visit) {
                         { index.update(entries) } -> std::same_as<void>;
                         { built.find_in(box, ids) } -> std::same_as<void>;
                         { built.sweep(box, direction, max_time, visit) } -> std::same_as<void>;
                       };

/// Boxes sorted by their lower side along one axis; each is tested against those that start before
/// it ends.
///
/// The sorted list is kept from call to call and repaired by insertion sort, which is linear when
/// bodies move little. The axis is the one along which the box centres vary most; it changes only
/// when another is clearly better. Boxes that are infinite along the axis stay outside the list and
/// are tested against all. Cost: O(n + swaps + overlaps along the axis), plus sorting the found
/// pairs; O(n log n) on the first call, and when the axis, the entries' ids or their order change.
/// Source: baraff1992dynamic, leemann2017 (coarse detection).
class SweepAndPrune {
 public:
  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  std::size_t most = kAllPairs);

 private:
  struct Item {
    std::uint64_t id;
    std::uint32_t slot;  ///< position in the caller's entries
    Aabb box;
  };

  int axis_ = 0;
  std::vector<Item> sorted_;  ///< bounded along the axis
  std::vector<Item> unbounded_;
};
static_assert(BroadPhase<SweepAndPrune>);

/// Every box against every other: the yardstick of all broad phases. Cost: n^2 / 2 box tests, or n
/// of them for a single question.
class BruteForce {
 public:
  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  std::size_t most = kAllPairs) const;

  void update(std::span<const BroadEntry> entries);
  void find_in(const Aabb& box, std::vector<std::uint64_t>& out) const;
  void sweep(const Aabb& box, const Vec3& direction, double max_time,
             const SweepVisitor& visit) const;

 private:
  std::vector<BroadEntry> entries_;
};
static_assert(BroadPhase<BruteForce> && SpatialIndex<BruteForce>);

/// Boxes in the cells of grids, one grid for each range of sizes.
///
/// A box lies in one cell, that of its lower corner; what it can meet lies in that cell's
/// neighbours, of its own grid and of those of larger boxes. How many grids there are and how wide
/// their cells, follows from the counts of the sizes by a model of the cost. A grid that would have
/// many more cells than boxes (far extents, clusters) keeps the occupied ones in a hash table: the
/// memory is linear in the boxes wherever they are. Unbounded boxes are tested against all. Cost:
/// O(n + pairs) for boxes of any sizes that are about as long as wide and not all in one place.
/// From some thousand boxes on the search is shared by `max_threads` threads (as parallel_for).
/// Source: leemann2017 (hierarchical hash grid), levels after mirtich1996thesis.
class HashGrid {
 public:
  explicit HashGrid(int max_threads = 0);
  ~HashGrid();
  HashGrid(HashGrid&&) noexcept;
  HashGrid& operator=(HashGrid&&) noexcept;

  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  std::size_t most = kAllPairs);
  /// Boxes compared by the last `find_pairs`.
  std::uint64_t tests() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};
static_assert(BroadPhase<HashGrid>);

/// A tree of boxes, four to a node, over the entries in the order of a curve that fills space.
///
/// While the boxes move, the tree keeps its order and its nodes follow; when they have grown too
/// large it is built anew. It serves boxes of any shape, and single questions in O(log n).
/// Unbounded boxes stand outside and are tested against all. Cost: O(n) to follow, O(n log n) to
/// build. Source: lauterbach2009lbvh (order along a Morton curve), kamel1994hilbert (packed nodes).
class DynamicTree {
 public:
  explicit DynamicTree(int max_threads = 0);
  ~DynamicTree();
  DynamicTree(DynamicTree&&) noexcept;
  DynamicTree& operator=(DynamicTree&&) noexcept;

  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  std::size_t most = kAllPairs);

  void update(std::span<const BroadEntry> entries);
  void find_in(const Aabb& box, std::vector<std::uint64_t>& out) const;
  void sweep(const Aabb& box, const Vec3& direction, double max_time,
             const SweepVisitor& visit) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};
static_assert(BroadPhase<DynamicTree> && SpatialIndex<DynamicTree>);

/// The broad phase to take when nothing speaks for another: a sweep for a few boxes, else the grid,
/// and the tree for boxes on which the grid compared too many in vain (long thin ones). It chooses
/// by counts alone, never by time.
/// @code{.cpp}
/// const std::vector<BroadEntry> boxes = {
///     {7, {{0, 0, 0}, {1, 1, 1}}}, {8, {{0.9, 0, 0}, {2, 1, 1}}}, {9, {{5, 0, 0}, {6, 1, 1}}}};
/// std::vector<BroadPair> pairs;
/// AutoBroadPhase().find_pairs(boxes, pairs);
/// assert(pairs.size() == 1 && pairs[0].a == 7 && pairs[0].b == 8);
/// @endcode
class AutoBroadPhase {
 public:
  explicit AutoBroadPhase(int max_threads = 0);

  void find_pairs(std::span<const BroadEntry> entries, std::vector<BroadPair>& out,
                  std::size_t most = kAllPairs);
  /// Which one answered last: `sweep`, `grid` or `tree`.
  const char* chosen() const { return chosen_; }

 private:
  SweepAndPrune sweep_;
  HashGrid grid_;
  DynamicTree tree_;
  int calls_to_grid_ = 0;  ///< answered by the tree until the grid is tried again
  const char* chosen_ = "sweep";
};
static_assert(BroadPhase<AutoBroadPhase>);

}  // namespace tactus
