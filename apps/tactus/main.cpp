#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "apps/tactus/bvh_command.hpp"
#include "apps/tactus/decompose_command.hpp"
#include "apps/tactus/distance_command.hpp"
#include "apps/tactus/fuzz_command.hpp"
#include "apps/tactus/hull_command.hpp"
#include "apps/tactus/lab_command.hpp"
#include "apps/tactus/obb_command.hpp"
#include "apps/tactus/query_command.hpp"
#include "apps/tactus/simulate_command.hpp"
#include "apps/tactus/volumes.hpp"
#include "tactus/query.hpp"
#include "tactus/version.hpp"

namespace {

using tactus::app::AllVolumes;
using tactus::app::BvhCommand;
using tactus::app::DecomposeCommand;
using tactus::app::DistanceCommand;
using tactus::app::FuzzCommand;
using tactus::app::HullCommand;
using tactus::app::LabCommand;
using tactus::app::ObbCommand;
using tactus::app::QueryCommand;
using tactus::app::SimulateCommand;

constexpr int kCannotRun = 2;
// More than any machine has: a slip of the pen.
constexpr int kMostThreads = 4096;

void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "Threads; 0 takes all processors")
      ->check(CLI::Range(0, kMostThreads));
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
  app.add_option("--out", command.out, "File for the answers instead of standard output");
  add_threads(app, command.threads);
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
      ->check(CLI::IsMember(
          {"auto", "naive", "depth_first", "representatives", "greedy", "best_first"}))
      ->capture_default_str();
  app.add_option("--volume", command.volume, "What bounds the triangles in the hierarchies")
      ->check(CLI::IsMember(AllVolumes::names()))
      ->capture_default_str();
  app.add_option("--relative-error", command.relative_error,
                 "Stop when the bracket is narrower than this part of the distance")
      ->capture_default_str();
  app.add_option("--max-distance", command.max_distance, "Stop when the meshes are proved farther");
  app.add_flag("--warm", command.warm,
               "Start each query from the triangles that the last one found");
  app.add_flag("--json", command.json, "Print one JSON object per query");
}

void describe_hull(CLI::App& app, HullCommand& command) {
  app.add_option("FILE", command.file, "Mesh file, or .xyz: three numbers per line")->required();
  CLI::Option* method =
      app.add_option("--method", command.method, "How the surface is found; the result is the same")
          ->check(CLI::IsMember({"quickhull", "horizon"}))
          ->capture_default_str();
  app.add_option("--vertices", command.vertices,
                 "At most as many vertices, chosen so that little is left out")
      ->check(CLI::PositiveNumber)
      ->excludes(method);
  app.add_option("-o,--out", command.out, "OBJ file that receives the hull");
  add_threads(app, command.threads);
  app.add_flag("--json", command.json, "Print the figures as JSON");
}

void describe_obb(CLI::App& app, ObbCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  app.add_option("-o,--out", command.out, "OBJ file that receives the boxes");
  app.add_option("--html", command.html, "Page that receives a picture of the mesh and the boxes");
  app.add_flag("--json", command.json, "Print the figures as JSON");
}

void describe_decompose(CLI::App& app, DecomposeCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  app.add_option("--method", command.method, "How the parts are found")
      ->check(CLI::IsMember({"modern", "merge", "cavity"}))
      ->capture_default_str();
  app.add_option("--concavity", command.concavity,
                 "Bound of the distance between surface and parts, of the model scaled to [-1, 1]")
      ->capture_default_str();
  app.add_option("--max-parts", command.max_parts, "At most as many parts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("-o,--out", command.out, "OBJ file that receives the parts");
  app.add_option("--html", command.html, "Page that receives a picture of the parts");
  add_threads(app, command.threads);
  app.add_flag("--json", command.json, "Print the figures as JSON");
}

void describe_bvh(CLI::App& app, BvhCommand& command) {
  app.add_option("FILE", command.file, "Mesh file")->required();
  app.add_option("--volume", command.volume, "What bounds the triangles")
      ->check(CLI::IsMember(AllVolumes::names()))
      ->capture_default_str();
  CLI::Option* tree =
      app.add_option("--tree", command.tree, "File of the hierarchy, which is then not built");
  app.add_option("-o,--out", command.out, "File that receives the hierarchy")->excludes(tree);
  app.add_option("--html", command.html, "Page that receives a picture of the levels");
  app.add_flag("--json", command.json, "Print the figures as JSON");
}

void describe_simulate(CLI::App& app, SimulateCommand& command) {
  app.add_option("SCENE", command.scene, "Scene file")->required();
  app.add_option("--steps", command.steps,
                 "Stop after this many steps, counted from the scene's start")
      ->check(CLI::NonNegativeNumber);
  CLI::Option* out = app.add_option("--out", command.out,
                                    "Folder for the results (default: out/NAME-OF-THE-SCENE)");
  app.add_flag("--no-files", command.no_files, "Write no files")->excludes(out);
  app.add_option("--continue", command.continue_from,
                 "Continue an earlier run of the scene from its recording (.tactus)");
  app.add_flag("--json", command.json, "Print the summary and the verdict as JSON");
}

void describe_fuzz(CLI::App& app, FuzzCommand& command) {
  app.add_option("--queries", command.queries, "Queries in all, those of resumed runs included")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", command.seed, "Another seed, other queries")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--from", command.first, "Index of the first query")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--classes", command.classes, "Classes of queries, all by default")
      ->delimiter(',');
  add_threads(app, command.threads);
  CLI::Option* out =
      app.add_option("--out", command.out, "Folder for the state and the minimised findings");
  app.add_flag("--resume", command.resume, "Go on from the state in the folder")->needs(out);
  app.add_flag("--json", command.json, "Print the report as JSON");
  app.add_option("--page", command.page, "File that receives the report as a page");
  app.add_option("--replay", command.replay, "Examine the queries of this file instead");
  app.add_option("--lies", command.lies,
                 "Tell so many lies about answers to the checker instead: none may be proved")
      ->check(CLI::PositiveNumber);
}

void describe_lab(CLI::App& app, LabCommand& command) {
  app.add_option("NAME", command.name, "Experiment; without it, all are listed");
  app.add_option("--pairs,--stacks", command.pairs,
                 "Pairs (stacks of a kind) to be drawn instead of the experiment's number")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", command.seed, "Another seed, other pairs")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_threads(app, command.threads);
  app.add_option(
      "--meshes", command.meshes,
      "Folder of further meshes, for the experiments that take them (boxes, decomposition)");
  app.add_flag("--json", command.json, "Print the report as JSON");
  app.add_option("--page", command.page, "File that receives the report as a page");
  app.add_option("--incidents", command.incidents,
                 "File that receives the pairs worth looking at, as lines for tactus query");
}

int run(int argc, char** argv) {
  CLI::App app("Collision detection whose every answer is a proved bracket", "tactus");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("tactus ") + TACTUS_VERSION);
  app.footer("Exit codes: 0 done; 1 done, but some lines or checks failed; 2 could not run.");

  QueryCommand query;
  CLI::App* query_app =
      app.add_subcommand("query", "Answer overlap, distance and contact queries from files");
  describe_query(*query_app, query);
  DistanceCommand distance;
  CLI::App* distance_app = app.add_subcommand(
      "distance", "Measure how far the surfaces of two triangle meshes are apart");
  describe_distance(*distance_app, distance);
  HullCommand hull;
  CLI::App* hull_app =
      app.add_subcommand("hull", "Find and prove the convex hull of a file's points");
  describe_hull(*hull_app, hull);
  ObbCommand obb;
  CLI::App* obb_app = app.add_subcommand(
      "obb", "Fit oriented boxes to a file's points, from principal axes to the least volume");
  describe_obb(*obb_app, obb);
  BvhCommand bvh;
  CLI::App* bvh_app =
      app.add_subcommand("bvh", "Build the hierarchy of bounding volumes of a mesh and draw it");
  describe_bvh(*bvh_app, bvh);
  DecomposeCommand decompose;
  CLI::App* decompose_app =
      app.add_subcommand("decompose", "Take a mesh apart into few convex parts");
  describe_decompose(*decompose_app, decompose);
  SimulateCommand simulate;
  CLI::App* simulate_app =
      app.add_subcommand("simulate", "Run a scene of rigid bodies and write what happened");
  describe_simulate(*simulate_app, simulate);
  FuzzCommand fuzz;
  CLI::App* fuzz_app =
      app.add_subcommand("fuzz", "Ask random degenerate queries and test what the answers claim");
  describe_fuzz(*fuzz_app, fuzz);
  LabCommand lab;
  CLI::App* lab_app = app.add_subcommand(
      "lab", "Repeat an experiment of the literature and print its figures beside ours");
  describe_lab(*lab_app, lab);

  const std::string first = argc > 1 ? argv[1] : "";
  const auto is_first = [&](const CLI::App* command) { return command->get_name() == first; };
  if (!first.empty() && first.front() != '-' && app.get_subcommands(is_first).empty()) {
    std::fprintf(stderr, "tactus: no subcommand is called %s; tactus --help lists them\n",
                 first.c_str());
    return kCannotRun;
  }
  try {
    app.parse(argc, argv);
    if (query_app->parsed()) return run_query(query);
    if (distance_app->parsed()) return run_distance(distance);
    if (hull_app->parsed()) return run_hull(hull);
    if (obb_app->parsed()) return run_obb(obb);
    if (bvh_app->parsed()) return run_bvh(bvh);
    if (decompose_app->parsed()) return run_decompose(decompose);
    if (fuzz_app->parsed()) return run_fuzz(fuzz);
    if (lab_app->parsed()) return run_lab(lab);
    return run_simulate(simulate);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kCannotRun;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tactus::enable_classic_methods();
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tactus: %s\n", error.what());
    return kCannotRun;
  }
}
