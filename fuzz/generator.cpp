#include "fuzz/generator.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fuzz/mesh_maker.hpp"
#include "fuzz/motion_maker.hpp"
#include "fuzz/random_values.hpp"
#include "tactus/io/json/query_judge.hpp"
#include "tactus/shape.hpp"

namespace tactus::detail::fuzz {
namespace {

constexpr std::string_view kClasses[] = {
    "random",    "touching",   "parallel", "concentric", "aligned",   "sliver",
    "zero_size", "size_ratio", "far",      "tiny_huge",  "denormal",  "near_rotation",
    "hulls",     "roundings",  "compound", "nested",     "halfspace", "deep",
    "custom",    "options",    "mesh",     "contacts",   "casts",     "impacts"};

// A shape that a scale takes out of the range of numbers is drawn again, this often.
constexpr int kAttempts = 100;

enum class Arrangement : std::uint8_t { loose, touching, parallel, concentric, aligned, deep };

bool chance_of_degenerate(Random& random) { return random.below(4) != 0; }

Arrangement any_arrangement(Random& random) {
  if (!chance_of_degenerate(random)) return Arrangement::loose;
  return static_cast<Arrangement>(random.below(6));
}

/// Radius of a ball that holds the shape; a half-space counts as a unit ball.
double ball_radius(const Shape& shape) {
  const double r = bounding_radius(shape);
  return std::isfinite(r) ? r : 1.0;
}

/// One of the 24 rotations that map axes to axes, without rounding.
Mat3 quarter_turns(Random& random) {
  const int first = static_cast<int>(random.below(3));
  const int second = (first + 1 + static_cast<int>(random.below(2))) % 3;
  Vec3 x, y;
  x[first] = chance(random, 2) ? 1.0 : -1.0;
  y[second] = chance(random, 2) ? 1.0 : -1.0;
  return Mat3::from_columns(x, y, cross(x, y));
}

Vec3 on_grid(Random& random, int quarters) {
  Vec3 v;
  for (int i = 0; i < 3; ++i) {
    v[i] = 0.25 * (static_cast<int>(random.below(static_cast<std::uint32_t>(2 * quarters + 1))) -
                   quarters);
  }
  return v;
}

/// Axes of B along axes of A: equal, quarter turns, or turned about a common axis.
Mat3 rotation_along(const Mat3& r, Random& random) {
  if (!chance(random, 3)) return r * quarter_turns(random);
  const double angle = random.uniform(0.0, 3.0);
  Quat turn{std::cos(angle), 0.0, 0.0, 0.0};
  (chance(random, 2) ? turn.x : turn.z) = std::sin(angle);
  return r * to_matrix(turn);
}

void place(io::Query& q, Arrangement arrangement, Random& random) {
  const double reach_a = ball_radius(q.a), reach_b = ball_radius(q.b);
  const double unit = std::min(reach_a, reach_b) > 0.0   ? std::min(reach_a, reach_b)
                      : std::max(reach_a, reach_b) > 0.0 ? std::max(reach_a, reach_b)
                                                         : 1.0;
  const double size = std::max({reach_a, reach_b, unit});
  const bool exact = arrangement == Arrangement::aligned;
  const Mat3 turn_a =
      exact || chance(random, 4) ? quarter_turns(random) : to_matrix(rotation(random));
  const Vec3 origin = exact ? on_grid(random, 8) : vector_in(random, -1.0, 1.0) * unit;
  q.pose_a = detail::unchecked_pose(origin, turn_a);
  Mat3 turn_b = to_matrix(rotation(random));
  if (arrangement == Arrangement::parallel || (!exact && chance(random, 4))) {
    turn_b = rotation_along(turn_a, random);
  }
  if (exact) turn_b = quarter_turns(random);
  const auto put = [&](const Vec3& offset) {
    q.pose_b = detail::unchecked_pose(origin + offset, turn_b);
  };
  const double apart = reach_a + reach_b;
  switch (arrangement) {
    case Arrangement::loose:
      put(direction(random) * (apart * random.uniform(0.0, 1.5)));
      break;
    case Arrangement::touching: {
      put(direction(random) * apart);
      const double gap = size * power_of_ten(random, -16.0, -5.0);
      const double wanted = chance(random, 2) ? gap : -gap;
      approach(q, wanted);
      approach(q, wanted);
      break;
    }
    case Arrangement::parallel: {
      const Vec3 ahead = turn_a.column(static_cast<int>(random.below(3)));
      put(ahead * (apart * random.uniform(0.0, 1.2)));
      if (chance(random, 2)) approach(q, chance(random, 2) ? 0.0 : unit * 0.1);
      break;
    }
    case Arrangement::concentric:
      put(chance(random, 3) ? Vec3{}
                            : direction(random) * (unit * power_of_ten(random, -18.0, -6.0)));
      break;
    case Arrangement::aligned:
      put(on_grid(random, 8));
      break;
    case Arrangement::deep:
      put(direction(random) * (0.5 * std::fabs(reach_a - reach_b) * random.uniform(0.0, 1.0)));
      break;
  }
}

Pose scaled_pose(const Pose& pose, double factor) {
  return detail::unchecked_pose(pose.position() * factor, pose.rotation());
}

void scale_all(io::Query& q, double factor) {
  q.a = scaled(q.a, factor);
  q.b = scaled(q.b, factor);
  q.pose_a = scaled_pose(q.pose_a, factor);
  q.pose_b = scaled_pose(q.pose_b, factor);
}

void turn_a_little(io::Query& q, Random& random) {
  const double angle = power_of_ten(random, -16.0, -6.0);
  const Vec3 axis = chance(random, 2) ? direction(random) : q.pose_a.rotation().column(0);
  const Vec3 half = axis * (0.5 * angle);
  const Mat3 turn = to_matrix({1.0, half.x, half.y, half.z});
  q.pose_b = detail::unchecked_pose(q.pose_b.position(), turn * q.pose_b.rotation());
}

void draw_options(QueryOptions& options, double size, Random& random) {
  if (chance(random, 2)) options.method = kMethods[random.below(std::size(kMethods))];
  if (chance(random, 2)) options.tolerance = power_of_ten(random, -16.0, 0.0);
  if (chance(random, 3)) options.max_distance = size * power_of_ten(random, -6.0, 1.0);
  if (chance(random, 3)) options.max_iterations = 1 + static_cast<int>(random.below(30));
}

/// The shapes and the arrangement that a class is about; the rest is drawn freely.
struct Plan {
  Style style = Style::usual;
  Arrangement arrangement = Arrangement::loose;
};

Plan plan_of(std::string_view name, Random& random) {
  if (name == "random") return {Style::usual, Arrangement::loose};
  if (name == "touching") return {Style::usual, Arrangement::touching};
  if (name == "parallel") return {Style::usual, Arrangement::parallel};
  if (name == "concentric") {
    return {chance(random, 2) ? Style::exact : Style::usual, Arrangement::concentric};
  }
  if (name == "aligned" || name == "near_rotation") return {Style::exact, Arrangement::aligned};
  if (name == "deep") return {Style::usual, Arrangement::deep};
  if (name == "contacts" && chance(random, 2)) return {Style::usual, Arrangement::touching};
  Style style = chance(random, 3) ? Style::exact : Style::usual;
  if (name == "sliver" || (name == "mesh" && chance(random, 8))) style = Style::sliver;
  if (name == "zero_size" || (name == "mesh" && chance(random, 16))) style = Style::zero_size;
  if (name == "roundings") style = Style::rounded;
  if ((name == "tiny_huge" || name == "denormal") && chance(random, 3)) style = Style::zero_size;
  const Arrangement arrangement = any_arrangement(random);
  // Quarters on a grid coincide only between bodies that are made of quarters.
  return {arrangement == Arrangement::aligned && style == Style::usual ? Style::exact : style,
          arrangement};
}

/// A mesh against everything: itself, other meshes, every kind of body.
void draw_mesh_pair(io::Query& q, Style style, const ShapeMaker& shapes, Random& random) {
  q.a = make_mesh(random, style);
  switch (random.below(8)) {
    case 0:
      q.b = q.a;
      break;
    case 1:
    case 2:
      q.b = make_mesh(random, style);
      break;
    case 3:
      q.b = shapes.halfspace(random, style);
      break;
    case 4:
      q.b = shapes.compound(random, style, false, true);
      break;
    case 5:
      q.b = chance(random, 2) ? as_function(shapes.convex_body(random, style))
                              : shapes.hard_hull(random, style);
      break;
    default:
      q.b = shapes.convex_body(random, style);
      break;
  }
  if (chance(random, 6) && q.b.type() != ShapeType::custom)
    q.b = scaled(q.b, power_of_ten(random, -6.0, 6.0));
}

void draw_shapes(io::Query& q, std::string_view name, Style style, const ShapeMaker& shapes,
                 Random& random) {
  if (name == "hulls") {
    q.a = shapes.hard_hull(random, style);
    q.b = chance(random, 2) ? shapes.hard_hull(random, style) : shapes.any(random, style);
  } else if (name == "compound" || name == "nested") {
    q.a = shapes.compound(random, style, name == "nested", chance(random, 3));
    q.b = shapes.any(random, style);
  } else if (name == "mesh") {
    draw_mesh_pair(q, style, shapes, random);
  } else if (name == "contacts" || name == "casts" || name == "impacts") {
    q.a = shapes.any_or_mesh(random, style);
    q.b = shapes.any_or_mesh(random, style);
  } else if (name == "halfspace") {
    q.a = shapes.halfspace(random, style);
    q.b = chance(random, 8) ? shapes.any(random, style) : shapes.convex_body(random, style);
  } else if (name == "custom") {
    q.a = as_function(shapes.convex_body(random, style));
    q.b = shapes.convex_body(random, style);
    if (chance(random, 3)) q.b = as_function(q.b);
  } else {
    q.a = shapes.any(random, style);
    q.b = chance(random, 8) ? q.a : shapes.any(random, style);
  }
  if (name == "deep") q.b = scaled(q.b, random.uniform(0.01, 0.5));
  if (name == "size_ratio") q.b = scaled(q.b, power_of_ten(random, -9.0, -6.0));
  if (chance(random, 2)) std::swap(q.a, q.b);
}

io::Query draw(std::string_view name, const ShapeMaker& shapes, Random& random) {
  const Plan plan = plan_of(name, random);
  io::Query q{Sphere(0.0), {}, Sphere(0.0), {}};
  q.category = name;
  draw_shapes(q, name, plan.style, shapes, random);
  // Denormal lengths: one body, or both with all that lies between them.
  const double denormal = std::ldexp(1.0, -1020 - static_cast<int>(random.below(40)));
  if (name == "denormal" && chance(random, 2)) q.b = scaled(q.b, denormal);
  place(q, plan.arrangement, random);
  if (name == "denormal" && chance(random, 2)) scale_all(q, denormal);
  if (name == "near_rotation") turn_a_little(q, random);
  if (name == "tiny_huge") scale_all(q, power_of_ten(random, -150.0, 150.0));
  const bool moving = name == "casts" || name == "impacts";
  const bool custom = q.a.type() == ShapeType::custom || q.b.type() == ShapeType::custom;
  if ((name == "mesh" || moving) && chance(random, 10) && !custom)
    scale_all(q, power_of_ten(random, -40.0, 40.0));
  if (name == "far") {
    const Vec3 shift = chance(random, 2) ? direction(random) * 1e6 : on_grid(random, 4) * 1e6;
    q.pose_a = detail::unchecked_pose(q.pose_a.position() + shift, q.pose_a.rotation());
    q.pose_b = detail::unchecked_pose(q.pose_b.position() + shift, q.pose_b.rotation());
  }
  const double size = io::pair_size(q.a, q.b);
  if (moving)
    draw_motion(q, std::max(ball_radius(q.a), ball_radius(q.b)), name == "impacts", random);
  if (has_open_mesh(q.a) || has_open_mesh(q.b)) q.options.signed_distance = chance(random, 4);
  if (name == "contacts" || chance(random, 2))
    q.options.margin = size * power_of_ten(random, -9.0, 0.0);
  if (name == "options" || ((name == "mesh" || moving) && chance(random, 8)))
    draw_options(q.options, size, random);
  return q;
}

}  // namespace

Generator::Generator(std::uint64_t seed) : seed_(seed), shapes_(seed) {}

std::span<const std::string_view> Generator::classes() { return kClasses; }

std::string_view Generator::class_of(std::uint64_t index) {
  return kClasses[index % std::size(kClasses)];
}

io::Query Generator::make(std::uint64_t index) const {
  Random random(seed_, index);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      return draw(class_of(index), shapes_, random);
    } catch (const InvalidInput&) {
      continue;
    }
  }
  throw std::logic_error("no valid query of the class " + std::string(class_of(index)));
}

}  // namespace tactus::detail::fuzz
