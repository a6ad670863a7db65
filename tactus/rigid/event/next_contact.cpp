#include "tactus/rigid/event/next_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tactus/bvh/near_leaves.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/mesh/surface/triangle_distance.hpp"
#include "tactus/query/dispatch.hpp"
#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/rigid/body/step_fault.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

// Gaps that count as contact, relative to the smaller body's size, and to the distance from the
// world's origin, whose roundings they must exceed.
constexpr double kTouching = 1e-12, kTouchingSurfaces = 1e-9, kTouchingPlace = 1e-14;
// Separations along one direction before the bodies are measured anew.
constexpr int kLooks = 8;
// A look that proves less than this part of its length ends the looks along its direction.
constexpr double kPoor = 0.9;
// Triangles are followed one by one up to this gap beyond the least one, relative to the smaller
// body's size, and at most so many pairs of them.
constexpr double kReach = 0.03;
constexpr std::size_t kMostPairs = 400;
constexpr double kSafe = 1.0 + 1e-9, kEarlier = 1.0 - 1e-15;
// Width of the brackets of distances asked for, relative to size.
constexpr double kTight = 1e-13;

bool is_surface(const Shape& shape) { return shape.type() == ShapeType::mesh; }

bool holds_surface(const Shape& shape) {
  return is_surface(shape) || shape.type() == ShapeType::compound;
}

class Looker {
 public:
  Looker(const Flight& a, const Flight& b, double time, double end, bool leaving, double touching)
      : a_(a),
        b_(b),
        time_(time),
        end_(std::min({end, a.segment_end(), b.segment_end()})),
        leaving_(leaving),
        touching_(touching),
        pose_a_(a.pose(time)),
        pose_b_(b.pose(time)) {
    const double length = end_ - time_;
    const Vec3 acceleration = b.acceleration() - a.acceleration();
    // The radius of an unbounded body is that of its points within reach of the other body.
    const double between = norm(b.position(time) - a.position(time));
    const auto radius = [&](const Flight& f, const Flight& other) {
      return std::isfinite(f.body().radius()) ? f.body().radius() : between + other.body().radius();
    };
    const double turning = a.spin() * radius(a, b) + b.spin() * radius(b, a);
    const Vec3 relative = b.velocity(time) - a.velocity(time);
    speed_ = (norm(relative) + norm(acceleration) * length + turning) * kSafe;
    look_ = {false, kInfinity, end_};
  }

  /// Are the balls about the bodies apart for a while? Then that is the answer.
  bool far() {
    const double apart = norm(b_.position(time_) - a_.position(time_)) -
                         (a_.body().radius() + b_.body().radius()) * kSafe;
    if (!(apart > 0.0) || !(apart > kReach * (end_ - time_) * speed_)) return false;
    meet(apart, after(apart));
    return true;
  }

  void look_at_all(std::span<const BodyPart> parts_a, std::span<const BodyPart> parts_b,
                   QueryCache& cache) {
    const bool single = parts_a.size() == 1 && parts_b.size() == 1;
    for (const BodyPart& part_a : parts_a) {
      for (const BodyPart& part_b : parts_b) {
        QueryCache none;
        look_at_parts(part_a, part_b, single ? cache : none);
      }
    }
    look_.arrived = !(look_.gap > touching_);
  }

  const PairLook& answer() const { return look_; }

 private:
  /// The time by which nothing that is `gap` apart can have met.
  double after(double gap) const {
    return speed_ > 0.0 ? std::min(time_ + std::max(gap, 0.0) / speed_, end_) : end_;
  }
  void meet(double gap, double next) {
    look_.gap = std::min(look_.gap, gap);
    look_.next = std::min(look_.next, next);
  }

  void look_at_parts(const BodyPart& a, const BodyPart& b, QueryCache& cache) {
    const bool plane_a = a.is_plane(), plane_b = b.is_plane();
    if (plane_a && plane_b) return;
    if (!plane_a && !plane_b) {
      const double apart = norm(pose_b_.to_world(b.middle()) - pose_a_.to_world(a.middle())) -
                           (a.radius() + b.radius()) * kSafe;
      if (apart > kReach * (end_ - time_) * speed_ && apart > 0.0) {
        meet(apart, after(apart));
        return;
      }
    }
    if (plane_a || plane_b) {
      look_at_plane(a, b);
    } else if (is_surface(a.shape()) || is_surface(b.shape())) {
      look_at_surfaces(a, b, cache);
    } else {
      const Vec3 n = measure(a, b, cache).normal;
      const MovingPiece piece_a(a), piece_b(b);
      const double gap = separation(piece_a, piece_b, n, pose_a_, pose_b_);
      meet(gap, follow_best(piece_a, piece_b, n, gap, end_));
    }
  }

  DistanceResult measure(const BodyPart& a, const BodyPart& b, QueryCache& cache) const {
    QueryOptions options;
    options.tolerance = kTight;
    const DistanceResult found = bare_distance(a.shape(), pose_a_ * a.in_body(), b.shape(),
                                               pose_b_ * b.in_body(), options, &cache);
    require_answer(found, a_.body(), b_.body());
    return found;
  }

  void look_at_plane(const BodyPart& a, const BodyPart& b) {
    const bool first = a.is_plane();
    const Flight& owner = first ? a_ : b_;
    const Vec3 out = (first ? pose_a_ : pose_b_).direction_to_world((first ? a : b).plane_normal());
    const Vec3 n = first ? out : -out;
    const MovingPiece piece_a(a), piece_b(b);
    const double gap = separation(piece_a, piece_b, n, pose_a_, pose_b_);
    // A plane that turns takes its normal with it: any direction but its own has no bound.
    meet(gap, owner.spin() == 0.0 ? follow(piece_a, piece_b, {n, nullptr}, gap, end_) : after(gap));
  }

  static double separation(const MovingPiece& a, const MovingPiece& b, const Vec3& n,
                           const Pose& pose_a, const Pose& pose_b) {
    return -(a.support(pose_a, n) + b.support(pose_b, -n));
  }

  /// As `follow` along the direction that stands still, or that turns with one of the bodies: a
  /// face that turns carries the contact along.
  double follow_best(const MovingPiece& a, const MovingPiece& b, const Vec3& n, double first,
                     double end) const {
    double best = follow(a, b, {n, nullptr}, first, end);
    for (const Flight* frame : {&a_, &b_}) {
      if (best < end && frame->spin() > 0.0)
        best = std::max(best, follow(a, b, {n, frame}, first, end));
    }
    return best;
  }

  /// A direction now, and the body that it turns with, if any.
  struct Direction {
    Vec3 n;
    const Flight* frame;
  };

  double separation_at(const MovingPiece& a, const MovingPiece& b, const Direction& d,
                       double time) const {
    const Pose pose_a = a_.pose(time), pose_b = b_.pose(time);
    if (d.frame == nullptr) return separation(a, b, d.n, pose_a, pose_b);
    const bool first = d.frame == &a_;
    const Vec3 local = (first ? pose_a_ : pose_b_).direction_to_local(d.n);
    return separation(a, b, (first ? pose_a : pose_b).direction_to_world(local), pose_a, pose_b);
  }

  /// Bound of the second derivative of n . (y - x) for points x of A and y of B: of a direction
  /// that turns with a body, by the product rule, the points of that body standing still.
  double bend(const MovingPiece& a, const MovingPiece& b, const Direction& d) const {
    const Vec3 acceleration = b_.acceleration() - a_.acceleration();
    if (d.frame == nullptr)
      return dot(d.n, acceleration) + (a.reach() * a_.bend() + b.reach() * b_.bend()) * kSafe;
    const bool first = d.frame == &a_;
    const Flight& other = first ? b_ : a_;
    const double reach = first ? b.reach() : a.reach();
    const double length = end_ - time_;
    const double speed =
        norm(b_.velocity(time_) - a_.velocity(time_)) + norm(acceleration) * length;
    const double apart = norm(b_.position(time_) - a_.position(time_)) + speed * length;
    const double spin = d.frame->spin();
    return (d.frame->bend() * apart + 2.0 * spin * speed + norm(acceleration) +
            (d.frame->bend() + 2.0 * spin * other.spin() + other.bend()) * reach) *
           kSafe;
  }

  /// How long both pieces stay apart along a direction, or when the bodies are leaving, as far
  /// apart as now. `first`: their separation now.
  double follow(const MovingPiece& a, const MovingPiece& b, const Direction& n, double first,
                double end) const {
    // Bodies arrive before their gap is none, so that its direction is known.
    const double arrival = 0.25 * touching_;
    double floor = leaving_ && first <= touching_ ? first - arrival : arrival;
    double now = first - floor;
    if (!(now > 0.0)) return time_;
    const double most = bend(a, b, n);
    // The other bound, of a parabola that surely lies below.
    const double least =
        2.0 * dot(n.n, b_.acceleration() - a_.acceleration()) * (n.frame == nullptr ? 1.0 : 0.0) -
        most;
    double approach = std::max(-dot(n.n, b_.velocity(time_) - a_.velocity(time_)) +
                                   a_.spin() * a.reach() + b_.spin() * b.reach(),
                               0.0);
    double time = time_;
    for (int i = 0; i < kLooks; ++i) {
      const double left = end - time;
      const double length = first_zero(now, -approach, least, left);
      const double next = length < left ? time + length : end;
      if (!(next > time)) break;
      const double then = separation_at(a, b, n, next) - floor;
      const double proved = apart_for(now, then, next - time, most);
      if (!(time + proved > time)) break;
      const bool whole = !(proved < next - time);
      const double reached = whole ? next : time + proved;
      if (reached >= end) return end;
      if (!whole && proved >= kPoor * (next - time)) return reached;
      const double there = whole ? then : separation_at(a, b, n, reached) - floor;
      if (!(there > 0.0)) return reached;
      approach = std::max((now - there) / (reached - time), 0.0);
      time = reached;
      now = there;
      if (floor < arrival && now + floor > touching_) {
        now -= arrival - floor;
        floor = arrival;
      }
    }
    return time;
  }

  /// First zero of first + slope t + bend t^2 / 2 in (0, length], or `length`; first > 0.
  static double first_zero(double first, double slope, double bend, double length) {
    const double square = slope * slope - 2.0 * bend * first;
    if (square < 0.0) return length;
    const double root = std::sqrt(square);
    double zero = 0.0;
    if (slope < 0.0) {
      zero = 2.0 * first / (root - slope);
    } else if (bend < 0.0) {
      zero = (root + slope) / -bend;
    } else {
      return length;
    }
    return std::min(zero * kEarlier, length);
  }

  /// The separation is `first` now and `then` a time `length` later, and less half of `bend` times
  /// t^2 it is concave: how long it is positive for sure.
  static double apart_for(double first, double then, double length, double bend) {
    return first_zero(first, (then - first) / length - 0.5 * bend * length, bend, length);
  }

  void look_at_surfaces(const BodyPart& a, const BodyPart& b, QueryCache& cache);
  bool near_triangles(const BodyPart& a, const BodyPart& b, double within);
  bool near_triangles_of_one(const BodyPart& mesh, const Pose& pose_mesh, const BodyPart& body,
                             const Pose& pose_body, bool mesh_first, double within);

  struct Near {
    MovingPiece a, b;
    Vec3 n;
    double gap;
  };

  const Flight& a_;
  const Flight& b_;
  double time_, end_;
  bool leaving_;
  double touching_;
  Pose pose_a_, pose_b_;
  double speed_ = 0.0;  ///< no two points of the bodies come nearer faster
  PairLook look_;
  std::vector<Near> near_;
};

void Looker::look_at_surfaces(const BodyPart& a, const BodyPart& b, QueryCache& cache) {
  const DistanceResult d = measure(a, b, cache);
  const double gap = d.lower;
  if (!leaving_ && !(gap > touching_)) {
    meet(gap, time_);
    return;
  }
  const double size = std::min(a_.body().size(), b_.body().size());
  const double base = std::max(gap, 0.0);
  double within = base + std::min(kReach * size, speed_ * (end_ - time_)) + touching_;
  while (!near_triangles(a, b, within)) {
    within = base + 0.25 * (within - base);
    if (within - base <= touching_) {
      meet(gap, after(base));
      return;
    }
  }
  double next = after(within);
  for (const Near& pair : near_) {
    double best = time_;
    for (const Vec3& n : {pair.n, d.normal}) {
      if (n == Vec3{} || best >= next) continue;
      const double now = separation(pair.a, pair.b, n, pose_a_, pose_b_);
      // Only a direction in which the pieces are apart, or which is that of their contact.
      if (now > touching_ || pair.n == Vec3{} || now >= pair.gap - 0.25 * touching_)
        best = std::max(best, follow_best(pair.a, pair.b, n, now, next));
    }
    next = std::min(next, best);
  }
  meet(gap, next);
}

bool Looker::near_triangles(const BodyPart& a, const BodyPart& b, double within) {
  near_.clear();
  const Pose pose_a = pose_a_ * a.in_body(), pose_b = pose_b_ * b.in_body();
  if (!is_surface(b.shape())) return near_triangles_of_one(a, pose_a, b, pose_b, true, within);
  if (!is_surface(a.shape())) return near_triangles_of_one(b, pose_b, a, pose_a, false, within);
  const bvh::MeshView view_a = view_of(a.mesh()), view_b = view_of(b.mesh());
  const Pose b_in_a = relative(pose_a, pose_b);
  const Vec3 between =
      (b_in_a.position() - view_a.tree.middle()) + b_in_a.rotation() * view_b.tree.middle();
  const bvh::Placement placement(b_in_a.rotation(), between, view_a.tree.reach(),
                                 view_b.tree.reach());
  return bvh::visit_near_leaves(view_a.tree, view_b.tree, placement, within,
                                [&](const bvh::TrianglePair& pair) {
                                  if (near_.size() >= kMostPairs) {
                                    near_.clear();
                                    return false;
                                  }
                                  const MovingPiece piece_a(a, pair.a), piece_b(b, pair.b);
                                  const TriangleDistance d = triangle_to_triangle(
                                      piece_a.placed(pose_a_), piece_b.placed(pose_b_));
                                  if (d.distance <= within)
                                    near_.push_back({piece_a, piece_b, d.n, d.distance});
                                  return true;
                                }) &&
         !near_.empty();
}

bool Looker::near_triangles_of_one(const BodyPart& mesh, const Pose& pose_mesh,
                                   const BodyPart& body, const Pose& pose_body, bool mesh_first,
                                   double within) {
  const MeshAndBody pair(mesh.mesh(), pose_mesh, body.shape(), pose_body);
  std::vector<TriangleAnswer> found;
  MeshAndBody::Options options;
  options.leaf.tolerance = kTight;
  options.near = &found;
  options.within = within;
  options.most = kMostPairs;
  const MeshSearchResult r = pair.search(options);
  if (!r.all_listed || found.empty()) return false;
  for (const TriangleAnswer& t : found) {
    const Vec3 n = pose_mesh.direction_to_world(t.answer.n);
    const MovingPiece triangle(mesh, t.triangle), convex(body);
    if (mesh_first) {
      near_.push_back({triangle, convex, n, t.answer.lower});
    } else {
      near_.push_back({convex, triangle, -n, t.answer.lower});
    }
  }
  return true;
}

}  // namespace

double touching_gap(const Body& a, const Body& b) {
  const bool surfaces = holds_surface(a.shape()) || holds_surface(b.shape());
  const double size = std::min(a.size(), b.size());
  const double place = max_abs((std::isfinite(a.size()) ? a : b).center_of_mass());
  return (surfaces ? kTouchingSurfaces : kTouching) * size + kTouchingPlace * place;
}

PairLook look(const Flight& a, std::span<const BodyPart> parts_a, const Flight& b,
              std::span<const BodyPart> parts_b, double time, double end, bool leaving,
              QueryCache& cache) {
  Looker looker(a, b, time, end, leaving, touching_gap(a.body(), b.body()));
  const bool bounded = std::isfinite(a.body().radius()) && std::isfinite(b.body().radius());
  if (!bounded || !looker.far()) looker.look_at_all(parts_a, parts_b, cache);
  return looker.answer();
}

}  // namespace tactus::detail
