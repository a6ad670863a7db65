#include "tactus/narrow/search/epa.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/math/predicates.hpp"
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
// Part of Cso::rounding that a dot product of a unit vector and a point of A - B may lose: 8 units
// of 2^-53, of which it takes 4.
constexpr double kDotRounding = 0.125;
// Relative error of the volume of a tetrahedron on the origin, in units of the cube of its largest
// coordinate sum R: its edges are below 2 R, its cross product loses 4 units of 2^-53 of (2 R)^2,
// the product with the third corner 3 more; a margin of two.
constexpr double kVolumeRounding = 64.0 * kUnit;
// Rounding of a cross product of two edges: so many times kDotRounding, relative to the product of
// their lengths.
constexpr double kProductRounding = 2.0;
// Squared norms in this range have neither over- nor underflowed.
constexpr double kLeastSquare = 1e-280, kMostSquare = 1e280;

// Pieces of the sphere that a proof by formulas may look at. It begins when one in kProofAfter of
// the support points allowed has not settled the search.
constexpr int kProofBudget = 2048;
constexpr int kProofAfter = 4;

// No shorter than the vector.
double length_bound(const Vec3& v) { return (std::fabs(v.x) + std::fabs(v.y)) + std::fabs(v.z); }

// The point of a segment nearest to the origin.
Vec3 nearest_on_segment(const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length = squared_norm(ab);
  const double along = -dot(a, ab);
  if (!(along > 0.0)) return a;
  if (along >= length) return b;
  return a + ab * (along / length);
}

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

// Completes a face that has its corners, and offers it to the search; `across` is the product of
// two edges, `edges` that of their lengths. Far faces, about half of them, need no root and no
// division, and one corner alone: what it loses, the same for all three, is left out of the volume.
inline void Epa::place_face(std::uint16_t index, const Vec3& across, double edges,
                            const Vec3& corner) {
  Face& f = faces_.item[index];
  f.made = true;
  f.across = across;
  const double square = squared_norm(across);
  const double volume = dot(across, corner);
  if (is_far(volume, square)) {
    f.scale = 0.0;
    // By its own edges: what large faces may lose would dent the surface at a small one.
    f.level = volume + kProductRounding * level_margin_ * edges;
    settle(index, far_);
    return;
  }
  place_near_face(index, square);
}

// One that may be the nearest.
void Epa::place_near_face(std::uint16_t index, double square) {
  Face& f = faces_.item[index];
  const Vec3& wa = points_.item[f.vertex[0]];
  const Vec3& wb = points_.item[f.vertex[1]];
  const Vec3& wc = points_.item[f.vertex[2]];
  // Any vector gives a lower bound by its least value at the corners, also the inaccurate normal of
  // a sliver.
  double ha = dot(f.across, wa), hb = dot(f.across, wb), hc = dot(f.across, wc);
  double low = std::min(std::min(ha, hb), hc);
  const bool outward = low > volume_error_;
  if (square > kLeastSquare && square < kMostSquare) {
    const double length = std::sqrt(square);
    f.level = std::max(std::max(ha, hb), hc) + level_margin_ * length;
    f.scale = 1.0 / length;
  } else {
    f.across = normalized(f.across);
    f.scale = 1.0;
    ha = dot(f.across, wa);
    hb = dot(f.across, wb);
    hc = dot(f.across, wc);
    low = std::min(std::min(ha, hb), hc);
    f.level = std::max(std::max(ha, hb), hc) + level_margin_;
  }
  f.distance = low * f.scale;
  if (f.distance > 0.0 && !outward && orient3d(wa, wb, wc, Vec3{}) >= 0) f.distance = 0.0;
  offer(index);
}

void Epa::make_face(std::uint16_t index, std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  name_face(index, a, b, c);
  const Vec3& wa = points_.item[a];
  const Vec3 ab = points_.item[b] - wa, ac = points_.item[c] - wa;
  place_face(index, cross(ab, ac), length_bound(ab) * length_bound(ac), wa);
}

void Epa::want_below(double value, double rounding) {
  const double least = std::min(value, known_below_);
  wanted_ = least - rounding;
  far_ = least + 2.0 * rounding;
}

// Raises the bound of a face's distance to that along the direction of one of its points, which is
// best if the point is the nearest. True when it rises.
bool Epa::raise(Face& f, const Vec3& point) const {
  const Vec3 n = normalized(point);
  double height = std::numeric_limits<double>::infinity();
  for (const std::uint16_t v : f.vertex) height = std::min(height, dot(n, points_.item[v]));
  if (!(height > f.distance)) return false;
  f.distance = height;
  return true;
}

// A triangle beside the origin's foot on its plane is farther away than the plane: at its nearest
// edge. True when that is so.
bool Epa::lift(Face& f) const {
  if (f.lifted) return false;
  f.lifted = true;
  Vec3 nearest;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const Vec3& a = points_.item[f.vertex[i]];
    const Vec3& b = points_.item[f.vertex[i == 2 ? 0 : i + 1]];
    if (!(dot(f.across, cross(a, b)) < 0.0)) continue;
    const Vec3 point = nearest_on_segment(a, b);
    const double square = squared_norm(point);
    if (square < least) {
      least = square;
      nearest = point;
    }
  }
  return least < std::numeric_limits<double>::infinity() && raise(f, nearest);
}

// A face that is farther than what is wanted stays out of the search.
void Epa::offer(std::uint16_t face) {
  const double distance = faces_.item[face].distance;
  if (distance < wanted_) {
    key_.item[face] = distance;
  } else {
    settle(face, distance);
  }
}

// The face of the least key, the lowest index among equals: a scan of some tens of numbers costs
// less than a heap whose entries outlive their faces.
std::uint16_t Epa::nearest() const {
  int best = 0;
  double least = key_.item[0];
  for (int i = 1; i < face_count_; ++i) {
    // Without branches: each new least would be a surprise.
    const double key = key_.item[i];
    best = key < least ? i : best;
    least = key < least ? key : least;
  }
  return static_cast<std::uint16_t>(best);
}

// Takes out the faces that p is beyond, from `face` on, and leaves the edges around them in
// counter-clockwise order. False when they do not form one loop (the surface is dented by more than
// rounding allows).
bool Epa::find_horizon(const Vec3& p, std::uint16_t face) {
  // Depth-first walk over the visible faces, each entered by an edge and left by the two others in
  // turn, so that the horizon comes out as a loop.
  Uncleared<std::uint16_t, kMaxFaces> stack;
  constexpr std::uint8_t kNext[3] = {1, 2, 0};
  int edges = 0;
  bool loop = true;
  removed_count_ = 0;
  remove(face);
  for (int i = 0; i < 3; ++i) stack[i] = faces_.item[face].neighbor[2 - i];
  unsigned head = 0;
  int depth = 3;
  while (depth > 0) {
    const std::uint16_t entry = stack[--depth];
    const auto index = static_cast<std::uint16_t>(entry / 4u);
    const unsigned edge = entry % 4u, next = kNext[edge];
    Face& f = faces_.item[index];
    if (!(f.alive && f.made)) {
      if (!f.alive) continue;
      make_face(index, f.vertex[0], f.vertex[1], f.vertex[2]);
    }
    if (f.holds_back(p)) {
      loop &= edges == 0 || f.vertex[next] == head;
      head = f.vertex[edge];
      horizon_.item[edges++] = {f.vertex[next], f.vertex[edge], entry};
    } else {
      remove(index);
      stack[depth++] = f.neighbor[kNext[next]];
      stack[depth++] = f.neighbor[next];
    }
  }
  horizon_count_ = edges;
  return edges >= 3 && loop && horizon_.item[0].tail == head;
}

void Epa::remove(std::uint16_t face) {
  faces_.item[face].alive = false;
  key_.item[face] = kSettled;
  removed_.item[removed_count_++] = face;
}

bool Epa::insert(const SupportPoint& p, std::uint16_t face) {
  if (vertex_count_ == kMaxVertices || !find_horizon(p.w, face)) return false;
  unchanged_ = false;
  const int count = horizon_count_;
  if (face_count_ + count - removed_count_ > face_room_) return false;
  const auto apex = static_cast<std::uint16_t>(vertex_count_++);
  const Vec3 w = p.w;
  if (&p != &vertices_.item[apex]) vertices_.item[apex] = p;
  points_.item[apex] = w;
  // The new faces take the places of those removed, and a few more.
  while (removed_count_ < count)
    removed_.item[removed_count_++] = static_cast<std::uint16_t>(face_count_++);
  const Vec3 first = points_.item[horizon_.item[0].tail] - w;
  const double first_length = length_bound(first);
  Vec3 spoke = first;
  double length = first_length;
  unsigned before = removed_.item[count - 1];
  unsigned added = removed_.item[0];
  for (int i = 0; i < count; ++i) {
    const HorizonEdge edge = horizon_.item[i];
    const bool last = i + 1 == count;
    const unsigned after = removed_.item[last ? 0 : i + 1];
    const Vec3 next = last ? first : points_.item[edge.head] - w;
    const double next_length = last ? first_length : length_bound(next);
    const auto index = static_cast<std::uint16_t>(added);
    Face& f = name_face(index, edge.tail, edge.head, apex);
    f.neighbor[0] = edge.outside;
    f.neighbor[1] = static_cast<std::uint16_t>(4u * after + 2u);
    f.neighbor[2] = static_cast<std::uint16_t>(4u * before + 1u);
    faces_.item[edge.outside / 4u].neighbor[edge.outside % 4u] =
        static_cast<std::uint16_t>(4u * added);
    // By the apex: its coordinates are at hand.
    place_face(index, cross(spoke, next), length * next_length, w);
    spoke = next;
    length = next_length;
    before = added;
    added = after;
  }
  return true;
}

Simplex Epa::face_simplex(const Face& f) const {
  Simplex s;
  s.size = 3;
  for (int i = 0; i < 3; ++i) s.point[i] = vertices_.item[f.vertex[i]];
  reduce(s);
  return s;
}

Critical Epa::face_critical(const Face& f, const SupportPoint& extreme, double value) const {
  Critical c;
  c.simplex = face_simplex(f);
  c.n = f.normal();
  c.extreme = extreme;
  c.value = value;
  return c;
}

void Epa::take_witness(const Cso& cso, Critical& best) const {
  choose_witness(cso, vertices_.item, vertex_count_, best);
  // A body without known pieces: the triangles themselves.
  if (missed(best) > kResidual * cso.error_bound) take_triangle(best);
}

// The triangle of the surface along best.n that comes nearest to the foot.
void Epa::take_triangle(Critical& best) const {
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (f.alive && f.made && dot(f.normal(), best.n) >= kSamePlane)
      take_nearer(face_simplex(f), best);
  }
}

// Is another direction as good? Another facet, another minimum that was met, or a part of the
// sphere that was not searched to the end.
bool Epa::has_rival(const EpaResult& r, double rounding) const {
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (f.alive && !f.capped && f.distance <= r.best.value + rounding &&
        dot(f.normal(), r.best.n) < kSamePlane) {
      return true;
    }
  }
  for (int i = 0; i < cap_count_; ++i) {
    if (caps_[i].lower <= r.best.value + rounding && dot(caps_[i].n, r.best.n) < kSamePlane)
      return true;
  }
  return false;
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
  c.simplex = face_simplex(f);
  c.n = f.normal();
  r.iterations += finish(cso, c);
  if (improves(c, r.best, cso.error_bound)) r.best = c;
  keep_cap(cso, c);
  return c;
}

void Epa::keep_cap(const Cso& cso, const Critical& c) {
  if (cap_count_ == kMaxCaps) return;
  Cap cap = prove_cap(cso, c);
  // A patch whose bound is poor would hide what a finer search finds.
  if (cap.lower < c.value - kResidual * cso.error_bound) {
    cap.cosine = 2.0;
    cap.lower = c.value;
  }
  caps_[cap_count_++] = cap;
  if (observer_ != nullptr && cap.cosine <= 1.0) {
    const SearchState state{"epa", cap_count_, -c.value, -cap.lower};
    observer_->cap({state, cap.n, cap.cosine, cap.lower});
  }
}

// Has the basin around this direction been searched?
bool Epa::near_cap(const Vec3& n) const {
  for (int i = 0; i < cap_count_; ++i) {
    if (dot(n, caps_[i].n) >= kSamePlane) return true;
  }
  return false;
}

// Is the part of the sphere behind the face proved by the patch around a critical direction?
bool Epa::settled_by_cap(Face& f, double level) {
  const Vec3* const corner[3] = {&points_.item[f.vertex[0]], &points_.item[f.vertex[1]],
                                 &points_.item[f.vertex[2]]};
  for (int i = 0; i < cap_count_; ++i) {
    if (!covers(caps_[i], corner, level)) continue;
    passed_over_ = std::min(passed_over_, std::min(level, caps_[i].lower));
    f.capped = capped_ = true;
    return true;
  }
  return false;
}

// Is it proved by the formulas of f? Dearer than some more support points where f rises steeply,
// but not where it is nearly level along one direction.
bool Epa::settled_by_formula(const Cso& cso, Face& f, double best_value, FaceProof& proof) {
  const Vec3* const corner[3] = {&points_.item[f.vertex[0]], &points_.item[f.vertex[1]],
                                 &points_.item[f.vertex[2]]};
  proof.level = best_value - cso.error_bound;
  proof.caps = caps_.data();
  proof.cap_count = cap_count_;
  if (!prove_face(cso, corner, proof)) return false;
  passed_over_ = std::min(passed_over_, std::min(proof.level, proof.lower));
  f.capped = capped_ = true;
  return true;
}

// A direction from an earlier search must be a minimum, with witnesses, or it would stand in the
// way of one that is hardly better.
const Critical* Epa::take_known(const Cso& cso, const Critical* known, EpaResult& r) {
  if (known == nullptr || !(missed(*known) <= kResidual * cso.error_bound)) return nullptr;
  r.best = *known;
  want_below(r.best.value, cso.error_bound);
  return known;
}

bool Epa::make_room() {
  // An apex adds two faces: as many as its edges but for those it takes away.
  constexpr int kAdded = 2;
  if (vertex_count_ < vertex_room_ && face_count_ + kAdded <= face_room_) return true;
  if (vertex_room_ == kMaxVertices) return false;
  const int vertices = 2 * vertex_room_, faces = 2 * face_room_;
  if (!points_.grow(vertices, vertex_count_) || !vertices_.grow(vertices, vertex_count_) ||
      !faces_.grow(faces, face_count_) || !key_.grow(faces, face_count_) ||
      !removed_.grow(faces, 0) || !horizon_.grow(faces, 0)) {
    return false;
  }
  vertex_room_ = vertices;
  face_room_ = faces;
  return true;
}

void Epa::prepare(const Cso& cso, const EpaOptions& options) {
  observer_ = options.observer;
  vertex_count_ = face_count_ = cap_count_ = 0;
  capped_ = unchanged_ = false;
  passed_over_ = std::numeric_limits<double>::infinity();
  // The nearest face itself must stay in the search, and is no farther where the bodies are known
  // to be convex.
  const bool convex = cso.a.kind != CoreKind::custom && cso.b.kind != CoreKind::custom;
  known_below_ = convex ? options.known_below + kClear * cso.error_bound
                        : std::numeric_limits<double>::infinity();
  want_below(known_below_, cso.error_bound);
  level_margin_ = kDotRounding * cso.error_bound;
  const double reach = cso.size() + std::fabs(cso.translation.x) + std::fabs(cso.translation.y) +
                       std::fabs(cso.translation.z);
  volume_error_ = kVolumeRounding * reach * reach * reach;
}

EpaResult Epa::run(const Cso& cso, const Simplex& start, const Critical* known,
                   const EpaOptions& options) {
  EpaResult r;
  prepare(cso, options);
  known = take_known(cso, known, r);
  if (!start_tetrahedron(cso, start, r)) return r;
  Best best;
  best.value = r.best.value;
  search(cso, known != nullptr, options, best, r);
  return r;
}

// A support point of the face joins the surface, or shows that the face is part of A - B's. False
// when the surface cannot take it.
bool Epa::expand(std::uint16_t index, const SupportPoint& p) {
  Face& f = faces_.item[index];
  if (!f.holds_back(p.w)) return insert(p, index);
  // Part of the surface: its own nearest point gives a better bound than the inaccurate normal of a
  // sliver.
  if (f.distance > 0.0) raise(f, face_simplex(f).closest());
  f.final = true;
  offer(index);
  return true;
}

// `known`: the best of `r` is a minimum.
void Epa::search(const Cso& cso, bool known, const EpaOptions& options, Best& best, EpaResult& r) {
  const double gap = std::max(options.gap, cso.error_bound);
  const bool polytope = cso.is_polytope();
  // A custom support function gives points alone: no second-order step can finish the search.
  const bool curved = !polytope && cso.a.kind != CoreKind::custom && cso.b.kind != CoreKind::custom;
  if (curved && known) keep_cap(cso, r.best);
  FaceProof proof;
  if (curved && !options.stop_at_sign) proof.budget = kProofBudget;
  r.outcome = EpaOutcome::iteration_limit;
  while (make_room()) {
    const std::uint16_t index = nearest();
    r.lower = passed_over_;
    if (key_.item[index] == kSettled) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    Face& f = faces_.item[index];
    r.lower = std::min(r.lower, f.distance);
    const bool sign_known =
        f.distance > cso.error_bound || best.value < -(options.sign_at + cso.error_bound);
    const bool answered = best.value < std::numeric_limits<double>::infinity();
    if (f.distance >= wanted_ || (options.stop_at_sign && sign_known && answered)) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    if (f.final) {
      r.outcome = EpaOutcome::precision_limit;
      break;
    }
    if (f.distance > 0.0 && lift(f)) {
      offer(index);
      continue;
    }
    const bool late = kProofAfter * r.iterations >= options.max_iterations;
    if (f.distance > 0.0 &&
        (settled_by_cap(f, best.value) ||
         (late && r.best.simplex.size == 1 && settled_by_formula(cso, f, best.value, proof)))) {
      key_.item[index] = kSettled;
      continue;
    }
    const Vec3 n = f.normal();
    // Narrow enough, unless another basin hides in what is left.
    const bool narrow = f.distance >= best.value - gap && (f.distance > 0.0 || best.value <= 0.0);
    if (narrow && (!curved || near_cap(n) || cap_count_ == kMaxCaps)) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    if (r.iterations >= options.max_iterations && answered) break;
    SupportPoint& p = vertices_.item[vertex_count_];
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
    want_below(best.value, cso.error_bound);
    if (options.observer != nullptr)
      report_face(f, n, p.w, best.value, r.iterations, *options.observer);
    if (f.distance >= wanted_) {
      offer(index);
      continue;
    }
    if (!expand(index, p)) break;
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

void Epa::report_face(const Face& f, const Vec3& n, const Vec3& support, double least,
                      int iterations, Observer& observer) const {
  Vec3 corners[3];
  for (int i = 0; i < 3; ++i) corners[i] = points_.item[f.vertex[i]];
  observer.simplex({{"epa", iterations, -least, -f.distance}, {corners, 3}, n, support});
}

}  // namespace tactus::detail
