#include <algorithm>
#include <cmath>

#include "fuzz/random_values.hpp"
#include "lab/exact.hpp"
#include "lab/experiment.hpp"
#include "lab/measure.hpp"
#include "tactus/check.hpp"
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
constexpr double kNormalBound = 1e-6;  // degrees

struct Contact {
  const char* name;
  double source_tolerance;  ///< degrees, of the normal in the source
  Shape a, b;
  Pose pose_a, touching;  ///< B's pose where the bodies touch
  Vec3 into;              ///< unit, in which B is pushed
  Vec3 normal;            ///< unit, from A to B, for every shift
};

Quat about(const Vec3& axis, double cosine, double sine) {
  return {cosine, axis.x * sine, axis.y * sine, axis.z * sine};
}

std::vector<Contact> contacts_of_source() {
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
  int calls = 0, wrong = 0;

  Finding& operator+=(const Finding& other) {
    normal_error = std::max(normal_error, other.normal_error);
    distance_error = std::max(distance_error, other.distance_error);
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
    Finding found = ask(c, shift, c.a, c.pose_a, c.b, pose_b, exact.distance, normal);
    found += ask(c, shift, c.b, pose_b, c.a, c.pose_a, exact.distance, -normal);
    return found;
  }

 private:
  Finding ask(const Contact& c, double shift, const Shape& a, const Pose& pose_a, const Shape& b,
              const Pose& pose_b, Real right, const Vec3& normal) const {
    Certificate certificate;
    QueryOptions options;
    options.certificate = &certificate;
    const DistanceResult r = settings_.ask(a, pose_a, b, pose_b, options);
    Finding found;
    found.calls = 1;
    found.normal_error = degrees_between(r.normal, normal);
    const double size = io::pair_size(a, b);
    found.distance_error = static_cast<double>(std::fabs(Real(r.distance) - right)) / size;
    std::string reason;
    if (!(r.distance < 0.0) != (shift < 0.0)) {
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
      "degrees, distances\nrelative to size.";
  Table table;
  table.head = {"contact",
                "calls",
                "tolerance of leemann2017",
                "normal error, exact pose",
                "1e-12",
                "1e-8",
                "1e-6",
                "distance error",
                "wrong"};
  const Judge judge(settings, report);
  Finding all;
  std::uint64_t stream = 0;
  for (const Contact& c : contacts_of_source()) {
    Random random(settings.seed, stream++);
    Finding whole;
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
      whole += found;
    }
    row[1] = static_cast<double>(whole.calls);
    row.emplace_back(whole.distance_error);
    row.emplace_back(static_cast<double>(whole.wrong));
    table.rows.push_back(std::move(row));
    all += whole;
  }
  rank(report.incidents);
  report.tables.push_back(std::move(table));
  report.bars = {{"worst normal error in degrees", all.normal_error, kNormalBound},
                 {"wrong answers", static_cast<double>(all.wrong), 0.0}};
  return report;
}

}  // namespace tactus::detail::lab
