// Queries of two shapes, asked and answered in numbers.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "bindings/wasm/numbers/number_reader.hpp"
#include "bindings/wasm/numbers/shapes.hpp"
#include "tactus/query.hpp"

namespace tactus::wasm {
namespace {

// Numbers of a distance in a batch: distance, lower, upper, normal, points, status.
constexpr int kDistanceNumbers = 13;
// Contact patches that are found without memory.
constexpr std::size_t kFewPatches = 4;

/// Two shapes at their poses, and options: tolerance, largest distance, margin, method (its place
/// in Method), cap of iterations, signed, depth of the union.
struct Asked {
  Asked(int shape_a, int shape_b, NumberReader& numbers)
      : a(shapes().at(shape_a)), b(shapes().at(shape_b)) {
    pose_a = numbers.pose();
    pose_b = numbers.pose();
    numbers.take_given(options.tolerance);
    numbers.take_given(options.max_distance);
    numbers.take_given(options.margin);
    options.method = static_cast<Method>(numbers.whole());
    if (const auto most = numbers.given()) options.max_iterations = static_cast<int>(*most);
    options.signed_distance = numbers.flag();
    options.union_depth = numbers.flag();
  }

  const Shape &a, &b;
  Pose pose_a, pose_b;
  QueryOptions options;
};

void add(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), {v.x, v.y, v.z}); }

/// Twenty numbers.
void add(std::vector<double>& out, const DistanceResult& r) {
  out.insert(out.end(), {r.distance, r.lower, r.upper});
  for (const Vec3& v : {r.normal, r.point_a, r.point_b}) add(out, v);
  for (const int n : {static_cast<int>(r.status), static_cast<int>(r.method), r.iterations,
                      r.unique ? 1 : 0, r.part_a, r.part_b, r.triangle_a, r.triangle_b})
    out.push_back(n);
}

/// Nineteen numbers.
void add(std::vector<double>& out, const CastResult& r) {
  out.insert(out.end(), {static_cast<double>(r.hit), r.time, r.time_upper, r.distance});
  for (const Vec3& v : {r.normal, r.point_a, r.point_b}) add(out, v);
  for (const int n : {static_cast<int>(r.status), static_cast<int>(r.method), r.iterations,
                      r.unique ? 1 : 0, r.part_a, r.part_b})
    out.push_back(n);
}

/// Six numbers, and seven for each point: both places and the depth.
void add(std::vector<double>& out, const Manifold& m) {
  add(out, m.normal);
  for (const int n : {m.part_a, m.part_b, m.count}) out.push_back(n);
  for (const ContactPoint& p : m.span()) {
    add(out, p.point_a);
    add(out, p.point_b);
    out.push_back(p.depth);
  }
}

/// Calls f with room for the answer; 1, or 0 after an error.
template <class F>
int answered(const F& f) {
  return guarded(0, [&] {
    last_numbers().clear();
    f(last_numbers());
    return 1;
  });
}

RigidMotion motion_of(NumberReader& numbers) {
  const Vec3 linear = numbers.vector();
  return {linear, numbers.vector()};
}

}  // namespace
}  // namespace tactus::wasm

using namespace tactus;
using namespace tactus::wasm;

// `numbers` of each: both poses and the options, then what is said. The answer follows at
// tactus_numbers().
TACTUS_EXPORT int tactus_pair_distance(int a, int b, const double* numbers) {
  return answered([&](std::vector<double>& out) {
    NumberReader reader(numbers);
    const Asked q(a, b, reader);
    add(out, distance(q.a, q.pose_a, q.b, q.pose_b, q.options));
  });
}

// The verdict, its place in Overlap, before its bracket.
TACTUS_EXPORT int tactus_pair_overlap(int a, int b, const double* numbers) {
  return answered([&](std::vector<double>& out) {
    NumberReader reader(numbers);
    const Asked q(a, b, reader);
    const OverlapResult r = overlap(q.a, q.pose_a, q.b, q.pose_b, q.options);
    out.push_back(static_cast<double>(r.overlap));
    add(out, r.proof);
  });
}

// The distance, the number of patches, and these.
TACTUS_EXPORT int tactus_pair_contacts(int a, int b, const double* numbers) {
  return answered([&](std::vector<double>& out) {
    NumberReader reader(numbers);
    const Asked q(a, b, reader);
    std::array<Manifold, kFewPatches> few;
    std::vector<Manifold> many;
    std::span<Manifold> room = few;
    ContactsResult r = contacts(q.a, q.pose_a, q.b, q.pose_b, room, q.options);
    while (r.truncated) {
      many.resize(4 * room.size());
      room = many;
      r = contacts(q.a, q.pose_a, q.b, q.pose_b, room, q.options);
    }
    add(out, r.distance);
    out.push_back(r.manifolds);
    for (const Manifold& m : room.first(static_cast<std::size_t>(r.manifolds))) add(out, m);
  });
}

// After the options: both motions.
TACTUS_EXPORT int tactus_pair_cast(int a, int b, const double* numbers) {
  return answered([&](std::vector<double>& out) {
    NumberReader reader(numbers);
    const Asked q(a, b, reader);
    const Vec3 motion_a = reader.vector(), motion_b = reader.vector();
    add(out, cast(q.a, q.pose_a, motion_a, q.b, q.pose_b, motion_b, q.options));
  });
}

// After the options: of both, linear and angular velocity.
TACTUS_EXPORT int tactus_pair_impact(int a, int b, const double* numbers) {
  return answered([&](std::vector<double>& out) {
    NumberReader reader(numbers);
    const Asked q(a, b, reader);
    const RigidMotion motion_a = motion_of(reader), motion_b = motion_of(reader);
    add(out, impact(q.a, q.pose_a, motion_a, q.b, q.pose_b, motion_b, q.options));
  });
}

// A pose, origin, direction, and the largest time.
TACTUS_EXPORT int tactus_shape_ray(int shape, const double* numbers) {
  return answered([&](std::vector<double>& out) {
    NumberReader reader(numbers);
    const Pose pose = reader.pose();
    const Vec3 origin = reader.vector(), direction = reader.vector();
    add(out, ray_cast(shapes().at(shape), pose, origin, direction, reader.next()));
  });
}

// `poses_a`, `poses_b`: seven numbers each; `out`: thirteen each. 1, or 0 after an error.
TACTUS_EXPORT int tactus_distances(int a, int b, int count, const double* poses_a,
                                   const double* poses_b, double* out) {
  return guarded(0, [&] {
    const Shape &shape_a = shapes().at(a), &shape_b = shapes().at(b);
    NumberReader of_a(poses_a), of_b(poses_b);
    std::vector<double> row;
    for (int i = 0; i < count; ++i, out += kDistanceNumbers) {
      row.clear();
      const Pose pose_a = of_a.pose(), pose_b = of_b.pose();
      add(row, distance(shape_a, pose_a, shape_b, pose_b));
      std::copy_n(row.begin(), kDistanceNumbers, out);
    }
    return 1;
  });
}
