#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "tactus/core/hash.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/picture_file.hpp"

namespace tactus::io {
namespace fs = std::filesystem;

struct RunRecorder::Data {
  Data(const Scene& recorded, const fs::path& path)
      : scene(recorded), file(path), beside(pictures_beside(path)) {}

  void append(std::string_view more) {
    errno = 0;
    stream.write(more.data(), static_cast<std::streamsize>(more.size()));
    require_written();
    count.bytes += more.size();
    hash.add(more);
  }
  /// After it, all that was appended is in the file.
  void flush() {
    errno = 0;
    stream.flush();
    require_written();
    count.hash = hash.value();
  }
  void open(std::ios::openmode mode) {
    errno = 0;
    stream.open(beside, std::ios::binary | mode);
    require_written();
  }
  /// `errno` was zero before the stream was last used.
  void require_written() const {
    if (stream) return;
    const std::error_code reason(errno != 0 ? errno : EIO, std::generic_category());
    throw FileError(beside.string() + ": cannot be written: " + reason.message());
  }

  const Scene& scene;
  fs::path file, beside;
  std::ofstream stream;
  RunCheckpoint run;
  PictureCount count;
  detail::Fnv1a hash;
  Picture picture;
  std::string bytes;
};

RunRecorder::RunRecorder(const Scene& scene, const RigidWorld& world, const fs::path& file)
    : data_(std::make_unique<Data>(scene, file)) {
  data_->run = start_run(scene);
  data_->open(std::ios::trunc);
  record(world);
  checkpoint(world, data_->run.summary);
}

RunRecorder::RunRecorder(const Scene& scene, const fs::path& file, const fs::path& from)
    : data_(std::make_unique<Data>(scene, file)) {
  Data& d = *data_;
  const RunFile old(from);
  const RunCheckpoint expected = start_run(scene);
  if (old.run.fingerprint != expected.fingerprint) {
    throw InvalidInput(from.string(), "is of another scene");
  }
  if (old.run.steps_per_picture != expected.steps_per_picture ||
      old.run.pictures_per_contacts != expected.pictures_per_contacts) {
    throw InvalidInput(from.string(), "was recorded at another rate than the scene asks for");
  }
  d.run = old.run;
  std::error_code error;
  if (fs::equivalent(old.source, d.beside, error)) {
    // Pictures that were appended after the checkpoint are cut off.
    old.for_each_chunk([&](std::string_view chunk) { d.hash.add(chunk); });
    fs::resize_file(d.beside, old.count.bytes, error);
    if (error) throw FileError(d.beside.string() + ": cannot be written: " + error.message());
    d.count.bytes = old.count.bytes;
  } else {
    AtomicFile copy(d.beside);
    old.for_each_chunk([&](std::string_view chunk) {
      copy.write(chunk);
      d.hash.add(chunk);
      d.count.bytes += chunk.size();
    });
    copy.commit();
  }
  d.count.pictures = old.count.pictures;
  d.count.hash = d.hash.value();
  d.open(std::ios::app);
  write_atomically(d.file, encode_run(d.run, d.count));
}

RunRecorder::~RunRecorder() = default;

std::uint64_t RunRecorder::pictures() const { return data_->count.pictures; }

void RunRecorder::record(const RigidWorld& world) {
  Data& d = *data_;
  note_broken_joints(world, d.run);
  if (!picture_is_due(d.run, world.step_count())) return;
  fill_picture(d.scene, world, d.run, d.picture);
  d.bytes.clear();
  append_picture(d.picture, d.bytes);
  d.append(d.bytes);
  ++d.count.pictures;
}

void RunRecorder::checkpoint(const RigidWorld& world, const RunSummary& summary) {
  Data& d = *data_;
  d.flush();
  d.run.summary = summary;
  d.run.state = world.save();
  write_atomically(d.file, encode_run(d.run, d.count));
}

void RunRecorder::finish(const RigidWorld& world, const RunSummary& summary) {
  checkpoint(world, summary);
  Data& d = *data_;
  d.stream.close();
  const RunFile done(d.file);
  PictureCount count = done.count;
  count.inside = 1;
  AtomicFile whole(d.file);
  whole.write(encode_run(d.run, count));
  done.for_each_chunk([&](std::string_view chunk) { whole.write(chunk); });
  whole.commit();
  std::error_code error;
  fs::remove(d.beside, error);
}

}  // namespace tactus::io
