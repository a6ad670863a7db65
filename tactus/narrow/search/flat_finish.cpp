#include "tactus/narrow/search/flat_finish.hpp"

#include <algorithm>
#include <cmath>

#include "tactus/narrow/difference/curvature.hpp"

namespace tactus::detail {
namespace {

constexpr int kSteps = 20;
// Least radius by longest below which an ellipsoid is flat.
constexpr double kFlat = 0.01;
// Radii below this part of the longest are taken for it: a change below rounding.
constexpr double kThinnest = 1e-18;
// Longest step of u.
constexpr double kTrust = 0.5;

// One flat ellipsoid of the pair.
class Flat {
 public:
  Flat(const Cso& cso, bool is_b)
      : cso_(cso), core_(is_b ? cso.b : cso.a), is_b_(is_b), longest_(max_abs(core_.half)) {
    const double thinnest = kThinnest * longest_;
    core_.half = component_max(core_.half, {thinnest, thinnest, thinnest});
    shortest_ = std::min({core_.half.x, core_.half.y, core_.half.z});
  }

  bool serves() const { return core_.kind == CoreKind::ellipsoid && shortest_ < kFlat * longest_; }

  void finish(Critical& critical) const {
    Vec3 m = to_body(critical.n);
    // Without the long radii: those above the geometric mean of both ends.
    for (int i = 0; i < 3; ++i) {
      if (core_.half[i] * core_.half[i] > shortest_ * longest_) m[i] = 0.0;
    }
    if (m == Vec3{}) return;
    Vec3 u = normalized(component_product(core_.half, normalized(m)));
    double least_residual = norm(critical.simplex.closest() - critical.n * critical.value);
    for (int step = 0; step < kSteps; ++step) {
      m = normalized(Vec3{u.x * (shortest_ / core_.half.x), u.y * (shortest_ / core_.half.y),
                          u.z * (shortest_ / core_.half.z)});
      const TangentFrame frame(is_b_ ? -(cso_.rotation * m) : m);
      const TangentFrame of_b = frame.seen_by_b(cso_);
      const SupportPoint extreme = cso_.support(frame.n);
      ++critical.iterations;
      SupportPoint p = extreme;
      const Vec3 own = component_product(core_.half, u) - m * core_.shrink;
      (is_b_ ? p.b : p.a) = is_b_ ? cso_.rotation * own + cso_.translation : own;
      p.w = p.a - p.b;
      const double value = dot(frame.n, extreme.w);
      const double residual = norm(p.w - frame.n * value);
      if (!std::isfinite(residual)) return;
      if (residual < least_residual && value <= critical.value + cso_.error_bound) {
        least_residual = residual;
        critical.n = frame.n;
        critical.value = value;
        critical.extreme = extreme;
        critical.simplex = {};
        critical.simplex.point[0] = p;
        critical.simplex.weight[0] = 1.0;
        critical.simplex.size = 1;
      }
      if (residual <= cso_.error_bound) return;
      // Newton's step of n ...
      TangentForm form;
      const auto add = [&](const Core& core, Core::Piece piece, const TangentFrame& seen) {
        if (core.is_smooth(piece)) form += piece_curvature(core, piece, seen).form;
      };
      add(is_b_ ? cso_.a : core_, p.piece_a, frame);
      add(is_b_ ? core_ : cso_.b, p.piece_b, of_b);
      const double taken = value + cso_.a.shrink + cso_.b.shrink;
      const double xx = form.xx - taken, yy = form.yy - taken;
      const double determinant = xx * yy - form.xy * form.xy;
      const double gx = dot(frame.x, p.w), gy = dot(frame.y, p.w);
      const double sx = (form.xy * gy - yy * gx) / determinant;
      const double sy = (form.xy * gx - xx * gy) / determinant;
      // ... as one of u.
      const Vec3 turn = is_b_ ? of_b.x * sx + of_b.y * sy : frame.x * sx + frame.y * sy;
      const Vec3 moved = component_product(core_.half, turn);
      Vec3 du = (moved - u * dot(u, moved)) / norm(component_product(core_.half, m));
      const double length = norm(du);
      if (!std::isfinite(length)) return;
      if (length > kTrust) du = du * (kTrust / length);
      u = normalized(u + du);
    }
  }

 private:
  Vec3 to_body(const Vec3& n) const { return is_b_ ? -transpose_times(cso_.rotation, n) : n; }

  const Cso& cso_;
  Core core_;
  bool is_b_;
  double longest_, shortest_ = 0.0;
};

}  // namespace

void finish_on_flat(const Cso& cso, Critical& critical) {
  for (const bool is_b : {false, true}) {
    const Flat flat(cso, is_b);
    if (flat.serves()) flat.finish(critical);
  }
}

}  // namespace tactus::detail
