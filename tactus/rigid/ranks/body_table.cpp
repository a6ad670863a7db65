#include "tactus/rigid/ranks/body_table.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "tactus/core/hash.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/exchange/parcel.hpp"

namespace tactus::detail {
namespace {

/// Tells one thing from another, and no more.
template <class T>
std::uintptr_t address_of(const T& thing) {
  return reinterpret_cast<std::uintptr_t>(&thing);
}

/// Data that shapes share are the same where they lie at the same place.
template <class Geometry>
void write(const Geometry& geometry, Parcel& parcel) {
  if constexpr (std::is_trivially_copyable_v<Geometry>) {
    parcel.add(geometry);
  } else if constexpr (std::is_same_v<Geometry, Convex>) {
    parcel.add(address_of(geometry.hull()));
  } else if constexpr (std::is_same_v<Geometry, Mesh>) {
    parcel.add(address_of(geometry.mesh()));
    parcel.add(geometry.closed());
    parcel.add(reinterpret_cast<std::uintptr_t>(geometry.hull()));
  } else if constexpr (std::is_same_v<Geometry, Compound>) {
    parcel.add(address_of(geometry.parts()));
  } else {
    static_assert(std::is_same_v<Geometry, CustomConvex>);
    parcel.add(address_of(geometry.function()));
  }
}

void write(const std::optional<double>& number, Parcel& parcel) {
  parcel.add(number.has_value());
  parcel.add(number.value_or(0.0));
}

/// All of a body but its id, its motion and the forces of a step, bit by bit.
std::string description_of(const Body& body) {
  Parcel parcel;
  parcel.add(body.shape().type());
  std::visit([&](const auto& geometry) { write(geometry, parcel); }, body.shape().geometry());
  parcel.add(body.shape().rounding_radius());
  parcel.add(body.type());
  const Material& m = body.material();
  for (const double number : {m.friction, m.restitution, m.rolling_friction, m.torsional_friction,
                              m.density, m.adhesion, body.gravity_scale(), body.inverse_mass(),
                              body.size(), body.rolling_radius(), body.radius()})
    parcel.add(number);
  parcel.add(m.kind);
  parcel.add(body.filter());
  parcel.add(body.is_sensor());
  write(body.linear_damping(), parcel);
  write(body.angular_damping(), parcel);
  parcel.add(body.lock());
  parcel.add(body.mass());
  parcel.add(body.inverse_inertia());
  parcel.add(body.has_isotropic_inertia());
  parcel.add(body.constant_force());
  parcel.add(body.constant_torque());
  parcel.add(body.has_belt());
  parcel.add(body.surface_velocity());
  parcel.add(body.one_way().has_value());
  parcel.add(body.one_way().value_or(Vec3{}));
  return parcel.take();
}

}  // namespace

void BodyTable::assign(std::span<const Body> bodies) {
  *this = {};
  ids_.reserve(bodies.size());
  kind_of_.reserve(bodies.size());
  for (const Body& body : bodies) add(body);
  kinds_.shrink_to_fit();
}

void BodyTable::add(const Body& body) {
  ids_.push_back(body.id());
  std::string description = description_of(body);
  // Most bodies are as the one before.
  if (!kinds_.empty() && description == last_) {
    kind_of_.push_back(kind_of_.back());
    return;
  }
  const std::uint64_t hash = checksum(description);
  const auto [first, past] = known_.equal_range(hash);
  const auto same = std::find_if(first, past, [&](const auto& entry) {
    return description_of(kinds_[entry.second]) == description;
  });
  if (same == past) {
    known_.emplace(hash, static_cast<std::uint32_t>(kinds_.size()));
    kind_of_.push_back(static_cast<std::uint32_t>(kinds_.size()));
    kinds_.push_back(body);
    BodyAccess::set_motion(kinds_.back(), BodyMotion{});
    BodyAccess::set_force(kinds_.back(), {}, {});
  } else {
    kind_of_.push_back(same->second);
  }
  last_ = std::move(description);
}

std::size_t BodyTable::find(BodyId id) const {
  if (ids_.empty() || id < ids_.front()) return ids_.size();
  const std::size_t guess = id - ids_.front();
  if (guess < ids_.size() && ids_[guess] == id) return guess;
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  return found != ids_.end() && *found == id ? static_cast<std::size_t>(found - ids_.begin())
                                             : ids_.size();
}

bool BodyTable::has_sensors() const {
  return std::any_of(kinds_.begin(), kinds_.end(),
                     [](const Body& kind) { return kind.is_sensor(); });
}

Body BodyTable::make(BodyId id) const {
  Body body = kind(id);
  BodyAccess::set_id(body, id);
  return body;
}

}  // namespace tactus::detail
