#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "tactus/core/hash.hpp"
#include "tactus/io.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/run/picture_file.hpp"

namespace tactus::io {
namespace fs = std::filesystem;
namespace {

/// Bytes that are read at once.
constexpr std::size_t kChunk = std::size_t{1} << 20u;

std::ifstream open_pictures(const fs::path& file, const fs::path& run) {
  if (!fs::exists(file))
    throw FileError(file.string() + ": is missing; it holds the pictures of " + run.string());
  return open_to_read(file);
}

std::string read_bytes(std::ifstream& stream, std::uint64_t count, const fs::path& file) {
  // In chunks: a broken count shall not ask for more memory than the file has bytes.
  std::string bytes;
  while (count > 0 && stream) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, kChunk));
    const std::size_t before = bytes.size();
    bytes.resize(before + part);
    stream.read(bytes.data() + before, static_cast<std::streamsize>(part));
    if (static_cast<std::size_t>(stream.gcount()) != part) break;
    count -= part;
  }
  if (count > 0) throw FileError(file.string() + ": is damaged or cut short");
  return bytes;
}

}  // namespace

RunFile::RunFile(const fs::path& file) : name(file) {
  std::ifstream stream = open_to_read(file);
  std::string head(kRunPrefix, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  const std::uint64_t size = run_size(head, file.string());
  head += read_bytes(stream, size - kRunPrefix, file);
  run = decode_run(head, file.string(), count);
  source = count.inside == 1 ? file : pictures_beside(file);
  offset = count.inside == 1 ? size : 0;
}

void RunFile::for_each_chunk(const std::function<void(std::string_view)>& take) const {
  std::ifstream stream = open_pictures(source, name);
  stream.seekg(static_cast<std::streamoff>(offset));
  detail::Fnv1a hash;
  std::string chunk;
  for (std::uint64_t left = count.bytes; left > 0; left -= chunk.size()) {
    chunk = read_bytes(stream, std::min<std::uint64_t>(left, kChunk), source);
    hash.add(std::string_view(chunk));
    take(chunk);
  }
  if (hash.value() != count.hash) throw FileError(source.string() + ": is damaged or cut short");
  // Beyond the last checkpoint there may be more, of a run that was killed; not within a recording.
  if (count.inside == 1 && stream.peek() != std::ifstream::traits_type::eof()) {
    throw FileError(source.string() + ": there are bytes after the end");
  }
}

struct PictureReader::Data {
  explicit Data(const fs::path& path) : file(path) {
    file.for_each_chunk([](std::string_view) {});
  }

  void rewind() {
    stream = open_to_read(file.source);
    stream.seekg(static_cast<std::streamoff>(file.offset));
    unread = file.count.bytes;
    left = file.count.pictures;
    buffer.clear();
    used = 0;
  }
  /// At least `size` bytes from `used` on in the buffer, if the file has them.
  void fetch(std::uint64_t size) {
    if (buffer.size() - used >= size) return;
    buffer.erase(0, used);
    used = 0;
    const std::uint64_t more = std::min(unread, std::max<std::uint64_t>(size, kChunk));
    buffer += read_bytes(stream, more, file.source);
    unread -= more;
  }

  RunFile file;
  std::ifstream stream;
  std::string buffer;
  std::size_t used = 0;  ///< of the buffer
  std::uint64_t unread = 0, left = 0;
};

PictureReader::PictureReader(const fs::path& file) : data_(std::make_unique<Data>(file)) {
  rewind();
}
PictureReader::~PictureReader() = default;
PictureReader::PictureReader(PictureReader&&) noexcept = default;
PictureReader& PictureReader::operator=(PictureReader&&) noexcept = default;

const RunCheckpoint& PictureReader::run() const { return data_->file.run; }
std::uint64_t PictureReader::pictures() const { return data_->file.count.pictures; }
void PictureReader::rewind() { data_->rewind(); }

bool PictureReader::next(Picture& picture) {
  Data& d = *data_;
  const std::size_t tracks = d.file.run.tracks.size();
  if (d.left == 0) return false;
  std::uint64_t wanted = picture_size(tracks, 0);
  try {
    // A second time when the number of contacts is known.
    for (int round = 0; round < 2; ++round) {
      d.fetch(wanted);
      std::string_view bytes = std::string_view(d.buffer).substr(d.used);
      const std::size_t before = bytes.size();
      if (before < wanted) break;
      if (take_picture(bytes, tracks, picture)) {
        d.used += before - bytes.size();
        --d.left;
        return true;
      }
      wanted = announced_size(bytes, tracks);
    }
    throw InvalidInput("", "the pictures end early");
  } catch (const InvalidInput& error) {
    throw FileError(d.file.source.string() + ": " + error.what());
  }
}

}  // namespace tactus::io
