#include <algorithm>
#include <cmath>

#include "fuzz/random_values.hpp"
#include "lab/exact.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/check.hpp"
#include "tactus/classic.hpp"
#include "tactus/io/json/capture.hpp"
#include "tactus/io/json/query_judge.hpp"

// Nine contacts whose answer is known by construction, after the black-box test of the source.
// Source: leemann2017, section 4.1.1.

namespace tactus::detail::lab {
namespace {

// Negative: a gap.
constexpr double kShifts[] = {-1e-5, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
constexpr double kPerturbations[] = {0.0, 1e-12, 1e-8, 1e-6};
// Random perturbations of each size.
constexpr int kSamples = 8;
// A right distance differs from the exact one by less, relative to size.
constexpr double kDistanceError = 1e-13;
constexpr double kNormalBound = 1e-9;  // degrees
// Contact points of the exact poses, relative to size; and of perturbed ones, in perturbations: a
// witness on a long ellipsoid moves by several of them.
constexpr double kPlaceBound = 3e-14, kPerturbedPlaceBound = 100.0;

struct Contact {
  const char* name;
  double source_tolerance;  ///< degrees, of the normal in the source
  Shape a, b;
  Pose pose_a, touching;  ///< B's pose where the bodies touch
  Vec3 into;              ///< unit, in which B is pushed
  Vec3 normal;            ///< unit, from A to B, for every shift
  Vec3 place = {};        ///< where the bodies touch, or the middle of the face that they share
  Vec3 half_face = {};    ///< along the axes, from there; zero where they touch in one point
};

Quat about(const Vec3& axis, double cosine, double sine) {
  return {cosine, axis.x * sine, axis.y * sine, axis.z * sine};
}

std::vector<Contact> shapes_and_poses() {
  const double r2 = std::sqrt(0.5), r3 = std::sqrt(1.0 / 3.0);
  const Vec3 x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  const Vec3 diagonal{r3, r3, r3};
  const Quat eighth_y = about(y, std::sqrt(0.5 + 0.5 * r2), std::sqrt(0.5 - 0.5 * r2));
  const Quat eighth_z = about(z, eighth_y.w, eighth_y.y);
  // Half a turn about the bisector of two directions exchanges them.
  const Quat corner_to_x = about(normalized(diagonal - x), 0.0, 1.0);
  const Shape cube = Box({6.0, 6.0, 6.0}), ball = Sphere(3.0);
  const auto at = [](double px, double py, double pz) { return Pose::translation({px, py, pz}); };
  return {
      {"sphere / cube corner",
       0.01,
       ball,
       cube,
       {},
       Pose::translation(diagonal * 3.0 + Vec3{3, 3, 3}),
       -diagonal,
       diagonal},
      {"cube / long box, faces", 0.01, cube, Box({12.0, 2.0, 2.0}), {}, at(9.0, 0.0, 0.0), -x, x},
      {"sphere / sphere", 0.01, ball, ball, at(0.5, -0.25, 0.125),
       Pose::translation(diagonal * 6.0 + Vec3{0.5, -0.25, 0.125}), -diagonal, diagonal},
      {"cube / cube, edges",
       0.01,
       cube,
       cube,
       {{}, eighth_z},
       {x * (6.0 / r2), eighth_y},
       (y - x) * r2,
       x},
      {"off-centre cube / long box",
       0.01,
       cube,
       Box({2.0, 2.0, 12.0}),
       {},
       at(4.0, 1.5, 2.0),
       -x,
       x},
      {"cube corner / cube face", 0.01, cube, cube, {}, {x * (3.0 + 3.0 / r3), corner_to_x}, -x, x},
      {"sphere / cube face", 0.01, cube, ball, {}, at(6.0, 0.75, -0.5), -x, x},
      {"capsule / capsule, sides",
       0.01,
       Capsule(2.0, 6.0),
       Capsule(2.0, 6.0),
       {},
       {{4.0, 0.5, 0.25}, about(x, std::sqrt(0.75), 0.5)},
       -x,
       x},
      {"long ellipsoids",
       0.1,
       Ellipsoid({1.5, 1.5, 4.0}),
       Ellipsoid({4.0, 1.5, 1.5}),
       {},
       at(0.0, 0.0, 5.5),
       -z,
       z},
  };
}

/// `shapes_and_poses` with the places of contact, which follow from the construction.
std::vector<Contact> contacts_of_source() {
  struct Place {
    Vec3 middle, half_face;
  };
  const double r2 = std::sqrt(0.5), r3 = std::sqrt(1.0 / 3.0);
  const Vec3 diagonal{r3, r3, r3};
  const Place places[] = {
      {diagonal * 3.0, {}},
      {{3.0, 0.0, 0.0}, {0.0, 1.0, 1.0}},
      {diagonal * 3.0 + Vec3{0.5, -0.25, 0.125}, {}},
      {{3.0 / r2, 0.0, 0.0}, {}},
      {{3.0, 1.5, 0.0}, {0.0, 1.0, 3.0}},
      {{3.0, 0.0, 0.0}, {}},
      {{3.0, 0.75, -0.5}, {}},
      // B's axis leads through (4, 0.5, 0.25) and is turned by 60 degrees about x.
      {{2.0, 0.0, 0.25 + 0.5 * r3}, {}},
      {{0.0, 0.0, 4.0}, {}},
  };
  std::vector<Contact> contacts = shapes_and_poses();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    contacts[k].place = places[k].middle;
    contacts[k].half_face = places[k].half_face;
  }
  return contacts;
}

// A shift and a turn of the size given.
Pose perturbed(const Pose& pose, double amount, Random& random) {
  if (amount == 0.0) return pose;
  const Vec3 shift = fuzz::direction(random) * amount;
  const Vec3 turn = fuzz::direction(random) * (0.5 * amount);
  const Pose small({}, {1.0, turn.x, turn.y, turn.z});
  return detail::unchecked_pose(pose.position() + shift, small.rotation() * pose.rotation());
}

struct Finding {
  double normal_error = 0.0, distance_error = 0.0;
  double place_error = 0.0;  ///< relative to size; of perturbed poses: in perturbations
  int calls = 0, wrong = 0;

  Finding& operator+=(const Finding& other) {
    normal_error = std::max(normal_error, other.normal_error);
    distance_error = std::max(distance_error, other.distance_error);
    place_error = std::max(place_error, other.place_error);
    calls += other.calls;
    wrong += other.wrong;
    return *this;
  }
};

/// One pair, asked in both orders.
class Judge {
 public:
  Judge(const Settings& settings, Report& report) : settings_(settings), report_(report) {}

  Finding judge(const Contact& c, double perturbation, double shift, const Pose& pose_b) const {
    const Exact exact = exact_distance(c.a, c.pose_a, c.b, pose_b);
    const Vec3 normal = perturbation == 0.0 ? c.normal
                                            : Vec3{static_cast<double>(exact.normal.x),
                                                   static_cast<double>(exact.normal.y),
                                                   static_cast<double>(exact.normal.z)};
    // The normal's part of B's way opens or closes the contact, half of it on either side.
    const Vec3 place = c.place + c.normal * (0.5 * shift * dot(c.into, c.normal));
    const Asked forth{c, shift, perturbation, exact.distance, normal, place};
    Finding found = ask(forth, c.a, c.pose_a, c.b, pose_b);
    const Asked back{c, shift, perturbation, exact.distance, -normal, place};
    found += ask(back, c.b, pose_b, c.a, c.pose_a);
    return found;
  }

 private:
  /// A pair and what must come out.
  struct Asked {
    const Contact& contact;
    double shift, perturbation;
    Real right;
    Vec3 normal, place;  ///< the place is that of the unperturbed pose
  };

  // How far the contact point, midway between the witnesses, lies from where the bodies touch.
  static double place_error(const Asked& asked, const DistanceResult& r, double size) {
    Vec3 off = (r.point_a + r.point_b) * 0.5 - asked.place;
    for (int axis = 0; axis < 3; ++axis) {
      off[axis] = std::fmax(0.0, std::fabs(off[axis]) - asked.contact.half_face[axis]);
    }
    return asked.perturbation == 0.0 ? norm(off) / size : norm(off) / asked.perturbation;
  }

  Finding ask(const Asked& asked, const Shape& a, const Pose& pose_a, const Shape& b,
              const Pose& pose_b) const {
    const Contact& c = asked.contact;
    const Real right = asked.right;
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const DistanceResult r = settings_.ask(a, pose_a, b, pose_b, options);
    Finding found;
    found.calls = 1;
    found.normal_error = degrees_between(r.normal, asked.normal);
    const double size = io::pair_size(a, b);
    found.distance_error = static_cast<double>(std::fabs(Real(r.distance) - right)) / size;
    found.place_error = place_error(asked, r, size);
    std::string reason;
    if (!(r.distance < 0.0) != (asked.shift < 0.0)) {
      reason = "wrong sign";
    } else if (!(found.distance_error <= kDistanceError)) {
      reason = "wrong distance";
    } else if (right < Real(r.lower) || right > Real(r.upper)) {
      reason = "bracket without the right distance";
    } else if (const CheckReport report = check(a, pose_a, b, pose_b, r, &certificate);
               !report.ok) {
      reason = "not proved: " + report.failure;
    }
    found.wrong = reason.empty() ? 0 : 1;
    if (reason.empty() && found.normal_error > kNormalBound) reason = "normal";
    const double bound = asked.perturbation == 0.0 ? kPlaceBound : kPerturbedPlaceBound;
    if (reason.empty() && found.place_error > bound) reason = "contact point";
    if (!reason.empty()) {
      report_.incidents.push_back(
          {found.wrong + found.normal_error, reason,
           io::capture(a, pose_a, b, pose_b, {}, io::Ask::distance, c.name)});
    }
    return found;
  }

  const Settings& settings_;
  Report& report_;
};

/// The source's figure 13: the largest error of the normal of all contacts against their depth, by
/// the literal expanding polytope, by it with spheres through its faces, and by ours.
void add_depths(const Settings& settings, Report& report) {
  Table table{"Largest error of the normal by depth, exact poses, degrees",
              {"depth", "literal polytope, eps 1e-7", "with spheres", "ours"},
              {}};
  Plot plot{"blackbox-depth.svg", "Largest error of the normal", "depth", "degrees", {}};
  plot.series = {{"literal polytope, eps 1e-7", {}}, {"with spheres", {}}, {"ours", {}}};
  for (const double shift : kShifts) {
    if (shift < 0.0) continue;
    double worst[3] = {};
    for (const Contact& c : contacts_of_source()) {
      const Pose pose_b =
          detail::unchecked_pose(c.touching.position() + c.into * shift, c.touching.rotation());
      PolytopeOptions options;
      for (const bool spheres : {false, true}) {
        options.spheres = spheres;
        const PolytopeDepth r = polytope_depth(c.a, c.pose_a, c.b, pose_b, options);
        double& most = worst[spheres ? 1 : 0];
        most = std::max(most, degrees_between(r.normal, c.normal));
      }
      const DistanceResult r = settings.ask(c.a, c.pose_a, c.b, pose_b, {});
      worst[2] = std::max(worst[2], degrees_between(r.normal, c.normal));
    }
    table.rows.push_back({shift, worst[0], worst[1], worst[2]});
    for (std::size_t k = 0; k < 3; ++k) plot.series[k].points.emplace_back(shift, worst[k]);
  }
  report.tables.push_back(std::move(table));
  report.plots.push_back(std::move(plot));
}

}  // namespace

Report run_blackbox(const Settings& settings) {
  Report report;
  report.name = "blackbox";
  report.title = "Nine known contacts";
  report.text =
      "The nine black-box contacts of leemann2017 (section 4.1.1), bodies about 6 in size: a gap "
      "of "
      "1e-5 and depths 1e-5 to 1,\neach asked in both orders. Then the same poses shifted and "
      "turned "
      "at random by 1e-12, 1e-8 and 1e-6 (length 1 and\nradians), 8 times each, against the "
      "perturbed pose's own answer in extended precision (`lab/exact.hpp`). `wrong`: "
      "sign,\ndistance "
      "off by more than 1e-13 of size or outside the bracket, or refused by the checker. Normals "
      "in "
      "degrees, distances\nrelative to size. Places are contact points, midway between the "
      "witnesses, beside where the bodies touch by construction (within the shared\nface, where "
      "they share one): of exact poses relative to size, of perturbed ones in perturbations. Then "
      "the largest "
      "error of the normals against the depth, as in the source's figure 13.";
  Table table;
  table.head = {
      "contact", "calls", "tolerance of leemann2017", "normal error, exact pose", "1e-12",
      "1e-8",    "1e-6",  "distance error",           "place error, exact pose",  "perturbed",
      "wrong"};
  const Judge judge(settings, report);
  Finding all;
  double exact_places = 0.0, perturbed_places = 0.0;
  std::uint64_t stream = 0;
  for (const Contact& c : contacts_of_source()) {
    Random random(settings.seed, stream++);
    Finding whole;
    double places[2] = {};
    std::vector<Cell> row{std::string(c.name), 0.0, c.source_tolerance};
    for (const double perturbation : kPerturbations) {
      Finding found;
      for (const double shift : kShifts) {
        const Pose placed =
            detail::unchecked_pose(c.touching.position() + c.into * shift, c.touching.rotation());
        for (int i = 0; i < (perturbation == 0.0 ? 1 : kSamples); ++i)
          found += judge.judge(c, perturbation, shift, perturbed(placed, perturbation, random));
      }
      row.emplace_back(found.normal_error);
      double& place = places[perturbation == 0.0 ? 0 : 1];
      place = std::max(place, found.place_error);
      whole += found;
    }
    row[1] = static_cast<double>(whole.calls);
    row.emplace_back(whole.distance_error);
    row.emplace_back(places[0]);
    row.emplace_back(places[1]);
    exact_places = std::max(exact_places, places[0]);
    perturbed_places = std::max(perturbed_places, places[1]);
    row.emplace_back(static_cast<double>(whole.wrong));
    table.rows.push_back(std::move(row));
    all += whole;
  }
  rank(report.incidents);
  report.tables.push_back(std::move(table));
  add_depths(settings, report);
  report.bars = {{"worst normal error in degrees", all.normal_error, kNormalBound},
                 {"wrong answers", static_cast<double>(all.wrong), 0.0},
                 {"worst contact point of an exact pose, of size", exact_places, kPlaceBound},
                 {"worst contact point of a perturbed pose, in perturbations", perturbed_places,
                  kPerturbedPlaceBound}};
  return report;
}

}  // namespace tactus::detail::lab
