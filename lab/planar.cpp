#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "lab/experiment.hpp"
#include "lab/verdicts.hpp"
#include "tactus/check.hpp"
#include "tactus/classic.hpp"
#include "tactus/core/random.hpp"
#include "tactus/planar/meeting.hpp"
#include "tactus/planar/region/access.hpp"

// Source: docs/algorithms/planar-rules.md.

namespace tactus::detail::lab {
namespace {

constexpr double kTurn = 6.28318530717958647692;
// The places of the source's rule and of `touches` agree within this, bodies about 2 in size; its
// angles within this up to a half turn, which an arc tangent of a quotient cannot tell.
constexpr double kSamePlace = 1e-12, kSameAngle = 1e-6;

struct Class {
  const char* name;
  Region (*draw)(Random& random);
  double far;  ///< the origins are at most so far apart
};

Vec2 polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

Region star(Random& random) {
  std::vector<Vec2> points;
  for (int k = 0; k < 40; ++k) {
    const double radius = random.uniform(0.3, 1.0);
    points.push_back(polar(radius, kTurn * k / 40.0));
  }
  return Region(points);
}

Region comb(Random& random) {
  const int teeth = 4 + static_cast<int>(random.uniform(0.0, 6.0));
  const double pitch = 2.0 / teeth, width = pitch * random.uniform(0.3, 0.6);
  std::vector<Vec2> points{{-1.0, -0.8}, {1.0, -0.8}};
  for (int k = teeth; k-- > 0;) {
    const double left = -1.0 + k * pitch, right = left + width;
    points.push_back({k == teeth - 1 ? 1.0 : right, k == teeth - 1 ? -0.5 : 0.8});
    if (k == teeth - 1) {
      points.push_back({right, -0.5});
      points.push_back({right, 0.8});
    }
    points.push_back({left, 0.8});
    if (k == 0) break;
    points.push_back({left, -0.5});
    points.push_back({left - pitch + width, -0.5});
  }
  return Region(points);
}

Region spiral(Random& random) {
  const double turns = random.uniform(1.5, 2.5), width = random.uniform(0.06, 0.12);
  std::vector<Vec2> points, back;
  for (int k = 0; k <= 60; ++k) {
    const double part = k / 60.0, radius = 0.2 + 0.8 * part;
    points.push_back(polar(radius, kTurn * turns * part));
    back.push_back(polar(radius - width, kTurn * turns * part));
  }
  points.insert(points.end(), back.rbegin(), back.rend());
  return Region(points);
}

// A ring with a gap: two of them hang in each other.
Region hook(Random& random) {
  const double gap = random.uniform(0.08, 0.25), inner = random.uniform(0.55, 0.75);
  std::vector<Vec2> points, back;
  for (int k = 0; k <= 40; ++k) {
    const double angle = kTurn * (0.5 * gap + (1.0 - gap) * k / 40.0);
    points.push_back(polar(1.0, angle));
    back.push_back(polar(inner, angle));
  }
  points.insert(points.end(), back.rbegin(), back.rend());
  return Region(points);
}

Region scaled(const Region& region, double factor) {
  std::vector<Vec2> points;
  for (const Vec2& p : region.contours()[0].points()) points.push_back(p * factor);
  return Region(points);
}

/// Counts over the pairs of one class of regions, and over the circles beside them.
struct Counts {
  double overlapping = 0.0, refuted = 0.0, unproved = 0.0;
  double missed = 0.0, invented = 0.0;
  double all = 0.0, after_circles = 0.0, made = 0.0, tree = 0.0;
  double touching = 0.0, several = 0.0, other_places = 0.0, half_turns = 0.0, touch_refuted = 0.0;
};

// Pairs of edges whose boxes meet: what the trees leave to be tested.
std::size_t tree_tests(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b) {
  const MovedPair pair(PlanarAccess::boundary(a), PlanarAccess::boundary(b),
                       Pose2::relative(pose_a, pose_b));
  const Boundary &one = PlanarAccess::boundary(a), &other = PlanarAccess::boundary(b);
  std::size_t tests = 0;
  if (!pair.moved(other.tree.box(), 0.0).meets(one.tree.box())) return 0;
  one.tree.visit_pairs(
      other.tree, [&](const Box2& box) { return pair.moved(box, 0.0); },
      [&](std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) {
        for (std::size_t j = j0; j < j1; ++j) {
          const Box2 box = box_of(pair.point_b(j), pair.end_b(j));
          for (std::size_t i = i0; i < i1; ++i) {
            tests += box_of(one.start(i), one.end(i)).meets(box) ? 1 : 0;
          }
        }
        return false;
      });
  return tests;
}

void judge_pair(const Region& a, const Pose2& pose_a, const Region& b, const Pose2& pose_b,
                Counts& c) {
  const bool truth = overlap(a, pose_a, b, pose_b);
  const Proof proof = check_overlap(a, pose_a, b, pose_b, truth)[Claim::verdict];
  c.overlapping += truth ? 1.0 : 0.0;
  c.refuted += proof == Proof::refuted ? 1.0 : 0.0;
  c.unproved += proof == Proof::unproved ? 1.0 : 0.0;
  const std::array<LiteralBody, 2> bodies{LiteralBody{&a, pose_a}, LiteralBody{&b, pose_b}};
  const LiteralVerdict literal = literal_collision(bodies);
  c.missed += truth && !literal.collision ? 1.0 : 0.0;
  c.invented += !truth && literal.collision ? 1.0 : 0.0;
  c.all += static_cast<double>(literal.tests_all);
  c.after_circles += static_cast<double>(literal.tests_after_circles);
  c.made += static_cast<double>(literal.tests_made);
  c.tree += static_cast<double>(tree_tests(a, pose_a, b, pose_b));
}

bool same_place(const Touch& right, const LiteralTouch& said, double radius) {
  return norm(right.point - said.point) <= kSamePlace &&
         std::fabs(radius - right.depth - said.distance) <= kSamePlace;
}

// Does the source's rule name the same places, each once?
bool same_places(std::span<const Touch> right, std::span<const LiteralTouch> said, double radius) {
  if (right.size() != said.size()) return false;
  return std::all_of(right.begin(), right.end(), [&](const Touch& t) {
    return std::any_of(said.begin(), said.end(),
                       [&](const LiteralTouch& l) { return same_place(t, l, radius); });
  });
}

// Is one of its angles that of the other side?
bool turned(std::span<const Touch> right, std::span<const LiteralTouch> said, double radius) {
  return std::any_of(right.begin(), right.end(), [&](const Touch& t) {
    return std::none_of(said.begin(), said.end(), [&](const LiteralTouch& l) {
      return same_place(t, l, radius) && std::fabs(t.angle - l.angle) <= kSameAngle;
    });
  });
}

void judge_circle(const Settings& settings, const Region& region, const Pose2& pose, Random& random,
                  Counts& c) {
  const Contour& contour = region.contours()[0];
  const Circle circle(random.uniform(0.02, 0.15));
  // Beside a random place of the contour.
  const auto i =
      static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(contour.segments()));
  const double part = random.uniform(0.0, 1.0), way = random.uniform(0.0, kTurn);
  const Vec2 place = contour.start(i) + (contour.end(i) - contour.start(i)) * part;
  const double away = random.uniform(0.0, 1.5 * circle.radius());
  const Pose2 at(pose.to_world(place + polar(away, way)), 0.0);
  std::vector<Touch> found;
  settings.ask_touches(circle, at, contour, pose, found);
  c.touch_refuted += check(circle, at, contour, pose, found, 0.0).ok ? 0.0 : 1.0;
  std::vector<LiteralTouch> said;
  literal_touches(circle, at, contour, pose, said);
  const bool same = same_places(found, said, circle.radius());
  c.other_places += same ? 0.0 : 1.0;
  if (found.empty()) return;
  c.touching += 1.0;
  c.several += found.size() > 1 ? 1.0 : 0.0;
  c.half_turns += same && turned(found, said, circle.radius()) ? 1.0 : 0.0;
}

Counts count(const Class& drawn, std::uint64_t stream, const Settings& settings,
             std::uint64_t done) {
  Counts c;
  for (std::uint64_t k = 0; k < settings.pairs; ++k) {
    Random random(settings.seed + 1000003 * stream, k);
    const Region a = drawn.draw(random), other = drawn.draw(random);
    // A and B differ in size: one may lie in the other, or hang in it without touching.
    const Region b = scaled(other, random.uniform(0.1, 1.0));
    const Pose2 pose_a({}, random.uniform(0.0, kTurn));
    const double far = random.uniform(0.0, drawn.far), way = random.uniform(0.0, kTurn);
    const Pose2 pose_b(polar(far, way), random.uniform(0.0, kTurn));
    judge_pair(a, pose_a, b, pose_b, c);
    judge_circle(settings, a, pose_a, random, c);
    if (k % 1000 == 0) settings.progress((done + k) / 4, settings.pairs);
  }
  return c;
}

}  // namespace

Report run_planar(const Settings& settings) {
  const Class classes[] = {{"star-shaped", star, 2.0},
                           {"comb", comb, 2.0},
                           {"spiral", spiral, 2.0},
                           {"interlocked", hook, 1.5}};
  Report report;
  report.name = "planar";
  report.title = "Rules for contours in the plane";
  report.text =
      "Pairs of random regions of four kinds, " + std::to_string(settings.pairs) +
      " each, the second one 0.1 to 1 times as large. *Tests*: rays against segments, both roles, "
      "all of them (2 I J), those left by the "
      "bounding\ncircles, those made after culling (advancedgamesphysics); and pairs of edges "
      "whose "
      "boxes meet in the trees. *Verdicts*: the literal rules beside\nthe exact overlap: *missed* "
      "overlaps, *invented* ones. *Circles* beside random places of the contours: the source's "
      "rule with its corner rules\n(`literal_touches`) beside `touches`: *other places*: not the "
      "same touches; *half a turn*: the same places, but the arc tangent of a quotient\nnames the "
      "other side's angle. Every verdict and every touch of ours is put before the checker.";
  Table tests{"Tests per pair", {"kind", "all", "after circles", "after culling", "trees"}, {}};
  Table verdicts{"Verdicts of the literal rules",
                 {"kind", "pairs", "overlapping", "missed", "invented", "wrong, %"},
                 {}};
  Table circles{"Circles by the source's rule",
                {"kind", "touching", "several touches", "other places", "half a turn, %"},
                {}};
  PlanarFigures sum;
  std::uint64_t stream = 0;
  const auto pairs = static_cast<double>(settings.pairs);
  for (const Class& drawn : classes) {
    const Counts c = count(drawn, stream, settings, stream * settings.pairs);
    ++stream;
    tests.rows.push_back(
        {drawn.name, c.all / pairs, c.after_circles / pairs, c.made / pairs, c.tree / pairs});
    verdicts.rows.push_back({drawn.name, pairs, c.overlapping, c.missed, c.invented,
                             100.0 * (c.missed + c.invented) / pairs});
    circles.rows.push_back({drawn.name, c.touching, c.several, c.other_places,
                            100.0 * c.half_turns / std::fmax(1.0, c.touching)});
    sum.verdicts_refuted += c.refuted;
    sum.touches_refuted += c.touch_refuted;
    sum.unproved_share += c.unproved / (4.0 * pairs);
    sum.other_places += c.other_places;
  }
  settings.progress(settings.pairs, settings.pairs);
  report.tables = {tests, verdicts, circles};
  report.bars = bars_of(sum);
  return report;
}

}  // namespace tactus::detail::lab
