#include "tests/oracle/generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/random_values.hpp"
#include "tests/oracle/reference.hpp"

namespace tactus::detail::oracle {
namespace {

constexpr const char* kGroups[] = {"sphere-sphere",   "sphere-box",
                                   "capsule-capsule", "capsule-box",
                                   "box-box",         "cylinder-cylinder",
                                   "cone-box",        "ellipsoid-ellipsoid",
                                   "poly16",          "poly64",
                                   "poly256",         "poly1024",
                                   "mixed",           "halfspace",
                                   "compound"};
constexpr const char* kCategories[] = {"sep",      "pen",    "touch_sep", "touch_pen", "deep",
                                       "parallel", "sliver", "scale",     "far"};
constexpr int kGroupCount = static_cast<int>(std::size(kGroups));
constexpr int kCategoryCount = static_cast<int>(std::size(kCategories));

constexpr std::size_t kHullSizes[] = {16, 64, 256, 1024};
constexpr int kHullsOfEachSize = 12;

constexpr ShapeType kConvexKinds[] = {ShapeType::sphere,   ShapeType::box,  ShapeType::capsule,
                                      ShapeType::cylinder, ShapeType::cone, ShapeType::ellipsoid,
                                      ShapeType::convex};

using fuzz::direction;
using fuzz::power_of_ten;
using fuzz::rotation;
using fuzz::vector_in;

/// Applies a factor to every length of a body.
void scale_body(Body& body, double s) {
  body.radius *= s;
  body.length *= s;
  body.rounding *= s;
  body.offset *= s;
  if (body.type != ShapeType::halfspace) body.size = body.size * s;
  body.scale = body.scale * s;
  for (Body::Part& part : body.parts) {
    scale_body(part.body, s);
    part.placement.position *= s;
  }
}

/// Makes some of a body's measures small against the others.
void flatten(Body& body, Random& random) {
  const auto factor = [&random] {
    const double f = power_of_ten(random, -3.0, 0.0);
    return random.below(2) == 0 ? f : 1.0;
  };
  body.radius *= factor();
  body.length *= factor();
  for (int i = 0; i < 3; ++i) {
    const double f = factor();
    if (body.type == ShapeType::halfspace) continue;
    body.size[i] *= f;
    body.scale[i] *= f;
  }
  for (Body::Part& part : body.parts) flatten(part.body, random);
}

/// No point is farther from the body's origin; a half-space counts as a unit ball.
double reach(const Body& body) {
  double r = std::max({body.radius, 0.5 * body.length, 0.5 * norm(body.size)});
  if (body.type == ShapeType::capsule) r = body.radius + 0.5 * body.length;
  if (body.type == ShapeType::ellipsoid) r = max_abs(body.size);
  if (body.type == ShapeType::cylinder || body.type == ShapeType::cone) {
    r = norm(Vec3{body.radius, 0.5 * body.length, 0.0});
  }
  for (const Vec3& p : body.points) r = std::max(r, norm(component_product(p, body.scale)));
  for (const Body::Part& part : body.parts) {
    r = std::max(r, norm(part.placement.position) + reach(part.body));
  }
  return r + body.rounding;
}

/// The gap that a category asks for, in units of the smaller body's reach; negative in overlap.
double wanted_gap(const std::string& category, Random& random) {
  if (category == "sep") return random.uniform(0.01, 1.0);
  if (category == "pen") return -random.uniform(0.002, 0.3);
  if (category == "touch_sep") return power_of_ten(random, -8.0, -5.0);
  if (category == "touch_pen") return -power_of_ten(random, -8.0, -5.0);
  if (category == "sliver") return random.uniform(-0.05, 0.3);
  return random.uniform(-0.3, 0.7);
}

/// Moves B along the line of least separation until the gap is as wanted (in overlap: at most that
/// deep).
void approach(Pair& pair, double gap) {
  const Reference now = reference(pair);
  const Point shift = now.normal * (Real(gap) - now.distance);
  pair.place_b.position += Vec3{static_cast<double>(shift.x), static_cast<double>(shift.y),
                                static_cast<double>(shift.z)};
}

/// Axes of B along axes of A: the same, turned by a right angle, or turned about one of them.
Quat aligned_rotation(const Quat& q, Random& random) {
  const double half = std::sqrt(0.5);
  const double angle = random.uniform(0.0, 3.0);
  const Quat turns[] = {{1.0, 0.0, 0.0, 0.0},
                        {half, half, 0.0, 0.0},
                        {half, 0.0, half, 0.0},
                        {half, 0.0, 0.0, half},
                        {std::cos(angle), std::sin(angle), 0.0, 0.0},
                        {std::cos(angle), 0.0, 0.0, std::sin(angle)}};
  return q * turns[random.below(static_cast<std::uint32_t>(std::size(turns)))];
}

/// Places the two bodies as the category says.
void place(Case& made, Random& random) {
  Pair& pair = made.pair;
  const double reach_a = reach(pair.a), reach_b = reach(pair.b);
  const double unit_length = std::min(reach_a, reach_b);
  const bool parallel = made.category == "parallel";
  Quat& qa = pair.place_a.quaternion;
  qa = rotation(random);
  if (parallel && random.below(2) == 0) qa = {};
  pair.place_b.quaternion = parallel ? aligned_rotation(qa, random) : rotation(random);

  pair.place_a.position = vector_in(random, -2.0, 2.0) * unit_length;
  Vec3 toward = direction(random);
  if (parallel) {
    const int axis = static_cast<int>(random.below(3));
    toward = to_matrix(qa).column(axis) * (random.below(2) == 0 ? 1.0 : -1.0);
  }
  const bool deep = made.category == "deep";
  const double away = deep ? random.uniform(0.0, 0.3) * unit_length : 1.01 * (reach_a + reach_b);
  pair.place_b.position = pair.place_a.position + toward * away;
  if (!deep) approach(pair, wanted_gap(made.category, random) * unit_length);

  if (made.category == "far") {
    const Vec3 shift = direction(random) * (1e4 * random.uniform(0.1, 1.0));
    pair.place_a.position += shift;
    pair.place_b.position += shift;
  }
}

}  // namespace

Generator::Generator(std::uint64_t seed) : seed_(seed) {
  std::uint64_t stream = ~std::uint64_t{0} >> 1U;
  for (const std::size_t size : kHullSizes) {
    auto& hulls = hulls_.emplace_back();
    for (int i = 0; i < kHullsOfEachSize; ++i) {
      Random random(seed_, --stream);
      const Vec3 radii = vector_in(random, 0.5, 1.0);
      auto& points = hulls.emplace_back();
      for (std::size_t k = 0; k < size; ++k) {
        points.push_back(component_product(direction(random), radii));
      }
    }
  }
}

int Generator::combinations() { return kGroupCount * kCategoryCount; }

Body Generator::make_hull(int size_class, Random& random) const {
  Body body;
  body.type = ShapeType::convex;
  body.points = hulls_[static_cast<std::size_t>(size_class)][random.below(kHullsOfEachSize)];
  return body;
}

Body Generator::make_body(ShapeType type, Random& random) const {
  if (type == ShapeType::convex) return make_hull(0, random);
  Body body;
  body.type = type;
  switch (type) {
    case ShapeType::box:
      body.size = vector_in(random, 0.6, 2.0);
      break;
    case ShapeType::ellipsoid:
      body.size = vector_in(random, 0.3, 1.0);
      break;
    case ShapeType::halfspace:
      body.size = direction(random);
      body.size = body.size * random.uniform(0.5, 2.0);
      body.offset = random.uniform(-1.0, 1.0);
      break;
    default:
      body.radius = random.uniform(0.3, 1.0);
      if (type != ShapeType::sphere) body.length = random.uniform(0.6, 2.0);
      break;
  }
  return body;
}

Body Generator::make_convex(Random& random) const {
  Body body = make_body(kConvexKinds[random.below(std::size(kConvexKinds))], random);
  if (random.below(3) == 0) body.rounding = random.uniform(0.01, 0.3);
  return body;
}

Body Generator::make_compound(Random& random) const {
  Body body;
  body.type = ShapeType::compound;
  const std::uint32_t count = 2 + random.below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    Body part = make_convex(random);
    Placement placement;
    placement.position = vector_in(random, -1.0, 1.0);
    placement.quaternion = rotation(random);
    body.parts.push_back({std::move(part), placement});
  }
  return body;
}

Case Generator::make(std::uint64_t index) const {
  Random random(seed_, index);
  const auto group = static_cast<int>(index % kGroupCount);
  const auto category = static_cast<int>(index / kGroupCount % kCategoryCount);
  Case made;
  made.group = kGroups[group];
  made.category = kCategories[category];

  struct Kinds {
    ShapeType a, b;
  };
  constexpr Kinds kKinds[] = {
      {ShapeType::sphere, ShapeType::sphere},   {ShapeType::sphere, ShapeType::box},
      {ShapeType::capsule, ShapeType::capsule}, {ShapeType::capsule, ShapeType::box},
      {ShapeType::box, ShapeType::box},         {ShapeType::cylinder, ShapeType::cylinder},
      {ShapeType::cone, ShapeType::box},        {ShapeType::ellipsoid, ShapeType::ellipsoid}};
  constexpr int kPrimitiveGroups = static_cast<int>(std::size(kKinds));
  constexpr int kHullGroups = static_cast<int>(std::size(kHullSizes));
  if (group < kPrimitiveGroups) {
    made.pair.a = make_body(kKinds[group].a, random);
    made.pair.b = make_body(kKinds[group].b, random);
  } else if (group < kPrimitiveGroups + kHullGroups) {
    made.pair.a = make_hull(group - kPrimitiveGroups, random);
    made.pair.b = make_hull(group - kPrimitiveGroups, random);
  } else {
    made.pair.a = made.group == "compound" ? make_compound(random) : make_convex(random);
    made.pair.b =
        made.group == "halfspace" ? make_body(ShapeType::halfspace, random) : make_convex(random);
    if (random.below(2) == 0) std::swap(made.pair.a, made.pair.b);
  }

  if (made.category == "sliver") {
    flatten(made.pair.a, random);
    flatten(made.pair.b, random);
  }
  if (made.category == "scale") {
    const double common = power_of_ten(random, -3.0, 3.0);
    const double other = random.below(2) == 0 ? common : power_of_ten(random, -3.0, 3.0);
    scale_body(made.pair.a, common);
    scale_body(made.pair.b, other);
  }
  place(made, random);
  return made;
}

}  // namespace tactus::detail::oracle
