#include "lab/stacks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/io/json/query_judge.hpp"

namespace tactus::detail::lab {
namespace {

constexpr double kDepth = 5e-4;
// Corners of the polygon that stands for a disc: its largest square is that of the disc.
constexpr std::uint32_t kDisc = 128;
// Least `spread` of the common face, relative to that of the smaller face.
constexpr double kCommon = 0.05;

using Outline = std::vector<Vec3>;

/// A body that stands upright: its faces above and below, as seen from above, counter-clockwise;
/// two points are a line.
struct Standing {
  Shape shape;
  Mat3 axes = Mat3::identity();  ///< of the shape, upright
  double half_height = 0.0;
  Outline above, below;
};

Mat3 turned(const Vec3& axis, double angle) {
  const Vec3 v = axis * std::sin(0.5 * angle);
  return to_matrix(normalized(Quat{std::cos(0.5 * angle), v.x, v.y, v.z}));
}

/// One of the 24 rotations of a cube, exactly.
Mat3 rotation_of_cube(Random& random) {
  std::array<Vec3, 3> column{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  for (std::uint64_t i = random.below(3); i > 0; --i)
    std::rotate(column.begin(), column.begin() + 1, column.end());
  if (fuzz::chance(random, 2)) {
    std::swap(column[0], column[1]);
    column[2] = -column[2];
  }
  for (const std::size_t i : {0u, 1u}) {
    if (!fuzz::chance(random, 2)) continue;
    column[i] = -column[i];
    column[i + 1] = -column[i + 1];
  }
  return Mat3::from_columns(column[0], column[1], column[2]);
}

Outline rectangle(double x, double y) { return {{x, y, 0}, {-x, y, 0}, {-x, -y, 0}, {x, -y, 0}}; }

/// Triangles of a body between two outlines of as many corners.
TriangleMesh between(const Outline& below, const Outline& above, double half_height) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(below.size());
  for (const Vec3& p : below) mesh.vertices.push_back({p.x, p.y, -half_height});
  for (const Vec3& p : above) mesh.vertices.push_back({p.x, p.y, half_height});
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
    if (i < 2) continue;
    mesh.triangles.push_back({0, i, i - 1});
    mesh.triangles.push_back({n, n + i - 1, n + i});
  }
  return mesh;
}

Standing standing_box(const Vec3& size, bool mesh, Random& random) {
  const Mat3 axes = rotation_of_cube(random);
  const Outline face = rectangle(0.5 * size.x, 0.5 * size.y);
  if (mesh) {
    return {Mesh(between(face, face, 0.5 * size.z)), Mat3::identity(), 0.5 * size.z, face, face};
  }
  return {Box(component_abs(transpose(axes) * size)), axes, 0.5 * size.z, face, face};
}

Standing standing_cylinder(double radius, double length) {
  Outline disc;
  for (std::uint32_t i = 0; i < kDisc; ++i) {
    const double angle = kTwoPi * i / kDisc;
    disc.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.0});
  }
  return {Cylinder(radius, length), Mat3::identity(), 0.5 * length, disc, disc};
}

/// A frustum over a random or regular outline.
Standing standing_hull(bool mesh, Random& random) {
  const auto n = static_cast<std::uint32_t>(3 + random.below(10));
  const bool regular = fuzz::chance(random, 2);
  const double x = random.uniform(0.4, 1.0), y = regular ? x : random.uniform(0.4, 1.0);
  const double taper = fuzz::chance(random, 2) ? 1.0 : random.uniform(0.6, 1.5);
  Outline below, above;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = kTwoPi * (i + (regular ? 0.0 : random.uniform(0.1, 0.9))) / n;
    below.push_back({x * std::cos(angle), y * std::sin(angle), 0.0});
    above.push_back(below.back() * taper);
  }
  const double half_height = random.uniform(0.2, 0.8);
  TriangleMesh surface = between(below, above, half_height);
  if (mesh) return {Mesh(surface), Mat3::identity(), half_height, above, below};
  return {Convex(surface.vertices), Mat3::identity(), half_height, above, below};
}

Standing lying_capsule(Random& random) {
  const double radius = random.uniform(0.1, 0.5), length = random.uniform(0.3, 2.0);
  const Outline line{{0.5 * length, 0, 0}, {-0.5 * length, 0, 0}};
  return {Capsule(radius, length), turned({0, 1, 0}, 0.25 * kTwoPi), radius, line, line};
}

std::array<Standing, 2> draw_bodies(StackKind kind, Random& random) {
  const auto some = [&] { return random.uniform(0.3, 2.0); };
  const auto box = [&](bool mesh) {
    const double x = some(), y = some(), z = some();
    return standing_box({x, y, z}, mesh, random);
  };
  switch (kind) {
    case StackKind::cubes: {
      const double edge = some();
      const Standing lower = standing_box({edge, edge, edge}, false, random);
      return {lower, standing_box({edge, edge, edge}, false, random)};
    }
    case StackKind::turned_boxes: {
      const Standing lower = box(false);
      return {lower, box(false)};
    }
    case StackKind::discs: {
      const double radius = random.uniform(0.2, 1.0), length = some();
      const Standing lower = standing_cylinder(radius, length);
      if (fuzz::chance(random, 3)) return {lower, lower};
      if (fuzz::chance(random, 3)) return {lower, box(false)};
      const double other = random.uniform(0.2, 1.0), other_length = some();
      return {lower, standing_cylinder(other, other_length)};
    }
    case StackKind::hulls: {
      const Standing lower = standing_hull(false, random);
      if (fuzz::chance(random, 3)) return {lower, lower};
      return {lower, standing_hull(false, random)};
    }
    case StackKind::capsules: {
      const Standing lower = box(false);
      return {lower, lying_capsule(random)};
    }
    case StackKind::meshes:
      break;
  }
  const Standing lower = fuzz::chance(random, 2) ? box(true) : standing_hull(true, random);
  if (fuzz::chance(random, 3)) return {lower, lower};
  const bool mesh = fuzz::chance(random, 2);
  return {lower, fuzz::chance(random, 2) ? box(mesh) : standing_hull(mesh, random)};
}

double area_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

/// The part of one outline over another one, which is no line.
Outline common(Outline outline, const Outline& other) {
  for (std::size_t i = 0; i < other.size(); ++i) {
    const Vec3 &p = other[i], &q = other[(i + 1) % other.size()];
    Outline kept;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const Vec3 &from = outline[k], &to = outline[(k + 1) % outline.size()];
      const double inside = area_of(p, q, from), next = area_of(p, q, to);
      if (inside >= 0.0) kept.push_back(from);
      if (outline.size() == 2 && k == 1) break;
      if ((inside > 0.0 && next < 0.0) || (inside < 0.0 && next > 0.0))
        kept.push_back(from + (to - from) * (inside / (inside - next)));
    }
    outline = std::move(kept);
  }
  return outline;
}

double largest_of_four(const Outline& points) {
  double most = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      double left = 0.0, right = 0.0;
      for (const Vec3& p : points) {
        const double area = area_of(points[i], points[j], p);
        left = std::max(left, area);
        right = std::max(right, -area);
      }
      most = std::max(most, left + right);
    }
  }
  return most;
}

// The lengths of a line are its two ends apart.
double spread_of(const Outline& points, bool line) {
  if (!line) return largest_of_four(points);
  double most = 0.0;
  for (const Vec3& p : points) {
    for (const Vec3& q : points) most = std::max(most, norm(p - q));
  }
  return most;
}

double angle_between(StackKind kind, Random& random) {
  const bool lined_up = kind == StackKind::cubes || fuzz::chance(random, 2);
  if (!lined_up) return random.uniform(0.0, kTwoPi);
  return kTwoPi * static_cast<double>(random.below(8)) / 8.0;
}

/// None, a number of quarters of the lower face, or any.
Vec3 draw_offset(const Outline& face, Random& random) {
  Vec3 most;
  for (const Vec3& p : face) most = component_max(most, component_abs(p));
  const auto quarters = [&] { return 0.5 * static_cast<double>(random.below(4)); };
  switch (random.below(3)) {
    case 0:
      return {};
    case 1: {
      const double x = quarters(), y = quarters();
      return {x * most.x, y * most.y, 0.0};
    }
    default: {
      const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
      return {x * most.x, y * most.y, 0.0};
    }
  }
}

}  // namespace

std::string_view name_of(StackKind kind) {
  constexpr std::string_view kNames[] = {"cubes", "turned boxes", "discs",
                                         "hulls", "capsules",     "meshes"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string stacks_in_words() {
  return "equal cubes; boxes turned against each other; cylinders on their\ncaps, on cylinders or "
         "under boxes; frusta with regular and random outlines; capsules that lie on boxes; and "
         "meshes of boxes and\nfrusta. Faces overlap, touch or are apart by 5e-4; in many they "
         "line "
         "up: no turn or eighths of one, no offset or quarters of the\nface; half of the stacks "
         "stand in the world as they are, half anyhow.";
}

double spread(std::span<const Vec3> points, const Vec3& up) {
  const Vec3 u = any_perpendicular(up), v = cross(up, u);
  Outline seen;
  seen.reserve(points.size());
  for (const Vec3& p : points) seen.push_back({dot(u, p), dot(v, p), 0.0});
  return spread_of(seen, seen.size() == 2);
}

Stack draw_stack(StackKind kind, Random& random) {
  while (true) {
    const std::array<Standing, 2> body = draw_bodies(kind, random);
    const double angle = angle_between(kind, random);
    const Vec3 offset = draw_offset(body[0].above, random);
    const Mat3 turn = turned({0, 0, 1}, angle);
    Outline face = body[1].below;
    const bool line = face.size() == 2;
    const double whole = std::min(spread_of(face, line), spread_of(body[0].above, line));
    for (Vec3& p : face) p = turn * p + offset;
    const double best = spread_of(common(face, body[0].above), line);
    if (!(best > kCommon * whole)) continue;
    const double gap = kDepth * (static_cast<double>(random.below(3)) - 1.0);
    const Mat3 world =
        fuzz::chance(random, 2) ? Mat3::identity() : to_matrix(fuzz::rotation(random));
    const Vec3 place{offset.x, offset.y, body[0].half_height + body[1].half_height + gap};
    return {body[0].shape,
            body[1].shape,
            detail::unchecked_pose({}, world * body[0].axes),
            detail::unchecked_pose(world * place, world * (turn * body[1].axes)),
            io::pair_size(body[0].shape, body[1].shape),
            transpose(body[0].axes) * Vec3{0, 0, 1},
            best};
  }
}

}  // namespace tactus::detail::lab
