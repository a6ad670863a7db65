// Contacts of whole moving surfaces: two closed ones that touch or stand in each other, and a large
// cloth with itself.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tactus/ccd.hpp"
#include "tactus/core/random.hpp"
#include "tactus/math.hpp"

namespace tactus::detail {
namespace {

struct Surface {
  std::vector<Vec3> start, end;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  MovingSurface view() const { return {start, end, triangles}; }
};

// Two triangles for each cell of a grid of vertices.
void add_cells(Surface& surface, std::uint32_t rows, std::uint32_t columns) {
  for (std::uint32_t i = 0; i + 1 < rows; ++i) {
    for (std::uint32_t j = 0; j + 1 < columns; ++j) {
      const std::uint32_t p = i * columns + j, q = p + columns;
      surface.triangles.push_back({p, q, q + 1});
      surface.triangles.push_back({p, q + 1, p + 1});
    }
  }
}

// A knobbly ball of some 3,700 triangles and radius 1 that falls by a thirtieth.
Surface ball(double height) {
  constexpr std::uint32_t kRows = 44, kColumns = 44;
  Surface surface;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (std::uint32_t j = 0; j < kColumns; ++j) {
      const double polar = std::numbers::pi * (i + 0.5) / kRows,
                   around = 2.0 * std::numbers::pi * j / (kColumns - 1);
      const double r = 1.0 + 0.08 * std::sin(5.0 * polar) * std::sin(4.0 * around);
      const Vec3 p{r * std::sin(polar) * std::cos(around), r * std::sin(polar) * std::sin(around),
                   r * std::cos(polar) + height};
      surface.start.push_back(p);
      surface.end.push_back(p - Vec3{0.01, 0.0, height > 0.0 ? 0.033 : 0.0});
    }
  }
  add_cells(surface, kRows, kColumns);
  return surface;
}

void two_surfaces(benchmark::State& state, double height) {
  const Surface a = ball(0.0), b = ball(height);
  SurfaceCcdOptions options;
  options.max_threads = 1;
  std::size_t found = 0;
  for (auto step : state) found = surface_impacts(a.view(), b.view(), options).impacts.size();
  state.counters["triangles"] = static_cast<double>(a.triangles.size());
  state.counters["impacts"] = static_cast<double>(found);
}

// A cloth over a ball whose threads are shaken by four fifths of their distance.
void cloth_with_itself(benchmark::State& state) {
  constexpr std::uint32_t kSide = 216;
  constexpr double kSpacing = 0.02;
  Random random(7);
  Surface cloth;
  for (std::uint32_t i = 0; i < kSide; ++i) {
    for (std::uint32_t j = 0; j < kSide; ++j) {
      const double x = kSpacing * (i - 0.5 * kSide), y = kSpacing * (j - 0.5 * kSide);
      const double square = x * x + y * y;
      const double z = square < 0.72 ? std::sqrt(1.0 - square)
                                     : 0.53 - 0.4 * (std::sqrt(square) - 0.85) +
                                           0.1 * std::sin(8.0 * std::atan2(y, x));
      const auto shaken = [&] { return kSpacing * random.uniform(-0.8, 0.8); };
      cloth.start.push_back({x, y, z});
      cloth.end.push_back({x + shaken(), y + shaken(), z + shaken() - kSpacing});
    }
  }
  add_cells(cloth, kSide, kSide);
  SurfaceCcdOptions options;
  options.max_threads = 1;
  std::size_t found = 0;
  for (auto step : state) found = self_impacts(cloth.view(), options).impacts.size();
  state.counters["triangles"] = static_cast<double>(cloth.triangles.size());
  state.counters["impacts"] = static_cast<double>(found);
}

// Knobs touch; one stands in the other.
BENCHMARK_CAPTURE(two_surfaces, touching, 2.03)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(two_surfaces, overlapping, 0.3)->Unit(benchmark::kMillisecond);
BENCHMARK(cloth_with_itself)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tactus::detail
