#include "tactus/bvh/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tactus/core.hpp"
#include "tactus/core/cancellation.hpp"
#include "tactus/core/hash.hpp"

namespace tactus::detail::bvh {
namespace {

// Subtrees up to this size are built by one thread.
constexpr std::size_t kGrain = 4096;
constexpr std::size_t kPassGrain = 8192;
// Sweeps of the diagonalisation: axes that are not quite principal cost a little tightness, no
// more.
constexpr int kSweeps = 2;

// Zeroth to second moments of a triangle's surface; lengths of a degenerate one stand in for its
// area.
struct Moments {
  double area = 0.0;
  Vec3 first;
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;

  Moments& operator+=(const Moments& m) {
    area += m.area;
    first += m.first;
    xx += m.xx;
    xy += m.xy;
    xz += m.xz;
    yy += m.yy;
    yz += m.yz;
    zz += m.zz;
    return *this;
  }
};

Moments moments_of(const Vec3* corner) {
  Moments m;
  m.area = norm(cross(corner[1] - corner[0], corner[2] - corner[0]));
  const Vec3 sum = corner[0] + corner[1] + corner[2];
  m.first = sum * (m.area / 3.0);
  const double weight = m.area / 12.0;
  const auto add = [&](const Vec3& p, double w) {
    m.xx += w * (p.x * p.x);
    m.xy += w * (p.x * p.y);
    m.xz += w * (p.x * p.z);
    m.yy += w * (p.y * p.y);
    m.yz += w * (p.y * p.z);
    m.zz += w * (p.z * p.z);
  };
  for (int i = 0; i < 3; ++i) add(corner[i], weight);
  add(sum, weight);
  return m;
}

// A part that is much smaller makes a deep tree: a split never leaves less than this, or half.
bool is_even(std::size_t left, std::size_t count) {
  const std::size_t least = count / 16 + 1;
  return left >= least && count - left >= least;
}

// One rotation of Jacobi's method in the plane of axes p and q; `axis` are the rows.
void rotate(double a[3][3], Vec3 axis[3], int p, int q) {
  if (a[p][q] == 0.0) return;
  const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
  const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  const double s = t * c;
  const int r = 3 - p - q;
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  a[p][q] = a[q][p] = 0.0;
  const double rp = a[r][p], rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  const Vec3 u = axis[p], v = axis[q];
  axis[p] = u * c - v * s;
  axis[q] = u * s + v * c;
}

// Principal axes as rows, the longest first. A range without area: those of the frame.
Mat3 principal_axes(const Moments& m) {
  Vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  if (!(m.area > 0.0)) return {{axis[0], axis[1], axis[2]}};
  const Vec3 c = m.first / m.area;
  double a[3][3];
  a[0][0] = m.xx - m.first.x * c.x;
  a[1][1] = m.yy - m.first.y * c.y;
  a[2][2] = m.zz - m.first.z * c.z;
  a[0][1] = a[1][0] = m.xy - m.first.x * c.y;
  a[0][2] = a[2][0] = m.xz - m.first.x * c.z;
  a[1][2] = a[2][1] = m.yz - m.first.y * c.z;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    rotate(a, axis, 0, 1);
    rotate(a, axis, 0, 2);
    rotate(a, axis, 1, 2);
  }
  int order[3] = {0, 1, 2};
  if (a[order[0]][order[0]] < a[order[1]][order[1]]) std::swap(order[0], order[1]);
  if (a[order[1]][order[1]] < a[order[2]][order[2]]) std::swap(order[1], order[2]);
  if (a[order[0]][order[0]] < a[order[1]][order[1]]) std::swap(order[0], order[1]);
  return {{axis[order[0]], axis[order[1]], axis[order[2]]}};
}

// A triangle's own axes: its longest edge, across it, and its normal.
Mat3 triangle_axes(const Vec3* corner) {
  Vec3 edge = corner[1] - corner[0];
  for (int i = 1; i < 3; ++i) {
    const Vec3 other = corner[(i + 1) % 3] - corner[i];
    if (squared_norm(other) > squared_norm(edge)) edge = other;
  }
  const Vec3 x = normalized(edge);
  const Vec3 z =
      normalized(cross(corner[1] - corner[0], corner[2] - corner[0]), any_perpendicular(x));
  // A sliver's normal is only nearly perpendicular.
  const Vec3 y = normalized(cross(z, x), any_perpendicular(x));
  return {{x, y, cross(x, y)}};
}

template <class Volume>
class Builder {
 public:
  // `refit`: the tree stands, its volumes are made anew.
  Builder(const TriangleMesh& mesh, const Vec3& middle, SplitRule rule, bool refit,
          std::vector<Volume>& nodes, std::vector<std::uint32_t>& items)
      : rule_(rule), refit_(refit), nodes_(nodes), items_(items) {
    const std::size_t count = mesh.triangles.size();
    corners_.resize(3 * count);
    moments_.resize(count);
    parallel_for(count, kPassGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
          corners_[3 * i + k] = mesh.vertices[mesh.triangles[i][k]] - middle;
        moments_[i] = moments_of(&corners_[3 * i]);
      }
    });
  }

  // The upper levels one after the other, then all subtrees at the same time: each has its place.
  void run() {
    std::vector<Range> open{{0, 0, items_.size()}};
    std::vector<Range> small;
    while (!open.empty()) {
      end_if_cancelled();
      const Range range = open.back();
      open.pop_back();
      if (range.count <= kGrain) {
        small.push_back(range);
        continue;
      }
      const std::size_t left = make_inner(range);
      open.push_back(left_of(range, left));
      open.push_back(right_of(range, left));
    }
    parallel_for(small.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) build(small[i]);
    });
  }

 private:
  struct Range {
    std::uint32_t node;
    std::size_t first, count;
  };
  static Range left_of(const Range& r, std::size_t left) { return {r.node + 1, r.first, left}; }
  static Range right_of(const Range& r, std::size_t left) {
    return {static_cast<std::uint32_t>(r.node + 2 * left), r.first + left, r.count - left};
  }

  void build(Range range) {
    // Depth first, the larger part later: the stack holds as many ranges as the tree is deep at
    // most by halves.
    std::vector<Range> open{range};
    while (!open.empty()) {
      range = open.back();
      open.pop_back();
      if (range.count == 1) {
        const std::uint32_t triangle = items_[range.first];
        fit(range, triangle_axes(&corners_[3 * std::size_t{triangle}]));
        nodes_[range.node].link = triangle | Hierarchy<Volume>::kLeaf;
        continue;
      }
      const std::size_t left = make_inner(range);
      open.push_back(right_of(range, left));
      open.push_back(left_of(range, left));
    }
  }

  void fit(const Range& range, const Mat3& axes) {
    PointRange points;
    points.corners = corners_.data();
    points.items = items_.data() + range.first;
    points.count = range.count;
    points.axes = axes;
    nodes_[range.node] = Volume::fit(points);
  }

  double along(const Vec3& axis, std::uint32_t triangle) const {
    const Vec3* corner = &corners_[3 * std::size_t{triangle}];
    return dot(axis, corner[0]) + dot(axis, corner[1]) + dot(axis, corner[2]);
  }

  // Triangles below `at` to the front, from both ends towards the middle; their number.
  std::size_t part(std::uint32_t* items, std::size_t count, const Vec3& axis, double at) const {
    std::size_t low = 0, high = count;
    while (true) {
      while (low < high && along(axis, items[low]) < at) ++low;
      while (low < high && !(along(axis, items[high - 1]) < at)) --high;
      if (low >= high) return low;
      std::swap(items[low], items[high - 1]);
    }
  }

  // Fits the node and parts its triangles, or finds them parted; the number of those on the left.
  std::size_t make_inner(const Range& range) {
    std::uint32_t* const first = items_.data() + range.first;
    Moments sum;
    for (std::size_t i = 0; i < range.count; ++i) sum += moments_[first[i]];
    const Mat3 axes = principal_axes(sum);
    const std::uint32_t link = nodes_[range.node].link;
    fit(range, axes);
    if (refit_) {
      nodes_[range.node].link = link;
      return (link - range.node) / 2;
    }
    const Vec3& axis = axes.row[0];
    std::size_t left = 0;
    if (rule_ != SplitRule::median) {
      double at = 0.0;
      if (rule_ == SplitRule::mean && sum.area > 0.0) {
        at = 3.0 * (dot(axis, sum.first) / sum.area);
      } else {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (std::size_t i = 0; i < range.count; ++i) {
          const double x = along(axis, first[i]);
          low = std::min(low, x);
          high = std::max(high, x);
        }
        at = 0.5 * (low + high);
      }
      left = part(first, range.count, axis, at);
    }
    if (!is_even(left, range.count)) {
      left = range.count / 2;
      // Sorted: where the library's selection would leave the order within the halves open.
      std::sort(first, first + range.count, [&](std::uint32_t s, std::uint32_t t) {
        const double x = along(axis, s), y = along(axis, t);
        return x < y || (x == y && s < t);
      });
    }
    nodes_[range.node].link = static_cast<std::uint32_t>(range.node + 2 * left);
    return left;
  }

  SplitRule rule_;
  bool refit_;
  std::vector<Volume>& nodes_;
  std::vector<std::uint32_t>& items_;
  std::vector<Vec3> corners_;
  std::vector<Moments> moments_;
};

}  // namespace

template <class Volume>
void Hierarchy<Volume>::find_middle(const TriangleMesh& mesh) {
  Vec3 low = mesh.vertices[mesh.triangles[0][0]];
  Vec3 high = low;
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t index : triangle) {
      low = component_min(low, mesh.vertices[index]);
      high = component_max(high, mesh.vertices[index]);
    }
  }
  middle_ = low * 0.5 + high * 0.5;
  reach_ = norm(high * 0.5 - low * 0.5);
}

template <class Volume>
void Hierarchy<Volume>::take_fingerprint(const TriangleMesh& mesh) {
  WordHash hash;
  for (const Vec3& v : mesh.vertices) {
    for (const double x : {v.x, v.y, v.z}) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      hash.add(bits);
    }
  }
  for (const auto& t : mesh.triangles) {
    hash.add(std::uint64_t{t[0]} << 32u | t[1]);
    hash.add(t[2]);
  }
  for (const Volume& node : nodes_) hash.add(node.link);
  fingerprint_ = hash.value();
}

template <class Volume>
Hierarchy<Volume>::Hierarchy(const TriangleMesh& mesh, SplitRule rule) {
  find_middle(mesh);
  items_.resize(mesh.triangles.size());
  for (std::size_t i = 0; i < items_.size(); ++i) items_[i] = static_cast<std::uint32_t>(i);
  nodes_.resize(2 * items_.size() - 1);
  Builder<Volume>(mesh, middle_, rule, false, nodes_, items_).run();
  take_fingerprint(mesh);
}

template <class Volume>
Hierarchy<Volume>::Hierarchy(const TriangleMesh& mesh, std::vector<Volume> nodes)
    : nodes_(std::move(nodes)) {
  const std::size_t count = mesh.triangles.size();
  if (nodes_.size() != 2 * count - 1)
    throw InvalidInput("nodes", "must be " + std::to_string(2 * count - 1) + " over " +
                                    std::to_string(count) + " triangles");
  struct Range {
    std::size_t node, count;
  };
  std::vector<Range> open{{0, count}};
  std::vector<bool> seen(count, false);
  items_.reserve(count);
  while (!open.empty()) {
    const Range range = open.back();
    open.pop_back();
    const Volume& node = nodes_[range.node];
    const auto refuse = [&](const char* reason) {
      throw InvalidInput("nodes[" + std::to_string(range.node) + "]", reason);
    };
    if (range.count == 1) {
      const std::uint32_t item = triangle(node);
      if (!is_leaf(node) || item >= count) refuse("must be a leaf with a triangle of the mesh");
      if (seen[item]) refuse("has a triangle that another leaf has");
      seen[item] = true;
      items_.push_back(item);
      continue;
    }
    const std::size_t last = range.node + 2 * (range.count - 1);
    if (is_leaf(node) || node.link <= range.node || node.link > last ||
        (node.link - range.node) % 2 != 0)
      refuse("has no right child among its nodes");
    const std::size_t left = (node.link - range.node) / 2;
    if (left != range.count / 2 && !is_even(left, range.count))
      refuse("has a child that is too small");
    open.push_back({node.link, range.count - left});
    open.push_back({range.node + 1, left});
  }
  find_middle(mesh);
  take_fingerprint(mesh);
}

template <class Volume>
void Hierarchy<Volume>::refit(const TriangleMesh& mesh) {
  find_middle(mesh);
  Builder<Volume>(mesh, middle_, SplitRule::mean, true, nodes_, items_).run();
  take_fingerprint(mesh);
}

template class Hierarchy<OrientedBox>;
template class Hierarchy<AlignedBox>;
template class Hierarchy<Ball>;
template class Hierarchy<Dop14>;
template class Hierarchy<SweptRectangle>;

}  // namespace tactus::detail::bvh
