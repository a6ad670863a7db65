#include "tactus/rigid/event/sphere_gas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Cells hold about one sphere, and are no smaller than a sphere.
constexpr double kPerCell = 1.0;
constexpr std::int32_t kMostCells = 512;

}  // namespace

SphereGas::SphereGas(double radius, double edge, std::vector<Vec3> positions,
                     std::vector<Vec3> velocities)
    : radius_(radius), edge_(edge), velocities_(std::move(velocities)) {
  if (!(radius > 0.0) || !std::isfinite(radius))
    throw InvalidInput("radius", "must be finite and positive");
  if (!(edge >= 6.0 * radius) || !std::isfinite(edge))
    throw InvalidInput("edge", "must be finite and at least 6 radii");
  if (positions.size() != velocities_.size())
    throw InvalidInput("velocities", "must be as many as positions");
  const double count = std::max(static_cast<double>(positions.size()), 1.0);
  const double wanted = std::max(2.0 * radius * (1.0 + 1e-9),
                                 edge / std::max(std::floor(std::cbrt(count / kPerCell)), 1.0));
  cells_ = std::clamp(static_cast<std::int32_t>(std::floor(edge / wanted)), 3, kMostCells);
  cell_edge_ = edge / cells_;
  if (!(cell_edge_ >= 2.0 * radius)) throw InvalidInput("edge", "must be at least 6 radii");
  heads_.assign(static_cast<std::size_t>(cells_) * static_cast<std::size_t>(cells_) *
                    static_cast<std::size_t>(cells_),
                kNone);
  spheres_.resize(positions.size());
  heap_.resize(positions.size());
  place_.resize(positions.size());
  for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
    const Vec3& p = positions[i];
    if (!(p.x >= 0.0 && p.x < edge && p.y >= 0.0 && p.y < edge && p.z >= 0.0 && p.z < edge))
      throw InvalidInput("positions", "must lie inside the cube");
    if (!is_finite(velocities_[i])) throw InvalidInput("velocities", "must be finite");
    spheres_[i].position = p;
    spheres_[i].meets = spheres_[i].leaves = kInfinity;
    enter(i, cell_of(p));
    heap_[i] = place_[i] = i;
  }
  for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
    find_exit(i);
    predict(i);
    sift(i);
  }
}

std::uint32_t SphereGas::cell_of(const Vec3& place) const {
  const auto along = [&](double x) {
    return std::clamp(static_cast<std::int32_t>(x / cell_edge_), 0, cells_ - 1);
  };
  return static_cast<std::uint32_t>((along(place.z) * cells_ + along(place.y)) * cells_ +
                                    along(place.x));
}

void SphereGas::enter(std::uint32_t i, std::uint32_t cell) {
  Sphere& s = spheres_[i];
  s.cell = cell;
  s.before = kNone;
  s.after = heads_[cell];
  if (s.after != kNone) spheres_[s.after].before = i;
  heads_[cell] = i;
}

void SphereGas::leave(std::uint32_t i) {
  const Sphere& s = spheres_[i];
  if (s.after != kNone) spheres_[s.after].before = s.before;
  (s.before != kNone ? spheres_[s.before].after : heads_[s.cell]) = s.after;
}

void SphereGas::move(std::uint32_t i, double time) {
  Sphere& s = spheres_[i];
  s.position += velocities_[i] * (time - s.clock);
  s.clock = time;
}

double SphereGas::next(std::uint32_t i) const {
  return std::min(spheres_[i].meets, spheres_[i].leaves);
}
bool SphereGas::earlier(std::uint32_t i, std::uint32_t j) const {
  const double a = next(i), b = next(j);
  return a != b ? a < b : i < j;
}

/// Brings a sphere, whose event has changed, to its place in the heap.
void SphereGas::sift(std::uint32_t i) {
  std::size_t k = place_[i];
  const auto put = [&](std::size_t at, std::uint32_t sphere) {
    heap_[at] = sphere;
    place_[sphere] = static_cast<std::uint32_t>(at);
  };
  while (k > 0 && earlier(i, heap_[(k - 1) / 2])) {
    put(k, heap_[(k - 1) / 2]);
    k = (k - 1) / 2;
  }
  while (2 * k + 1 < heap_.size()) {
    std::size_t child = 2 * k + 1;
    if (child + 1 < heap_.size() && earlier(heap_[child + 1], heap_[child])) ++child;
    if (!earlier(heap_[child], i)) break;
    put(k, heap_[child]);
    k = child;
  }
  put(k, i);
}

/// When and where the sphere leaves its cell.
void SphereGas::find_exit(std::uint32_t i) {
  Sphere& s = spheres_[i];
  const auto n = static_cast<std::uint32_t>(cells_);
  const std::uint32_t at[3] = {s.cell % n, s.cell / n % n, s.cell / (n * n)};
  s.leaves = kInfinity;
  for (int axis = 0; axis < 3; ++axis) {
    const double v = velocities_[i][axis];
    if (v == 0.0) continue;
    const double wall = (at[axis] + (v > 0.0 ? 1 : 0)) * cell_edge_;
    const double time = s.clock + std::max((wall - s.position[axis]) / v, 0.0);
    if (time < s.leaves) {
      s.leaves = time;
      s.side = static_cast<std::int8_t>(v > 0.0 ? axis + 1 : -axis - 1);
    }
  }
}

/// The next collision with the spheres of a cell, if it is earlier than what is known.
void SphereGas::predict_with(std::uint32_t i, std::uint32_t cell) {
  Sphere& s = spheres_[i];
  const double half = 0.5 * edge_, reach = 2.0 * radius_;
  for (std::uint32_t j = heads_[cell]; j != kNone; j = spheres_[j].after) {
    if (j == i) continue;
    const Sphere& other = spheres_[j];
    const Vec3 v = velocities_[j] - velocities_[i];
    Vec3 r = (other.position - s.position) + velocities_[j] * (s.clock - other.clock);
    for (int axis = 0; axis < 3; ++axis) {
      if (r[axis] > half) r[axis] -= edge_;
      if (r[axis] < -half) r[axis] += edge_;
    }
    const double along = dot(r, v);
    if (!(along < 0.0)) continue;
    const double square = squared_norm(v);
    const double apart = squared_norm(r) - reach * reach;
    const double root = along * along - square * apart;
    if (!(root >= 0.0)) continue;
    const double time = s.clock + std::max(apart, 0.0) / (std::sqrt(root) - along);
    if (time < s.meets || (time == s.meets && j < s.partner)) {
      s.meets = time;
      s.partner = j;
      s.partner_version = other.version;
    }
  }
}

void SphereGas::predict(std::uint32_t i) {
  Sphere& s = spheres_[i];
  s.meets = kInfinity;
  s.partner = kNone;
  const std::int32_t n = cells_;
  const auto cell = static_cast<std::int32_t>(s.cell);
  const std::int32_t at[3] = {cell % n, cell / n % n, cell / (n * n)};
  std::int32_t near[3][3];
  for (int axis = 0; axis < 3; ++axis) {
    for (std::int32_t k = 0; k < 3; ++k) near[axis][k] = (at[axis] + k - 1 + n) % n;
  }
  for (const std::int32_t z : near[2]) {
    for (const std::int32_t y : near[1]) {
      for (const std::int32_t x : near[0])
        predict_with(i, static_cast<std::uint32_t>((z * n + y) * n + x));
    }
  }
}

/// Into the next cell; beyond its far side there are spheres that it did not know of.
void SphereGas::cross(std::uint32_t i) {
  Sphere& s = spheres_[i];
  ++crossings_;
  move(i, s.leaves);
  const std::int32_t n = cells_;
  const auto cell = static_cast<std::int32_t>(s.cell);
  std::int32_t at[3] = {cell % n, cell / n % n, cell / (n * n)};
  const int axis = std::abs(s.side) - 1;
  const std::int32_t step = s.side > 0 ? 1 : -1;
  at[axis] += step;
  s.position[axis] = (at[axis] + (step > 0 ? 0 : 1)) * cell_edge_;
  if (at[axis] < 0 || at[axis] >= n) {
    at[axis] -= step * n;
    s.position[axis] = step > 0 ? 0.0 : edge_;
  }
  leave(i);
  enter(i, static_cast<std::uint32_t>((at[2] * n + at[1]) * n + at[0]));
  find_exit(i);
  std::int32_t near[3];
  near[axis] = (at[axis] + step + n) % n;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (std::int32_t k = -1; k <= 1; ++k) {
    near[u] = (at[u] + k + n) % n;
    for (std::int32_t l = -1; l <= 1; ++l) {
      near[v] = (at[v] + l + n) % n;
      predict_with(i, static_cast<std::uint32_t>((near[2] * n + near[1]) * n + near[0]));
    }
  }
  sift(i);
}

void SphereGas::collide(std::uint32_t i, std::uint32_t j) {
  const double time = spheres_[i].meets;
  move(i, time);
  move(j, time);
  Vec3 r = spheres_[j].position - spheres_[i].position;
  for (int axis = 0; axis < 3; ++axis) {
    if (r[axis] > 0.5 * edge_) r[axis] -= edge_;
    if (r[axis] < -0.5 * edge_) r[axis] += edge_;
  }
  const Vec3 push = r * (dot(r, velocities_[j] - velocities_[i]) / squared_norm(r));
  velocities_[i] += push;
  velocities_[j] -= push;
  ++collisions_;
  for (const std::uint32_t k : {i, j}) {
    ++spheres_[k].version;
    find_exit(k);
  }
  for (const std::uint32_t k : {i, j}) {
    predict(k);
    sift(k);
  }
}

void SphereGas::advance(double time) {
  while (!heap_.empty()) {
    const std::uint32_t i = heap_[0];
    Sphere& s = spheres_[i];
    if (!(next(i) < time)) break;
    if (s.leaves < s.meets) {
      cross(i);
    } else if (spheres_[s.partner].version == s.partner_version) {
      collide(i, s.partner);
    } else {
      move(i, s.meets);
      predict(i);
      sift(i);
    }
  }
  time_ = std::max(time_, time);
}

Vec3 SphereGas::position(std::size_t sphere) const {
  const Sphere& s = spheres_[sphere];
  return s.position + velocities_[sphere] * (time_ - s.clock);
}

double SphereGas::energy() const {
  double sum = 0.0, carried = 0.0;
  for (const Vec3& v : velocities_) {
    const double term = 0.5 * squared_norm(v) - carried;
    const double next = sum + term;
    carried = (next - sum) - term;
    sum = next;
  }
  return sum;
}

}  // namespace tactus::detail
