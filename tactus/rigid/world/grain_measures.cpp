#include <algorithm>
#include <cmath>
#include <vector>

#include "tactus/rigid/body/periodic.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/world.hpp"

namespace tactus {
namespace {

void add_product(Mat3& sum, const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) sum.row[i] += b * a[i];
}

/// The bodies of the set, and what has been found of their contacts.
class Measurement {
 public:
  Measurement(const RigidWorld& world, std::span<const BodyId> ids) : world_(world) {
    for (const BodyId id : ids) {
      if (world.body(id).is_dynamic()) ids_.push_back(id);
    }
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    if (const auto* stepped = dynamic_cast<const World*>(&world)) {
      box_ = detail::PeriodicBox(stepped->settings().periodic, stepped->settings().shear);
      box_.set_time(stepped->time());
    }
  }

  /// All points of a pair.
  void add(std::span<const Contact> pair) {
    const bool has_a = holds(pair[0].body_a), has_b = holds(pair[0].body_b);
    if (!has_a && !has_b) return;
    Vec3 normal;
    bool pushes = false;
    for (const Contact& contact : pair) {
      const Vec3 on_b = (contact.normal * contact.normal_impulse + contact.friction_impulse) *
                        (1.0 / world_.contact_time());
      if (contact.normal_impulse != 0.0) pushes = true;
      normal += contact.normal * std::fabs(contact.normal_impulse);
      if (has_a) add_product(moment_, way(contact.body_a, contact.point), on_b);
      if (has_b) add_product(moment_, way(contact.body_b, contact.point), -on_b);
    }
    if (!pushes) return;
    ++contacts_;
    pushers_ += (has_a ? 1 : 0) + (has_b ? 1 : 0);
    const Vec3 n = normalized(normal, {});
    add_product(fabric_, n, n);
  }

  GrainMeasures result(double volume) const {
    GrainMeasures r;
    r.bodies = ids_.size();
    r.contacts = contacts_;
    if (!ids_.empty())
      r.coordination = static_cast<double>(pushers_) / static_cast<double>(ids_.size());
    double solid = 0.0;
    for (const BodyId id : ids_) solid += mass_properties(world_.body(id).shape()).volume;
    r.solid_fraction = solid / volume;
    r.stress = moment_ * (1.0 / volume);
    if (contacts_ != 0) r.fabric = fabric_ * (1.0 / static_cast<double>(contacts_));
    return r;
  }

 private:
  bool holds(BodyId id) const { return std::binary_search(ids_.begin(), ids_.end(), id); }

  /// From a body's centre of mass to a contact, whichever image of the body it belongs to.
  Vec3 way(BodyId id, const Vec3& point) const {
    const Vec3 straight = point - world_.body(id).center_of_mass();
    return box_.any() ? straight + box_.shift(box_.nearest(straight, "id")) : straight;
  }

  const RigidWorld& world_;
  std::vector<BodyId> ids_;
  detail::PeriodicBox box_;
  std::size_t contacts_ = 0, pushers_ = 0;
  Mat3 moment_ = Mat3::zero(), fabric_ = Mat3::zero();
};

}  // namespace

GrainMeasures measure_grains(const RigidWorld& world, std::span<const BodyId> ids, double volume) {
  if (!(volume > 0.0)) throw InvalidInput("volume", "must be positive");
  const auto* stepped = dynamic_cast<const World*>(&world);
  if (stepped != nullptr && !detail::StepUndo::has_all_contacts(*stepped))
    throw InvalidInput("world",
                       "is shared by ranks, which have not collected it since its last step");
  Measurement measurement(world, ids);
  const std::span<const Contact> contacts = world.contacts();
  for (std::size_t first = 0; first < contacts.size();) {
    std::size_t last = first;
    while (last < contacts.size() && contacts[last].body_a == contacts[first].body_a &&
           contacts[last].body_b == contacts[first].body_b)
      ++last;
    measurement.add(contacts.subspan(first, last - first));
    first = last;
  }
  return measurement.result(volume);
}

}  // namespace tactus
