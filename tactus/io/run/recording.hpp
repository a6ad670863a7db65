#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/dynamics/world.hpp"
#include "tactus/io/run/run_summary.hpp"
#include "tactus/io/scene/scene.hpp"

namespace tactus::io {

/// Place of a body in a picture: enough for the eye, not to continue from.
struct PoseSample {
  std::array<float, 3> position{};            ///< of the shape's frame, relative to the origin
  std::array<std::uint16_t, 3> quaternion{};  ///< see pack_quaternion
};

/// A touching contact point in a picture.
struct ContactSample {
  std::array<float, 3> position{};       ///< relative to Recording::origin
  std::array<std::uint8_t, 2> normal{};  ///< see pack_direction
};

/// A run so far: its pictures, its summary, and the full state from which it continues with the
/// same bits. In the file: 18 bytes per body and picture, 14 per contact and picture with contacts.
struct Recording {
  std::uint64_t fingerprint = 0;  ///< of the scene
  std::uint64_t steps_per_picture = 1;
  std::uint64_t pictures_per_contacts = 1;
  Vec3 origin;
  std::vector<BodyId> tracks;                 ///< bodies that can move, in the order of the samples
  std::vector<PoseSample> poses;              ///< picture by picture, track by track
  std::vector<std::uint32_t> contact_counts;  ///< per picture with contacts
  std::vector<ContactSample> contacts;        ///< of all these pictures
  std::vector<std::uint8_t> touching;  ///< other bodies that a track touches, at most 255; ditto
  RunSummary summary;
  WorldState state;

  std::size_t pictures() const { return tracks.empty() ? 0 : poses.size() / tracks.size(); }
};

/// An empty recording of a run of this scene.
Recording start_recording(const Scene& scene);

/// Takes a picture when one is due at the world's step count.
void record(const Scene& scene, const World& world, Recording& recording);

/// Writes a recording (atomically). Throws FileError.
void write_recording(const Recording& recording, const std::filesystem::path& file);

/// Throws FileError when the file is missing, broken, or no recording.
Recording read_recording(const std::filesystem::path& file);
/// The same from a file's content; `name` stands in messages.
Recording parse_recording(std::string_view content, const std::string& name);

/// The largest of the four components is left out, the others take 15 bits each of
/// [-sqrt(1/2), sqrt(1/2)]; bit 15 of the first and second word tell which is missing. Error below
/// 2e-4 radians.
std::array<std::uint16_t, 3> pack_quaternion(const Quat& q);

/// Octahedral map of a unit vector on two bytes, 254 steps each. Error below 0.02 radians.
std::array<std::uint8_t, 2> pack_direction(const Vec3& unit);

}  // namespace tactus::io
