// Query lines, and batches of one pair of shapes at many poses.
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "bindings/wasm/registry.hpp"
#include "tactus/io/json/json_shape.hpp"
#include "tactus/io/json/json_text.hpp"
#include "tactus/io/json/planar_line.hpp"
#include "tactus/io/json/query_line.hpp"
#include "tactus/tactus.hpp"

namespace tactus::wasm {

std::string& last_error() {
  static std::string text;
  return text;
}

std::string& last_text() {
  static std::string text;
  return text;
}

namespace {

// Numbers of a pose: position, then quaternion w, x, y, z.
constexpr int kPoseNumbers = 7;
// Numbers of a distance: distance, lower, upper, normal, point on A, point on B, status.
constexpr int kDistanceNumbers = 13;

Registry<Shape>& shapes() {
  static Registry<Shape> all;
  return all;
}

/// Calls visit(line) for every line that holds a query.
template <class F>
void each_line(std::string_view text, const F& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line.compare(first, 2, "//") != 0) visit(line);
  }
}

std::string answer_queries(std::string_view text, bool certificate) {
  io::ShapeReader reader;
  std::string out;
  each_line(text, [&](std::string_view line) {
    const io::QueryLine parsed = io::parse_query_line(line, reader);
    if (!parsed.query) {
      out += io::error_to_line(parsed.id, parsed.error);
    } else {
      const io::Answer answer = io::answer_query(*parsed.query, certificate);
      out += io::answer_to_line(parsed.id, *parsed.query, answer, certificate);
    }
    out += '\n';
  });
  return out;
}

std::string answer_planar_queries(std::string_view text) {
  io::PlanarAnswerer answerer;
  std::string out;
  each_line(text, [&](std::string_view line) { out += answerer.answer(line).text + '\n'; });
  return out;
}

Pose read_pose(const double* p) { return {{p[0], p[1], p[2]}, Quat{p[3], p[4], p[5], p[6]}}; }

void write_vector(const Vec3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

TACTUS_EXPORT const char* tactus_error() { return last_error().c_str(); }
TACTUS_EXPORT int tactus_text_size() { return static_cast<int>(last_text().size()); }

TACTUS_EXPORT const char* tactus_query(const char* text, int size, int certificate) {
  return text_of(
      [&] { return answer_queries({text, static_cast<std::size_t>(size)}, certificate != 0); });
}

TACTUS_EXPORT const char* tactus_planar_query(const char* text, int size) {
  return text_of([&] { return answer_planar_queries({text, static_cast<std::size_t>(size)}); });
}

TACTUS_EXPORT int tactus_shape_open(const char* text, int size) {
  return guarded(0, [&] {
    const nlohmann::json value = io::parse_json({text, static_cast<std::size_t>(size)});
    return shapes().add(io::shape_from_json(value));
  });
}

TACTUS_EXPORT void tactus_shape_close(int shape) { shapes().remove(shape); }

// `poses_a`, `poses_b`: seven numbers each; `out`: thirteen each. 1, or 0 after an error.
TACTUS_EXPORT int tactus_distances(int a, int b, int count, const double* poses_a,
                                   const double* poses_b, double* out) {
  return guarded(0, [&] {
    const Shape &shape_a = shapes().at(a), &shape_b = shapes().at(b);
    for (int i = 0; i < count; ++i, out += kDistanceNumbers) {
      const DistanceResult r = distance(shape_a, read_pose(poses_a + i * kPoseNumbers), shape_b,
                                        read_pose(poses_b + i * kPoseNumbers));
      out[0] = r.distance;
      out[1] = r.lower;
      out[2] = r.upper;
      write_vector(r.normal, out + 3);
      write_vector(r.point_a, out + 6);
      write_vector(r.point_b, out + 9);
      out[12] = static_cast<double>(r.status);
    }
    return 1;
  });
}
