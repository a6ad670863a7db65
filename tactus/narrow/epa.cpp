#include "tactus/narrow/epa.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/math/predicates.hpp"

namespace tactus {
namespace {

// The second-order finish starts once a face's bracket is below this fraction of the pair's size.
constexpr double kPolishGap = 0.03;
// Witnesses that miss distance * normal by more roundings than this are searched for again.
constexpr double kResidual = 4.0;
// Corners of a facet that are tried for the witnesses.
constexpr int kMaxCorners = 12;
// Cosine of the angle within which faces are looked at for the witnesses (4.4e-2 rad; the choice is
// by residual).
constexpr double kSamePlane = 0.999;

}  // namespace

bool Epa::sees(const SupportPoint& p, const Face& f) const {
  return orient3d(vertices_.item[f.vertex[0]].w, vertices_.item[f.vertex[1]].w,
                  vertices_.item[f.vertex[2]].w, p.w) > 0;
}

std::uint16_t Epa::make_face(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  const auto index = static_cast<std::uint16_t>(face_count_++);
  Face& f = faces_.item[index];
  f.vertex[0] = a;
  f.vertex[1] = b;
  f.vertex[2] = c;
  f.alive = true;
  f.final = false;
  const Vec3& wa = vertices_.item[a].w;
  const Vec3& wb = vertices_.item[b].w;
  const Vec3& wc = vertices_.item[c].w;
  // The normal from the two shorter edges: the best conditioned of the three cross products.
  const Vec3 ab = wb - wa, bc = wc - wb, ca = wa - wc;
  const double l_ab = squared_norm(ab), l_bc = squared_norm(bc), l_ca = squared_norm(ca);
  Vec3 normal = cross(ca, ab);
  if (l_ca >= l_ab && l_ca >= l_bc) {
    normal = cross(ab, bc);
  } else if (l_ab >= l_bc) {
    normal = cross(bc, ca);
  }
  f.normal = normalized(normal);
  // Any unit vector gives a lower bound by its least value at the corners, also an inaccurate
  // normal of a sliver.
  f.distance = std::min({dot(f.normal, wa), dot(f.normal, wb), dot(f.normal, wc)});
  return index;
}

void Epa::push(std::uint16_t face) {
  heap_.item[heap_count_++] = {faces_.item[face].distance, face};
  std::push_heap(heap_.item, heap_.item + heap_count_, [](const Candidate& x, const Candidate& y) {
    return x.distance != y.distance ? x.distance > y.distance : x.face > y.face;
  });
}

void Epa::find_horizon(const SupportPoint& p, std::uint16_t face, int first_edge) {
  // Depth-first walk over the visible faces, counter-clockwise, so that the horizon comes out as a
  // loop.
  struct Visit {
    std::uint16_t face;
    int edge, left;
  };
  Storage<Visit, kMaxFaces * 3> stack;
  int depth = 0;
  faces_.item[face].alive = false;
  stack.item[depth++] = {face, first_edge, 3};
  while (depth > 0) {
    Visit& top = stack.item[depth - 1];
    if (top.left == 0) {
      --depth;
      continue;
    }
    const Face& f = faces_.item[top.face];
    const int edge = top.edge;
    top.edge = (top.edge + 1) % 3;
    --top.left;
    const std::uint16_t neighbor = f.neighbor[edge];
    Face& g = faces_.item[neighbor];
    if (!g.alive) continue;
    if (!sees(p, g)) {
      horizon_.item[horizon_count_++] = {f.vertex[edge], f.vertex[(edge + 1) % 3], neighbor};
      continue;
    }
    g.alive = false;
    // Enter by the edge that leads back, and go round from the one after it.
    int back = 0;
    while (g.vertex[back] != f.vertex[(edge + 1) % 3]) ++back;
    stack.item[depth++] = {neighbor, (back + 1) % 3, 2};
  }
}

bool Epa::insert(const SupportPoint& p, std::uint16_t face) {
  if (vertex_count_ == kMaxVertices) return false;
  horizon_count_ = 0;
  const auto apex = static_cast<std::uint16_t>(vertex_count_++);
  vertices_.item[apex] = p;
  find_horizon(p, face, 0);
  if (face_count_ + horizon_count_ > kMaxFaces * 3) return false;
  const int first = face_count_;
  const int count = horizon_count_;
  for (int i = 0; i < count; ++i) {
    const HorizonEdge& edge = horizon_.item[i];
    const std::uint16_t added = make_face(edge.tail, edge.head, apex);
    Face& f = faces_.item[added];
    f.neighbor[0] = edge.outside;
    f.neighbor[1] = static_cast<std::uint16_t>(first + (i + 1) % count);
    f.neighbor[2] = static_cast<std::uint16_t>(first + (i + count - 1) % count);
    Face& outside = faces_.item[edge.outside];
    for (int e = 0; e < 3; ++e) {
      if (outside.vertex[e] == edge.head && outside.vertex[(e + 1) % 3] == edge.tail)
        outside.neighbor[e] = added;
    }
  }
  if (heap_count_ + count > kMaxFaces * 3) return false;
  for (int i = 0; i < count; ++i) push(static_cast<std::uint16_t>(first + i));
  return true;
}

bool Epa::start_tetrahedron(const Cso& cso, const Simplex& start, EpaResult& result) {
  SupportPoint p[4];
  int count = 0;
  // Takes p as the next corner if it is affinely independent of those so far: exactly for the last,
  // beyond rounding before.
  const auto take = [&](const SupportPoint& candidate) {
    if (count == 0 || (count == 1 && norm(candidate.w - p[0].w) > cso.rounding) ||
        (count == 2 && norm(cross(p[1].w - p[0].w, candidate.w - p[0].w)) >
                           cso.rounding * norm(p[1].w - p[0].w)) ||
        (count == 3 && orient3d(p[0].w, p[1].w, p[2].w, candidate.w) != 0)) {
      p[count++] = candidate;
    }
  };
  for (int i = 0; i < start.size; ++i) take(start.point[i]);
  const auto try_both = [&](const Vec3& n) {
    // The farther side first: the fatter tetrahedron.
    const SupportPoint plus = cso.support(n);
    const SupportPoint minus = cso.support(-n);
    result.iterations += 2;
    const bool plus_first =
        std::fabs(dot(n, plus.w - p[0].w)) >= std::fabs(dot(n, minus.w - p[0].w));
    const int before = count;
    take(plus_first ? plus : minus);
    if (count == before) take(plus_first ? minus : plus);
    return count > before;
  };
  Vec3 normal{0.0, 0.0, 1.0};
  if (count == 1) {
    if (!try_both({1.0, 0.0, 0.0}) && !try_both({0.0, 1.0, 0.0})) try_both({0.0, 0.0, 1.0});
  }
  if (count == 2) {
    const Vec3 along = normalized(p[1].w - p[0].w);
    normal = any_perpendicular(along);
    if (!try_both(normal)) {
      const Vec3 other = cross(along, normal);
      if (!try_both(other)) result.unique = false;
    }
  }
  bool volume = false;
  if (count == 3) {
    normal = normalized(cross(p[1].w - p[0].w, p[2].w - p[0].w));
    volume = try_both(normal);
    // A body thinner than rounding has no inside that could be searched.
    if (volume && !(std::fabs(dot(normal, p[3].w - p[0].w)) > cso.rounding)) volume = false;
  } else {
    volume = count == 4;
  }
  if (!volume) {
    const SupportPoint up = cso.support(normal);
    const SupportPoint down = cso.support(-normal);
    result.iterations += 2;
    const bool take_up = dot(normal, up.w) <= -dot(normal, down.w);
    result.outcome = EpaOutcome::flat;
    result.unique = false;  // both sides of a flat obstacle are equally near
    result.best.simplex = start;
    result.best.n = take_up ? normal : -normal;
    result.best.extreme = take_up ? up : down;
    result.best.value = dot(result.best.n, result.best.extreme.w);
    return false;
  }
  // Outward orientation: corner 3 below face (0, 1, 2).
  if (orient3d(p[0].w, p[1].w, p[2].w, p[3].w) > 0) std::swap(p[0], p[1]);
  for (int i = 0; i < 4; ++i) vertices_.item[i] = p[i];
  vertex_count_ = 4;
  make_face(0, 1, 2);
  make_face(0, 3, 1);
  make_face(1, 3, 2);
  make_face(2, 3, 0);
  constexpr std::uint16_t kNeighbor[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int f = 0; f < 4; ++f) {
    for (int e = 0; e < 3; ++e) faces_.item[f].neighbor[e] = kNeighbor[f][e];
    push(static_cast<std::uint16_t>(f));
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

// A face whose support point is not beyond it is part of the surface: its distance is that of the
// triangle itself, which does not suffer from the inaccurate normal of a sliver. The side is
// decided exactly.
void Epa::settle(Face& f) const {
  const double distance = norm(face_simplex(f).closest());
  const bool inside = orient3d(vertices_.item[f.vertex[0]].w, vertices_.item[f.vertex[1]].w,
                               vertices_.item[f.vertex[2]].w, Vec3{}) <= 0;
  f.distance = std::max(f.distance, inside ? distance : -distance);
  f.final = true;
}

// The foot of the origin on the supporting plane lies somewhere in the facet of A - B there, not
// always in the triangle that gave the normal. The facet's corners are among the pieces met so far,
// seen along n: the triangle of them that comes nearest to value * n holds the witnesses.
void Epa::take_witness(const Cso& cso, Critical& best) const {
  const Vec3 target = best.n * best.value;
  double least = norm(best.simplex.closest() - target);
  if (least <= kResidual * cso.rounding) return;
  SupportPoint corner[kMaxCorners];
  int count = 0;
  for (int i = 0; i < vertex_count_ && count < kMaxCorners; ++i) {
    const SupportPoint p = at_direction(cso, vertices_.item[i], best.n);
    bool known = dot(best.n, p.w) < best.value - kResidual * cso.rounding;
    for (int j = 0; j < count && !known; ++j) known = norm(corner[j].w - p.w) <= cso.rounding;
    if (!known) corner[count++] = p;
  }
  const auto consider = [&](Simplex s) {
    reduce(s);
    const double r = norm(s.closest() - target);
    if (r < least) {
      least = r;
      best.simplex = s;
    }
  };
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      for (int k = j + 1; k < count; ++k) {
        Simplex s;
        s.size = 3;
        s.point[0] = corner[i];
        s.point[1] = corner[j];
        s.point[2] = corner[k];
        consider(s);
        if (least <= kResidual * cso.rounding) return;
      }
    }
  }
  // A body without known pieces: the triangles themselves.
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (f.alive && dot(f.normal, best.n) >= kSamePlane) consider(face_simplex(f));
  }
}

bool Epa::has_rival(const EpaResult& r, double rounding) const {
  for (int i = 0; i < face_count_; ++i) {
    const Face& f = faces_.item[i];
    if (f.alive && f.distance <= r.best.value + rounding && dot(f.normal, r.best.n) < 0.999)
      return true;
  }
  return false;
}

EpaResult Epa::run(const Cso& cso, const Simplex& start, const Critical* known,
                   const EpaOptions& options) {
  EpaResult r;
  if (known != nullptr) r.best = *known;
  vertex_count_ = face_count_ = heap_count_ = 0;
  if (!start_tetrahedron(cso, start, r)) return r;
  const double gap = std::max(options.gap, cso.rounding);
  const bool polytope = cso.is_polytope();
  const auto later = [](const Candidate& x, const Candidate& y) {
    return x.distance != y.distance ? x.distance > y.distance : x.face > y.face;
  };
  r.outcome = EpaOutcome::iteration_limit;
  while (heap_count_ > 0) {
    std::pop_heap(heap_.item, heap_.item + heap_count_, later);
    const std::uint16_t index = heap_.item[--heap_count_].face;
    Face& f = faces_.item[index];
    if (!f.alive) continue;
    r.lower = f.distance;
    const bool sign_known = f.distance > cso.rounding || r.best.value < -cso.rounding;
    if (f.distance >= r.best.value - gap ||
        (options.stop_at_sign && sign_known && r.best.simplex.size > 0)) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    if (f.final) {
      r.outcome = EpaOutcome::precision_limit;
      break;
    }
    if (r.iterations >= options.max_iterations && r.best.simplex.size > 0) break;
    const SupportPoint& corner = vertices_.item[f.vertex[2]];
    SupportPoint p = cso.support(f.normal, corner.piece_a, corner.piece_b);
    ++r.iterations;
    const double value = dot(f.normal, p.w);
    if (value < r.best.value) {
      if (!polytope && value - f.distance <= kPolishGap * cso.size()) {
        Critical c = polish(cso, face_simplex(f), f.normal);
        r.iterations += c.iterations;
        if (c.value < r.best.value) r.best = c;
        if (sees(c.extreme, f)) p = c.extreme;
      } else {
        r.best.value = value;
        r.best.n = f.normal;
        r.best.simplex = face_simplex(f);
        r.best.extreme = p;
      }
    }
    if (options.trace != nullptr) {
      TraceStep step;
      step.algorithm = "epa";
      step.iteration = r.iterations;
      step.direction = f.normal;
      step.support = p.w;
      step.simplex_size = 3;
      for (int i = 0; i < 3; ++i) step.simplex[i] = vertices_.item[f.vertex[i]].w;
      step.lower = -r.best.value;
      step.upper = -f.distance;
      options.trace->step(step);
    }
    if (f.distance >= r.best.value - gap) {
      r.outcome = EpaOutcome::converged;
      break;
    }
    if (!sees(p, f)) {
      settle(f);
      push(index);
      continue;
    }
    if (!insert(p, index)) break;
  }
  if (polytope && !options.stop_at_sign) {
    const Critical c = polish(cso, r.best.simplex, r.best.n);
    r.iterations += c.iterations;
    if (c.value <= r.best.value + cso.rounding) r.best = c;
  }
  take_witness(cso, r.best);
  r.unique = !has_rival(r, cso.rounding);
  return r;
}

}  // namespace tactus
