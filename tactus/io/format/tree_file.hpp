#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tactus/bvh/hierarchy.hpp"

namespace tactus::io {

/// Writes a hierarchy (atomically), for `read_tree`: the bytes of its nodes, a little more than
/// `tree.bytes()`. Throws FileError.
template <class Volume>
void write_tree(const detail::bvh::Hierarchy<Volume>& tree, const std::filesystem::path& file);

/// The hierarchy that was written, bit by bit, with the mesh that it was built over (validate).
///
/// Throws FileError naming the file and the reason: it cannot be read, is no hierarchy, of another
/// version, of other volumes, damaged or cut short, or of another mesh: a vertex or triangle
/// differs from those it was built with. Damage is found by a checksum, that the nodes are a tree
/// over the mesh is proved; that its volumes hold the triangles is not: who forges a file can make
/// answers wrong, but nothing worse. Cost: some fifth of a build, and the file's size in memory.
template <class Volume>
detail::bvh::Hierarchy<Volume> read_tree(const std::filesystem::path& file,
                                         const TriangleMesh& mesh);
/// As `read_tree`, from a file's content; `file` stands in messages.
template <class Volume>
detail::bvh::Hierarchy<Volume> parse_tree(std::string_view content, const std::string& file,
                                          const TriangleMesh& mesh);

extern template void write_tree(const detail::bvh::Hierarchy<detail::bvh::OrientedBox>&,
                                const std::filesystem::path&);
extern template void write_tree(const detail::bvh::Hierarchy<detail::bvh::AlignedBox>&,
                                const std::filesystem::path&);
extern template void write_tree(const detail::bvh::Hierarchy<detail::bvh::Ball>&,
                                const std::filesystem::path&);
extern template void write_tree(const detail::bvh::Hierarchy<detail::bvh::Dop14>&,
                                const std::filesystem::path&);
extern template void write_tree(const detail::bvh::Hierarchy<detail::bvh::SweptRectangle>&,
                                const std::filesystem::path&);
extern template detail::bvh::Hierarchy<detail::bvh::OrientedBox> read_tree(
    const std::filesystem::path&, const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::AlignedBox> read_tree(
    const std::filesystem::path&, const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::Ball> read_tree(const std::filesystem::path&,
                                                                    const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::Dop14> read_tree(const std::filesystem::path&,
                                                                     const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::SweptRectangle> read_tree(
    const std::filesystem::path&, const TriangleMesh&);

extern template detail::bvh::Hierarchy<detail::bvh::OrientedBox> parse_tree(std::string_view,
                                                                            const std::string&,
                                                                            const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::AlignedBox> parse_tree(std::string_view,
                                                                           const std::string&,
                                                                           const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::Ball> parse_tree(std::string_view,
                                                                     const std::string&,
                                                                     const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::Dop14> parse_tree(std::string_view,
                                                                      const std::string&,
                                                                      const TriangleMesh&);
extern template detail::bvh::Hierarchy<detail::bvh::SweptRectangle> parse_tree(std::string_view,
                                                                               const std::string&,
                                                                               const TriangleMesh&);

}  // namespace tactus::io
