#include "tactus/io/scene/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "tactus/core/random.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/shape.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Widest number of bodies that one entry may ask for: a typing error shall not fill the memory.
constexpr std::int64_t kMostBodies = 10'000'000;
constexpr std::int64_t kMostSeed = std::int64_t{1} << 53;
/// Free space between two cells of a pour, relative to the widest body.
constexpr double kCellGap = 0.02;

/// One of the shapes to choose from.
struct Choice {
  std::size_t shape;
  double weight;
  double smallest, largest;  ///< scale
  Vec3 center;               ///< of the shape's box, in its frame
  double radius;             ///< of a ball about `center` that holds the shape
};

/// Settings that all generators share.
struct Common {
  std::vector<Choice> choices;
  Material material;
  std::uint64_t seed;
  double slowest = 0.0, fastest = 0.0;  ///< speeds to draw from, in any direction
  double least_spin = 0.0, most_spin = 0.0;
};

/// Radius of a ball about `center` that holds the shape: exact for a hull, else the smaller of the
/// ball about its box and the one that holds the shape's ball about its origin.
double radius_about(const Shape& shape, const Vec3& center, const Aabb& box) {
  if (const auto* convex = std::get_if<Convex>(&shape.geometry())) {
    double radius = 0.0;
    for (const Vec3& v : convex->hull().vertices) radius = std::max(radius, norm(v - center));
    return radius + shape.rounding_radius();
  }
  return std::min(norm(box.upper - box.lower) * 0.5, bounding_radius(shape) + norm(center));
}

void find_ball(const Shape& shape, Choice& choice, const std::string& path) {
  const Aabb box = bounding_box(shape, Pose());
  if (!is_finite(box.lower) || !is_finite(box.upper)) {
    throw InvalidInput(path, "an unbounded shape cannot be generated");
  }
  choice.center = (box.lower + box.upper) * 0.5;
  choice.radius = radius_about(shape, choice.center, box);
}

/// A number of at least zero or a range of two; what is given stays where the field is missing.
void read_range(JsonFields& fields, const char* name, double& least, double& most) {
  const json* value = fields.find(name);
  if (value == nullptr) return;
  const std::string at = fields.path_of(name);
  const bool range = value->is_array() && value->size() == 2;
  least = JsonFields::to_number(range ? (*value)[0] : *value, at);
  most = JsonFields::to_number(range ? (*value)[1] : *value, at);
  if (least < 0.0 || most < least)
    throw InvalidInput(at, "must be a number of at least 0 or a range [least, most]");
}

Choice read_choice(const json& value, const std::string& path, SceneBuilder& builder) {
  Choice choice{0, 1.0, 1.0, 1.0, {}, 0.0};
  if (value.is_string()) {
    choice.shape = builder.shape(value, path);
  } else {
    JsonFields fields(value, path);
    choice.shape = builder.shape(fields.require("shape"), fields.path_of("shape"));
    choice.weight = fields.number("weight", 1.0);
    if (choice.weight <= 0.0) throw InvalidInput(fields.path_of("weight"), "must be positive");
    if (const json* scale = fields.find("scale")) {
      const std::string at = fields.path_of("scale");
      const bool range = scale->is_array() && scale->size() == 2;
      choice.smallest = JsonFields::to_number(range ? (*scale)[0] : *scale, at);
      choice.largest = JsonFields::to_number(range ? (*scale)[1] : *scale, at);
      if (choice.smallest <= 0.0 || choice.largest < choice.smallest) {
        throw InvalidInput(at, "must be a positive number or a range [smallest, largest]");
      }
    }
    fields.finish();
  }
  find_ball(builder.scene().shapes[choice.shape].shape, choice, path);
  return choice;
}

Common read_common(JsonFields& fields, SceneBuilder& builder) {
  Common common;
  const json& shapes = fields.require("shapes");
  const std::string path = fields.path_of("shapes");
  if (!shapes.is_array() || shapes.empty()) {
    throw InvalidInput(path, "must be an array of at least one shape");
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    common.choices.push_back(read_choice(shapes[i], JsonFields::path_of(path, i), builder));
  }
  common.material = builder.material(fields.find("material"), fields.path_of("material"));
  common.seed = static_cast<std::uint64_t>(fields.integer("seed", 0, kMostSeed, 0));
  read_range(fields, "random_speed", common.slowest, common.fastest);
  read_range(fields, "random_spin", common.least_spin, common.most_spin);
  return common;
}

double widest(const Common& common) {
  double radius = 0.0;
  for (const Choice& choice : common.choices) {
    radius = std::max(radius, choice.radius * choice.largest);
  }
  return 2.0 * radius;
}

const Choice& choose(const std::vector<Choice>& choices, detail::Random& random) {
  double total = 0.0;
  for (const Choice& choice : choices) total += choice.weight;
  double at = random.uniform(0.0, total);
  for (const Choice& choice : choices) {
    at -= choice.weight;
    if (at < 0.0) return choice;
  }
  return choices.back();
}

double choose_scale(const Choice& choice, detail::Random& random) {
  return choice.smallest == choice.largest ? choice.smallest
                                           : random.uniform(choice.smallest, choice.largest);
}

/// A uniformly distributed rotation from two points of the unit disc, with no trigonometry.
/// Source: marsaglia1972sphere.
Quat random_rotation(detail::Random& random) {
  std::array<double, 2> x{}, y{}, square{};
  for (std::size_t i = 0; i < 2; ++i) {
    do {
      x[i] = random.uniform(-1.0, 1.0);
      y[i] = random.uniform(-1.0, 1.0);
      square[i] = x[i] * x[i] + y[i] * y[i];
    } while (square[i] >= 1.0 || square[i] == 0.0);
  }
  const double stretch = std::sqrt((1.0 - square[0]) / square[1]);
  return {x[0], y[0], x[1] * stretch, y[1] * stretch};
}

Vec3 random_vector(detail::Random& random, const Vec3& reach) {
  const double x = random.uniform(-reach.x, reach.x);
  const double y = random.uniform(-reach.y, reach.y);
  const double z = random.uniform(-reach.z, reach.z);
  return {x, y, z};
}

/// Velocities of bodies that fly about, drawn apart from the places: these do not depend on whether
/// there are any.
class Velocities {
 public:
  explicit Velocities(const Common& common) : common_(common), random_(common.seed, 1) {}

  /// Adds to those of the body.
  void add_to(BodyDefinition& body) {
    body.linear_velocity += draw(common_.slowest, common_.fastest);
    body.angular_velocity += draw(common_.least_spin, common_.most_spin);
  }

 private:
  Vec3 draw(double least, double most) {
    if (!(most > 0.0)) return {};
    const double length = least == most ? most : random_.uniform(least, most);
    // The first axis of a rotation that is uniform is a direction that is.
    const Mat3 turn = to_matrix(random_rotation(random_));
    return Vec3{turn(0, 0), turn(1, 0), turn(2, 0)} * length;
  }

  const Common& common_;
  detail::Random random_;
};

/// The pose that turns the shape and puts the middle of its box at `place`.
Pose centered(const Choice& choice, double scale, const Quat& rotation, const Vec3& place) {
  const Mat3 matrix = to_matrix(rotation);
  return detail::unchecked_pose(place - matrix * (choice.center * scale), matrix);
}

std::string body_name(const std::string& path, std::size_t index) {
  return path + " body " + std::to_string(index);
}

/// Batches of cells enter one after the other; the time between them must let a batch leave its
/// region.
std::uint64_t steps_between_batches(const Scene& scene, double rate, std::size_t batch,
                                    const Vec3& extent, const Vec3& velocity,
                                    const std::string& path) {
  const double time = static_cast<double>(batch) / rate;
  const Vec3 path_length =
      component_abs(velocity * time + scene.world.gravity * (0.5 * time * time));
  if (path_length.x < extent.x && path_length.y < extent.y && path_length.z < extent.z) {
    throw InvalidInput(
        path, "is too high: bodies enter the region before the last " + std::to_string(batch) +
                  " have left it (a lower rate, a larger velocity or a flatter region)");
  }
  return static_cast<std::uint64_t>(std::ceil(time * static_cast<double>(scene.step_rate)));
}

void pour(JsonFields& fields, SceneBuilder& builder) {
  const Common common = read_common(fields, builder);
  const auto count = static_cast<std::size_t>(fields.integer("count", 1, kMostBodies));
  const Vec3 velocity = fields.vector("velocity", {});
  JsonFields region(fields.require("region"), fields.path_of("region"));
  const Vec3 lower = region.vector("lower");
  const Vec3 upper = region.vector("upper");
  region.finish();

  const double cell = widest(common) * (1.0 + kCellGap);
  const Vec3 extent = upper - lower;
  std::array<std::size_t, 3> cells{};
  for (int axis = 0; axis < 3; ++axis) {
    const double room = std::floor(extent[axis] / cell);
    if (!(room >= 1.0)) {
      throw InvalidInput(region.path(),
                         "is narrower than the widest body, " + std::to_string(cell));
    }
    cells[static_cast<std::size_t>(axis)] =
        static_cast<std::size_t>(std::min(room, static_cast<double>(kMostBodies)));
  }
  const std::size_t batch = std::min(count, cells[0] * cells[1] * cells[2]);
  std::uint64_t interval = 0;
  if (fields.find("rate") != nullptr) {
    const double rate = fields.number("rate");
    if (rate <= 0.0) throw InvalidInput(fields.path_of("rate"), "must be positive");
    interval = steps_between_batches(builder.scene(), rate, batch, extent, velocity,
                                     fields.path_of("rate"));
  } else if (batch < count) {
    throw InvalidInput(fields.path_of("count"), "the region has room for " + std::to_string(batch) +
                                                    " bodies; enlarge it or give a `rate`");
  }
  const Vec3 size{extent.x / static_cast<double>(cells[0]),
                  extent.y / static_cast<double>(cells[1]),
                  extent.z / static_cast<double>(cells[2])};

  detail::Random random(common.seed);
  Velocities velocities(common);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = i % batch;
    const Choice& choice = choose(common.choices, random);
    const double scale = choose_scale(choice, random);
    const double diameter = 2.0 * choice.radius * scale;
    const std::size_t column = k % cells[0];
    const std::size_t row = k / cells[0] % cells[1];
    const std::size_t layer = k / cells[0] / cells[1];
    const Vec3 middle{(static_cast<double>(column) + 0.5) * size.x,
                      (static_cast<double>(row) + 0.5) * size.y,
                      (static_cast<double>(layer) + 0.5) * size.z};
    const Vec3 reach = (size - Vec3{diameter, diameter, diameter}) * 0.5;
    const Vec3 place = lower + middle + random_vector(random, reach);
    const Quat rotation = random_rotation(random);
    SceneBody body = builder.body(body_name(fields.path(), i), choice.shape, scale,
                                  centered(choice, scale, rotation, place), common.material);
    body.first_step = i / batch * interval;
    body.definition.linear_velocity = velocity;
    velocities.add_to(body.definition);
    builder.add(std::move(body));
  }
}

void grid(JsonFields& fields, SceneBuilder& builder) {
  const Common common = read_common(fields, builder);
  const json& count = fields.require("count");
  const std::string count_path = fields.path_of("count");
  const Vec3 counts = JsonFields::to_vector(count, count_path);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(counts[axis] >= 1.0) || counts[axis] != std::floor(counts[axis])) {
      throw InvalidInput(count_path, "must be three whole numbers of at least 1");
    }
  }
  if (counts.x * counts.y * counts.z > static_cast<double>(kMostBodies)) {
    throw InvalidInput(count_path, "more than " + std::to_string(kMostBodies) + " bodies");
  }
  const double cell = widest(common) * (1.0 + kCellGap);
  const Vec3 spacing = fields.vector("spacing", {cell, cell, cell});
  const Vec3 position = fields.vector("position", {});
  const Vec3 jitter = fields.vector("jitter", {});
  const bool turned = fields.boolean("random_rotation", false);
  const Vec3 velocity = fields.vector("velocity", {});

  detail::Random random(common.seed);
  Velocities velocities(common);
  std::size_t index = 0;
  for (double z = 0.0; z < counts.z; z += 1.0) {
    for (double y = 0.0; y < counts.y; y += 1.0) {
      for (double x = 0.0; x < counts.x; x += 1.0) {
        const Choice& choice = choose(common.choices, random);
        const double scale = choose_scale(choice, random);
        const Quat rotation = turned ? random_rotation(random) : Quat{};
        const Vec3 place =
            position + component_product(spacing, {x, y, z}) + random_vector(random, jitter);
        SceneBody body = builder.body(body_name(fields.path(), index++), choice.shape, scale,
                                      centered(choice, scale, rotation, place), common.material);
        body.definition.linear_velocity = velocity;
        velocities.add_to(body.definition);
        builder.add(std::move(body));
      }
    }
  }
}

/// Bodies per layer of a stack, from the bottom.
std::vector<std::size_t> stack_rows(JsonFields& fields) {
  const std::string pattern = fields.text("pattern", "tower");
  const auto layers = static_cast<std::size_t>(fields.integer("layers", 1, 10'000));
  if (pattern == "tower") return std::vector<std::size_t>(layers, 1);
  if (pattern == "wall") {
    // Every other row is one brick shorter, so that no brick hangs over.
    const auto columns = static_cast<std::size_t>(fields.integer("columns", 2, 10'000));
    std::vector<std::size_t> rows(layers, columns);
    for (std::size_t row = 1; row < layers; row += 2) --rows[row];
    return rows;
  }
  if (pattern != "pyramid") {
    throw InvalidInput(fields.path_of("pattern"), "must be tower, wall or pyramid");
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = layers; row > 0; --row) rows.push_back(row);
  return rows;
}

void stack(JsonFields& fields, SceneBuilder& builder) {
  for (const char* name : {"random_speed", "random_spin"}) {
    if (fields.find(name) != nullptr)
      throw InvalidInput(fields.path_of(name), "a stack is made of bodies at rest");
  }
  const Common common = read_common(fields, builder);
  if (common.choices.size() != 1 || common.choices[0].smallest != common.choices[0].largest) {
    throw InvalidInput(fields.path_of("shapes"), "a stack takes one shape of one scale");
  }
  const Choice& choice = common.choices[0];
  const std::vector<std::size_t> rows = stack_rows(fields);
  const Vec3 position = fields.vector("position", {});
  const double gap = fields.number("gap", 0.0);
  const double jitter = fields.number("jitter", 0.0);
  const double scale = choice.smallest;
  const Aabb box = bounding_box(builder.scene().shapes[choice.shape].shape, Pose());
  const Vec3 size = (box.upper - box.lower) * scale;

  detail::Random random(common.seed);
  std::size_t index = 0;
  for (std::size_t layer = 0; layer < rows.size(); ++layer) {
    const double height =
        (static_cast<double>(layer) + 0.5) * size.z + (static_cast<double>(layer) + 1.0) * gap;
    const double first = -0.5 * (static_cast<double>(rows[layer]) - 1.0);
    for (std::size_t i = 0; i < rows[layer]; ++i) {
      const double along = (first + static_cast<double>(i)) * (size.x + gap);
      const Vec3 place =
          position + Vec3{along, 0.0, height} + random_vector(random, {jitter, jitter, 0.0});
      builder.add(builder.body(body_name(fields.path(), index++), choice.shape, scale,
                               centered(choice, scale, Quat{}, place), common.material));
    }
  }
}

}  // namespace

void generate(const json& entry, const std::string& path, SceneBuilder& builder) {
  JsonFields fields(entry, path);
  const std::string type = fields.text("type");
  if (type == "pour") {
    pour(fields, builder);
  } else if (type == "grid") {
    grid(fields, builder);
  } else if (type == "stack") {
    stack(fields, builder);
  } else {
    throw InvalidInput(fields.path_of("type"), "must be pour, grid or stack");
  }
  fields.finish();
}

}  // namespace tactus::io
