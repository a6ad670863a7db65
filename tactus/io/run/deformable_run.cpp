#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "tactus/core/hash.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/run/world_fields.hpp"

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

namespace tactus::soft {

// Fields of the saved state, for the archive; found by its namespace.
template <class Archive>
void transfer(Archive& archive, RigidCoupling& c) {
  Vec3 place = c.pose.position();
  Mat3 axes = c.pose.rotation();
  archive(place);
  for (Vec3& row : axes.row) archive(row);
  c.pose = detail::unchecked_pose(place, axes);
  archive(c.load.force);
  archive(c.load.torque);
  archive(c.carried);
}
template <class Archive>
void transfer(Archive& archive, DeformableState& state) {
  archive(state.step);
  archive(state.positions);
  archive(state.velocities);
  archive(state.held);
  archive(state.targets);
  archive(state.obstacle_times);
  archive(state.rigid);
}

}  // namespace tactus::soft

namespace tactus::io {

template <class Archive>
void transfer(Archive& archive, DeformableRow& row) {
  for (const DeformableColumn& column : deformable_columns()) archive(row.*column.value);
}

template <class Archive>
void transfer(Archive& archive, DeformableRun& run) {
  archive(run.fingerprint);
  archive(run.state);
  archive(run.rigid);
  archive(run.rows);
}

namespace {

constexpr std::string_view kMagic = "tactus soft 3\n";

constexpr DeformableColumn kColumns[] = {{"time", &DeformableRow::time},
                                         {"contacts", &DeformableRow::contacts},
                                         {"least_gap", &DeformableRow::least_gap},
                                         {"crossings", &DeformableRow::crossings},
                                         {"kinetic_energy", &DeformableRow::kinetic},
                                         {"elastic_energy", &DeformableRow::elastic},
                                         {"contact_energy", &DeformableRow::contact},
                                         {"potential_energy", &DeformableRow::potential},
                                         {"rigid_energy", &DeformableRow::rigid},
                                         {"largest_speed", &DeformableRow::speed},
                                         {"sweeps", &DeformableRow::sweeps},
                                         {"rounds", &DeformableRow::rounds},
                                         {"unconverged", &DeformableRow::unconverged},
                                         {"milliseconds", &DeformableRow::milliseconds}};

}  // namespace

std::span<const DeformableColumn> deformable_columns() { return kColumns; }

void write_deformable_run(const DeformableRun& run, const std::filesystem::path& file) {
  detail::ArchiveWriter writer;
  for (char c : kMagic) writer(c);
  // The writer only reads; `transfer` takes a reference for the sake of the reader.
  writer(const_cast<DeformableRun&>(run));
  std::uint64_t sum = detail::checksum(writer.bytes());
  writer(sum);
  write_atomically(file, writer.bytes());
}

DeformableRun read_deformable_run(const std::filesystem::path& file) {
  const std::string bytes = file_content(file);
  std::string_view content = bytes;
  if (!content.starts_with(kMagic))
    throw FileError(file.string() + ": is no checkpoint of deformables");
  std::uint64_t sum = 0;
  if (content.size() >= kMagic.size() + sizeof sum) {
    detail::ArchiveReader(content.substr(content.size() - sizeof sum))(sum);
    content.remove_suffix(sizeof sum);
  }
  if (detail::checksum(content) != sum)
    throw FileError(file.string() + ": is damaged or cut short");
  DeformableRun run;
  try {
    detail::ArchiveReader reader(content.substr(kMagic.size()));
    reader(run);
    if (!reader.at_end()) throw InvalidInput("", "there are bytes after the end");
  } catch (const InvalidInput& error) {
    throw FileError(file.string() + ": " + error.what());
  }
  return run;
}

void write_picture(const soft::DeformableWorld& world, const std::filesystem::path& file) {
  fmt::memory_buffer points, cells, energies, numbers;
  std::size_t vertices = 0, triangles = 0;
  const auto add = [&](std::span<const Vec3> x,
                       std::span<const std::array<std::uint32_t, 3>> surface,
                       std::span<const double> energy, std::size_t number) {
    for (const Vec3& v : x)
      fmt::format_to(std::back_inserter(points), "{:.9g} {:.9g} {:.9g}\n", v.x, v.y, v.z);
    for (const auto& [a, b, c] : surface)
      fmt::format_to(std::back_inserter(cells), "3 {} {} {}\n", vertices + a, vertices + b,
                     vertices + c);
    for (std::size_t i = 0; i < x.size(); ++i)
      fmt::format_to(std::back_inserter(energies), "{:.5g}\n", energy.empty() ? 0.0 : energy[i]);
    for (std::size_t i = 0; i < surface.size(); ++i)
      fmt::format_to(std::back_inserter(numbers), "{}\n", number);
    vertices += x.size();
    triangles += surface.size();
  };
  for (soft::DeformableId b = 0; b < world.bodies(); ++b)
    add(world.positions(b), world.surface(b), world.strain_energy(b), b);
  for (std::uint32_t o = 0; o < world.obstacles(); ++o) {
    const TriangleMesh mesh = world.obstacle_surface(o);
    add(mesh.vertices, mesh.triangles, {}, world.bodies() + o);
  }
  write_atomically(
      file, fmt::format("# vtk DataFile Version 3.0\ntime {}\nASCII\nDATASET POLYDATA\n"
                        "POINTS {} double\n{}POLYGONS {} {}\n{}POINT_DATA {}\n"
                        "SCALARS strain_energy double 1\nLOOKUP_TABLE default\n{}CELL_DATA {}\n"
                        "SCALARS body int 1\nLOOKUP_TABLE default\n{}",
                        world.time(), vertices, fmt::to_string(points), triangles, 4 * triangles,
                        fmt::to_string(cells), vertices, fmt::to_string(energies), triangles,
                        fmt::to_string(numbers)));
}

}  // namespace tactus::io
