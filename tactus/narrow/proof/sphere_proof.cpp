#include "tactus/narrow/proof/sphere_proof.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tactus/narrow/proof/face_proof.hpp"

namespace tactus::detail {
namespace {

constexpr int kMostTriangles = 300;
constexpr int kMostOpen = 100;
// tan(theta / 2) of the caps that are tried.
constexpr double kCaps[] = {1.0, 0.8, 0.6, 0.45, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02};

// Roundings by which f must exceed the value elsewhere.
constexpr double kClear = 4.0;
// Rounding of a cosine.
constexpr double kRounded = 1e-15;
// The wedges that are left are made wider by this, are halved from the first squared sine on, and
// are all of the half above the second.
constexpr double kWider = 1.02;
constexpr double kNarrow = 0.5;
constexpr double kWidest = 0.97;

// Triangles that were halved so often, and are so small, lie where f is nearly level along one
// direction and near the value: there a bound of second order is worth its cost, and again after
// two more.
constexpr int kHalvings = 5;
constexpr double kSmall = 0.03;  // one less the cosine of a side

// A direction and its support point; coordinates along frame.x, frame.y, frame.n.
struct Corner {
  Vec3 n, w;
};

struct Triangle {
  Corner corner[3];
  int halvings;
};

void add_rim(TangentForm& form, const Growth::Term& rim, double scale) {
  const double size = rim.size * scale;
  form += TangentForm{size * (rim.along.x * rim.along.x), size * (rim.along.x * rim.along.y),
                      size * (rim.along.y * rim.along.y)};
}

// Least growth from the rims, as a form on the tangent plane: (1 - cos(theta)) t.F t as far as
// tan(theta / 2) <= tangent.
TangentForm form_of_rims(const Growth& growth, double tangent) {
  const double scale = 1.0 / (1.0 + tangent * tangent);
  const double sine = 2.0 * tangent * scale, cosine = (1.0 - tangent * tangent) * scale;
  TangentForm form;
  for (int i = 0; i < growth.count; ++i) {
    const Growth::Term& t = growth.term[i];
    if (t.linear) continue;
    // The part across the axis is longest where m has turned away from the axis by theta.
    const double along = std::fabs(t.axis.z);
    if (along <= sine) {
      add_rim(form, t, scale);
    } else {
      const double across = std::sqrt(t.axis.x * t.axis.x + t.axis.y * t.axis.y);
      add_rim(form, t, scale / (across * cosine + along * sine));
    }
  }
  return form;
}

// Least growth from all terms, as such a form, on whichever side of a kink it is less.
TangentForm form_of(const Growth& growth, double tangent) {
  TangentForm form = form_of_rims(growth, tangent);
  for (int i = 0; i < growth.count; ++i) {
    const Growth::Term& t = growth.term[i];
    if (!t.linear) continue;
    // |along.t| >= (along.t)^2 / |along|
    const double length = norm(t.along);
    const double size = length > 0.0 ? std::min(t.size, t.other) / (length * tangent) : 0.0;
    form += TangentForm{size * (t.along.x * t.along.x), size * (t.along.x * t.along.y),
                        size * (t.along.y * t.along.y)};
  }
  if (growth.disc > 0.0) {
    const double size = std::max(growth.disc - norm(growth.over), 0.0) / tangent;
    form.xx += size;
    form.yy += size;
  }
  return form;
}

// The least of v.t for the unit vectors t between two, less than a half turn apart.
double least_between(const Pair2& v, const Pair2& from, const Pair2& to) {
  const bool opposite =
      (from.x * v.y - from.y * v.x) * (v.x * to.y - v.y * to.x) >= 0.0 && dot(v, from + to) < 0.0;
  return opposite ? -norm(v) : std::min(dot(v, from), dot(v, to));
}

// Least growth from kinks and a disc, over sin(theta), in the tangent directions between two unit
// vectors less than a half turn apart.
double linear_gain(const Growth& growth, const Pair2& from, const Pair2& to) {
  double gain = 0.0;
  for (int i = 0; i < growth.count; ++i) {
    const Growth::Term& t = growth.term[i];
    if (!t.linear) continue;
    const double x = dot(t.along, from), y = dot(t.along, to);
    if (x > 0.0 && y > 0.0) gain += t.size * std::min(x, y);
    if (x < 0.0 && y < 0.0) gain -= t.other * std::max(x, y);
  }
  if (growth.disc > 0.0) gain += growth.disc + least_between(growth.over * -1.0, from, to);
  return gain;
}

// A ball inside A - B, moved towards the line through the origin along n: it holds a direction m
// where center.m >= -slack. Coordinates along the frame.
struct Inside {
  Vec3 center;
  double slack;  ///< its radius less the level

  Inside(const Cso& cso, const TangentFrame& frame, double level) {
    const InnerBall a = inner_ball(cso.a), b = inner_ball(cso.b);
    const Vec3 c = a.center - (cso.rotation * b.center + cso.translation);
    center = {dot(frame.x, c), dot(frame.y, c), dot(frame.n, c)};
    slack = a.radius + b.radius - level;
    const TangentFrame by_b = frame.seen_by_b(cso);
    for (int i = 0; i < 3; ++i) {
      move(a.move[i], {frame.x[i], frame.y[i], frame.n[i]});
      move(b.move[i], {by_b.x[i], by_b.y[i], by_b.n[i]});
    }
  }

  // Does it hold the directions away from n between two tangents?
  bool holds_back(const Pair2& from, const Pair2& to) const {
    return slack > 0.0 && center.z <= 0.0 &&
           least_between({center.x, center.y}, from, to) >= -slack;
  }

  // tan(theta / 2) from which on it holds those towards n; 1 where it does not.
  double holds_from(const Pair2& from, const Pair2& to) const {
    const double across = least_between({center.x, center.y}, from, to);
    if (!(slack > 0.0 && center.z <= 0.0 && across >= -slack)) return 1.0;
    // cos(theta) center.z + sin(theta) across = -slack
    const double square = across * across - (slack - center.z) * (slack + center.z);
    if (square < 0.0) return 0.0;
    return std::min(1.0, (std::sqrt(square) - across) / (slack - center.z) + kRounded);
  }

 private:
  void move(double reach, const Vec3& axis) {
    const double square = axis.x * axis.x + axis.y * axis.y;
    if (!(reach > 0.0 && square > kRounded)) return;
    const double wanted = -(center.x * axis.x + center.y * axis.y) / square;
    center += axis * std::min(std::max(wanted, -reach), reach);
  }
};

// tan(theta / 2) of the widest of the caps that the growth proves, or `least` if that is wider.
double cap_of(const Growth& growth, double value, double least) {
  const double* const widest =
      std::partition_point(std::begin(kCaps), std::end(kCaps), [&](double tangent) {
        return tangent > least && !(form_of(growth, tangent).least_eigenvalue() >= value);
      });
  return widest != std::end(kCaps) ? std::max(*widest, least) : least;
}

// Is the growth enough in the whole triangle? A form that is not negative between any two corners
// is so for every mixture of them. With g the middle of the tangent directions, kinks and a disc
// gain  l.m >= (l.m) (g.m) / (tangent (1 + cos(theta))).
bool grows(const Triangle& t, const Growth& growth, double value) {
  const double along = std::min(std::min(t.corner[0].n.z, t.corner[1].n.z), t.corner[2].n.z);
  if (!(along >= 0.0)) return false;
  const Pair2 p[3] = {{t.corner[0].n.x, t.corner[0].n.y},
                      {t.corner[1].n.x, t.corner[1].n.y},
                      {t.corner[2].n.x, t.corner[2].n.y}};
  const double tangent = std::sqrt((1.0 - along) / (1.0 + along));
  const double scale = 1.0 / (1.0 + tangent * tangent);
  TangentForm form{-value, 0.0, -value};
  Pair2 middle = (p[0] + p[1]) + p[2];
  middle = middle * (1.0 / norm(middle));
  Pair2 gain = middle * growth.disc - growth.over;
  for (int i = 0; i < growth.count; ++i) {
    const Growth::Term& term = growth.term[i];
    if (!term.linear) {
      const double u = dot(term.axis, t.corner[0].n), v = dot(term.axis, t.corner[1].n),
                   w = dot(term.axis, t.corner[2].n);
      const double least = std::max(std::min(std::min(u, v), w), -std::max(std::max(u, v), w));
      add_rim(form, term, least > 0.0 ? scale / std::sqrt(1.0 - least * least) : scale);
      continue;
    }
    const double x = dot(term.along, p[0]), y = dot(term.along, p[1]), z = dot(term.along, p[2]);
    if (x >= 0.0 && y >= 0.0 && z >= 0.0) gain += term.along * term.size;
    if (x <= 0.0 && y <= 0.0 && z <= 0.0) gain += term.along * -term.other;
  }
  gain = gain * (1.0 / tangent);
  form += TangentForm{gain.x * middle.x, 0.5 * (gain.x * middle.y + gain.y * middle.x),
                      gain.y * middle.y};
  for (int i = 0; i < 3; ++i) {
    // The gain is divided by a part of itself that must not be negative.
    if (!(dot(gain, p[i]) >= 0.0 && dot(middle, p[i]) >= 0.0)) return false;
    const Pair2 turned{form.xx * p[i].x + form.xy * p[i].y, form.xy * p[i].x + form.yy * p[i].y};
    for (int j = i; j < 3; ++j) {
      if (!(dot(turned, p[j]) >= 0.0)) return false;
    }
  }
  return true;
}

// The tangent directions in sectors, and how far the growth proves the half of the sphere about n
// in each: two wedges on either side of the direction in which it is least, halved where they are
// wide, and what lies between them, where it is enough unless the wedges are all there is.
struct Sectors {
  static constexpr int kMost = 8;
  int count;
  Pair2 at[kMost + 1];    ///< from which direction on; each ends where the next begins
  double tangent[kMost];  ///< tan(theta / 2) up to which it is proved; 1: the whole

  Sectors(const Growth& growth, double steep) {
    const TangentForm half = form_of(growth, 1.0);
    const double mean = 0.5 * (half.xx + half.yy);
    const double least = half.least_eigenvalue(), most = 2.0 * mean - least;
    // Squared sine of the wedges' half angle, a little more than it takes.
    double square = 1.0;
    Pair2 flat{1.0, 0.0};
    if (growth.disc > 0.0) {
      const double off = norm(growth.over);
      if (off > 0.0) flat = growth.over * (1.0 / off);
      const double cosine = (growth.disc - steep) / off;
      if (cosine > 0.0) square = kWider * (1.0 - cosine * cosine);
    } else {
      // The eigenvector of `least`, by the formula without cancellation: the wedges may be narrow.
      Pair2 flattest{least - half.yy, half.xy};
      if (half.xx > half.yy) flattest = {half.xy, least - half.xx};
      if (most > steep) square = kWider * (steep - least) / (most - least);
      if (norm(flattest) > kRounded * most) flat = flattest * (1.0 / norm(flattest));
    }
    square = std::max(square, kRounded);
    const bool whole = least >= steep, all = !(square < kWidest), wide = square > kNarrow;
    const double sine = std::sqrt(whole ? kNarrow : all ? kWidest : square);
    const double cosine = std::sqrt(1.0 - sine * sine);
    const Pair2 across{-flat.y, flat.x};
    const Pair2 first = flat * cosine - across * sine, last = flat * cosine + across * sine;
    count = 0;
    for (const double sign : {1.0, -1.0}) {
      at[count++] = first * sign;
      if (wide) at[count++] = flat * sign;
      at[count++] = last * sign;
      at[count++] = across * sign;
    }
    at[count] = at[0];
    const double rims = form_of_rims(growth, 1.0).least_eigenvalue();
    const int wedges = wide ? 2 : 1;
    for (int i = 0; i < count; ++i) {
      tangent[i] = 1.0;
      if (whole || (!all && i % (count / 2) >= wedges)) continue;
      const double gain = std::max(linear_gain(growth, at[i], at[i + 1]), 0.0);
      if (gain + rims < steep) tangent[i] = gain / (steep - rims);
    }
  }

  double least_tangent() const {
    double least = 1.0;
    for (int i = 0; i < count; ++i) least = std::min(least, tangent[i]);
    return least;
  }
};

// All sides are short.
bool is_small(const Triangle& t) {
  const Vec3 &a = t.corner[0].n, &b = t.corner[1].n, &c = t.corner[2].n;
  return std::min(std::min(dot(a, b), dot(b, c)), dot(c, a)) > 1.0 - kSmall;
}

// How high the support points are over the corners: h[i][j], point i over corner j.
struct Heights {
  double h[3][3];

  explicit Heights(const Triangle& t) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) h[i][j] = dot(t.corner[i].w, t.corner[j].n);
    }
  }

  // Does one of the points hold the triangle?
  bool one_holds(double value) const {
    for (const auto& over : h) {
      if (over[0] >= value && over[1] >= value && over[2] >= value) return true;
    }
    return false;
  }

  bool holds(const double weight[3], double value) const {
    const double total = (weight[0] + weight[1]) + weight[2];
    if (!(weight[0] >= 0.0 && weight[1] >= 0.0 && weight[2] >= 0.0 && total > 0.0)) return false;
    for (int j = 0; j < 3; ++j) {
      if (!((weight[0] * h[0][j] + weight[1] * h[1][j]) + weight[2] * h[2][j] >= value * total))
        return false;
    }
    return true;
  }

  // Does a mixture of them? That which is equally high over all corners, or, where it would take a
  // negative weight, one without that point.
  bool mixture_holds(double value) const {
    const Vec3 row[3] = {
        {h[0][0], h[1][0], h[2][0]}, {h[0][1], h[1][1], h[2][1]}, {h[0][2], h[1][2], h[2][2]}};
    const Vec3 first = cross(row[1], row[2]);
    const Vec3 raised = (first + cross(row[2], row[0])) + cross(row[0], row[1]);
    const double sign = dot(row[0], first) < 0.0 ? -1.0 : 1.0;
    const double weight[3] = {sign * raised.x, sign * raised.y, sign * raised.z};
    int out = 0;
    for (int i = 1; i < 3; ++i) {
      if (weight[i] < weight[out]) out = i;
    }
    if (!(weight[out] < 0.0)) return holds(weight, value);
    const int i = out == 0 ? 1 : 0, k = out == 2 ? 1 : 2;
    for (int j = 0; j < 3; ++j) {
      const int l = j == 2 ? 0 : j + 1;
      const double of_i = h[k][l] - h[k][j], of_k = h[i][j] - h[i][l];
      double pair[3] = {};
      pair[i] = of_i + of_k < 0.0 ? -of_i : of_i;
      pair[k] = of_i + of_k < 0.0 ? -of_k : of_k;
      if (holds(pair, value)) return true;
    }
    return false;
  }
};

// The edge, from corner i to the next, along which the support points turn most.
int edge_to_cut(const Triangle& t) {
  int best = 0;
  double most = -1.0;
  for (int i = 0; i < 3; ++i) {
    const Corner &from = t.corner[i], &to = t.corner[i == 2 ? 0 : i + 1];
    const double turn = dot(from.n - to.n, from.w - to.w);
    if (turn > most) {
      most = turn;
      best = i;
    }
  }
  return best;
}

class ProofOnSphere {
 public:
  ProofOnSphere(const Cso& cso, const TangentFrame& frame, const Growth& growth, double value,
                int max_evaluations, int& evaluations, Vec3& lower, Observer* observer)
      : cso_(cso),
        observer_(observer),
        frame_(frame),
        growth_(growth),
        value_(value),
        // With room for rounding, so that another minimum as low is not passed over.
        level_(value + kClear * cso.error_bound),
        steep_(level_ * (1.0 + kNearTie)),
        max_evaluations_(max_evaluations),
        evaluations_(evaluations),
        lower_(lower),
        sectors_(growth, steep_),
        ball_(cso, frame, level_) {}

  SphereProof run() {
    cover_back();
    if (!cover_front()) return SphereProof::open;
    return cut();
  }

 private:
  Vec3 in_a(const Vec3& n) const { return (frame_.x * n.x + frame_.y * n.y) + frame_.n * n.z; }

  Corner make_corner(const Vec3& n) {
    const Vec3 direction = in_a(n);
    SupportPoint p;
    cso_.support(direction, p);
    ++evaluations_;
    const Corner c{n, {dot(frame_.x, p.w), dot(frame_.y, p.w), dot(frame_.n, p.w)}};
    if (!found_lower_ && dot(n, c.w) < value_ - cso_.error_bound) {
      found_lower_ = true;
      lower_ = direction;
    }
    return c;
  }
  const Corner& on_equator(int i) {
    if (i == sectors_.count) i = 0;
    if (!known_[i]) equator_[i] = make_corner({sectors_.at[i].x, sectors_.at[i].y, 0.0});
    known_[i] = true;
    return equator_[i];
  }

  // The directions away from n.
  void cover_back() {
    Corner back;
    bool has_back = false;
    for (int i = 0; i < sectors_.count; ++i) {
      if (ball_.holds_back(sectors_.at[i], sectors_.at[i + 1])) continue;
      if (!has_back) back = make_corner({0.0, 0.0, -1.0});
      has_back = true;
      const Corner& from = on_equator(i);
      open_[count_++] = {{back, on_equator(i + 1), from}, 0};
    }
  }

  // Opens two triangles for the part of each sector that lies between the proved directions and
  // those that the ball holds. False when nothing about n is proved.
  bool cover_front() {
    const double cap = cap_of(growth_, steep_, sectors_.least_tangent());
    if (observer_ != nullptr) tell(cap);
    for (int i = 0; i < sectors_.count; ++i) {
      const Pair2 &from = sectors_.at[i], &to = sectors_.at[i + 1];
      const double tangent = std::max(sectors_.tangent[i], cap);
      if (tangent >= 1.0) continue;
      if (!(tangent > 0.0)) return false;
      const double end = ball_.holds_from(from, to);
      if (end <= tangent) continue;
      const double scale = 1.0 / (1.0 + tangent * tangent);
      const double height = (1.0 - tangent * tangent) * scale, reach = 2.0 * tangent * scale;
      const Corner near_from = make_corner({from.x * reach, from.y * reach, height}),
                   near_to = make_corner({to.x * reach, to.y * reach, height});
      Corner far_from, far_to;
      if (end < 1.0) {
        // The arc between the two must not come nearer to n than it ends.
        const double cosine = std::sqrt(0.5 * (1.0 + dot(from, to)));
        const double z = (1.0 - end * end) * cosine, xy = 2.0 * end;
        const double inverse = 1.0 / std::sqrt(z * z + xy * xy);
        far_from = make_corner({from.x * (xy * inverse), from.y * (xy * inverse), z * inverse});
        far_to = make_corner({to.x * (xy * inverse), to.y * (xy * inverse), z * inverse});
      } else {
        far_from = on_equator(i);
        far_to = on_equator(i + 1);
      }
      open_[count_++] = {{near_from, far_from, far_to}, 0};
      open_[count_++] = {{near_from, far_to, near_to}, 0};
    }
    return true;
  }

  void tell(double tangent) const {
    const double cosine = (1.0 - tangent * tangent) / (1.0 + tangent * tangent);
    const SearchState state{"newton", evaluations_, -value_, -level_,
                            cso_.a.radius + cso_.b.radius};
    observer_->cap({state, frame_.n, cosine, value_});
  }

  bool holds(const Triangle& t) const {
    const Heights heights(t);
    if (heights.one_holds(level_) || grows(t, growth_, steep_) || heights.mixture_holds(level_))
      return true;
    if (t.halvings < kHalvings || t.halvings % 2 != kHalvings % 2 || !is_small(t)) return false;
    const Vec3 corner[3] = {in_a(t.corner[0].n), in_a(t.corner[1].n), in_a(t.corner[2].n)};
    return holds_to_second_order(cso_, corner, level_);
  }

  // Triangles that prove nothing are cut in two.
  SphereProof cut() {
    for (int looked = 0; count_ > 0; ++looked) {
      if (found_lower_) return SphereProof::lower;
      if (evaluations_ >= max_evaluations_ || looked == kMostTriangles || count_ == kMostOpen)
        return SphereProof::open;
      Triangle& t = open_[count_ - 1];
      if (holds(t)) {
        --count_;
        continue;
      }
      const int i = edge_to_cut(t);
      const int j = i == 2 ? 0 : i + 1;
      const Corner middle = make_corner(normalized(t.corner[i].n + t.corner[j].n));
      ++t.halvings;
      Triangle other = t;
      other.corner[i] = middle;
      t.corner[j] = middle;
      open_[count_++] = other;
    }
    return found_lower_ ? SphereProof::lower : SphereProof::proved;
  }

  const Cso& cso_;
  Observer* const observer_;
  const TangentFrame& frame_;
  const Growth& growth_;
  const double value_, level_, steep_;
  const int max_evaluations_;
  int& evaluations_;
  Vec3& lower_;
  bool found_lower_ = false;
  const Sectors sectors_;
  const Inside ball_;
  Corner equator_[Sectors::kMost];
  bool known_[Sectors::kMost] = {};
  int count_ = 0;
  // Written before it is read.
  union Places {
    Places() {}  // NOLINT(modernize-use-equals-default)
    Triangle item[kMostOpen];
  } places_;
  Triangle* const open_ = places_.item;
};

}  // namespace

SphereProof prove_on_sphere(const Cso& cso, const TangentFrame& frame, const Growth& growth,
                            double value, int max_evaluations, int& evaluations, Vec3& lower,
                            Observer* observer) {
  return ProofOnSphere(cso, frame, growth, value, max_evaluations, evaluations, lower, observer)
      .run();
}

}  // namespace tactus::detail
