#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/mesh.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

namespace tactus::io {

/// Reads a surface; the extension (in any case) decides on the format.
///
/// OBJ, STL, PLY and OFF are read in full double precision, vertices in the order of the file (STL,
/// which has no shared vertices: merged where equal). Polygons become fans about their first
/// corner. Other formats (glTF, DAE, 3DS, ...) go through assimp, which stores single precision:
/// coordinates are off by up to 6e-8 of their size, equal vertices are merged, and placed parts of
/// a scene become one mesh. Degenerate triangles are kept.
///
/// Throws FileError naming the file, where known the line, and the reason: it cannot be opened, the
/// format is unknown, the content is broken, a coordinate is not finite, there are no triangles.
/// Cost: linear; the file is held in memory.
TriangleMesh read_mesh(const std::filesystem::path& file);

/// The vertices of the same files, and of plain lists (.xyz: three numbers per line), for a convex
/// hull; faces are not needed. Throws FileError; also when there is no vertex.
std::vector<Vec3> read_points(const std::filesystem::path& file);

/// A mesh and what it is called in a file.
struct NamedMesh {
  std::string name;  ///< one line; may be empty
  TriangleMesh mesh;
};

/// Writes Wavefront OBJ: for each mesh a statement `o NAME`, its vertices and its triangles, which
/// count the vertices of the whole file. Coordinates are written with as many digits as it takes to
/// read the same doubles again. The file is replaced at once or not at all. Throws InvalidInput
/// (`objects[i].name`, or what `validate` says of a mesh) and FileError. Cost: linear; the text is
/// held in memory, some 60 bytes per vertex and 20 per triangle.
void write_obj(const std::filesystem::path& file, std::span<const NamedMesh> objects);

/// A shape that bodies share, possibly at different scales.
struct SceneShape {
  std::string name;
  Shape shape;
};

/// How a body is drawn; it never enters the physics.
struct Appearance {
  std::string color;     ///< `#rrggbb`, or empty for the color of its shape
  double opacity = 1.0;  ///< in (0, 1]
};

/// A body of a scene, ready for the world: `definition.id` is its place in the list plus one.
struct SceneBody {
  std::string name;              ///< as messages call it: its own name, or where it came from
  std::size_t shape = 0;         ///< in Scene::shapes
  double scale = 1.0;            ///< of that shape
  std::uint64_t first_step = 0;  ///< the body enters the world before this step
  BodyDefinition definition;
  Appearance appearance;
};

/// Where the player's camera starts.
struct View {
  Vec3 from, to;
};

/// What is kept of a run.
struct RecordingSettings {
  double duration = 10.0;                   ///< simulated time of the whole run
  std::uint64_t steps = 600;                ///< the same in steps
  std::uint64_t steps_per_picture = 2;      ///< 30 pictures per second at 60 steps
  std::uint64_t pictures_per_contacts = 3;  ///< contacts are kept with every third picture
  std::optional<View> view;
};

/// What a finished run must have reached; a bound that is not given is not judged.
struct Goal {
  std::optional<double> rms_speed;         ///< over the last second, in body sizes per time
  std::optional<double> mean_penetration;  ///< over touching pairs, relative to body size
  std::optional<Aabb> inside;              ///< no centre of mass outside
};

/// A scene file, read and checked.
struct Scene {
  std::string title;
  WorldSettings world;
  std::uint64_t step_rate = 60;  ///< steps per unit of time; world.time_step is its inverse
  std::vector<SceneShape> shapes;
  std::vector<SceneBody> bodies;
  RecordingSettings recording;
  Goal goal;
  /// Equal for scenes whose runs give the same bits: all of the file but title, recording and goal.
  std::uint64_t fingerprint = 0;
};

/// Reads a scene file (`//` comments allowed). Throws FileError when it cannot be read, and
/// InvalidInput with the file's name and line for a syntax error.
Scene read_scene(const std::filesystem::path& file);

/// Depth over the smaller body's size from which two bodies count as overlapping at the start; less
/// is a touching pair whose coordinates were rounded.
inline constexpr double kStartOverlap = 1e-4;

/// The world with the bodies that are there at the start. Throws InvalidInput when two of them
/// overlap by more than kStartOverlap, naming both and the depth, and when the world refuses a
/// body.
World build_world(const Scene& scene);

/// Adds the bodies that enter before `step`; call it before each step.
void add_entering_bodies(const Scene& scene, std::uint64_t step, World& world);

/// The world at `state`, saved from a run of the same scene. Throws InvalidInput when the state
/// does not fit the scene.
World continue_world(const Scene& scene, const WorldState& state);

/// What happened in one simulated second (or the rest of one at the end of a run). Counts and
/// energy are those of its last step.
struct SummaryRow {
  double time = 0.0;
  double span = 0.0;  ///< simulated time that the row covers
  double bodies = 0.0, pairs = 0.0, contacts = 0.0;
  double deepest_penetration = 0.0;           ///< largest of all steps, length
  double deepest_relative_penetration = 0.0;  ///< the same over body size
  double mean_penetration = 0.0;  ///< mean over touching pairs of depth over body size, last step
  double energy = 0.0;            ///< of motion and of gravity
  double rms_speed = 0.0;         ///< over moving bodies and steps, in body sizes per time
  double milliseconds = 0.0;      ///< wall-clock mean per step
};

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

/// The fields of a row by name, for tables and files.
struct SummaryColumn {
  std::string_view name;   ///< of the CSV and JSON column
  std::string_view title;  ///< for people
  double SummaryRow::* value;
};
std::span<const SummaryColumn> summary_columns();

/// Gathers steps into rows. Plain data, part of a saved run.
class RunSummary {
 public:
  /// A row ends after every `steps_per_row` steps.
  explicit RunSummary(std::uint64_t steps_per_row = 60) : steps_per_row_(steps_per_row) {}

  /// Takes in a step; true when it ended a row.
  bool add(const StepStatistics& step);
  /// Ends the current row early, if it holds a step.
  void flush();

  std::span<const SummaryRow> rows() const { return rows_; }

  /// Lists the fields for an archive (archive.hpp).
  template <class Archive>
  void transfer(Archive& archive) {
    archive(steps_per_row_);
    archive(steps_);
    archive(current_);
    archive(rows_);
  }

  /// All rows with the column names, ready to be a file.
  std::string to_csv() const;

 private:
  std::uint64_t steps_per_row_;
  std::uint64_t steps_ = 0;  ///< in the current row
  SummaryRow current_;       ///< sums so far
  std::vector<SummaryRow> rows_;
};

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

/// The player without a recording; empty when the program was built with TACTUS_PLAYER=OFF.
extern const std::string_view kPlayerPage;

/// One self-contained HTML page that plays the recording in a browser, without network.
///
/// The page holds four blocks beside the player's script: `recording-header` (JSON: shapes as
/// polygons or primitives, bodies, rates, summary), `recording-poses` (base64: per picture and
/// track six 16-bit words, position within the recording's box, then pack_quaternion),
/// `recording-contacts` (base64: per contact three 16-bit words of position, then pack_direction)
/// and `recording-touching` (base64: per picture with contacts and track a byte).
/// They go to the place of `<!--recording-->` in `player`.
/// Throws InvalidInput when `player` is empty, or when the recording holds no picture.
/// Cost: linear in the recording, memory about twice the page.
std::string html_page(const Scene& scene, const Recording& recording,
                      std::string_view player = kPlayerPage);

}  // namespace tactus::io
