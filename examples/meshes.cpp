// A triangle mesh: from a file or from points, cleaned up, hull, least box, convex parts.
// Usage: example_meshes [FILE]
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/mesh.hpp"
#include "tactus/query.hpp"

using namespace tactus;

namespace {

// Two boxes that form an L.
TriangleMesh letter() {
  const std::vector<Vec3> corners = {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0},
                                     {1, 3, 0}, {0, 3, 0}, {0, 0, 1}, {3, 0, 1},
                                     {3, 1, 1}, {1, 1, 1}, {1, 3, 1}, {0, 3, 1}};
  TriangleMesh mesh{corners, {}};
  for (const std::array<std::uint32_t, 3>& t :
       std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t next = (i + 1) % 6;
    mesh.triangles.push_back({i, next, next + 6});
    mesh.triangles.push_back({i, next + 6, i + 6});
  }
  return mesh;
}

}  // namespace

int main(int argc, char** argv) {
  const Outcome<TriangleMesh> read =
      attempt([&] { return argc > 1 ? io::read_mesh(argv[1]) : letter(); });
  if (!read) {
    std::fprintf(stderr, "%s\n", read.error().c_str());  // names the file, the line, the reason
    return 2;
  }
  const TriangleMesh& mesh = *read;
  const ConvexHull hull = convex_hull(mesh.vertices);
  const fit::MinimumBox least = fit::minimum_box(mesh.vertices, hull);
  std::printf("%zu triangles, hull of %zu vertices, least box %g x %g x %g\n",
              mesh.triangles.size(), hull.vertices.size(), 2 * least.box.half.x,
              2 * least.box.half.y, 2 * least.box.half.z);

  // A body for a World: convex parts that stand for the mesh.
  const fit::ConvexDecomposition parts = fit::decompose(mesh);
  std::printf("%zu convex parts, at most %.3g of the model beside its surface\n",
              parts.parts.size(), parts.concavity_upper());

  // Or as it is: distances from meshes are exact.
  const DistanceResult r = distance(Mesh(mesh), {}, Sphere(0.25), Pose::translation({2, 2, 0.5}));
  std::printf("a ball in the corner: %.15g\n", r.distance);
  return parts.parts.empty() ? 1 : 0;
}
