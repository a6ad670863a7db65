#include "tactus/fit/decomposition/solid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tactus/bvh/point_query.hpp"
#include "tactus/core.hpp"
#include "tactus/math.hpp"
#include "tactus/mesh/surface/clean_mesh.hpp"
#include "tactus/mesh/surface/topology.hpp"

namespace tactus::detail::fit {
namespace {

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

// Longest edge of a piece of the outer surface, and how far beside it inside is asked; of the unit.
constexpr double kPiece = 0.05;
constexpr double kBeside = 1e-4;
// Pieces per triangle are bounded by the recursion's depth.
constexpr int kMostCuts = 20;

// Turns that take the z axis to the corners of a cube, nearly: no direction lies in a plane of the
// axes, where modelled surfaces are edge on.
constexpr Quat kTurns[] = {{1.0, 0.45, 0.31, 0.07},  {1.0, -0.45, 0.29, 0.11},
                           {1.0, 0.43, -0.33, 0.13}, {1.0, -0.47, -0.31, 0.17},
                           {0.45, 1.0, 0.37, 0.19},  {0.43, -1.0, 0.31, 0.23},
                           {0.31, 0.41, 1.0, 0.29},  {0.29, -0.43, 1.0, 0.31}};

struct Turned {
  Mat3 rotation;
  TriangleMesh mesh;
  Tree tree;
  Turned(const TriangleMesh& source, const Mat3& turn)
      : rotation(turn), mesh(rotated(source, turn)), tree(mesh) {}

  static TriangleMesh rotated(TriangleMesh mesh, const Mat3& turn) {
    for (Vec3& v : mesh.vertices) v = turn * v;
    return mesh;
  }
};

TriangleMesh cleaned(TriangleMesh mesh) {
  validate(mesh);
  clean_mesh(mesh);
  if (mesh.triangles.empty()) throw InvalidInput("triangles", "none has an area");
  return mesh;
}

}  // namespace

struct Solid::Data {
  explicit Data(const TriangleMesh& source) : mesh(cleaned(source)), tree(mesh) {
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& v : mesh.vertices) {
      low = component_min(low, v);
      high = component_max(high, v);
    }
    unit = 0.5 * max_abs(high - low);
    closed = make_topology(mesh).has_winding();
    if (closed) return;
    for (const Quat& turn : kTurns) {
      turned.push_back(std::make_unique<Turned>(mesh, to_matrix(turn)));
    }
  }

  bool inside(const Vec3& p) const {
    const bvh::Winding first = bvh::winding_at({mesh, tree}, p);
    if (closed || first.on_surface) return first.number != 0 || first.on_surface;
    int sum = first.number;
    for (const auto& t : turned) sum += bvh::winding_at({t->mesh, t->tree}, t->rotation * p).number;
    return 2 * std::abs(sum) > 1 + static_cast<int>(turned.size());
  }

  // Cuts a triangle at its longest edge until that is short; keeps the pieces that are not inside.
  void add_outer(const Vec3& a, const Vec3& b, const Vec3& c, int cuts, TriangleMesh& out) const {
    const double ab = squared_norm(b - a), bc = squared_norm(c - b), ca = squared_norm(a - c);
    const double longest = std::max(ab, std::max(bc, ca));
    if (cuts < kMostCuts && longest > kPiece * kPiece * unit * unit) {
      const Vec3& p = longest == ab ? a : (longest == bc ? b : c);
      const Vec3& q = longest == ab ? b : (longest == bc ? c : a);
      const Vec3& r = longest == ab ? c : (longest == bc ? a : b);
      const Vec3 middle = (p + q) * 0.5;
      add_outer(p, middle, r, cuts + 1, out);
      add_outer(middle, q, r, cuts + 1, out);
      return;
    }
    const Vec3 center = ((a + b) + c) / 3.0;
    const Vec3 step = normalized(cross(b - a, c - a)) * (kBeside * unit);
    if (inside(center + step) && inside(center - step)) return;
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    out.vertices.insert(out.vertices.end(), {a, b, c});
    out.triangles.push_back({first, first + 1, first + 2});
  }

  void find_outer() {
    constexpr std::size_t kGrain = 64;
    std::vector<TriangleMesh> chunks((mesh.triangles.size() + kGrain - 1) / kGrain);
    parallel_for(mesh.triangles.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        const auto& corner = mesh.triangles[t];
        add_outer(mesh.vertices[corner[0]], mesh.vertices[corner[1]], mesh.vertices[corner[2]], 0,
                  chunks[begin / kGrain]);
      }
    });
    for (const TriangleMesh& chunk : chunks) {
      const auto first = static_cast<std::uint32_t>(outer.vertices.size());
      outer.vertices.insert(outer.vertices.end(), chunk.vertices.begin(), chunk.vertices.end());
      for (const auto& [a, b, c] : chunk.triangles)
        outer.triangles.push_back({first + a, first + b, first + c});
    }
    // A surface all within itself does not exist but for rounding.
    if (outer.triangles.empty()) outer = mesh;
  }

  TriangleMesh mesh;
  Tree tree;
  std::vector<std::unique_ptr<const Turned>> turned;
  TriangleMesh outer;
  double unit = 1.0;
  bool closed = false;
};

Solid::Solid(const TriangleMesh& mesh) {
  auto data = std::make_unique<Data>(mesh);
  data->find_outer();
  data_ = std::move(data);
}
Solid::~Solid() = default;

const TriangleMesh& Solid::mesh() const { return data_->mesh; }
bvh::MeshView Solid::view() const { return {data_->mesh, data_->tree}; }
double Solid::unit() const { return data_->unit; }
bool Solid::closed() const { return data_->closed; }
bool Solid::inside(const Vec3& p) const { return data_->inside(p); }
const TriangleMesh& Solid::outer_surface() const { return data_->outer; }

double Solid::outside_by(const Vec3& p) const {
  return data_->inside(p) ? 0.0 : bvh::nearest_point(view(), p).distance;
}

DistanceGrid::DistanceGrid(const Solid& solid, int nodes_along_longest, int threads,
                           const std::atomic<bool>* cancel) {
  Vec3 low = solid.mesh().vertices[0], high = low;
  for (const Vec3& v : solid.mesh().vertices) {
    low = component_min(low, v);
    high = component_max(high, v);
  }
  step_ = 2.0 * solid.unit() / (nodes_along_longest - 1);
  lower_ = low;
  for (int k = 0; k < 3; ++k)
    count_[k] = 2 + static_cast<int>(std::floor((high[k] - low[k]) / step_));
  const std::size_t row = static_cast<std::size_t>(count_[0]);
  const std::size_t rows = static_cast<std::size_t>(count_[1]) * count_[2];
  value_.resize(row * rows);
  parallel_for(
      rows, 4,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
          if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) return;
          const std::size_t layer = r / count_[1];
          const auto y = static_cast<double>(r % count_[1]);
          const auto z = static_cast<double>(layer);
          double known = 0.0;
          for (std::size_t x = 0; x < row; ++x) {
            const Vec3 p = lower_ + Vec3{static_cast<double>(x), y, z} * step_;
            // The neighbour's distance bounds this one: the search starts with it.
            const double bound =
                x == 0 ? std::numeric_limits<double>::infinity() : known + 1.01 * step_;
            known = bvh::nearest_point(solid.view(), p, bound).distance;
            // The sign cannot have changed where the surface is farther than a step.
            const bool same = x > 0 && known > 1.01 * step_;
            const bool in = same ? value_[r * row + x - 1] < 0.0f : solid.inside(p);
            value_[r * row + x] = static_cast<float>(in ? -known : known);
          }
        }
      },
      threads);
}

// Nodes outside from which a way leads to the rim of the grid.
std::vector<bool> DistanceGrid::reached_from_rim() const {
  const int nx = count_[0], ny = count_[1], nz = count_[2];
  std::vector<bool> reached(value_.size());
  std::vector<std::array<int, 3>> open;
  const auto visit = [&](int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return;
    const std::size_t i = place(x, y, z);
    if (reached[i] || value_[i] <= 0.0f) return;
    reached[i] = true;
    open.push_back({x, y, z});
  };
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        if (x == 0 || y == 0 || z == 0 || x + 1 == nx || y + 1 == ny || z + 1 == nz) visit(x, y, z);
      }
    }
  }
  while (!open.empty()) {
    const auto [x, y, z] = open.back();
    open.pop_back();
    for (const int step : {-1, 1}) {
      visit(x + step, y, z);
      visit(x, y + step, z);
      visit(x, y, z + step);
    }
  }
  return reached;
}

std::vector<DistanceGrid::Peak> DistanceGrid::enclosed_peaks() const {
  const std::vector<bool> reached = reached_from_rim();
  std::vector<Peak> peaks;
  const auto highest = [&](int x, int y, int z) {
    for (int i = 0; i < 27; ++i) {
      if (value_[place(x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1)] > value_[place(x, y, z)])
        return false;
    }
    return true;
  };
  for (int z = 1; z + 1 < count_[2]; ++z) {
    for (int y = 1; y + 1 < count_[1]; ++y) {
      for (int x = 1; x + 1 < count_[0]; ++x) {
        const std::size_t i = place(x, y, z);
        if (value_[i] <= 0.0f || reached[i] || !highest(x, y, z)) continue;
        const Vec3 node{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        peaks.push_back({lower_ + node * step_, static_cast<double>(value_[i])});
      }
    }
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.distance > b.distance; });
  return peaks;
}

double DistanceGrid::at(const Vec3& p) const {
  const Vec3 q = (p - lower_) / step_;
  std::size_t base[3];
  double part[3];
  for (int k = 0; k < 3; ++k) {
    const double x = std::min(std::max(q[k], 0.0), static_cast<double>(count_[k] - 1));
    const double whole = std::min(std::floor(x), static_cast<double>(count_[k] - 2));
    base[k] = static_cast<std::size_t>(whole);
    part[k] = x - whole;
  }
  const std::size_t row = static_cast<std::size_t>(count_[0]);
  const std::size_t layer = row * static_cast<std::size_t>(count_[1]);
  const float* corner = value_.data() + base[2] * layer + base[1] * row + base[0];
  const auto along = [&](const float* at) {
    return static_cast<double>(at[0]) * (1.0 - part[0]) + static_cast<double>(at[1]) * part[0];
  };
  const double lower_layer = along(corner) * (1.0 - part[1]) + along(corner + row) * part[1];
  const double upper_layer =
      along(corner + layer) * (1.0 - part[1]) + along(corner + layer + row) * part[1];
  return lower_layer * (1.0 - part[2]) + upper_layer * part[2];
}

}  // namespace tactus::detail::fit
