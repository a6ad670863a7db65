#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "tactus/core/hash.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/picture_format.hpp"

namespace tactus::io {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream = open_to_read(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::array<std::uint16_t, 3> pack_quaternion(const Quat& q) {
  std::array<double, 4> component{q.w, q.x, q.y, q.z};
  const std::size_t largest = static_cast<std::size_t>(
      std::max_element(component.begin(), component.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
      component.begin());
  const double sign = component[largest] < 0.0 ? -1.0 : 1.0;
  std::array<std::uint16_t, 3> words{};
  for (std::size_t i = 0, k = 0; i < 4; ++i) {
    if (i == largest) continue;
    const double unit = (sign * component[i] * std::sqrt(2.0) + 1.0) * 0.5;
    words[k++] = static_cast<std::uint16_t>(std::lround(std::clamp(unit, 0.0, 1.0) * 0x7fff));
  }
  words[0] = static_cast<std::uint16_t>(words[0] | (largest & 1u) << 15u);
  words[1] = static_cast<std::uint16_t>(words[1] | (largest >> 1u) << 15u);
  return words;
}

std::array<std::uint8_t, 2> pack_direction(const Vec3& unit) {
  const double sum = std::fabs(unit.x) + std::fabs(unit.y) + std::fabs(unit.z);
  double x = unit.x / sum, y = unit.y / sum;
  if (unit.z < 0.0) {
    // The lower half of the octahedron is folded outwards over the corners of the square.
    const double folded_x = (1.0 - std::fabs(y)) * (x < 0.0 ? -1.0 : 1.0);
    y = (1.0 - std::fabs(x)) * (y < 0.0 ? -1.0 : 1.0);
    x = folded_x;
  }
  const auto byte = [](double v) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(v * 0.5 + 0.5, 0.0, 1.0) * 254.0));
  };
  return {byte(x), byte(y)};
}

Recording start_recording(const Scene& scene) { return {start_run(scene), {}}; }

void record(const Scene& scene, const RigidWorld& world, Recording& recording) {
  if (!picture_is_due(recording, world.step_count())) return;
  recording.pictures.emplace_back();
  fill_picture(scene, world, recording, recording.pictures.back());
}

void write_recording(const Recording& recording, const std::filesystem::path& file) {
  std::string bytes;
  for (const Picture& picture : recording.pictures) append_picture(picture, bytes);
  detail::Fnv1a hash;
  hash.add(bytes);
  const PictureCount count{recording.pictures.size(), bytes.size(), hash.value(), 1};
  AtomicFile out(file);
  out.write(encode_run(recording, count));
  out.write(bytes);
  out.commit();
}

Recording read_recording(const std::filesystem::path& file) {
  PictureReader reader(file);
  Recording recording{reader.run(), {}};
  for (Picture picture; reader.next(picture);) recording.pictures.push_back(picture);
  return recording;
}

Recording parse_recording(std::string_view content, const std::string& name) {
  const std::uint64_t size = run_size(content.substr(0, kRunPrefix), name);
  if (size > content.size()) throw FileError(name + ": is damaged or cut short");
  PictureCount count;
  Recording recording{decode_run(content.substr(0, size), name, count), {}};
  content.remove_prefix(static_cast<std::size_t>(size));
  if (count.inside == 0) {
    throw FileError(name + ": is a checkpoint of a run that has not ended; continue it first");
  }
  detail::Fnv1a hash;
  hash.add(content);
  if (content.size() != count.bytes || hash.value() != count.hash) {
    throw FileError(name + ": is damaged or cut short");
  }
  const std::size_t tracks = recording.tracks.size();
  try {
    for (std::uint64_t i = 0; i < count.pictures; ++i) {
      Picture& picture = recording.pictures.emplace_back();
      if (content.size() < picture_size(tracks, 0) || !take_picture(content, tracks, picture)) {
        throw InvalidInput("", "the pictures end early");
      }
    }
    if (!content.empty()) throw InvalidInput("", "there are bytes after the end");
  } catch (const InvalidInput& error) {
    throw FileError(name + ": " + error.what());
  }
  return recording;
}

RunCheckpoint read_checkpoint(const std::filesystem::path& file) {
  const std::string content = content_of(file);
  const std::uint64_t size =
      run_size(std::string_view(content).substr(0, kRunPrefix), file.string());
  PictureCount count;
  return decode_run(std::string_view(content).substr(
                        0, static_cast<std::size_t>(std::min<std::uint64_t>(size, content.size()))),
                    file.string(), count);
}

}  // namespace tactus::io
