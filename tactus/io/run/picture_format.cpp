#include "tactus/io/run/picture_format.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/core/archive.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/io/run/world_fields.hpp"

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

namespace tactus {
namespace io {

template <class Archive>
void transfer(Archive& archive, SummaryRow& row) {
  for (double SummaryRow::* value :
       {&SummaryRow::time, &SummaryRow::span, &SummaryRow::bodies, &SummaryRow::pairs,
        &SummaryRow::contacts, &SummaryRow::deepest_penetration,
        &SummaryRow::deepest_relative_penetration, &SummaryRow::mean_penetration,
        &SummaryRow::energy, &SummaryRow::rms_speed, &SummaryRow::milliseconds}) {
    archive(row.*value);
  }
}
struct SummaryFields {
  template <class Archive>
  static void transfer(Archive& archive, RunSummary& summary) {
    archive(summary.steps_per_row_);
    archive(summary.steps_);
    archive(summary.current_);
    archive(summary.rows_);
  }
};
template <class Archive>
void transfer(Archive& archive, BodySample& sample) {
  for (float& x : sample.position) archive(x);
  for (float& x : sample.orientation) archive(x);
  for (float& x : sample.linear_velocity) archive(x);
  for (float& x : sample.angular_velocity) archive(x);
}
template <class Archive>
void transfer(Archive& archive, ContactSample& sample) {
  for (float& x : sample.position) archive(x);
  for (float& x : sample.normal) archive(x);
  archive(sample.depth);
  archive(sample.normal_force);
  for (float& x : sample.friction_force) archive(x);
  for (std::uint32_t& body : sample.bodies) archive(body);
}
template <class Archive>
void transfer(Archive& archive, PictureCount& count) {
  archive(count.pictures);
  archive(count.bytes);
  archive(count.hash);
  archive(count.inside);
}
template <class Archive>
void transfer(Archive& archive, BrokenJoint& broken) {
  archive(broken.joint);
  archive(broken.step);
}
template <class Archive>
void transfer(Archive& archive, RunCheckpoint& run) {
  archive(run.fingerprint);
  archive(run.steps_per_picture);
  archive(run.pictures_per_contacts);
  archive(run.time_step);
  archive(run.origin);
  archive(run.tracks);
  archive(run.broken);
  SummaryFields::transfer(archive, run.summary);
  archive(run.state);
}

namespace {

/// First bytes of a file; the last is the version of the layout.
constexpr std::string_view kMagic = "TACTUSRC";
constexpr std::string_view kAnyMagic = "TACTUSR";
constexpr std::uint64_t kBodyBytes = 52, kContactBytes = 52;
/// Step, and number of contacts plus one, or zero when contacts are not kept.
constexpr std::uint64_t kPictureHead = 12;

template <class Floats>
bool all_finite(const Floats& values) {
  for (const float x : values) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

template <class Floats>
bool is_about_unit(const Floats& values) {
  double square = 0.0;
  for (const float x : values) square += static_cast<double>(x) * static_cast<double>(x);
  return square > 0.9 && square < 1.1;
}

}  // namespace

std::array<float, 3> to_floats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

BodySample body_sample(const Vec3& origin, const Pose& pose, const Vec3& linear,
                       const Vec3& angular) {
  const Quat q = to_quaternion(pose.rotation());
  return {to_floats(pose.position() - origin),
          {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
           static_cast<float>(q.z)},
          to_floats(linear),
          to_floats(angular)};
}

void append_contacts(const RigidWorld& world, const Vec3& origin,
                     std::vector<ContactSample>& contacts) {
  const double rate = 1.0 / world.contact_time();
  for (const Contact& contact : world.contacts()) {
    if (contact.depth < 0.0) continue;
    contacts.push_back({to_floats(contact.point - origin),
                        to_floats(contact.normal),
                        static_cast<float>(contact.depth),
                        static_cast<float>(contact.normal_impulse * rate),
                        to_floats(contact.friction_impulse * rate),
                        {static_cast<std::uint32_t>(contact.body_a - 1),
                         static_cast<std::uint32_t>(contact.body_b - 1)}});
  }
}

std::uint64_t picture_size(std::size_t tracks, std::size_t contacts) {
  return kPictureHead + kBodyBytes * tracks + kContactBytes * contacts;
}

void append_picture(const Picture& picture, std::string& bytes) {
  detail::ArchiveWriter writer;
  auto& shown = const_cast<Picture&>(picture);  // the writer only reads
  std::uint32_t contacts =
      picture.has_contacts ? static_cast<std::uint32_t>(picture.contacts.size()) + 1 : 0;
  writer(shown.step);
  writer(contacts);
  for (BodySample& body : shown.bodies) writer(body);
  for (ContactSample& contact : shown.contacts) writer(contact);
  bytes += writer.bytes();
}

bool take_picture(std::string_view& bytes, std::size_t tracks, Picture& picture) {
  const std::uint64_t size = announced_size(bytes, tracks);
  if (size > bytes.size()) return false;
  detail::ArchiveReader reader(bytes);
  std::uint32_t contacts = 0;
  reader(picture.step);
  reader(contacts);
  picture.has_contacts = contacts > 0;
  const std::size_t count = contacts > 0 ? contacts - 1 : 0;
  picture.bodies.resize(tracks);
  picture.contacts.resize(count);
  for (BodySample& body : picture.bodies) {
    reader(body);
    if (!all_finite(body.position) || !is_about_unit(body.orientation)) {
      throw InvalidInput("", "a body's place is not finite, or its orientation not unit");
    }
  }
  for (ContactSample& contact : picture.contacts) {
    reader(contact);
    if (!all_finite(contact.position) || !is_about_unit(contact.normal)) {
      throw InvalidInput("", "a contact is not finite, or its normal not unit");
    }
  }
  bytes.remove_prefix(static_cast<std::size_t>(size));
  return true;
}

std::uint64_t announced_size(std::string_view bytes, std::size_t tracks) {
  std::uint64_t step = 0;
  std::uint32_t contacts = 0;
  detail::ArchiveReader reader(bytes);
  reader(step);
  reader(contacts);
  return picture_size(tracks, contacts > 0 ? contacts - 1 : 0);
}

void note_broken_joints(const RigidWorld& world, RunCheckpoint& run) {
  const auto* jointed = dynamic_cast<const World*>(&world);
  if (jointed == nullptr) return;
  // A second look at the same step finds nothing new.
  if (!run.broken.empty() && run.broken.back().step == world.step_count()) return;
  for (const Joint& joint : jointed->broken_joints())
    run.broken.push_back({joint.definition.id, world.step_count()});
}

bool picture_is_due(const RunCheckpoint& run, std::uint64_t step) {
  return !run.tracks.empty() && step % run.steps_per_picture == 0;
}

bool contacts_are_due(const RunCheckpoint& run, std::uint64_t step) {
  return step / run.steps_per_picture % run.pictures_per_contacts == 0;
}

void fill_picture(const Scene& scene, const RigidWorld& world, const RunCheckpoint& run,
                  Picture& picture) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  picture.step = world.step_count();
  picture.bodies.clear();
  picture.contacts.clear();
  for (const BodyId id : run.tracks) {
    if (world.contains(id)) {
      const Body& body = world.body(id);
      picture.bodies.push_back(
          body_sample(run.origin, body.pose(), body.linear_velocity(), body.angular_velocity()));
    } else {
      // Where it will be.
      const Pose& pose = scene.bodies[static_cast<std::size_t>(id - 1)].definition.pose;
      picture.bodies.push_back(
          body_sample(run.origin, pose, {kNone, kNone, kNone}, {kNone, kNone, kNone}));
    }
  }
  picture.has_contacts = contacts_are_due(run, picture.step);
  if (picture.has_contacts) append_contacts(world, run.origin, picture.contacts);
}

RunCheckpoint start_run(const Scene& scene) {
  RunCheckpoint run;
  run.fingerprint = scene.fingerprint;
  run.steps_per_picture = scene.recording.steps_per_picture;
  run.pictures_per_contacts = scene.recording.pictures_per_contacts;
  run.time_step = scene.world.time_step;
  run.summary = RunSummary(scene.step_rate);
  for (const SceneBody& body : scene.bodies) {
    if (body.definition.type != BodyType::fixed) run.tracks.push_back(body.definition.id);
  }
  if (!run.tracks.empty()) {
    run.origin =
        scene.bodies[static_cast<std::size_t>(run.tracks.front() - 1)].definition.pose.position();
  }
  return run;
}

std::string encode_run(const RunCheckpoint& run, const PictureCount& count) {
  detail::ArchiveWriter body;
  body(const_cast<RunCheckpoint&>(run));  // the writer only reads
  detail::ArchiveWriter writer;
  for (char c : kMagic) writer(c);
  auto size = static_cast<std::uint64_t>(body.bytes().size());
  writer(size);
  writer(const_cast<PictureCount&>(count));
  std::string bytes = writer.take() + body.bytes();
  detail::ArchiveWriter tail;
  std::uint64_t sum = detail::checksum(bytes);
  tail(sum);
  return bytes + tail.bytes();
}

std::uint64_t run_size(std::string_view prefix, const std::string& name) {
  if (!prefix.starts_with(kAnyMagic)) throw FileError(name + ": is not a recording");
  if (!prefix.starts_with(kMagic)) {
    throw FileError(name + ": is a recording of another version of tactus (layout " +
                    std::string(prefix.substr(kAnyMagic.size(), 1)) +
                    ", this program reads layout " + std::string(kMagic.substr(kAnyMagic.size())) +
                    "); run the scene again");
  }
  if (prefix.size() < kRunPrefix) throw FileError(name + ": is damaged or cut short");
  std::uint64_t size = 0;
  detail::ArchiveReader(prefix.substr(kMagic.size()))(size);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62u;
  if (size > kMost) throw FileError(name + ": is damaged or cut short");
  return kRunPrefix + size + sizeof(std::uint64_t);
}

RunCheckpoint decode_run(std::string_view bytes, const std::string& name, PictureCount& count) {
  const std::uint64_t size = run_size(bytes.substr(0, kRunPrefix), name);
  std::uint64_t sum = 0;
  if (bytes.size() != size) throw FileError(name + ": is damaged or cut short");
  detail::ArchiveReader(bytes.substr(bytes.size() - sizeof sum))(sum);
  bytes.remove_suffix(sizeof sum);
  if (detail::checksum(bytes) != sum) throw FileError(name + ": is damaged or cut short");
  RunCheckpoint run;
  try {
    detail::ArchiveReader(bytes.substr(kMagic.size() + sizeof sum))(count);
    detail::ArchiveReader reader(bytes.substr(kRunPrefix));
    reader(run);
    if (!reader.at_end()) throw InvalidInput("", "there are bytes after the end");
    if (run.steps_per_picture == 0 || run.pictures_per_contacts == 0 || !(run.time_step > 0.0)) {
      throw InvalidInput("", "a rate is not positive");
    }
    if (!is_finite(run.origin)) throw InvalidInput("", "the origin is not finite");
    const std::uint64_t least = picture_size(run.tracks.size(), 0);
    if (count.inside > 1 || count.pictures > count.bytes / least ||
        (count.pictures > 0 && run.tracks.empty())) {
      throw InvalidInput("", "there are fewer bytes than pictures need");
    }
  } catch (const InvalidInput& error) {
    throw FileError(name + ": " + error.what());
  }
  return run;
}

std::filesystem::path pictures_beside(const std::filesystem::path& file) {
  std::filesystem::path beside = file;
  return beside.replace_extension(".pictures");
}

}  // namespace io
}  // namespace tactus
