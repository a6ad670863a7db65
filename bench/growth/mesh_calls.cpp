// Meshes: closed spheres of n triangles with bumps, and open grids of n triangles with hills.
#include <cmath>
#include <memory>
#include <utility>

#include "bench/growth/calls.hpp"
#include "bench/shapes.hpp"
#include "tactus/ccd.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query.hpp"

namespace tactus::detail::bench {
namespace {

// Rings of quadrilaterals round the axis, two triangles each.
TriangleMesh bumpy_sphere(int n) {
  const auto rings = static_cast<std::uint32_t>(std::max(std::sqrt(n / 4.0), 3.0));
  const std::uint32_t sides = 2 * rings;
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 1}, {0, 0, -1}};
  for (std::uint32_t i = 1; i < rings; ++i) {
    for (std::uint32_t j = 0; j < sides; ++j) {
      const double polar = kPi * i / rings, around = 2.0 * kPi * j / sides;
      const double r = 1.0 + 0.05 * std::sin(5.0 * polar) * std::cos(7.0 * around);
      mesh.vertices.push_back({r * std::sin(polar) * std::cos(around),
                               r * std::sin(polar) * std::sin(around), r * std::cos(polar)});
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return 2 + (i - 1) * sides + j % sides; };
  for (std::uint32_t j = 0; j < sides; ++j) {
    mesh.triangles.push_back({0, at(1, j), at(1, j + 1)});
    mesh.triangles.push_back({1, at(rings - 1, j + 1), at(rings - 1, j)});
    for (std::uint32_t i = 1; i + 1 < rings; ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return mesh;
}

// A unit square, so that a ball on it covers the same part whatever the number of triangles; flat
// for a height of zero.
TriangleMesh terrain(int n, double height) {
  const auto side = static_cast<std::uint32_t>(std::max(std::sqrt(n / 2.0), 2.0));
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= side; ++i) {
    for (std::uint32_t j = 0; j <= side; ++j) {
      const double x = static_cast<double>(i) / side - 0.5, y = static_cast<double>(j) / side - 0.5;
      mesh.vertices.push_back({x, y, height * std::sin(9.0 * x) * std::cos(8.0 * y)});
    }
  }
  for (std::uint32_t i = 0; i < side; ++i) {
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t a = i * (side + 1) + j, c = a + side + 1;
      mesh.triangles.push_back({a, c, c + 1});
      mesh.triangles.push_back({a, c + 1, a + 1});
    }
  }
  return mesh;
}

struct Pair {
  Shape a, b;
  Pose at;
};

void add(std::vector<GrowingCall>& rows, const std::string& name,
         const std::function<Pair(int)>& shapes, const std::function<void(const Pair&)>& call) {
  rows.push_back({name, [=](int n) {
                    const auto pair = std::make_shared<const Pair>(shapes(n));
                    return [=] { call(*pair); };
                  }});
}

void distance_of(const Pair& p) { kept = distance(p.a, Pose(), p.b, p.at).distance; }
void bare_distance_of(const Pair& p) {
  QueryOptions options;
  options.signed_distance = false;
  kept = distance(p.a, Pose(), p.b, p.at, options).distance;
}
void overlap_of(const Pair& p) {
  kept = overlap(p.a, Pose(), p.b, p.at).overlap == Overlap::yes ? 1.0 : 0.0;
}
void contacts_of(const Pair& p) {
  Manifold manifolds[16];
  kept = contacts(p.a, Pose(), p.b, p.at, manifolds).distance.distance;
}
void cast_of(const Pair& p) {
  kept = cast(p.a, Pose(), {}, p.b, p.at, p.at.position() * -2.0).time;
}
void impact_of(const Pair& p) {
  kept = impact(p.a, Pose(), {}, p.b, p.at, {p.at.position() * -2.0, {0.1, 0.2, 0.0}}).time;
}
void ray_at(const Pair& p) {
  kept = ray_cast(p.a, Pose(), p.at.position(), -p.at.position(), 2.0).time;
}
void box_of(const Pair& p) { kept = bounding_box(p.a, p.at).lower.x; }
void mass_of(const Pair& p) { kept = mass_properties(p.a).volume; }

void add_open(std::vector<GrowingCall>& rows, const std::string& name, double height) {
  const auto above = [=](int n) {
    return Pair{Mesh(terrain(n, height)), Sphere(0.02), Pose::translation({0.01, 0.02, 0.5})};
  };
  const auto touching = [=](int n) {
    return Pair{Mesh(terrain(n, height)), Sphere(1.0), Pose::translation({0.01, 0.02, 1.0})};
  };
  add(rows, "box of " + name, above, box_of);
  add(rows, "ray, " + name, above, ray_at);
  add(rows, "cast of a ball, " + name, above, cast_of);
  add(rows, "impact of a ball, " + name, above, impact_of);
  add(rows, "distance of a ball, " + name, above, bare_distance_of);
  add(rows, "contacts of a ball, " + name, touching, contacts_of);
}

}  // namespace

void add_mesh_calls(std::vector<GrowingCall>& rows) {
  rows.push_back({"`Mesh`, closed", [](int n) {
                    const auto mesh = std::make_shared<const TriangleMesh>(bumpy_sphere(n));
                    return [=] { kept = Mesh(*mesh).closed() ? 1.0 : 0.0; };
                  }});
  rows.push_back({"`Mesh`, open", [](int n) {
                    const auto mesh = std::make_shared<const TriangleMesh>(terrain(n, 0.1));
                    return [=] { kept = Mesh(*mesh).closed() ? 1.0 : 0.0; };
                  }});
  rows.push_back({"`Mesh::moved`", [](int n) {
                    const auto mesh = std::make_shared<const Mesh>(terrain(n, 0.1));
                    return [=] { kept = mesh->moved(mesh->mesh().vertices).closed() ? 1.0 : 0.0; };
                  }});
  const auto closed = [](int n) {
    return Pair{Mesh(bumpy_sphere(n)), Sphere(0.1), Pose::translation({1.5, 0.3, 0.2})};
  };
  const auto two = [](int n) {
    const Mesh mesh(bumpy_sphere(n));
    return Pair{mesh, mesh, Pose::translation({2.5, 0.3, 0.2})};
  };
  const auto far = [](int n) {
    const Mesh mesh(bumpy_sphere(n));
    return Pair{mesh, mesh, Pose::translation({25.0, 3.0, 2.0})};
  };
  const auto plane = [](int n) {
    return Pair{Mesh(bumpy_sphere(n)), HalfSpace({0, 0, 1}, 0.0),
                Pose::translation({0.0, 0.0, -1.5})};
  };
  add(rows, "mass of a closed mesh", closed, mass_of);
  add(rows, "box of a closed mesh", closed, box_of);
  add(rows, "ray, closed mesh", closed, ray_at);
  add(rows, "cast of a ball, closed mesh", closed, cast_of);
  add(rows, "distance of a ball, closed mesh", closed, distance_of);
  add(rows, "distance of closed meshes", two, distance_of);
  add(rows, "distance of closed meshes far apart", far, distance_of);
  add(rows, "overlap of closed meshes", two, overlap_of);
  add(rows, "cast of closed meshes", two, cast_of);
  add(rows, "impact of closed meshes", two, impact_of);
  add(rows, "distance of a mesh and a half-space", plane, distance_of);
  add_open(rows, "hills", 0.1);
  add_open(rows, "flat ground", 0.0);
  rows.push_back({"`self_impacts`", [](int n) {
                    const auto mesh = std::make_shared<const TriangleMesh>(terrain(n, 0.1));
                    return [=] {
                      const auto& v = mesh->vertices;
                      kept =
                          static_cast<double>(self_impacts({v, v, mesh->triangles}).impacts.size());
                    };
                  }});
}

}  // namespace tactus::detail::bench
