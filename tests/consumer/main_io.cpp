#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "tactus/io.hpp"
#include "tactus/mesh.hpp"

/// Exits with 0 when the installed reader finds the volume of a corner tetrahedron, 1/6.
int main() {
  const std::filesystem::path file = "tetrahedron.off";
  std::ofstream(file)
      << "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
  try {
    const double volume = tactus::mass_properties(tactus::io::read_mesh(file)).volume;
    std::printf("volume %g\n", volume);
    return std::fabs(volume - 1.0 / 6.0) < 1e-15 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
