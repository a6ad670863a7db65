#include "tactus/narrow/difference/kink_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/mesh.hpp"

namespace tactus::detail {
namespace {

// A rim's curvature at the contact over what is left of it a right angle away, a little more; part
// of the gain of a generator that its rim is given.
constexpr double kHalfSphere = 2.1;
constexpr double kLeastPart = 0.1, kMostPart = 0.7;
// Kinks that come and go in one step.
constexpr int kMostChanges = 10;
// Curvature below this fraction of the sum is rounding.
constexpr double kFlat = 1e-14;
// Squared sine between two kinks below which they are one.
constexpr double kParallel = 1e-20;

inline void add_axis(KinkModel& model, double size, double n, double x, double y) {
  Kink& k = model.kink[model.kinks++];
  k.size = size;
  k.at = n;
  k.slope = {x, y};
}

// Takes every curvature positive.
void make_convex(TangentForm& f) {
  const double determinant = f.xx * f.yy - f.xy * f.xy;
  const double size = f.xx + f.yy;
  if (determinant > 0.0 && size > 0.0) return;
  const double mean = 0.5 * (f.xx + f.yy), half = 0.5 * (f.xx - f.yy);
  const double radius = std::sqrt(half * half + f.xy * f.xy);
  const double first = std::fabs(mean + radius), second = std::fabs(mean - radius);
  if (!(radius > 0.0)) {
    f = {first, 0.0, first};
    return;
  }
  const double c = half / radius, d = f.xy / radius;
  const double sum = 0.5 * (first + second), difference = 0.5 * (first - second);
  f = {sum + difference * c, difference * d, sum - difference * c};
}

}  // namespace

void add_core(const Core& core, const TangentFrame& s, const Multiplier* multiplier,
              KinkModel& model) {
  switch (core.kind) {
    case CoreKind::box:
      add_axis(model, core.half.x, s.n.x, s.x.x, s.y.x);
      add_axis(model, core.half.y, s.n.y, s.x.y, s.y.y);
      add_axis(model, core.half.z, s.n.z, s.x.z, s.y.z);
      return;
    case CoreKind::segment:
      add_axis(model, core.half.z, s.n.z, s.x.z, s.y.z);
      return;
    case CoreKind::cylinder:
    case CoreKind::cone: {
      const double across = std::sqrt(s.n.x * s.n.x + s.n.y * s.n.y);
      const double inverse = across > 0.0 ? 1.0 / across : 0.0;
      const double ux = s.n.x * inverse, uy = s.n.y * inverse;
      const double r = core.half.x;
      const double gx = r * (ux * s.x.x + uy * s.x.y), gy = r * (ux * s.y.x + uy * s.y.y);
      const double sx = ux * s.x.y - uy * s.x.x, sy = ux * s.y.y - uy * s.y.x;
      double speed = r * inverse;
      if (core.kind == CoreKind::cylinder) {
        model.value += r * across;
        model.slope += {gx, gy};
        add_axis(model, core.half.z, s.n.z, s.x.z, s.y.z);
      } else {
        const double h = core.half.z;
        // Half of apex and rim together, and half of their difference's size.
        const Pair2 slope{gx - 2.0 * h * s.x.z, gy - 2.0 * h * s.y.z};
        const double at = r * across - 2.0 * h * s.n.z;
        model.value += 0.5 * r * across;
        model.slope += {0.5 * gx, 0.5 * gy};
        Kink& k = model.kink[model.kinks++];
        k.size = 0.5;
        k.at = at;
        k.slope = slope;
        speed *= 0.5 + (multiplier->held ? multiplier->value : std::copysign(0.5, at));
      }
      model.form += TangentForm{speed * (sx * sx), speed * (sx * sy), speed * (sy * sy)};
      return;
    }
    case CoreKind::ellipsoid: {
      const Vec3 square = component_product(core.half, core.half);
      const Vec3 grown = component_product(square, s.n);
      const double length = std::sqrt(tactus::dot(grown, s.n));
      const double inverse = length > 0.0 ? 1.0 / length : 0.0;
      const Vec3 gradient = grown * inverse;
      const double gx = tactus::dot(gradient, s.x), gy = tactus::dot(gradient, s.y);
      const Vec3 dx = component_product(square, s.x), dy = component_product(square, s.y);
      model.value += length - core.shrink;
      model.slope += {gx, gy};
      model.form += TangentForm{(tactus::dot(dx, s.x) - gx * gx) * inverse - core.shrink,
                                (tactus::dot(dx, s.y) - gx * gy) * inverse,
                                (tactus::dot(dy, s.y) - gy * gy) * inverse - core.shrink};
      return;
    }
    default:
      return;
  }
}

Vec3 witness_of(const Core& core, const Vec3& n, const Multiplier* s) {
  const auto multiplier = [&](int i, double size, double at) {
    return s[i].held ? s[i].value : std::copysign(size, at);
  };
  switch (core.kind) {
    case CoreKind::box:
      return {multiplier(0, core.half.x, n.x), multiplier(1, core.half.y, n.y),
              multiplier(2, core.half.z, n.z)};
    case CoreKind::segment:
      return {0.0, 0.0, multiplier(0, core.half.z, n.z)};
    case CoreKind::cylinder: {
      // Along the axis the disc's centre, which the slope of the model agrees with.
      const double across = std::sqrt(n.x * n.x + n.y * n.y);
      const double scale = across > 0.0 ? core.half.x / across : 0.0;
      return {n.x * scale, n.y * scale, multiplier(0, core.half.z, n.z)};
    }
    case CoreKind::cone: {
      const double across = std::sqrt(n.x * n.x + n.y * n.y);
      const double rim = 0.5 + multiplier(0, 0.5, core.half.x * across - 2.0 * core.half.z * n.z);
      const double scale = across > 0.0 ? rim * core.half.x / across : 0.0;
      return {n.x * scale, n.y * scale, core.half.z * (1.0 - 2.0 * rim)};
    }
    case CoreKind::ellipsoid:
      return piece_support(core, 0, n);
    default:
      return {};
  }
}

double ball_at(const Core& core, const Vec3& p, const Vec3& n, const Multiplier* s) {
  switch (core.kind) {
    case CoreKind::box: {
      double room = std::numeric_limits<double>::infinity();
      int held = 0;
      for (int i = 0; i < 3; ++i) {
        held += s[i].held ? 1 : 0;
        room = std::min(room, s[i].held ? core.half[i] - std::fabs(p[i]) : core.half[i]);
      }
      return held == 2 ? room : 0.0;
    }
    case CoreKind::cylinder: {
      const double across = std::sqrt(p.x * p.x + p.y * p.y);
      if (std::fabs(n.z) == 1.0) return std::min(core.half.z, core.half.x - across);
      return s[0].held ? std::min(core.half.x, core.half.z - std::fabs(p.z)) : 0.0;
    }
    case CoreKind::cone: {
      const double height = 2.0 * core.half.z, r = core.half.x;
      const double side = std::sqrt(height * height + r * r);
      if (n.z == -1.0) {
        const double across = std::sqrt(p.x * p.x + p.y * p.y);
        return height * (r - across) / (side + r);
      }
      if (!s[0].held) return 0.0;
      const double rim = 0.5 + s[0].value;
      return std::min(height * (1.0 - rim) * side / (side + r), rim * r * side / height);
    }
    default:
      return 0.0;
  }
}

double inner_radius_at(const Core& core, const Vec3& p) {
  switch (core.kind) {
    case CoreKind::point:
      return core.radius - norm(p);
    case CoreKind::segment: {
      const double beyond = std::max(std::fabs(p.z) - core.half.z, 0.0);
      return core.radius - std::sqrt((p.x * p.x + p.y * p.y) + beyond * beyond);
    }
    case CoreKind::box: {
      const Vec3 room = core.half - component_abs(p);
      const double least = std::min(std::min(room.x, room.y), room.z);
      return least > 0.0 ? least + core.radius : least;
    }
    case CoreKind::cylinder: {
      const double side = core.half.x - std::sqrt(p.x * p.x + p.y * p.y);
      const double least = std::min(side, core.half.z - std::fabs(p.z));
      return least > 0.0 ? least + core.radius : least;
    }
    case CoreKind::cone: {
      const double height = 2.0 * core.half.z, r = core.half.x;
      const double side = (r * (core.half.z - p.z) - height * std::sqrt(p.x * p.x + p.y * p.y)) /
                          std::sqrt(height * height + r * r);
      const double least = std::min(side, core.half.z + p.z);
      return least > 0.0 ? least + core.radius : least;
    }
    case CoreKind::ellipsoid: {
      // With |p / D| = g the ellipsoid holds p + (1 - g) times itself.
      const double thinnest = std::min(std::min(core.half.x, core.half.y), core.half.z);
      if (!(thinnest > 0.0)) return -1.0;
      const Vec3 scaled{p.x / core.half.x, p.y / core.half.y, p.z / core.half.z};
      const double square = squared_norm(scaled);
      if (!(square < 1.0)) return 0.0;
      return (1.0 - std::sqrt(square)) * thinnest + (core.radius - core.shrink);
    }
    case CoreKind::polytope: {
      if (!(core.hull->inner_radius > 0.0)) return -1.0;
      const Vec3 d = p - core.center;
      const double square = tactus::dot(d, core.hull->inner * d);
      if (!(square < 1.0)) return -1.0;
      return (1.0 - std::sqrt(square)) * core.hull->inner_radius + core.radius;
    }
    default:
      return -1.0;
  }
}

InnerBall inner_ball(const Core& core) {
  // A root of 1/2, rounded down.
  constexpr double kHalfRoot = 0.7071067811865475;
  InnerBall r;
  switch (core.kind) {
    case CoreKind::segment:
      r.move.z = core.half.z;
      break;
    case CoreKind::box:
      r.radius = std::min(std::min(core.half.x, core.half.y), core.half.z);
      r.move = core.half - Vec3{r.radius, r.radius, r.radius};
      break;
    case CoreKind::cylinder: {
      r.radius = std::min(core.half.x, core.half.z);
      const double wide = kHalfRoot * (core.half.x - r.radius);
      r.move = {wide, wide, core.half.z - r.radius};
      break;
    }
    case CoreKind::cone: {
      const double height = 2.0 * core.half.z, base = core.half.x;
      r.radius = base * height / (std::sqrt(height * height + base * base) + base);
      r.center.z = r.radius - core.half.z;
      break;
    }
    default:
      break;
  }
  return r;
}

void add_growth(const Core& core, const TangentFrame& s, const Multiplier* multiplier,
                const Kink* kink, double wanted, Growth& growth) {
  switch (core.kind) {
    case CoreKind::segment:
    case CoreKind::box:
      for (int i = 0; i < kinks_of(core); ++i) {
        if (multiplier[i].held)
          growth.add_kink(kink[i].size - multiplier[i].value, kink[i].size + multiplier[i].value,
                          kink[i].slope);
      }
      return;
    case CoreKind::cylinder:
    case CoreKind::cone: {
      const double across = std::sqrt(s.n.x * s.n.x + s.n.y * s.n.y);
      if (!(across > 0.0)) return;
      const double ux = s.n.x / across, uy = s.n.y / across;
      const Pair2 along{ux * s.x.y - uy * s.x.x, ux * s.y.y - uy * s.y.x};
      const Vec3 axis{s.x.z, s.y.z, s.n.z};
      const double r = core.half.x;
      if (core.kind == CoreKind::cylinder) {
        growth.add_rim(r, along, axis);
        if (multiplier->held)
          growth.add_kink(kink->size - multiplier->value, kink->size + multiplier->value,
                          kink->slope);
        return;
      }
      const double rim = multiplier->held ? 0.5 + multiplier->value : (kink->at > 0.0 ? 1.0 : 0.0);
      if (!multiplier->held) {
        growth.add_rim(r * rim, along, axis);
        return;
      }
      // The larger of the rim's gain and (1 - rim) x, and of -rim x. On the second side the rim's
      // is given what makes it grow by `wanted` on half a sphere, if it can.
      const double part =
          rim > 0.0 ? std::min(std::max(kHalfSphere * wanted / (r * rim), kLeastPart), kMostPart)
                    : 1.0;
      growth.add_rim(part * r * rim, along, axis);
      growth.add_kink(1.0 - rim, (1.0 - part) * rim, kink->slope);
      return;
    }
    default:
      return;
  }
}

namespace {

// The least of the model, with up to two kinks held at zero: an active-set method.
class LeastOfModel {
 public:
  LeastOfModel(const KinkModel& m, Multiplier* multiplier) : m_(m), multiplier_(multiplier) {
    for (int i = 0; i < m.kinks; ++i) {
      sign_[i] = std::copysign(1.0, m.kink[i].at);
      if (!multiplier[i].held) continue;
      if (count_ < 2) {
        held_[count_++] = i;
      } else {
        multiplier[i].held = false;
      }
    }
  }

  Pair2 run() {
    for (int change = 0; change < kMostChanges; ++change) {
      Pair2 to;
      const Found found = aim(to);
      if (found == Found::nothing) break;
      if (found == Found::degenerate || stop_on_the_way(to)) continue;
      x_ = to;
      if (!let_go()) break;
    }
    return x_;
  }

 private:
  enum class Found : std::uint8_t { minimum, degenerate, nothing };

  // The least with what is held, and the pull at each of those.
  Found aim(Pair2& to) {
    Pair2 slope = m_.slope;
    for (int i = 0; i < m_.kinks; ++i) {
      if (!multiplier_[i].held) slope += m_.kink[i].slope * (sign_[i] * m_.kink[i].size);
    }
    if (count_ == 0) return aim_freely(slope, to);
    return count_ == 1 ? aim_along_one(slope, to) : aim_at_corner(slope, to);
  }

  Found aim_freely(const Pair2& slope, Pair2& to) const {
    TangentForm form = m_.form;
    make_convex(form);
    const double determinant = form.xx * form.yy - form.xy * form.xy;
    if (!(determinant > 0.0)) return Found::nothing;
    const double inverse = 1.0 / determinant;
    to = {(form.xy * slope.y - form.yy * slope.x) * inverse,
          (form.xy * slope.x - form.xx * slope.y) * inverse};
    return Found::minimum;
  }

  Found aim_along_one(const Pair2& slope, Pair2& to) {
    const Kink& k = m_.kink[held_[0]];
    const double square = dot(k.slope, k.slope);
    if (!(square > 0.0)) {
      multiplier_[held_[0]].held = false;
      count_ = 0;
      return Found::degenerate;
    }
    const double inverse = 1.0 / square;
    const Pair2 foot = k.slope * (-k.at * inverse);
    const Pair2 along{-k.slope.y, k.slope.x};
    const Pair2 bent = m_.times(along);
    const double curvature = dot(along, bent);
    const double wanted = -(dot(along, slope) + dot(bent, foot));
    to = foot;
    if (std::fabs(curvature) > kFlat * square * (std::fabs(m_.form.xx) + std::fabs(m_.form.yy)))
      to += along * (wanted / std::fabs(curvature));
    pull_[0] = -dot(slope + m_.times(to), k.slope) * inverse;
    return Found::minimum;
  }

  Found aim_at_corner(const Pair2& slope, Pair2& to) {
    const Kink &k = m_.kink[held_[0]], &l = m_.kink[held_[1]];
    const double determinant = k.slope.x * l.slope.y - k.slope.y * l.slope.x;
    if (!(determinant * determinant > kParallel * dot(k.slope, k.slope) * dot(l.slope, l.slope))) {
      multiplier_[held_[1]].held = false;
      count_ = 1;
      return Found::degenerate;
    }
    const double inverse = 1.0 / determinant;
    to = {(k.slope.y * l.at - l.slope.y * k.at) * inverse,
          (l.slope.x * k.at - k.slope.x * l.at) * inverse};
    const Pair2 rest = slope + m_.times(to);
    pull_[0] = (rest.y * l.slope.x - rest.x * l.slope.y) * inverse;
    pull_[1] = (rest.x * k.slope.y - rest.y * k.slope.x) * inverse;
    return Found::minimum;
  }

  // Goes to the first kink on the way, and holds it or, with two held already, passes it.
  bool stop_on_the_way(const Pair2& to) {
    int hit = -1;
    double part = 1.0;
    for (int i = 0; i < m_.kinks; ++i) {
      if (multiplier_[i].held) continue;
      const Kink& k = m_.kink[i];
      const double after = k.at + dot(k.slope, to);
      if (!(after * sign_[i] < 0.0)) continue;
      const double before = k.at + dot(k.slope, x_);
      const double at = before * sign_[i] > 0.0 ? before / (before - after) : 0.0;
      if (at < part) {
        part = at;
        hit = i;
      }
    }
    if (hit < 0) return false;
    if (count_ == 2) {
      sign_[hit] = -sign_[hit];
      return true;
    }
    x_ += (to - x_) * part;
    held_[count_++] = hit;
    multiplier_[hit].held = true;
    return true;
  }

  // Lets the kink go that holds least of what pulls at it; false when all hold.
  bool let_go() {
    int weak = -1;
    double excess = 0.0;
    for (int i = 0; i < count_; ++i) {
      const double size = m_.kink[held_[i]].size;
      multiplier_[held_[i]].value = std::min(std::max(pull_[i], -size), size);
      const double over = std::fabs(pull_[i]) - size;
      if (over > excess * size) {
        excess = over / size;
        weak = i;
      }
    }
    if (weak < 0) return false;
    sign_[held_[weak]] = std::copysign(1.0, pull_[weak]);
    multiplier_[held_[weak]].held = false;
    if (weak == 0) held_[0] = held_[1];
    --count_;
    return true;
  }

  const KinkModel& m_;
  Multiplier* const multiplier_;
  int held_[2] = {0, 0};
  int count_ = 0;
  double sign_[KinkModel::kMostKinks];
  double pull_[2] = {0.0, 0.0};
  Pair2 x_;
};

}  // namespace

Pair2 least_of(const KinkModel& m, Multiplier* multiplier) {
  return LeastOfModel(m, multiplier).run();
}

}  // namespace tactus::detail
