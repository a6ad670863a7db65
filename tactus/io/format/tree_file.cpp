#include "tactus/io/format/tree_file.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "tactus/core.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/io/file/atomic_file.hpp"
#include "tactus/io/file/file_content.hpp"

static_assert(std::endian::native == std::endian::little, "hierarchies are little-endian");

namespace tactus::io {
namespace {

/// First bytes of a file; the digit is the version of the layout. Then, each of eight bytes, the
/// name of the volumes, the fingerprint of the tree, the number of nodes; the nodes as in memory,
/// filled up with zeros to a multiple of eight; the checksum of all that.
constexpr std::string_view kMagic = "TACTUSB1";
constexpr std::string_view kAnyMagic = kMagic.substr(0, 7);
constexpr std::size_t kWord = 8, kHead = 4 * kWord;

std::uint64_t word_at(std::string_view bytes, std::size_t position) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + position, kWord);
  return word;
}

/// Hash of the bytes, whose number is a multiple of eight.
std::uint64_t checksum(std::string_view bytes) {
  detail::WordHash hash;
  for (std::size_t i = 0; i < bytes.size(); i += kWord) hash.add(word_at(bytes, i));
  return hash.value();
}

std::string padded(std::string_view name) {
  std::string word(name);
  word.resize(kWord, '\0');
  return word;
}

void append(std::string& bytes, std::uint64_t word) {
  char raw[kWord];
  std::memcpy(raw, &word, kWord);
  bytes.append(raw, kWord);
}

}  // namespace

template <class Volume>
void write_tree(const detail::bvh::Hierarchy<Volume>& tree, const std::filesystem::path& file) {
  // All bits are numbers: what is written does not depend on what memory held before.
  static_assert(std::is_trivially_copyable_v<Volume> && sizeof(Volume) % sizeof(float) == 0);
  const std::vector<Volume>& nodes = tree.nodes();
  std::string bytes(kMagic);
  bytes.reserve(kHead + tree.bytes() + 2 * kWord);
  bytes += padded(Volume::kName);
  append(bytes, tree.fingerprint());
  append(bytes, nodes.size());
  bytes.append(reinterpret_cast<const char*>(nodes.data()), tree.bytes());
  bytes.resize((bytes.size() + kWord - 1) / kWord * kWord, '\0');
  append(bytes, checksum(bytes));
  write_atomically(file, bytes);
}

template <class Volume>
detail::bvh::Hierarchy<Volume> read_tree(const std::filesystem::path& file,
                                         const TriangleMesh& mesh) {
  return parse_tree<Volume>(file_content(file), file.string(), mesh);
}

template <class Volume>
detail::bvh::Hierarchy<Volume> parse_tree(std::string_view content, const std::string& file,
                                          const TriangleMesh& mesh) {
  const auto refuse = [&](const std::string& reason) { throw FileError(file + ": " + reason); };
  if (!content.starts_with(kAnyMagic)) refuse("is no hierarchy");
  if (!content.starts_with(kMagic)) refuse("is a hierarchy of another version");
  if (content.size() < kHead + kWord || content.size() % kWord != 0 ||
      checksum(content.substr(0, content.size() - kWord)) !=
          word_at(content, content.size() - kWord))
    refuse("is damaged or cut short");
  const std::string_view name = content.substr(kWord, kWord);
  if (name != padded(Volume::kName))
    refuse("has volumes of kind " + std::string(name.substr(0, name.find('\0'))) + ", not " +
           std::string(Volume::kName));
  const auto fingerprint = word_at(content, 2 * kWord);
  const auto count = word_at(content, 3 * kWord);
  const std::size_t room = content.size() - kHead - kWord;
  if (count > room / sizeof(Volume) || room - count * sizeof(Volume) >= kWord)
    refuse("has another number of nodes than it says");
  if (count != 2 * mesh.triangles.size() - 1) refuse("is of another mesh");
  std::vector<Volume> nodes(static_cast<std::size_t>(count));
  std::memcpy(nodes.data(), content.data() + kHead, nodes.size() * sizeof(Volume));
  try {
    detail::bvh::Hierarchy<Volume> tree(mesh, std::move(nodes));
    if (tree.fingerprint() != fingerprint) refuse("is of another mesh");
    return tree;
  } catch (const InvalidInput& error) {
    throw FileError(file + ": " + error.what());
  }
}

template void write_tree(const detail::bvh::Hierarchy<detail::bvh::OrientedBox>&,
                         const std::filesystem::path&);
template void write_tree(const detail::bvh::Hierarchy<detail::bvh::AlignedBox>&,
                         const std::filesystem::path&);
template void write_tree(const detail::bvh::Hierarchy<detail::bvh::Ball>&,
                         const std::filesystem::path&);
template void write_tree(const detail::bvh::Hierarchy<detail::bvh::Dop14>&,
                         const std::filesystem::path&);
template void write_tree(const detail::bvh::Hierarchy<detail::bvh::SweptRectangle>&,
                         const std::filesystem::path&);
template detail::bvh::Hierarchy<detail::bvh::OrientedBox> read_tree(const std::filesystem::path&,
                                                                    const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::AlignedBox> read_tree(const std::filesystem::path&,
                                                                   const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::Ball> read_tree(const std::filesystem::path&,
                                                             const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::Dop14> read_tree(const std::filesystem::path&,
                                                              const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::SweptRectangle> read_tree(const std::filesystem::path&,
                                                                       const TriangleMesh&);

template detail::bvh::Hierarchy<detail::bvh::OrientedBox> parse_tree(std::string_view,
                                                                     const std::string&,
                                                                     const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::AlignedBox> parse_tree(std::string_view,
                                                                    const std::string&,
                                                                    const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::Ball> parse_tree(std::string_view, const std::string&,
                                                              const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::Dop14> parse_tree(std::string_view, const std::string&,
                                                               const TriangleMesh&);
template detail::bvh::Hierarchy<detail::bvh::SweptRectangle> parse_tree(std::string_view,
                                                                        const std::string&,
                                                                        const TriangleMesh&);

}  // namespace tactus::io
