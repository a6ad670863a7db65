#include "tactus/narrow/face_proof.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/curvature.hpp"

namespace tactus {
namespace {

// Halvings of one triangle.
constexpr int kMostHalvings = 48;
// Cosine between the centre of a piece and its corners from which on the piece is looked at whole.
constexpr double kWidest = 0.5;

struct Pair2 {
  double x = 0.0, y = 0.0;
  friend Pair2 operator-(const Pair2& a, const Pair2& b) { return {a.x - b.x, a.y - b.y}; }
};
double dot(const Pair2& a, const Pair2& b) { return a.x * b.x + a.y * b.y; }

// value + slope.x + x.form x / 2
struct Quadratic {
  double value = 0.0;
  Pair2 slope;
  TangentForm form;

  Pair2 times(const Pair2& x) const {
    return {form.xx * x.x + form.xy * x.y, form.xy * x.x + form.yy * x.y};
  }
  double at(const Pair2& x) const { return value + dot(slope, x) + 0.5 * dot(x, times(x)); }

  // Its least value on a triangle.
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
    for (int i = 0; i < 3; ++i) {
      const Pair2 along = x[i == 2 ? 0 : i + 1] - x[i], to = foot - x[i];
      if (along.x * to.y - along.y * to.x < 0.0) return least;
    }
    return std::min(least, value + 0.5 * dot(slope, foot));
  }
};

struct Piece {
  Vec3 n[3];
  int halvings;
};

// Length of the norm |M v| of a smooth piece; v in the body's frame.
double length_of(const Core& core, const Vec3& v) {
  if (core.kind == CoreKind::ellipsoid) return norm(component_product(core.half, v));
  return core.half.x * std::sqrt(v.x * v.x + v.y * v.y);
}

// The norm of one body about the direction frame.n, on the triangle frame.n + x: second-order term
// of its lower bound.
void add_curvature(const Core& core, Core::Piece piece, const TangentFrame& frame,
                   const Vec3 corner[3], TangentForm& form) {
  if (!core.is_smooth(piece)) return;
  const PieceCurvature c = piece_curvature(core, piece, frame);
  if (!(c.length > 0.0)) return;
  const Vec3 gradient = core.kind == CoreKind::ellipsoid
                            ? c.point + frame.n * core.shrink
                            : Vec3{c.point.x, c.point.y, 0.0};
  double most = 0.0;
  for (int j = 0; j < 3; ++j)
    most = std::max(most, length_of(core, corner[j]) + dot(gradient, corner[j]));
  if (most > 0.0) form += c.form * (2.0 * c.length / most);
}

enum class Verdict : std::uint8_t { proved, open, false_claim };

Verdict look(const Cso& cso, const Piece& piece, const FaceProof& proof) {
  const Vec3 sum = piece.n[0] + piece.n[1] + piece.n[2];
  const TangentFrame frame(normalized(sum));
  Pair2 x[3];
  Vec3 corner[3], corner_b[3];
  for (int j = 0; j < 3; ++j) {
    const double along = dot(frame.n, piece.n[j]);
    if (!(along >= kWidest)) return Verdict::open;
    corner[j] = piece.n[j] * (1.0 / along);
    corner_b[j] = -transpose_times(cso.rotation, corner[j]);
    x[j] = {dot(frame.x, corner[j]), dot(frame.y, corner[j])};
  }
  const SupportPoint p = cso.support(frame.n);
  const double height = dot(frame.n, p.w);
  if (height < proof.level) return Verdict::false_claim;
  Quadratic q;
  const double needed = proof.level + cso.a.shrink + cso.b.shrink;
  q.value = height - proof.level;
  q.slope = {dot(frame.x, p.w), dot(frame.y, p.w)};
  add_curvature(cso.a, p.piece_a, frame, corner, q.form);
  add_curvature(cso.b, p.piece_b, frame.seen_by_b(cso), corner_b, q.form);
  q.form.xx -= needed;
  q.form.yy -= needed;
  return q.least(x) >= 0.0 ? Verdict::proved : Verdict::open;
}

bool in_cap(const Piece& piece, FaceProof& proof) {
  for (int i = 0; i < proof.cap_count; ++i) {
    const Cap& cap = proof.caps[i];
    bool inside = true;
    for (const Vec3& n : piece.n) inside = inside && dot(cap.n, n) >= cap.cosine;
    if (!inside) continue;
    proof.lower = std::min(proof.lower, cap.lower);
    return true;
  }
  return false;
}

bool held(const Piece& piece, const Vec3* const corner[3], double level) {
  for (int i = 0; i < 3; ++i) {
    bool above = true;
    for (const Vec3& n : piece.n) above = above && dot(*corner[i], n) >= level;
    if (above) return true;
  }
  return false;
}

}  // namespace

bool prove_face(const Cso& cso, const Vec3* const corner[3], FaceProof& proof) {
  Piece open[kMostHalvings + 1];
  int count = 0;
  Piece& whole = open[count++];
  for (int i = 0; i < 3; ++i) whole.n[i] = normalized(*corner[i]);
  whole.halvings = 0;
  while (count > 0) {
    const Piece piece = open[--count];
    if (proof.budget-- <= 0) return false;
    if (held(piece, corner, proof.level) || in_cap(piece, proof)) continue;
    const Verdict verdict = look(cso, piece, proof);
    if (verdict == Verdict::proved) continue;
    if (verdict == Verdict::false_claim || piece.halvings == kMostHalvings) return false;
    int longest = 0;
    double least = 2.0;
    for (int i = 0; i < 3; ++i) {
      const double cosine = dot(piece.n[i], piece.n[i == 2 ? 0 : i + 1]);
      if (cosine < least) {
        least = cosine;
        longest = i;
      }
    }
    const int next = longest == 2 ? 0 : longest + 1, other = 3 - longest - next;
    const Vec3 middle = normalized(piece.n[longest] + piece.n[next]);
    open[count++] = {{middle, piece.n[next], piece.n[other]}, piece.halvings + 1};
    open[count++] = {{piece.n[longest], middle, piece.n[other]}, piece.halvings + 1};
  }
  return true;
}

}  // namespace tactus
