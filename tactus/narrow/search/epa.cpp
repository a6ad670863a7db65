#include "tactus/narrow/search/epa.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/search/polish.hpp"

namespace tactus::detail {
namespace {

// The second-order finish starts once a face's bracket is below this fraction of the pair's size.
constexpr double kPolishGap = 0.01;
// The finish is repeated from its own result at most this often.
constexpr int kPolishRounds = 3;
// Witnesses that miss distance * normal by more roundings than this are searched for again.
constexpr double kResidual = 3.0;
// Roundings added to an f that an earlier search has met: the nearest face must stay below.
constexpr double kClear = 4.0;
// Cosine of the angle within which faces are looked at for the witnesses (4.4e-2 rad; the choice is
// by residual).
constexpr double kSamePlane = 0.999;
// Pieces of the sphere that a proof by formulas may look at. It begins when one in kProofAfter of
// the support points allowed has not settled the search.
constexpr int kProofBudget = 2048;
constexpr int kProofAfter = 4;

// How far the witnesses miss value * n.
double missed(const Critical& c) { return norm(c.simplex.closest() - c.n * c.value); }

// Better is a smaller f, but what it gains within rounding is not worth the witnesses.
bool improves(const Critical& c, const Critical& best, double rounding) {
  if (!(c.value <= best.value + rounding)) return false;
  if (c.value < best.value - rounding) return true;
  const double enough = kResidual * rounding;
  const double before = missed(best);
  return c.value < best.value ? missed(c) <= std::max(before, enough)
                              : before > enough && missed(c) < before;
}

}  // namespace

Critical Epa::face_critical(const Face& f, const SupportPoint& extreme, double value) const {
  Critical c;
  c.simplex = surface_.simplex(f);
  c.n = f.normal();
  c.extreme = extreme;
  c.value = value;
  return c;
}

void Epa::take_witness(const Cso& cso, Critical& best) const {
  choose_witness(cso, surface_.vertices(), surface_.vertex_count(), best);
  // A body without known pieces: the triangles themselves.
  if (missed(best) > kResidual * cso.error_bound) take_triangle(best);
}

// The triangle of the surface along best.n that comes nearest to the foot.
void Epa::take_triangle(Critical& best) const {
  for (int i = 0; i < surface_.face_count(); ++i) {
    const Face& f = surface_.face(static_cast<std::uint16_t>(i));
    if (f.alive && f.made && dot(f.normal(), best.n) >= kSamePlane)
      take_nearer(surface_.simplex(f), best);
  }
}

// Is another direction as good? Another facet, another minimum that was met, or a part of the
// sphere that was not searched to the end.
bool Epa::has_rival(const EpaResult& r, double rounding) const {
  for (int i = 0; i < surface_.face_count(); ++i) {
    const Face& f = surface_.face(static_cast<std::uint16_t>(i));
    if (f.alive && !f.capped && f.distance <= r.best.value + rounding &&
        dot(f.normal(), r.best.n) < kSamePlane) {
      return true;
    }
  }
  return caps_.has_rival(r.best.n, kSamePlane, r.best.value + rounding);
}

// Second-order finish of a direction with its witnesses. Where the active pieces change on the way,
// a second start completes it.
int Epa::finish(const Cso& cso, Critical& c) const {
  int iterations = 0;
  for (int round = 0; round < kPolishRounds; ++round) {
    Critical next = polish(cso, c.simplex, c.n);
    iterations += next.iterations;
    take_witness(cso, next);
    if (!improves(next, c, cso.error_bound)) break;
    c = next;
    if (missed(c) <= kResidual * cso.error_bound) break;
  }
  return iterations;
}

// Finishes the search in the direction of a face, keeps the result if it is the least so far, and
// the patch of the sphere that it proves.
Critical Epa::refine(const Cso& cso, const Face& f, EpaResult& r) {
  Critical c;
  c.simplex = surface_.simplex(f);
  c.n = f.normal();
  r.iterations += finish(cso, c);
  if (improves(c, r.best, cso.error_bound)) r.best = c;
  caps_.keep(cso, c, kResidual * cso.error_bound);
  return c;
}

// A direction from an earlier search must be a minimum, with witnesses, or it would stand in the
// way of one that is hardly better.
const Critical* Epa::take_known(const Cso& cso, const Critical* known, EpaResult& r) {
  if (known == nullptr || !(missed(*known) <= kResidual * cso.error_bound)) return nullptr;
  r.best = *known;
  surface_.want_below(r.best.value, cso.error_bound);
  return known;
}

void Epa::prepare(const Cso& cso, const EpaOptions& options) {
  caps_.prepare(options.observer);
  capped_ = false;
  // The nearest face itself must stay in the search, and is no farther where the bodies are known
  // to be convex.
  const bool convex = cso.a.kind != CoreKind::custom && cso.b.kind != CoreKind::custom;
  surface_.prepare(cso, convex ? options.known_below + kClear * cso.error_bound
                               : std::numeric_limits<double>::infinity());
}

EpaResult Epa::run(const Cso& cso, const Simplex& start, const Critical* known,
                   const EpaOptions& options) {
  EpaResult r;
  prepare(cso, options);
  known = take_known(cso, known, r);
  if (!surface_.start(cso, start, r)) return r;
  Best best;
  best.value = r.best.value;
  search(cso, known != nullptr, options, best, r);
  return r;
}

bool Epa::resume(const Cso& cso, const KeptSurface& surface, const Critical* known,
                 const EpaOptions& options, EpaResult& r) {
  prepare(cso, options);
  if (surface.nearest >= surface.used_faces().size() || !surface_.place_vertices(cso, surface))
    return false;
  known = take_known(cso, known, r);
  Best best;
  best.value = r.best.value;
  const std::uint16_t first = surface.nearest;
  SupportPoint p;
  if (known == nullptr) {
    const KeptSurface::Face& kept = surface.faces[first];
    for (const std::uint8_t v : kept.vertex)
      if (v >= surface_.vertex_count()) return false;
    const Face& f = surface_.place_alone(first, kept.vertex);
    if (!(f.distance > 0.0)) return false;
    const Vec3 n = f.normal();
    cso.support(n, p);
    ++r.iterations;
    best.take(f, p, dot(n, p.w));
    surface_.want_below(best.value, cso.error_bound);
  }
  if (!surface_.place_faces(surface)) return false;
  if (known == nullptr && surface_.face(first).distance < surface_.wanted() &&
      !surface_.expand(first, p))
    return false;
  search(cso, known != nullptr, options, best, r);
  // Stuck in a dent: another start may do better. The cap would end that one too.
  return r.outcome == EpaOutcome::converged || r.iterations >= options.max_iterations;
}

// Is the part of the sphere behind the face proved by a cap, or, where `proof` is given, by the
// formulas of f? It is then left out of the search.
bool Epa::settle_unsearched(const Cso& cso, std::uint16_t face, double best_value,
                            FaceProof* proof) {
  const std::array<const Vec3*, 3> corners = surface_.corners(surface_.face(face));
  double lower = 0.0;
  if (!caps_.cover(corners, best_value, lower)) {
    if (proof == nullptr) return false;
    proof->level = best_value - cso.error_bound;
    if (!caps_.prove(cso, corners, *proof, lower)) return false;
  }
  surface_.pass_over(face, lower);
  capped_ = true;
  return true;
}

// `known`: the best of `r` is a minimum.
void Epa::search(const Cso& cso, bool known, const EpaOptions& options, Best& best, EpaResult& r) {
  const double gap = std::max(options.gap, cso.error_bound);
  const bool polytope = cso.is_polytope();
  // A custom support function gives points alone: no second-order step can finish the search.
  const bool curved = !polytope && cso.a.kind != CoreKind::custom && cso.b.kind != CoreKind::custom;
  if (curved && known) caps_.keep(cso, r.best, kResidual * cso.error_bound);
  FaceProof proof;
  if (curved && !options.stop_at_sign) proof.budget = kProofBudget;
  r.outcome = EpaOutcome::iteration_limit;
  while (surface_.make_room()) {
    const std::uint16_t index = surface_.nearest();
    r.lower = surface_.passed_over();
    if (surface_.is_settled(index)) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    const Face& f = surface_.face(index);
    r.lower = std::min(r.lower, f.distance);
    const bool sign_known =
        f.distance > cso.error_bound || best.value < -(options.sign_at + cso.error_bound);
    const bool answered = best.value < std::numeric_limits<double>::infinity();
    if (f.distance >= surface_.wanted() || (options.stop_at_sign && sign_known && answered)) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    if (f.final) {
      r.outcome = EpaOutcome::precision_limit;
      break;
    }
    if (f.distance > 0.0 && surface_.lift(index)) {
      surface_.offer(index);
      continue;
    }
    const bool late = kProofAfter * r.iterations >= options.max_iterations;
    const bool by_formula = late && r.best.simplex.size == 1;
    if (f.distance > 0.0 && (by_formula || !caps_.is_empty()) &&
        settle_unsearched(cso, index, best.value, by_formula ? &proof : nullptr))
      continue;
    const Vec3 n = f.normal();
    // Narrow enough, unless another basin hides in what is left.
    const bool narrow = f.distance >= best.value - gap && (f.distance > 0.0 || best.value <= 0.0);
    if (narrow && (!curved || caps_.is_near(n, kSamePlane) || caps_.is_full())) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    if (r.iterations >= options.max_iterations && answered) break;
    SupportPoint& p = surface_.next_vertex();
    cso.support(n, p);
    ++r.iterations;
    const double value = dot(n, p.w);
    const bool close = value - f.distance <= kPolishGap * cso.size();
    if (curved && (narrow || (value < best.value && close))) {
      const Critical c = refine(cso, f, r);
      if (c.value < best.value) {
        best.value = c.value;
        best.from_face = false;
      }
      if (!f.holds_back(c.extreme.w)) p = c.extreme;
    } else if (value < best.value) {
      best.take(f, p, value);
    }
    surface_.want_below(best.value, cso.error_bound);
    if (options.observer != nullptr) report(cso, f, p, best.value, r.iterations, *options.observer);
    if (f.distance >= surface_.wanted()) {
      surface_.offer(index);
      continue;
    }
    if (!surface_.expand(index, p)) break;
  }
  conclude(cso, options, best, r);
}

// The witnesses of the minimum that was found.
void Epa::conclude(const Cso& cso, const EpaOptions& options, const Best& best, EpaResult& r) {
  if (best.from_face) {
    const Critical c = face_critical(best.face, best.extreme, best.value);
    if (improves(c, r.best, cso.error_bound)) r.best = c;
  }
  const bool polytope = cso.is_polytope();
  const bool beside = !options.stop_at_sign && missed(r.best) > kResidual * cso.error_bound;
  // The foot is in another triangle of the same facet.
  if (beside && polytope) take_triangle(r.best);
  if (!options.stop_at_sign && (missed(r.best) > kResidual * cso.error_bound ||
                                (polytope && r.best.value - r.lower > cso.error_bound))) {
    r.iterations += finish(cso, r.best);
  }
  r.by_caps = capped_;
  r.unique = !has_rival(r, cso.error_bound);
}

// The polytope, then the face that was looked at.
void Epa::report(const Cso& cso, const Face& f, const SupportPoint& p, double least, int iterations,
                 Observer& observer) const {
  const SearchState state{"epa", iterations, -least, -f.distance, cso.a.radius + cso.b.radius};
  std::vector<Vec3> points;
  points.reserve(static_cast<std::size_t>(vertex_count()));
  for (int i = 0; i < vertex_count(); ++i) points.push_back(vertex(i).w);
  std::vector<std::array<std::uint32_t, 3>> faces;
  list_faces(faces);
  observer.polytope({state, points, faces});
  Vec3 corners[3];
  for (std::size_t i = 0; i < 3; ++i) corners[i] = *surface_.corners(f)[i];
  observer.simplex({state, {corners, 3}, p.direction, p.w, p.a, p.b});
}

}  // namespace tactus::detail
