#include "fuzz/shape_maker.hpp"

#include <cmath>
#include <memory>

#include "fuzz/mesh_maker.hpp"
#include "fuzz/random_values.hpp"
#include "tactus/core/constants.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::fuzz {
namespace {

constexpr std::size_t kManyVertices[] = {64, 256, 1024};
constexpr int kHullsOfEachSize = 4;
// Streams of the pool of hulls lie beyond all indices of queries.
constexpr std::uint64_t kPoolStream = ~std::uint64_t{0} >> 1U;

constexpr ShapeType kConvexKinds[] = {ShapeType::sphere,   ShapeType::box,  ShapeType::capsule,
                                      ShapeType::cylinder, ShapeType::cone, ShapeType::ellipsoid,
                                      ShapeType::convex};

double length(Random& random, Style style) {
  switch (style) {
    case Style::exact:
      return 0.25 * (1.0 + random.below(8));
    case Style::sliver:
      return random.uniform(0.2, 2.0) * (chance(random, 2) ? power_of_ten(random, -8.0, 0.0) : 1.0);
    case Style::zero_size:
    case Style::rounded:
      return chance(random, 3) ? 0.0 : random.uniform(0.2, 2.0);
    case Style::usual:
      break;
  }
  return random.uniform(0.2, 2.0);
}

Vec3 lengths(Random& random, Style style) {
  const double x = length(random, style);
  // Equal measures are common in practice and degenerate.
  const double y = chance(random, 4) ? x : length(random, style);
  const double z = chance(random, 4) ? x : length(random, style);
  return {x, y, z};
}

double rounding(Random& random, Style style) {
  switch (style) {
    case Style::exact:
      return chance(random, 4) ? 0.25 : 0.0;
    case Style::rounded:
      return power_of_ten(random, -12.0, 2.0);
    default:
      return chance(random, 4) ? random.uniform(0.01, 0.3) : 0.0;
  }
}

/// A few points in a cube of edge 1.
std::vector<Vec3> few_points(Random& random) {
  std::vector<Vec3> points;
  const std::uint32_t count = 4 + random.below(16);
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) points.push_back(vector_in(random, -0.5, 0.5));
  return points;
}

std::vector<Vec3> cospherical_points(Random& random) {
  std::vector<Vec3> points;
  const std::uint32_t count = 8 + random.below(40);
  points.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) points.push_back(direction(random) * 0.5);
  return points;
}

/// Corners of a grid: many coplanar and collinear points.
std::vector<Vec3> lattice_points(Random& random) {
  std::vector<Vec3> points;
  const std::uint32_t count = 6 + random.below(22);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double x = random.below(3);
    const double y = random.below(3);
    const double z = random.below(3);
    points.push_back({0.5 * x - 0.5, 0.5 * y - 0.5, 0.5 * z - 0.5});
  }
  return points;
}

/// A prism, a frustum or a pyramid over a regular polygon.
std::vector<Vec3> prism_points(Random& random) {
  constexpr double kTops[] = {0.0, 0.5, 1.0};
  std::vector<Vec3> points;
  const std::uint32_t sides = 3 + random.below(30);
  const double top = kTops[random.below(3)];
  for (std::uint32_t i = 0; i < sides; ++i) {
    const double angle = kTwoPi * i / sides;
    const double x = 0.5 * std::cos(angle);
    const double y = 0.5 * std::sin(angle);
    points.push_back({x, y, -0.5});
    points.push_back({top * x, top * y, 0.5});
  }
  return points;
}

/// Every point again, moved by nothing or by next to nothing.
void duplicate(std::vector<Vec3>& points, Random& random) {
  const std::size_t count = points.size();
  const double reach = chance(random, 2) ? 0.0 : power_of_ten(random, -17.0, -9.0);
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(points[i] + vector_in(random, -reach, reach));
  }
}

Shape hull_of(std::vector<Vec3> points, const Vec3& size, double rounding) {
  for (Vec3& p : points) p = component_product(p, size);
  return Shape(Convex(points), rounding);
}

}  // namespace

Vec3 ByFunction::support(const Vec3& direction) const noexcept {
  return tactus::support(shape_, direction);
}

Shape as_function(const Shape& shape) { return CustomConvex(std::make_shared<ByFunction>(shape)); }

const Shape* behind_function(const Shape& shape) {
  const auto* custom = std::get_if<CustomConvex>(&shape.geometry());
  if (custom == nullptr) return nullptr;
  const auto* function = dynamic_cast<const ByFunction*>(&custom->function());
  return function != nullptr ? &function->shape() : nullptr;
}

ShapeMaker::ShapeMaker(std::uint64_t seed) {
  std::uint64_t stream = kPoolStream;
  for (const std::size_t count : kManyVertices) {
    for (int i = 0; i < kHullsOfEachSize; ++i) {
      Random random(seed, --stream);
      const Vec3 radii = vector_in(random, 0.5, 1.0);
      std::vector<Vec3> points;
      points.reserve(count);
      for (std::size_t k = 0; k < count; ++k) {
        points.push_back(component_product(direction(random), radii));
      }
      large_.emplace_back(Convex(points));
    }
  }
}

Shape ShapeMaker::convex_body(Random& random, Style style) const {
  const ShapeType kind = kConvexKinds[random.below(std::size(kConvexKinds))];
  const Vec3 size = lengths(random, style);
  const double grown = rounding(random, style);
  switch (kind) {
    case ShapeType::sphere:
      return Shape(Sphere(0.5 * size.x), style == Style::rounded ? grown : 0.0);
    case ShapeType::box:
      return Shape(Box(size), grown);
    case ShapeType::capsule:
      return Shape(Capsule(0.5 * size.x, size.z), style == Style::rounded ? grown : 0.0);
    case ShapeType::cylinder:
      return Shape(Cylinder(0.5 * size.x, size.z), grown);
    case ShapeType::cone:
      return Shape(Cone(0.5 * size.x, size.z), grown);
    case ShapeType::ellipsoid:
      if (size.x > 0.0 && size.y > 0.0 && size.z > 0.0) return Shape(Ellipsoid(size * 0.5), grown);
      return Shape(Box(size), grown);
    default:
      return chance(random, 2) ? hull_of(few_points(random), size, grown)
                               : hard_hull(random, style);
  }
}

Shape ShapeMaker::hard_hull(Random& random, Style style) const {
  const Vec3 size = lengths(random, style);
  const double grown = rounding(random, style);
  std::vector<Vec3> points;
  switch (random.below(6)) {
    case 0:
      points = cospherical_points(random);
      break;
    case 1:
      points = lattice_points(random);
      break;
    case 2:
      points = prism_points(random);
      break;
    case 3:
      points = few_points(random);
      duplicate(points, random);
      break;
    case 4: {
      // Nearly flat, and nearly coplanar faces.
      points = lattice_points(random);
      const double jitter = power_of_ten(random, -17.0, -6.0);
      for (Vec3& p : points) p += vector_in(random, -jitter, jitter);
      break;
    }
    default: {
      const Shape& large = large_[random.below(static_cast<std::uint32_t>(large_.size()))];
      return Shape(std::get<Convex>(large.geometry()), grown);
    }
  }
  return hull_of(std::move(points), size, grown);
}

Shape ShapeMaker::compound(Random& random, Style style, bool nested, bool meshes) const {
  std::vector<Compound::Part> parts;
  const std::uint32_t count = 1 + random.below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t kind = random.below(8);
    Shape shape = kind == 0             ? halfspace(random, style)
                  : nested && kind <= 2 ? compound(random, style, nested)
                  : meshes && kind <= 4 ? make_mesh(random, style)
                                        : convex_body(random, style);
    Vec3 position = vector_in(random, -1.0, 1.0);
    if (style == Style::exact) {
      for (int k = 0; k < 3; ++k) position[k] = 0.25 * std::floor(4.0 * position[k]);
    }
    const Quat turn = style == Style::exact || chance(random, 3) ? Quat{} : rotation(random);
    parts.push_back({std::move(shape), Pose(position, turn)});
  }
  return Compound(std::move(parts));
}

Shape ShapeMaker::halfspace(Random& random, Style style) const {
  if (style == Style::exact || chance(random, 3)) {
    Vec3 normal;
    normal[static_cast<int>(random.below(3))] = chance(random, 2) ? 1.0 : -1.0;
    return HalfSpace(normal, 0.25 * random.below(5));
  }
  const Vec3 normal = direction(random);
  return HalfSpace(normal, random.uniform(-1.0, 1.0));
}

Shape ShapeMaker::any_or_mesh(Random& random, Style style) const {
  return chance(random, 3) ? make_mesh(random, style) : any(random, style);
}

Shape ShapeMaker::any(Random& random, Style style) const {
  switch (random.below(12)) {
    case 0:
      return compound(random, style);
    case 1:
      return halfspace(random, style);
    case 2:
      return hard_hull(random, style);
    default:
      return convex_body(random, style);
  }
}

}  // namespace tactus::detail::fuzz
