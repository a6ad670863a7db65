#include "tactus/narrow/pair/feature_clip.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::detail {
namespace {

// Sutherland-Hodgman against one plane outward . x <= offset (unit outward); `closed` polygons wrap
// around, lines do not. What is beyond it by less than the margin stays: features that line up are
// clipped alike whatever their noise.
void clip(const ClipList& list, const Vec3& outward, double offset, double margin, int edge,
          bool closed, ClipList& out) {
  out.count = 0;
  const int count = list.count;
  if (count == 0) return;
  double next = dot(outward, list.item[0].point) - offset;
  const double first = next;
  for (int i = 0; i < count; ++i) {
    const ClipPoint& p = list.item[i];
    const double dp = next;
    if (dp <= margin) {
      out.add(p);
      if (dp > 0.0) out.item[out.count - 1].beside = true;
    }
    if (!closed && i + 1 == count) break;
    const ClipPoint& q = list.item[i + 1 == count ? 0 : i + 1];
    const double dq = i + 1 == count ? first : dot(outward, q.point) - offset;
    next = dq;
    if ((dp <= margin) == (dq <= margin)) continue;
    const double inside = std::min(dp, dq);
    const double at = inside < 0.0 ? 0.0 : margin;
    ClipPoint cut;
    cut.point = p.point + (q.point - p.point) * ((dp - at) / (dp - dq));
    cut.edge = p.leads_along >= 0 ? p.leads_along : -1;
    cut.reference = edge;
    cut.reference_2 = p.leads_along >= 0 ? -1 : -2 - p.leads_along;
    cut.leads_along = dq > margin ? -2 - edge : p.leads_along;
    cut.incident = p.incident;
    cut.beside = true;
    out.add(cut);
  }
}

// The point of the polygon's plane over x along n.
Vec3 onto_plane(const Feature& f, const Vec3& n, const Vec3& x) {
  return x + n * (dot(f.corner[0].point - x, f.normal) / dot(n, f.normal));
}

// The point over x along n of a narrow polygon, whose plane is known to roundings of its length
// over its width: between the two edges over the place of x along its length.
Vec3 point_over_strip(const Feature& strip, const Vec3& n, const Vec3& x) {
  const Vec3& head = strip.corner[strip.head].point;
  const Vec3& tail = strip.corner[strip.tail].point;
  const Vec3 along = flattened(tail - head, n);
  const double place = dot(along, x);
  if (!(place > dot(along, head))) return head;
  if (!(place < dot(along, tail))) return tail;
  Vec3 side[2] = {head, head};
  int sides = 0;
  for (int i = 0; i < strip.count && sides < 2; ++i) {
    const Vec3& p = strip.corner[i].point;
    const Vec3& q = strip.corner[(i + 1) % strip.count].point;
    const double from = dot(along, p) - place, to = dot(along, q) - place;
    if ((from > 0.0) != (to > 0.0)) side[sides++] = p + (q - p) * (from / (from - to));
  }
  const Vec3 across = flattened(side[1] - side[0], n);
  const double width = squared_norm(across);
  if (!(width > 0.0)) return side[0];
  return side[0] + (side[1] - side[0]) * std::clamp(dot(x - side[0], across) / width, 0.0, 1.0);
}

// The point of a disc that is nearest to x in its plane.
Vec3 onto_disc(const Feature& disc, const Vec3& x) {
  const double place = norm(x - disc.center), radius = disc.radius();
  return place > radius ? disc.center + (x - disc.center) * (radius / place) : x;
}

// Is x, in the polygon's plane, beyond one of its edges?
bool is_beside(const Feature& f, const Vec3& x) {
  for (int i = 0; i < f.count; ++i) {
    if (dot(cross(f.end(i) - f.start(i), f.normal), x - f.start(i)) > 0.0) return true;
  }
  return false;
}

// The point of the polygon's edges that is nearest to x, where x is beside the polygon.
Vec3 onto_polygon(const Feature& f, const Vec3& x) {
  if (f.is_disc) return onto_disc(f, x);
  if (!is_beside(f, x)) return x;
  Vec3 nearest = x;
  double least = 0.0;
  for (int i = 0; i < f.count; ++i) {
    const Vec3 edge = f.end(i) - f.start(i);
    const Vec3 on =
        f.start(i) + edge * std::clamp(dot(x - f.start(i), edge) / squared_norm(edge), 0.0, 1.0);
    const double distance = squared_norm(x - on);
    if (i > 0 && !(distance < least)) continue;
    least = distance;
    nearest = on;
  }
  return nearest;
}

}  // namespace

void add_corners(const Feature& incident, bool beside, ClipList& list) {
  for (int i = 0; i < incident.count; ++i) {
    ClipPoint p;
    p.point = incident.corner[i].point;
    p.corner = i;
    p.leads_along = i;
    p.incident = incident.corner[i].id;
    p.beside = beside;
    list.add(p);
  }
}

void clip_feature(const Feature& reference, const Feature& incident, const Vec3& n, double margin,
                  ClipList& list) {
  ClipList other;
  ClipList *from = &list, *to = &other;
  add_corners(incident, false, list);
  const bool closed = incident.is_polygon();
  const auto clip_by = [&](const Vec3& across, const Vec3& on, int edge) {
    const Vec3 outward = normalized(across, {});
    clip(*from, outward, dot(outward, on), margin, edge, closed, *to);
    std::swap(from, to);
  };
  if (reference.is_line()) {
    const Vec3 across = flattened(reference.along(), n);
    clip_by(-across, reference.corner[0].point, 0);
    clip_by(across, reference.corner[1].point, 1);
  } else {
    const bool along = dot(reference.normal, n) >= 0.0;
    for (int i = 0; i < reference.count && from->count > 0; ++i) {
      const Vec3 edge = reference.end(i) - reference.start(i);
      clip_by(along ? cross(edge, n) : cross(n, edge), reference.start(i), i);
    }
  }
  if (from == &list) return;
  // The points that there are, of the 4 kB.
  list.count = other.count;
  std::copy_n(other.item.data(), other.count, list.item.data());
}

Vec3 point_over(const Feature& reference, const Vec3& n, const ClipPoint& c) {
  const Vec3& x = c.point;
  if (reference.head != reference.tail) return point_over_strip(reference, n, x);
  const Vec3& origin = reference.corner[0].point;
  if (reference.is_line()) {
    const Vec3 along = reference.along();
    const Vec3 flat = flattened(along, n);
    return origin + along * std::clamp(dot(x - origin, flat) / squared_norm(flat), 0.0, 1.0);
  }
  const Vec3 over = onto_plane(reference, n, x);
  return c.beside ? onto_polygon(reference, over) : over;
}

void round_off(const Feature& reference, const Feature& disc, const Vec3& n, ClipList& list) {
  const double radius = disc.radius();
  for (int i = 0; i < list.count; ++i) {
    ClipPoint& c = list.item[i];
    if (c.edge < 0) continue;
    const Vec3 edge = reference.end(c.reference) - reference.start(c.reference);
    const Vec3 from = c.point - disc.center;
    Vec3 out = normalized(edge - n * (dot(edge, disc.normal) / dot(n, disc.normal)), {});
    if (dot(out, from) < 0.0) out = -out;
    const double along = dot(out, from);
    const double rest = (radius - norm(from)) * (radius + norm(from));
    c.point += out * (rest / (along + std::sqrt(along * along + std::max(rest, 0.0))));
    c.point = onto_disc(disc, c.point);
  }
  const double sense = dot(reference.normal, n) >= 0.0 ? 1.0 : -1.0;
  const auto outward = [&](int edge) {
    return cross(reference.end(edge) - reference.start(edge), n) * sense;
  };
  for (int i = 0; i < reference.count; ++i) {
    if (!(dot(outward(i), disc.center - reference.start(i)) > 0.0)) continue;
    const Vec3 across = normalized(flattened(outward(i), disc.normal), {});
    const Vec3 chord = cross(across, disc.normal);
    const double height =
        dot(outward(i), disc.center - reference.start(i)) / dot(outward(i), across);
    const double half = std::sqrt(std::max((radius - height) * (radius + height), 0.0));
    for (const double side : {1.0, -1.0}) {
      ClipPoint p;
      const Vec3 over_chord = chord * (side * half / 3.0) - across * height;
      p.point = disc.center + over_chord * (radius / norm(over_chord));
      bool inside = true;
      for (int k = 0; k < reference.count && inside; ++k)
        inside = dot(outward(k), p.point - reference.start(k)) <= 0.0;
      p.incident = 0x100 + 2 * reference.corner[i].id + (side > 0.0 ? 0 : 1);
      if (inside) list.add(p);
    }
  }
}

void common_of_discs(const Feature& reference, const Feature& incident, const Vec3& n,
                     double margin, ClipList& list) {
  constexpr std::uint32_t kOfReference = 0x100, kOfRims = 0x200;
  // Centres less far apart, as a part of the radius, have no direction from one to the other.
  constexpr double kAside = 0.05;
  const double radius = reference.radius(), other = incident.radius();
  const auto add = [&](const Vec3& x, std::uint32_t id, int corner) {
    ClipPoint p;
    p.point = x;
    p.incident = id;
    p.corner = corner;
    p.beside = true;
    list.add(p);
  };
  for (int i = 0; i < incident.count; ++i) {
    const Vec3& x = incident.corner[i].point;
    if (norm(onto_plane(reference, n, x) - reference.center) <= radius + margin)
      add(x, incident.corner[i].id, i);
  }
  const auto add_over = [&](const Vec3& y, std::uint32_t id) {
    const Vec3 x = onto_plane(incident, n, y);
    if (norm(x - incident.center) <= other + margin) add(onto_disc(incident, x), id, -1);
  };
  for (int i = 0; i < reference.count; ++i)
    add_over(reference.corner[i].point, kOfReference + reference.corner[i].id);
  const Vec3 between = flattened(incident.center - reference.center, n);
  const double d = norm(between);
  if (!(d > std::fabs(radius - other) + margin)) return;
  const Vec3 across = between / d, along = cross(n, across);
  const double place = 0.5 * (d + (radius - other) * (radius + other) / d);
  const double half = std::sqrt(std::max((radius - place) * (radius + place), 0.0));
  const Vec3 middle = reference.center + across * place;
  for (const double side : {1.0, -1.0}) {
    const Vec3 crossing = onto_plane(incident, n, middle + along * (side * half));
    add(onto_disc(incident, crossing), kOfRims + (side > 0.0 ? 0 : 1), -1);
  }
  if (!(d > kAside * std::min(radius, other))) return;
  add_over(
      onto_disc(reference, onto_plane(reference, n, reference.center + across * (2.0 * radius))),
      kOfRims + 2);
  add(onto_disc(incident, onto_plane(incident, n, incident.center - across * (2.0 * other))),
      kOfRims + 3, -1);
}

}  // namespace tactus::detail
