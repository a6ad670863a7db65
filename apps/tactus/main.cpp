#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "apps/tactus/bvh_command.hpp"
#include "apps/tactus/ccd_command.hpp"
#include "apps/tactus/contour_command.hpp"
#include "apps/tactus/decompose_command.hpp"
#include "apps/tactus/distance_command.hpp"
#include "apps/tactus/export_command.hpp"
#include "apps/tactus/hull_command.hpp"
#include "apps/tactus/laboratory.hpp"
#include "apps/tactus/live_command.hpp"
#include "apps/tactus/mesh_command.hpp"
#include "apps/tactus/obb_command.hpp"
#include "apps/tactus/option_checks.hpp"
#include "apps/tactus/output.hpp"
#include "apps/tactus/planar_command.hpp"
#include "apps/tactus/program.hpp"
#include "apps/tactus/query_command.hpp"
#include "apps/tactus/robot/robot_command.hpp"
#include "apps/tactus/shell/shell_commands.hpp"
#include "apps/tactus/simulate/simulate_command.hpp"
#include "apps/tactus/steps_command.hpp"
#include "apps/tactus/tetrahedra_command.hpp"
#include "apps/tactus/volumes.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/ccd.hpp"
#include "tactus/classic.hpp"
#include "tactus/fit.hpp"
#include "tactus/io.hpp"
#include "tactus/io/json/known_names.hpp"
#include "tactus/mesh.hpp"
#include "tactus/query.hpp"

namespace {

using tactus::app::add_command;
using tactus::app::add_quiet;
using tactus::app::add_threads;
using tactus::app::AllVolumes;
using tactus::app::BvhCommand;
using tactus::app::CcdCommand;
using tactus::app::ContourCommand;
using tactus::app::DecomposeCommand;
using tactus::app::DistanceCommand;
using tactus::app::Entry;
using tactus::app::ExportCommand;
using tactus::app::HullCommand;
using tactus::app::LiveCommand;
using tactus::app::MeshCommand;
using tactus::app::not_negative_number;
using tactus::app::ObbCommand;
using tactus::app::PlanarQueryCommand;
using tactus::app::positive_number;
using tactus::app::QueryCommand;
using tactus::app::RobotClearanceCommand;
using tactus::app::RobotCommand;
using tactus::app::RobotFiles;
using tactus::app::RobotPathCommand;
using tactus::app::SimulateCommand;
using tactus::app::StepsCommand;
using tactus::app::TetrahedraCommand;
using tactus::app::whole_number;
using tactus::io::names_of;

// Endings of files that meshes are written to; others are refused.
constexpr const char* kEndings = ": .obj, .stl, .ply, .off, .glb or .json";
constexpr std::uint64_t kMostInt = std::numeric_limits<int>::max();

// Adds `--up`, for the commands that read meshes.
void add_up(CLI::App& app, std::string& up) {
  app.add_option("--up", up,
                 "Axis of the mesh files that points up; it is turned to z (default: numbers are "
                 "taken as they are)")
      ->check(CLI::IsMember(names_of(tactus::io::UpAxis::x)));
}

void describe_query(CLI::App& app, QueryCommand& command) {
  app.add_option("FILE", command.files,
                 "Query files: one JSON object per line; - is standard input")
      ->required();
  app.add_flag("--check", command.check,
               "Compare with the right answers in the files and print the worst errors");
  app.add_flag("--answers", command.answers, "With --check: write the answers too");
  app.add_flag("--certificate", command.certificate,
               "Add to each answer what re-proves its bracket");
  app.add_flag("--json", command.json, "With --check: the table as JSON");
  app.add_option("-o,--out", command.out, "File for the answers instead of standard output");
  add_threads(app, command.threads);
  add_quiet(app);
}

void describe_planar_query(CLI::App& app, PlanarQueryCommand& command) {
  app.add_option("FILE", command.files,
                 "Planar query files: one JSON object per line; - is standard input")
      ->required();
  app.add_flag(
      "--check", command.check,
      "Prove every answer anew, compare with the right answers in the files, and print the "
      "worst errors");
  app.add_flag("--certificate", command.certificate,
               "Add to a depth the translation that parts the bodies");
  app.add_flag("--answers", command.answers, "With --check: write the answers too");
  app.add_flag("--json", command.json, "With --check: the figures as JSON");
  app.add_option("-o,--out", command.out, "File for the answers instead of standard output");
  add_quiet(app);
}

void describe_contour(CLI::App& app, ContourCommand& command) {
  app.add_option("FILE", command.file, "PNG or JPEG file")->required();
  app.add_option("-o,--out", command.out,
                 "File that receives the contours: JSON, or GeoJSON where it ends with .geojson; - "
                 "is standard output");
  app.add_option("--svg", command.svg, "SVG file that receives a picture of the contours");
  app.add_option("--write", command.write,
                 "What the JSON holds: regions with their holes, or all outlines as contours")
      ->check(CLI::IsMember({"regions", "contours"}))
      ->capture_default_str();
  app.add_option("--threshold", command.threshold,
                 "Value between inside and outside, from 0 to 1 (default: Otsu's)");
  app.add_option("--channel", command.channel,
                 "Values that count; auto takes alpha where a pixel is not opaque")
      ->check(CLI::IsMember(names_of<tactus::io::ImageChannel>()))
      ->capture_default_str();
  app.add_flag("--invert", command.invert, "Trace what surrounds the shapes instead");
  app.add_option("--despeckle", command.despeckle,
                 "Leave out shapes and holes of less area, in pixels")
      ->capture_default_str();
  app.add_option("--saddle", command.saddle,
                 "Do pixels that meet at a corner alone hang together: by the mean of the four, "
                 "always, never")
      ->check(CLI::IsMember(names_of<tactus::fit::SaddleRule>()))
      ->capture_default_str();
  CLI::Option* error = app.add_option(
      "--error", command.error,
      "Simplify to the fewest points within this distance, in pixels (default: 0.015; 0.1 for a "
      "picture without grey edges)");
  CLI::Option* points =
      app.add_option("--points", command.points, "At most as many points for each contour instead")
          ->check(whole_number(3))
          ->excludes(error);
  app.add_flag("--pixels", command.pixels,
               "Outlines along the sides of the pixels, exactly; nothing is smoothed or simplified")
      ->excludes(error)
      ->excludes(points);
  app.add_option("--y", command.y, "Where y grows to; the origin is the lower or upper left corner")
      ->check(CLI::IsMember({"up", "down"}))
      ->capture_default_str();
  app.add_option("--scale", command.scale, "Length of a pixel")->capture_default_str();
  app.add_flag("--json", command.json, "Print the figures as JSON");
  add_quiet(app);
}

void describe_ccd(CLI::App& app, CcdCommand& command) {
  app.add_option("--vertex-face", command.vertex_face,
                 "Files of queries: a moving vertex and a moving face, eight lines each");
  app.add_option("--edge-edge", command.edge_edge, "The same of two moving edges");
  app.add_option(
      "--mesh", command.meshes,
      "A surface at the start and at the end of a motion, two files; twice: two surfaces. "
      "All contacts on straight ways between, of one surface with itself");
  app.add_option("--broad", command.broad,
                 "With --mesh: how pairs of vertices and faces are found; the answer is the same")
      ->check(CLI::IsMember(names_of<tactus::ccd::SurfaceBroad>()))
      ->capture_default_str();
  add_up(app, command.up);
  app.add_flag("--self", command.self, "Of two surfaces also the contacts of each with itself");
  app.add_option("--method", command.method,
                 "How contacts are found; all but the first miss some, and are there to compare")
      ->check(CLI::IsMember(names_of<tactus::ccd::CcdMethod>()))
      ->capture_default_str();
  app.add_option("--min-separation", command.min_separation,
                 "A contact is a distance of at most this")
      ->check(not_negative_number())
      ->capture_default_str();
  app.add_option("--max-intervals", command.max_intervals,
                 "Intervals of time looked at before what is left counts as a hit")
      ->check(whole_number(1, kMostInt))
      ->capture_default_str();
  app.add_flag("--check", command.check,
               "Compare with the truth in the files, count false alarms and misses, time queries");
  app.add_flag("--json", command.json, "With --check or --mesh: the table as JSON");
  app.add_option("-o,--out", command.out,
                 "File for the answers instead of standard output; with --mesh: for all impacts");
  add_threads(app, command.threads);
  add_quiet(app);
}

void describe_distance(CLI::App& app, DistanceCommand& command) {
  app.add_option("A", command.file_a, "Mesh file")->required();
  app.add_option("B", command.file_b, "Mesh file")->required();
  app.add_option("--pose-a", command.pose_a,
                 "Where A stands, as JSON: twelve numbers or position and quaternion");
  app.add_option("--pose-b", command.pose_b, "Where B stands");
  app.add_option("--poses", command.poses,
                 "File of poses, one query per line: {\"pose_a\":..,\"pose_b\":..}; where a line "
                 "leaves one out, the option above holds");
  app.add_option("--scale-a", command.scale_a, "Multiplies the coordinates of A's file")
      ->capture_default_str();
  app.add_option("--scale-b", command.scale_b, "Multiplies the coordinates of B's file")
      ->capture_default_str();
  app.add_option("--tree-a", command.tree_a,
                 "File of A's hierarchy (tactus bvh -o), which is then not built");
  app.add_option("--tree-b", command.tree_b, "File of B's hierarchy");
  app.add_option("--strategy", command.strategy, "Order in which the hierarchies are searched")
      ->check(CLI::IsMember(names_of<tactus::detail::bvh::Strategy>()))
      ->capture_default_str();
  app.add_option("--volume", command.volume, "What bounds the triangles in the hierarchies")
      ->check(CLI::IsMember(AllVolumes::names()))
      ->capture_default_str();
  app.add_option("--relative-error", command.relative_error,
                 "Stop when the bracket is narrower than this part of the distance")
      ->capture_default_str();
  app.add_option("--max-distance", command.max_distance, "Stop when the meshes are proved farther");
  add_up(app, command.up);
  app.add_flag("--warm", command.warm,
               "Start each query from the triangles that the last one found");
  app.add_flag("--json", command.json, "Print one JSON object per query");
}

void describe_hull(CLI::App& app, HullCommand& command) {
  app.add_option("FILE", command.file, "Mesh file, or .xyz: three numbers per line")->required();
  CLI::Option* method =
      app.add_option("--method", command.method, "How the surface is found; the result is the same")
          ->check(CLI::IsMember(names_of<tactus::HullMethod>()))
          ->capture_default_str();
  app.add_option("--vertices", command.vertices,
                 "At most as many vertices, chosen so that little is left out")
      ->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()))
      ->excludes(method);
  add_up(app, command.up);
  app.add_option("-o,--out", command.out, std::string("File that receives the hull") + kEndings);
  add_threads(app, command.threads);
  app.add_flag("--json", command.json, "Print the figures as JSON");
  add_quiet(app);
}

void describe_tetrahedra(CLI::App& app, TetrahedraCommand& command) {
  app.add_option("FILE", command.file,
                 "A closed surface, to be filled, or tetrahedra (.msh, .mesh, .vtk)");
  app.add_option("--box", command.box, "A box of this size instead")
      ->expected(3)
      ->check(positive_number());
  app.add_option("--sphere", command.sphere, "A ball of this radius instead")
      ->check(positive_number());
  app.add_option("--edge", command.edge,
                 "Length of the edges, about; without it a twelfth of the longest side")
      ->check(positive_number());
  app.add_option(
      "-o,--out", command.out,
      "File for the tetrahedra: .msh (Gmsh), .mesh (Medit), .vtk; - is standard output, as .msh");
  app.add_option("--surface", command.surface, std::string("File for their surface") + kEndings);
  add_up(app, command.up);
  app.add_flag("--json", command.json, "Print the figures as JSON");
  add_quiet(app);
}

void describe_obb(CLI::App& app, ObbCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  add_up(app, command.up);
  app.add_option("-o,--out", command.out, std::string("File that receives the boxes") + kEndings);
  app.add_option("--html", command.html, "Page that receives a picture of the mesh and the boxes");
  app.add_flag("--json", command.json, "Print the figures as JSON");
  add_quiet(app);
}

void describe_mesh(CLI::App& app, MeshCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  CLI::Option* other =
      app.add_option("OTHER", command.other, "Second mesh: which triangles of the two meet");
  app.add_option("--pose-b", command.pose_b,
                 "Where OTHER stands, as JSON: twelve numbers or position and quaternion")
      ->needs(other);
  app.add_flag("--clean", command.clean,
               "Merge equal vertices, take out degenerate and repeated triangles, turn the others "
               "to agree");
  app.add_option("--scale", command.scale, "Multiplies the coordinates")
      ->check(positive_number())
      ->capture_default_str();
  app.add_option("--units", command.units, "Unit of the file, turned into metres")
      ->check(CLI::IsMember({"mm", "cm", "m", "in", "ft"}));
  app.add_option(
      "--nearest", command.nearest,
      "File of points (.xyz: three numbers per line): the nearest point of the surface to each");
  app.add_option("--winding", command.winding,
                 "File of points (.xyz): how often the surface winds around each; 0 is outside");
  add_up(app, command.up);
  app.add_option(
      "-o,--out", command.out,
      std::string("File that receives the mesh") + kEndings + "; - is standard output, as OBJ");
  app.add_flag("--json", command.json, "Print the report as JSON");
  add_quiet(app);
}

void describe_decompose(CLI::App& app, DecomposeCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  app.add_option("--method", command.method, "How the parts are found")
      ->check(CLI::IsMember(names_of<tactus::fit::DecompositionMethod>()))
      ->capture_default_str();
  app.add_option("--concavity", command.concavity,
                 "Bound of the distance between surface and parts, of the model scaled to [-1, 1]")
      ->capture_default_str();
  app.add_option("--max-parts", command.max_parts, "At most as many parts")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--max-vertices", command.max_vertices,
                 "At most as many vertices of each part, at least 4; 0: as many as it has")
      ->capture_default_str();
  add_up(app, command.up);
  app.add_option("-o,--out", command.out,
                 std::string("File that receives the parts") + kEndings +
                     "; .json is a compound for scenes and queries, .obj and .glb have an object "
                     "for each part");
  app.add_option("--html", command.html, "Page that receives a picture of the parts");
  add_threads(app, command.threads);
  app.add_flag("--json", command.json, "Print the figures as JSON");
  add_quiet(app);
}

void describe_bvh(CLI::App& app, BvhCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  app.add_option("--volume", command.volume, "What bounds the triangles")
      ->check(CLI::IsMember(AllVolumes::names()))
      ->capture_default_str();
  CLI::Option* tree =
      app.add_option("--tree", command.tree, "File of the hierarchy, which is then not built");
  app.add_option("--split", command.split,
                 "Where triangles are parted: at the mean of their middles by area, half and half, "
                 "or midway between the outermost")
      ->check(CLI::IsMember(names_of<tactus::detail::bvh::SplitRule>()))
      ->excludes(tree)
      ->capture_default_str();
  add_up(app, command.up);
  app.add_option("-o,--out", command.out, "File that receives the hierarchy")->excludes(tree);
  app.add_option("--html", command.html, "Page that receives a picture of the levels");
  app.add_flag("--json", command.json, "Print the figures as JSON");
  add_quiet(app);
}

void describe_simulate(CLI::App& app, SimulateCommand& command) {
  app.add_option("SCENE", command.scene, "Scene file; - is standard input")->required();
  app.add_option("--steps", command.steps,
                 "Stop after this many steps, counted from the scene's start")
      ->check(whole_number(0));
  app.add_option(
         "--set", command.assignments,
         "Set a value of the scene: world.step_rate=100, bodies[3].mass=2; as often as wanted")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  CLI::Option* out = app.add_option("-o,--out", command.out,
                                    "Folder for the results (default: out/NAME-OF-THE-SCENE)");
  app.add_flag("--no-files", command.no_files, "Write no files")->excludes(out);
  app.add_option("--continue", command.continue_from,
                 "Continue an earlier run of the scene from its recording (.tactus)");
  app.add_option("--checkpoint", command.checkpoint,
                 "Seconds between checkpoints, from which a killed run continues; 0: each step")
      ->check(not_negative_number())
      ->capture_default_str();
  add_threads(app, command.threads);
  app.add_flag("--allow-overlap", command.allow_overlap,
               "Start although bodies overlap: they are moved apart first");
  app.add_option("--record-pairs", command.record_pairs,
                 "File for the pairs of bodies of the last step, as lines for tactus query");
  app.add_option("--record-every", command.record_every,
                 "--record-pairs: those of each step whose number divides by this, instead of the "
                 "last one's")
      ->check(whole_number(1))
      ->needs("--record-pairs");
  app.add_flag("--json", command.json, "Print the summary and the verdict as JSON");
  add_quiet(app);
}

void describe_export(CLI::App& app, ExportCommand& command) {
  app.add_option("RUN", command.run,
                 "Recording (.tactus), also of a run that goes on or was killed")
      ->required();
  app.add_option("--csv", command.csv,
                 "File for poses and velocities, a row per picture and body; - is standard output");
  app.add_option("--contacts", command.contacts,
                 "File for contact points and forces, a row per picture and contact");
  app.add_option("--vtk", command.vtk, "Folder for VTU and PVD files (ParaView)");
  app.add_option("--scene", command.scene,
                 "Scene of the run: bodies in VTU files then have shape, radius and mass");
  app.add_option("--bodies", command.bodies,
                 "File for shape, radius, mass and inertia, a row per body")
      ->needs("--scene");
  add_quiet(app);
}

void describe_live(CLI::App& app, LiveCommand& command) {
  app.add_option("FILE", command.file, "Live runs, one JSON object per line; - is standard input")
      ->required();
}

void describe_steps(CLI::App& app, StepsCommand& command) {
  app.add_option("FILE", command.file, "Questions, one JSON object per line; - is standard input")
      ->required();
}

void add_robot_files(CLI::App& app, RobotFiles& files) {
  app.add_option("--package", files.packages, "Folder of a package that meshes lie in")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
  app.add_option("--model", files.model, "Model of an SDF file that holds several");
  app.add_flag("--visual", files.visual, "Take the visual shapes in place of those for collision");
  CLI::Option* hulls = app.add_flag("--hulls", files.hulls, "Take the convex hull of each mesh");
  app.add_option("--decompose", files.decompose,
                 "Take convex parts of each mesh, of this concavity; they are kept in "
                 "FILE.parts.json")
      ->check(positive_number())
      ->excludes(hulls);
}

void add_robot_pairs(CLI::App& app, RobotFiles& files) {
  app.add_option("FILE", files.file, "Robot (URDF, MJCF, SDF)")->required();
  add_robot_files(app, files);
  app.add_option(
         "--srdf", files.srdfs,
         "SRDF or MJCF file of the robot, or of one of --beside: pairs that it disables are "
         "left out")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  app.add_option("--obstacles", files.obstacles,
                 "Scene whose bodies are obstacles: kinematic ones move, all others rest");
  app.add_option("--base", files.base, "Joint on which the robot stands, called `base`")
      ->check(CLI::IsMember({"fixed", "planar", "floating"}))
      ->capture_default_str();
  app.add_option("--beside", files.beside,
                 "Another robot in the world; its links and joints are called NAME/...")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  app.add_option("--place", files.places, "Where the robot stands, or one of --beside")
      ->type_name("[NAME=]X,Y,Z[,ROLL,PITCH,YAW]")
      ->allow_extra_args(false);
}

void describe_robot(CLI::App& app, RobotCommand& command) {
  app.add_option("FILE", command.files.file, "Robot (URDF, MJCF, SDF); - is standard input");
  add_robot_files(app, command.files);
  app.add_flag("--pairs", command.pairs,
               "Sort the pairs of links: adjacent, always, never, sometimes in contact");
  app.add_option("--samples", command.samples, "--pairs: random configurations that are looked at")
      ->check(whole_number(1, kMostInt))
      ->capture_default_str();
  app.add_option("--boxes", command.boxes,
                 "--pairs: cap of the boxes that the proof of one pair cuts")
      ->check(whole_number(0, kMostInt))
      ->capture_default_str();
  app.add_option("--clearance", command.clearance,
                 "--pairs: `never` asks for more than this distance")
      ->check(not_negative_number())
      ->capture_default_str();
  app.add_option("--srdf", command.srdf,
                 "SRDF or MJCF file: pairs that it disables are left out; with --pairs, SRDF file "
                 "that receives the pairs that need not be asked");
  app.add_option("--configurations", command.configurations,
                 "Print the clearances of a table (CSV), a row each, as `tactus robot clearance`");
  add_threads(app, command.threads);
  app.add_flag("--json", command.json, "Print the report as JSON");
  add_quiet(app);
}

void describe_robot_clearance(CLI::App& app, RobotClearanceCommand& command) {
  add_robot_pairs(app, command.files);
  CLI::Option* table =
      app.add_option("CONFIGURATIONS", command.configurations,
                     "Table of configurations (CSV), a row each; - is standard input");
  app.add_option("--joints", command.joints,
                 "One configuration: values between commas, in their order or as NAME=VALUE")
      ->excludes(table);
  app.add_option("--below", command.below, "Tell all pairs nearer than this");
  app.add_flag("--gradient", command.gradient,
               "With --json: the derivative of the distance by each coordinate");
  app.add_flag("--json", command.json, "Print one JSON object per configuration");
}

void describe_robot_path(CLI::App& app, RobotPathCommand& command) {
  add_robot_pairs(app, command.files);
  app.add_option("PATH", command.path, "Table of configurations (CSV) in the order of time")
      ->required();
  app.add_option("--clearance", command.clearance, "Distance that all pairs must exceed")
      ->check(not_negative_number())
      ->capture_default_str();
  app.add_option("--tolerance", command.tolerance,
                 "Width of the bracket of the first time, as a part of the segment")
      ->check(positive_number())
      ->capture_default_str();
  app.add_option("--spline,--interpolation", command.interpolation, "The way between two rows")
      ->check(CLI::IsMember({"linear", "cubic"}))
      ->capture_default_str();
  app.add_option("--certificate", command.certificate,
                 "File that receives what proves a free path, for tactus-verify path");
  app.add_option("--html", command.html,
                 "Page that receives the robot along its path, what is nearest, and a plot of the "
                 "clearance");
  app.add_flag("--prove", command.claims, "Prove free segments again, without the search");
  add_threads(app, command.threads);
  app.add_flag("--json", command.json, "Print the answer as JSON");
  add_quiet(app);
}

/// `tactus robot`, whose subcommands come first: the command itself is parsed with each of them.
void add_robot(CLI::App& app, std::vector<Entry>& commands) {
  using namespace tactus::app;
  const Entry robot =
      add_command(app, "robot",
                  "Tell what a robot is made of and what is wrong with it; clearance; proved paths",
                  describe_robot, run_robot);
  commands.push_back(add_command(
      *robot.app, "clearance", "Measure the least distance between a robot's links, and obstacles",
      describe_robot_clearance, run_robot_clearance));
  commands.push_back(add_command(*robot.app, "path", "Prove a path free, or find where it is not",
                                 describe_robot_path, run_robot_path));
  commands.push_back(robot);
}

/// A subcommand of the laboratory: a program of its own, which gets the same words.
template <class Command, class Describe>
Entry add_laboratory(CLI::App& app, const char* name, const char* description,
                     const Describe& describe, char** argv) {
  Entry entry = add_command<Command>(app, name, description, describe, nullptr, true);
  // The command is kept alive, since parsing writes the options into it.
  entry.run = [command = std::move(entry.run), argv] { return tactus::app::run_laboratory(argv); };
  return entry;
}

/// `argv`: how the program was called.
std::vector<Entry> add_commands(CLI::App& app, char** argv) {
  using namespace tactus::app;
  CLI::App* const planar =
      app.add_subcommand("planar", "Circles, contours and regions in the plane");
  planar->require_subcommand(1);
  std::vector<Entry> commands{
      add_command(app, "query", "Answer overlap, distance and contact queries from files",
                  describe_query, run_query, true),
      add_command(app, "distance", "Measure how far the surfaces of two triangle meshes are apart",
                  describe_distance, run_distance),
      add_command(app, "hull", "Find and prove the convex hull of a file's points", describe_hull,
                  run_hull),
      add_command(app, "tetrahedra",
                  "Fill a closed surface with tetrahedra, or convert them; print their quality",
                  describe_tetrahedra, run_tetrahedra),
      add_command(app, "obb",
                  "Fit oriented boxes to a file's points, from principal axes to the least volume",
                  describe_obb, run_obb),
      add_command(app, "bvh", "Build the hierarchy of bounding volumes of a mesh and draw it",
                  describe_bvh, run_bvh),
      add_command(app, "decompose", "Take a mesh apart into few convex parts", describe_decompose,
                  run_decompose),
      add_command(app, "mesh",
                  "Tell what a surface is made of and what is wrong with it; clean, scale, convert",
                  describe_mesh, run_mesh),
      add_command(
          app, "simulate", "Run a scene of rigid bodies and write what happened",
          [&](CLI::App& added, SimulateCommand& command) {
            command.program = argv[0];
            describe_simulate(added, command);
          },
          run_simulate, true),
      add_command(app, "export", "Write the pictures of a run as CSV or for ParaView",
                  describe_export, run_export),
      add_command(app, "live", "Replay runs that a person acted on, and print how they end",
                  describe_live, run_live),
      add_command(app, "steps", "Tell what an algorithm over many things does, step by step",
                  describe_steps, run_steps),
      add_laboratory<FuzzCommand>(app, "fuzz", kFuzzDescription, describe_fuzz, argv),
      add_command(*planar, "query", "Answer planar queries, one JSON object per line",
                  describe_planar_query, run_planar_query),
      add_command(app, "contour", "Trace the outlines of a picture's shapes", describe_contour,
                  run_contour),
      add_command(app, "ccd",
                  "First contact of moving vertices, edges and faces: nothing is missed",
                  describe_ccd, run_ccd),
      add_laboratory<LabCommand>(app, "lab", kLabDescription, describe_lab, argv),
  };
  add_robot(app, commands);
  add_shell_commands(app, commands);
  return commands;
}

}  // namespace

int main(int argc, char** argv) {
  return tactus::app::run_program("Collision detection whose every answer is a proved bracket",
                                  argc, argv,
                                  [argv](CLI::App& app) { return add_commands(app, argv); });
}
