#include "tactus/rigid/solver/columns.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core.hpp"

namespace tactus::detail {
namespace {

/// Columns are wider than this part of the moving bodies, as balls that hold them, and by this
/// factor: bodies near each other have centres farther apart than those that touch. Long bodies
/// seldom touch as far out as such balls do, so that few patches reach beyond the next columns.
constexpr double kMostBodies = 0.75;
constexpr double kRoom = 1.125;
/// Columns begin by this part of their width beside 0, so that what stands at a round place, as
/// towers of scenes do, stands inside of one and not on the border of two.
constexpr double kBeside = 1.0 / 3.0;
/// The width and one over it are numbers.
constexpr int kMostPower = 1000;
/// Farther out one column holds all.
constexpr double kFarthest = 4503599627370496.0;  // 2^52
/// Grain size (bodies) of the loop that places them.
constexpr std::size_t kPlacedTogether = 1024;

/// The axis that gravity follows most; z without gravity.
int upright_axis(const Vec3& gravity) {
  int up = 2;
  for (int i = 1; i >= 0; --i)
    if (std::fabs(gravity[i]) >= std::fabs(gravity[up]) && gravity[i] != 0.0) up = i;
  return up;
}

}  // namespace

std::int64_t Columns::Across::at(const Vec3& center) const {
  const double column = std::floor((center[axis] - lower) * per_length - kBeside);
  return static_cast<std::int64_t>(std::clamp(column, -kFarthest, kFarthest));
}

/// A power of two.
double Columns::choose_width(std::span<const Body> bodies) {
  radii_.clear();
  for (const Body& body : bodies)
    if (body.is_dynamic()) radii_.push_back(body.radius());
  return choose_width(std::span<double>(radii_));
}

double Columns::choose_width(std::span<double> radii) {
  if (radii.empty()) return 1.0;
  const auto most =
      static_cast<std::ptrdiff_t>(kMostBodies * static_cast<double>(radii.size() - 1));
  std::nth_element(radii.begin(), radii.begin() + most, radii.end());
  int power = 0;
  std::frexp(2.0 * kRoom * radii[static_cast<std::size_t>(most)], &power);
  return std::ldexp(1.0, std::clamp(power, -kMostPower, kMostPower));
}

void Columns::place(std::span<const Body> bodies, const WorldSettings& settings, double width) {
  const int up = upright_axis(settings.gravity);
  across_ = {};
  for (int i = 0, axis = 0; axis < 3; ++axis) {
    if (axis == up) continue;
    Across& across = across_[static_cast<std::size_t>(i++)];
    across.axis = axis;
    across.per_length = 1.0 / width;
    const auto& periodic = settings.periodic[static_cast<std::size_t>(axis)];
    if (!periodic) continue;
    across.lower = periodic->lower;
    across.period = periodic->upper - periodic->lower;
    // As many as are not narrower, at least one.
    across.count = 1;
    while (static_cast<double>(2 * across.count) * width <= across.period &&
           across.count < std::int64_t{1} << 30)
      across.count *= 2;
    across.mask = across.count - 1;
    across.per_length = static_cast<double>(across.count) / across.period;
  }
  columns_.resize(bodies.size());
  parallel_for(
      bodies.size(), kPlacedTogether,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3 center = bodies[i].center_of_mass();
          columns_[i] = {across_[0].at(center), across_[1].at(center)};
        }
      },
      settings.max_threads, Schedule::steady);
}

Columns::Lower Columns::lower(Column a, Column b) const {
  Column low{std::min(a.x, b.x), std::min(a.y, b.y)};
  Column high{std::max(a.x, b.x), std::max(a.y, b.y)};
  int doublings = 0;
  for (; high.x - low.x > 1 || high.y - low.y > 1; ++doublings) {
    low = {low.x >> 1, low.y >> 1};
    high = {high.x >> 1, high.y >> 1};
  }
  return {wrapped(low, doublings), doublings};
}

// Whole periods beside: the column of the image's own place may differ by rounding.
Columns::Column Columns::of_image(std::uint32_t body, const Vec3& shift) const {
  const auto beside = [&](const Across& across) {
    if (!(across.period > 0.0)) return std::int64_t{0};
    const double periods = std::nearbyint(shift[across.axis] / across.period);
    return across.count * static_cast<std::int64_t>(periods);
  };
  const Column& column = columns_[body];
  return {column.x + beside(across_[0]), column.y + beside(across_[1])};
}

}  // namespace tactus::detail
