#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/random_values.hpp"
#include "lab/bruteforce.hpp"
#include "tactus/core.hpp"
#include "tactus/rigid/body/body_access.hpp"
#include "tactus/rigid/exchange/parts.hpp"
#include "tactus/rigid/motion/free_rotation.hpp"
#include "tactus/shape.hpp"
#include "tactus/world.hpp"

namespace tactus::detail::lab {
namespace {

// As in the source: bodies of size 6, and this step.
constexpr std::size_t kBodies = 150;
constexpr double kTimeStep = 2e-4;
// Edge of the closed box: 5 to 15 % of it are filled. The source does not tell its own.
constexpr double kBox = 60.0;
constexpr double kSpeed = 30.0;  // along each axis, at most
constexpr double kSpin = 3.0;    // about each axis, at most
constexpr std::uint64_t kStepsPerReport = 1000;
// A sum of tallies keeps the most relevant ones only.
constexpr std::size_t kManyIncidents = 1000;

/// The kinds alternate from cell to cell of a regular grid, which no body leaves at the start.
std::vector<Body> place_bodies(const Mix& mix, Random& random) {
  constexpr std::size_t kCells = 6;  // 216 of them
  constexpr double kCell = kBox / kCells;
  const Vec3 half{0.5, 0.5, 0.5};
  std::vector<Body> bodies;
  for (std::size_t i = 0; i < kBodies; ++i) {
    const std::size_t row = i / kCells, layer = row / kCells;
    const Vec3 index{static_cast<double>(i % kCells), static_cast<double>(row % kCells),
                     static_cast<double>(layer)};
    const std::size_t kind = i % 2;
    const double play = std::fmax(0.0, kCell / 2.0 - mix.reach[kind]);
    const Vec3 offset = fuzz::vector_in(random, -play, play);
    BodyDefinition body{.shape = mix.kinds[kind]};
    body.pose = Pose((index + half) * kCell - half * kBox + offset, fuzz::rotation(random));
    body.linear_velocity = fuzz::vector_in(random, -kSpeed, kSpeed);
    body.angular_velocity = fuzz::vector_in(random, -kSpin, kSpin);
    body.id = i + 1;
    bodies.emplace_back(body);
  }
  return bodies;
}

Mat3 inverse_inertia_in_world(const Body& body) {
  const Mat3& r = body.pose().rotation();
  return r * body.inverse_inertia() * transpose(r);
}

/// How fast the point of the body moves along `n` for a unit impulse along `n` there.
double yielding(const Body& body, const Vec3& point, const Vec3& n) {
  const Vec3 arm = cross(point - body.center_of_mass(), n);
  return body.inverse_mass() + dot(arm, inverse_inertia_in_world(body) * arm);
}

void push(Body& body, const Vec3& point, const Vec3& impulse) {
  const Vec3 turn = inverse_inertia_in_world(body) * cross(point - body.center_of_mass(), impulse);
  BodyAccess::set_velocity(body, body.linear_velocity() + impulse * body.inverse_mass(),
                           body.angular_velocity() + turn);
}

/// Free flight over a step.
void move(Body& body) {
  BodyMotion motion = body.motion();
  motion.position = motion.position + motion.linear_velocity * kTimeStep;
  const Rotation turned =
      rotate_freely({motion.orientation, body.pose().rotation(), motion.angular_velocity},
                    body.mass().inertia, body.inverse_inertia(), kTimeStep);
  motion.orientation = turned.orientation;
  motion.angular_velocity = turned.angular_velocity;
  BodyAccess::set_motion(body, motion);
}

void bounce_off_walls(Body& body) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      Vec3 outward;
      outward[axis] = side;
      const Vec3 local = support(body.shape(), transpose_times(body.pose().rotation(), outward));
      const Vec3 point = body.pose().position() + body.pose().rotation() * local;
      const double speed = dot(body.velocity_at(point), outward);
      if (dot(point, outward) <= kBox / 2.0 || speed <= 0.0) continue;
      push(body, point, outward * (-2.0 * speed / yielding(body, point, outward)));
    }
  }
}

/// An elastic impact without friction at the contact, if the bodies approach there.
void bounce(Body& a, Body& b, const DistanceResult& contact) {
  const Vec3 point = (contact.point_a + contact.point_b) * 0.5;
  const double speed = dot(b.velocity_at(point) - a.velocity_at(point), contact.normal);
  if (speed >= 0.0) return;
  const Vec3 impulse =
      contact.normal *
      (-2.0 * speed / (yielding(a, point, contact.normal) + yielding(b, point, contact.normal)));
  push(a, point, -impulse);
  push(b, point, impulse);
}

/// Bodies that fly, overlap, and bounce by the answers of the closed forms; the pairs whose boxes
/// overlap are computed both ways.
class Box {
 public:
  Box(const Settings& settings, const Mix& mix, std::uint64_t stream)
      : settings_(settings), mix_(mix) {
    Random random(settings.seed ^ (stream << 56u), 0);
    bodies_ = place_bodies(mix, random);
    start_ = energy();
  }

  void advance(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      ++step_;
      std::vector<Aabb> boxes;
      for (Body& body : bodies_) {
        move(body);
        bounce_off_walls(body);
        boxes.push_back(bounding_box(body.shape(), body.pose()));
      }
      for (std::size_t a = 0; a < bodies_.size(); ++a) {
        for (std::size_t b = a + 1; b < bodies_.size(); ++b) {
          if (overlaps(boxes[a], boxes[b])) meet(bodies_[a], bodies_[b]);
        }
      }
      if (tally_.incidents.size() > kManyIncidents) tally_ += Tally();
    }
  }

  double energy_change() const { return std::fabs(energy() / start_ - 1.0); }
  Tally take() { return std::move(tally_); }

 private:
  double energy() const {
    double sum = 0.0;
    for (const Body& body : bodies_) sum += body.kinetic_energy();
    return sum;
  }
  void meet(Body& a, Body& b) {
    const std::string name = std::string(mix_.name) + "-step" + std::to_string(step_) + "-" +
                             std::to_string(a.id()) + "-" + std::to_string(b.id());
    const DistanceResult closed =
        tally_.compare(settings_, a.shape(), a.pose(), b.shape(), b.pose(), name);
    if (closed.distance < 0.0) bounce(a, b, closed);
  }

  const Settings& settings_;
  const Mix& mix_;
  std::vector<Body> bodies_;
  Tally tally_;
  double start_ = 0.0;
  std::uint64_t step_ = 0;
};

/// A mix to the end: its energy and its comparisons.
struct Ended {
  double energy_change = 0.0;
  Tally tally;
};

void write(const Ended& ended, Parcel& parcel) {
  parcel.add(ended.energy_change);
  lab::write(ended.tally, parcel);
}

void read(ParcelReader& reader, Ended& ended) {
  ended.energy_change = reader.read<double>();
  lab::read(reader, ended.tally);
}

/// Boxes of some of the mixes.
std::vector<Ended> run_boxes_of(const Settings& settings, const std::vector<Mix>& all_mixes,
                                const ListPart& part) {
  std::vector<Box> boxes;
  boxes.reserve(part.end - part.begin);
  for (std::size_t m = part.begin; m < part.end; ++m) boxes.emplace_back(settings, all_mixes[m], m);
  for (std::uint64_t done = 0; done < settings.pairs;) {
    const std::uint64_t steps = std::min(kStepsPerReport, settings.pairs - done);
    parallel_for(
        boxes.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t m = begin; m < end; ++m) boxes[m].advance(steps);
        },
        settings.threads);
    done += steps;
    settings.progress(done, settings.pairs);
  }
  std::vector<Ended> ended;
  ended.reserve(boxes.size());
  for (Box& box : boxes) ended.push_back({box.energy_change(), box.take()});
  return ended;
}

}  // namespace

Report run_bruteforce_world(const Settings& settings) {
  const std::vector<Mix> all_mixes = bruteforce_mixes();
  auto all = make_in_parts<Ended>(settings.ranks, all_mixes.size(), [&](const ListPart& part) {
    return run_boxes_of(settings, all_mixes, part);
  });
  Report report;
  report.name = "bruteforce-world";
  report.title = "Iteration against closed forms, bodies in a box";
  report.text =
      "The protocol of leemann2017 (section 4.1.2): 150 bodies of size 6, the two kinds of a mix "
      "in "
      "turn, in a closed box\n(edge 60, which the source does not tell), elastic, without friction "
      "or gravity, " +
      std::to_string(settings.pairs) + " steps of 2e-4, seed " + std::to_string(settings.seed) +
      ". Bodies fly, overlap,\nand bounce by the answers of the closed forms. Every pair whose "
      "boxes "
      "overlap is computed by closed form (`closed_form`; cubes: `sat`)\nand iteratively (`epa`: "
      "GJK, expanding polytope, second-order finish). Errors are those of collisions: normals in "
      "degrees, depths\nrelative to size (those of leemann2017 divided by its size 6), positions "
      "(midpoint of the witnesses) in percent of size, of unique\ncontacts. `ambiguous`: "
      "collisions "
      "with several equally good normals or points, compared by depth alone. `searched`: pairs "
      "without a\nclosed form, compared with the default.";
  std::vector<Tally> tallies;
  double energy = 0.0;
  for (Ended& ended : all) {
    energy = std::fmax(energy, ended.energy_change);
    tallies.push_back(std::move(ended.tally));
  }
  report_tallies(tallies, report);
  constexpr double kEnergyBound = 1e-9;
  report.bars.push_back({"largest relative change of the energy of motion", energy, kEnergyBound});
  return report;
}

}  // namespace tactus::detail::lab
