#include "tactus/narrow/sphere_proof.hpp"

#include <algorithm>
#include <cmath>

namespace tactus {
namespace {

constexpr int kMostTriangles = 300;
constexpr int kMostOpen = 64;
// tan(theta / 2) of the caps that are tried.
constexpr double kCaps[] = {1.0, 0.8, 0.6, 0.45, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02};

// Roundings by which f must exceed the value elsewhere.
constexpr double kClear = 4.0;
// Rounding of a cosine.
constexpr double kRound = 1e-15;
// The wedges that are left are made wider by this, and are all of the half above this squared sine.
constexpr double kWider = 1.02;
constexpr double kWidest = 0.5;

// A direction and its support point; coordinates along frame.x, frame.y, frame.n.
struct Corner {
  Vec3 n, w;
};

struct Triangle {
  Corner corner[3];
};

// What the growth is at least, as a form on the tangent plane: (1 - cos(theta)) t.F t as far as
// tan(theta / 2) <= tangent.
TangentForm form_of(const Growth& growth, double tangent) {
  const double square = 1.0 + tangent * tangent;
  const double sine = tangent < 1.0 ? 2.0 * tangent / square : 1.0;
  TangentForm form;
  for (int i = 0; i < growth.count; ++i) {
    const Growth::Term& t = growth.term[i];
    double size = t.size;
    if (t.linear) {
      // |along.t| >= (along.t)^2 / |along|
      const double length = norm(t.along);
      size = length > 0.0 ? size / (length * tangent) : 0.0;
    } else {
      size /= square * std::min(1.0, t.across + sine);
    }
    form += TangentForm{size * (t.along.x * t.along.x), size * (t.along.x * t.along.y),
                        size * (t.along.y * t.along.y)};
  }
  return form;
}

// tan(theta / 2) of the widest cap that the growth proves, or zero.
double cap_of(const Growth& growth, double value) {
  for (const double tangent : kCaps) {
    if (form_of(growth, tangent).least_eigenvalue() >= value) return tangent;
  }
  return 0.0;
}

// Is the growth enough in the whole triangle? A form that is not negative between any two corners
// is so for every mixture of them.
bool grows(const Triangle& t, const Growth& growth, double value) {
  const double along = std::min(std::min(t.corner[0].n.z, t.corner[1].n.z), t.corner[2].n.z);
  if (!(along >= 0.0)) return false;
  TangentForm form = form_of(growth, std::sqrt((1.0 - along) / (1.0 + along)));
  form.xx -= value;
  form.yy -= value;
  for (int i = 0; i < 3; ++i) {
    const Vec3& p = t.corner[i].n;
    const Pair2 turned{form.xx * p.x + form.xy * p.y, form.xy * p.x + form.yy * p.y};
    for (int j = i; j < 3; ++j) {
      const Vec3& q = t.corner[j].n;
      if (!(turned.x * q.x + turned.y * q.y >= 0.0)) return false;
    }
  }
  return true;
}

// With a margin for the cap's own rounding: its rim is made of unit vectors.
bool in_cap(const Triangle& t, double cosine) {
  for (const Corner& c : t.corner) {
    if (!(c.n.z >= cosine + kRound)) return false;
  }
  return true;
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

}  // namespace

SphereProof prove_on_sphere(const Cso& cso, const TangentFrame& frame, const Growth& growth,
                            double value, int max_evaluations, int& evaluations, Vec3& lower) {
  // With room for rounding, so that another minimum as low is not passed over.
  const double level = value + kClear * cso.rounding;
  const double steep = level * (1.0 + kNearTie);
  const double tangent = cap_of(growth, steep);
  if (tangent == 0.0) return SphereProof::open;
  bool found_lower = false;
  const auto make_corner = [&](const Vec3& n) {
    const Vec3 direction = (frame.x * n.x + frame.y * n.y) + frame.n * n.z;
    SupportPoint p;
    cso.support(direction, p);
    ++evaluations;
    const Corner c{n, {dot(frame.x, p.w), dot(frame.y, p.w), dot(frame.n, p.w)}};
    if (!found_lower && dot(n, c.w) < value - cso.rounding) {
      found_lower = true;
      lower = direction;
    }
    return c;
  };
  union Places {
    Places() {}  // NOLINT(modernize-use-equals-default)
    Triangle item[kMostOpen];
  } places;
  Triangle* const open = places.item;
  int count = 0;
  const Corner back = make_corner({0.0, 0.0, -1.0});
  // The growth on the whole half of the sphere about n: enough but in a wedge on either side along
  // the direction of its least eigenvalue.
  const TangentForm half = form_of(growth, 1.0);
  const double mean = 0.5 * (half.xx + half.yy);
  const double least = half.least_eigenvalue(), most = 2.0 * mean - least;
  Pair2 valley{half.xy, least - half.xx};
  if (!(norm(valley) > kRound * most)) valley = {least - half.yy, half.xy};
  valley = norm(valley) > kRound * most ? valley * (1.0 / norm(valley)) : Pair2{1.0, 0.0};
  const Pair2 across{-valley.y, valley.x};
  const auto at = [&](double along_valley, double along_across, double along_n) {
    const Pair2 p = valley * along_valley + across * along_across;
    return Vec3{p.x, p.y, along_n};
  };
  if (least >= steep) {
    Corner equator[4];
    for (int i = 0; i < 4; ++i) {
      const double sign = i < 2 ? 1.0 : -1.0;
      equator[i] = make_corner(i % 2 == 0 ? at(sign, 0.0, 0.0) : at(0.0, sign, 0.0));
    }
    for (int i = 0; i < 4; ++i) open[count++] = {{back, equator[i == 3 ? 0 : i + 1], equator[i]}};
  } else {
    // Half the wedge's angle, a little more.
    const double rest = most - steep;
    const double square = rest > 0.0 ? kWider * (steep - least) / (most - least) : 1.0;
    const double sine = square < kWidest ? std::sqrt(square) : std::sqrt(kWidest);
    const double cosine = std::sqrt(1.0 - sine * sine);
    Corner equator[6];
    for (int i = 0; i < 6; ++i) {
      const double sign = i < 3 ? 1.0 : -1.0;
      const int k = i % 3;
      equator[i] = make_corner(k == 0   ? at(sign * cosine, -sign * sine, 0.0)
                               : k == 1 ? at(sign * cosine, sign * sine, 0.0)
                                        : at(0.0, sign, 0.0));
    }
    for (int i = 0; i < 6; ++i) {
      const Corner &from = equator[i], &to = equator[i == 5 ? 0 : i + 1];
      open[count++] = {{back, to, from}};
    }
    // On the side of n, what of the wedges lies beyond the cap; and the rest, if that is too weak.
    const double scale = 1.0 / (1.0 + tangent * tangent);
    const double height = (1.0 - tangent * tangent) * scale, reach = 2.0 * tangent * scale;
    Corner rim[6];
    for (int i = 0; i < 6; ++i) {
      const Vec3& e = equator[i].n;
      const bool wedge = i % 3 != 2;
      if (wedge || square >= kWidest) rim[i] = make_corner({e.x * reach, e.y * reach, height});
    }
    for (int i = 0; i < 6; ++i) {
      const int j = i == 5 ? 0 : i + 1;
      if (i % 3 != 0 && square < kWidest) continue;
      open[count++] = {{rim[i], equator[i], equator[j]}};
      open[count++] = {{rim[i], equator[j], rim[j]}};
    }
  }
  const double cap = (1.0 - tangent * tangent) / (1.0 + tangent * tangent);
  for (int looked = 0; count > 0; ++looked) {
    if (found_lower) return SphereProof::lower;
    if (evaluations >= max_evaluations || looked == kMostTriangles || count == kMostOpen)
      return SphereProof::open;
    Triangle& t = open[count - 1];
    const Heights heights(t);
    if (heights.one_holds(level) || in_cap(t, cap) || grows(t, growth, steep) ||
        heights.mixture_holds(level)) {
      --count;
      continue;
    }
    const int i = edge_to_cut(t);
    const int j = i == 2 ? 0 : i + 1;
    const Corner middle = make_corner(normalized(t.corner[i].n + t.corner[j].n));
    Triangle other = t;
    other.corner[i] = middle;
    t.corner[j] = middle;
    open[count++] = other;
  }
  return found_lower ? SphereProof::lower : SphereProof::proved;
}

}  // namespace tactus
