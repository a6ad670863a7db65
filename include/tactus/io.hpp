#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/character.hpp"
#include "tactus/deform.hpp"
#include "tactus/fit.hpp"
#include "tactus/impulse_world.hpp"
#include "tactus/mesh.hpp"
#include "tactus/robot.hpp"
#include "tactus/robot_files.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

namespace tactus::io {

/// The axis of a file that points up.
enum class UpAxis : std::uint8_t {
  as_it_is,  ///< nothing is turned
  x,         ///< (x, y, z) becomes (-y, -z, x)
  y,         ///< (x, y, z) becomes (x, -z, y)
  z          ///< nothing is turned: z is up already
};
constexpr std::string_view to_string(UpAxis axis) {
  constexpr std::string_view kNames[] = {"as_it_is", "x", "y", "z"};
  return detail::name_in(kNames, axis);
}

/// How mesh files are read.
struct MeshReadOptions {
  /// The axis of the file that points up; the mesh is turned so that it becomes z.
  UpAxis up = UpAxis::as_it_is;
  /// Receives a line `file:line: text` for all that was left out or not understood: unknown
  /// statements, faces of fewer than three corners, data behind the end (the rule:
  /// docs/guide/files.md). Null: nobody is told.
  std::vector<std::string>* warnings = nullptr;
};

/// Reads a surface; the extension (in any case) decides on the format.
///
/// OBJ, STL, PLY, OFF and glTF (.gltf, .glb) are read in full double precision, vertices in the
/// order of the file (STL and glTF, which repeat vertices: merged where equal). Polygons become
/// fans about their first corner. Other formats (COLLADA, 3DS, ...) go through assimp, which stores
/// single precision: coordinates are off by up to 6e-8 of their size, equal vertices are merged,
/// and placed parts of a scene become one mesh. Axes are those of the file, whatever it says of
/// them (COLLADA's `up_axis`); COLLADA's `unit` scales to metres, all other numbers are taken as
/// they are. Degenerate triangles are kept.
///
/// Throws FileError naming the file, where known the line, and the reason: it cannot be opened, the
/// format is unknown, the content is broken, a coordinate is not finite, there are no triangles.
/// Cost: linear; the file is held in memory.
TriangleMesh read_mesh(const std::filesystem::path& file, const MeshReadOptions& options = {});

/// The vertices of the same files, and of plain lists (.xyz: three numbers per line), for a convex
/// hull; faces are not needed. Throws FileError; also when there is no vertex.
std::vector<Vec3> read_points(const std::filesystem::path& file,
                              const MeshReadOptions& options = {});

/// A mesh and what it is called in a file.
struct NamedMesh {
  std::string name;  ///< one line; may be empty
  TriangleMesh mesh;
};

/// The objects of an OBJ file, or the nodes of a glTF file that place triangles, one by one and
/// with their names, as `write_meshes` writes them; a node without a name has that of its mesh.
/// Another file is one object with the name of the file. Throws FileError as `read_mesh`, but for
/// an OBJ file without triangles, whose objects are lists of points.
std::vector<NamedMesh> read_objects(const std::filesystem::path& file,
                                    const MeshReadOptions& options = {});

/// The endings that `write_meshes` knows, for messages: ".obj, .stl, .ply, .off, .glb".
std::string mesh_endings();
/// Does `write_meshes` know the file's ending (in any case), or is it `-`?
bool is_mesh_output(const std::filesystem::path& file);

/// Writes meshes in the format that the file's ending names; `-` is OBJ on standard output.
///
/// OBJ, OFF and PLY (binary, little-endian) hold the same doubles. STL is binary; STL and GLB hold
/// single precision: coordinates are rounded, at most by 6e-8 of their size. OBJ and GLB keep the
/// objects and their names apart, in the others they are one mesh. Axes and unit are those of the
/// coordinates. The file is replaced at once or not at all.
///
/// Throws InvalidInput (`file`: another ending; `objects[i].name`: a control character; what
/// `validate` says of a mesh; a coordinate beyond the single precision of the format) and
/// FileError. Cost: linear; the content is held in memory.
void write_meshes(const std::filesystem::path& file, std::span<const NamedMesh> objects);

/// Writes Wavefront OBJ whatever the file's ending: for each mesh a statement `o NAME`, its
/// vertices and its triangles, which count the vertices of the whole file. Coordinates are written
/// with as many digits as it takes to read the same doubles again. The file is replaced at once or
/// not at all. Throws InvalidInput (`objects[i].name`, or what `validate` says of a mesh) and
/// FileError. Cost: linear; the text is held in memory, some 60 bytes per vertex and 20 per
/// triangle.
void write_obj(const std::filesystem::path& file, std::span<const NamedMesh> objects);

/// Which values of a picture count.
enum class ImageChannel : std::uint8_t {
  automatic,  ///< "auto": alpha where a pixel is not opaque, else grey
  grey,       ///< brightness (Rec. 709) as stored, over white
  alpha       ///< 0 is transparent
};
constexpr std::string_view to_string(ImageChannel channel) {
  constexpr std::string_view kNames[] = {"auto", "grey", "alpha"};
  return detail::name_in(kNames, channel);
}

/// A picture in grey, rows from the top, 0 black (transparent), 65535 white (opaque).
struct Image {
  int width = 0, height = 0;
  ImageChannel channel = ImageChannel::grey;  ///< that the values are of
  std::vector<std::uint16_t> values;

  fit::GreyImage view() const { return {width, height, values}; }
};

/// Reads a PNG (1 to 16 bits, grey, colours, palette, alpha) or a JPEG (baseline and progressive;
/// grey, colours, CMYK). Colour profiles and the orientation that a camera notes are not looked at.
/// Throws FileError naming the file and the reason: it cannot be opened, is neither, is cut off or
/// damaged, has more than kMostPixels. Cost: linear; 2 bytes per pixel and what decoding takes.
Image read_image(const std::filesystem::path& file, ImageChannel channel = ImageChannel::automatic);

/// A contour file of regions, as planar queries read it:
/// `{"regions":[{"outer":..,"holes":..},..]}`. Numbers have as many digits as it takes to read the
/// same doubles again.
std::string regions_json(const fit::Tracing& tracing);
/// The outlines of the regions as closed curves: `{"contours":[{"points":..,"closed":true},..]}`.
std::string contours_json(const fit::Tracing& tracing);
/// GeoJSON (RFC 7946): a FeatureCollection of polygons, in the plane of the picture.
std::string regions_geojson(const fit::Tracing& tracing);
/// A picture of the regions; `size` is that of the image in the unit of the tracing.
std::string regions_svg(const fit::Tracing& tracing, const planar::Vec2& size, bool y_up);
/// Is it a file of tetrahedra, by its extension?
bool is_tetrahedra_file(const std::filesystem::path& file);

/// Reads tetrahedra: Gmsh (`.msh`, formats 2 and 4.1, ASCII), Medit (`.mesh`) and VTK's legacy
/// format (`.vtk`, ASCII, unstructured grid), in double precision and in the order of the file;
/// elements of other kinds are left out. Throws FileError naming the file, where known the line,
/// and the reason: also tetrahedra that are flat or inverted. Cost: linear; the file is held in
/// memory.
soft::TetrahedralMesh read_tetrahedra(const std::filesystem::path& file);
/// As `read_tetrahedra`, from a file's content; the extension of `name` decides on the format.
soft::TetrahedralMesh parse_tetrahedra(std::string_view text, const std::string& name);

/// Writes the same formats, `-` for .msh on standard output, so that the same doubles are read
/// again. Throws InvalidInput as `validate`, and FileError.
void write_tetrahedra(const std::filesystem::path& file, const soft::TetrahedralMesh& mesh);

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

/// Vertices of a deformable that are led: turned about `center` and moved, all at constant
/// velocities, until a time; then held.
struct LedVertices {
  std::vector<std::uint32_t> vertices;
  std::vector<Vec3> places;  ///< at the start
  Vec3 linear_velocity, angular_velocity, center;
  double until = 1e300;
};

/// A deformable of a scene.
struct SceneDeformable {
  std::string name;
  soft::DeformableDefinition definition;
  std::vector<LedVertices> led;
};

/// An act of a scene: something that is done to a body at a time.
struct SceneAct {
  std::uint64_t step = 0;  ///< before this one
  BodyId body = kNoBody;
  std::optional<Pose> target;  ///< where a kinematic body is led; without, the body is removed
  std::uint64_t steps = 1;     ///< that the way to the target takes, after which the body stands
  std::optional<CharacterInput> walk;  ///< what a character is told from now on; its jump but once
};

/// A character of a scene: a kinematic body that a `CharacterController` moves.
struct SceneCharacter {
  BodyId body = kNoBody;
  CharacterSettings settings;
  CharacterInput input;  ///< until an act tells it otherwise
};

/// A part of space that bodies are counted in, or removed from when their centre of mass enters.
struct SceneRegion {
  std::string name;
  Shape shape;
  Pose pose;
  bool remove = false;
};

/// Where the player's camera starts.
struct View {
  Vec3 from, to;
};

/// Length of a run, how often its bodies and contacts are recorded, and the camera's start.
struct RecordingSettings {
  double duration = 10.0;                   ///< simulated time of the whole run
  std::uint64_t steps = 600;                ///< the same in steps
  std::uint64_t steps_per_picture = 2;      ///< 30 pictures per second at 60 steps
  std::uint64_t pictures_per_contacts = 3;  ///< contacts are kept with every third picture
  std::optional<View> view;
};

/// Bounds that a finished run must keep; one that is not given is not judged.
struct Goal {
  std::optional<double> rms_speed;         ///< over the last second, in body sizes per time
  std::optional<double> mean_penetration;  ///< over touching pairs, relative to body size
  std::optional<Aabb> inside;              ///< no centre of mass outside
};

/// Friction and restitution between two named materials of a scene.
struct SceneSurfacePair {
  std::uint32_t kind_a = 0, kind_b = 0;  ///< `Material::kind`
  SurfacePair surface;
};

/// A scene file, read and checked.
struct Scene {
  std::string title;
  WorldSettings world;
  /// Settings of an `ImpulseWorld`, in scenes whose bodies move by impulses; gravity and time step
  /// are those of `world`.
  std::optional<ImpulseSettings> impulse;
  std::uint64_t step_rate = 60;  ///< steps per unit of time; world.time_step is its inverse
  std::vector<SceneShape> shapes;
  std::vector<SceneSurfacePair> surface_pairs;
  std::vector<SceneBody> bodies;
  std::vector<JointDefinition> joints;  ///< between bodies that are there at the start
  std::vector<SceneAct> acts;           ///< by step
  std::vector<SceneRegion> regions;
  std::vector<SceneCharacter> characters;
  soft::DeformableSettings deformable;  ///< of scenes with deformables
  soft::DeformableResponse response =
      soft::DeformableResponse::continuous;  ///< of scenes with deformables
  std::vector<SceneDeformable> deformables;
  RecordingSettings recording;
  Goal goal;
  /// Values chosen in place of impossible ones in the file (rates that do not divide), and warnings
  /// of the readers of its shapes' files.
  std::vector<std::string> notes;
  /// Equal for scenes whose runs give the same bits: all of the file but title, recording and goal.
  std::uint64_t fingerprint = 0;
};

/// Reads a scene file (`//` comments allowed). Throws FileError when it cannot be read, and
/// InvalidInput with the file's name and line for a syntax error. `assignments` change values of
/// the file before it is read: `world.gravity=[0,0,-1.6]`, `bodies[3].mass=2`; the value is JSON,
/// or else a text.
/// @code{.cpp}
/// const io::Scene scene = io::read_scene("scenes/stack.json");
/// const std::unique_ptr<RigidWorld> world = io::build_world(scene);
/// world->step();
/// assert(world->step_count() == 1);
/// @endcode
Scene read_scene(const std::filesystem::path& file, std::span<const std::string> assignments = {});

/// Bodies of a scene, as what surrounds a robot.
struct SceneObstacles {
  std::vector<RobotBody> resting;
  std::vector<MovingObstacle> moving;
};

/// Kinematic bodies move: by their velocities, or, without any, as the coordinates that
/// `add_obstacles` gives them say. All others rest where they start, whatever their type. Names are
/// those of messages. Cost: linear.
SceneObstacles scene_obstacles(const Scene& scene);

/// Depth over the smaller body's size from which two bodies count as overlapping at the start; less
/// is a touching pair whose coordinates were rounded.
inline constexpr double kStartOverlap = 1e-4;

/// Treatment of bodies that overlap at the start.
enum class StartOverlap : std::uint8_t {
  refuse,
  separate  ///< they are moved apart, without a speed, and lighter bodies farther
};
constexpr std::string_view to_string(StartOverlap overlap) {
  constexpr std::string_view kNames[] = {"refuse", "separate"};
  return detail::name_in(kNames, overlap);
}

/// The world with the bodies that are there at the start. Throws InvalidInput when two of them
/// overlap by more than kStartOverlap (unless that is allowed), naming both and the depth, and when
/// the world refuses a body.
std::unique_ptr<RigidWorld> build_world(const Scene& scene,
                                        StartOverlap overlap = StartOverlap::refuse);

/// Does what a scene has before `step`: acts, bodies that enter, regions that remove, characters
/// that move. Call it before each step.
void begin_step(const Scene& scene, std::uint64_t step, RigidWorld& world);
[[deprecated("begin_step")]] inline void add_entering_bodies(const Scene& scene, std::uint64_t step,
                                                             RigidWorld& world) {
  begin_step(scene, step, world);
}

/// Moving bodies whose centre of mass lies in a region, by id.
std::vector<BodyId> bodies_in(const SceneRegion& region, const RigidWorld& world);

/// The world at `state`, saved from a run of the same scene. Throws InvalidInput when the state
/// does not fit the scene.
std::unique_ptr<RigidWorld> continue_world(const Scene& scene, const WorldState& state);

/// All rigid bodies and joints of a scene with deformables, where one of the bodies is moving; null
/// where none is: then they are obstacles alone. Throws InvalidInput as `build_world`.
std::unique_ptr<World> build_rigid_world(const Scene& scene);

/// The deformables of a scene, and its rigid bodies as obstacles, in their order; with `rigid`,
/// which `build_rigid_world` made, they and the deformables move each other. Throws InvalidInput
/// with the body's name: a moving body without `rigid`, one that enters later, or what the world
/// refuses.
soft::DeformableWorld build_deformable_world(const Scene& scene, const World* rigid = nullptr);

/// Tells the led vertices where to go in the next step; call it before each step.
void lead_vertices(const Scene& scene, soft::DeformableWorld& world);

/// The next step of both, led vertices included, and the scene's response to what has come
/// together; `rigid` may be null.
const soft::DeformableStatistics& step_deformables(const Scene& scene, soft::DeformableWorld& world,
                                                   World* rigid);
/// Hash of the states of both worlds; without `rigid` that of the deformables alone.
std::uint64_t state_hash(const soft::DeformableWorld& world, const World* rigid);

/// Summary of deformables over one simulated second (or the rest of one at the end of a run).
/// Energies, contacts and speed are those of its last step.
struct DeformableRow {
  double time = 0.0;
  double contacts = 0.0;
  double least_gap = 0.0;  ///< least of all steps
  double crossings = 0.0;  ///< by the exact test after each step, of all steps
  double kinetic = 0.0, elastic = 0.0, contact = 0.0, potential = 0.0;
  double rigid = 0.0;         ///< energy of motion and gravity: moving rigid bodies
  double speed = 0.0;         ///< largest of a vertex
  double sweeps = 0.0;        ///< mean per step
  double rounds = 0.0;        ///< mean per step
  double unconverged = 0.0;   ///< steps that did not reach the tolerance
  double milliseconds = 0.0;  ///< wall-clock mean per step
};
/// The fields of a row by name, for files.
struct DeformableColumn {
  std::string_view name;
  double DeformableRow::* value;
};
std::span<const DeformableColumn> deformable_columns();

/// A run of a scene with deformables so far: its summary, and the state from which it continues
/// with the same bits.
struct DeformableRun {
  std::uint64_t fingerprint = 0;  ///< of the scene
  soft::DeformableState state;
  WorldState rigid;  ///< of the rigid world, where there is one
  std::vector<DeformableRow> rows;
};
/// Writes it (atomically). Throws FileError.
void write_deformable_run(const DeformableRun& run, const std::filesystem::path& file);
/// Throws FileError when the file is missing, broken, or of something else.
DeformableRun read_deformable_run(const std::filesystem::path& file);

/// Writes all surfaces as they are now (VTK's legacy format), with the density of the elastic
/// energy at the vertices (`strain_energy`) and the number of each triangle's body, obstacles last
/// (`body`). Throws FileError.
void write_picture(const soft::DeformableWorld& world, const std::filesystem::path& file);

/// Summary of rigid bodies over one simulated second (or the rest of one at the end of a run).
/// Counts and energy are those of its last step.
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
  /// A row ends after every `steps_per_row` steps. Throws InvalidInput where that is 0.
  explicit RunSummary(std::uint64_t steps_per_row = 60);

  /// Takes in a step; true when it ended a row.
  bool add(const StepStatistics& step);
  /// Ends the current row early, if it holds a step.
  void flush();

  std::span<const SummaryRow> rows() const { return rows_; }

  /// All rows with the column names, ready to be a file.
  std::string to_csv() const;

 private:
  friend struct SummaryFields;
  std::uint64_t steps_per_row_;
  std::uint64_t steps_ = 0;  ///< in the current row
  SummaryRow current_;       ///< sums so far
  std::vector<SummaryRow> rows_;
};

/// How a body stands and moves in a picture: enough to look at and to measure, not to continue
/// from.
struct BodySample {
  std::array<float, 3> position{};          ///< of the shape's frame, relative to the run's origin
  std::array<float, 4> orientation{};       ///< of the shape's frame: w, x, y, z
  std::array<float, 3> linear_velocity{};   ///< of the centre of mass; NaN before the body enters
  std::array<float, 3> angular_velocity{};  ///< world frame; NaN before the body enters
  bool has_entered() const { return linear_velocity[0] == linear_velocity[0]; }
};

/// A touching contact point in a picture. Forces are the impulses over `contact_time` of the world,
/// and act on the second body. Those of deformables are `DeformableContact`.
struct ContactSample {
  std::array<float, 3> position{};  ///< relative to the run's origin
  std::array<float, 3> normal{};    ///< unit, from the first body to the second
  float depth = 0.0f;         ///< length, >= 0; of deformables what lacks to the contact distance
  float normal_force = 0.0f;  ///< along the normal, >= 0
  std::array<float, 3> friction_force{};  ///< world frame
  std::array<std::uint32_t, 2> bodies{};  ///< indices in Scene::bodies, deformables after them
};

/// A moment of a run.
struct Picture {
  std::uint64_t step = 0;          ///< steps done
  std::vector<BodySample> bodies;  ///< in the order of RunCheckpoint::tracks
  bool has_contacts = false;       ///< contacts are kept with some pictures only
  std::vector<ContactSample> contacts;
  /// Vertices of deformables, one body after the other, relative to the run's origin; recordings of
  /// rigid bodies have none.
  std::vector<std::array<float, 3>> vertices;
};

/// A joint of a run that broke.
struct BrokenJoint {
  JointId joint = kNoJoint;
  std::uint64_t step = 0;  ///< number of steps done when it was gone
};

/// A run so far without its pictures: its summary, and the full state from which it continues with
/// the same bits.
struct RunCheckpoint {
  std::uint64_t fingerprint = 0;  ///< of the scene
  std::uint64_t steps_per_picture = 1;
  std::uint64_t pictures_per_contacts = 1;
  double time_step = 0.0;           ///< of the world
  Vec3 origin;                      ///< of the places in the pictures
  std::vector<BodyId> tracks;       ///< bodies that can move, in the order of the samples
  std::vector<BrokenJoint> broken;  ///< in the order in which they broke
  RunSummary summary;
  WorldState state;
};

/// A run with its pictures, all in memory; RunRecorder and PictureReader do without.
struct Recording : RunCheckpoint {
  std::vector<Picture> pictures;
};

/// An empty recording of a run of this scene.
Recording start_recording(const Scene& scene);

/// To be called after each step: notes the joints that broke in it, and takes a picture when one is
/// due at the world's step count. A scene whose bodies are all fixed has no pictures.
void record(const Scene& scene, const RigidWorld& world, Recording& recording);

/// Writes a recording (atomically). In the file: 52 bytes per body and picture, 52 per contact and
/// picture with contacts. Throws FileError.
void write_recording(const Recording& recording, const std::filesystem::path& file);

/// Reads a recording with all pictures. Throws FileError when the file (or that of its pictures,
/// see RunRecorder) is missing, broken, or no recording.
Recording read_recording(const std::filesystem::path& file);
/// As `read_recording`, from a file's content; `name` stands in messages. Throws also for a
/// checkpoint of a run that has not ended, whose pictures lie in another file.
Recording parse_recording(std::string_view content, const std::string& name);
/// All but the pictures, which are neither needed nor read. Throws FileError.
RunCheckpoint read_checkpoint(const std::filesystem::path& file);

/// Records a run to disk while it goes on; its memory does not grow with the number of pictures.
///
/// Until the end there are two files: `NAME.pictures`, to which pictures are appended, and
/// `NAME.tactus`, the last checkpoint, which says how many of them count. Checkpoints are replaced
/// at once or not at all: a run that is killed at any moment continues from the last one, and what
/// was appended after it is forgotten. `finish` makes one file of both.
class RunRecorder {
 public:
  /// Starts the recording `file` (NAME.tactus) with a checkpoint of the world before its first
  /// step; an older one of that name is replaced. Throws FileError.
  RunRecorder(const Scene& scene, const RigidWorld& world, const std::filesystem::path& file);
  /// Goes on with the pictures of the recording `from`, which may be `file` itself and is else left
  /// as it is. Throws FileError when the pictures are missing or damaged, InvalidInput when it is
  /// of another scene or was recorded at another rate.
  RunRecorder(const Scene& scene, const std::filesystem::path& file,
              const std::filesystem::path& from);
  RunRecorder(const RunRecorder&) = delete;
  RunRecorder& operator=(const RunRecorder&) = delete;
  ~RunRecorder();

  /// To be called after each step, as `io::record`. Throws FileError.
  void record(const RigidWorld& world);
  /// Replaces the checkpoint. Throws FileError; the last checkpoint is then still there.
  void checkpoint(const RigidWorld& world, const RunSummary& summary);
  /// The last checkpoint, and all pictures, as one file. Nothing can be recorded after it.
  void finish(const RigidWorld& world, const RunSummary& summary);

  std::uint64_t pictures() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Reads the pictures of a recording or of a checkpoint one by one.
class PictureReader {
 public:
  /// Throws FileError as `read_recording`; damage is found before the first picture is handed out.
  explicit PictureReader(const std::filesystem::path& file);
  ~PictureReader();
  PictureReader(PictureReader&&) noexcept;
  PictureReader& operator=(PictureReader&&) noexcept;

  const RunCheckpoint& run() const;
  /// How many there are in all.
  std::uint64_t pictures() const;
  /// The next picture; false at the end.
  bool next(Picture& picture);
  /// Back to the first one.
  void rewind();

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// The player without a recording; empty when the program was built with TACTUS_PLAYER=OFF.
extern const std::string_view kPlayerPage;

/// One self-contained HTML page that plays the recording in a browser, without network.
///
/// The page holds seven blocks beside the player's script: `recording-header` (JSON: shapes as
/// polygons or primitives, bodies, rates, summary), `recording-poses` (base64: per picture and
/// track six 16-bit words, position within the recording's box, then an orientation in 48 bits),
/// `recording-contacts` (base64: per contact three 16-bit words of position, then a direction in 16
/// bits), `recording-partners` (base64: per contact two 32-bit indices of bodies),
/// `recording-forces` (base64: per contact three floats, the force on the second body),
/// `recording-touching` (base64: per picture with contacts and track a byte)
/// and `recording-surfaces` (base64: per picture and vertex of a deformable three 16-bit words of
/// position).
/// They go to the place of `<!--recording-->` in `player`.
/// Throws InvalidInput when `player` is empty, when the recording holds no picture, or when it is
/// not of this scene. Cost: linear in the recording.
std::string html_page(const Scene& scene, const Recording& recording,
                      std::string_view player = kPlayerPage);

/// Writes the page of `html_page` (atomically) from the pictures on disk, which are read five
/// times: memory for one picture. `summary` is shown as the run's. Throws also FileError.
void write_html_page(const Scene& scene, const RunSummary& summary, PictureReader& pictures,
                     const std::filesystem::path& file, std::string_view player = kPlayerPage);

}  // namespace tactus::io
