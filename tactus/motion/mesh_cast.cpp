#include "tactus/motion/mesh_cast.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/cancellation.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/query/mesh/mesh_search.hpp"
#include "tactus/shape.hpp"
#include "tactus/shape/compound_data.hpp"
#include "tactus/shape/mesh_data.hpp"

namespace tactus::detail {
namespace {

using Tree = bvh::Hierarchy<bvh::OrientedBox>;

// Volumes are of single precision: part of the lengths of the pair, with a margin of ten.
constexpr double kVolumeSlack = 1e-6;
// Rounding of a turned and shifted corner, relative to the lengths that enter it.
constexpr double kRounding = 1e-14;
// Pairs that wait at the same time, and below one of them.
constexpr int kRoom = 1024, kStack = 512;
// Steps towards the time at which a ball meets a box.
constexpr int kBallSteps = 3;
// Pairs of nodes looked at, for each of `max_iterations`.
constexpr std::int64_t kVisits = 2000;

/// A box that is turned; axes as rows.
struct BoxView {
  Vec3 center, half;
  Mat3 axes;
};

BoxView view_of(const bvh::OrientedBox& box) {
  BoxView v;
  for (int i = 0; i < 3; ++i) {
    v.center[i] = static_cast<double>(box.center[i]);
    v.half[i] = static_cast<double>(box.axis[i][3]);
    for (int j = 0; j < 3; ++j) v.axes(i, j) = static_cast<double>(box.axis[i][j]);
  }
  return v;
}

/// A pair of nodes that waits; the bodies' parts in them touch no earlier than `time`.
struct Entry {
  double time;
  std::uint32_t a, b;
  std::int64_t number;  ///< of the entries so far

  // The earliest time comes first: no pair is opened that another order would spare. Of equal
  // times, as all are that overlap at the start, the last entry comes first, which leads down.
  bool operator<(const Entry& other) const {
    return time != other.time ? time > other.time : number < other.number;
  }
};

class Search {
 public:
  Search(const CastBody& a, const CastBody& b, double last, double slack,
         const QueryOptions& options)
      : mesh_a_(std::get<Mesh>(a.shape.geometry())),
        mesh_b_(std::get_if<Mesh>(&b.shape.geometry())),
        core_b_(core_of(b.shape)),
        last_(last),
        nodes_a_(detail::view_of(mesh_a_).tree.nodes().data()),
        nodes_b_(mesh_b_ != nullptr ? detail::view_of(*mesh_b_).tree.nodes().data() : nullptr) {
    const Pose pose = relative(a.pose, b.pose);
    rotation_ = pose.rotation();
    origin_ = pose.position();
    motion_a_ = a.pose.direction_to_local(a.motion);
    motion_b_ = a.pose.direction_to_local(b.motion);
    middle_a_ = detail::view_of(mesh_a_).tree.middle();
    if (mesh_b_ != nullptr) {
      middle_b_ = detail::view_of(*mesh_b_).tree.middle();
      reach_b_ = detail::view_of(*mesh_b_).tree.reach();
    } else {
      const LocalBox box = local_box(b.shape);
      middle_b_ = box.center;
      whole_b_ = {{}, box.half, Mat3::identity()};
      ball_b_ = box.ball;
      reach_b_ = norm(whole_b_.half) + ball_b_;
    }
    between_ = (origin_ - middle_a_) + rotation_ * middle_b_;
    const double size = norm(between_) + detail::view_of(mesh_a_).tree.reach() + reach_b_;
    slack_ = slack + kRounding * (size + norm(middle_a_) + norm(middle_b_));
    wide_ = slack_ + kVolumeSlack * size;
    convex_.tolerance = options.tolerance;
    convex_.max_iterations = options.max_iterations;
    most_visits_ = kVisits * std::max(options.max_iterations, 1);
  }

  // The earliest pair first, so that none is opened that another order would spare; where there is
  // no room for more of them, what is below a pair is searched at once.
  MeshCast run() {
    Entry heap[kRoom];
    int size = 0;
    const auto keep = [&](const Entry& entry) {
      if (size == kRoom) {
        search_below(entry);
      } else {
        heap[size++] = entry;
        std::push_heap(heap, heap + size);
      }
    };
    keep({0.0, 0, 0, 0});
    while (size > 0) {
      std::pop_heap(heap, heap + size);
      const Entry entry = heap[--size];
      Entry child[2];
      const int count = open(entry, child);
      for (int i = 0; i < count; ++i) keep(child[i]);
    }
    return best_;
  }

 private:
  // Depth first, the earlier child first.
  void search_below(const Entry& entry) {
    Entry stack[kStack];
    int size = 0;
    stack[size++] = entry;
    while (size > 0) {
      Entry child[2];
      const int count = open(stack[--size], child);
      if (count == 2 && child[0] < child[1]) std::swap(child[0], child[1]);
      for (int i = count; i-- > 0;) stack[size++] = child[i];
    }
  }

  // The pairs that may touch before all others, below one that waits; a pair of triangles is
  // measured.
  int open(const Entry& entry, Entry child[2]) {
    if (entry.time > std::min(last_, best_.time_upper)) return 0;
    if (++visits_ % kVisitsUnasked == 0 && is_work_cancelled()) most_visits_ = 0;
    if (visits_ > most_visits_) {
      best_.capped = true;
      best_.time = std::min(best_.time, entry.time);
      if (best_.outcome == CastOutcome::miss) best_.outcome = CastOutcome::undecided;
      return 0;
    }
    const bvh::OrientedBox& a = nodes_a_[entry.a];
    const bool leaf_a = Tree::is_leaf(a);
    const bool leaf_b = nodes_b_ == nullptr || Tree::is_leaf(nodes_b_[entry.b]);
    if (leaf_a && leaf_b) {
      measure(Tree::triangle(a), nodes_b_ == nullptr ? 0 : Tree::triangle(nodes_b_[entry.b]));
      return 0;
    }
    const bool split_a = leaf_b || (!leaf_a && a.length() >= nodes_b_[entry.b].length());
    const std::uint32_t halves[2] = {split_a ? entry.a + 1 : entry.b + 1,
                                     split_a ? a.link : nodes_b_[entry.b].link};
    int count = 0;
    for (const std::uint32_t half : halves) {
      Entry next{0.0, split_a ? half : entry.a, split_a ? entry.b : half, ++entries_};
      const double first = first_time(view_of(nodes_a_[next.a]),
                                      nodes_b_ == nullptr ? whole_b_ : view_of(nodes_b_[next.b]));
      next.time = std::max(entry.time, first);
      if (next.time <= std::min(last_, best_.time_upper)) child[count++] = next;
    }
    return count;
  }

  // When the boxes, B's grown by its ball, begin to overlap along A's axes, or come together along
  // the line between them; infinite when they don't.
  double first_time(const BoxView& a, const BoxView& b) const {
    const Vec3 motion = motion_b_ - motion_a_;
    const Vec3 center = between_ + rotation_ * b.center - a.center;
    double first = 0.0, end = last_;
    Vec3 reaches;
    for (int i = 0; i < 3; ++i) {
      const Vec3& axis = a.axes.row[i];
      const Vec3 along = component_abs(b.axes * transpose_times(rotation_, axis));
      reaches[i] = a.half[i] + dot(along, b.half) + wide_;
      const double reach = reaches[i] + ball_b_;
      const double at = dot(axis, center), speed = dot(axis, motion);
      const double error = kVolumeSlack * norm(motion);
      if (std::fabs(at) > reach) {
        const double approach = (at > 0.0 ? -speed : speed) + error;
        if (!(approach > 0.0)) return kInfinity;
        first = std::max(first, (std::fabs(at) - reach) / approach);
      }
      const double leaving = std::fabs(speed) - error;
      if (leaving > 0.0) {
        const double side = speed > 0.0 ? at : -at;
        end = std::min(end, (reach - side) / leaving);
      }
    }
    // A ball comes later to what lies beside its way than a box about it does.
    for (int step = 0; step < kBallSteps && ball_b_ > 0.0; ++step) {
      const Vec3 at = a.axes * (center + motion * first);
      Vec3 gap = component_max(component_abs(at) - reaches, Vec3{});
      const double apart = norm(gap);
      if (!(apart > ball_b_)) break;
      for (int i = 0; i < 3; ++i) gap[i] = std::copysign(gap[i], at[i]);
      const double approach = -dot(gap, a.axes * motion) / apart + kVolumeSlack * norm(motion);
      if (!(approach > 0.0)) return kInfinity;
      first += (apart - ball_b_) / approach;
    }
    // A little earlier, for the rounding of the quotients.
    return first * (1.0 - 1e-14) <= end * (1.0 + 1e-14) ? first * (1.0 - 1e-14) : kInfinity;
  }

  void measure(std::uint32_t i, std::uint32_t j) {
    const auto& ta = mesh_a_.mesh().triangles[i];
    const auto& va = mesh_a_.mesh().vertices;
    const Triangle a{{va[ta[0]] - origin_, va[ta[1]] - origin_, va[ta[2]] - origin_}};
    Triangle b;
    if (mesh_b_ != nullptr) {
      const auto& tb = mesh_b_->mesh().triangles[j];
      for (std::size_t k = 0; k < 3; ++k) b.corner[k] = rotation_ * mesh_b_->mesh().vertices[tb[k]];
    }
    const Pose pose_b = mesh_b_ != nullptr ? Pose() : detail::unchecked_pose(Vec3{}, rotation_);
    const MovingCso moving(core_of(a), Pose(), motion_a_, mesh_b_ != nullptr ? core_of(b) : core_b_,
                           pose_b, motion_b_, slack_);
    const ConvexCast found = cast_convex_pair(moving, std::min(last_, best_.time_upper),
                                              PairFormula::none, convex_, epa_);
    best_.iterations += found.iterations;
    if (found.outcome == CastOutcome::miss) return;
    best_.time_upper = std::min(best_.time_upper, found.time_upper);
    if (found.outcome == CastOutcome::hit || best_.outcome == CastOutcome::miss) {
      best_.outcome = best_.outcome == CastOutcome::hit ? CastOutcome::hit : found.outcome;
    }
    if (found.time < best_.time ||
        (found.time == best_.time && found.answer.distance < best_.distance)) {
      best_.time = found.time;
      best_.distance = found.answer.distance;
      best_.normal = found.answer.n;
      best_.point_a = found.answer.point_a;
      best_.point_b = found.answer.point_b;
      best_.unique = found.answer.unique;
    }
  }

  const Mesh& mesh_a_;
  const Mesh* mesh_b_;
  const Core& core_b_;
  double last_;
  Mat3 rotation_;
  Vec3 origin_, motion_a_, motion_b_, middle_a_, middle_b_, between_;
  BoxView whole_b_;
  double ball_b_ = 0.0;  ///< that B's box is grown by
  double reach_b_ = 0.0, slack_ = 0.0, wide_ = 0.0;
  const bvh::OrientedBox* nodes_a_;
  const bvh::OrientedBox* nodes_b_;
  std::int64_t visits_ = 0, most_visits_ = 0, entries_ = 0;
  ConvexOptions convex_;
  Epa epa_;
  MeshCast best_;
};

}  // namespace

MeshCast cast_surface(const CastBody& a, const CastBody& b, double last, double slack,
                      const QueryOptions& options) {
  return Search(a, b, last, slack, options).run();
}

}  // namespace tactus::detail
