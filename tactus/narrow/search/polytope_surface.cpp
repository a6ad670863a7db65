#include "tactus/narrow/search/polytope_surface.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/core/uncleared.hpp"
#include "tactus/math/predicates.hpp"

namespace tactus::detail {
namespace {

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

}  // namespace

void PolytopeSurface::prepare(const Cso& cso, double known_below) {
  vertex_count_ = face_count_ = 0;
  unchanged_ = false;
  passed_over_ = std::numeric_limits<double>::infinity();
  known_below_ = known_below;
  want_below(known_below_, cso.error_bound);
  level_margin_ = kDotRounding * cso.error_bound;
  const double reach = cso.size() + std::fabs(cso.translation.x) + std::fabs(cso.translation.y) +
                       std::fabs(cso.translation.z);
  volume_error_ = kVolumeRounding * reach * reach * reach;
}

bool PolytopeSurface::make_room() {
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

// Completes a face that has its corners, and offers it to the search; `across` is the product of
// two edges, `edges` that of their lengths. Far faces, about half of them, need no root and no
// division, and one corner alone: what it loses, the same for all three, is left out of the volume.
inline void PolytopeSurface::place_face(std::uint16_t index, const Vec3& across, double edges,
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
void PolytopeSurface::place_near_face(std::uint16_t index, double square) {
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

void PolytopeSurface::make_face(std::uint16_t index, std::uint16_t a, std::uint16_t b,
                                std::uint16_t c) {
  name_face(index, a, b, c);
  const Vec3& wa = points_.item[a];
  const Vec3 ab = points_.item[b] - wa, ac = points_.item[c] - wa;
  place_face(index, cross(ab, ac), length_bound(ab) * length_bound(ac), wa);
}

void PolytopeSurface::want_below(double value, double rounding) {
  const double least = std::min(value, known_below_);
  wanted_ = least - rounding;
  far_ = least + 2.0 * rounding;
}

// Raises the bound of a face's distance to that along the direction of one of its points, which is
// best if the point is the nearest. True when it rises.
bool PolytopeSurface::raise(Face& f, const Vec3& point) const {
  const Vec3 n = normalized(point);
  double height = std::numeric_limits<double>::infinity();
  for (const std::uint16_t v : f.vertex) height = std::min(height, dot(n, points_.item[v]));
  if (!(height > f.distance)) return false;
  f.distance = height;
  return true;
}

bool PolytopeSurface::lift(std::uint16_t face) {
  Face& f = faces_.item[face];
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
void PolytopeSurface::offer(std::uint16_t face) {
  const double distance = faces_.item[face].distance;
  if (distance < wanted_) {
    key_.item[face] = distance;
  } else {
    settle(face, distance);
  }
}

// The face of the least key, the lowest index among equals: a scan of some tens of numbers costs
// less than a heap whose entries outlive their faces.
std::uint16_t PolytopeSurface::nearest() const {
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
bool PolytopeSurface::find_horizon(const Vec3& p, std::uint16_t face) {
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

void PolytopeSurface::remove(std::uint16_t face) {
  faces_.item[face].alive = false;
  key_.item[face] = kSettled;
  removed_.item[removed_count_++] = face;
}

bool PolytopeSurface::insert(const SupportPoint& p, std::uint16_t face) {
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

void PolytopeSurface::pass_over(std::uint16_t face, double lower) {
  passed_over_ = std::min(passed_over_, lower);
  faces_.item[face].capped = true;
  key_.item[face] = kSettled;
}

bool PolytopeSurface::expand(std::uint16_t index, const SupportPoint& p) {
  Face& f = faces_.item[index];
  if (!f.holds_back(p.w)) return insert(p, index);
  // Part of the surface: its own nearest point gives a better bound than the inaccurate normal of a
  // sliver.
  if (f.distance > 0.0) raise(f, simplex(f).closest());
  f.final = true;
  offer(index);
  return true;
}

Simplex PolytopeSurface::simplex(const Face& f) const {
  Simplex s;
  s.size = 3;
  for (int i = 0; i < 3; ++i) s.point[i] = vertices_.item[f.vertex[i]];
  reduce(s);
  return s;
}

}  // namespace tactus::detail
