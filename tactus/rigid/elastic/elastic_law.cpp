#include "tactus/rigid/elastic/elastic_law.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <variant>

#include "tactus/core.hpp"
#include "tactus/core/constants.hpp"

namespace tactus::detail {
namespace {

/// Springs against rolling are so many times as stiff as those along the normal, at a lever of the
/// rolling friction times the radius: a spread of the pressure over half of that on either side
/// would give 3. Source: ai2011.
constexpr double kRollingStiffness = 2.25;
/// Part of the critical damping of a ball that rocks in its place. Source: ai2011.
constexpr double kRollingDamping = 0.3;

/// Restitutions below are those of springs so heavily damped that steps would have to be shorter.
constexpr double kLeastRestitution = 0.1;

/// e^-y for 0 <= y < 8, the same bits on every machine.
double decayed(double y) {
  const double part = y / 64.0;
  double sum = 1.0, term = 1.0;
  for (int k = 1; k < 12; ++k) sum += term *= -part / k;
  for (int k = 0; k < 6; ++k) sum *= sum;
  return sum;
}

/// Damping over the critical one, b, and the restitution e of a spring that is let go where its
/// force comes to zero. With b = cos a this is after half a turn and more, and e = exp(-2 a cot a);
/// beyond critical damping a is imaginary. `square` is a^2. Source: schwager2007.
struct Damped {
  double ratio, restitution;
};
Damped damped(double square) {
  double cosine = 1.0, sine_over = 1.0, even = 1.0, odd = 1.0;
  for (int k = 1; k < 16; ++k) {
    even *= -square / ((2 * k - 1) * (2 * k));
    odd *= -square / ((2 * k) * (2 * k + 1));
    cosine += even;
    sine_over += odd;
  }
  return {cosine, decayed(std::max(0.0, 2.0 * cosine / sine_over))};
}

Vec3 across(const Vec3& v, const Vec3& normal) { return v - normal * dot(v, normal); }

/// A spring with a damper that slips.
struct Spring {
  double stiffness, damping;
  double most;  ///< of the force with which it pulls

  /// The force at a stretch that grows with this velocity, and the part of the spring in it: while
  /// it slips, all of it.
  std::pair<Vec3, Vec3> pull(const Vec3& stretch, const Vec3& velocity) const {
    const Vec3 held = stretch * -stiffness, force = held - velocity * damping;
    const double size = norm(force);
    if (!(size > most)) return {force, held};
    const Vec3 slipping = force * (most / size);
    return {slipping, slipping};
  }
};

}  // namespace

void check_elastic(const Body& body) {
  if (body.material().adhesion > 0.0)
    throw InvalidInput("material.adhesion", "is not for a world with elastic contacts");
  if (body.is_sensor()) throw InvalidInput("sensor", "is not for a world with elastic contacts");
  if (!body.is_dynamic()) return;
  if (!std::holds_alternative<Sphere>(body.shape().geometry()))
    throw InvalidInput("shape", "must be a sphere: elastic contacts move balls");
  if (!body.has_isotropic_inertia() || body.mass().center != Vec3{})
    throw InvalidInput("mass",
                       "must lie as in a ball about its centre: elastic contacts move balls");
}

// As of a linear spring, to which that of Hertz with its damper can be transformed.
double ElasticLaw::damping_ratio(double restitution) {
  const double wanted = std::max(restitution, kLeastRestitution);
  double low = -4.0, high = 0.25 * kPi * kPi;
  for (int i = 0; i < 54; ++i) {
    const double middle = 0.5 * (low + high);
    (damped(middle).restitution < wanted ? low : high) = middle;
  }
  return wanted < 1.0 ? damped(high).ratio : 0.0;
}

ElasticLaw::ElasticLaw(const ElasticContacts& contacts)
    : young_(contacts.young / (2.0 * (1.0 - contacts.poisson * contacts.poisson))),
      shear_(contacts.young / (4.0 * (2.0 - contacts.poisson) * (1.0 + contacts.poisson))),
      own_shear_(contacts.young / (2.0 * (1.0 + contacts.poisson))),
      poisson_(contacts.poisson) {}

ElasticLaw::Stiffness ElasticLaw::stiffness(const ElasticPair& pair, const SurfacePair& surface,
                                            double depth) const {
  const double contact_radius = std::sqrt(pair.radius * depth);
  Stiffness s{.normal = 2.0 * young_ * contact_radius, .across = 8.0 * shear_ * contact_radius};
  const double rolling = surface.rolling_friction * pair.rolling_radius;
  const double spinning = surface.torsional_friction * pair.rolling_radius;
  s.rolling = kRollingStiffness * s.normal * rolling * rolling;
  s.spinning = kRollingStiffness * s.normal * spinning * spinning;
  return s;
}

ElasticStretch ElasticLaw::stretch(const ElasticPair& pair, const SurfacePair& surface,
                                   const Vec3& normal, double depth, const Vec3& held,
                                   const Vec3& held_torque) const {
  ElasticStretch result;
  if (!(depth > 0.0)) return result;
  const Stiffness s = stiffness(pair, surface, depth);
  result.shift = held * (-1.0 / s.across);
  const Vec3 spinning = normal * dot(held_torque, normal);
  if (s.rolling > 0.0) result.turn += (held_torque - spinning) * (-1.0 / s.rolling);
  if (s.spinning > 0.0) result.turn += spinning * (-1.0 / s.spinning);
  return result;
}

ElasticForce ElasticLaw::force(const ElasticPair& pair, const SurfacePair& surface,
                               const ElasticMeeting& meeting, double time,
                               ElasticStretch& stretch) const {
  const Vec3& n = meeting.normal;
  const Stiffness s = stiffness(pair, surface, meeting.depth);
  const double damping = 2.0 * std::sqrt(5.0 / 6.0) * pair.damping_ratio;
  const double opening = dot(meeting.velocity, n);
  ElasticForce result;
  result.normal = std::max(0.0, s.normal * meeting.depth * (2.0 / 3.0) -
                                    damping * std::sqrt(s.normal * pair.mass) * opening);

  const Vec3 sliding = meeting.velocity - n * opening;
  // The spring goes along with the surface, as long as it was.
  Vec3 shift = across(stretch.shift, n);
  if (const double length = norm(shift); length > 0.0) shift *= norm(stretch.shift) / length;
  const Spring along{s.across, damping * std::sqrt(s.across * pair.mass),
                     surface.friction * result.normal};
  std::tie(result.friction, result.held) = along.pull(shift + sliding * time, sliding);
  stretch.shift = result.held * (s.across > 0.0 ? -1.0 / s.across : 0.0);

  const double lever = pair.rolling_radius * result.normal;
  const Vec3 rolling = across(meeting.turning, n), spinning = meeting.turning - rolling;
  const Vec3 rolled = across(stretch.turn, n), spun = stretch.turn - rolled;
  const auto rocking = [&](double stiffness, double friction) {
    return Spring{stiffness, 2.0 * kRollingDamping * std::sqrt(stiffness * pair.rolling_mass),
                  friction * lever};
  };
  const auto [roll, roll_held] =
      rocking(s.rolling, surface.rolling_friction).pull(rolled + rolling * time, rolling);
  const auto [spin, spin_held] =
      rocking(s.spinning, surface.torsional_friction).pull(spun + spinning * time, spinning);
  result.torque = roll + spin;
  result.held_torque = roll_held + spin_held;
  stretch.turn = roll_held * (s.rolling > 0.0 ? -1.0 / s.rolling : 0.0) +
                 spin_held * (s.spinning > 0.0 ? -1.0 / s.spinning : 0.0);
  return result;
}

double ElasticLaw::rayleigh_time(double radius, double density) const {
  return kPi * radius * std::sqrt(density / own_shear_) / (0.1631 * poisson_ + 0.8766);
}

}  // namespace tactus::detail
