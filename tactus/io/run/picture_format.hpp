#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tactus/io.hpp"

namespace tactus::io {

/// Bytes of a picture in a file, by the number of its bodies and contacts.
std::uint64_t picture_size(std::size_t tracks, std::size_t contacts);

/// Appends a picture as it is in a file.
void append_picture(const Picture& picture, std::string& bytes);

/// Takes a picture off the front of `bytes`, which hold at least what `picture_size` says for no
/// contacts. Returns false when there are not enough of them for the contacts that it announces:
/// `bytes` is then unchanged. Throws InvalidInput for numbers that are not finite.
bool take_picture(std::string_view& bytes, std::size_t tracks, Picture& picture);

/// Size of the picture at the front of `bytes`, which hold at least what it takes without contacts.
std::uint64_t announced_size(std::string_view bytes, std::size_t tracks);

/// Notes the joints that broke in the world's last step.
void note_broken_joints(const RigidWorld& world, RunCheckpoint& run);
/// The picture that is due now, if one is.
bool picture_is_due(const RunCheckpoint& run, std::uint64_t step);
/// Are contacts kept with the picture of this step?
bool contacts_are_due(const RunCheckpoint& run, std::uint64_t step);
/// Appends the contacts of the world that touch.
void append_contacts(const RigidWorld& world, const Vec3& origin,
                     std::vector<ContactSample>& contacts);
/// A place relative to the run's origin.
std::array<float, 3> to_floats(const Vec3& v);
/// A body relative to the run's origin.
BodySample body_sample(const Vec3& origin, const Pose& pose, const Vec3& linear,
                       const Vec3& angular);
/// The bodies as they are, with contacts where they are due.
void fill_picture(const Scene& scene, const RigidWorld& world, const RunCheckpoint& run,
                  Picture& picture);

/// The run of this scene before its first step.
RunCheckpoint start_run(const Scene& scene);

/// Number, size, hash and place of a run's pictures, as its file states them.
struct PictureCount {
  std::uint64_t pictures = 0, bytes = 0;
  std::uint64_t hash = 0;    ///< FNV-1a of the bytes
  std::uint64_t inside = 0;  ///< 1: they follow in the same file; 0: they lie in one of their own
};

/// All of a file of a run but the pictures.
std::string encode_run(const RunCheckpoint& run, const PictureCount& count);

/// Size of the words before the run itself.
inline constexpr std::size_t kRunPrefix = 48;
/// Size of what `encode_run` made, from its first kRunPrefix bytes. Throws FileError with `name`
/// when it is no run.
std::uint64_t run_size(std::string_view prefix, const std::string& name);
/// Throws FileError with `name`.
RunCheckpoint decode_run(std::string_view bytes, const std::string& name, PictureCount& count);

/// Where the pictures of a run lie that has not ended.
std::filesystem::path pictures_beside(const std::filesystem::path& file);

}  // namespace tactus::io
