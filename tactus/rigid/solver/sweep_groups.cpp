#include "tactus/rigid/solver/sweep_groups.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tactus/rigid/solver/point_rows.hpp"

namespace tactus::detail {
namespace {

/// Overlap, relative to the size, at which a point that creeps is held: more than what the gap
/// changes by within a substep without being foreseen, so that the bodies are seen to touch.
constexpr double kHeldOverlap = 1e-7;

void set(LaneNumbers (&to)[3], std::size_t lane, const Vec3& v) {
  to[0].of[lane] = v.x;
  to[1].of[lane] = v.y;
  to[2].of[lane] = v.z;
}

void set_bit(std::uint8_t& bits, std::size_t lane, bool on) {
  const auto bit = static_cast<std::uint8_t>(1U << lane);
  bits = static_cast<std::uint8_t>(on ? bits | bit : bits & ~bit);
}

}  // namespace

void SweepGroups::clear(std::size_t patches, std::size_t lists) {
  places_.assign(patches, {});
  lists_.resize(lists);
}

/// Levels of the patches of a list. In a turn all that push come before the rest, whose levels few
/// share then; the next turn begins where its bodies are free. Patches of a level with as many
/// points share a group where they can.
void SweepGroups::find_levels(SweepList& list, Turns turns,
                              std::span<const ContactConstraint> constraints,
                              std::span<const SolverBody> bodies) {
  list.entries.clear();
  list.next.assign(bodies.size(), 0);
  std::uint32_t levels = 0;
  for (const std::span<const std::uint32_t> patches : turns) {
    std::uint32_t first = 0;
    for (const bool pushing : {true, false}) {
      std::uint32_t past = first;
      for (const std::uint32_t patch : patches) {
        const ContactConstraint& c = constraints[patch];
        if (c.pushes() != pushing) continue;
        std::uint32_t level = first;
        for (const std::uint32_t body : {c.body_a, c.body_b})
          if (bodies[body].inverse_mass > 0.0) level = std::max(level, list.next[body]);
        for (const std::uint32_t body : {c.body_a, c.body_b}) list.next[body] = level + 1;
        past = std::max(past, level + 1);
        list.entries.push_back({2 * level + (pushing ? 0 : 1), patch, c.count});
      }
      first = past;
    }
    levels = std::max(levels, first);
  }
  constexpr std::uint32_t kCounts = Manifold::kCapacity + 1;
  const auto bin_of = [](const Entry& entry) {
    return entry.level * kCounts + (kCounts - 1 - static_cast<std::uint32_t>(entry.count));
  };
  list.bins.assign(2 * static_cast<std::size_t>(levels) * kCounts + 1, 0);
  for (const Entry& entry : list.entries) ++list.bins[bin_of(entry) + 1];
  for (std::size_t i = 1; i < list.bins.size(); ++i) list.bins[i] += list.bins[i - 1];
  list.sorted.resize(list.entries.size());
  for (const Entry& entry : list.entries) list.sorted[list.bins[bin_of(entry)]++] = entry;
}

void SweepGroups::fill(std::size_t index, Turns turns,
                       std::span<const ContactConstraint> constraints,
                       std::span<const SolverBody> bodies) {
  SweepList& list = lists_[index];
  find_levels(list, turns, constraints, bodies);
  list.groups.clear();
  std::size_t points = 0, in_group = kSideBySide;
  std::uint32_t level = 0;
  bool gathered = false, driven = false;
  for (const Entry& entry : list.sorted) {
    if (in_group == kSideBySide || entry.level != level) {
      SweepGroup& group = list.groups.emplace_back();
      group.first = points;
      group.count = entry.count;
      points += static_cast<std::size_t>(entry.count);
      in_group = 0;
    }
    level = entry.level;
    SweepGroup& group = list.groups.back();
    const ContactConstraint& c = constraints[entry.patch];
    places_[entry.patch] = {static_cast<std::uint32_t>(index),
                            static_cast<std::uint32_t>(list.groups.size() - 1),
                            static_cast<std::uint32_t>(in_group)};
    group.patch[in_group] = entry.patch;
    group.body_a[in_group] = c.body_a;
    group.body_b[in_group] = c.body_b;
    set_bit(group.filled, in_group, true);
    gathered = gathered || c.gathered != 0.0;
    driven = driven || c.is_driven() || c.image_moves();
    ++in_group;
  }
  list.points.assign(points, {});
  list.creeps.clear();
  list.centers.assign(gathered ? list.groups.size() : 0, {});
  list.belts.assign(driven ? points : 0, {});
  for (SweepGroup& group : list.groups) {
    group.swept = group.filled;
    for (std::size_t lane = 0; lane < kSideBySide; ++lane) {
      if ((group.filled >> lane & 1U) != 0) {
        write(constraints[group.patch[lane]], group.patch[lane], bodies);
        continue;
      }
      // Bodies to read.
      group.body_a[lane] = group.body_a[0];
      group.body_b[lane] = group.body_b[0];
    }
  }
}

/// Room for more points: at the end of the list.
void SweepGroups::widen(SweepList& list, SweepGroup& group, int count) {
  const std::size_t first = list.points.size();
  list.points.resize(first + static_cast<std::size_t>(count));
  if (!list.creeps.empty()) list.creeps.resize(list.points.size());
  if (!list.belts.empty()) list.belts.resize(list.points.size());
  for (std::size_t k = 0; k < static_cast<std::size_t>(group.count); ++k) {
    list.points[first + k] = list.points[group.first + k];
    if (!list.creeps.empty()) list.creeps[first + k] = list.creeps[group.first + k];
    if (!list.belts.empty()) list.belts[first + k] = list.belts[group.first + k];
  }
  group.first = first;
  group.count = count;
}

void SweepGroups::write(const ContactConstraint& c, std::uint32_t patch,
                        std::span<const SolverBody> bodies) {
  const auto [list_index, group_index, lane] = places_[patch];
  SweepList& list = lists_[list_index];
  SweepGroup& group = list.groups[group_index];
  if (c.count > group.count) widen(list, group, c.count);
  group.age[lane] = c.age;
  set_bit(group.gathered, lane, c.gathered != 0.0);
  set_bit(group.resisting, lane, c.resists_turning());
  set_bit(group.creeping, lane, c.creeps);
  set_bit(group.held, lane, c.held);
  if (c.creeps) list.creeps.resize(list.points.size());
  set(group.normal, lane, c.normal);
  set(group.tangent, lane, c.tangent[0]);
  group.friction.of[lane] = c.surface.friction;
  group.push_speed.of[lane] = c.push_speed;
  group.load.of[lane] = c.load;
  if (c.gathered != 0.0) {
    list.centers.resize(list.groups.size());
    SweepCenters& centers = list.centers[group_index];
    centers.part.of[lane] = c.gathered;
    centers.size.of[lane] = c.size;
    set(centers.a, lane, c.load_center.a());
    set(centers.b, lane, c.load_center.b());
  } else if (!list.centers.empty()) {
    list.centers[group_index].part.of[lane] = 0.0;
  }
  if (c.is_driven() || c.image_moves()) list.belts.resize(list.points.size());
  double belts[Manifold::kCapacity][2] = {};
  if (!list.belts.empty()) c.find_belts(true, belts);
  const double image_speed[] = {dot(c.tangent[0], c.image_velocity),
                                dot(c.tangent[1], c.image_velocity)};
  const SolverBody &a = bodies[c.body_a], &b = bodies[c.body_b];
  set_bit(group.locked, lane, (a.locked | b.locked) != 0);
  for (int k = 0; k < group.count; ++k) {
    SweepPoint& point = list.points[group.first + static_cast<std::size_t>(k)];
    const bool there = k < c.count;
    const ContactConstraint::Point p = there ? c.points[k] : ContactConstraint::Point{};
    const PointRows rows = there ? PointRows(c, p.arm, c.friction_arm(p), a, b) : PointRows();
    set(point.arm_a, lane, p.arm.a());
    set(point.arm_b, lane, p.arm.b());
    point.gap.of[lane] = p.gap;
    point.normal_mass.of[lane] = rows.normal_mass;
    for (int i = 0; i < 3; ++i) point.friction_inverse[i].of[lane] = rows.friction_inverse[i];
    point.friction_step.of[lane] = rows.friction_step;
    if (!list.belts.empty()) {
      SweepBelts& belt = list.belts[group.first + static_cast<std::size_t>(k)];
      for (int i = 0; i < 2; ++i) belt.along[i].of[lane] = belts[k][i] + image_speed[i];
      belt.along[2].of[lane] = dot(c.normal, c.image_velocity);
    }
    // Zeros get the sign that sweeps give them.
    point.normal_impulse.of[lane] = p.normal_impulse + 0.0;
    for (int i = 0; i < 2; ++i) point.friction_impulse[i].of[lane] = p.friction_impulse[i] + 0.0;
    if (list.creeps.empty()) continue;
    SweepCreep& creep = list.creeps[group.first + static_cast<std::size_t>(k)];
    creep.overlap.of[lane] = c.held ? kHeldOverlap * c.size : 0.0;
    creep.bend.of[lane] = c.creeps ? p.bend : 0.0;
    for (int i = 0; i < 3; ++i) {
      creep.creep[i].of[lane] = c.creeps ? p.creep[i] : 0.0;
      creep.swerve[i].of[lane] = c.creeps ? p.swerve[i] : 0.0;
    }
  }
}

void SweepGroups::read(std::uint32_t patch, ContactConstraint& c) const {
  const auto [list_index, group_index, lane] = places_[patch];
  const SweepList& list = lists_[list_index];
  const SweepGroup& group = list.groups[group_index];
  c.age = group.age[lane];
  c.load = group.load.of[lane];
  if (c.gathered != 0.0) {
    const SweepCenters& centers = list.centers[group_index];
    c.load_center = both(Vec3{centers.a[0].of[lane], centers.a[1].of[lane], centers.a[2].of[lane]},
                         Vec3{centers.b[0].of[lane], centers.b[1].of[lane], centers.b[2].of[lane]});
  }
  for (int k = 0; k < c.count; ++k) {
    const SweepPoint& point = list.points[group.first + static_cast<std::size_t>(k)];
    c.points[k].normal_impulse = point.normal_impulse.of[lane];
    for (int i = 0; i < 2; ++i)
      c.points[k].friction_impulse[i] = point.friction_impulse[i].of[lane];
  }
}

bool SweepGroups::pushes(std::uint32_t patch) const {
  const auto [list_index, group_index, lane] = places_[patch];
  const SweepList& list = lists_[list_index];
  const SweepGroup& group = list.groups[group_index];
  for (int k = 0; k < group.count; ++k) {
    const SweepPoint& point = list.points[group.first + static_cast<std::size_t>(k)];
    if (point.normal_impulse.of[lane] != 0.0 || point.friction_impulse[0].of[lane] != 0.0 ||
        point.friction_impulse[1].of[lane] != 0.0)
      return true;
  }
  return false;
}

void SweepGroups::leave_out(std::uint32_t patch, bool out) {
  const auto [list_index, group_index, lane] = places_[patch];
  set_bit(lists_[list_index].groups[group_index].swept, lane, !out);
}

SweepGroups::Copy SweepGroups::save(std::uint32_t patch) const {
  const Place& place = places_[patch];
  const SweepList& list = lists_[place.list];
  Copy copy{place.list, place.group, list.groups[place.group], {}, {}, {}, {}};
  const auto save = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(copy.data.first);
    to.assign(first, first + copy.data.count);
  };
  save(list.points, copy.points);
  save(list.belts, copy.belts);
  save(list.creeps, copy.creeps);
  if (!list.centers.empty()) copy.centers = list.centers[place.group];
  return copy;
}

/// Points that were added since are left unused; centres, belts and creeps that were, become zero.
void SweepGroups::restore(const Copy& copy) {
  SweepList& list = lists_[copy.list];
  list.groups[copy.group] = copy.data;
  const auto bring_back = [&](const auto& from, auto& to) {
    if (to.empty()) return;
    const auto first = to.begin() + static_cast<std::ptrdiff_t>(copy.data.first);
    std::fill(first, first + copy.data.count, typename std::decay_t<decltype(to)>::value_type{});
    std::copy(from.begin(), from.end(), first);
  };
  bring_back(copy.points, list.points);
  bring_back(copy.belts, list.belts);
  bring_back(copy.creeps, list.creeps);
  if (!list.centers.empty()) list.centers[copy.group] = copy.centers;
}

}  // namespace tactus::detail
