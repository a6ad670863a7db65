#include <cstdio>

#include "tactus/tactus.hpp"

/// Exits with 0 when the installed library answers two touching questions right.
int main() {
  const tactus::Shape ball = tactus::Sphere(0.5);
  const tactus::Shape box = tactus::Box({1.0, 1.0, 1.0});
  double distances[2] = {};
  tactus::parallel_for(2, 1, [&](std::size_t begin, std::size_t) {
    const double height = begin == 0 ? 1.25 : 0.75;
    distances[begin] =
        tactus::distance(ball, tactus::Pose::translation({0.0, 0.0, height}), box, {}).distance;
  });
  std::printf("apart by %g, overlapping by %g\n", distances[0], -distances[1]);
  return distances[0] == 0.25 && distances[1] == -0.25 ? 0 : 1;
}
