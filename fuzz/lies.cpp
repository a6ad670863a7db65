#include "fuzz/lies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fuzz/query_text.hpp"
#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/query.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/parts.hpp"

namespace tactus::detail::fuzz {
namespace {

using io::Answer;
using io::Ask;
using io::Query;

// Beyond that many characters a finding is written without its certificate, which may have
// thousands of steps: the query makes it anew.
constexpr std::size_t kLongestLine = 4000;
// Rounding that the checker states: a claim that is off by more than this part of (size + offset)
// is never proved.
constexpr double kStated = 64.0 * detail::kUnit;
// A lie is off by at least kBeyond times the stated rounding, and by at most the larger of
// kGreatest of the size and ten times that least.
constexpr double kBeyond = 1.01, kGreatest = 1e-2;
// On curved bodies point_b - point_a is distance * normal to the square root of rounding.
constexpr double kRelation = 1e-6;
// Moments at which a false time is looked at.
constexpr int kMoments = 4;

/// A claim that is false, and what was changed.
struct Lie {
  const char* what;
  Claim claim;
};

double reach_of_parts(const Shape& shape) {
  double most = 0.0;
  for (const detail::Part& part : detail::parts_of(shape)) most = std::max(most, part.reach);
  return most;
}

bool has_open_mesh(const Shape& shape) {
  const auto parts = detail::parts_of(shape);
  return std::any_of(parts.begin(), parts.end(), [](const detail::Part& part) {
    return part.mesh != nullptr && !part.mesh->closed();
  });
}
bool holds(const Shape& shape, ShapeType type) {
  const auto parts = detail::parts_of(shape);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const detail::Part& part) { return part.is(type); });
}

const char* kind_of(const Query& q) {
  const auto one_is = [&](ShapeType type) { return holds(q.a, type) || holds(q.b, type); };
  if (one_is(ShapeType::custom)) return "custom";
  if (one_is(ShapeType::mesh)) return "mesh";
  if (q.a.type() == ShapeType::compound || q.b.type() == ShapeType::compound) return "compound";
  return one_is(ShapeType::halfspace) ? "halfspace" : "convex";
}

Answer copy_of(const Answer& answer) {
  Answer copy;
  copy.distance = answer.distance;
  copy.overlap = answer.overlap;
  copy.manifolds = answer.manifolds;
  copy.cast = answer.cast;
  if (answer.certificate) copy.certificate = std::make_unique<Certificate>(*answer.certificate);
  return copy;
}

/// Lies about the answer to one query.
class Liar {
 public:
  Liar(const Query& query, Random& random)
      : q_(query), random_(random), motion_(query.motion.value_or(io::Motion{})) {
    const Vec3 between = q_.pose_b.position() - q_.pose_a.position();
    size_ = reach_of_parts(q_.a) + reach_of_parts(q_.b);
    stated_ = kStated * (size_ + norm(between));
    const double way = norm(motion_.a.linear) + norm(motion_.b.linear) +
                       norm(motion_.a.angular) * reach_of_parts(q_.a) +
                       norm(motion_.b.angular) * reach_of_parts(q_.b);
    stated_world_ =
        stated_ + kStated * (norm(q_.pose_a.position()) + norm(q_.pose_b.position()) + way);
    bare_ = has_open_mesh(q_.a) || has_open_mesh(q_.b);
  }

  Trial run(int attempts) {
    Trial trial;
    trial.group = fmt::format("{} {}", to_string(q_.ask), kind_of(q_));
    true_ = io::answer_query(q_, true);
    if (!has_answer()) return trial;
    trial.answered = true;
    const CheckReport honest = io::check_answer(q_, true_);
    for (int c = 0; c < kClaims; ++c) trial.unproved[c] = honest.claims[c] == Proof::unproved;
    note_refuted(honest, trial);
    for (int i = 0; i < attempts; ++i) attempt(trial);
    return trial;
  }

 private:
  bool has_answer() const {
    if (true_.cast) {
      const Status status = true_.cast->status;
      return status != Status::unsupported && status != Status::invalid_input &&
             std::isfinite(stated_world_);
    }
    return std::isfinite(true_.distance.lower) && std::isfinite(true_.distance.upper);
  }

  void note_refuted(const CheckReport& report, Trial& trial) {
    if (!report.refuted()) return;
    trial.refuted = true;
    if (trial.failure.empty())
      trial.failure =
          fmt::format("a true answer is refuted: {}; {}", report.failure, told_as(true_));
  }

  void attempt(Trial& trial) {
    Answer told = copy_of(true_);
    more_ = 0.0;
    if (chance(random_, 8)) {
      change_certificate(told, true);
      note_refuted(io::check_answer(q_, told), trial);
      return;
    }
    const std::optional<Lie> lie = tell(told);
    if (!lie) return;
    change_certificate(told, false);
    change_status(told);
    const CheckReport report = io::check_answer(q_, told);
    LieTally& tally = trial.lies[lie->what];
    ++tally.told;
    if (!report.ok && report[lie->claim] != Proof::proved) return;
    ++tally.proved;
    if (trial.failure.empty())
      trial.failure = fmt::format("proved: {} ({}), false by {:.3g} of {:.3g}; {}", lie->what,
                                  to_string(lie->claim), more_, stated_, told_as(told));
  }

  std::string told_as(const Answer& answer) const {
    const std::string whole = io::answer_to_line("\"told\"", q_, answer, true);
    const bool short_enough = whole.size() <= kLongestLine;
    return (short_enough ? whole : io::answer_to_line("\"told\"", q_, answer)) + "; " +
           line_of(q_, "query");
  }

  // A length beyond what is stated.
  double beyond(double stated) {
    const double least = kBeyond * stated, most = std::max(kGreatest * size_, 10.0 * least);
    more_ = least * std::pow(most / least, random_.uniform());
    return more_;
  }
  double sign() { return chance(random_, 2) ? 1.0 : -1.0; }

  void change_certificate(Answer& told, bool truth) {
    if (!told.certificate || chance(random_, 4)) {
      if (chance(random_, 2)) told.certificate.reset();
      return;
    }
    Certificate& certificate = *told.certificate;
    if (!truth && chance(random_, 3)) exaggerate(certificate, more_);
    if (chance(random_, 3)) damage(certificate, random_);
    if (chance(random_, 6)) certificate = stale();
  }

  // Certificate of an answer about the same bodies with B moved a little.
  const Certificate& stale() {
    if (!stale_) {
      Query other = q_;
      other.pose_b = detail::unchecked_pose(
          q_.pose_b.position() + direction(random_) * (size_ * power_of_ten(random_, -12.0, 0.0)),
          q_.pose_b.rotation());
      stale_ = std::move(io::answer_query(other, true).certificate);
    }
    return *stale_;
  }

  void change_status(Answer& told) {
    if (chance(random_, 2)) return;
    constexpr Status kStatuses[] = {Status::converged, Status::iteration_limit,
                                    Status::precision_limit};
    const Status status = kStatuses[random_.below(3)];
    const auto iterations = static_cast<std::int32_t>(random_.below(2000));
    told.distance.status = status;
    told.distance.iterations = iterations;
    told.distance.unique = chance(random_, 2);
    if (!told.cast) return;
    told.cast->status = status;
    told.cast->iterations = iterations;
  }

  std::optional<Lie> tell(Answer& told) {
    if (told.cast) return tell_of_motion(*told.cast);
    if (q_.ask == Ask::overlap) {
      if (chance(random_, 2)) return turn_verdict(told);
      return chance(random_, 2) ? raise_lower(told.distance) : sink_upper(told.distance);
    }
    if (q_.ask == Ask::contacts && !told.manifolds.empty() && chance(random_, 2))
      return tell_of_contacts(told);
    switch (random_.below(8)) {
      case 0:
        return raise_lower(told.distance);
      case 1:
        return sink_upper(told.distance);
      case 2:
        return move_value(told.distance);
      case 3:
        return stretch(told.distance.normal);
      case 4:
        return turn_normal(told.distance);
      case 5:
        return name_part(told.distance);
      case 6:
        return name_triangle(told.distance);
      default:
        return move_point(told.distance);
    }
  }

  std::optional<Lie> raise_lower(DistanceResult& d) {
    d.lower = d.upper + beyond(stated_);
    if (!(d.lower - true_.distance.upper > stated_)) return std::nullopt;
    const bool whole = chance(random_, 2);
    d.upper = whole ? d.lower : std::max(d.upper, d.lower);
    d.distance = whole ? d.lower : d.upper;
    return Lie{"lower", Claim::lower};
  }
  std::optional<Lie> sink_upper(DistanceResult& d) {
    // Crossing surfaces have no depth, or one that nobody asked for.
    if (bare_ && !(d.lower > 0.0)) return std::nullopt;
    d.upper = d.lower - beyond(stated_);
    if (!(true_.distance.lower - d.upper > stated_)) return std::nullopt;
    d.lower = chance(random_, 2) ? d.upper : std::min(d.lower, d.upper);
    d.distance = d.upper;
    return Lie{"upper", Claim::upper};
  }
  std::optional<Lie> move_value(DistanceResult& d) {
    const double was = d.distance;
    d.distance = chance(random_, 2) ? d.upper + beyond(stated_) : d.lower - beyond(stated_);
    if (d.distance == was) return std::nullopt;
    return Lie{"value", Claim::value};
  }

  std::optional<Lie> stretch(Vec3& normal) {
    // Beyond the rounding of a unit vector.
    const double by = power_of_ten(random_, -13.5, -2.0);
    normal *= 1.0 + sign() * by;
    return Lie{"length of the normal", Claim::normal};
  }

  /// The piece that an answer names: a part, or a triangle of a part.
  struct Named {
    Shape shape;
    Pose pose;
  };
  static std::optional<Named> named(const Shape& shape, const Pose& pose, std::int32_t part,
                                    std::int32_t triangle) {
    for (const detail::Part& p : detail::parts_of(shape)) {
      if (p.index != part) continue;
      if (p.mesh == nullptr) return Named{*p.shape, pose * p.in_body};
      const TriangleMesh& mesh = p.mesh->mesh();
      if (triangle < 0 || static_cast<std::size_t>(triangle) >= mesh.triangles.size()) break;
      const auto& t = mesh.triangles[static_cast<std::size_t>(triangle)];
      const Vec3 corners[] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
      return Named{Convex(corners), pose * p.in_body};
    }
    return std::nullopt;
  }

  // How far the named pieces are apart along n, by their boxes in a frame with the axis n.
  std::optional<double> gap_along(const DistanceResult& d, const Vec3& n) const {
    const Vec3 origin = q_.pose_a.position();
    const auto x =
        named(q_.a, detail::unchecked_pose({}, q_.pose_a.rotation()), d.part_a, d.triangle_a);
    const auto y =
        named(q_.b, detail::unchecked_pose(q_.pose_b.position() - origin, q_.pose_b.rotation()),
              d.part_b, d.triangle_b);
    if (!x || !y || x->shape.type() == ShapeType::halfspace ||
        y->shape.type() == ShapeType::halfspace)
      return std::nullopt;
    const Vec3 u = any_perpendicular(n), v = cross(n, u);
    const Pose frame = detail::unchecked_pose({}, transpose(Mat3::from_columns(n, u, v)));
    return bounding_box(y->shape, frame * y->pose).lower.x -
           bounding_box(x->shape, frame * x->pose).upper.x;
  }

  std::optional<Lie> turn_normal(DistanceResult& d) {
    const bool mesh = holds(q_.a, ShapeType::mesh) || holds(q_.b, ShapeType::mesh);
    if (mesh && !(d.lower > 0.0)) return std::nullopt;
    const Vec3 side = cross(d.normal, direction(random_));
    d.normal = normalized(d.normal + side * power_of_ten(random_, -12.0, 0.3), {});
    const std::optional<double> gap = gap_along(d, d.normal);
    if (!gap) return std::nullopt;
    // In an answer with a wide bracket the named pieces need not be the nearest: a wider gap
    // between them contradicts nothing.
    const bool wide = d.upper - d.lower > 2.0 * stated_;
    more_ = wide ? d.distance - *gap : std::fabs(*gap - d.distance);
    // Boxes of points are as large as the smallest number.
    if (!(more_ > 2.0 * stated_ + std::numeric_limits<double>::min())) return std::nullopt;
    return Lie{"direction of the normal", Claim::normal};
  }

  // How far a world point is outside of a shape, at least. A closed mesh is a solid also beside a
  // part that is open; an open mesh has no inside, and off its surface is outside of it.
  static double outside(const Shape& shape, const Pose& pose, const Vec3& point) {
    double least = std::numeric_limits<double>::infinity();
    for (const detail::Part& part : detail::parts_of(shape)) {
      const Pose placed = pose * part.in_body;
      const Pose near = detail::unchecked_pose(placed.position() - point, placed.rotation());
      QueryOptions options;
      options.signed_distance = part.mesh == nullptr || part.mesh->closed();
      least = std::min(least, distance(Sphere(0.0), Pose(), *part.shape, near, options).lower);
    }
    return least;
  }

  std::optional<Lie> move_point(DistanceResult& d) {
    const bool of_a = chance(random_, 2);
    Vec3& point = of_a ? d.point_a : d.point_b;
    const Vec3 way = chance(random_, 2) ? d.normal * (of_a ? 1.0 : -1.0) : direction(random_);
    point += way * beyond(stated_world_);
    more_ = outside(of_a ? q_.a : q_.b, of_a ? q_.pose_a : q_.pose_b, point);
    if (more_ > kBeyond * stated_world_) return Lie{"point", Claim::points};
    const double off = norm(d.point_b - d.point_a - d.normal * d.distance);
    // Beside a wide bracket no more is claimed.
    const double lengths = stated_world_ / kStated;
    const double beside = std::sqrt((d.upper - d.distance) *
                                    (std::fabs(d.upper) + std::fabs(d.distance) + 2.0 * lengths));
    if (off > kRelation * lengths + 2.0 * beside) return Lie{"point along", Claim::relation};
    return std::nullopt;
  }

  std::optional<Lie> name_part(DistanceResult& d) {
    const bool of_a = chance(random_, 2);
    std::int32_t& part = of_a ? d.part_a : d.part_b;
    const auto parts = detail::parts_of(of_a ? q_.a : q_.b);
    const std::int32_t was = part;
    part = static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(parts.size()) + 3));
    if (part == was) return std::nullopt;
    const auto named_part = std::find_if(parts.begin(), parts.end(),
                                         [&](const detail::Part& p) { return p.index == part; });
    if (named_part != parts.end()) {
      const Pose pose = (of_a ? q_.pose_a : q_.pose_b) * named_part->in_body;
      more_ = outside(*named_part->shape, pose, of_a ? d.point_a : d.point_b);
      if (!(more_ > kBeyond * stated_world_)) return std::nullopt;
    }
    return Lie{"part", Claim::parts};
  }

  std::optional<Lie> name_triangle(DistanceResult& d) {
    const bool of_a = chance(random_, 2);
    const Shape& shape = of_a ? q_.a : q_.b;
    const Pose& pose = of_a ? q_.pose_a : q_.pose_b;
    std::int32_t& triangle = of_a ? d.triangle_a : d.triangle_b;
    const std::int32_t was = triangle, part = of_a ? d.part_a : d.part_b;
    triangle = static_cast<std::int32_t>(random_.below(chance(random_, 2) ? 12 : 100000));
    if (triangle == was) return std::nullopt;
    const auto piece = named(shape, pose, part, triangle);
    const bool mesh = holds(shape, ShapeType::mesh);
    if (mesh && piece) {
      if (piece->shape.type() != ShapeType::convex) return std::nullopt;
      more_ = outside(piece->shape, piece->pose, of_a ? d.point_a : d.point_b);
      if (!(more_ > kBeyond * stated_world_)) return std::nullopt;
    }
    return Lie{"triangle", Claim::triangles};
  }

  std::optional<Lie> turn_verdict(Answer& told) {
    const DistanceResult& d = true_.distance;
    const bool apart = d.lower > stated_, meet = d.upper < -stated_;
    if (!apart && !meet) return std::nullopt;
    told.overlap = apart ? Overlap::yes : Overlap::no;
    if (chance(random_, 2)) {
      const double to = apart ? -beyond(stated_) : beyond(stated_);
      told.distance.lower = told.distance.upper = told.distance.distance = to;
    }
    return Lie{"verdict", Claim::verdict};
  }

  std::optional<Lie> tell_of_contacts(Answer& told) {
    Manifold& m = told.manifolds[random_.below(static_cast<std::uint32_t>(told.manifolds.size()))];
    if (m.count == 0) return std::nullopt;
    ContactPoint& p = m.points[random_.below(static_cast<std::uint32_t>(m.count))];
    switch (random_.below(4)) {
      case 0: {
        const double by = beyond(3.0 * stated_world_);
        p.depth += sign() * by;
        return Lie{"depth of a contact", Claim::contacts};
      }
      case 1:
        stretch(m.normal);
        return Lie{"length of a contact's normal", Claim::contacts};
      case 2: {
        // Both points away from their surfaces, or into their bodies.
        const double by = beyond(stated_world_) * sign();
        p.point_a += m.normal * by;
        p.point_b -= m.normal * by;
        p.depth += 2.0 * by;
        break;
      }
      default:
        p.point_b += direction(random_) * beyond(stated_world_);
    }
    more_ =
        std::max(off_surface(q_.a, q_.pose_a, p.point_a), off_surface(q_.b, q_.pose_b, p.point_b));
    if (!(more_ > kBeyond * stated_world_)) return std::nullopt;
    return Lie{"point of a contact", Claim::contacts};
  }
  // How far a world point is from a shape's surface, at least: 0 within open meshes and unions,
  // whose inner surfaces count.
  static double off_surface(const Shape& shape, const Pose& pose, const Vec3& point) {
    if (shape.type() == ShapeType::compound || has_open_mesh(shape))
      return outside(shape, pose, point);
    const Pose near = detail::unchecked_pose(pose.position() - point, pose.rotation());
    const DistanceResult d = distance(Sphere(0.0), Pose(), shape, near);
    return std::max(d.lower, -d.upper);
  }

  // The bracket of the distance at a moment.
  DistanceResult at(double time) const {
    const Pose pose_a = pose_at(q_.pose_a, motion_.a, time),
               pose_b = pose_at(q_.pose_b, motion_.b, time);
    if (!bare_) return distance(q_.a, pose_a, q_.b, pose_b);
    Manifold patch;
    return contacts(q_.a, pose_a, q_.b, pose_b, std::span(&patch, 1)).distance;
  }
  // Do the bodies go into each other at or before a time, beyond what is stated?
  bool meet_before(double time) {
    const double from = true_.cast ? std::min(true_.cast->time_upper, time) : time;
    for (int i = 0; i < kMoments; ++i) {
      more_ = -at(time + (from - time) * i / kMoments).upper;
      if (more_ > 2.0 * stated_world_) return true;
    }
    return false;
  }

  std::optional<Lie> tell_of_motion(CastResult& r) {
    switch (random_.below(6)) {
      case 0:
        return stretch_of_motion(r);
      case 1:
        return move_point_of_motion(r);
      case 2:
        return turn_hit(r);
      case 3:
        return arrive_early(r);
      default:
        return arrive_late(r);
    }
  }
  std::optional<Lie> stretch_of_motion(CastResult& r) {
    if (r.hit == Overlap::no || !std::isfinite(r.distance)) return std::nullopt;
    return stretch(r.normal);
  }
  std::optional<Lie> move_point_of_motion(CastResult& r) {
    if (r.hit == Overlap::no || !std::isfinite(r.distance)) return std::nullopt;
    const bool of_a = chance(random_, 2);
    Vec3& point = of_a ? r.point_a : r.point_b;
    point += (chance(random_, 2) ? r.normal * (of_a ? 1.0 : -1.0) : direction(random_)) *
             beyond(stated_world_);
    const Pose pose =
        of_a ? pose_at(q_.pose_a, motion_.a, r.time) : pose_at(q_.pose_b, motion_.b, r.time);
    more_ = outside(of_a ? q_.a : q_.b, pose, point);
    if (!(more_ > kBeyond * stated_world_)) return std::nullopt;
    return Lie{"point of a hit", Claim::points};
  }
  std::optional<Lie> turn_hit(CastResult& r) {
    if (r.hit == Overlap::no) {
      r.hit = Overlap::yes;
      r.time = r.time_upper = random_.uniform();
      more_ = at(r.time_upper).lower;
      if (!(more_ > 2.0 * stated_world_)) return std::nullopt;
      return Lie{"hit", Claim::time_upper};
    }
    if (!meet_before(1.0)) return std::nullopt;
    r.hit = Overlap::no;
    r.time = r.time_upper = kInfinity;
    return Lie{"no hit", Claim::verdict};
  }
  std::optional<Lie> arrive_late(CastResult& r) {
    if (r.hit == Overlap::no || !(r.time_upper < 1.0)) return std::nullopt;
    r.time = std::min(r.time_upper + power_of_ten(random_, -14.0, 0.0), 1.0);
    if (!meet_before(r.time)) return std::nullopt;
    r.time_upper = r.hit == Overlap::yes ? std::max(r.time, r.time_upper) : r.time_upper;
    if (chance(random_, 4)) r.hit = Overlap::undecided;
    return Lie{"late", Claim::time};
  }
  std::optional<Lie> arrive_early(CastResult& r) {
    if (r.hit != Overlap::yes || !(r.time > 0.0)) return std::nullopt;
    r.time_upper = std::max(r.time - power_of_ten(random_, -14.0, 0.0), 0.0);
    r.time = chance(random_, 2) ? r.time_upper : std::min(r.time, r.time_upper) * random_.uniform();
    more_ = at(r.time_upper).lower;
    if (!(more_ > 2.0 * stated_world_)) return std::nullopt;
    return Lie{"early", Claim::time_upper};
  }

  const Query& q_;
  Random& random_;
  io::Motion motion_;
  double size_ = 0.0, stated_ = 0.0, stated_world_ = 0.0;
  bool bare_ = false;
  Answer true_;
  std::unique_ptr<Certificate> stale_;
  double more_ = 0.0;  ///< the lie in hand is false by so much
};

}  // namespace

Query ask_anything(Query q, Random& random) {
  if (q.ask != Ask::distance) return q;
  constexpr Ask kAsks[] = {Ask::distance, Ask::distance, Ask::contacts, Ask::contacts,
                           Ask::overlap,  Ask::cast,     Ask::impact};
  q.ask = kAsks[random.below(7)];
  if (q.ask != Ask::cast && q.ask != Ask::impact) return q;
  const double size = reach_of_parts(q.a) + reach_of_parts(q.b);
  const Vec3 between = q.pose_a.position() - q.pose_b.position();
  io::Motion motion;
  motion.b.linear = direction(random) * (size * power_of_ten(random, -2.0, 1.0));
  if (chance(random, 2))
    motion.b.linear = motion.b.linear * 0.2 + between * random.uniform(0.5, 2.0);
  if (chance(random, 2)) motion.a.linear = direction(random) * (size * random.uniform());
  if (q.ask == Ask::impact) {
    motion.a.angular = direction(random) * random.uniform(0.0, 2.0);
    if (chance(random, 2)) motion.b.angular = direction(random) * random.uniform(0.0, 2.0);
  }
  q.motion = motion;
  return q;
}

Trial try_lies(const Query& query, Random& random, int attempts) {
  return Liar(query, random).run(attempts);
}

}  // namespace tactus::detail::fuzz
