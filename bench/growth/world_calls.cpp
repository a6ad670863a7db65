// Worlds, broad phases and compounds.
#include <cmath>
#include <memory>

#include "bench/growth/calls.hpp"
#include "bench/shapes.hpp"
#include "tactus/broad.hpp"
#include "tactus/query.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::bench {
namespace {

// Boxes of which each meets a few others.
std::vector<BroadEntry> entries(int n) {
  Random random(3);
  const double side = std::cbrt(static_cast<double>(n));
  std::vector<BroadEntry> all;
  for (int i = 0; i < n; ++i) {
    const Vec3 at = random_vector(random, 0.0, side);
    all.push_back({static_cast<std::uint64_t>(i), {at, at + Vec3{0.8, 0.8, 0.8}}});
  }
  return all;
}

template <class Broad>
void add_broad(std::vector<GrowingCall>& rows, const std::string& name) {
  rows.push_back({"pairs of `" + name + "`", [](int n) {
                    const auto all = std::make_shared<const std::vector<BroadEntry>>(entries(n));
                    return [=] {
                      Broad broad;
                      std::vector<BroadPair> found;
                      broad.find_pairs(*all, found);
                      kept = static_cast<double>(found.size());
                    };
                  }});
}

Shape compound(int n) {
  Random random(4);
  const double side = std::cbrt(static_cast<double>(n));
  std::vector<Compound::Part> parts;
  for (int i = 0; i < n; ++i)
    parts.push_back(
        {Box({0.5, 0.5, 0.5}), Pose::translation(random_vector(random, -0.5, 0.5) * side)});
  return Compound(std::move(parts));
}

void add_compound(std::vector<GrowingCall>& rows, const std::string& name,
                  void (*call)(const Shape&, const Pose&)) {
  rows.push_back({name, [=](int n) {
                    const auto shape = std::make_shared<const Shape>(compound(n));
                    const double side = std::cbrt(static_cast<double>(n));
                    const Pose at = Pose::translation({0.7 * side + 0.5, 0.1, 0.2});
                    return [=] { call(*shape, at); };
                  }});
}

}  // namespace

void add_world_calls(std::vector<GrowingCall>& rows) {
  rows.push_back({"`World::step`, a ball on ground of n triangles", [](int n) {
                    const auto side = static_cast<std::uint32_t>(std::sqrt(n / 2.0));
                    TriangleMesh mesh;
                    for (std::uint32_t i = 0; i <= side; ++i) {
                      for (std::uint32_t j = 0; j <= side; ++j)
                        mesh.vertices.push_back({static_cast<double>(i) / side - 0.5,
                                                 static_cast<double>(j) / side - 0.5, 0.0});
                    }
                    for (std::uint32_t i = 0; i < side; ++i) {
                      for (std::uint32_t j = 0; j < side; ++j) {
                        const std::uint32_t a = i * (side + 1) + j, c = a + side + 1;
                        mesh.triangles.push_back({a, c, c + 1});
                        mesh.triangles.push_back({a, c + 1, a + 1});
                      }
                    }
                    const auto world = std::make_shared<World>();
                    BodyDefinition ground{.shape = Shape(Mesh(std::move(mesh)))};
                    ground.type = BodyType::fixed;
                    world->add(ground);
                    BodyDefinition falling{.shape = Shape(Sphere(0.001))};
                    falling.pose = Pose::translation({0.01, 0.02, 0.001});
                    world->add(falling);
                    return [=] { kept = require_done(world->step()).contacts > 0 ? 1.0 : 0.0; };
                  }});
  add_broad<SweepAndPrune>(rows, "SweepAndPrune");
  add_broad<HashGrid>(rows, "HashGrid");
  add_broad<DynamicTree>(rows, "DynamicTree");
  add_broad<AutoBroadPhase>(rows, "AutoBroadPhase");
  rows.push_back({"`Compound` of n boxes",
                  [](int n) { return [=] { kept = bounding_radius(compound(n)); }; }});
  add_compound(rows, "distance of a compound of n boxes", [](const Shape& s, const Pose& at) {
    kept = distance(s, Pose(), Sphere(0.1), at).distance;
  });
  add_compound(rows, "overlap of a compound", [](const Shape& s, const Pose&) {
    kept = overlap(s, Pose(), Sphere(0.1), Pose()).overlap == Overlap::yes ? 1.0 : 0.0;
  });
  add_compound(rows, "contacts of a compound", [](const Shape& s, const Pose&) {
    Manifold manifolds[16];
    kept = contacts(s, Pose(), Sphere(0.1), Pose(), manifolds).distance.distance;
  });
  rows.push_back(
      {"contacts of a compound whose n boxes lie on a plane", [](int n) {
         std::vector<Compound::Part> parts;
         const int side = static_cast<int>(std::sqrt(static_cast<double>(n)));
         for (int i = 0; i < n; ++i)
           parts.push_back({Box({0.5, 0.5, 0.5}),
                            Pose::translation({1.0 * (i % side), 1.0 * (i / side), 0.25})});
         const auto tiles = std::make_shared<const Shape>(Compound(std::move(parts)));
         const auto patches = std::make_shared<std::vector<Manifold>>(n);
         return [=] {
           kept = contacts(*tiles, Pose(), HalfSpace({0.0, 0.0, 1.0}, 0.0), Pose(), *patches)
                      .manifolds;
         };
       }});
  add_compound(rows, "cast at a compound", [](const Shape& s, const Pose& at) {
    kept = cast(s, Pose(), {}, Sphere(0.1), at, at.position() * -1.0).time;
  });
  add_compound(rows, "impact at a compound", [](const Shape& s, const Pose& at) {
    kept = impact(s, Pose(), {}, Sphere(0.1), at, {at.position() * -1.0, {0.1, 0.2, 0.0}}).time;
  });
  add_compound(rows, "box of a compound",
               [](const Shape& s, const Pose& at) { kept = bounding_box(s, at).lower.x; });
  add_compound(rows, "ray at a compound", [](const Shape& s, const Pose& at) {
    kept = ray_cast(s, Pose(), at.position(), at.position() * -1.0, 1.0).time;
  });
}

std::vector<GrowingCall> growing_calls() {
  std::vector<GrowingCall> rows;
  add_mesh_calls(rows);
  add_hull_calls(rows);
  add_planar_calls(rows);
  add_world_calls(rows);
  return rows;
}

}  // namespace tactus::detail::bench
