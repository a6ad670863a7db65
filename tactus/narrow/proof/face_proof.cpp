#include "tactus/narrow/proof/face_proof.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/curvature.hpp"

namespace tactus::detail {
namespace {

// Pieces of one triangle that are looked at. Of 20,000 triangles that were proved about deep and
// nearly concentric ellipsoids none took more than 63.
constexpr int kMostPieces = 128;
// Least cosine between the centre of a piece and its corners.
constexpr double kWidest = 0.5;
// Rounding of the cosine between two unit vectors.
constexpr double kCosineRounding = 4.0 * kEpsilon;

struct Pair2 {
  double x = 0.0, y = 0.0;
  friend Pair2 operator-(const Pair2& a, const Pair2& b) { return {a.x - b.x, a.y - b.y}; }
};
double dot(const Pair2& a, const Pair2& b) { return a.x * b.x + a.y * b.y; }
double cross(const Pair2& a, const Pair2& b) { return a.x * b.y - a.y * b.x; }

// value + slope.x + x.form x / 2
struct Quadratic {
  double value = 0.0;
  Pair2 slope;
  TangentForm form;

  Pair2 times(const Pair2& x) const {
    return {form.xx * x.x + form.xy * x.y, form.xy * x.x + form.yy * x.y};
  }
  double at(const Pair2& x) const { return value + dot(slope, x) + 0.5 * dot(x, times(x)); }

  // Its least value on a triangle, in either order of the corners.
  double least(const Pair2 x[3]) const {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      const Pair2 along = x[i == 2 ? 0 : i + 1] - x[i];
      const double here = at(x[i]);
      const double bend = dot(along, times(along));
      const double turn = dot(slope, along) + dot(along, times(x[i]));
      least = std::min(least, here);
      if (turn < 0.0 && -turn < bend) least = std::min(least, here - 0.5 * turn * (turn / bend));
    }
    const double determinant = form.xx * form.yy - form.xy * form.xy;
    if (!(determinant > 0.0 && form.xx + form.yy > 0.0)) return least;
    const Pair2 foot{(form.xy * slope.y - form.yy * slope.x) / determinant,
                     (form.xy * slope.x - form.xx * slope.y) / determinant};
    const double area = cross(x[1] - x[0], x[2] - x[0]);
    for (int i = 0; i < 3; ++i) {
      if (area * cross(x[i == 2 ? 0 : i + 1] - x[i], foot - x[i]) < 0.0) return least;
    }
    return std::min(least, value + 0.5 * dot(slope, foot));
  }
};

// A spherical triangle.
struct Piece {
  Vec3 corner[3];  // unit
};

// |M v| of the norm of a smooth piece; v in the body's frame.
double length_of(const Core& core, const Vec3& v) {
  if (core.kind == CoreKind::ellipsoid) return norm(component_product(core.half, v));
  return core.half.x * std::sqrt(v.x * v.x + v.y * v.y);
}

// The part of one body in the second-order term about frame.n (the body's frame), on the plane
// triangle between `reach`.
TangentForm proved_curvature(const Core& core, Core::Piece piece, const TangentFrame& frame,
                             const Vec3 reach[3]) {
  TangentForm form;
  if (!core.is_smooth(piece)) return form;
  const PieceCurvature c = piece_curvature(core, piece, frame);
  if (!(c.length > 0.0)) return form;
  double most = 0.0;
  for (int j = 0; j < 3; ++j)
    most = std::max(most, length_of(core, reach[j]) + dot(c.gradient, reach[j]));
  form = c.form * (2.0 * c.length / most);
  form.xx -= c.form_rounding();
  form.yy -= c.form_rounding();
  return form;
}

enum class Finding : std::uint8_t { proved, open, wrong };

// Does the bound of second order about its centre hold the piece above the level?
Finding examine(const Cso& cso, const Piece& piece, double level) {
  const TangentFrame frame(normalized(piece.corner[0] + piece.corner[1] + piece.corner[2]));
  const SupportPoint p = cso.support(frame.n);
  Quadratic bound;
  bound.value = dot(frame.n, p.w) - level;
  if (bound.value < 0.0) return Finding::wrong;
  // The plane triangle that touches the sphere at the centre.
  Pair2 x[3];
  Vec3 reach[3], reach_b[3];
  for (int j = 0; j < 3; ++j) {
    const double along = dot(frame.n, piece.corner[j]);
    if (!(along >= kWidest)) return Finding::open;
    reach[j] = piece.corner[j] * (1.0 / along);
    reach_b[j] = -transpose_times(cso.rotation, reach[j]);
    x[j] = {dot(frame.x, reach[j]), dot(frame.y, reach[j])};
  }
  bound.slope = {dot(frame.x, p.w), dot(frame.y, p.w)};
  bound.form += proved_curvature(cso.a, p.piece_a, frame, reach);
  bound.form += proved_curvature(cso.b, p.piece_b, frame.seen_by_b(cso), reach_b);
  const double needed = level + cso.a.shrink + cso.b.shrink;
  bound.form.xx -= needed;
  bound.form.yy -= needed;
  return bound.least(x) >= 0.0 ? Finding::proved : Finding::open;
}

bool in_cap(const Piece& piece, FaceProof& proof) {
  for (int i = 0; i < proof.cap_count; ++i) {
    const Cap& cap = proof.caps[i];
    bool inside = true;
    for (const Vec3& n : piece.corner) inside &= dot(cap.n, n) >= cap.cosine + kCosineRounding;
    if (!inside) continue;
    proof.lower = std::min(proof.lower, cap.lower);
    return true;
  }
  return false;
}

// Is one of the points of A - B above the level along the whole piece?
bool is_held(const Piece& piece, const Vec3* const point[3], double level) {
  for (int i = 0; i < 3; ++i) {
    bool above = true;
    for (const Vec3& n : piece.corner) above &= dot(*point[i], n) >= level;
    if (above) return true;
  }
  return false;
}

// Cuts the longest side: one half stays, the other is returned.
Piece cut(Piece& piece) {
  int from = 0;
  double least = 2.0;
  for (int i = 0; i < 3; ++i) {
    const double cosine = dot(piece.corner[i], piece.corner[i == 2 ? 0 : i + 1]);
    if (cosine < least) {
      least = cosine;
      from = i;
    }
  }
  const int to = from == 2 ? 0 : from + 1;
  const Vec3 middle = normalized(piece.corner[from] + piece.corner[to]);
  Piece other = piece;
  piece.corner[to] = middle;
  other.corner[from] = middle;
  return other;
}

}  // namespace

bool holds_to_second_order(const Cso& cso, const Vec3 corner[3], double level) {
  return examine(cso, {{corner[0], corner[1], corner[2]}}, level) == Finding::proved;
}

bool prove_face(const Cso& cso, const Vec3* const corner[3], FaceProof& proof) {
  if (proof.budget < kMostPieces) return false;
  // Without a value: clearing it would cost more than a piece does.
  union Places {
    Places() {}  // NOLINT(modernize-use-equals-default)
    Piece item[kMostPieces + 1];
  } places;
  Piece* const open = places.item;
  int count = 1;
  for (int i = 0; i < 3; ++i) open[0].corner[i] = normalized(*corner[i]);
  for (int looked = 0; count > 0; ++looked) {
    if (looked == kMostPieces) {
      proof.budget /= 2;
      return false;
    }
    --proof.budget;
    Piece& piece = open[count - 1];
    if (is_held(piece, corner, proof.level) || in_cap(piece, proof)) {
      --count;
      continue;
    }
    const Finding finding = examine(cso, piece, proof.level);
    if (finding == Finding::wrong) return false;
    if (finding == Finding::proved) {
      --count;
    } else {
      open[count++] = cut(piece);
    }
  }
  return true;
}

}  // namespace tactus::detail
