#include "tactus/query/plan/leaf.hpp"

#include <cmath>
#include <new>

#include "tactus/narrow/difference/cso.hpp"
#include "tactus/narrow/formula/closed_form.hpp"
#include "tactus/narrow/pair/manifold.hpp"
#include "tactus/query/plan/convex.hpp"
#include "tactus/query/plan/pair_context.hpp"
#include "tactus/query/plan/range.hpp"
#include "tactus/query/plan/write_answer.hpp"

namespace tactus::detail {
namespace {

// Answer of a pair that its leaf leaves open, by the way of every query.
[[gnu::noinline]] DistanceResult answer_at_length(const Shape& a, const Pose& pose_a,
                                                  const Shape& b, const Pose& pose_b,
                                                  const QueryOptions& options) {
  DistanceResult r;
  if (is_finite(pose_a, pose_b)) {
    answer_convex({{a, pose_a}, {b, pose_b}, options}, r);
  } else {
    r.status = Status::invalid_input;
  }
  return r;
}

// The lengths of two grown cores: their sum is in range, which no position that is not finite
// passes.
struct Lengths {
  Vec3 translation;
  double rounding;
  bool in_range;

  Lengths(const Core& a, const Pose& pose_a, const Core& b, const Pose& pose_b,
          double roundings = kLeafRoundings)
      : translation(pose_b.position() - pose_a.position()) {
    const double distance =
        std::fabs(translation.x) + std::fabs(translation.y) + std::fabs(translation.z);
    const double size = a.reach + a.radius + b.reach + b.radius + distance;
    rounding = roundings * kUnit * size;
    in_range = size >= kLeastLength && size <= kMostLength;
  }
};

// Witnesses of the bodies in the world, of a form that is in world axes, seen from A's origin.
[[gnu::always_inline]] inline Vec3 witness_a(const Vec3& origin, const Core& a,
                                             const ClosedForm& f) {
  return origin + (f.a + f.n * a.radius);
}
[[gnu::always_inline]] inline Vec3 witness_b(const Vec3& origin, const Core& b,
                                             const ClosedForm& f) {
  return origin + (f.b - f.n * b.radius);
}

// The answer of such a form.
[[gnu::always_inline]] inline DistanceResult place(const Pose& pose_a, const Core& core_a,
                                                   const Core& core_b, const ClosedForm& f,
                                                   double rounding) {
  const double distance = f.value - (core_a.radius + core_b.radius);
  const Vec3& origin = pose_a.position();
  return {distance,
          distance - rounding,
          distance + rounding,
          f.n,
          witness_a(origin, core_a, f),
          witness_b(origin, core_b, f),
          Status::converged,
          Method::closed_form,
          f.unique,
          false,
          1};
}

// Its patch of one point. From the form: what has just been written would be waited for.
[[gnu::always_inline]] inline void put_witness(const Vec3& origin, const Core& a, const Core& b,
                                               const ClosedForm& f, Manifold& out) {
  const Vec3 n = f.n, point_a = witness_a(origin, a, f), point_b = witness_b(origin, b, f);
  out.normal = n;
  out.count = 1;
  out.part_a = out.part_b = -1;
  out.points[0] = {point_a, point_b, dot(n, point_a - point_b), kWitnessFeature};
}

}  // namespace

namespace leaves {

// The forms of the leaves' pairs: false where one decides nothing. `kRoundings` as in
// `roundings_of`; a `kLone` pair touches at its witnesses alone.

struct Spheres {
  static constexpr bool kLone = true;
  static double roundings(const Core&, const Core&) { return kLeafRoundings; }
  static bool find(const Shape&, const Pose&, const Shape&, const Pose&, const Lengths& lengths,
                   ClosedForm& f) {
    const Vec3& gap = lengths.translation;
    const double length = norm(gap);
    if (!(length > kZero * lengths.rounding)) return false;
    f = {length, gap * (1.0 / length), {}, gap, length > lengths.rounding};
    return true;
  }
};

// A ball whose centre is outside of the box; B is the box unless `Mirrored`.
template <bool Mirrored>
struct SphereBesideBox {
  static constexpr bool kLone = true;
  static double roundings(const Core&, const Core&) { return kLeafRoundings; }
  static bool find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const Lengths& lengths, ClosedForm& f) {
    const Core& box = Mirrored ? core_of(a) : core_of(b);
    return point_beside_box<Mirrored>(Mirrored ? pose_a.rotation() : pose_b.rotation(), box.half,
                                      lengths.translation, lengths.rounding, f);
  }
};

struct SphereAndBox : SphereBesideBox<false> {};
struct BoxAndSphere : SphereBesideBox<true> {};

struct Capsules {
  static constexpr bool kLone = false;
  static double roundings(const Core&, const Core&) { return kLeafRoundings; }
  static bool find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const Lengths& lengths, ClosedForm& f) {
    f.unique = true;
    nearest_on_segments(pose_a.rotation().column(2), core_of(a).half.z, lengths.translation,
                        pose_b.rotation().column(2), core_of(b).half.z, lengths.rounding, f);
    return std::isfinite(((f.a.x + f.b.x) + f.n.x) + f.value);
  }
};

// Any pair with a closed form.
struct AnyForm {
  static constexpr bool kLone = false;
  static double roundings(const Core&, const Core&) { return kLeafRoundings; }
  static bool find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const Lengths& lengths, ClosedForm& f) {
    if (!closed_form({core_of(a), pose_a.rotation(), core_of(b), pose_b.rotation(),
                      lengths.translation, lengths.rounding},
                     f)) {
      return false;
    }
    // A rotation's entry that is not finite makes the answer so, or does not matter.
    const Vec3 sum = (f.a + f.b) + f.n;
    return std::isfinite(((sum.x + sum.y) + sum.z) + f.value);
  }
};

struct SphereAndRound : AnyForm {
  static constexpr bool kLone = true;
  static double roundings(const Core& a, const Core& b) { return roundings_of(a, b); }
};

}  // namespace leaves

namespace {

// Edges or faces touch. Set apart, so that the witness alone keeps nothing for it.
[[gnu::noinline]] void clip_patch(const PairContext& pair, const ClosedForm& f,
                                  std::span<Manifold> out, ContactsResult& r) {
  ManifoldSink sink(out);
  fill_formula_extras({pair.a, pair.b, pair.options, Ask::distance, nullptr, &sink}, f, r.distance);
  r.manifolds = sink.count;
  r.truncated = sink.truncated;
}

}  // namespace

template <class Pair>
DistanceResult LeafOf<Pair>::answer(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b, const QueryOptions& options) {
  const Core &core_a = core_of(a), &core_b = core_of(b);
  const Lengths lengths(core_a, pose_a, core_b, pose_b, Pair::roundings(core_a, core_b));
  FormPlace made;
  if (!lengths.in_range || !Pair::find(a, pose_a, b, pose_b, lengths, made.form))
    return answer_at_length(a, pose_a, b, pose_b, options);
  return place(pose_a, core_a, core_b, made.form, lengths.rounding);
}

template <class Pair>
bool LeafOf<Pair>::touch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const QueryOptions& options, std::span<Manifold> out, ContactsResult& r) {
  const Core &core_a = core_of(a), &core_b = core_of(b);
  const Lengths lengths(core_a, pose_a, core_b, pose_b, Pair::roundings(core_a, core_b));
  FormPlace made;
  if (!lengths.in_range || !Pair::find(a, pose_a, b, pose_b, lengths, made.form)) return false;
  const ClosedForm& f = made.form;
  ::new (static_cast<void*>(&r)) ContactsResult{place(pose_a, core_a, core_b, f, lengths.rounding)};
  const double distance = f.value - (core_a.radius + core_b.radius);
  if (!(distance <= options.margin)) return true;
  if (!Pair::kLone && !is_lone_witness(core_a, pose_a.rotation(), core_b, pose_b.rotation(), f.n,
                                       (distance + lengths.rounding) - distance)) {
    if (!is_finite(pose_a, pose_b)) return false;
    clip_patch({{a, pose_a}, {b, pose_b}, options}, f, out, r);
    return true;
  }
  r.truncated = out.empty();
  if (out.empty()) return true;
  r.manifolds = 1;
  put_witness(pose_a.position(), core_a, core_b, f, out[0]);
  return true;
}

template struct LeafOf<leaves::Spheres>;
template struct LeafOf<leaves::SphereAndBox>;
template struct LeafOf<leaves::BoxAndSphere>;
template struct LeafOf<leaves::Capsules>;
template struct LeafOf<leaves::AnyForm>;
template struct LeafOf<leaves::SphereAndRound>;

bool leaf_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   double threshold, std::span<Manifold> out, ContactsResult& r) {
  const DistanceResult& found = r.distance;
  if (found.method != Method::closed_form) return false;
  if (!(found.distance <= threshold)) return true;
  if (!is_lone_witness(core_of(a), pose_a.rotation(), core_of(b), pose_b.rotation(), found.normal,
                       found.upper - found.distance))
    return false;
  if (out.empty()) {
    r.truncated = true;
    return true;
  }
  put_witness(found, out[0]);
  r.manifolds = 1;
  return true;
}

}  // namespace tactus::detail
