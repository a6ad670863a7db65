#include "tactus/io/run/soft_pictures.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <system_error>
#include <vector>

#include "tactus/io/format/atomic_file.hpp"
#include "tactus/io/run/picture_format.hpp"

static_assert(std::endian::native == std::endian::little, "pictures are little-endian");

namespace tactus::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic = "tactus surfaces 1\n";
// Floats of a body: position and quaternion.
constexpr std::size_t kPoseFloats = 7;

std::string head_of(std::uint64_t fingerprint) {
  std::string head(kMagic);
  char bytes[sizeof fingerprint];
  std::memcpy(bytes, &fingerprint, sizeof fingerprint);
  return head.append(bytes, sizeof bytes);
}

std::size_t vertices_of(const Scene& scene) {
  std::size_t count = 0;
  for (const SceneDeformable& body : scene.deformables) count += body.definition.vertices.size();
  return count;
}

std::size_t floats_of(const RunCheckpoint& run, std::size_t vertices) {
  return kPoseFloats * run.tracks.size() + 3 * vertices;
}

}  // namespace

SoftPictures::SoftPictures(const Scene& scene, const fs::path& file)
    : file_(file),
      stream_(file, std::ios::binary | std::ios::trunc),
      run_(start_run(scene)),
      vertices_(vertices_of(scene)) {
  stream_ << head_of(run_.fingerprint);
  flush();
}

SoftPictures::SoftPictures(const Scene& scene, const fs::path& file, const fs::path& from,
                           std::uint64_t count)
    : file_(file), run_(start_run(scene)), vertices_(vertices_of(scene)), count_(count) {
  const std::string head = head_of(run_.fingerprint);
  const std::uint64_t size = head.size() + count * sizeof(float) * floats_of(run_, vertices_);
  std::ifstream old(from, std::ios::binary);
  std::string found(head.size(), '\0');
  old.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (!old) throw FileError(from.string() + ": cannot be read");
  if (found != head) throw FileError(from.string() + ": holds no pictures of this scene");
  std::error_code error;
  if (fs::file_size(from, error) < size || error) throw FileError(from.string() + ": is cut short");
  if (!fs::equivalent(from, file, error))
    fs::copy_file(from, file, fs::copy_options::overwrite_existing, error);
  fs::resize_file(file, size, error);
  stream_.open(file, std::ios::binary | std::ios::app);
  if (error || !stream_) throw FileError(file.string() + ": cannot be written");
}

void SoftPictures::add(const DeformableWorld& world) {
  std::vector<float> floats;
  floats.reserve(floats_of(run_, vertices_));
  const auto place = [&](const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis)
      floats.push_back(static_cast<float>(v[axis] - run_.origin[axis]));
  };
  for (const BodyId id : run_.tracks) {
    // Obstacles are added in the order of the bodies.
    const Pose pose = world.obstacle_pose(static_cast<std::uint32_t>(id - 1));
    const Quat q = to_quaternion(pose.rotation());
    place(pose.position());
    for (const double x : {q.w, q.x, q.y, q.z}) floats.push_back(static_cast<float>(x));
  }
  for (DeformableId b = 0; b < world.bodies(); ++b) {
    for (const Vec3& v : world.positions(b)) place(v);
  }
  std::string bytes(floats.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), floats.data(), bytes.size());
  stream_ << bytes;
  ++count_;
}

void SoftPictures::flush() {
  stream_.flush();
  if (!stream_) throw FileError(file_.string() + ": cannot be written");
}

void SoftPictures::for_each(const std::function<void(const Picture&)>& take) const {
  std::ifstream stream(file_, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(head_of(run_.fingerprint).size()));
  std::string bytes(sizeof(float) * floats_of(run_, vertices_), '\0');
  std::vector<float> floats(floats_of(run_, vertices_));
  Picture picture;
  picture.bodies.resize(run_.tracks.size());
  picture.vertices.resize(vertices_);
  for (std::uint64_t k = 0; k < count_; ++k) {
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream) throw FileError(file_.string() + ": is cut short");
    std::memcpy(floats.data(), bytes.data(), bytes.size());
    for (const float x : floats) {
      if (!std::isfinite(x)) throw FileError(file_.string() + ": is damaged");
    }
    const float* next = floats.data();
    picture.step = k * run_.steps_per_picture;
    for (BodySample& body : picture.bodies) {
      for (float& x : body.position) x = *next++;
      for (float& x : body.orientation) x = *next++;
    }
    for (auto& vertex : picture.vertices) {
      for (float& x : vertex) x = *next++;
    }
    take(picture);
  }
}

}  // namespace tactus::io
