#include "tactus/rigid/contact/quiet_patches.hpp"

#include <algorithm>

#include "tactus/rigid/contact/contact_refresh.hpp"
#include "tactus/rigid/contact/impact_time.hpp"

namespace tactus::detail {
namespace {

/// Safety factor, for rounding, of bounds by the motion of each body alone.
constexpr double kQuiet = 0.9;
/// A place of contact is followed where both bodies have at most so many that touch; others hold
/// each other. Of two balls that turn about their centres one: heaps that fall have many of them.
constexpr std::uint8_t kMostTouching = 2;

bool is_round(const Shape& shape) {
  return shape.type() == ShapeType::cylinder || shape.type() == ShapeType::cone ||
         shape.type() == ShapeType::ellipsoid;
}
bool is_mesh(const Body& body) { return body.shape().type() == ShapeType::mesh; }
bool is_flat(const Shape& shape) {
  return shape.rounding_radius() == 0.0 &&
         (shape.type() == ShapeType::halfspace || shape.type() == ShapeType::box ||
          shape.type() == ShapeType::convex || shape.type() == ShapeType::mesh);
}
bool is_convex(const Body& body) {
  return body.shape().is_convex_body() || body.shape().type() == ShapeType::halfspace;
}
/// A ball about its centre of mass.
bool is_balanced(const Body& body) {
  return body.shape().type() == ShapeType::sphere && body.mass().center == Vec3{};
}
bool turns_by_itself(const Body& body) {
  return body.type() == BodyType::kinematic && body.angular_velocity() != Vec3{};
}
/// Does the place where two bodies touch move on smoothly? Not from corner to corner.
bool rolls(const Body& a, const Body& b) {
  return is_convex(a) && is_convex(b) && (is_round(a.shape()) || is_round(b.shape()));
}
/// Does it move on beside the centres of mass? That of a ball on a flat at rest does not.
bool moves_on(const Body& a, const Body& b) {
  // On a face of a mesh, while it is the only one.
  if (!(is_convex(a) || is_mesh(a)) || !(is_convex(b) || is_mesh(b))) return false;
  const bool flat_a = is_flat(a.shape()), flat_b = is_flat(b.shape());
  if (flat_a && flat_b) return false;
  const bool stays = (is_balanced(a) && flat_b) || (is_balanced(b) && flat_a);
  return !stays || turns_by_itself(a) || turns_by_itself(b);
}

}  // namespace

void QuietPatches::prepare() {
  const std::size_t patches = step_.solver->constraints().size();
  far_.assign(patches, 0);
  found_.resize(patches / kLookedAtTogether + 1);
  for (Found& found : found_) found.clear();
  const auto constraints = step_.solver->constraints();
  quiet_.resize(constraints.size());
  touching_.assign(step_.bodies.size(), 0);
  for (const ContactConstraint& c : constraints) {
    if (c.open || c.count == 0) continue;
    for (const std::uint32_t body : {c.body_a, c.body_b})
      if (step_.bodies[body].is_awake() && touching_[body] <= kMostTouching) ++touching_[body];
  }
  if (step_.solver->sharing() != nullptr) step_.solver->sharing()->add_up(touching_);
  const auto find = [&](std::size_t i) {
    ContactConstraint& c = constraints[i];
    c.alone = step_.contacts->alone(i);
    c.rolls = rolls(step_.bodies[c.body_a], step_.bodies[c.body_b]);
    const Body &a = step_.bodies[c.body_a], &b = step_.bodies[c.body_b];
    const std::uint8_t most = is_balanced(a) && is_balanced(b) ? 1 : kMostTouching;
    c.follows = !c.image_moves() && c.alone && touching_[c.body_a] <= most &&
                touching_[c.body_b] <= most && moves_on(a, b);
    const double turning =
        (ImpactTime::kTurning - ContactRefresh::kStaleRim) * c.size / step_.substep;
    // Faster approaches are impacts, which have happened when the solver changes velocities.
    const double room = kQuiet * c.least_gap - step_.threshold(c) * step_.substep;
    quiet_[i] = {c.body_a, c.body_b,
                 c.follows && !c.open ? -1.0 : kQuiet * ContactRefresh::kStaleRim * c.size,
                 kQuiet * std::min(ImpactTime::kSlower * step_.threshold(c), turning), room};
    // Bounds by the bodies' own motion say nothing.
    if (c.image_moves()) forget(static_cast<std::uint32_t>(i));
  };
  parallel_for(
      constraints.size(), kLookedAtTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) find(i);
      },
      step_.settings->max_threads, Schedule::steady);
}

void QuietPatches::come_near(std::uint32_t patch) {
  if (far_[patch] != 0) found_.front().turned.push_back(patch);
  far_[patch] = 0;
}

QuietPatches::State QuietPatches::save() const { return {quiet_, far_, found_.front().turned}; }

void QuietPatches::restore(const State& state) {
  quiet_ = state.quiet;
  far_ = state.far;
  found_.front().turned = state.turned;
}

void QuietPatches::leave_out_far() {
  for (const Found& found : found_)
    for (const std::uint32_t patch : found.turned) step_.solver->leave_out(patch, far_[patch] != 0);
}

}  // namespace tactus::detail
