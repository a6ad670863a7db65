#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>

#include "tactus/core/hash.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/archive.hpp"
#include "tactus/io/format/atomic_file.hpp"
#include "tactus/narrow/difference/warm_start.hpp"

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

namespace tactus::detail {
template <class Archive>
void transfer(Archive& archive, KeptSurface& surface) {
  archive(surface.vertex_count);
  archive(surface.face_count);
  archive(surface.nearest);
  if (surface.vertex_count > surface.vertices.size() || surface.face_count > KeptSurface::kMaxFaces)
    throw InvalidInput("pairs", "the kept surface is too large");
  for (std::size_t i = 0; i < surface.vertex_count; ++i) {
    KeptSurface::Vertex& v = surface.vertices[i];
    archive(v.piece_a);
    archive(v.piece_b);
    for (std::int16_t& coordinate : v.direction) archive(coordinate);
  }
  for (std::size_t i = 0; i < surface.face_count; ++i) {
    for (std::uint8_t& corner : surface.faces[i].vertex) archive(corner);
    for (std::uint8_t& neighbor : surface.faces[i].neighbor) archive(neighbor);
  }
}
}  // namespace tactus::detail

namespace tactus {

// Fields of the saved state, for the archive; found by its namespace.
template <class Archive>
void transfer(Archive& archive, Vec3& v) {
  archive(v.x);
  archive(v.y);
  archive(v.z);
}
template <class Archive>
void transfer(Archive& archive, BodyMotion& body) {
  archive(body.id);
  archive(body.position);
  archive(body.orientation.w);
  archive(body.orientation.x);
  archive(body.orientation.y);
  archive(body.orientation.z);
  archive(body.linear_velocity);
  archive(body.angular_velocity);
}
template <class Archive>
void transfer(Archive& archive, PairMemory& pair) {
  archive(pair.body_a);
  archive(pair.body_b);
  detail::WarmStart& cache = pair.cache.state();
  archive(cache.direction);
  archive(cache.turn);
  archive(cache.overlapping);
  archive(cache.count);
  for (std::uint32_t& piece : cache.piece_a) archive(piece);
  for (std::uint32_t& piece : cache.piece_b) archive(piece);
  archive(cache.surface);
  archive(pair.first);
  archive(pair.count);
}
template <class Archive>
void transfer(Archive& archive, ManifoldMemory& manifold) {
  archive(manifold.part_a);
  archive(manifold.part_b);
  archive(manifold.first);
  archive(manifold.count);
  archive(manifold.rolling_impulse);
}
template <class Archive>
void transfer(Archive& archive, ContactPointMemory& point) {
  archive(point.feature);
  archive(point.position);
  archive(point.normal_impulse);
  archive(point.friction_impulse);
}
template <class Archive>
void transfer(Archive& archive, WorldState& state) {
  archive(state.step);
  archive(state.next_id);
  archive(state.bodies);
  archive(state.pairs);
  archive(state.manifolds);
  archive(state.points);
}

namespace io {

template <class Archive>
void transfer(Archive& archive, PoseSample& sample) {
  for (float& x : sample.position) archive(x);
  for (std::uint16_t& word : sample.quaternion) archive(word);
}
template <class Archive>
void transfer(Archive& archive, ContactSample& sample) {
  for (float& x : sample.position) archive(x);
  for (std::uint8_t& byte : sample.normal) archive(byte);
}
template <class Archive>
void transfer(Archive& archive, Recording& recording) {
  archive(recording.fingerprint);
  archive(recording.steps_per_picture);
  archive(recording.pictures_per_contacts);
  archive(recording.origin);
  archive(recording.tracks);
  archive(recording.poses);
  archive(recording.contact_counts);
  archive(recording.contacts);
  archive(recording.touching);
  recording.summary.transfer(archive);
  archive(recording.state);
}

namespace {

/// First bytes of a file; the digit is the version of the layout.
constexpr std::string_view kMagic = "TACTUSR2";

std::uint64_t checksum(std::string_view bytes) {
  detail::Fnv1a hash;
  hash.add(bytes);
  return hash.value();
}

std::array<float, 3> relative_to(const Vec3& origin, const Vec3& point) {
  const Vec3 d = point - origin;
  return {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)};
}

/// Where a body is, or will be when it has not entered yet.
Pose pose_of(const Scene& scene, const World& world, BodyId id) {
  return world.contains(id) ? world.body(id).pose()
                            : scene.bodies[static_cast<std::size_t>(id - 1)].definition.pose;
}

void record_contacts(const World& world, Recording& recording) {
  std::unordered_map<BodyId, std::size_t> track_of;
  for (std::size_t i = 0; i < recording.tracks.size(); ++i) track_of[recording.tracks[i]] = i;
  const std::size_t first = recording.touching.size();
  recording.touching.resize(first + recording.tracks.size(), 0);
  const auto count_partner = [&](BodyId id) {
    const auto found = track_of.find(id);
    if (found == track_of.end()) return;
    std::uint8_t& count = recording.touching[first + found->second];
    if (count < 255) ++count;
  };
  std::uint32_t points = 0;
  BodyId last_a = kNoBody, last_b = kNoBody;
  for (const Contact& contact : world.contacts()) {
    if (contact.depth < 0.0) continue;
    ++points;
    recording.contacts.push_back(
        {relative_to(recording.origin, contact.point), pack_direction(contact.normal)});
    // The points of a pair follow each other.
    if (contact.body_a == last_a && contact.body_b == last_b) continue;
    last_a = contact.body_a;
    last_b = contact.body_b;
    count_partner(last_a);
    count_partner(last_b);
  }
  recording.contact_counts.push_back(points);
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

Recording start_recording(const Scene& scene) {
  Recording recording;
  recording.fingerprint = scene.fingerprint;
  recording.steps_per_picture = scene.recording.steps_per_picture;
  recording.pictures_per_contacts = scene.recording.pictures_per_contacts;
  recording.summary = RunSummary(scene.step_rate);
  for (const SceneBody& body : scene.bodies) {
    if (body.definition.type != BodyType::fixed) recording.tracks.push_back(body.definition.id);
  }
  if (!recording.tracks.empty()) {
    recording.origin = scene.bodies[static_cast<std::size_t>(recording.tracks.front() - 1)]
                           .definition.pose.position();
  }
  return recording;
}

void record(const Scene& scene, const World& world, Recording& recording) {
  const std::uint64_t step = world.step_count();
  if (step % recording.steps_per_picture != 0) return;
  for (const BodyId id : recording.tracks) {
    const Pose pose = pose_of(scene, world, id);
    recording.poses.push_back({relative_to(recording.origin, pose.position()),
                               pack_quaternion(to_quaternion(pose.rotation()))});
  }
  if (step / recording.steps_per_picture % recording.pictures_per_contacts == 0) {
    record_contacts(world, recording);
  }
}

void write_recording(const Recording& recording, const std::filesystem::path& file) {
  ArchiveWriter writer;
  for (char c : kMagic) writer(c);
  // The writer only reads; `transfer` takes a reference for the sake of the reader.
  writer(const_cast<Recording&>(recording));
  std::uint64_t sum = checksum(writer.bytes());
  writer(sum);
  write_atomically(file, writer.bytes());
}

Recording read_recording(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) {
    throw FileError(file.string() + ": cannot be opened");
  }
  std::ostringstream buffer;
  buffer << stream.rdbuf();
  return parse_recording(std::move(buffer).str(), file.string());
}

Recording parse_recording(std::string_view content, const std::string& name) {
  if (!content.starts_with(kMagic)) throw FileError(name + ": is not a recording");
  const std::size_t tail = sizeof(std::uint64_t);
  std::uint64_t sum = 0;
  if (content.size() >= kMagic.size() + tail) {
    ArchiveReader(content.substr(content.size() - tail))(sum);
    content.remove_suffix(tail);
  }
  if (checksum(content) != sum) throw FileError(name + ": is damaged or cut short");
  Recording recording;
  try {
    ArchiveReader reader(content.substr(kMagic.size()));
    reader(recording);
    if (!reader.at_end()) throw InvalidInput("", "there are bytes after the end");
  } catch (const InvalidInput& error) {
    throw FileError(name + ": " + error.what());
  }
  return recording;
}

}  // namespace io
}  // namespace tactus
