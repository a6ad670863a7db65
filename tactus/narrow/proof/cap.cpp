#include "tactus/narrow/proof/cap.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/core/constants.hpp"
#include "tactus/narrow/difference/curvature.hpp"

namespace tactus::detail {
namespace {

// tan(theta / 2) of the widest patch tried (53 degrees) and of the narrowest; halves are tried
// between.
constexpr double kWidestCap = 0.5;
constexpr double kNarrowestCap = 1e-4;
// Shares of the weights that are tried on one piece, besides none and tan(theta / 2) itself, which
// suits narrow patches. (All of them only where three pieces carry the minimum: two have no growth
// of first order along the edge between them.)
constexpr double kShares[] = {0.1, 0.5, 0.9, 1.0};
// A disc counts as seen along its axis when the sine is below this: four roundings of a direction.
constexpr double kFaceOn = 4.0 * kEpsilon;
// A direction computed below errs by this times the inverse squared sine between the two corners
// that it is made of.
constexpr double kDirectionRounding = 64.0 * kUnit;

// One norm |M n| among the active pieces, weighted.
struct Norm {
  TangentForm form;
  // |M m| <= |M n*| (1 + slope sin(theta) + bend sin^2(theta))
  double slope, bend;
};

struct Growth {
  Norm norm[6];
  int norms = 0;
  TangentForm spread;       // sum w_i p_i p_i^T
  double per_spread = 0.0;  // max_i p_i.t >= per_spread * t.spread t for unit t
  double linear = 0.0;      // first-order growth in every direction
  double needed = 0.0;      // f(n*) + shrink, and the rounding of the forms

  // Quadratic bound from the norms on the patch tan(theta / 2) <= tangent.
  TangentForm of_norms(double tangent) const {
    const double square = 1.0 + tangent * tangent;
    const double sine = 2.0 * tangent / square;
    TangentForm q;
    for (int i = 0; i < norms; ++i)
      q += norm[i].form * (1.0 / (1.0 + sine * (norm[i].slope + norm[i].bend * sine)));
    return q * (1.0 / square);
  }

  // The least eigenvalue of the quadratic bound on that patch, for the share `mu` of the weights
  // that is put on one piece.
  double strength(const TangentForm& from_norms, double tangent, double mu) const {
    TangentForm q = from_norms * (1.0 - mu);
    q += spread * (mu * per_spread / tangent);
    return q.least_eigenvalue() + linear / tangent;
  }
};

double most_eigenvalue(const TangentForm& f) { return f.xx + f.yy - f.least_eigenvalue(); }

// Is the body's disc turned along n (n in the body's frame)?
bool faces(const Core& core, const Vec3& n) {
  return has_disc(core, n.z > 0.0 ? 1 : -1) && std::sqrt(n.x * n.x + n.y * n.y) <= kFaceOn;
}

// Distance of the simplex' witness from the axis of the body.
double off_axis(const Vec3& local) { return std::sqrt(local.x * local.x + local.y * local.y); }

}  // namespace

Cap prove_cap(const Cso& cso, const Critical& critical) {
  Cap cap;
  cap.n = critical.n;
  const Simplex& s = critical.simplex;
  if (s.size < 1 || s.size > 3) return cap;
  const TangentFrame frame(critical.n);
  const TangentFrame of_b = frame.seen_by_b(cso);
  Growth growth;
  const bool face_a = faces(cso.a, frame.n);
  const bool face_b = faces(cso.b, of_b.n);
  if (face_a) growth.linear += std::max(cso.a.half.x - off_axis(s.closest_a()), 0.0);
  if (face_b) {
    const Vec3 local = transpose_times(cso.rotation, s.closest_b() - cso.translation);
    growth.linear += std::max(cso.b.half.x - off_axis(local), 0.0);
  }

  double px[3] = {}, py[3] = {};
  double mean_x = 0.0, mean_y = 0.0;
  double height = std::numeric_limits<double>::infinity();
  double least_weight = 1.0;
  for (int i = 0; i < s.size; ++i) {
    const SupportPoint& p = s.point[i];
    const double weight = s.weight[i];
    const auto add = [&](const Core& core, Core::Piece piece, const TangentFrame& seen,
                         const Vec3& point) {
      const PieceCurvature c = piece_curvature(core, piece, seen);
      // A point that is not the piece's support point here stands for itself, without curvature.
      if (!(norm(c.point - point) <= cso.error_bound) || !(c.length > 0.0)) return;
      const double stretch = c.stretch / c.length;
      const double gx = dot(c.gradient, seen.x), gy = dot(c.gradient, seen.y);
      growth.needed += weight * c.form_rounding();
      growth.norm[growth.norms++] = {c.form * weight, std::sqrt(gx * gx + gy * gy) / c.length,
                                     0.5 * std::max(stretch * stretch - 1.0, 0.0)};
    };
    if (!face_a && cso.a.is_smooth(p.piece_a)) add(cso.a, p.piece_a, frame, p.a);
    if (!face_b && cso.b.is_smooth(p.piece_b))
      add(cso.b, p.piece_b, of_b, transpose_times(cso.rotation, p.b - cso.translation));
    px[i] = dot(frame.x, p.w);
    py[i] = dot(frame.y, p.w);
    mean_x += weight * px[i];
    mean_y += weight * py[i];
    height = std::min(height, dot(frame.n, p.w));
    least_weight = std::min(least_weight, weight);
  }
  growth.needed += std::max(height, 0.0) + cso.a.shrink + cso.b.shrink;
  // A disc's witness is an average already: only the weighted sum of the pieces is at hand.
  if (s.size > 1 && !face_a && !face_b) {
    for (int i = 0; i < s.size; ++i) {
      const double x = px[i] - mean_x, y = py[i] - mean_y;
      growth.spread += TangentForm{x * x, x * y, y * y} * s.weight[i];
    }
    // Numbers with weighted mean 0 and variance V have a maximum of at least
    // sqrt(V w / (1 - w)), w the least weight; and sqrt(V) >= V / (largest eigenvalue)^(1/2).
    const double most = most_eigenvalue(growth.spread);
    if (most > 0.0) growth.per_spread = std::sqrt(least_weight / ((1.0 - least_weight) * most));
  }

  const int shares = growth.per_spread > 0.0 ? (s.size == 3 ? 4 : 3) : 0;
  double surplus = 0.0;
  double tangent = kWidestCap;
  for (; tangent >= kNarrowestCap; tangent *= 0.5) {
    const TangentForm from_norms = growth.of_norms(tangent);
    const auto try_share = [&](double mu) {
      if (!(surplus > 0.0)) surplus = growth.strength(from_norms, tangent, mu) - growth.needed;
    };
    try_share(0.0);
    if (shares > 0) try_share(tangent);
    for (int i = 0; i < shares; ++i) try_share(kShares[i]);
    if (surplus > 0.0) break;
  }
  if (!(surplus > 0.0)) return cap;
  cap.cosine = (1.0 - tangent * tangent) / (1.0 + tangent * tangent);
  // The gradient that is left: -2 e sin(theta) + surplus (1 - cos(theta)) >= -2 e^2 / surplus.
  const double left = std::sqrt(mean_x * mean_x + mean_y * mean_y);
  cap.lower = height - std::min(2.0 * left, 2.0 * left * (left / surplus));
  return cap;
}

bool covers(const Cap& cap, const Vec3* const corner[3], double level) {
  if (cap.cosine > 1.0 || !(level > 0.0)) return false;
  double along[3], square[3];
  for (int i = 0; i < 3; ++i) {
    along[i] = dot(cap.n, *corner[i]);
    square[i] = squared_norm(*corner[i]);
    if (!(square[i] > 0.0)) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = i == 2 ? 0 : i + 1;
    const Vec3& u = *corner[i];
    const Vec3& v = *corner[j];
    const Vec3 up = cross(u, v);
    const double area = squared_norm(up);
    if (!(area > 0.0)) return false;
    const double uv = dot(u, v);
    const double margin = kDirectionRounding * (square[i] * square[j] / area);
    // The direction in the plane of u and v at which both reach the level: level * (s u + t v).
    const double s = (square[j] - uv) / area, t = (square[i] - uv) / area;
    const double rest = 1.0 - level * level * (s + t);
    if (rest >= 0.0) {
      const double inward = std::sqrt(rest / area);
      if (!(level * (s * along[i] + t * along[j]) + inward * dot(cap.n, up) >=
            cap.cosine + margin)) {
        return false;
      }
      continue;
    }
    // Between the two reaches the edge is open: both ends. (A corner that does not reach the level,
    // such as the support point of a smooth critical direction, is an end itself.)
    for (int end = 0; end < 2; ++end) {
      const int from = end == 0 ? i : j, to = end == 0 ? j : i;
      // Unit vector across `from` towards `to`, times |from|: its coordinates on both.
      const double length = std::sqrt(square[from]);
      const double cosine = std::min(level / length, 1.0);
      const double sine = std::sqrt(std::max(1.0 - cosine * cosine, 0.0));
      const double across =
          (square[from] * along[to] - uv * along[from]) / (length * std::sqrt(area));
      if (!(cosine * along[from] / length + sine * across >= cap.cosine + margin)) return false;
    }
  }
  return true;
}

}  // namespace tactus::detail
