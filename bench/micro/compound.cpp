// Compounds beside the mesh of the same surface, and what caches save along a motion and cost after
// a jump.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "bench/shapes.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/core/random.hpp"
#include "tactus/query.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

constexpr int kParts = 100;
constexpr int kPoses = 64;

// A hundred octahedra on a sphere: their surface as parts and as one mesh.
struct Ring {
  std::vector<Compound::Part> parts;
  TriangleMesh mesh;

  Ring() {
    const double golden = 2.399963229728653;
    for (int i = 0; i < kParts; ++i) {
      const double z = 1.0 - (2.0 * i + 1.0) / kParts, r = std::sqrt(1.0 - z * z);
      const Vec3 middle{r * std::cos(golden * i), r * std::sin(golden * i), z};
      std::vector<Vec3> corners;
      for (int axis = 0; axis < 3; ++axis) {
        for (const double sign : {-0.12, 0.12}) {
          Vec3 corner = middle;
          corner[axis] += sign;
          corners.push_back(corner);
        }
      }
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const Vec3& c : corners) mesh.vertices.push_back(c);
      for (std::uint32_t k = 0; k < 8; ++k) {
        const std::uint32_t x = first + (k & 1u), y = first + 2 + (k >> 1u & 1u),
                            w = first + 4 + (k >> 2u & 1u);
        const bool even = ((k & 1u) + (k >> 1u & 1u) + (k >> 2u & 1u)) % 2 == 1;
        mesh.triangles.push_back(even ? std::array{x, y, w} : std::array{x, w, y});
      }
      parts.push_back({Convex(corners), Pose()});
    }
  }
};

// Apart by about a tenth of the size, turned anyhow.
std::vector<Pose> poses(double jump) {
  Random random(5);
  std::vector<Pose> list;
  Quat turn = normalized(Quat{1.0, 0.3, 0.2, 0.1});
  Vec3 way{1.0, 0.2, 0.1};
  for (int i = 0; i < kPoses; ++i) {
    const auto noise = [&] { return jump * random.uniform(-1.0, 1.0); };
    turn = normalized(turn * normalized(Quat{1.0, noise(), noise(), noise()}));
    way = normalized(way + Vec3{noise(), noise(), noise()});
    list.emplace_back(way * 2.4, turn);
  }
  return list;
}

// A closed surface of 4,800 triangles, bent in and out.
TriangleMesh bumpy() {
  constexpr std::uint32_t kRows = 50, kColumns = 49;
  TriangleMesh mesh;
  const double pi = 3.141592653589793;
  const auto add = [&](double polar, double round) {
    const double r = 1.0 + 0.1 * std::sin(7.0 * polar) * std::cos(5.0 * round);
    mesh.vertices.push_back(Vec3{std::sin(polar) * std::cos(round),
                                 std::sin(polar) * std::sin(round), std::cos(polar)} *
                            r);
  };
  add(0.0, 0.0);
  for (std::uint32_t i = 1; i < kRows; ++i) {
    for (std::uint32_t k = 0; k < kColumns; ++k) add(pi * i / kRows, 2.0 * pi * k / kColumns);
  }
  add(pi, 0.0);
  const auto at = [&](std::uint32_t row, std::uint32_t column) {
    return 1 + (row - 1) * kColumns + column % kColumns;
  };
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size()) - 1;
  for (std::uint32_t k = 0; k < kColumns; ++k) {
    mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
    mesh.triangles.push_back({last, at(kRows - 1, k + 1), at(kRows - 1, k)});
    for (std::uint32_t i = 1; i + 1 < kRows; ++i) {
      mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  }
  return mesh;
}

enum class Body { compound, mesh, bumpy };
enum class Way { cold, warm, jumps, jumps_cold, front };

void query_all(benchmark::State& state, Body body, Way way) {
  static const Ring ring;
  static const Shape shapes[] = {Compound(ring.parts), Mesh(ring.mesh), Mesh(bumpy())};
  const Shape& shape = shapes[static_cast<int>(body)];
  const bool jumping = way == Way::jumps || way == Way::jumps_cold;
  const std::vector<Pose> list = poses(jumping ? 1.0 : 0.004);
  for (auto _ : state) {
    QueryCache cache;
    bvh::MeshFront front;
    for (const Pose& pose : list) {
      if (way == Way::front) {
        const bvh::MeshView view = view_of(std::get<Mesh>(shape.geometry()));
        benchmark::DoNotOptimize(bvh::mesh_distance(view, Pose(), view, pose, front).distance);
      } else {
        QueryCache* const given = way == Way::cold || way == Way::jumps_cold ? nullptr : &cache;
        benchmark::DoNotOptimize(distance(shape, Pose(), shape, pose, {}, given).distance);
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * kPoses);
}

BENCHMARK_CAPTURE(query_all, compound_cold, Body::compound, Way::cold);
BENCHMARK_CAPTURE(query_all, compound_warm, Body::compound, Way::warm);
BENCHMARK_CAPTURE(query_all, compound_jumps_cold, Body::compound, Way::jumps_cold);
BENCHMARK_CAPTURE(query_all, compound_jumps_stale, Body::compound, Way::jumps);
BENCHMARK_CAPTURE(query_all, mesh_cold, Body::mesh, Way::cold);
BENCHMARK_CAPTURE(query_all, mesh_warm, Body::mesh, Way::warm);
BENCHMARK_CAPTURE(query_all, mesh_front, Body::mesh, Way::front);
BENCHMARK_CAPTURE(query_all, mesh_jumps_cold, Body::mesh, Way::jumps_cold);
BENCHMARK_CAPTURE(query_all, mesh_jumps_stale, Body::mesh, Way::jumps);
BENCHMARK_CAPTURE(query_all, bumpy_cold, Body::bumpy, Way::cold);
BENCHMARK_CAPTURE(query_all, bumpy_warm, Body::bumpy, Way::warm);
BENCHMARK_CAPTURE(query_all, bumpy_front, Body::bumpy, Way::front);
BENCHMARK_CAPTURE(query_all, bumpy_jumps_cold, Body::bumpy, Way::jumps_cold);
BENCHMARK_CAPTURE(query_all, bumpy_jumps_stale, Body::bumpy, Way::jumps);

}  // namespace
}  // namespace tactus::detail
