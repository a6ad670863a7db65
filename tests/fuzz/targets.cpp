#include "tests/fuzz/targets.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/claims.hpp"
#include "fuzz/query_text.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/bvh/point_query.hpp"
#include "tactus/ccd.hpp"
#include "tactus/core.hpp"
#include "tactus/core/hash.hpp"
#include "tactus/deform.hpp"
#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/io/contour/image.hpp"
#include "tactus/io/format/ccd_file.hpp"
#include "tactus/io/format/gltf/gltf.hpp"
#include "tactus/io/format/obj.hpp"
#include "tactus/io/format/off.hpp"
#include "tactus/io/format/ply.hpp"
#include "tactus/io/format/stl.hpp"
#include "tactus/io/format/tree_file.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/planar_line.hpp"
#include "tactus/io/robot/configurations.hpp"
#include "tactus/io/robot/robot_reader.hpp"
#include "tactus/io/run/live_world.hpp"
#include "tactus/io/scene/scene_json.hpp"
#include "tactus/robot.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail::fuzz {
namespace {

// Larger ones take longer than they teach.
constexpr std::size_t kMostTriangles = 300, kMostBodies = 12;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

// Text that would open files (an escaped letter could hide the word) is another matter.
bool names_files(std::string_view text) {
  return text.find("file") != std::string_view::npos || text.find("\\u") != std::string_view::npos;
}

// A line: the answers, and all claims about them.
void digest_query(std::string_view bytes) {
  if (names_files(bytes)) return;
  const auto query = query_of(bytes);
  if (!query) return;
  const Examination found = examine(*query);
  if (!found.failure.empty()) fail(found.failure + "; " + found.detail);
}

// A scene: a world that steps, unless its bodies overlap.
void digest_scene(std::string_view bytes) {
  if (names_files(bytes)) return;
  try {
    const io::Scene scene = io::scene_from_json(io::parse_json(bytes), ".");
    if (scene.bodies.size() > kMostBodies || scene.world.substeps > 8) return;
    const std::unique_ptr<RigidWorld> owned = io::build_world(scene);
    RigidWorld& world = *owned;
    for (int step = 0; step < 2; ++step) {
      io::begin_step(scene, world.step_count(), world);
      world.step();
    }
  } catch (const InvalidInput&) {
  } catch (const FileError&) {
  }
}

// A mesh whose corners exist and are finite; if it is one, its tree finds a vertex on the surface.
template <TriangleMesh (*parse)(std::string_view, io::FileNotes&)>
void digest_mesh(std::string_view bytes) {
  TriangleMesh mesh;
  try {
    io::FileNotes notes("f");
    mesh = parse(bytes, notes);
  } catch (const FileError& error) {
    if (!std::string_view(error.what()).starts_with("f:")) fail(error.what());
    return;
  }
  for (const Vec3& v : mesh.vertices) {
    if (!is_finite(v)) fail("a vertex is not finite");
  }
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      if (corner >= mesh.vertices.size()) fail("a corner does not exist");
    }
  }
  if (mesh.triangles.empty() || mesh.triangles.size() > kMostTriangles) return;
  try {
    const Mesh shape(mesh);
    const Vec3& corner = mesh.vertices[mesh.triangles[0][0]];
    shape.holds(corner);
    bvh::nearest_point(detail::view_of(shape), corner);
  } catch (const InvalidInput&) {
  }
}

TriangleMesh octahedron() {
  return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

std::string word_of(std::uint64_t word) {
  std::string bytes(sizeof word, '\0');
  std::memcpy(bytes.data(), &word, sizeof word);
  return bytes;
}

// Nodes that are taken for a tree can be searched, whatever they hold.
template <class Volume>
void search_nodes(std::string_view bytes, const TriangleMesh& mesh) {
  std::vector<Volume> nodes(2 * mesh.triangles.size() - 1);
  const std::size_t size = nodes.size() * sizeof(Volume);
  if (bytes.size() < size) return;
  std::memcpy(nodes.data(), bytes.data(), size);
  const bvh::Hierarchy<Volume> tree(mesh, std::move(nodes));
  const Pose beside = Pose::translation({3, 0.1, 0.2});
  bvh::mesh_distance_by(mesh, tree, Pose(), mesh, tree, beside);
}

// The content of a tree file after its first word, the checksum made right: of an octahedron.
template <class Volume>
void digest_tree_of(std::string_view bytes) {
  std::string content = "TACTUSB1" + std::string(bytes);
  content.resize((content.size() + 7) / 8 * 8, '\0');
  WordHash hash;
  for (std::size_t i = 0; i < content.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, content.data() + i, sizeof word);
    hash.add(word);
  }
  const TriangleMesh mesh = octahedron();
  try {
    io::parse_tree<Volume>(content + word_of(hash.value()), "f", mesh);
  } catch (const FileError&) {
  }
  try {
    // After the names of magic and volumes, the fingerprint and the count.
    if (bytes.size() > 24) search_nodes<Volume>(bytes.substr(24), mesh);
  } catch (const InvalidInput&) {
  }
}

void digest_tree(std::string_view bytes) {
  if (bytes.starts_with(bvh::AlignedBox::kName)) return digest_tree_of<bvh::AlignedBox>(bytes);
  if (bytes.starts_with(bvh::Ball::kName)) return digest_tree_of<bvh::Ball>(bytes);
  if (bytes.starts_with(bvh::Dop14::kName)) return digest_tree_of<bvh::Dop14>(bytes);
  if (bytes.starts_with(bvh::SweptRectangle::kName))
    return digest_tree_of<bvh::SweptRectangle>(bytes);
  digest_tree_of<bvh::OrientedBox>(bytes);
}

// A recording without its checksums and magic words: number of pictures and size of the rest, what
// the rest says, and the pictures. It is refused, or can be shown and continued, unless scene or
// world refuse it.
void digest_recording(std::string_view bytes) {
  if (bytes.size() < 16) return;
  std::uint64_t size = 0;
  bytes.copy(reinterpret_cast<char*>(&size), 8, 8);
  const std::string_view count = bytes.substr(0, 8), rest = bytes.substr(16);
  const auto split = static_cast<std::size_t>(std::min<std::uint64_t>(size, rest.size()));
  const std::string_view run = rest.substr(0, split), pictures = rest.substr(split);
  Fnv1a of_pictures;
  of_pictures.add(pictures);
  const std::string content = "TACTUSRC" + word_of(run.size()) + std::string(count) +
                              word_of(pictures.size()) + word_of(of_pictures.value()) + word_of(1) +
                              std::string(run);
  Fnv1a hash;
  hash.add(content);
  static const io::Scene scene = io::scene_from_json(
      io::parse_json(R"({"shapes": {"ball": {"type": "sphere", "radius": 0.5}}, "bodies": [
      {"shape": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0}, "type": "fixed"},
      {"shape": "ball", "pose": {"position": [0, 0, 0.5], "quaternion": [1, 0, 0, 0]}},
      {"shape": "ball", "pose": {"position": [0, 0, 1.6], "quaternion": [1, 0, 0, 0]}}]})"),
      ".");
  try {
    const io::Recording recording =
        io::parse_recording(content + word_of(hash.value()) + std::string(pictures), "f");
    try {
      io::html_page(scene, recording, "<!--recording-->");
    } catch (const InvalidInput&) {
    }
    const std::unique_ptr<RigidWorld> owned = io::continue_world(scene, recording.state);
    RigidWorld& world = *owned;
    world.step();
  } catch (const InvalidInput&) {
  } catch (const FileError&) {
  }
}

// Buffers beside the file are another matter.
void digest_gltf(std::string_view bytes) {
  if (bytes.find("uri") != bytes.npos && bytes.find("data:") == bytes.npos) return;
  if (bytes.find("\\u") == bytes.npos) digest_mesh<io::parse_gltf>(bytes);
}

// A picture has as many values as pixels, and its outlines can be traced.
void digest_image(std::string_view bytes) {
  constexpr std::size_t kMostTraced = 4096;
  try {
    const io::Image image = io::parse_image(bytes, "f");
    if (image.values.size() != static_cast<std::size_t>(image.width) * image.height)
      fail("a picture without all of its values");
    if (image.values.size() <= kMostTraced) trace_contours(image.view());
  } catch (const InvalidInput&) {
  } catch (const FileError&) {
  }
}

// Tetrahedra whose corners exist and are finite, none flat or inverted: a world takes them.
void digest_tetrahedra(std::string_view bytes) {
  const char* const name = bytes.starts_with("$")     ? "f.msh"
                           : bytes.starts_with("# v") ? "f.vtk"
                                                      : "f.mesh";
  TetrahedralMesh mesh;
  try {
    mesh = io::parse_tetrahedra(bytes, name);
  } catch (const FileError& error) {
    if (!std::string_view(error.what()).starts_with("f.")) fail(error.what());
    return;
  }
  try {
    validate(mesh);
  } catch (const InvalidInput& error) {
    fail(error.what());
  }
}

// Continuous queries: every coordinate is a double, and the search answers.
void digest_ccd(std::string_view bytes) {
  constexpr std::size_t kMostQueries = 50;
  std::vector<io::CcdQuery> queries;
  try {
    queries = io::parse_ccd_queries(bytes, "f");
  } catch (const FileError& error) {
    if (!std::string_view(error.what()).starts_with("f:")) fail(error.what());
    return;
  }
  if (queries.size() > kMostQueries) return;
  for (const io::CcdQuery& q : queries) {
    for (const Vec3& p : q.point) {
      if (!is_finite(p)) fail("a coordinate is not finite");
    }
    const auto& p = q.point;
    vertex_face({p[0], {p[1], p[2], p[3]}, p[4], {p[5], p[6], p[7]}});
    edge_edge({{p[0], p[1]}, {p[2], p[3]}, {p[4], p[5]}, {p[6], p[7]}});
  }
}

// A planar line: an answer that is JSON, of which the checker refutes nothing.
void digest_planar(std::string_view bytes) {
  if (names_files(bytes)) return;
  io::PlanarAnswerOptions options;
  options.prove = options.certificate = true;
  const io::PlanarOutcome found = io::PlanarAnswerer().answer(bytes, options);
  if (!nlohmann::json::accept(found.text)) fail("an answer that is no JSON: " + found.text);
  if (found.refuted > 0) fail("refuted: " + found.unproved_claim);
}

// The line of a live run of few rigid bodies: it replays, unless scene or acts refuse it.
void digest_live(std::string_view bytes) {
  if (names_files(bytes)) return;
  try {
    const nlohmann::json line = io::parse_json(bytes);
    if (!line.is_object() || !line.contains("scene") || line.value("steps", 100.0) > 3.0) return;
    const io::Scene scene = io::scene_from_json(line["scene"], ".");
    if (scene.bodies.size() > kMostBodies || scene.world.substeps > 8) return;
    if (scene.deformables.empty()) io::replay_live(bytes);
  } catch (const InvalidInput&) {
  } catch (const FileError&) {
  } catch (const nlohmann::json::exception&) {
    // `steps` of another type.
  }
}

// No robot of the fuzzer's needs more links.
constexpr std::size_t kMostLinks = 12;

/// A reader's error names the text.
template <class Read>
void read_named(const Read& read) {
  try {
    read();
  } catch (const FileError& error) {
    if (!std::string_view(error.what()).starts_with("f:")) fail(error.what());
  }
}

// A robot that can be placed and measured. Files that it names are not looked for.
void digest_urdf(std::string_view bytes) {
  if (names_files(bytes) || bytes.find("&#") != bytes.npos) return;
  read_named([&] {
    io::FileNotes notes("f");
    const Robot robot = io::parse_robot(bytes, ".", {}, notes);
    if (robot.links().size() > kMostLinks) return;
    const std::vector<double> values = robot.zero_configuration();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (robot.find_coordinate(robot.coordinates()[i].name) != i)
        fail("a coordinate is not found");
    const RobotCollision collision(robot);
    const RobotClearance found = collision.clearance(values);
    if (!(found.lower <= found.upper)) fail("an empty bracket");
    PathOptions options;
    options.max_intervals = 20;
    collision.certify(straight_segment(values, values), options);
  });
}

/// A robot for what belongs to one.
const Robot& small_robot() {
  static const Robot robot("r", {{"a"}, {"b"}, {"c"}},
                           {{"x", RobotJointType::prismatic, 0, 1, {}, {1, 0, 0}, -1, 1},
                            {"y", RobotJointType::planar, 1, 2}});
  return robot;
}

void digest_srdf(std::string_view bytes) {
  read_named([&] {
    io::FileNotes notes("f");
    for (const RobotPair& pair : io::parse_disabled_pairs(bytes, small_robot(), notes))
      if (pair.a >= pair.b || pair.b > 2) fail("a pair of no links");
  });
}

/// The small robot among bodies that move, one by its coordinates and one with the time.
const Robot& robot_among_bodies() {
  static const Robot robot = add_obstacles(
      small_robot(),
      {{{Sphere(1), {}, "free"}}, {{Sphere(1), {}, "even"}, {}, {1, 0, 0}, {0, 0, 1}}});
  return robot;
}

// Tables of configurations, paths among them.
void digest_path(std::string_view bytes) {
  for (const Robot* robot : {&small_robot(), &robot_among_bodies()}) {
    read_named([&] {
      const io::ConfigurationTable table = io::parse_configurations(bytes, "f", *robot);
      if (table.rows.size() != table.times.size() || table.rows.size() != table.lines.size())
        fail("lists of different lengths");
      const auto time = robot->find_coordinate("time");
      for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.rows[i].size() != robot->coordinates().size()) fail("a short row");
        if (time && table.rows[i][*time] != table.times[i]) fail("a time that is not the row's");
        if (i > 0 && !(table.times[i] > table.times[i - 1])) fail("times that do not ascend");
      }
    });
  }
}

constexpr Target kTargets[] = {{"query", digest_query},
                               {"scene", digest_scene},
                               {"obj", digest_mesh<io::parse_obj>},
                               {"stl", digest_mesh<io::parse_stl>},
                               {"ply", digest_mesh<io::parse_ply>},
                               {"off", digest_mesh<io::parse_off>},
                               {"gltf", digest_gltf},
                               {"tree", digest_tree},
                               {"recording", digest_recording},
                               {"image", digest_image},
                               {"tetrahedra", digest_tetrahedra},
                               {"ccd", digest_ccd},
                               {"planar", digest_planar},
                               {"live", digest_live},
                               {"urdf", digest_urdf},
                               {"mjcf", digest_urdf},
                               {"sdf", digest_urdf},
                               {"srdf", digest_srdf},
                               {"path", digest_path}};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace tactus::detail::fuzz
