#include "tactus/rigid/ranks/partition.hpp"

#include <algorithm>
#include <utility>

namespace tactus::detail {
namespace {

std::int64_t along(const Columns::Column& square, int axis) {
  return axis == 0 ? square.x : square.y;
}

}  // namespace

Partition Partition::bisect(std::span<const Columns::Column> bodies, int ranks) {
  std::vector<Columns::Column> squares;
  squares.reserve(bodies.size());
  for (const Columns::Column& column : bodies) squares.push_back({column.x >> 1, column.y >> 1});
  Partition result;
  result.nodes_.clear();
  result.root_ = result.cut(squares, 0, ranks);
  return result;
}

/// Shares out squares, one for each body, among the ranks from `first` on before `last`.
std::uint32_t Partition::cut(std::span<Columns::Column> squares, int first, int last) {
  const auto self = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({-1, 0, 0, 0, first});
  if (last - first == 1) return self;
  const int middle = first + (last - first) / 2;
  int axis = 0;
  std::int64_t most = -1;
  for (int i = 0; i < 2 && !squares.empty(); ++i) {
    const auto [low, high] = std::minmax_element(
        squares.begin(), squares.end(),
        [i](const auto& x, const auto& y) { return along(x, i) < along(y, i); });
    const std::int64_t extent = along(*high, i) - along(*low, i);
    if (extent > most) {
      most = extent;
      axis = i;
    }
  }
  std::int64_t at = 0;
  std::size_t below = 0;
  if (!squares.empty()) {
    const auto before = [axis](const Columns::Column& x, const Columns::Column& y) {
      return along(x, axis) < along(y, axis);
    };
    const std::size_t share = squares.size() * static_cast<std::size_t>(middle - first) /
                              static_cast<std::size_t>(last - first);
    std::sort(squares.begin(), squares.end(), before);
    at = along(squares[share], axis);
    // Both sides get something where there are two squares.
    if (at == along(squares.front(), axis)) ++at;
    below = static_cast<std::size_t>(
        std::partition_point(squares.begin(), squares.end(),
                             [&](const Columns::Column& x) { return along(x, axis) < at; }) -
        squares.begin());
  }
  const std::uint32_t low = cut(squares.first(below), first, middle);
  const std::uint32_t high = cut(squares.subspan(below), middle, last);
  nodes_[self] = {axis, at, low, high, first};
  return self;
}

int Partition::owner(const Columns::Column& column, int doublings) const {
  const Columns::Column square{(column.x << doublings) >> 1, (column.y << doublings) >> 1};
  const Node* node = &nodes_[root_];
  while (node->axis >= 0)
    node = &nodes_[along(square, node->axis) < node->cut ? node->below : node->above];
  return node->rank;
}

void Partition::mark_owners(const Columns::Column& low, const Columns::Column& high,
                            std::span<char> marks) const {
  const Columns::Column first{low.x >> 1, low.y >> 1}, last{high.x >> 1, high.y >> 1};
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
