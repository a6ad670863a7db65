#include <cstdio>

#include "tactus/classic.hpp"
#include "tactus/tactus.hpp"

/// Exits with 0 when MPR answers once its library was asked for, and not before.
int main() {
  const tactus::Shape a = tactus::Sphere(1.0), b = tactus::Cylinder(1.0, 2.0);
  tactus::QueryOptions options;
  options.method = tactus::Method::mpr;
  const auto ask = [&] {
    return tactus::distance(a, {}, b, tactus::Pose::translation({0.0, 0.0, 1.5}), options);
  };
  const tactus::DistanceResult before = ask();
  tactus::enable_classic_methods();
  const tactus::DistanceResult after = ask();
  std::printf("MPR: %s, then [%g, %g]\n", tactus::to_string(before.status).data(), after.lower,
              after.upper);
  const bool holds = after.lower <= -0.5 && -0.5 <= after.upper;
  return before.status == tactus::Status::unsupported && holds ? 0 : 1;
}
