// Checks an answer claim by claim, by its certificate: docs/guide/proofs.md.
#include <cstdio>

#include "tactus/check.hpp"
#include "tactus/query.hpp"

using namespace tactus;

int main() {
  const Shape a = Cylinder(0.4, 1.0), b = Box({1.0, 0.6, 0.4});
  const Pose pose_a, pose_b({0.5, 0.2, 0.4}, normalized(Quat{0.9, 0.1, 0.3, 0.2}));

  Certificate certificate;
  QueryOptions options;
  options.certificate = &certificate;
  const DistanceResult r = distance(a, pose_a, b, pose_b, options);
  const CheckReport report = check(a, pose_a, b, pose_b, r, &certificate);
  for (const Claim claim : {Claim::lower, Claim::upper, Claim::normal, Claim::points}) {
    std::printf("%-7s %s\n", to_string(claim).data(), to_string(report[claim]).data());
  }

  // A depth that is wrong by 1e-12 is not.
  DistanceResult deeper = r;
  deeper.lower = deeper.upper = deeper.distance = r.lower - 1e-12;
  const CheckReport refused = check(a, pose_a, b, pose_b, deeper, &certificate);
  std::puts(refused.failure.c_str());
  return report.ok && !refused.ok ? 0 : 1;
}
