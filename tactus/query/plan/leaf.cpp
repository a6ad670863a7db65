#include "tactus/query/plan/leaf.hpp"

#include <cmath>

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

// The answer of a form that is in world axes, seen from A's origin: n and the witnesses a, b of the
// cores.
[[gnu::always_inline]] inline DistanceResult place(const Pose& pose_a, const Core& core_a,
                                                   const Core& core_b, const ClosedForm& f,
                                                   double rounding) {
  const double distance = f.value - (core_a.radius + core_b.radius);
  const Vec3& origin = pose_a.position();
  return {distance,
          distance - rounding,
          distance + rounding,
          f.n,
          origin + (f.a + f.n * core_a.radius),
          origin + (f.b - f.n * core_b.radius),
          Status::converged,
          Method::closed_form,
          f.unique,
          false,
          1};
}

// A ball whose centre is outside of the box; B is the box unless `Mirrored`.
template <bool Mirrored>
[[gnu::always_inline]] inline DistanceResult sphere_and_box(const Shape& a, const Pose& pose_a,
                                                            const Shape& b, const Pose& pose_b,
                                                            const QueryOptions& options) {
  const Core &core_a = a.core(), &core_b = b.core();
  const Lengths lengths(core_a, pose_a, core_b, pose_b);
  const Core& box = Mirrored ? core_a : core_b;
  FormPlace made;
  if (!lengths.in_range ||
      !point_beside_box<Mirrored>(Mirrored ? pose_a.rotation() : pose_b.rotation(), box.half,
                                  lengths.translation, lengths.rounding, made.form)) {
    return answer_at_length(a, pose_a, b, pose_b, options);
  }
  return place(pose_a, core_a, core_b, made.form, lengths.rounding);
}

// The form of any of these pairs. False where it decides nothing.
[[gnu::always_inline]] inline bool find_form(const Shape& a, const Pose& pose_a, const Shape& b,
                                             const Pose& pose_b, const Lengths& lengths,
                                             ClosedForm& f) {
  if (!lengths.in_range || !closed_form({a.core(), pose_a.rotation(), b.core(), pose_b.rotation(),
                                         lengths.translation, lengths.rounding},
                                        f)) {
    return false;
  }
  // A rotation's entry that is not finite makes the answer so, or does not matter.
  const Vec3 sum = (f.a + f.b) + f.n;
  return std::isfinite(((sum.x + sum.y) + sum.z) + f.value);
}

// By the closed form of any pair.
[[gnu::always_inline]] inline DistanceResult by_form(const Shape& a, const Pose& pose_a,
                                                     const Shape& b, const Pose& pose_b,
                                                     const QueryOptions& options,
                                                     double roundings) {
  const Core &core_a = a.core(), &core_b = b.core();
  const Lengths lengths(core_a, pose_a, core_b, pose_b, roundings);
  FormPlace made;
  if (!find_form(a, pose_a, b, pose_b, lengths, made.form))
    return answer_at_length(a, pose_a, b, pose_b, options);
  return place(pose_a, core_a, core_b, made.form, lengths.rounding);
}

}  // namespace

DistanceResult leaf_spheres(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const QueryOptions& options) {
  const Core &core_a = a.core(), &core_b = b.core();
  const Lengths lengths(core_a, pose_a, core_b, pose_b);
  const Vec3& gap = lengths.translation;
  const double length = norm(gap);
  if (!lengths.in_range || !(length > kZero * lengths.rounding))
    return answer_at_length(a, pose_a, b, pose_b, options);
  return place(pose_a, core_a, core_b,
               {length, gap * (1.0 / length), {}, gap, length > lengths.rounding},
               lengths.rounding);
}

DistanceResult leaf_sphere_box(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const QueryOptions& options) {
  return sphere_and_box<false>(a, pose_a, b, pose_b, options);
}

DistanceResult leaf_box_sphere(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const QueryOptions& options) {
  return sphere_and_box<true>(a, pose_a, b, pose_b, options);
}

DistanceResult leaf_capsules(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             const QueryOptions& options) {
  const Core &core_a = a.core(), &core_b = b.core();
  const Lengths lengths(core_a, pose_a, core_b, pose_b);
  if (!lengths.in_range) return answer_at_length(a, pose_a, b, pose_b, options);
  FormPlace made;
  ClosedForm& f = made.form;
  f.unique = true;
  nearest_on_segments(pose_a.rotation().column(2), core_a.half.z, lengths.translation,
                      pose_b.rotation().column(2), core_b.half.z, lengths.rounding, f);
  if (!std::isfinite(((f.a.x + f.b.x) + f.n.x) + f.value))
    return answer_at_length(a, pose_a, b, pose_b, options);
  return place(pose_a, core_a, core_b, f, lengths.rounding);
}

DistanceResult leaf_formula(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const QueryOptions& options) {
  return by_form(a, pose_a, b, pose_b, options, kLeafRoundings);
}

DistanceResult leaf_round(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          const QueryOptions& options) {
  return by_form(a, pose_a, b, pose_b, options, roundings_of(a.core(), b.core()));
}

bool leaf_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   double threshold, std::span<Manifold> out, ContactsResult& r) {
  const DistanceResult& found = r.distance;
  if (found.method != Method::closed_form) return false;
  if (!(found.distance <= threshold)) return true;
  if (!is_lone_witness(a.core(), pose_a.rotation(), b.core(), pose_b.rotation(), found.normal,
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

ContactsResult formula_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b, const QueryOptions& options,
                                std::span<Manifold> out, bool& decided) {
  FormPlace made;
  const Lengths lengths(a.core(), pose_a, b.core(), pose_b);
  decided = find_form(a, pose_a, b, pose_b, lengths, made.form);
  if (!decided) return {};
  ContactsResult r{place(pose_a, a.core(), b.core(), made.form, lengths.rounding)};
  if (leaf_contacts(a, pose_a, b, pose_b, options.margin, out, r)) return r;
  decided = is_finite(pose_a, pose_b);
  if (!decided) return r;
  ManifoldSink sink(out);
  const PairContext pair{{a, pose_a}, {b, pose_b}, options, Ask::distance, nullptr, &sink};
  fill_formula_extras(pair, made.form, r.distance);
  r.manifolds = sink.count;
  r.truncated = sink.truncated;
  return r;
}

}  // namespace tactus::detail
