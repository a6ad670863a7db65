#include "tactus/io/run/soft_pictures.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <system_error>
#include <vector>

#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/picture_format.hpp"

static_assert(std::endian::native == std::endian::little, "pictures are little-endian");

namespace tactus::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic = "tactus surfaces 2\n";
constexpr std::uint64_t kVertexBytes = 3 * sizeof(float);

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

/// Reads the pictures of a file that follow its head, one by one: each one as in a recording, its
/// vertices after it.
class SoftReader {
 public:
  SoftReader(const fs::path& file, const RunCheckpoint& run, std::size_t vertices)
      : file_(file),
        stream_(file, std::ios::binary),
        tracks_(run.tracks.size()),
        vertex_bytes_(kVertexBytes * vertices),
        head_(static_cast<std::size_t>(picture_size(0, 0)), '\0') {
    std::error_code error;
    size_ = fs::file_size(file, error);
    at_ = head_of(run.fingerprint).size();
    if (error || !stream_) throw FileError(file.string() + ": cannot be read");
  }

  /// Where the next picture starts.
  std::uint64_t at() const { return at_; }
  /// Passes over one.
  void skip() { at_ += next_size(); }
  void take(Picture& picture) {
    std::string bytes(static_cast<std::size_t>(next_size()), '\0');
    read(bytes);
    at_ += bytes.size();
    std::string_view rest = bytes;
    try {
      take_picture(rest, tracks_, picture);
    } catch (const InvalidInput&) {
      throw FileError(file_.string() + ": is damaged");
    }
    picture.vertices.resize(rest.size() / kVertexBytes);
    for (auto& vertex : picture.vertices) {
      std::memcpy(vertex.data(), rest.data(), kVertexBytes);
      rest.remove_prefix(kVertexBytes);
      for (const float x : vertex) {
        if (!std::isfinite(x)) throw FileError(file_.string() + ": is damaged");
      }
    }
  }

 private:
  std::uint64_t next_size() {
    if (size_ < at_ + head_.size()) refuse();
    read(head_);
    const std::uint64_t size = announced_size(head_, tracks_) + vertex_bytes_;
    if (size_ - at_ < size) refuse();
    return size;
  }
  void read(std::string& bytes) {
    stream_.seekg(static_cast<std::streamoff>(at_));
    if (!stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) refuse();
  }
  [[noreturn]] void refuse() const { throw FileError(file_.string() + ": is cut short"); }

  const fs::path& file_;
  std::ifstream stream_;
  std::size_t tracks_;
  std::uint64_t vertex_bytes_, size_ = 0, at_ = 0;
  std::string head_;
};

}  // namespace

std::vector<ContactSample> contacts_of(const soft::DeformableWorld& world, const RigidWorld* rigid,
                                       const Vec3& origin) {
  std::vector<ContactSample> contacts;
  if (rigid != nullptr) append_contacts(*rigid, origin, contacts);
  const auto bodies = static_cast<std::uint32_t>(world.bodies());
  const auto obstacles = static_cast<std::uint32_t>(world.obstacles());
  // The world counts deformables first, the scene rigid bodies.
  const auto index = [&](std::uint32_t body) {
    return body < bodies ? obstacles + body : body - bodies;
  };
  for (const soft::DeformableContact& c : world.contacts()) {
    contacts.push_back({to_floats(c.point - origin),
                        to_floats(c.normal),
                        static_cast<float>(world.contact_distance() - c.distance),
                        static_cast<float>(c.normal_force),
                        to_floats(c.friction_force),
                        {index(c.body_a), index(c.body_b)}});
  }
  return contacts;
}

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
  std::ifstream old(from, std::ios::binary);
  std::string found(head.size(), '\0');
  old.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (!old) throw FileError(from.string() + ": cannot be read");
  if (found != head) throw FileError(from.string() + ": holds no pictures of this scene");
  SoftReader reader(from, run_, vertices_);
  for (std::uint64_t k = 0; k < count; ++k) reader.skip();
  std::error_code error;
  if (!fs::equivalent(from, file, error))
    fs::copy_file(from, file, fs::copy_options::overwrite_existing, error);
  fs::resize_file(file, reader.at(), error);
  stream_.open(file, std::ios::binary | std::ios::app);
  if (error || !stream_) throw FileError(file.string() + ": cannot be written");
}

void SoftPictures::add(const soft::DeformableWorld& world, const RigidWorld* rigid) {
  Picture picture;
  picture.step = world.step_count();
  // Obstacles are added in the order of the bodies.
  for (const BodyId id : run_.tracks) {
    const Pose pose = world.obstacle_pose(static_cast<std::uint32_t>(id - 1));
    picture.bodies.push_back(body_sample(run_.origin, pose, {}, {}));
  }
  picture.has_contacts = contacts_are_due(run_, picture.step);
  if (picture.has_contacts) picture.contacts = contacts_of(world, rigid, run_.origin);
  std::string bytes;
  append_picture(picture, bytes);
  for (soft::DeformableId b = 0; b < world.bodies(); ++b) {
    for (const Vec3& v : world.positions(b)) {
      const std::array<float, 3> place = to_floats(v - run_.origin);
      bytes.append(reinterpret_cast<const char*>(place.data()), kVertexBytes);
    }
  }
  stream_ << bytes;
  ++count_;
}

void SoftPictures::flush() {
  stream_.flush();
  if (!stream_) throw FileError(file_.string() + ": cannot be written");
}

void SoftPictures::for_each(const std::function<void(const Picture&)>& take) const {
  SoftReader reader(file_, run_, vertices_);
  Picture picture;
  for (std::uint64_t k = 0; k < count_; ++k) {
    reader.take(picture);
    take(picture);
  }
}

}  // namespace tactus::io
