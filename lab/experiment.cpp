#include "lab/experiment.hpp"

#include <algorithm>

namespace tactus::detail::lab {
namespace {

constexpr Experiment kExperiments[] = {
    {"blackbox", "Nine known contacts, and perturbed ones, against exact answers", 0, run_blackbox},
    {"detection-distance", "Smallest gap and overlap that are told apart, by bisection", 0,
     run_detection_distance},
    {"stopping", "Ellipsoids: what the stop parameter does to a literal EPA and to ours", 250000,
     run_stopping},
    {"table10", "Speed of iteration against closed forms, spheres and cubes", 2000, run_table10},
    {"bruteforce", "Random pairs, iteration compared with closed forms", 1000000, run_bruteforce,
     false, true},
    {"bruteforce-world", "Bodies in an elastic box, every pair of the broad phase by both", 100000,
     run_bruteforce_world, false, true},
    {"pile", "Piles of spheres, ellipsoids and cubes: density, depth, contacts, both detectors",
     3000, run_pile, false, true},
    {"methods", "Every algorithm on every class of pairs: time, effort, error", 500, run_methods},
    {"lennerz", "Meshes: tests of the five forms of branch and bound, by four volumes", 20,
     run_lennerz},
    {"mesh-bruteforce", "Meshes: every search of distances against all pairs of triangles", 1000,
     run_mesh_bruteforce},
    {"impact", "Times of impact of turning bodies against fine sampling", 100000, run_impact},
    {"cast-tolerance", "Casts by tolerance: what another digit costs", 2000, run_cast_tolerance},
    {"flicker", "Contact points of stacked bodies under perturbations of 1e-9", 20000, run_flicker},
    {"ccd", "Moving vertices, edges and faces: contacts and near misses of known truth", 1000000,
     run_ccd, true},
    {"planar", "Rules for contours in the plane: tests saved, verdicts wrong", 20000, run_planar},
    {"planar-oracle", "Answers in the plane beside exact references", 10000, run_planar_oracle},
    {"tracing", "Contours from pictures of known outlines, and their errors", 20, run_tracing},
    {"knoblauch", "Soft bodies in contact, continuous and discrete, beside the source's figures",
     120, run_knoblauch},
    {"physics", "Scenes whose outcome theory knows, stepped by the world", 1000, run_physics},
    {"grains",
     "Grains in bulk: hopper, angle of repose, chute, compression, beside what was measured", 1000,
     run_grains},
    {"path-sampling", "Edges of an arm among thin poles and in a shelf: proved, and sampled", 10000,
     run_path_sampling},
    {"gas", "Elastic spheres by events: speeds against Maxwell and Boltzmann", 64000, run_gas,
     false, true},
    {"ranks", "A bed of balls on 1 to 64 ranks: bits, messages, work, and a model of more", 30000,
     run_ranks},
    {"hull", "Convex hulls of many points, proved; limited hulls; farthest vertices", 1000000,
     run_hull},
    {"boxes", "Oriented boxes of meshes, from principal axes to the least volume", 30000,
     run_boxes},
    {"decomposition", "Convex parts of meshes by three methods, and their concavity", 0,
     run_decomposition},
};

}  // namespace

std::span<const Experiment> experiments() { return kExperiments; }

const Experiment* find_experiment(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kExperiments), std::end(kExperiments),
                   [&](const Experiment& experiment) { return experiment.name == name; });
  return found == std::end(kExperiments) ? nullptr : found;
}

}  // namespace tactus::detail::lab
