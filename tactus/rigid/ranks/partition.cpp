#include "tactus/rigid/ranks/partition.hpp"

#include <algorithm>
#include <utility>

namespace tactus::detail {
namespace {

std::int64_t along(const Columns::Column& square, int axis) {
  return axis == 0 ? square.x : square.y;
}

}  // namespace

std::vector<Partition::Load> Partition::loads_of(std::vector<Columns::Column> bodies) {
  std::sort(bodies.begin(), bodies.end(),
            [](const auto& x, const auto& y) { return x.x != y.x ? x.x < y.x : x.y < y.y; });
  std::vector<Load> loads;
  for (const Columns::Column& column : bodies) {
    if (!loads.empty() && loads.back().column.x == column.x && loads.back().column.y == column.y)
      ++loads.back().bodies;
    else
      loads.push_back({column, 1});
  }
  return loads;
}

Partition::Partition(std::span<const Load> loads, int ranks, int halvings) : halvings_(halvings) {
  std::vector<Load> squares;
  squares.reserve(loads.size());
  for (const Load& load : loads) squares.push_back({square(load.column), load.bodies});
  nodes_.clear();
  root_ = cut(squares, 0, ranks);
}

Partition Partition::bisect(std::span<const Load> loads, int ranks) {
  Partition squares(loads, ranks, 1);
  return squares.idle_ ? Partition(loads, ranks, 0) : squares;
}

/// Shares out squares among the ranks from `first` on before `last`.
std::uint32_t Partition::cut(std::span<Load> squares, int first, int last) {
  const auto self = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({-1, 0, 0, 0, first});
  if (last - first == 1) {
    idle_ = idle_ || squares.empty();
    return self;
  }
  const int middle = first + (last - first) / 2;
  int axis = 0;
  std::int64_t most = -1;
  for (int i = 0; i < 2 && !squares.empty(); ++i) {
    const auto [low, high] = std::minmax_element(
        squares.begin(), squares.end(),
        [i](const Load& x, const Load& y) { return along(x.column, i) < along(y.column, i); });
    const std::int64_t extent = along(high->column, i) - along(low->column, i);
    if (extent > most) {
      most = extent;
      axis = i;
    }
  }
  std::int64_t at = 0;
  std::size_t below = 0;
  if (!squares.empty()) {
    std::sort(squares.begin(), squares.end(), [axis](const Load& x, const Load& y) {
      return along(x.column, axis) < along(y.column, axis);
    });
    std::uint64_t bodies = 0;
    for (const Load& load : squares) bodies += load.bodies;
    // The square of the first body above the share.
    std::uint64_t share = bodies * static_cast<std::uint64_t>(middle - first) /
                          static_cast<std::uint64_t>(last - first);
    std::size_t place = 0;
    while (share >= squares[place].bodies) share -= squares[place++].bodies;
    at = along(squares[place].column, axis);
    // Both sides get something where there are two squares.
    if (at == along(squares.front().column, axis)) ++at;
    below = static_cast<std::size_t>(
        std::partition_point(squares.begin(), squares.end(),
                             [&](const Load& x) { return along(x.column, axis) < at; }) -
        squares.begin());
  }
  const std::uint32_t low = cut(squares.first(below), first, middle);
  const std::uint32_t high = cut(squares.subspan(below), middle, last);
  nodes_[self] = {axis, at, low, high, first};
  return self;
}

int Partition::owner(const Columns::Column& column, int doublings) const {
  const Columns::Column at = square({column.x << doublings, column.y << doublings});
  const Node* node = &nodes_[root_];
  while (node->axis >= 0)
    node = &nodes_[along(at, node->axis) < node->cut ? node->below : node->above];
  return node->rank;
}

void Partition::mark_owners(const Columns::Column& low, const Columns::Column& high,
                            std::span<char> marks) const {
  const Columns::Column first = square(low), last = square(high);
  std::vector<std::uint32_t> open{root_};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    if (node.axis < 0) {
      marks[static_cast<std::size_t>(node.rank)] = 1;
      continue;
    }
    if (along(first, node.axis) < node.cut) open.push_back(node.below);
    if (along(last, node.axis) >= node.cut) open.push_back(node.above);
  }
}

}  // namespace tactus::detail
