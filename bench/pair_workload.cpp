// tactus_pair_workload: a fixed mix of questions about convex pairs, for counting instructions
// (tools/tuning). Prints how many answers did not converge and the sum of the relative widths of
// their brackets.
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "bench/shapes.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

constexpr ShapeType kKinds[] = {ShapeType::ellipsoid, ShapeType::cylinder, ShapeType::cone,
                                ShapeType::capsule,   ShapeType::box,      ShapeType::convex};
constexpr int kVertices[] = {8, 24, 64};
// Gaps along a random line of the centres, in sizes: apart, near, touching, pressed in, deep.
constexpr double kGaps[] = {1.0, 0.03, 1e-4, -0.02, -0.3};

// Every third shape is as thin as this part of its width: searches are hard there.
constexpr double kThin = 0.02;

Shape shape_of(Random& random, ShapeType kind, int round) {
  if (round % 3 == 2 && kind == ShapeType::ellipsoid)
    return Ellipsoid({0.5, 0.5 * kThin, random.uniform(0.1, 0.5)});
  if (round % 3 == 2 && kind == ShapeType::cone) return Cone(0.5 * kThin, 1.0);
  if (round % 3 == 2 && kind == ShapeType::cylinder) return Cylinder(0.5, kThin);
  return random_shape(random, kind, kVertices[round % std::ssize(kVertices)]);
}

struct Sums {
  long open = 0, asked = 0, hits = 0;
  double widths = 0.0;
  void add(const DistanceResult& r) {
    ++asked;
    open += r.status != Status::converged;
    widths += r.upper - r.lower;
  }
};

// B moved along d so that the bodies are about `gap` apart.
struct Placed {
  Vec3 position;
  Quat turn;
};
Placed placed(Random& random, const Shape& a, const Shape& b, double gap) {
  const Vec3 d = random_direction(random);
  const Quat turn = random_rotation(random);
  const double first = distance(a, {}, b, Pose(d * 4.0, turn)).distance;
  return {d * (4.0 - first + gap), turn};
}

void ask(Random& random, const Shape& a, const Shape& b, Sums& sums) {
  for (const double gap : kGaps) {
    const auto [position, turn] = placed(random, a, b, gap);
    const Pose pose(position, turn);
    sums.add(distance(a, {}, b, pose));
    sums.hits += static_cast<long>(overlap(a, {}, b, pose).overlap == Overlap::yes);
    QueryOptions tight;
    tight.tolerance = 0.0;
    sums.add(distance(a, {}, b, pose, tight));
    // Six steps of a slow motion, each from the answer before.
    QueryCache cache;
    const Vec3 way = 0.01 * random_direction(random);
    for (int step = 0; step < 6; ++step) {
      const Pose moved(position + way * step, turn);
      sums.add(distance(a, {}, b, moved, {}, &cache));
    }
  }
}

int run(int rounds) {
  Random random(44);
  Sums sums;
  for (int round = 0; round < rounds; ++round) {
    for (const ShapeType kind_a : kKinds) {
      for (const ShapeType kind_b : kKinds) {
        const Shape a = shape_of(random, kind_a, round);
        const Shape b = shape_of(random, kind_b, round);
        ask(random, a, b, sums);
      }
    }
  }
  std::printf("asked %ld, open %ld, overlaps %ld, widths %.3g\n", sums.asked, sums.open, sums.hits,
              sums.widths);
  return 0;
}

}  // namespace
}  // namespace tactus::detail::bench

int main(int count, char** words) {
  return tactus::detail::bench::run(count > 1 ? std::atoi(words[1]) : 30);
}
