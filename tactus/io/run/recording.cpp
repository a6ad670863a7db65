#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tactus/core/hash.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/file_content.hpp"
#include "tactus/io/run/picture_format.hpp"

namespace tactus::io {
Recording start_recording(const Scene& scene) { return {start_run(scene), {}}; }

void record(const Scene& scene, const RigidWorld& world, Recording& recording) {
  note_broken_joints(world, recording);
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
  const std::string content = file_content(file);
  const std::uint64_t size =
      run_size(std::string_view(content).substr(0, kRunPrefix), file.string());
  PictureCount count;
  return decode_run(std::string_view(content).substr(
                        0, static_cast<std::size_t>(std::min<std::uint64_t>(size, content.size()))),
                    file.string(), count);
}

}  // namespace tactus::io
