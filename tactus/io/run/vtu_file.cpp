#include "tactus/io/run/vtu_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "tactus/io/file/atomic_file.hpp"

namespace tactus::io {
namespace {

/// Arrays one after the other, each behind its number of bytes, and the elements that name them.
class Appended {
 public:
  template <class T>
  std::string add(std::string_view type, std::string_view name, int components,
                  std::span<const T> data) {
    const std::string element = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type, name, components, bytes_.size());
    const std::uint64_t size = data.size_bytes();
    append(&size, sizeof size);
    append(data.data(), static_cast<std::size_t>(size));
    return element;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + size);
    std::memcpy(bytes_.data() + before, from, size);
  }
  std::string bytes_;
};

}  // namespace

void write_vtu(const VtuPoints& points, const std::filesystem::path& file) {
  constexpr std::uint8_t kVertex = 1;
  const std::size_t count = points.places.size();
  std::vector<double> places;
  places.reserve(3 * count);
  for (const Vec3& p : points.places) places.insert(places.end(), {p.x, p.y, p.z});
  std::vector<std::int64_t> connectivity(count), offsets(count);
  for (std::size_t i = 0; i < count; ++i) {
    connectivity[i] = static_cast<std::int64_t>(i);
    offsets[i] = connectivity[i] + 1;
  }
  const std::vector<std::uint8_t> types(count, kVertex);

  Appended data;
  std::string values;
  for (const VtuPoints::Values& v : points.values) {
    values += data.add<double>("Float64", v.name, v.components, v.data);
  }
  const std::string place = data.add<double>("Float64", "Points", 3, places);
  std::string cells = data.add<std::int64_t>("Int64", "connectivity", 1, connectivity);
  cells += data.add<std::int64_t>("Int64", "offsets", 1, offsets);
  cells += data.add<std::uint8_t>("UInt8", "types", 1, types);

  AtomicFile out(file);
  out.write(
      fmt::format("<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
                  "<Piece NumberOfPoints=\"{0}\" NumberOfCells=\"{0}\">\n"
                  "<PointData>\n{1}</PointData>\n<Points>\n{2}</Points>\n<Cells>\n{3}</Cells>\n"
                  "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
                  count, values, place, cells));
  out.write(data.bytes());
  out.write("\n</AppendedData>\n</VTKFile>\n");
  out.commit();
}

}  // namespace tactus::io
