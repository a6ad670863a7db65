#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/core/constants.hpp"
#include "tactus/rigid/body/locks.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

namespace tactus {
using namespace detail;
namespace {

/// Entries of an inertia that differ by less than this, relative to the largest, count as equal.
constexpr double kIsotropy = 1e-12;
/// Asymmetry of a given inertia that is still taken for rounding, relative to its largest entry.
constexpr double kAsymmetry = 1e-9;

/// Excess of a principal moment over the sum of the others that is still taken for rounding,
/// relative to the sum of all: moments written with three digits have as much.
constexpr double kMomentRounding = 1e-3;

double largest_entry(const Mat3& m) {
  return std::max({max_abs(m.row[0]), max_abs(m.row[1]), max_abs(m.row[2])});
}

bool positive_definite(const Mat3& m) {
  return m(0, 0) > 0.0 && m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0) > 0.0 && determinant(m) > 0.0;
}

/// Has some distribution of mass this inertia? Then no principal moment is above the sum of the
/// others: half the trace less the inertia is the second moment of the mass, which is not negative.
bool belongs_to_a_body(const Mat3& inertia) {
  const Mat3 scaled = inertia * (1.0 / trace(inertia));
  return positive_definite(Mat3::identity() * (0.5 + 0.5 * kMomentRounding) - scaled);
}

void check_given_mass(const BodyMass& mass) {
  if (!(mass.mass > 0.0) || !std::isfinite(mass.mass))
    throw InvalidInput("mass.mass", "must be finite and positive");
  if (!is_finite(mass.center)) throw InvalidInput("mass.center", "must be finite");
  if (!is_finite(mass.inertia)) throw InvalidInput("mass.inertia", "must be finite");
  if (largest_entry(mass.inertia - transpose(mass.inertia)) >
      kAsymmetry * largest_entry(mass.inertia))
    throw InvalidInput("mass.inertia", "must be symmetric");
  if (!positive_definite(mass.inertia))
    throw InvalidInput("mass.inertia", "must be positive definite");
  if (!belongs_to_a_body(mass.inertia))
    throw InvalidInput("mass.inertia",
                       "no body has it: a principal moment is above the sum of the others");
}

void check_damping(const std::optional<double>& damping, const char* field) {
  if (damping && !(*damping >= 0.0 && std::isfinite(*damping)))
    throw InvalidInput(field, "must be finite and not negative");
}

BodyMass mass_from_shape(const Shape& shape, double density) {
  const MassProperties unit = mass_properties(shape);
  if (!(unit.volume > 0.0) || !positive_definite(unit.inertia))
    throw InvalidInput("shape", "a moving body needs a volume (or a mass of its own)");
  return {unit.volume * density, unit.center, unit.inertia * density};
}

bool is_isotropic(const Mat3& inertia) {
  const double mean = trace(inertia) / 3.0;
  return largest_entry(inertia - Mat3::identity() * mean) <= kIsotropy * mean;
}

/// Is there a mesh without an inside in the shape, or in a part of it?
bool holds_open_mesh(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape.geometry())) return !mesh->closed();
  if (shape.type() != ShapeType::compound) return false;
  const auto& parts = std::get<Compound>(shape.geometry()).parts();
  return std::any_of(parts.begin(), parts.end(),
                     [](const Compound::Part& part) { return holds_open_mesh(part.shape); });
}

/// Half of the smallest extent in the shape's own frame; infinite for a half-space and for an open
/// mesh, which has no thickness that a body could roll about.
double half_smallest_extent(const Shape& shape) {
  if (shape.type() == ShapeType::halfspace || holds_open_mesh(shape))
    return std::numeric_limits<double>::infinity();
  const Aabb box = bounding_box(shape, Pose());
  const Vec3 size = box.upper - box.lower;
  return 0.5 * std::min({size.x, size.y, size.z});
}

/// Radius of the surface of a body, where it touches; infinite of one that counts as flat.
double radius_of_surface(const Body& body) {
  switch (body.shape().type()) {
    case ShapeType::sphere:
    case ShapeType::ellipsoid:
    case ShapeType::capsule:
      return body.rolling_radius();
    default:
      return body.is_dynamic() ? body.rolling_radius() : std::numeric_limits<double>::infinity();
  }
}

}  // namespace

double reduced_radius(const Body& a, const Body& b) {
  const double of_a = radius_of_surface(a), of_b = radius_of_surface(b);
  const double curvature = 1.0 / of_a + 1.0 / of_b;
  return curvature > 0.0 ? 1.0 / curvature : 0.0;
}

double pull_off_force(const Body& a, const Body& b, const SurfacePair& surface) {
  return 1.5 * kPi * surface.adhesion * reduced_radius(a, b);
}

std::string_view to_string(BodyType type) {
  constexpr std::string_view kNames[] = {"fixed", "kinematic", "moving"};
  return detail::name_in(kNames, type);
}

void validate(const Servo& servo) {
  const auto at_least_zero = [](double value, const char* field) {
    if (!(value >= 0.0) || !std::isfinite(value))
      throw InvalidInput(field, "must be finite and not negative");
  };
  if (!is_finite(servo.axis) || !(max_abs(servo.axis) > 0.0))
    throw InvalidInput("axis", "must be finite and not zero");
  at_least_zero(servo.force, "force");
  at_least_zero(servo.mass, "mass");
  if (!(servo.max_speed > 0.0) || !std::isfinite(servo.max_speed))
    throw InvalidInput("max_speed", "must be finite and positive");
}

Body::Body(const BodyDefinition& definition)
    : shape_(definition.shape),
      type_(definition.type),
      material_(definition.material),
      filter_(definition.filter),
      sensor_(definition.sensor),
      gravity_scale_(definition.gravity_scale),
      linear_damping_(definition.linear_damping),
      angular_damping_(definition.angular_damping),
      lock_(definition.lock) {
  validate(material_);
  if (!is_finite(definition.pose)) throw InvalidInput("pose", "must be finite");
  if (!is_finite(definition.linear_velocity))
    throw InvalidInput("linear_velocity", "must be finite");
  if (!is_finite(definition.angular_velocity))
    throw InvalidInput("angular_velocity", "must be finite");

  if (!std::isfinite(gravity_scale_)) throw InvalidInput("gravity_scale", "must be finite");
  check_damping(linear_damping_, "linear_damping");
  check_damping(angular_damping_, "angular_damping");
  if (definition.mass) check_given_mass(*definition.mass);
  if (is_dynamic()) {
    if (!std::isfinite(extent(shape_)))
      throw InvalidInput("shape", "an unbounded body cannot move");
    if (holds_open_mesh(shape_))
      throw InvalidInput("shape", "an open mesh cannot move: it bounds no volume");
    mass_ = definition.mass ? *definition.mass : mass_from_shape(shape_, material_.density);
    mass_.inertia = (mass_.inertia + transpose(mass_.inertia)) * 0.5;
    inverse_mass_ = 1.0 / mass_.mass;
    inverse_inertia_ = inverse(mass_.inertia);
    isotropic_ = is_isotropic(mass_.inertia);
  } else {
    mass_ = {0.0, {}, Mat3::zero()};
  }
  size_ = extent(shape_);
  rolling_radius_ = half_smallest_extent(shape_);
  radius_ = bounding_radius(shape_) + norm(mass_.center);

  motion_.id = definition.id;
  motion_.orientation = to_quaternion(definition.pose.rotation());
  motion_.position = definition.pose.to_world(mass_.center);
  if (type_ != BodyType::fixed)
    set_velocity(definition.linear_velocity, definition.angular_velocity);
  set_constant_force(definition.force, definition.torque);
  set_surface(definition.surface_velocity, definition.one_way);
  set_servo(definition.servo);
  update_pose();
}

double Body::kinetic_energy() const {
  const Vec3 translation = motion_.linear_velocity;
  return 0.5 * (mass_.mass * squared_norm(translation) + dot(motion_.angular_velocity, spin()));
}

Vec3 Body::spin() const {
  const Mat3& axes = pose_.rotation();
  return axes * (mass_.inertia * transpose_times(axes, motion_.angular_velocity));
}

void Body::set_motion(const BodyMotion& motion) {
  const BodyId id = motion_.id;
  motion_ = motion;
  motion_.id = id;
  if (any(lock_)) {
    set_velocity(motion.linear_velocity, motion.angular_velocity);
    motion_.linear_ahead = along_free(lock_.linear, motion.linear_ahead);
    motion_.angular_ahead = along_free(lock_.angular, motion.angular_ahead);
  }
  update_pose();
}

void Body::set_velocity(const Vec3& linear, const Vec3& angular) {
  motion_.linear_velocity = along_free(lock_.linear, linear);
  motion_.angular_velocity = along_free(lock_.angular, angular);
}

void Body::set_rest_time(double time) {
  motion_.rest_time = time;
  motion_.asleep = false;
}

void Body::fall_asleep() {
  motion_.linear_velocity = motion_.angular_velocity = {};
  motion_.linear_ahead = motion_.angular_ahead = {};
  motion_.asleep = true;
}

void Body::set_force(const Vec3& force, const Vec3& torque) {
  force_ = force;
  torque_ = torque;
}

void Body::set_constant_force(const Vec3& force, const Vec3& torque) {
  const auto check = [&](const char* field, const Vec3& value) {
    if (!is_finite(value)) throw InvalidInput(field, "must be finite");
    if (!is_dynamic() && max_abs(value) > 0.0)
      throw InvalidInput(field, "must be zero unless the body is moving");
  };
  check("force", force);
  check("torque", torque);
  constant_force_ = force;
  constant_torque_ = torque;
}

void Body::set_surface(const SurfaceVelocity& velocity, const std::optional<Vec3>& one_way) {
  if (!is_finite(velocity.linear) || !is_finite(velocity.angular))
    throw InvalidInput("surface_velocity", "must be finite");
  Surface surface{velocity, velocity != SurfaceVelocity{}, one_way};
  if (one_way) {
    if (!is_finite(*one_way) || !(max_abs(*one_way) > 0.0))
      throw InvalidInput("one_way", "must be finite and not zero");
    surface.one_way = normalized(*one_way);
  }
  surface_ = surface.runs || one_way ? std::make_shared<const Surface>(surface) : nullptr;
}

void Body::set_surface_velocity(const SurfaceVelocity& velocity) {
  set_surface(velocity, one_way());
}

void Body::set_servo(const std::optional<Servo>& servo) {
  if (!servo) {
    servo_ = nullptr;
    return;
  }
  try {
    validate(*servo);
  } catch (const InvalidInput& error) {
    throw error.within("servo");
  }
  if (type_ != BodyType::kinematic) throw InvalidInput("servo", "is for kinematic bodies");
  Servo unit = *servo;
  unit.axis = normalized(unit.axis);
  servo_ = std::make_shared<const Servo>(unit);
}

Vec3 Body::belt_velocity_at(const Vec3& world_point) const {
  if (!has_belt()) return {};
  const SurfaceVelocity& v = surface_->velocity;
  return pose_.rotation() * (v.linear + cross(v.angular, pose_.to_local(world_point)));
}

void Body::update_pose() {
  const Mat3 axes = to_matrix(motion_.orientation);
  pose_ = detail::unchecked_pose(motion_.position - axes * mass_.center, axes);
}

}  // namespace tactus
