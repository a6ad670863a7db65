// Prints a hash of the bits of many answers, kind by kind, and of a world's state: what other
// compilers and machines must print too.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "tactus/core/hash.hpp"
#include "tactus/core/random.hpp"
#include "tactus/tactus.hpp"
#include "tests/support/random_shapes.hpp"

namespace tactus::detail {
namespace {

constexpr int kQueries = 10000;
constexpr int kBodies = 60;
constexpr int kSteps = 240;

class Bits : public Fnv1a {
 public:
  using Fnv1a::add;
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  void add(const DistanceResult& r) {
    add(r.distance);
    add(r.lower);
    add(r.upper);
    add(r.normal);
    add(r.point_a);
    add(r.point_b);
    add(static_cast<std::uint64_t>(r.status));
    add(static_cast<std::uint64_t>(r.iterations));
  }
  void add(const CastResult& r) {
    add(r.time);
    add(r.time_upper);
    add(r.normal);
    add(static_cast<std::uint64_t>(r.hit));
  }
};

// Two tetrahedra that share a face, as a surface.
TriangleMesh wedge() {
  return {{{0, 0, 0}, {0.9, 0, 0}, {0.2, 0.8, 0}, {0.3, 0.2, 0.7}, {0.3, 0.3, -0.6}},
          {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}}};
}

void print(const char* name, const Fnv1a& bits) {
  std::printf("%-10s %016llx\n", name, static_cast<unsigned long long>(bits.value()));
}

void print_answers() {
  Random random(2026);
  std::vector<Shape> shapes = every_convex_shape(random);
  shapes.emplace_back(HalfSpace({0.0, 0.6, 0.8}, 0.1));
  shapes.emplace_back(Mesh(wedge()));
  shapes.emplace_back(Compound({{shapes[1], Pose()}, {shapes[4], Pose::translation({0.7, 0, 0})}}));
  const auto any = [&] { return random.below(static_cast<std::uint32_t>(shapes.size())); };
  Bits distances, overlaps, patches, casts, impacts;
  std::vector<Manifold> found(16);
  for (int i = 0; i < kQueries; ++i) {
    const Shape &a = shapes[any()], &b = shapes[any()];
    const Pose pose_a = random_pose(random, 0.6), pose_b = random_pose(random, 0.6);
    distances.add(distance(a, pose_a, b, pose_b));
    overlaps.add(overlap(a, pose_a, b, pose_b).proof);
    const ContactsResult r = contacts(a, pose_a, b, pose_b, found);
    for (int m = 0; m < r.manifolds; ++m) {
      for (const ContactPoint& p : found[static_cast<std::size_t>(m)].span()) {
        patches.add(p.point_a);
        patches.add(p.depth);
        patches.add(p.feature);
      }
    }
    const Vec3 motion{1.0, 0.2, -0.3};
    casts.add(cast(a, pose_a, motion, b, pose_b, {}));
    if (i % 20 == 0) impacts.add(impact(a, pose_a, {motion, {0, 1, 2}}, b, pose_b, {}));
  }
  print("distance", distances);
  print("overlap", overlaps);
  print("contacts", patches);
  print("cast", casts);
  print("impact", impacts);
}

void print_world() {
  Random random(7);
  World world;
  BodyDefinition ground{.shape = HalfSpace({0, 0, 1}, 0.0)};
  ground.type = BodyType::fixed;
  world.add(ground);
  const std::vector<Shape> shapes = {Sphere(0.3), Box({0.5, 0.4, 0.6}), Capsule(0.2, 0.3),
                                     Cylinder(0.25, 0.5), random_hull(random, 20)};
  for (int i = 0; i < kBodies; ++i) {
    BodyDefinition body{.shape = shapes[static_cast<std::size_t>(i) % shapes.size()]};
    body.pose =
        Pose({1.3 * (i % 4), 1.3 * (i / 4 % 4), 1.0 + 1.3 * (i / 16)}, random_rotation(random));
    world.add(body);
  }
  for (int i = 0; i < kSteps; ++i) world.step();
  std::printf("%-10s %016llx\n", "world", static_cast<unsigned long long>(world.state_hash()));
}

}  // namespace
}  // namespace tactus::detail

int main() {
  tactus::detail::print_answers();
  tactus::detail::print_world();
}
