// native FILE   the questions of bench.py asked in C++: FILE holds counts of poses and pairs (two
// uint64), poses (7 doubles each) and pairs (two uint64 each). Prints nanoseconds for each pair:
// single calls, and a batch on all processors, each the least of several rounds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <vector>

#include "tactus/query.hpp"
#include "tactus/shape.hpp"

namespace {

template <class T>
std::vector<T> read(std::ifstream& file, std::size_t count) {
  std::vector<T> list(count);
  file.read(reinterpret_cast<char*>(list.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return list;
}

double least_seconds(int rounds, const std::function<void()>& work) {
  double least = 1e300;
  for (int i = 0; i < rounds; ++i) {
    const std::clock_t start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tactus;
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const auto counts = read<std::uint64_t>(file, 2);
  const auto numbers = read<double>(file, 7 * counts[0]);
  const auto places = read<std::uint64_t>(file, 2 * counts[1]);
  if (!file) return 2;
  // As in bench.py.
  const Shape shapes[] = {Box({1, 0.5, 0.8}), Cone(0.5, 1.0)};
  std::vector<PlacedShape> bodies;
  for (std::size_t i = 0; i < counts[0]; ++i) {
    const double* n = &numbers[7 * i];
    bodies.push_back({&shapes[i % 2], Pose({n[0], n[1], n[2]}, Quat{n[3], n[4], n[5], n[6]})});
  }
  std::vector<BroadPair> pairs;
  for (std::size_t i = 0; i < counts[1]; ++i) pairs.push_back({places[2 * i], places[2 * i + 1]});
  std::vector<DistanceResult> out(pairs.size());
  const double single = least_seconds(5, [&] {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const PlacedShape &a = bodies[pairs[i].a], &b = bodies[pairs[i].b];
      out[i] = distance(*a.shape, a.pose, *b.shape, b.pose);
    }
  });
  const double batch = least_seconds(15, [&] { distance(bodies, pairs, out); });
  const double scale = 1e9 / static_cast<double>(pairs.size());
  std::printf("%.1f %.1f\n", single * scale, batch * scale);
}
