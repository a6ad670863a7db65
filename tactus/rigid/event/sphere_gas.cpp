#include "tactus/rigid/event/sphere_gas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

// Cells hold about one sphere, and are no smaller than a sphere.
constexpr double kPerCell = 1.0;
constexpr std::int32_t kMostCells = 512;

/// From a place to its image that is nearest to the origin.
Vec3 nearest_image(Vec3 r, double edge) {
  for (int axis = 0; axis < 3; ++axis) r[axis] = -edge * std::floor(r[axis] / edge + 0.5);
  return r;
}

Vec3 place_in_cube(Vec3 place, double edge) {
  for (int axis = 0; axis < 3; ++axis) {
    place[axis] -= edge * std::floor(place[axis] / edge);
    if (!(place[axis] < edge)) place[axis] = 0.0;
  }
  return place;
}

}  // namespace

SphereGas::SphereGas(double radius, double edge, std::vector<Vec3> positions,
                     std::vector<Vec3> velocities)
    : radius_(radius), edge_(edge) {
  if (!(radius > 0.0) || !std::isfinite(radius))
    throw InvalidInput("radius", "must be finite and positive");
  if (!(edge >= 6.0 * radius) || !std::isfinite(edge))
    throw InvalidInput("edge", "must be finite and at least 6 radii");
  if (positions.size() != velocities.size())
    throw InvalidInput("velocities", "must be as many as positions");
  spheres_.resize(positions.size());
  for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
    const Vec3& p = positions[i];
    if (!(p.x >= 0.0 && p.x < edge && p.y >= 0.0 && p.y < edge && p.z >= 0.0 && p.z < edge))
      throw InvalidInput("positions", "must lie inside the cube");
    if (!is_finite(velocities[i])) throw InvalidInput("velocities", "must be finite");
    spheres_[i].id = i;
    spheres_[i].flight = {p, velocities[i], 0.0};
  }
  start(spheres_.size());
}

SphereGas::SphereGas(double radius, double edge, std::size_t count, double time,
                     std::span<const Member> members)
    : radius_(radius), edge_(edge), time_(time), start_(time), part_(true) {
  spheres_.resize(members.size());
  for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
    spheres_[i].id = members[i].id;
    spheres_[i].flight = members[i].flight;
    spheres_[i].own = members[i].own;
  }
  start(count);
}

/// Finds the first events; `count`: spheres of the whole gas.
void SphereGas::start(std::size_t count) {
  const double wanted =
      std::max(2.0 * radius_ * (1.0 + 1e-9),
               edge_ / std::max(std::floor(std::cbrt(static_cast<double>(count) / kPerCell)), 1.0));
  cells_ = std::clamp(static_cast<std::int32_t>(std::floor(edge_ / wanted)), 3, kMostCells);
  cell_edge_ = edge_ / cells_;
  if (!(cell_edge_ >= 2.0 * radius_)) throw InvalidInput("edge", "must be at least 6 radii");
  const auto n = static_cast<std::size_t>(cells_);
  heads_.assign(n * n * n, kNone);
  heap_.resize(spheres_.size());
  place_.resize(spheres_.size());
  for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
    spheres_[i].meets = spheres_[i].leaves = kInfinity;
    spheres_[i].cell = cell_at(position(i));
    enter(i);
    heap_[i] = place_[i] = i;
  }
  for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
    find_exit(i, start_);
    predict(i, start_);
    sift(i);
  }
}

/// Cells go round.
std::size_t SphereGas::head_of(const Cell& cell) const {
  std::size_t index = 0;
  for (int axis = 2; axis >= 0; --axis) {
    const std::int32_t along = cell[static_cast<std::size_t>(axis)] % cells_;
    index = index * static_cast<std::size_t>(cells_) +
            static_cast<std::size_t>(along < 0 ? along + cells_ : along);
  }
  return index;
}

SphereGas::Cell SphereGas::cell_at(const Vec3& place) const {
  Cell cell;
  for (int axis = 0; axis < 3; ++axis)
    cell[static_cast<std::size_t>(axis)] =
        static_cast<std::int32_t>(std::floor(place[axis] / cell_edge_));
  return cell;
}

void SphereGas::enter(std::uint32_t i) {
  Sphere& s = spheres_[i];
  std::uint32_t& head = heads_[head_of(s.cell)];
  s.before = kNone;
  s.after = head;
  if (s.after != kNone) spheres_[s.after].before = i;
  head = i;
}

void SphereGas::leave(std::uint32_t i) {
  const Sphere& s = spheres_[i];
  if (s.after != kNone) spheres_[s.after].before = s.before;
  (s.before != kNone ? spheres_[s.before].after : heads_[head_of(s.cell)]) = s.after;
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

/// When and where the sphere leaves its cell, not before now.
void SphereGas::find_exit(std::uint32_t i, double now) {
  Sphere& s = spheres_[i];
  const SphereFlight& f = s.flight;
  s.leaves = kInfinity;
  for (int axis = 0; axis < 3; ++axis) {
    const double v = f.velocity[axis];
    if (v == 0.0) continue;
    const double wall = (s.cell[static_cast<std::size_t>(axis)] + (v > 0.0 ? 1 : 0)) * cell_edge_;
    const double time = std::max(f.clock + (wall - f.position[axis]) / v, now);
    if (time < s.leaves) {
      s.leaves = time;
      s.side = static_cast<std::int8_t>(v > 0.0 ? axis + 1 : -axis - 1);
    }
  }
}

/// From one sphere to the image of the other that is nearest now, at a time.
Vec3 SphereGas::between(std::uint32_t i, std::uint32_t j, double time, double now) const {
  const SphereFlight &a = spheres_[i].flight, &b = spheres_[j].flight;
  const Vec3 image = nearest_image(b.at(now) - a.at(now), edge_);
  return ((b.position - a.position) + image) +
         (b.velocity * (time - b.clock) - a.velocity * (time - a.clock));
}

/// When two spheres meet, to the same bits whoever asks, and when; infinity if they do not.
double SphereGas::meeting(std::uint32_t i, std::uint32_t j, double now) const {
  const double reach = 2.0 * radius_;
  const double clock = std::max(spheres_[i].flight.clock, spheres_[j].flight.clock);
  const Vec3 r = between(i, j, clock, now);
  const Vec3 v = spheres_[j].flight.velocity - spheres_[i].flight.velocity;
  const double along = dot(r, v);
  if (!(along < 0.0)) return kInfinity;
  const double apart = squared_norm(r) - reach * reach;
  const double root = along * along - squared_norm(v) * apart;
  if (!(root >= 0.0)) return kInfinity;
  return clock + std::max(apart, 0.0) / (std::sqrt(root) - along);
}

/// The next collision with the spheres of a cell, if it is earlier than what is known.
void SphereGas::predict_with(std::uint32_t i, const Cell& cell, double now) {
  Sphere& s = spheres_[i];
  for (std::uint32_t j = heads_[head_of(cell)]; j != kNone; j = spheres_[j].after) {
    const Sphere& other = spheres_[j];
    // Collisions of others are told.
    if (j == i || !(s.own || other.own)) continue;
    const double time = meeting(i, j, now);
    if (time < s.meets || (time == s.meets && j < s.partner)) {
      s.meets = time;
      s.partner = j;
      s.partner_version = other.version;
    }
  }
}

void SphereGas::predict(std::uint32_t i, double now) {
  Sphere& s = spheres_[i];
  s.meets = kInfinity;
  s.partner = kNone;
  for (std::int32_t step = -1; step <= 1; ++step) predict_beyond(i, 2, step, now);
}

/// With the spheres in the nine cells of a layer beside the sphere's own cell.
void SphereGas::predict_beyond(std::uint32_t i, int axis, std::int32_t step, double now) {
  const auto along = static_cast<std::size_t>(axis);
  const std::size_t u = (along + 1) % 3, v = (along + 2) % 3;
  Cell cell = spheres_[i].cell;
  cell[along] += step;
  const Cell middle = cell;
  for (std::int32_t k = -1; k <= 1; ++k) {
    cell[u] = middle[u] + k;
    for (std::int32_t l = -1; l <= 1; ++l) {
      cell[v] = middle[v] + l;
      predict_with(i, cell, now);
    }
  }
}

/// Into the next cell; beyond its far side there are spheres that it did not know of.
void SphereGas::cross(std::uint32_t i) {
  Sphere& s = spheres_[i];
  ++crossings_;
  const double now = s.leaves;
  const int axis = std::abs(s.side) - 1;
  const std::int32_t step = s.side > 0 ? 1 : -1;
  leave(i);
  s.cell[static_cast<std::size_t>(axis)] += step;
  enter(i);
  find_exit(i, now);
  predict_beyond(i, axis, step, now);
  sift(i);
}

/// A sphere flies otherwise from now on.
void SphereGas::fly_on(std::uint32_t i, const SphereFlight& flight) {
  Sphere& s = spheres_[i];
  s.way += norm(s.flight.velocity) * (flight.clock - std::max(s.flight.clock, start_));
  leave(i);
  s.flight = flight;
  s.cell = cell_at(flight.position);
  enter(i);
  ++s.version;
  find_exit(i, flight.clock);
}

void SphereGas::collide(std::uint32_t i, std::uint32_t j) {
  const double time = spheres_[i].meets;
  const Vec3 r = between(i, j, time, time);
  const Vec3 u = spheres_[i].flight.velocity, v = spheres_[j].flight.velocity;
  const Vec3 push = r * (dot(r, v - u) / squared_norm(r));
  const auto flight_of = [&](std::uint32_t k, const Vec3& velocity) {
    return SphereFlight{place_in_cube(spheres_[k].flight.at(time), edge_), velocity, time};
  };
  const SphereFlight first = flight_of(i, u + push), second = flight_of(j, v - push);
  // A collision of two ranks is counted by one of them.
  if (spheres_[std::min(i, j)].own) ++collisions_;
  for (const auto& [k, partner, flight] : {std::tuple(i, j, first), std::tuple(j, i, second)}) {
    fly_on(k, flight);
    if (part_ && spheres_[k].own)
      found_.push_back({time, spheres_[k].id, spheres_[partner].id, flight});
  }
  for (const std::uint32_t k : {i, j}) {
    predict(k, time);
    sift(k);
  }
}

/// A collision of a sphere near by; one with an own sphere is found here.
void SphereGas::take(const Collision& told) {
  const auto find = [&](std::uint32_t id) {
    return std::lower_bound(spheres_.begin(), spheres_.end(), id,
                            [](const Sphere& s, std::uint32_t wanted) { return s.id < wanted; });
  };
  const auto partner = find(told.partner), sphere = find(told.sphere);
  if (partner != spheres_.end() && partner->id == told.partner && partner->own) return;
  const auto i = static_cast<std::uint32_t>(sphere - spheres_.begin());
  fly_on(i, told.after);
  predict(i, told.time);
  sift(i);
}

void SphereGas::advance(double time) {
  while (!heap_.empty()) {
    const std::uint32_t i = heap_[0];
    Sphere& s = spheres_[i];
    const double event = next(i);
    if (!told_.empty() && told_.front().time <= event && told_.front().time < time) {
      take(told_.front());
      told_ = told_.subspan(1);
      continue;
    }
    if (!(event < time)) break;
    if (s.leaves < s.meets) {
      cross(i);
    } else if (spheres_[s.partner].version == s.partner_version) {
      collide(i, s.partner);
    } else {
      predict(i, s.meets);
      sift(i);
    }
  }
  time_ = std::max(time_, time);
}

double SphereGas::longest_way() const {
  double longest = 0.0;
  for (const Sphere& s : spheres_)
    if (s.own)
      longest = std::max(
          longest, s.way + norm(s.flight.velocity) * (time_ - std::max(s.flight.clock, start_)));
  return longest;
}

std::vector<Vec3> SphereGas::velocities() const {
  std::vector<Vec3> result;
  result.reserve(spheres_.size());
  for (const Sphere& s : spheres_) result.push_back(s.flight.velocity);
  return result;
}

double SphereGas::energy() const { return energy_of(velocities()); }

double energy_of(std::span<const Vec3> velocities) {
  double sum = 0.0, carried = 0.0;
  for (const Vec3& v : velocities) {
    const double term = 0.5 * squared_norm(v) - carried;
    const double next = sum + term;
    carried = (next - sum) - term;
    sum = next;
  }
  return sum;
}

}  // namespace tactus::detail
