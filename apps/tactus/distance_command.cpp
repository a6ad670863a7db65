#include "apps/tactus/distance_command.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tactus/measurable.hpp"
#include "apps/tactus/mesh_files.hpp"
#include "apps/tactus/volumes.hpp"
#include "tactus/bvh/mesh_distance.hpp"
#include "tactus/core.hpp"
#include "tactus/io.hpp"
#include "tactus/io/format/tree_file.hpp"
#include "tactus/io/json/json_fields.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/line_file.hpp"

namespace tactus::app {
namespace {

using detail::bvh::MeshDistance;
using nlohmann::json;

class Stopwatch {
 public:
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The file's mesh in the user's unit.
TriangleMesh read_scaled(const std::string& file, double scale, const std::string& up,
                         const char* option) {
  if (!(scale > 0.0 && std::isfinite(scale)))
    throw InvalidInput(option, "must be positive and finite");
  TriangleMesh mesh = read_mesh_file(file, up);
  for (Vec3& v : mesh.vertices) v = v * scale;
  try {
    validate(mesh);
  } catch (const InvalidInput& error) {
    throw FileError(fmt::format("{}: scaled by {}: {}", file, scale, error.what()));
  }
  require_measurable(file, mesh.vertices);
  return mesh;
}

Pose pose_of(const json& value, const std::string& name) {
  try {
    const Pose pose = io::pose_from_json(value);
    if (max_abs(pose.position()) > kMostMeasured)
      throw InvalidInput("position", fmt::format("must be at most {:g}", kMostMeasured));
    return pose;
  } catch (const InvalidInput& error) {
    throw error.within(name);
  }
}

Pose read_pose(const std::string& text, const char* option) {
  if (text.empty()) return {};
  try {
    return pose_of(io::parse_json(text), option);
  } catch (const InvalidInput& error) {
    if (!error.field().empty()) throw;
    throw error.within(option);
  }
}

struct PosePair {
  Pose a, b;
};

/// A query's place in the pose file; 0 for the one query of a run without such a file.
struct Asked {
  int line = 0;
  MeshDistance answer;
  double microseconds = 0.0;
};

json json_of(const Vec3& v) { return {v.x, v.y, v.z}; }

json json_of(const Asked& asked) {
  const MeshDistance& r = asked.answer;
  // Without a nearest pair there are no points either.
  const bool found = r.triangle_a != detail::bvh::MeshPairCache::kNone;
  json object;
  if (asked.line > 0) object["line"] = asked.line;
  object["distance"] = found ? json(r.distance) : json(nullptr);
  object["lower"] = r.lower;
  object["upper"] = found ? json(r.upper) : json(nullptr);
  object["meets"] = r.meets;
  object["normal"] = found ? json_of(r.normal) : json(nullptr);
  object["point_a"] = found ? json_of(r.point_a) : json(nullptr);
  object["point_b"] = found ? json_of(r.point_b) : json(nullptr);
  object["triangle_a"] = found ? json(r.triangle_a) : json(nullptr);
  object["triangle_b"] = found ? json(r.triangle_b) : json(nullptr);
  object["volume_tests"] = r.volume_tests;
  object["triangle_tests"] = r.triangle_tests;
  object["microseconds"] = asked.microseconds;
  return object;
}

std::string text_of(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }

std::string text_of(const Asked& asked) {
  const MeshDistance& r = asked.answer;
  std::string text;
  if (asked.line > 0) text += fmt::format("line {}\n", asked.line);
  if (r.triangle_a == detail::bvh::MeshPairCache::kNone) {
    text += fmt::format("distance    at least {}\n", r.lower);
  } else {
    text += fmt::format("distance    {}{}\n", r.distance, r.meets ? ", the surfaces meet" : "");
    text += fmt::format("bracket     [{}, {}]\n", r.lower, r.upper);
    text += fmt::format("point on A  {}, triangle {}\n", text_of(r.point_a), r.triangle_a);
    text += fmt::format("point on B  {}, triangle {}\n", text_of(r.point_b), r.triangle_b);
    if (!r.meets) text += fmt::format("normal      {}\n", text_of(r.normal));
  }
  return text + fmt::format("tests       {} of volumes, {} of triangles\ntime        {:.1f} us\n",
                            r.volume_tests, r.triangle_tests, asked.microseconds);
}

/// One run of the command over all its queries, by one kind of volume.
template <class Volume>
class DistanceRun {
 public:
  DistanceRun(const DistanceCommand& command, const detail::bvh::MeshDistanceOptions& options)
      : command_(command),
        options_(options),
        given_{read_pose(command.pose_a, "--pose-a"), read_pose(command.pose_b, "--pose-b")},
        mesh_a_(read_scaled(command.file_a, command.scale_a, command.up, "--scale-a")),
        mesh_b_(read_scaled(command.file_b, command.scale_b, command.up, "--scale-b")),
        tree_a_(tree_of(mesh_a_, command.tree_a)),
        tree_b_(tree_of(mesh_b_, command.tree_b)) {
    if (command.json) return;
    fmt::print(
        "A: {}, {} triangles\nB: {}, {} triangles\nhierarchies of {} kB: {:.1f} ms with "
        "reading\n\n",
        command.file_a, mesh_a_.triangles.size(), command.file_b, mesh_b_.triangles.size(),
        (tree_a_.bytes() + tree_b_.bytes()) / 1000, start_.microseconds() * 1e-3);
  }

  int run() {
    if (command_.poses.empty()) {
      answer(0, given_);
      return 0;
    }
    io::LineFile file(command_.poses);
    bool broken = false;
    std::string line;
    while (file.next(line)) {
      PosePair poses = given_;
      const int number = file.number();
      try {
        poses = read_line(line);
      } catch (const InvalidInput& error) {
        broken = true;
        fmt::print(stderr, "{}: {}\n", file.place(), error.what());
        if (command_.json) {
          print({{"line", number}, {"status", "invalid_input"}, {"error", error.what()}});
        }
        if (!file.ready()) std::fflush(stdout);
        continue;
      }
      answer(number, poses);
      if (!file.ready()) std::fflush(stdout);
    }
    if (!command_.json && count_ > 0) {
      fmt::print("{} queries: on average {:.1f} us, {:.1f} tests of volumes, {:.1f} of triangles\n",
                 count_, microseconds_ / count_, volume_tests_ / count_, triangle_tests_ / count_);
    }
    return broken ? 1 : 0;
  }

 private:
  static detail::bvh::Hierarchy<Volume> tree_of(const TriangleMesh& mesh, const std::string& file) {
    return file.empty() ? detail::bvh::Hierarchy<Volume>(mesh) : io::read_tree<Volume>(file, mesh);
  }

  PosePair read_line(const std::string& line) const {
    const json value = io::parse_json(line);
    io::JsonFields fields(value, "");
    PosePair poses = given_;
    if (const json* a = fields.find("pose_a")) poses.a = pose_of(*a, "pose_a");
    if (const json* b = fields.find("pose_b")) poses.b = pose_of(*b, "pose_b");
    fields.refuse_misspelt();
    return poses;
  }

  void answer(int line, const PosePair& poses) {
    Asked asked;
    asked.line = line;
    const Stopwatch watch;
    asked.answer =
        detail::bvh::mesh_distance_by(mesh_a_, tree_a_, poses.a, mesh_b_, tree_b_, poses.b,
                                      options_, command_.warm ? &cache_ : nullptr);
    asked.microseconds = watch.microseconds();
    count_ += 1.0;
    microseconds_ += asked.microseconds;
    volume_tests_ += static_cast<double>(asked.answer.volume_tests);
    triangle_tests_ += static_cast<double>(asked.answer.triangle_tests);
    if (command_.json) {
      print(json_of(asked));
    } else {
      fmt::print("{}\n", text_of(asked));
    }
  }

  static void print(const json& object) { fmt::print("{}\n", io::json_dump(object)); }

  const DistanceCommand& command_;
  detail::bvh::MeshDistanceOptions options_;
  Stopwatch start_;
  PosePair given_;
  TriangleMesh mesh_a_, mesh_b_;
  detail::bvh::Hierarchy<Volume> tree_a_, tree_b_;
  detail::bvh::MeshPairCache cache_;
  double count_ = 0.0, microseconds_ = 0.0, volume_tests_ = 0.0, triangle_tests_ = 0.0;
};

detail::bvh::MeshDistanceOptions options_of(const DistanceCommand& command) {
  detail::bvh::MeshDistanceOptions options;
  const auto strategy = from_string<detail::bvh::Strategy>(command.strategy);
  // The command line lets no other name through.
  if (!strategy) throw InvalidInput("--strategy", "unknown strategy '" + command.strategy + "'");
  options.strategy = *strategy;
  // Also what is no number.
  if (!(command.relative_error >= 0.0))
    throw InvalidInput("--relative-error", "must not be negative");
  if (!(command.max_distance >= 0.0)) throw InvalidInput("--max-distance", "must not be negative");
  options.relative_error = command.relative_error;
  options.max_distance = command.max_distance;
  return options;
}

int answer_all(const DistanceCommand& command) {
  const detail::bvh::MeshDistanceOptions options = options_of(command);
  return AllVolumes::with<int>(command.volume, [&](auto volume) {
    return DistanceRun<typename decltype(volume)::type>(command, options).run();
  });
}

}  // namespace

int run_distance(const DistanceCommand& command) {
  try {
    return answer_all(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tactus distance: {}\n", error.what());
    return 2;
  }
}

}  // namespace tactus::app
