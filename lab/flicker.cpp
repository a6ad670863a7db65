#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/experiment.hpp"
#include "lab/stacks.hpp"
#include "tactus/core.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"

// Do contact points stay where they are when poses change by 1e-9?

namespace tactus::detail::lab {
namespace {

constexpr int kPerturbations = 20;
constexpr double kPerturbation = 1e-9;
// Relative to size: how far a point may move, and the difference up to which two depths count as
// tied (a perturbation changes each of them by some 1e-9).
constexpr double kMove = 1e-6, kTie = 1e-8;
// Cosine of the angle between normals that are not the same one.
constexpr double kOtherNormal = 1.0 - 1e-6;
constexpr double kTiesAllowed = 1e-3;
// Least part of the largest area of four points.
constexpr double kArea = 0.95;
// Errors allowed of a point and of its depth, relative to size: roundings of both in the world, and
// of the distance by which a point is judged (to meshes some 1e-13).
constexpr double kRounding = 1e-12;
constexpr double kReach = 0.01;
constexpr std::size_t kBatch = 512, kGrain = 8;
constexpr std::size_t kManifolds = 64;

struct Points {
  std::vector<ContactPoint> all;
  std::vector<Vec3> normals;  ///< of each of them
  Vec3 normal;                ///< of the pair
  double distance = 0.0;
};

Points points_of(const Settings& settings, const Stack& s, const Pose& pose_b) {
  QueryOptions options;
  options.margin = kReach * s.size;
  std::array<Manifold, kManifolds> manifolds;
  Points points;
  const ContactsResult r = settings.ask_contacts(s.a, s.pose_a, s.b, pose_b, manifolds, options);
  points.normal = r.distance.normal;
  points.distance = r.distance.distance;
  for (int i = 0; i < r.manifolds; ++i) {
    const Manifold& m = manifolds[static_cast<std::size_t>(i)];
    points.all.insert(points.all.end(), m.span().begin(), m.span().end());
    points.normals.insert(points.normals.end(), m.span().size(), m.normal);
  }
  return points;
}

/// The farthest that a point of one set is from all of the other.
double farthest(const std::vector<ContactPoint>& from, const std::vector<ContactPoint>& to) {
  double most = 0.0;
  for (const ContactPoint& p : from) {
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& q : to) {
      least = std::min(least, std::max(norm(p.point_a - q.point_a), norm(p.point_b - q.point_b)));
    }
    most = std::max(most, least);
  }
  return most;
}

Pose perturbed(const Pose& pose, Random& random) {
  const Vec3 shift = fuzz::vector_in(random, -kPerturbation, kPerturbation);
  const Vec3 turn = fuzz::vector_in(random, -0.5 * kPerturbation, 0.5 * kPerturbation);
  const Quat q = normalized(Quat{1.0, turn.x, turn.y, turn.z});
  return detail::unchecked_pose(pose.position() + shift, to_matrix(q) * pose.rotation());
}

/// Distance of a point from the surface of a body.
double off_surface(const Shape& shape, const Pose& pose, const Vec3& point) {
  return std::fabs(distance(shape, pose, Shape(Sphere(0.0)), Pose::translation(point)).distance);
}

struct Tally {
  std::uint64_t stacks = 0, moved = 0, counts = 0, ties = 0, empty = 0;
  double move = 0.0, area = 1.0, surface = 0.0, depth = 0.0;
  std::vector<Incident> incidents;

  Tally& operator+=(Tally&& other) {
    stacks += other.stacks;
    moved += other.moved;
    counts += other.counts;
    ties += other.ties;
    empty += other.empty;
    move = std::max(move, other.move);
    area = std::min(area, other.area);
    surface = std::max(surface, other.surface);
    depth = std::max(depth, other.depth);
    std::move(other.incidents.begin(), other.incidents.end(), std::back_inserter(incidents));
    return *this;
  }
};

/// Tests one set of points by itself; returns its area relative to the best one.
double examine(const Stack& s, const Points& points, Tally& tally) {
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < points.all.size(); ++i) {
    const ContactPoint& p = points.all[i];
    const double along = dot(p.point_a - p.point_b, points.normals[i]);
    tally.depth = std::max(tally.depth, std::fabs(along - p.depth) / s.size);
    tally.surface = std::max(tally.surface, off_surface(s.a, s.pose_a, p.point_a) / s.size);
    tally.surface = std::max(tally.surface, off_surface(s.b, s.pose_b, p.point_b) / s.size);
    kept.push_back(s.pose_a.to_local(p.point_a));
  }
  const double share = spread(kept, s.up) / s.best_spread;
  tally.area = std::min(tally.area, share);
  tally.empty += points.all.empty() ? 1 : 0;
  return share;
}

void shake(const Settings& settings, StackKind kind, std::uint64_t index, Tally& tally) {
  Random random(settings.seed ^ ((static_cast<std::uint64_t>(kind) + 1) << 56u), index);
  const Stack s = draw_stack(kind, random);
  const Points first = points_of(settings, s, s.pose_b);
  ++tally.stacks;
  const double share = examine(s, first, tally);
  QueryOptions options;
  options.margin = kReach * s.size;
  const auto note = [&](const std::string& reason, const Pose& pose_b, double relevance) {
    const std::string name = std::string(name_of(kind)) + "-" + std::to_string(index);
    tally.incidents.push_back(
        {relevance, reason,
         io::capture(s.a, s.pose_a, s.b, pose_b, options, io::Ask::contacts, name, {})});
  };
  if (!(share >= kArea)) note("little area", s.pose_b, 1.0 - share);
  bool moved = false, counts = false, tie = false;
  double farthest_move = 0.0;
  Pose worst = s.pose_b;
  for (int i = 0; i < kPerturbations; ++i) {
    const Pose pose = perturbed(s.pose_b, random);
    const Points other = points_of(settings, s, pose);
    const double move =
        std::max(farthest(first.all, other.all), farthest(other.all, first.all)) / s.size;
    if (other.all.size() == first.all.size() && move <= kMove) {
      tally.move = std::max(tally.move, move);
      continue;
    }
    // Two ways out that are as far.
    if (dot(first.normal, other.normal) < kOtherNormal &&
        std::fabs(first.distance - other.distance) <= kTie * s.size) {
      tie = true;
      continue;
    }
    counts = counts || other.all.size() != first.all.size();
    moved = true;
    if (move >= farthest_move) worst = pose;
    farthest_move = std::max(farthest_move, move);
  }
  tally.ties += tie ? 1 : 0;
  tally.counts += counts ? 1 : 0;
  if (!moved) return;
  ++tally.moved;
  tally.move = std::max(tally.move, farthest_move);
  const std::string reason = counts ? "another number of points" : "a point jumps";
  for (const Pose& pose : {s.pose_b, worst}) note(reason, pose, farthest_move);
}

double number(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace

Report run_flicker(const Settings& settings) {
  Report report;
  report.name = "flicker";
  report.title = "Contact points under perturbations";
  Table table;
  table.head = {"stacks",     "number",     "moved",         "other count", "ties",
                "worst move", "least area", "off a surface", "depth"};
  Tally all;
  std::uint64_t done = 0, most_ties = 0;
  for (const StackKind kind : kStackKinds) {
    Tally tally;
    for (std::uint64_t first = 0; first < settings.pairs; first += kBatch) {
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(kBatch, settings.pairs - first));
      std::vector<Tally> chunks((size + kGrain - 1) / kGrain);
      parallel_for(
          size, kGrain,
          [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
              shake(settings, kind, first + i, chunks[begin / kGrain]);
          },
          settings.threads);
      for (Tally& chunk : chunks) tally += std::move(chunk);
      done += size;
      settings.progress(done / std::size(kStackKinds), settings.pairs);
    }
    table.rows.push_back({std::string(name_of(kind)), number(tally.stacks), number(tally.moved),
                          number(tally.counts), number(tally.ties), tally.move, tally.area,
                          tally.surface, tally.depth});
    most_ties = std::max(most_ties, tally.ties);
    all += std::move(tally);
  }
  report.tables = {std::move(table)};
  report.text =
      std::to_string(settings.pairs) + " stacks of each kind, seed " +
      std::to_string(settings.seed) + ": " + stacks_in_words() +
      "\nEach is asked for its contacts " + std::to_string(kPerturbations) +
      " times with the upper body shifted and turned by up to 1e-9, and the sets of points are "
      "compared without order.\n`moved`: stacks in which a point moved by more than 1e-6 of size "
      "or the number of points changed; `ties`: stacks whose\nperturbations are answered by "
      "another normal with the same distance to 1e-8 of size; `least area`: of the kept points "
      "as a\npart of the largest that four points (capsules: two) of the common face have; `off "
      "a surface`, `depth`: how far the points\nare from the surfaces of their bodies, and their "
      "depth from (point_a - point_b) . normal, relative to size.";
  report.bars = {{"stacks whose points moved", number(all.moved), 0.0},
                 {"stacks whose count changed", number(all.counts), 0.0},
                 {"stacks without points", number(all.empty), 0.0},
                 {"most ties of a kind", number(most_ties), kTiesAllowed * number(settings.pairs)},
                 {"largest loss of area", 1.0 - all.area, 1.0 - kArea},
                 {"farthest point from a surface, relative to size", all.surface, kRounding},
                 {"depths other than those of the points", all.depth, kRounding}};
  report.incidents = std::move(all.incidents);
  rank(report.incidents);
  return report;
}

}  // namespace tactus::detail::lab
